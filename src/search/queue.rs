//! The boxes still to be looked at, earliest entry time first.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use ordered_float::OrderedFloat;

use super::arena::Node;

/// A pair of sub-patches that may overlap in an interval of time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) start: f64,
    pub(crate) end: f64,
    pub(crate) nodes: [Node; 2],
    pub(crate) level: u32,
    /// How many subdivisions in a row, the one that made this box included, moved its start later by less than half the tolerance.
    pub(crate) stalled: u8,
}

impl Entry {
    /// Greater means sooner to be popped: earlier start, then deeper.
    fn rank(&self) -> (OrderedFloat<f64>, u32) {
        (OrderedFloat(-self.start), self.level)
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.rank() == other.rank()
    }
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

/// Best first by start time, ties deepest first.
pub(crate) type Queue = BinaryHeap<Entry>;
