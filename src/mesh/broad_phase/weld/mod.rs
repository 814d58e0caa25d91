//! Which patches of a mesh belong together, as their points or sides lie so close together?

mod groups;
mod junctions;
mod layers;
mod report;

use nalgebra::Point3;

use crate::geometry::{MAX_DEGREE, check_finite};
use crate::mesh::model::{MovingMesh, PatchMesh, check_points, check_size};
use crate::rounding::evaluation_error;
use crate::{Distance, DistanceOptions, Error};
use groups::Groups;
use junctions::junctions;
use layers::layers;

pub use report::WeldReport;

impl PatchMesh {
    /// Makes neighbours of patches that meet, as their points lie here, to within `tolerance`, a
    /// length:
    /// - patches with control points that lie that near each other, as along a common side or at a
    ///   pole;
    /// - patches of which a corner lies that near a side of the other, as where a long side meets
    ///   several short ones. A curve counts as its own side. (A corner that touches a patch inside
    ///   makes no neighbours: that is a contact.)
    ///
    /// With a tolerance of 0, points must coincide, and corners lie on sides to rounding.
    ///
    /// Of control points, those of a group count as one. Each group has a centre, one of its
    /// points, from which no other is farther than the tolerance. The centres lie farther apart
    /// than that, and every point belongs to the nearest one. So a row of points, each of them near
    /// the next, does not become one. Choose a tolerance well above the distance of points that
    /// belong together, and well below that of all others: then it is clear which points these are.
    /// Otherwise the groups depend on the coordinates, but never on the order of points and
    /// patches.
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
    /// let rectangle = |[x0, x1]: [f64; 2], [y0, y1]: [f64; 2]| {
    ///     let net = [[x0, y0], [x0, y1], [x1, y0], [x1, y1]].map(|[x, y]| point![x, y, 0.0]);
    ///     AnyPatch::from_shape(Shape::TensorProduct { n: 1, m: 1 }, &net)
    /// };
    /// // Three squares along the side of a patch that is three times as long.
    /// let patches = [
    ///     rectangle([0.0, 3.0], [0.0, 1.0])?,
    ///     rectangle([0.0, 1.0], [-1.0, 0.0])?,
    ///     rectangle([1.0, 2.0], [-1.0, 0.0])?,
    ///     rectangle([2.0, 3.0], [-1.0, 0.0])?,
    /// ];
    /// let (mut mesh, points) = PatchMesh::from_patches(&patches);
    /// let report = mesh.weld(&points, 1e-9)?;
    /// assert!((1..=3).all(|square| mesh.are_neighbours(0, square)));
    /// assert!(!mesh.are_neighbours(1, 3));
    /// // Two corners at the ends of the long side, and four between the squares, two of which lie
    /// // along the long side.
    /// assert_eq!((report.groups, report.junctions), (6, 2));
    /// assert!(report.layers.is_empty());
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
        let junctions = junctions(self, points, &groups, &near);
        self.add_junctions(&junctions);
        let layers = layers(&MovingMesh::resting(&*self, points)?, self, &near);
        let [points, several] = groups.counts();
        Ok(WeldReport {
            points,
            groups: several,
            largest_distance: groups.largest_distance,
            junctions: junctions.len(),
            layers,
        })
    }
}

/// Whether closest points were found within the largest distance of interest.
fn is_within(distance: &Distance, options: &DistanceOptions) -> bool {
    let upper = distance.upper();
    upper.is_some_and(|upper| upper <= options.max_distance)
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
