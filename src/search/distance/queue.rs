//! The boxes still to be looked at, nearest first.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use ordered_float::OrderedFloat;

use crate::search::arena::Node;

/// A pair of sub-patches that are at least so far apart, in scaled units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) lower: f64,
    pub(super) nodes: [Node; 2],
    pub(super) level: u32,
}

impl Pair {
    /// Greater means sooner to be popped: nearer, then deeper.
    fn rank(&self) -> (OrderedFloat<f64>, u32) {
        (OrderedFloat(-self.lower), self.level)
    }
}

impl PartialEq for Pair {
    fn eq(&self, other: &Self) -> bool {
        self.rank() == other.rank()
    }
}

impl Eq for Pair {}

impl PartialOrd for Pair {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Pair {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

/// Nearest first, ties deepest first.
pub(super) type Queue = BinaryHeap<Pair>;
