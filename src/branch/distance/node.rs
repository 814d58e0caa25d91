//! A node of the search for the distance.

use std::cmp::Ordering;

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
    fn lower(&self) -> f64 {
        self.lower
    }
}

impl DistanceNode {
    /// The lesser bound is greater; of equal ones the deeper node.
    fn rank(&self) -> (OrderedFloat<f64>, u32) {
        (OrderedFloat(-self.lower), self.level)
    }
}

impl PartialEq for DistanceNode {
    fn eq(&self, other: &Self) -> bool {
        self.rank() == other.rank()
    }
}

impl Eq for DistanceNode {}

impl PartialOrd for DistanceNode {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for DistanceNode {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}
