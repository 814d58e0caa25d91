//! Which points count as one: those near a common point.

use nalgebra::{Point3, Vector3};
use ordered_float::OrderedFloat;

use crate::mesh::broad_phase::{MovingBox, VolumeTree};
use crate::vector::length;

/// Points in groups, each about one of its points, its centre: no other is farther from it than
/// the tolerance.
///
/// No two centres are within the tolerance of each other, and every point belongs to the nearest
/// centre. The centres are found in the order of their coordinates, so that the numbers of the
/// points are of no importance.
pub(super) struct Groups {
    /// For each point the centre of its group.
    centres: Vec<u32>,
    /// The largest distance of a point from its centre.
    pub(super) largest_distance: f64,
}

impl Groups {
    pub(super) fn new(points: &[Point3<f64>], tolerance: f64) -> Self {
        let sorted = in_order(points);
        // Points that coincide, of which there may be many at a pole, are one place.
        let places: Vec<&[u32]> = sorted
            .chunk_by(|&a, &b| coordinates(points, a) == coordinates(points, b))
            .collect();
        let at = |place: usize| &points[places[place][0] as usize];
        let boxes: Vec<_> = (0..places.len())
            .map(|place| around(at(place), 0.0))
            .collect();
        let mut tree = VolumeTree::default();
        tree.update(&boxes);
        // For each place the nearest centre so far, and its distance.
        let mut nearest: Vec<Option<(usize, f64)>> = vec![None; places.len()];
        for centre in 0..places.len() {
            if nearest[centre].is_some() {
                continue;
            }
            tree.leaves_overlapping(&around(at(centre), tolerance), |place| {
                let place = place as usize;
                let distance = length((at(place) - at(centre)).into());
                let is_nearer = nearest[place].is_none_or(|(_, least)| distance < least);
                if distance <= tolerance && is_nearer {
                    nearest[place] = Some((centre, distance));
                }
            });
        }
        let mut groups = Self {
            centres: vec![0; points.len()],
            largest_distance: 0.0,
        };
        for (place, nearest) in nearest.iter().enumerate() {
            // Every place is a centre, or near one.
            let (centre, distance) = nearest.unwrap_or((place, 0.0));
            groups.largest_distance = groups.largest_distance.max(distance);
            for &point in places[place] {
                groups.centres[point as usize] = places[centre][0];
            }
        }
        groups
    }

    /// The centre of the group that a point belongs to.
    pub(super) fn centre(&self, point: u32) -> u32 {
        self.centres[point as usize]
    }

    /// Each point with its centre.
    pub(super) fn pairs(&self) -> impl Iterator<Item = [u32; 2]> {
        (0..)
            .zip(&self.centres)
            .map(|(point, &centre)| [point, centre])
    }

    /// How many points are in a group with others, and how many such groups there are.
    pub(super) fn counts(&self) -> [usize; 2] {
        let mut sizes = vec![0; self.centres.len()];
        for &centre in &self.centres {
            sizes[centre as usize] += 1;
        }
        let several = || sizes.iter().filter(|&&size| size > 1);
        [several().sum(), several().count()]
    }
}

/// The points by their coordinates.
fn in_order(points: &[Point3<f64>]) -> Vec<u32> {
    let mut sorted: Vec<u32> = (0..points.len() as u32).collect();
    sorted.sort_unstable_by_key(|&point| (coordinates(points, point), point));
    sorted
}

/// A point's coordinates, of which −0 and 0 are the same.
pub(super) fn coordinates(points: &[Point3<f64>], point: u32) -> [OrderedFloat<f64>; 3] {
    points[point as usize]
        .coords
        .map(|x| OrderedFloat(x + 0.0))
        .into()
}

/// A box around a point, widened by `distance`.
pub(super) fn around(point: &Point3<f64>, distance: f64) -> MovingBox {
    let still = Vector3::zeros();
    MovingBox::around(std::iter::once((point, &still)), 0.0, distance)
}
