//! How far apart are meshes, and which of their elements are near each other?
//!
//! The trees and pairs are those of impacts, with the boxes at the start of the step.

use super::calls::mesh_queries;
use super::least::least;
use super::{AllWithin, LeastDistance, MeshDistanceOptions, MeshWorkspace};
use crate::Error;
use crate::mesh::broad_phase::{SharedPairs, Within};
use crate::mesh::model::{Meshes, MovingMesh};
use crate::mesh::parallel;
use crate::vector::BoundingBox;

impl MeshWorkspace {
    fn least(
        &mut self,
        meshes: Meshes<'_>,
        options: &MeshDistanceOptions<'_>,
    ) -> Result<LeastDistance, Error> {
        options.query.check()?;
        let broad_phase = self
            .forest
            .update(meshes, 0.0, Within::Distance(0.0), options.filter);
        let size = size(meshes);
        let (lower, first) = least(meshes, options, &broad_phase, size, &mut self.solvers);
        Ok(LeastDistance {
            lower,
            first,
            counters: self.solvers.take_counters(&broad_phase),
        })
    }

    fn within(
        &mut self,
        meshes: Meshes<'_>,
        options: &MeshDistanceOptions<'_>,
    ) -> Result<AllWithin, Error> {
        options.query.check()?;
        // Wider than everything is wide enough.
        let distance = options.query.max_distance.min(size(meshes));
        let broad_phase =
            self.forest
                .update(meshes, 0.0, Within::Distance(distance), options.filter);
        let pairs = SharedPairs::new(&broad_phase, broad_phase.overlapping_roots());
        let parts = self.solvers.share(|solver| {
            let candidates = pairs.candidates(&broad_phase, |_| true);
            let found = candidates.filter_map(|candidate| {
                solver.distance(meshes, candidate.elements, options, f64::INFINITY)
            });
            found.collect::<Vec<_>>()
        });
        let mut pairs = parts.concat();
        parallel::sort_by(&mut pairs, |a, b| a.key().cmp(&b.key()));
        Ok(AllWithin {
            pairs,
            counters: self.solvers.take_counters(&broad_phase),
        })
    }
}

/// The longest side of the box around all points at the start, or more.
fn size(meshes: Meshes<'_>) -> f64 {
    let points = meshes.sides().into_iter().flat_map(|side| side.start());
    let all = BoundingBox::around(points.map(|point| point.coords.into()));
    all.longest_side().next_up().min(f64::MAX)
}

mesh_queries! {
    options: MeshDistanceOptions;
    errors: "An option out of range.";

    /// The distance of two meshes as they are at the start, t = 0, wherever they move: of all pairs
    /// of elements the one with the closest points, and a lower bound that is proven for all of
    /// them.
    ///
    /// Pairs are solved in the order in which their boxes are apart, and only as far as the least
    /// distance found so far; in parallel with the feature `rayon`. The answer does not depend on
    /// the number of threads. Triangle meshes are as far apart as their edges from edges and
    /// vertices from faces, if they do not intersect; see
    /// [`TriangleMesh`](crate::mesh::TriangleMesh).
    example:
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
    /// let corners = [
    ///     point![0.0, 0.0, 0.0], point![1.0, 0.0, 0.0],
    ///     point![1.0, 1.0, 0.0], point![0.0, 1.0, 0.0],
    /// ];
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

    /// Every pair of elements of two meshes, as they are at the start, t = 0, that is no farther
    /// apart than [`max_distance`](crate::DistanceOptions::max_distance), with its closest points:
    /// the pairs between which contact forces act.
    ///
    /// Without a limit these are all pairs. In parallel with the feature `rayon`; the answer does
    /// not depend on the number of threads.
    example:
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
    /// let options = MeshDistanceOptions { query, filter: None };
    /// let near = all_within(&particles, &triangle, &options)?;
    /// let distances: Vec<f64> =
    ///     near.pairs.iter().filter_map(|pair| pair.distance.upper()).collect();
    /// assert_eq!(distances, [0.05, 0.1]);
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    all_within, all_self_within => AllWithin = Self::within;
}
