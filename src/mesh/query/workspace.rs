//! The calls themselves.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use ordered_float::OrderedFloat;

use super::calls::mesh_queries;
use super::solver::{Best, Solvers};
use super::{AllImpacts, EarliestImpact, MeshOptions, PairOutcome};
use crate::Error;
use crate::mesh::broad_phase::{BroadPhase, Candidate, Forest, OverlappingPair, SharedPairs};
use crate::mesh::model::{Element, Meshes, MovingMesh};
use crate::mesh::parallel;

/// Memory and trees that queries of meshes reuse, for simulators that make one or more every step.
///
/// The trees of the broad phase are refitted as long as the numbers of elements stay the same and the trees good. A
/// simulator of several bodies may use one for all pairs, or one for each pair, which keeps more trees.
#[derive(Debug, Default)]
pub struct MeshWorkspace {
    pub(super) forest: Forest,
    pub(super) solvers: Solvers,
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
        self.list(Meshes::Between(a, b), options)
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
        self.list(Meshes::Within(mesh), options)
    }

    fn list(
        &mut self,
        meshes: Meshes<'_>,
        options: &MeshOptions<'_>,
    ) -> Result<Vec<Candidate>, Error> {
        check(meshes, options)?;
        let broad_phase = fit(&mut self.forest, meshes, options);
        let pieces = SharedPairs::new(&broad_phase, broad_phase.overlapping_roots());
        let found = self.solvers.share(|_| {
            pieces
                .candidates(&broad_phase, |_| true)
                .collect::<Vec<_>>()
        });
        let mut found = found.concat();
        parallel::sort_by(&mut found, |a, b| {
            let times = a.interval[0].total_cmp(&b.interval[0]);
            times.then_with(|| a.elements.cmp(&b.elements))
        });
        Ok(found)
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
        check(meshes, options)?;
        let broad_phase = fit(&mut self.forest, meshes, options);
        let best = Best::default();
        let of_interest = |piece: &OverlappingPair| {
            !best.comes_before(piece.earliest(), || broad_phase.first_elements(&piece.pair))
        };
        // Strictly in the order in which boxes meet, until there is likely to be a good cutoff …
        let keyed = |piece: OverlappingPair| {
            let elements = broad_phase.first_elements(&piece.pair);
            Reverse(Keyed((OrderedFloat(piece.earliest()), elements), piece))
        };
        let mut queue: BinaryHeap<_> = broad_phase.overlapping_roots().map(keyed).collect();
        let mut opened = 0;
        while opened < OPENED && !queue.is_empty() {
            let mut batch = Vec::new();
            while batch.len() < BATCH
                && opened < OPENED
                && let Some(Reverse(Keyed(_, piece))) = queue.pop()
            {
                if !of_interest(&piece) {
                    queue.clear();
                    break;
                }
                opened += 1;
                batch.extend(
                    broad_phase.expand_overlapping(&piece, |piece| queue.push(keyed(piece))),
                );
            }
            let next = AtomicUsize::new(0);
            self.solvers.share(|solver| {
                while let Some(candidate) = batch.get(next.fetch_add(1, Relaxed)) {
                    solver.improve(meshes, candidate, options, &best);
                }
            });
        }
        // … and then in parallel, in about that order, keeping no list of candidates.
        let rest = queue.into_sorted_vec().into_iter().rev();
        let rest = rest.map(|Reverse(Keyed(_, piece))| piece);
        let pieces = SharedPairs::new(&broad_phase, rest);
        self.solvers.share(|solver| {
            for candidate in pieces.candidates(&broad_phase, of_interest) {
                solver.improve(meshes, &candidate, options, &best);
            }
        });
        let counters = self.solvers.counters(&broad_phase);
        let (fraction, first) = match best.into_inner() {
            Some((start, pair)) => (start, Some(pair)),
            None => (1.0, None),
        };
        Ok(EarliestImpact {
            first,
            fraction,
            counters,
        })
    }

    fn all(&mut self, meshes: Meshes<'_>, options: &MeshOptions<'_>) -> Result<AllImpacts, Error> {
        check(meshes, options)?;
        let broad_phase = fit(&mut self.forest, meshes, options);
        let pieces = SharedPairs::new(&broad_phase, broad_phase.overlapping_roots());
        let parts = self.solvers.share(|solver| {
            let candidates = pieces.candidates(&broad_phase, |_| true);
            let found =
                candidates.filter_map(|candidate| solver.solve(meshes, &candidate, options, 1.0));
            found.collect::<Vec<_>>()
        });
        let mut pairs = parts.concat();
        parallel::sort_by(&mut pairs, |a, b| order(a).cmp(&order(b)));
        Ok(AllImpacts {
            fraction: pairs.first().map_or(1.0, |(start, _)| *start),
            pairs: pairs.into_iter().map(|(_, pair)| pair).collect(),
            counters: self.solvers.counters(&broad_phase),
        })
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

/// Candidates that are found in the order of time before they are solved.
const BATCH: usize = 128;

/// Pairs of nodes that are opened in that order at most.
const OPENED: usize = 1 << 13;

/// The order of pairs: by time, then by elements.
type Key = (OrderedFloat<f64>, [Element; 2]);

/// A pair of nodes in the order of its key.
struct Keyed(Key, OverlappingPair);

impl PartialEq for Keyed {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Keyed {}

impl PartialOrd for Keyed {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Keyed {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.cmp(&other.0)
    }
}

fn fit<'a>(
    forest: &'a mut Forest,
    meshes: Meshes<'a>,
    options: &'a MeshOptions<'a>,
) -> BroadPhase<'a> {
    let query = &options.query;
    forest.update(meshes, query.t_max, query.min_separation, options.filter)
}

fn check(meshes: Meshes<'_>, options: &MeshOptions<'_>) -> Result<(), Error> {
    options.check()?;
    for (side, mesh) in meshes.sides().into_iter().zip([1, 2]) {
        side.check_range(options.query.t_max)
            .map_err(|source| Error::Mesh {
                mesh,
                source: Box::new(source),
            })?;
    }
    Ok(())
}

/// By time, then by elements.
fn order((start, pair): &(f64, PairOutcome)) -> Key {
    (OrderedFloat(*start), pair.elements)
}

mesh_queries! {
    MeshOptions;

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
    /// come after the first impact of all; and pairs whose budget ended first, which have no contact.
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
