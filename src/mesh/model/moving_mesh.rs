//! How does a mesh move over one step? Its points go along straight lines.

use nalgebra::{Point3, Vector3};

use super::{Group, Mesh, check_points};
use crate::Error;
use crate::geometry::{AnyPatch, ControlNet};
use crate::motion::check_range;

/// A mesh over one step: where its points are, and how fast each of them moves.
///
/// Time is that of [`Moving`](crate::Moving): points are at `start` at t = 0, at `end` at t = 1,
/// and go on at the same speed up to [`t_max`](crate::Options::t_max). `start` is borrowed for as
/// long as the mesh moves; the end and the velocities are copied.
#[derive(Clone, Debug)]
pub struct MovingMesh<'a> {
    mesh: Mesh<'a>,
    start: &'a [Point3<f64>],
    velocities: Vec<Vector3<f64>>,
}

impl<'a> MovingMesh<'a> {
    /// A mesh whose points move from `start` at t = 0 to `end` at t = 1.
    ///
    /// # Errors
    /// A wrong number of points; a coordinate that is not finite, with the patch and the index of
    /// its control point, or with the index of the vertex; a point that moves farther than the
    /// range of doubles.
    ///
    /// ```
    /// use patch_ccd::mesh::{MovingMesh, TriangleMesh};
    /// use nalgebra::{point, vector};
    /// let triangle = TriangleMesh::new(3, &[[0, 1, 2]])?;
    /// let start = [point![0.0, 0.0, 0.0], point![1.0, 0.0, 0.0], point![0.0, 1.0, 0.0]];
    /// let end = start.map(|point| point + vector![0.0, 0.0, 1.0]);
    /// let rising = MovingMesh::between(&triangle, &start, &end)?;
    /// assert_eq!(rising.velocities()[2], vector![0.0, 0.0, 1.0]);
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub fn between(
        mesh: impl Into<Mesh<'a>>,
        start: &'a [Point3<f64>],
        end: &[Point3<f64>],
    ) -> Result<Self, Error> {
        let mesh = mesh.into();
        check_points("end", end.len(), mesh.point_count())?;
        mesh.check_finite("point at the end", end.iter().map(|p| &p.coords))?;
        let velocities = start.iter().zip(end).map(|(p, q)| q - p).collect();
        Self::new(mesh, ("start", start), velocities, "end − start of point")
    }

    /// A mesh whose points start at `start` and move at these velocities, per unit of time; the
    /// horizon is [`t_max`](crate::Options::t_max).
    ///
    /// # Errors
    /// A wrong number of points or velocities; a coordinate that is not finite, with the patch and
    /// the index of its control point, or with the index of the vertex.
    pub fn with_velocities(
        mesh: impl Into<Mesh<'a>>,
        start: &'a [Point3<f64>],
        velocities: &[Vector3<f64>],
    ) -> Result<Self, Error> {
        let mesh = mesh.into();
        check_points("velocities", velocities.len(), mesh.point_count())?;
        Self::new(mesh, ("start", start), velocities.to_vec(), "velocity")
    }

    /// A mesh that stays where it is.
    ///
    /// # Errors
    /// A wrong number of points; a coordinate that is not finite.
    pub fn resting(mesh: impl Into<Mesh<'a>>, points: &'a [Point3<f64>]) -> Result<Self, Error> {
        let velocities = vec![Vector3::zeros(); points.len()];
        Self::new(mesh.into(), ("points", points), velocities, "velocity")
    }

    fn new(
        mesh: Mesh<'a>,
        (argument, start): (&'static str, &'a [Point3<f64>]),
        velocities: Vec<Vector3<f64>>,
        velocity: &'static str,
    ) -> Result<Self, Error> {
        check_points(argument, start.len(), mesh.point_count())?;
        mesh.check_finite("point", start.iter().map(|p| &p.coords))?;
        mesh.check_finite(velocity, &velocities)?;
        Ok(Self {
            mesh,
            start,
            velocities,
        })
    }

    /// The mesh that moves.
    pub fn mesh(&self) -> Mesh<'a> {
        self.mesh
    }

    /// The points at t = 0.
    pub fn start(&self) -> &'a [Point3<f64>] {
        self.start
    }

    /// The velocities of the points, per unit of time.
    pub fn velocities(&self) -> &[Vector3<f64>] {
        &self.velocities
    }

    /// The points at time `t`, a finite number. After the free part of a step that is `t_max` times
    /// the [fraction](crate::mesh::EarliestImpact::fraction). At t = 1 the points are the end, to a
    /// rounding.
    pub fn at(&self, t: f64) -> Vec<Point3<f64>> {
        let points = self.start.iter().zip(&self.velocities);
        points.map(|(p, v)| p + v * t).collect()
    }

    /// The patches at time `t`, with faces as linear triangles, in the order of their indices: what
    /// the writers of files take. Edges without a face, and vertices without either, are left out.
    ///
    /// # Errors
    /// A control point that is not finite at that time.
    pub fn patches_at(&self, t: f64) -> Result<Vec<AnyPatch>, Error> {
        let points = self.at(t);
        let group = match self.mesh {
            Mesh::Patches(_) => Group::Patches,
            Mesh::Triangles(_) => Group::Faces,
        };
        let elements = (0..self.mesh.count(group)).map(|index| self.mesh.element(group, index));
        let patches = elements.filter_map(|element| {
            let layout = self.mesh.layout(element)?;
            let net = layout.points.iter().map(|&at| points[at as usize]);
            let net: ControlNet = net.collect();
            let patch = match layout.weights {
                Some(weights) => AnyPatch::rational_from_shape(layout.shape, &net, weights),
                None => AnyPatch::from_shape(layout.shape, &net),
            };
            Some(patch.map_err(|source| Error::element(element, source)))
        });
        patches.collect()
    }

    /// Refuses points that leave the range of doubles within the horizon [0, `t_max`].
    pub(crate) fn check_range(&self, t_max: f64) -> Result<(), Error> {
        check_range(self.start, &self.velocities, t_max)
    }
}
