//! The narrow phase: pairs of elements, solved by several threads.

use super::{MeshCounters, MeshDistanceOptions, MeshOptions, PairDistance, PairOutcome};
use crate::branch::impact::Window;
use crate::mesh::broad_phase::{BroadPhase, Candidate};
use crate::mesh::model::{Element, ElementNet, Meshes};
use crate::mesh::parallel;
use crate::{Contact, Distance, Options, Outcome, Workspace};

/// What one thread needs to solve pairs.
#[derive(Debug, Default)]
pub(super) struct Solver {
    workspace: Workspace,
    nets: [ElementNet; 2],
    solved: u64,
    shrunk: u64,
    boxes: u64,
}

impl Solver {
    /// The outcome of a candidate with its lower bound as a fraction of the horizon; `None` if the
    /// pair is clear or touches later than `cutoff`, another such fraction.
    pub(super) fn impact(
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
        let query = Options {
            min_separation: meshes.separation(elements, options.query.min_separation),
            ..options.query
        };
        let (start, outcome) = self.workspace.solve(&views, &query, &window);
        self.solved += 1;
        self.shrunk += u64::from(outcome.separation() < query.min_separation);
        self.boxes += outcome.counters().boxes;
        let clear = matches!(outcome, Outcome::Clear { .. });
        (!clear).then_some((start, PairOutcome { elements, outcome }))
    }

    /// The same with the contacts that the options ask for.
    pub(super) fn contacts(
        &mut self,
        meshes: Meshes<'_>,
        candidate: &Candidate,
        options: &MeshOptions<'_>,
    ) -> Option<(f64, PairOutcome, Vec<Contact>)> {
        let (start, pair) = self.impact(meshes, candidate, options, 1.0)?;
        let contacts = match &options.contact_set {
            None => pair.outcome.contact().copied().into_iter().collect(),
            Some(set) => {
                let [one, two] = &mut self.nets;
                let (sides, elements) = (meshes.sides(), candidate.elements);
                let views = [
                    one.gather(sides[0], elements[0])?,
                    two.gather(sides[1], elements[1])?,
                ];
                let workspace = &mut self.workspace;
                workspace.contacts(&views, &options.query, set, &pair.outcome)
            }
        };
        Some((start, pair, contacts))
    }

    /// The distance of two elements at the start; `None` if it is above the limit or the cutoff.
    pub(super) fn distance(
        &mut self,
        meshes: Meshes<'_>,
        elements: [Element; 2],
        options: &MeshDistanceOptions<'_>,
        cutoff: f64,
    ) -> Option<PairDistance> {
        let [one, two] = &mut self.nets;
        let sides = meshes.sides();
        let views = [
            one.gather(sides[0], elements[0])?,
            two.gather(sides[1], elements[1])?,
        ];
        let distance = self.workspace.distance(&views, &options.query, cutoff);
        self.solved += 1;
        self.boxes += distance.counters().boxes;
        let beyond = matches!(distance, Distance::Beyond { .. });
        (!beyond).then_some(PairDistance { elements, distance })
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

    /// What was done in a query; the solvers count from 0 again.
    pub(super) fn take_counters(&mut self, broad_phase: &BroadPhase<'_>) -> MeshCounters {
        let pairs = broad_phase.counts();
        let mut counters = MeshCounters {
            candidates: pairs.candidates,
            neighbours: pairs.neighbours,
            filtered: pairs.filtered,
            ..MeshCounters::default()
        };
        for solver in &mut self.0 {
            counters.solved += std::mem::take(&mut solver.solved);
            counters.shrunk += std::mem::take(&mut solver.shrunk);
            counters.boxes += std::mem::take(&mut solver.boxes);
        }
        counters
    }
}
