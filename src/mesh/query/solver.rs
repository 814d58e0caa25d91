//! The narrow phase: pairs of elements, solved by several threads, and the best impact so far.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ordered_float::OrderedFloat;

use super::{MeshCounters, MeshOptions, PairOutcome};
use crate::branch::impact::Window;
use crate::mesh::broad_phase::{BroadPhase, Candidate};
use crate::mesh::model::{Element, ElementNet, Meshes};
use crate::mesh::parallel;
use crate::{Outcome, Workspace};

/// What one thread needs to solve pairs.
#[derive(Debug, Default)]
pub(super) struct Solver {
    pub(super) workspace: Workspace,
    pub(super) nets: [ElementNet; 2],
    pub(super) solved: u64,
    pub(super) boxes: u64,
}

impl Solver {
    /// The outcome of a candidate, unless it is clear or later than `cutoff`, with its lower bound as a fraction of the horizon.
    pub(super) fn solve(
        &mut self,
        meshes: Meshes<'_>,
        candidate: &Candidate,
        options: &MeshOptions<'_>,
        cutoff: f64,
    ) -> Option<(f64, PairOutcome)> {
        let [one, two] = &mut self.nets;
        let (sides, elements) = (meshes.sides(), candidate.elements);
        let views = [
            one.gather(sides[0], elements[0])?,
            two.gather(sides[1], elements[1])?,
        ];
        let window = Window {
            interval: candidate.interval,
            cutoff,
        };
        let (start, outcome) = self.workspace.solve(&views, &options.query, &window);
        self.solved += 1;
        self.boxes += outcome.counters().boxes;
        let clear = matches!(outcome, Outcome::Clear { .. });
        (!clear).then_some((start, PairOutcome { elements, outcome }))
    }

    /// Solves a candidate that may come before the best so far.
    pub(super) fn improve(
        &mut self,
        meshes: Meshes<'_>,
        candidate: &Candidate,
        options: &MeshOptions<'_>,
        best: &Best,
    ) {
        if !best.comes_before(candidate.interval[0], || candidate.elements)
            && let Some(found) = self.solve(meshes, candidate, options, best.cutoff())
        {
            best.offer(found);
        }
    }
}

/// A solver for each thread, kept from query to query.
#[derive(Debug, Default)]
pub(super) struct Solvers(Vec<Solver>);

impl Solvers {
    /// Has `work` done by all threads at once, each with a solver of its own.
    pub(super) fn share<R: Send>(
        &mut self,
        work: impl Fn(&mut Solver) -> R + Sync + Send,
    ) -> Vec<R> {
        self.0.resize_with(parallel::threads(), Solver::default);
        parallel::each(&mut self.0, work)
    }

    /// What was done since the last time that this was asked.
    pub(super) fn counters(&mut self, broad_phase: &BroadPhase<'_>) -> MeshCounters {
        let counts = broad_phase.counts();
        let mut counters = MeshCounters {
            candidates: counts.candidates,
            neighbours: counts.neighbours,
            filtered: counts.filtered,
            ..MeshCounters::default()
        };
        for solver in &mut self.0 {
            counters.solved += std::mem::take(&mut solver.solved);
            counters.boxes += std::mem::take(&mut solver.boxes);
        }
        counters
    }
}

/// The first impact found so far.
#[derive(Debug)]
pub(super) struct Best {
    pair: Mutex<Option<(f64, PairOutcome)>>,
    /// Its time, to be read without the lock. Doubles that are not negative are in the order of their bits.
    cutoff: AtomicU64,
}

impl Default for Best {
    fn default() -> Self {
        Self {
            pair: Mutex::new(None),
            cutoff: AtomicU64::new(1.0_f64.to_bits()),
        }
    }
}

impl Best {
    /// No later impact is of interest.
    pub(super) fn cutoff(&self) -> f64 {
        f64::from_bits(self.cutoff.load(Ordering::Relaxed))
    }

    /// Whether nothing from this time and these elements on can be the first.
    #[inline]
    pub(super) fn comes_before(&self, time: f64, elements: impl FnOnce() -> [Element; 2]) -> bool {
        let cutoff = self.cutoff();
        if time != cutoff {
            return time > cutoff;
        }
        let best = *self.lock();
        best.is_some_and(|(start, pair)| start == time && pair.elements < elements())
    }

    pub(super) fn offer(&self, found: (f64, PairOutcome)) {
        let mut best = self.lock();
        let key = |(start, pair): &(f64, PairOutcome)| (OrderedFloat(*start), pair.elements);
        if best.as_ref().is_none_or(|best| key(&found) < key(best)) {
            *best = Some(found);
            self.cutoff.store(found.0.to_bits(), Ordering::Relaxed);
        }
    }

    pub(super) fn into_inner(self) -> Option<(f64, PairOutcome)> {
        *self.lock()
    }

    fn lock(&self) -> MutexGuard<'_, Option<(f64, PairOutcome)>> {
        self.pair.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
