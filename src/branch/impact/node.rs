//! A node of the search for the first contact.

use std::cmp::Reverse;

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
    /// How often it was looked at by itself.
    pub(crate) looks: u8,
}

impl SearchNode for ImpactNode {
    /// By start; of equal ones the deeper node comes first.
    type Rank = (OrderedFloat<f64>, Reverse<u32>);

    fn rank(&self) -> Self::Rank {
        (OrderedFloat(self.start), Reverse(self.level))
    }
}
