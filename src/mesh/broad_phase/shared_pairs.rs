//! Pairs of nodes that threads share, where the order of the work is of no importance.

use super::{BroadPhase, Candidate, OverlappingPair};
use crate::mesh::parallel::SharedList;

/// A pair of nodes may have one in so many of all leaves, on both sides together: few enough to
/// keep all threads busy to the end.
const SHARES: usize = 64;

/// Pairs of nodes that threads take one after the other.
#[derive(Debug)]
pub(crate) struct SharedPairs(SharedList<OverlappingPair>);

impl SharedPairs {
    /// These pairs, in their order, with the large ones expanded.
    pub(crate) fn new(
        broad_phase: &BroadPhase<'_>,
        pairs: impl Iterator<Item = OverlappingPair>,
    ) -> Self {
        let most = broad_phase.leaf_count() / SHARES + 2;
        let mut small = Vec::with_capacity(pairs.size_hint().0);
        let mut stack = Vec::new();
        for pair in pairs {
            stack.push(pair);
            while let Some(pair) = stack.pop() {
                if broad_phase.leaf_count_of(&pair.pair) > most {
                    broad_phase.expand_overlapping(&pair, |child| stack.push(child));
                } else {
                    small.push(pair);
                }
            }
        }
        Self(SharedList::new(small))
    }

    /// The candidates below the pairs that one thread takes, depth first. A pair that does not
    /// matter any more when its turn comes is pruned.
    pub(crate) fn candidates<'a, F: Fn(&OverlappingPair) -> bool>(
        &'a self,
        broad_phase: &'a BroadPhase<'a>,
        matters: F,
    ) -> CandidatesBelow<'a, F> {
        CandidatesBelow {
            pairs: &self.0,
            broad_phase,
            stack: Vec::new(),
            matters,
        }
    }
}

/// See [`SharedPairs::candidates`].
pub(crate) struct CandidatesBelow<'a, F> {
    pairs: &'a SharedList<OverlappingPair>,
    broad_phase: &'a BroadPhase<'a>,
    stack: Vec<OverlappingPair>,
    matters: F,
}

impl<F: Fn(&OverlappingPair) -> bool> Iterator for CandidatesBelow<'_, F> {
    type Item = Candidate;

    fn next(&mut self) -> Option<Candidate> {
        loop {
            let pair = match self.stack.pop() {
                Some(pair) => pair,
                None => *self.pairs.take()?,
            };
            if !(self.matters)(&pair) {
                continue;
            }
            let stack = &mut self.stack;
            let broad_phase = self.broad_phase;
            let candidate = broad_phase.expand_overlapping(&pair, |child| stack.push(child));
            if candidate.is_some() {
                return candidate;
            }
        }
    }
}
