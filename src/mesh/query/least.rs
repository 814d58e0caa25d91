//! The search for the least distance of meshes.
//!
//! Best first it expands pairs of nodes of the trees, in the order in which their boxes are apart,
//! and solves pairs of elements only as far as the least distance found so far.
//!
//! The answer does not depend on which thread solves which pair when. A pair's bounds depend on the
//! pair alone: a cutoff ends its search without changing its course. So the least distance, and the
//! first pair that has it, are always the same.

use ordered_float::OrderedFloat;

use super::incumbent::SharedIncumbent;
use super::solver::{Solver, Solvers};
use super::{MeshDistanceOptions, PairDistance};
use crate::branch::driver::{Fate, Limits, Objective, Queue, SearchNode, best_first};
use crate::counters::Counters;
use crate::geometry::MAX_DEGREE;
use crate::mesh::broad_phase::{BroadPhase, NodePair};
use crate::mesh::model::{Element, Meshes};
use crate::mesh::parallel::SharedList;
use crate::rounding::evaluation_error;

/// How many pairs of elements are found, in the order of the search, before they are solved.
const BATCH: usize = 64;

/// Two points may be found closer than the boxes around them, by rounding: by so much of the size
/// of the scene, at most. Pairs whose boxes are farther apart than the least distance by more than
/// that cannot come before it.
const SLACK: f64 = 4.0 * evaluation_error([MAX_DEGREE; 2]);

/// The search ends only when nothing that is left can come before the incumbent.
const TO_THE_END: Limits = Limits {
    cutoff: f64::INFINITY,
    max_boxes: u64::MAX,
};

/// A lower bound on the distance of all pairs, or the limit on distances, and the pair with the
/// least distance. `size` is that of the scene.
pub(super) fn least(
    meshes: Meshes<'_>,
    options: &MeshDistanceOptions<'_>,
    broad_phase: &BroadPhase<'_>,
    size: f64,
    solvers: &mut Solvers,
) -> (f64, Option<PairDistance>) {
    let limit = options.query.max_distance;
    let problem = LeastProblem {
        meshes,
        options,
        broad_phase,
        slack: SLACK * size,
        incumbent: SharedIncumbent::new(limit),
    };
    let mut search = LeastSearch {
        problem: &problem,
        solvers,
        batch: Vec::new(),
        lower: limit,
    };
    let roots = broad_phase.roots();
    let mut queue: Queue<_> = roots.map(|pair| problem.node(pair)).collect();
    best_first(
        &mut search,
        &mut queue,
        &TO_THE_END,
        &mut Counters::default(),
    );
    search.solve_batch();
    let lower = search.lower;
    let first = problem.incumbent.into_inner().map(|(_, pair)| pair);
    (lower, first)
}

/// What all threads know of the search.
struct LeastProblem<'a> {
    meshes: Meshes<'a>,
    options: &'a MeshDistanceOptions<'a>,
    broad_phase: &'a BroadPhase<'a>,
    slack: f64,
    incumbent: SharedIncumbent<PairDistance>,
}

impl LeastProblem<'_> {
    fn node(&self, pair: NodePair) -> LeastNode {
        let distance = OrderedFloat(self.broad_phase.distance(&pair));
        LeastNode { distance, pair }
    }

    /// Whether a pair whose boxes are so far apart may become the incumbent.
    fn matters(&self, distance: f64) -> bool {
        let beyond = distance > self.incumbent.bound() + self.slack;
        !beyond
    }

    /// Solves a pair. Returns a lower bound on its distance, unless that is above the incumbent's.
    fn solve(&self, solver: &mut Solver, candidate: &NearPair) -> Option<f64> {
        if !self.matters(candidate.distance) {
            return None;
        }
        let (elements, cutoff) = (candidate.elements, self.incumbent.bound());
        let pair = solver.distance(self.meshes, elements, self.options, cutoff)?;
        self.incumbent.improve(pair.key(), pair);
        Some(pair.distance.lower())
    }
}

/// Two elements, and a lower bound on the distance of their boxes.
struct NearPair {
    distance: f64,
    elements: [Element; 2],
}

struct LeastSearch<'a> {
    problem: &'a LeastProblem<'a>,
    solvers: &'a mut Solvers,
    batch: Vec<NearPair>,
    /// The least lower bound of all pairs that were solved, or the limit on distances.
    lower: f64,
}

impl LeastSearch<'_> {
    fn solve_batch(&mut self) {
        let batch = SharedList::new(std::mem::take(&mut self.batch));
        let lowers = self.solvers.share(|solver| {
            let mut lower = f64::INFINITY;
            while let Some(candidate) = batch.take() {
                let found = self.problem.solve(solver, candidate);
                lower = found.map_or(lower, |found| lower.min(found));
            }
            lower
        });
        self.lower = lowers.into_iter().fold(self.lower, f64::min);
    }
}

/// A pair of tree nodes in the order in which their boxes are apart.
struct LeastNode {
    distance: OrderedFloat<f64>,
    pair: NodePair,
}

impl SearchNode for LeastNode {
    type Rank = (OrderedFloat<f64>, NodePair);

    fn rank(&self) -> Self::Rank {
        (self.distance, self.pair)
    }
}

impl Objective for LeastSearch<'_> {
    type Node = LeastNode;
    // The trees hand out children one by one.
    type Children = ();

    fn proven(&self, next: &LeastNode) -> f64 {
        next.distance.0
    }

    /// The incumbent comes from the pairs of elements, once enough of them were found to keep all
    /// threads busy.
    fn improve(&mut self, _: &LeastNode, _: &mut Counters) -> bool {
        if self.batch.len() >= BATCH {
            self.solve_batch();
        }
        false
    }

    fn fate(&mut self, node: &mut LeastNode) -> Fate {
        if self.problem.matters(node.distance.0) {
            Fate::Expand
        } else {
            Fate::Close
        }
    }

    fn split(&mut self, _: &LeastNode) -> ((), u64) {
        ((), 1)
    }

    fn expand(&mut self, node: &LeastNode, (): (), queue: &mut Queue<LeastNode>, _: &mut Counters) {
        let problem = self.problem;
        let elements = problem.broad_phase.expand(&node.pair, |pair| {
            let child = problem.node(pair);
            if problem.matters(child.distance.0) {
                queue.push(child);
            }
        });
        let distance = node.distance.0;
        self.batch
            .extend(elements.map(|elements| NearPair { distance, elements }));
    }
}
