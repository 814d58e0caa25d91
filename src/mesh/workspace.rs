//! The calls themselves.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use ordered_float::OrderedFloat;

use super::candidates::{Candidate, Forest, Meshes};
use super::moving::Net;
use super::{
    AllImpacts, EarliestImpact, MeshCounters, MeshOptions, MovingMesh, PairOutcome, parallel,
};
use crate::search::Window;
use crate::{Error, Outcome, Workspace};

/// Memory and trees that queries of meshes reuse, for simulators that make one or more every step.
///
/// The trees of the broad phase are refitted as long as the numbers of elements stay the same and the trees good. A
/// simulator of several bodies may use one for all pairs, or one for each pair, which keeps more trees.
#[derive(Debug, Default)]
pub struct MeshWorkspace {
    forest: Forest,
    solvers: Vec<Solver>,
}

/// What one thread needs to solve pairs.
#[derive(Debug, Default)]
struct Solver {
    workspace: Workspace,
    nets: [Net; 2],
}

impl Solver {
    /// The outcome of a candidate, unless it is clear or later than `cutoff`, with its lower bound as a fraction of the horizon.
    fn solve(
        &mut self,
        meshes: Meshes<'_>,
        candidate: &Candidate,
        options: &MeshOptions<'_>,
        cutoff: f64,
        counters: &mut MeshCounters,
    ) -> Option<(f64, PairOutcome)> {
        let [one, two] = &mut self.nets;
        let (sides, elements) = (meshes.sides(), candidate.elements);
        let views = [
            one.gather(sides[0], elements[0]),
            two.gather(sides[1], elements[1]),
        ];
        let window = Window {
            interval: candidate.interval,
            cutoff,
        };
        let (start, outcome) = self.workspace.solve(&views, &options.query, &window);
        counters.solved += 1;
        counters.boxes += outcome.counters().boxes;
        let clear = matches!(outcome, Outcome::Clear { .. });
        (!clear).then_some((start, PairOutcome { elements, outcome }))
    }
}

impl MeshWorkspace {
    /// An empty workspace; it grows with the first queries.
    pub fn new() -> Self {
        Self::default()
    }

    /// The broad phase by itself: the pairs of elements whose moving boxes overlap at some time, that share no point and that
    /// the filter keeps, in the order in which their boxes meet, then by elements.
    ///
    /// # Errors
    /// As [`earliest_impact`].
    pub fn candidates(
        &mut self,
        a: &MovingMesh<'_>,
        b: &MovingMesh<'_>,
        options: &MeshOptions<'_>,
    ) -> Result<Vec<Candidate>, Error> {
        self.broad_phase(Meshes::Between(a, b), options, &mut MeshCounters::default())
    }

    /// [`MeshWorkspace::candidates`] of a mesh against itself.
    ///
    /// # Errors
    /// As [`earliest_impact`].
    pub fn self_candidates(
        &mut self,
        mesh: &MovingMesh<'_>,
        options: &MeshOptions<'_>,
    ) -> Result<Vec<Candidate>, Error> {
        self.broad_phase(Meshes::Within(mesh), options, &mut MeshCounters::default())
    }

    fn broad_phase(
        &mut self,
        meshes: Meshes<'_>,
        options: &MeshOptions<'_>,
        counters: &mut MeshCounters,
    ) -> Result<Vec<Candidate>, Error> {
        options.check()?;
        for (side, mesh) in meshes.sides().into_iter().zip([1, 2]) {
            side.check_range(options.query.t_max)
                .map_err(|source| Error::Mesh {
                    mesh,
                    source: Box::new(source),
                })?;
        }
        Ok(self.forest.candidates(meshes, options, counters))
    }

    /// Has `work` done by all threads at once, each with a solver of its own, and adds up what they did.
    fn share<R: Send>(
        &mut self,
        counters: &mut MeshCounters,
        work: impl Fn(&mut Solver, &mut MeshCounters) -> R + Sync + Send,
    ) -> Vec<R> {
        self.solvers
            .resize_with(parallel::threads(), Solver::default);
        let done = parallel::each(&mut self.solvers, |solver| {
            let mut counters = MeshCounters::default();
            (work(solver, &mut counters), counters)
        });
        let results = done.into_iter().map(|(result, part)| {
            counters.solved += part.solved;
            counters.boxes += part.boxes;
            result
        });
        results.collect()
    }

    /// The earliest impact.
    ///
    /// A pair's lower bound depends on the pair alone: a cutoff ends its search without changing its course. So whichever
    /// pairs the threads happen to solve first, the least bound, and the first pair that has it, are the same.
    fn earliest(
        &mut self,
        meshes: Meshes<'_>,
        options: &MeshOptions<'_>,
    ) -> Result<EarliestImpact, Error> {
        let mut counters = MeshCounters::default();
        let candidates = self.broad_phase(meshes, options, &mut counters)?;
        let best: Mutex<Option<(f64, PairOutcome)>> = Mutex::new(None);
        let lock = || best.lock().unwrap_or_else(PoisonError::into_inner);
        let next = AtomicUsize::new(0);
        self.share(&mut counters, |solver, counters| {
            while let Some(candidate) = candidates.get(next.fetch_add(1, Ordering::Relaxed)) {
                let (cutoff, elements) = match &*lock() {
                    Some((start, pair)) => (*start, Some(pair.elements)),
                    None => (1.0, None),
                };
                // No candidate is earlier than its boxes meet: from here on all come after the best.
                let earliest = (
                    OrderedFloat(candidate.interval[0]),
                    Some(candidate.elements),
                );
                if elements.is_some() && earliest > (OrderedFloat(cutoff), elements) {
                    break;
                }
                let found = solver.solve(meshes, candidate, options, cutoff, counters);
                if let Some(found) = found {
                    let mut best = lock();
                    *best = best.into_iter().chain([found]).min_by_key(order);
                }
            }
        });
        let first = *lock();
        let (fraction, first) = first.map_or((1.0, None), |(start, pair)| (start, Some(pair)));
        Ok(EarliestImpact {
            first,
            fraction,
            counters,
        })
    }

    fn all(&mut self, meshes: Meshes<'_>, options: &MeshOptions<'_>) -> Result<AllImpacts, Error> {
        let mut counters = MeshCounters::default();
        let candidates = self.broad_phase(meshes, options, &mut counters)?;
        let next = AtomicUsize::new(0);
        let parts = self.share(&mut counters, |solver, counters| {
            let mut found = Vec::new();
            while let Some(candidate) = candidates.get(next.fetch_add(1, Ordering::Relaxed)) {
                found.extend(solver.solve(meshes, candidate, options, 1.0, counters));
            }
            found
        });
        let mut pairs: Vec<_> = parts.into_iter().flatten().collect();
        parallel::sort_by_key(&mut pairs, order);
        let pairs = pairs.into_iter().map(|(_, pair)| pair).collect();
        Ok(AllImpacts { pairs, counters })
    }

    fn free_step(&mut self, meshes: Meshes<'_>, options: &MeshOptions<'_>) -> Result<f64, Error> {
        let earliest = self.earliest(meshes, options)?;
        let rescaling = match earliest.first {
            Some(_) => options.conservative_rescaling,
            None => 1.0,
        };
        Ok(earliest.fraction * rescaling)
    }
}

/// By time, then by elements.
fn order((start, pair): &(f64, PairOutcome)) -> (OrderedFloat<f64>, [super::Element; 2]) {
    (OrderedFloat(*start), pair.elements)
}

/// Each call with its variant for one mesh against itself, as a function and as a method of the workspace.
macro_rules! mesh_queries {
    ($($(#[$doc:meta])* $name:ident, $own:ident => $answer:ty = $call:expr;)+) => {
        $(
            $(#[$doc])*
            pub fn $name(
                a: &MovingMesh<'_>,
                b: &MovingMesh<'_>,
                options: &MeshOptions<'_>,
            ) -> Result<$answer, Error> {
                MeshWorkspace::new().$name(a, b, options)
            }

            #[doc = concat!("[`", stringify!($name), "`] of a mesh against itself: between elements that share no point.")]
            ///
            /// # Errors
            /// As there.
            pub fn $own(mesh: &MovingMesh<'_>, options: &MeshOptions<'_>) -> Result<$answer, Error> {
                MeshWorkspace::new().$own(mesh, options)
            }
        )+

        impl MeshWorkspace {
            $(
                #[doc = concat!("[`", stringify!($name), "`] in this workspace.")]
                ///
                /// # Errors
                /// As there.
                pub fn $name(
                    &mut self,
                    a: &MovingMesh<'_>,
                    b: &MovingMesh<'_>,
                    options: &MeshOptions<'_>,
                ) -> Result<$answer, Error> {
                    $call(self, Meshes::Between(a, b), options)
                }

                #[doc = concat!("[`", stringify!($own), "`] in this workspace.")]
                ///
                /// # Errors
                /// As there.
                pub fn $own(
                    &mut self,
                    mesh: &MovingMesh<'_>,
                    options: &MeshOptions<'_>,
                ) -> Result<$answer, Error> {
                    $call(self, Meshes::Within(mesh), options)
                }
            )+
        }
    };
}

mesh_queries! {
    /// The first impact of two meshes: of all pairs of elements the one with the least lower bound on its time of impact, and
    /// that pair's outcome.
    ///
    /// Pairs are solved in the order in which their boxes meet, and only as far as the best impact so far; in parallel with the
    /// feature `rayon`. The answer does not depend on the number of threads.
    ///
    /// # Errors
    /// An option out of range; a point that leaves the range of doubles within the horizon, with its mesh (1 or 2) and index.
    ///
    /// ```
    /// use patch_ccd::mesh::{Element, MeshOptions, MovingMesh, PatchMesh, earliest_impact};
    /// use nalgebra::{point, vector};
    /// // Two triangles fall on a square; the second one is lower.
    /// let triangles = PatchMesh::from_triangles(6, &[[0, 1, 2], [3, 4, 5]])?;
    /// let points = [
    ///     point![0.1, 0.1, 2.0], point![0.4, 0.1, 2.0], point![0.1, 0.4, 2.0],
    ///     point![0.6, 0.6, 1.0], point![0.9, 0.6, 1.0], point![0.6, 0.9, 1.0],
    /// ];
    /// let falling = MovingMesh::with_velocities(&triangles, &points, &[vector![0.0, 0.0, -4.0]; 6])?;
    /// let square = PatchMesh::from_quads(4, &[[0, 1, 2, 3]])?;
    /// let corners = [point![0.0, 0.0, 0.0], point![1.0, 0.0, 0.0], point![1.0, 1.0, 0.0], point![0.0, 1.0, 0.0]];
    /// let floor = MovingMesh::resting(&square, &corners)?;
    ///
    /// let first = earliest_impact(&falling, &floor, &MeshOptions::default())?.first.unwrap();
    /// assert_eq!(first.elements, [Element::Patch(1), Element::Patch(0)]);
    /// assert!(first.toi() <= 0.25 && first.toi() > 0.25 - 1e-6);
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    earliest_impact, earliest_self_impact => EarliestImpact =
        Self::earliest;

    /// Every pair of elements of two meshes that touches within the step, each with its own first time of impact, also those that
    /// come after the first impact of all.
    ///
    /// # Errors
    /// As [`earliest_impact`].
    all_impacts, all_self_impacts => AllImpacts = Self::all;

    /// How far two meshes may go: the [fraction](EarliestImpact::fraction) of the step, from 0 to 1, that is proven free of
    /// contact, and if there is an impact, times [`MeshOptions::conservative_rescaling`].
    ///
    /// The step ends at time [`t_max`](crate::Options::t_max): move to [`MovingMesh::at`]`(fraction * t_max)`. With a rescaling of 1 the
    /// meshes would end within rounding of the contact. 0 means contact at the start (at the minimum separation), or that nothing could
    /// be proven within the budget: [`earliest_impact`] tells which, and where.
    ///
    /// # Errors
    /// As [`earliest_impact`].
    collision_free_step, collision_free_self_step => f64 = Self::free_step;
}
