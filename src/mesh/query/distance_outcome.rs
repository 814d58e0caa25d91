//! What a query of the distances of meshes answers.

use ordered_float::OrderedFloat;

use super::MeshCounters;
use super::incumbent::PairKey;
use crate::Distance;
use crate::mesh::model::Element;

/// Two elements, and how far they are apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairDistance {
    /// The elements, of the first mesh and of the second; within one mesh the one with the lower
    /// index, or the vertex, is first.
    pub elements: [Element; 2],
    /// Never [`Distance::Beyond`]. The parameters of the closest points are those of the elements:
    /// for the order of corners see [`Element`].
    pub distance: Distance,
}

impl PairDistance {
    /// The distance of the closest points found.
    pub fn upper(&self) -> f64 {
        self.distance.upper().unwrap_or(f64::INFINITY)
    }

    /// The order of pairs: by distance, then by elements.
    pub(super) fn key(&self) -> PairKey {
        (OrderedFloat(self.upper()), self.elements)
    }
}

/// The distance of two meshes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeastDistance {
    /// Proven lower bound on the distance of all pairs of elements that are looked at. Where there
    /// are no closest points it is [`max_distance`](crate::DistanceOptions::max_distance).
    pub lower: f64,
    /// The pair with the closest points that were found; of several, the one that is first in the
    /// order of [`Element`]. `None`: it is proven that all pairs are farther apart than
    /// [`max_distance`](crate::DistanceOptions::max_distance).
    ///
    /// Its distance is above `lower` by no more than the largest tolerance of a pair, unless the
    /// budget of a pair ended.
    pub first: Option<PairDistance>,
    /// What was done.
    pub counters: MeshCounters,
}

impl LeastDistance {
    /// The distance of the closest points found, if any were looked for: an upper bound on the
    /// distance of the meshes, to rounding.
    pub fn upper(&self) -> Option<f64> {
        self.first.map(|first| first.upper())
    }
}

/// All pairs of elements within a distance of each other.
#[derive(Clone, Debug, PartialEq)]
pub struct AllWithin {
    /// Every pair that was not proven to be farther apart than
    /// [`max_distance`](crate::DistanceOptions::max_distance), with its closest points; sorted by
    /// their distance, then by elements. The distance of a pair may be above `max_distance` by the
    /// tolerance, or by more if its budget ended.
    pub pairs: Vec<PairDistance>,
    /// What was done.
    pub counters: MeshCounters,
}
