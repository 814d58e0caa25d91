//! Which points of a mesh lie so close together that they count as one?

mod groups;
mod layers;
mod report;

use nalgebra::Point3;

use crate::geometry::{MAX_DEGREE, check_finite};
use crate::mesh::model::{MovingMesh, PatchMesh, check_points, check_size};
use crate::rounding::evaluation_error;
use crate::{DistanceOptions, Error};
use groups::Groups;
use layers::layers;

pub use report::WeldReport;

impl PatchMesh {
    /// Makes neighbours of patches with control points that coincide, or lie near each other.
    /// `tolerance` is a length; 0 welds points that coincide only.
    ///
    /// The points of the mesh fall into groups, and those of a group count as one. Each group has a
    /// centre, one of its points, from which no other is farther than `tolerance`. The centres lie
    /// farther apart than that, and every point belongs to the nearest one. So points that lie in
    /// a row, each of them near the next, do not all become one: choose a `tolerance` well above
    /// the distance of points that belong together, and well below that of all others. Then it is
    /// clear which points these are. Otherwise the groups depend on the coordinates, but never on
    /// the order of points and patches.
    ///
    /// The report says how much was joined, over which distances, and whether patches became
    /// neighbours that lie on each other. The points stay separate and may move apart later; only
    /// tests of the mesh against itself leave the neighbours out. Earlier welds stay: what was one
    /// point then is one point now.
    ///
    /// # Errors
    /// A wrong number of points, a coordinate that is not finite, a tolerance that is negative or
    /// not finite.
    ///
    /// ```
    /// use patch_ccd::{geometry::{AnyPatch, Shape}, mesh::PatchMesh};
    /// use nalgebra::point;
    /// let triangle = |x: f64| [point![x, 0.0, 0.0], point![1.0, 0.0, 0.0], point![1.0, 1.0, 0.0]];
    /// let linear = Shape::Triangular { n: 1 };
    /// let left = AnyPatch::from_shape(linear, &triangle(0.0))?;
    /// let right = AnyPatch::from_shape(linear, &triangle(2.0))?;
    /// let (mut mesh, points) = PatchMesh::from_patches(&[left, right]);
    /// mesh.weld(&points, 1e-9)?;
    /// assert!(mesh.are_neighbours(0, 1));
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub fn weld(&mut self, points: &[Point3<f64>], tolerance: f64) -> Result<WeldReport, Error> {
        check_points("points", points.len(), self.point_count())?;
        check_size("points", points.len())?;
        check_finite("point", points.iter().map(|p| &p.coords))?;
        if !(tolerance >= 0.0 && tolerance.is_finite()) {
            return Err(Error::Option {
                option: "tolerance",
                value: tolerance,
                range: "finite and at least 0",
            });
        }
        let groups = Groups::new(points, tolerance);
        self.add_welds(groups.pairs());
        let near = near(points, tolerance);
        let layers = layers(&MovingMesh::resting(&*self, points)?, self, &near);
        let [points, several] = groups.counts();
        Ok(WeldReport {
            points,
            groups: several,
            largest_distance: groups.largest_distance,
            layers,
        })
    }
}

/// Asks for distances up to the tolerance, and some roundings of the coordinates.
fn near(points: &[Point3<f64>], tolerance: f64) -> DistanceOptions {
    let largest = points.iter().map(|point| point.coords.amax());
    let rounding = evaluation_error([MAX_DEGREE; 2]) * largest.fold(0.0, f64::max);
    let max_distance = (tolerance + rounding).min(f64::MAX);
    DistanceOptions {
        max_distance,
        tolerance: 0.25 * max_distance,
        relative_tolerance: 0.0,
        max_boxes: 10_000,
        ..DistanceOptions::default()
    }
}
