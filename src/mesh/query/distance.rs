//! How far apart are two meshes, and which of their elements are near each other?
//!
//! The same trees and pairs as for impacts, with the boxes at the start of the step. For the least distance pairs are solved in the order in which their boxes are apart, and
//! only as far as the least distance so far; for all pairs within a distance the boxes are widened by half of it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ordered_float::OrderedFloat;

use super::calls::mesh_queries;
use super::solver::Solver;
use super::{MeshCounters, MeshWorkspace, PairFilter};
use crate::mesh::broad_phase::{BroadPhase, NodePair, SharedPairs};
use crate::mesh::model::{Element, Meshes, MovingMesh};
use crate::mesh::parallel;
use crate::vector::BoundingBox;
use crate::{Distance, DistanceOptions, Error};

/// What to look for between meshes at rest.
#[derive(Clone, Copy, Default)]
pub struct MeshDistanceOptions<'a> {
    /// What is asked of every pair of elements. The budget is that of a pair.
    pub query: DistanceOptions,
    /// Which pairs are looked at; all by default. See [`MeshOptions::filter`](super::MeshOptions::filter).
    pub filter: Option<&'a PairFilter<'a>>,
}

impl std::fmt::Debug for MeshDistanceOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MeshDistanceOptions")
            .field("query", &self.query)
            .field("filter", &self.filter.map(|_| "a function"))
            .finish()
    }
}

/// Two elements, and how far they are apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairDistance {
    /// The elements, of the first mesh and of the second; within one mesh the lower index, or the vertex, first.
    pub elements: [Element; 2],
    /// Never [`Distance::Beyond`]. The parameters of the closest points are those of the elements: for the order of corners see
    /// [`Element`].
    pub distance: Distance,
}

impl PairDistance {
    /// The distance of the closest points found.
    pub fn upper(&self) -> f64 {
        self.distance.upper().unwrap_or(f64::INFINITY)
    }

    /// The order of pairs: by distance, then by elements.
    fn key(&self) -> (OrderedFloat<f64>, [Element; 2]) {
        (OrderedFloat(self.upper()), self.elements)
    }
}

/// The distance of two meshes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeastDistance {
    /// Proven lower bound on the distance of all pairs of elements that are looked at. Where there are no closest points it is
    /// [`max_distance`](DistanceOptions::max_distance).
    pub lower: f64,
    /// The pair with the closest points that were found, of several the one that is first in the order of [`Element`]. `None`: proven, all pairs are
    /// farther apart than [`max_distance`](DistanceOptions::max_distance).
    ///
    /// Its distance is above `lower` by no more than the largest tolerance of a pair, unless the budget of a pair ended.
    pub first: Option<PairDistance>,
    /// What was done.
    pub counters: MeshCounters,
}

impl LeastDistance {
    /// The distance of the closest points found, if any were looked for: an upper bound on the distance, to rounding.
    pub fn upper(&self) -> Option<f64> {
        self.first.map(|first| first.upper())
    }
}

/// All pairs of elements within a distance of each other.
#[derive(Clone, Debug, PartialEq)]
pub struct AllWithin {
    /// Every pair that was not proven to be farther apart than [`max_distance`](DistanceOptions::max_distance), with its closest points; sorted by their
    /// distance, then by elements. The distance of a pair may be above `max_distance` by the tolerance, or if its budget ended.
    pub pairs: Vec<PairDistance>,
    /// What was done.
    pub counters: MeshCounters,
}

impl MeshWorkspace {
    /// The least distance.
    ///
    /// A pair's bounds depend on the pair alone: a cutoff ends its search without changing its course. So whichever pairs the threads happen to solve
    /// first, the least distance, and the first pair that has it, are the same.
    fn least(
        &mut self,
        meshes: Meshes<'_>,
        options: &MeshDistanceOptions<'_>,
    ) -> Result<LeastDistance, Error> {
        options.query.check()?;
        let broad_phase = self.forest.update(meshes, 0.0, 0.0, options.filter);
        let best = Best::new(options.query.max_distance, SLACK * extent(meshes));
        let mut queue: BinaryHeap<_> = broad_phase
            .roots()
            .map(|pair| Reverse(Nodes::new(&broad_phase, pair)))
            .collect();
        let mut batch = Vec::new();
        while !queue.is_empty() {
            batch.clear();
            while batch.len() < BATCH
                && let Some(Reverse(nodes)) = queue.pop()
            {
                if best.is_nearer_than(nodes.apart.0) {
                    queue.clear();
                    break;
                }
                let elements = broad_phase.expand(&nodes.pair, |pair| {
                    let nodes = Nodes::new(&broad_phase, pair);
                    if !best.is_nearer_than(nodes.apart.0) {
                        queue.push(Reverse(nodes));
                    }
                });
                batch.extend(elements.map(|elements| (nodes.apart.0, elements)));
            }
            let next = AtomicUsize::new(0);
            self.solvers.share(|solver| {
                while let Some(&(apart, elements)) = batch.get(next.fetch_add(1, Relaxed)) {
                    if !best.is_nearer_than(apart)
                        && let Some(found) =
                            measure(solver, meshes, elements, options, best.cutoff())
                    {
                        best.offer(found);
                    }
                }
            });
        }
        let counters = self.solvers.counters(&broad_phase);
        let (lower, first) = best.into_inner();
        Ok(LeastDistance {
            lower,
            first,
            counters,
        })
    }

    fn within(
        &mut self,
        meshes: Meshes<'_>,
        options: &MeshDistanceOptions<'_>,
    ) -> Result<AllWithin, Error> {
        options.query.check()?;
        // Wider than everything is wide enough.
        let distance = options.query.max_distance.min(extent(meshes));
        let broad_phase = self.forest.update(meshes, 0.0, distance, options.filter);
        let pieces = SharedPairs::new(&broad_phase, broad_phase.overlapping_roots());
        let parts = self.solvers.share(|solver| {
            let candidates = pieces.candidates(&broad_phase, |_| true);
            let found = candidates.filter_map(|candidate| {
                measure(solver, meshes, candidate.elements, options, f64::INFINITY)
            });
            found.collect::<Vec<_>>()
        });
        let mut pairs = parts.concat();
        parallel::sort_by(&mut pairs, |a, b| a.key().cmp(&b.key()));
        Ok(AllWithin {
            pairs,
            counters: self.solvers.counters(&broad_phase),
        })
    }
}

/// Pairs that are solved before the next ones are looked for.
const BATCH: usize = 64;

/// Two points may be found closer than the boxes around them, by rounding, but not by this part of the size of the scene: pairs whose boxes are farther apart than the least
/// distance by so much can't come before it.
const SLACK: f64 = 1e-12;

/// Two nodes of trees, in the order of their boxes' distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Nodes {
    apart: OrderedFloat<f64>,
    pair: NodePair,
}

impl Nodes {
    fn new(broad_phase: &BroadPhase<'_>, pair: NodePair) -> Self {
        Self {
            apart: OrderedFloat(broad_phase.distance(&pair)),
            pair,
        }
    }
}

/// The distance of two elements, unless it is beyond the limit or the cutoff.
fn measure(
    solver: &mut Solver,
    meshes: Meshes<'_>,
    elements: [Element; 2],
    options: &MeshDistanceOptions<'_>,
    cutoff: f64,
) -> Option<PairDistance> {
    let [one, two] = &mut solver.nets;
    let sides = meshes.sides();
    let views = [
        one.gather(sides[0], elements[0])?,
        two.gather(sides[1], elements[1])?,
    ];
    let distance = solver.workspace.distance(&views, &options.query, cutoff);
    solver.solved += 1;
    solver.boxes += distance.counters().boxes;
    let beyond = matches!(distance, Distance::Beyond { .. });
    (!beyond).then_some(PairDistance { elements, distance })
}

/// The longest side of the box around all points, or more.
fn extent(meshes: Meshes<'_>) -> f64 {
    let points = meshes.sides().into_iter().flat_map(|side| side.start());
    let all = BoundingBox::around(points.map(|point| point.coords.into()));
    all.longest_side().next_up().min(f64::MAX)
}

/// The least distance so far.
struct Best {
    /// The least lower bound of all pairs that were solved, and the pair with the least distance.
    found: Mutex<(f64, Option<PairDistance>)>,
    /// That distance, or the limit, to be read without the lock. Doubles that are not negative are in the order of their bits.
    cutoff: AtomicU64,
    slack: f64,
}

impl Best {
    fn new(limit: f64, slack: f64) -> Self {
        Self {
            slack,
            found: Mutex::new((limit, None)),
            cutoff: AtomicU64::new(limit.to_bits()),
        }
    }

    /// Pairs that are farther apart are of no interest.
    fn cutoff(&self) -> f64 {
        f64::from_bits(self.cutoff.load(Relaxed))
    }

    /// Whether pairs whose boxes are so far apart can be left out.
    fn is_nearer_than(&self, apart: f64) -> bool {
        apart > self.cutoff() + self.slack
    }

    fn offer(&self, pair: PairDistance) {
        let mut found = self.lock();
        let (lower, first) = &mut *found;
        *lower = lower.min(pair.distance.lower());
        if first.is_none_or(|first| pair.key() < first.key()) {
            *first = Some(pair);
            let cutoff = pair.upper().min(self.cutoff());
            self.cutoff.store(cutoff.to_bits(), Relaxed);
        }
    }

    fn into_inner(self) -> (f64, Option<PairDistance>) {
        *self.lock()
    }

    fn lock(&self) -> MutexGuard<'_, (f64, Option<PairDistance>)> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

mesh_queries! {
    MeshDistanceOptions;

    /// The distance of two meshes as they are at the start, t = 0, wherever they move: of all pairs of elements the one with the closest points, and a
    /// lower bound that is proven for all of them.
    ///
    /// Pairs are solved in the order in which their boxes are apart, and only as far as the least distance so far; in parallel with the feature
    /// `rayon`. The answer does not depend on the number of threads. Triangle meshes are as far apart as their edges from edges and vertices from faces, if they do not
    /// intersect; see [`TriangleMesh`](crate::mesh::TriangleMesh).
    ///
    /// # Errors
    /// An option out of range.
    ///
    /// ```
    /// use patch_ccd::mesh::{Element, MeshDistanceOptions, MovingMesh, PatchMesh, least_distance};
    /// use nalgebra::point;
    /// // Two triangles over a square; the second one is lower.
    /// let triangles = PatchMesh::from_triangles(6, &[[0, 1, 2], [3, 4, 5]])?;
    /// let points = [
    ///     point![0.1, 0.1, 2.0], point![0.4, 0.1, 2.0], point![0.1, 0.4, 2.0],
    ///     point![0.6, 0.6, 1.0], point![0.9, 0.6, 1.5], point![0.6, 0.9, 1.5],
    /// ];
    /// let above = MovingMesh::resting(&triangles, &points)?;
    /// let square = PatchMesh::from_quads(4, &[[0, 1, 2, 3]])?;
    /// let corners = [point![0.0, 0.0, 0.0], point![1.0, 0.0, 0.0], point![1.0, 1.0, 0.0], point![0.0, 1.0, 0.0]];
    /// let floor = MovingMesh::resting(&square, &corners)?;
    ///
    /// let least = least_distance(&above, &floor, &MeshDistanceOptions::default())?;
    /// assert!(least.lower <= 1.0 && least.lower > 1.0 - 1e-5);
    /// let first = least.first.unwrap();
    /// assert_eq!(first.elements, [Element::Patch(1), Element::Patch(0)]);
    /// assert_eq!(first.distance.closest().unwrap().points[0], points[3]);
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    least_distance, least_self_distance => LeastDistance = Self::least;

    /// Every pair of elements of two meshes, as they are at the start, t = 0, that is no farther apart than
    /// [`max_distance`](DistanceOptions::max_distance), with its closest points: what contact forces act between.
    ///
    /// Without a limit these are all pairs. In parallel with the feature `rayon`; the answer does not depend on the number of threads.
    ///
    /// # Errors
    /// An option out of range.
    ///
    /// ```
    /// use patch_ccd::DistanceOptions;
    /// use patch_ccd::mesh::{MeshDistanceOptions, MovingMesh, TriangleMesh, all_within};
    /// use nalgebra::point;
    /// // Particles over a triangle: two of three are near it.
    /// let particles = TriangleMesh::new(3, &[])?;
    /// let places = [point![0.2, 0.2, 0.1], point![0.3, 0.3, 3.0], point![0.5, 0.1, 0.05]];
    /// let particles = MovingMesh::resting(&particles, &places)?;
    /// let triangle = TriangleMesh::new(3, &[[0, 1, 2]])?;
    /// let corners = [point![0.0, 0.0, 0.0], point![1.0, 0.0, 0.0], point![0.0, 1.0, 0.0]];
    /// let triangle = MovingMesh::resting(&triangle, &corners)?;
    ///
    /// let query = DistanceOptions { max_distance: 0.25, ..DistanceOptions::default() };
    /// let near = all_within(&particles, &triangle, &MeshDistanceOptions { query, filter: None })?;
    /// let distances: Vec<f64> = near.pairs.iter().filter_map(|pair| pair.distance.upper()).collect();
    /// assert_eq!(distances, [0.05, 0.1]);
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    all_within, all_self_within => AllWithin = Self::within;
}
