//! A node of the search for the distance.

use std::cmp::Reverse;

use ordered_float::OrderedFloat;

use crate::branch::driver::SearchNode;
use crate::branch::tree::SubPatch;

/// A pair of sub-patches that are at least so far apart, in scaled units.
#[derive(Clone, Copy, Debug)]
pub(super) struct DistanceNode {
    pub(super) lower: f64,
    pub(super) sub_patches: [SubPatch; 2],
    pub(super) level: u32,
}

impl SearchNode for DistanceNode {
    /// By bound; of equal ones the deeper node comes first.
    type Rank = (OrderedFloat<f64>, Reverse<u32>);

    fn rank(&self) -> Self::Rank {
        (OrderedFloat(self.lower), Reverse(self.level))
    }
}
