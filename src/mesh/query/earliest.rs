//! The search for the earliest impact of meshes.
//!
//! Best first it expands pairs of nodes of the trees, in the order in which their boxes meet, until
//! there is likely to be a good incumbent. What is left then is worked off in parallel, in about
//! that order and keeping no list of candidates.
//!
//! The answer does not depend on which thread solves which pair when. A pair's lower bound depends
//! on the pair alone: a cutoff ends its search without changing its course. So the least bound, and
//! the first pair that has it, are always the same.

use ordered_float::OrderedFloat;

use super::incumbent::{PairKey, SharedIncumbent};
use super::solver::{Solver, Solvers};
use super::{MeshOptions, PairOutcome};
use crate::branch::driver::{Ending, Fate, Limits, Objective, Queue, SearchNode, best_first};
use crate::counters::Counters;
use crate::mesh::broad_phase::{BroadPhase, Candidate, NodePair, OverlappingPair, SharedPairs};
use crate::mesh::model::Meshes;
use crate::mesh::parallel::SharedList;

/// How many candidates are found, in the order of the search, before they are solved.
const BATCH: usize = 128;

/// The search goes strictly in order for so many expansions, each of which counts as one box.
const IN_ORDER: Limits = Limits {
    cutoff: f64::INFINITY,
    max_boxes: 1 << 13,
};

/// The pair with the earliest impact, and that time as a fraction of the horizon.
pub(super) fn earliest(
    meshes: Meshes<'_>,
    options: &MeshOptions<'_>,
    broad_phase: &BroadPhase<'_>,
    solvers: &mut Solvers,
) -> Option<(f64, PairOutcome)> {
    let problem = EarliestProblem {
        meshes,
        options,
        broad_phase,
        incumbent: SharedIncumbent::new(1.0),
    };
    let mut search = EarliestSearch {
        problem: &problem,
        solvers,
        batch: Vec::new(),
    };
    let roots = broad_phase.overlapping_roots();
    let mut queue: Queue<_> = roots.map(|pair| problem.node(pair)).collect();
    let ending = best_first(&mut search, &mut queue, &IN_ORDER, &mut Counters::default());
    search.solve_batch();
    if let Ending::Exhausted(node) = ending {
        let rest = std::iter::once(node)
            .chain(queue.into_sorted())
            .map(|node| node.pair);
        search.work_off(rest);
    }
    problem.incumbent.into_inner()
}

/// What all threads know of the search.
struct EarliestProblem<'a> {
    meshes: Meshes<'a>,
    options: &'a MeshOptions<'a>,
    broad_phase: &'a BroadPhase<'a>,
    incumbent: SharedIncumbent<PairOutcome>,
}

impl EarliestProblem<'_> {
    fn node(&self, pair: OverlappingPair) -> EarliestNode {
        let elements = self.broad_phase.first_elements(&pair.pair);
        let first = (OrderedFloat(pair.earliest()), elements);
        EarliestNode { first, pair }
    }

    /// Whether a pair of elements below these nodes may become the incumbent.
    fn matters(&self, pair: &OverlappingPair) -> bool {
        let elements = || self.broad_phase.first_elements(&pair.pair);
        !self.incumbent.comes_before(pair.earliest(), elements)
    }

    fn solve(&self, solver: &mut Solver, candidate: &Candidate) {
        let (entry, elements) = (candidate.interval[0], candidate.elements);
        if self.incumbent.comes_before(entry, || elements) {
            return;
        }
        let cutoff = self.incumbent.bound();
        if let Some((start, pair)) = solver.impact(self.meshes, candidate, self.options, cutoff) {
            let key = (OrderedFloat(start), elements);
            self.incumbent.improve(key, pair);
        }
    }
}

struct EarliestSearch<'a> {
    problem: &'a EarliestProblem<'a>,
    solvers: &'a mut Solvers,
    batch: Vec<Candidate>,
}

impl EarliestSearch<'_> {
    fn solve_batch(&mut self) {
        let batch = SharedList::new(std::mem::take(&mut self.batch));
        self.solvers.share(|solver| {
            while let Some(candidate) = batch.take() {
                self.problem.solve(solver, candidate);
            }
        });
    }

    /// Solves what may matter of all pairs of elements below pairs of nodes, in parallel.
    fn work_off(&mut self, rest: impl Iterator<Item = OverlappingPair>) {
        let problem = self.problem;
        let pairs = SharedPairs::new(problem.broad_phase, rest);
        self.solvers.share(|solver| {
            let matters = |pair: &_| problem.matters(pair);
            for candidate in pairs.candidates(problem.broad_phase, matters) {
                problem.solve(solver, &candidate);
            }
        });
    }
}

/// A pair of tree nodes in the order in which their boxes meet.
struct EarliestNode {
    /// No pair of elements below has a lesser key.
    first: PairKey,
    pair: OverlappingPair,
}

impl SearchNode for EarliestNode {
    type Rank = (PairKey, NodePair);

    fn rank(&self) -> Self::Rank {
        (self.first, self.pair.pair)
    }
}

impl Objective for EarliestSearch<'_> {
    type Node = EarliestNode;
    // The trees hand out children one by one.
    type Children = ();

    fn proven(&self, next: &EarliestNode) -> f64 {
        next.first.0.0
    }

    /// The incumbent comes from the candidates, once enough of them were found to keep all threads
    /// busy.
    fn improve(&mut self, _: &EarliestNode, _: &mut Counters) -> bool {
        if self.batch.len() >= BATCH {
            self.solve_batch();
        }
        false
    }

    fn fate(&mut self, node: &mut EarliestNode) -> Fate {
        if self.problem.matters(&node.pair) {
            Fate::Expand
        } else {
            Fate::Close
        }
    }

    fn split(&mut self, _: &EarliestNode) -> ((), u64) {
        ((), 1)
    }

    fn expand(
        &mut self,
        node: &EarliestNode,
        (): (),
        queue: &mut Queue<EarliestNode>,
        _: &mut Counters,
    ) {
        let problem = self.problem;
        let candidate = problem.broad_phase.expand_overlapping(&node.pair, |child| {
            if problem.matters(&child) {
                queue.push(problem.node(child));
            }
        });
        self.batch.extend(candidate);
    }
}
