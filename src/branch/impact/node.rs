//! A node of the search for the first contact.

use std::cmp::Ordering;

use ordered_float::OrderedFloat;

use crate::branch::driver::SearchNode;
use crate::branch::tree::SubPatch;

/// A pair of sub-patches that may overlap in an interval of time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ImpactNode {
    pub(crate) start: f64,
    pub(crate) end: f64,
    pub(crate) sub_patches: [SubPatch; 2],
    pub(crate) level: u32,
    /// How many subdivisions in a row, the one that made this node included, moved its start later
    /// by less than half the tolerance.
    pub(crate) stalled: u8,
}

impl SearchNode for ImpactNode {
    fn lower(&self) -> f64 {
        self.start
    }
}

impl ImpactNode {
    /// The earlier start is greater; of equal ones the deeper node.
    fn rank(&self) -> (OrderedFloat<f64>, u32) {
        (OrderedFloat(-self.start), self.level)
    }
}

impl PartialEq for ImpactNode {
    fn eq(&self, other: &Self) -> bool {
        self.rank() == other.rank()
    }
}

impl Eq for ImpactNode {}

impl PartialOrd for ImpactNode {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ImpactNode {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}
