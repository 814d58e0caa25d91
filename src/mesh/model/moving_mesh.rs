//! How does a mesh move over one step?

use nalgebra::{Point3, Vector3};
use smallvec::SmallVec;

use super::{Group, Mesh, check_points};
use crate::Error;
use crate::geometry::{AnyPatch, ControlNet};
use crate::motion::{LinearMotion, MAX_MOTION_DEGREE, MotionOfView, RigidMotion, check_range};

/// A mesh over one step: where its points are, and how fast each of them moves.
///
/// Time is that of [`Moving`](crate::Moving): points are at `start` at t = 0, at `end` at t = 1,
/// and go on at the same speed up to [`t_max`](crate::Options::t_max). `start` is borrowed for as
/// long as the mesh moves; the end and the velocities are copied.
///
/// Points move along straight lines, with a [rigid body](Self::rigid), or along
/// [polynomials](Self::polynomial); meshes that move in different ways may meet each other. To turn
/// a body by its points' straight lines would shrink it on the way.
#[derive(Clone, Debug)]
pub struct MovingMesh<'a> {
    mesh: Mesh<'a>,
    start: &'a [Point3<f64>],
    path: Path,
}

/// How the points move.
#[derive(Clone, Debug)]
enum Path {
    Linear(Vec<Vector3<f64>>),
    /// The layers after the first one, one after the other.
    Polynomial(Vec<Point3<f64>>),
    Rigid(RigidMotion),
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
    /// assert_eq!(rising.velocities().unwrap()[2], vector![0.0, 0.0, 1.0]);
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

    /// A mesh that moves with a rigid body; `points` are where its points are at t = 0.
    ///
    /// # Errors
    /// A wrong number of points; a coordinate, of the points or of the motion, that is not finite.
    /// A query refuses a body that turns by more than a million radians in its horizon.
    ///
    /// ```
    /// use patch_ccd::RigidMotion;
    /// use patch_ccd::mesh::{MeshOptions, MovingMesh, PatchMesh, collision_free_step};
    /// use nalgebra::{point, vector};
    /// // A bar that turns upwards about its end, below a ceiling.
    /// let square = PatchMesh::from_quads(4, &[[0, 1, 2, 3]])?;
    /// let bar = [
    ///     point![0.0, -0.1, 0.0], point![1.0, -0.1, 0.0], point![1.0, 0.1, 0.0], point![0.0, 0.1, 0.0],
    /// ];
    /// let ceiling = [
    ///     point![-2.0, -2.0, 0.5], point![2.0, -2.0, 0.5], point![2.0, 2.0, 0.5], point![-2.0, 2.0, 0.5],
    /// ];
    /// let motion = RigidMotion { angular_velocity: vector![0.0, -1.0, 0.0], ..RigidMotion::default() };
    /// let turning = MovingMesh::rigid(&square, &bar, &motion)?;
    /// let ceiling = MovingMesh::resting(&square, &ceiling)?;
    /// let options = MeshOptions { conservative_rescaling: 1.0, ..MeshOptions::default() };
    /// let free = collision_free_step(&turning, &ceiling, &options)?;
    /// let exact = 0.5_f64.asin();
    /// assert!(free <= exact && free > exact - 1e-6);
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub fn rigid(
        mesh: impl Into<Mesh<'a>>,
        points: &'a [Point3<f64>],
        motion: &RigidMotion,
    ) -> Result<Self, Error> {
        motion.check()?;
        Self::along(mesh.into(), ("points", points), Path::Rigid(*motion))
    }

    /// A mesh whose points move along polynomials in time. The `layers` are the points' Bernstein
    /// coefficients over [0, 1]: where they are at t = 0 first, where they are at t = 1 last, and
    /// one or two in between, for a motion of degree 2 or 3. Two layers are the same as
    /// [`between`](Self::between). See [`Moving::polynomial`](crate::Moving::polynomial).
    ///
    /// # Errors
    /// Fewer than two layers, or more than four; a wrong number of points in one of them; a
    /// coordinate that is not finite.
    pub fn polynomial(
        mesh: impl Into<Mesh<'a>>,
        layers: &[&'a [Point3<f64>]],
    ) -> Result<Self, Error> {
        let mesh = mesh.into();
        let (start, later) = match layers {
            [start, end] => return Self::between(mesh, start, end),
            [start, later @ ..] if (1..=MAX_MOTION_DEGREE).contains(&later.len()) => (start, later),
            _ => {
                return Err(Error::MotionDegree {
                    layers: layers.len(),
                });
            }
        };
        for layer in later {
            check_points("layer", layer.len(), mesh.point_count())?;
            mesh.check_finite("point of a layer", layer.iter().map(|p| &p.coords))?;
        }
        Self::along(mesh, ("layer", start), Path::Polynomial(later.concat()))
    }

    fn along(
        mesh: Mesh<'a>,
        (argument, start): (&'static str, &'a [Point3<f64>]),
        path: Path,
    ) -> Result<Self, Error> {
        check_points(argument, start.len(), mesh.point_count())?;
        mesh.check_finite("point", start.iter().map(|p| &p.coords))?;
        Ok(Self { mesh, start, path })
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
        let path = Path::Linear(velocities);
        Ok(Self { mesh, start, path })
    }

    /// The mesh that moves.
    pub fn mesh(&self) -> Mesh<'a> {
        self.mesh
    }

    /// The points at t = 0.
    pub fn start(&self) -> &'a [Point3<f64>] {
        self.start
    }

    /// The velocities of the points, per unit of time. `None` if they do not move along straight
    /// lines.
    pub fn velocities(&self) -> Option<&[Vector3<f64>]> {
        match &self.path {
            Path::Linear(velocities) => Some(velocities),
            Path::Polynomial(_) | Path::Rigid(_) => None,
        }
    }

    /// How points move that are chosen by their indices; `chosen` is for what must be gathered, and
    /// is cleared first.
    pub(crate) fn motion_of<'b>(
        &'b self,
        points: impl Iterator<Item = usize> + Clone,
        chosen: &'b mut Chosen,
    ) -> MotionOfView<'b> {
        match &self.path {
            Path::Linear(velocities) => {
                chosen.velocities.clear();
                chosen.velocities.extend(points.map(|at| velocities[at]));
                MotionOfView::Linear(LinearMotion::with_velocities(&chosen.velocities))
            }
            Path::Polynomial(layers) => {
                chosen.layers.clear();
                for layer in layers.chunks_exact(self.start.len().max(1)) {
                    chosen.layers.extend(points.clone().map(|at| layer[at]));
                }
                MotionOfView::Polynomial(&chosen.layers)
            }
            Path::Rigid(motion) => MotionOfView::Rigid(motion),
        }
    }

    /// The points at time `t`, a finite number. After the free part of a step that is `t_max` times
    /// the [fraction](crate::mesh::EarliestImpact::fraction). At t = 1 the points are the end, to a
    /// rounding.
    pub fn at(&self, t: f64) -> Vec<Point3<f64>> {
        let mut chosen = Chosen::default();
        let points = self.start;
        let motion = self.motion_of(0..points.len(), &mut chosen);
        motion.points_at(points, t).collect()
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
        match &self.path {
            Path::Linear(velocities) => check_range(self.start, velocities, t_max),
            Path::Polynomial(layers) => {
                MotionOfView::Polynomial(layers).check_reach(self.start, t_max)
            }
            Path::Rigid(motion) => MotionOfView::Rigid(motion).check_reach(self.start, t_max),
        }
    }

    pub(crate) fn check_linear(&self) -> Result<(), Error> {
        match &self.path {
            Path::Linear(_) => Ok(()),
            Path::Polynomial(layers) => MotionOfView::Polynomial(layers).check_linear(),
            Path::Rigid(motion) => MotionOfView::Rigid(motion).check_linear(),
        }
    }
}

/// Scratch for how some points of a mesh move.
#[derive(Debug, Default)]
pub(crate) struct Chosen {
    velocities: SmallVec<[Vector3<f64>; 16]>,
    layers: Vec<Point3<f64>>,
}
