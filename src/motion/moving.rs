//! A patch and its motion, as a caller gives them to a query.

use nalgebra::{Point3, Vector3};
use smallvec::SmallVec;

use super::{LinearMotion, MotionView};
use crate::Error;
use crate::geometry::{Patch, check_count, check_finite};

/// A patch whose control points move at constant velocities: S(u, v, t), for t ≥ 0, is the patch
/// with the control points pᵢ + t vᵢ.
///
/// Each control point has a velocity of its own, so the patch may move, rotate and deform. The
/// weights of a rational patch do not change. How long the patch moves is up to the query
/// ([`t_max`](crate::Options::t_max)).
#[derive(Clone, Debug, PartialEq)]
pub struct Moving<P> {
    start: P,
    velocities: SmallVec<[Vector3<f64>; 16]>,
}

impl<P: Patch> Moving<P> {
    /// A patch at t = 0, and the velocities of its control points: one for each, in the same order,
    /// in units of length per unit of time.
    ///
    /// # Errors
    /// - [`Error::Count`] if there are fewer or more velocities than control points.
    /// - [`Error::NonFinite`] if a coordinate of a velocity is NaN or infinite.
    pub fn with_velocities(start: P, velocities: &[Vector3<f64>]) -> Result<Self, Error> {
        let shape = start.shape();
        check_count("velocities", &shape, shape.count(), velocities.len())?;
        check_finite("velocity", velocities)?;
        Ok(Self {
            start,
            velocities: SmallVec::from_slice(velocities),
        })
    }

    /// A patch that moves from its shape `start` at t = 0 to `end` at t = 1.
    ///
    /// The velocities are the differences of the control points, rounded to doubles.
    ///
    /// # Errors
    /// - [`Error::ShapeMismatch`] if the patches differ in kind, in degree or in weights.
    /// - [`Error::NonFinite`] if the difference of two control points is too large for a double.
    ///
    /// ```
    /// use patch_ccd::{Moving, geometry::{Patch, TriangularPatch}};
    /// use nalgebra::point;
    /// let start = TriangularPatch::new(1, &[
    ///     point![0.0, 0.0, 0.0], point![1.0, 0.0, 0.0], point![0.0, 1.0, 0.0],
    /// ])?;
    /// let end = TriangularPatch::new(1, &[
    ///     point![0.0, 0.0, 1.0], point![1.0, 0.0, 2.0], point![0.0, 1.0, 3.0],
    /// ])?;
    /// let moving = Moving::between(start, &end)?;
    /// assert_eq!(moving.eval(1.0, 0.0, 0.5), point![1.0, 0.0, 1.0]);
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub fn between(start: P, end: &P) -> Result<Self, Error> {
        if start.shape() != end.shape() {
            return Err(Error::ShapeMismatch {
                expected: start.shape().to_string(),
                found: end.shape().to_string(),
            });
        }
        if start.weights() != end.weights() {
            return Err(Error::ShapeMismatch {
                expected: format!("{} with the start's weights", start.shape()),
                found: format!("{} with other weights", end.shape()),
            });
        }
        let velocities: SmallVec<[_; 16]> = start
            .control_points()
            .iter()
            .zip(end.control_points())
            .map(|(p, q)| q - p)
            .collect();
        check_finite("end − start of control point", &velocities)?;
        Ok(Self { start, velocities })
    }

    /// A patch that moves without turning or deforming: all its control points have the same
    /// velocity, in units of length per unit of time.
    ///
    /// # Errors
    /// [`Error::NonFinite`] if a coordinate of the velocity is NaN or infinite.
    pub fn translating(start: P, velocity: Vector3<f64>) -> Result<Self, Error> {
        check_finite("velocity", [&velocity])?;
        let velocities = SmallVec::from_elem(velocity, start.control_points().len());
        Ok(Self { start, velocities })
    }

    /// A patch at rest: all its velocities are 0.
    pub fn resting(start: P) -> Self {
        let velocities = SmallVec::from_elem(Vector3::zeros(), start.control_points().len());
        Self { start, velocities }
    }

    /// The patch at t = 0.
    pub fn start(&self) -> &P {
        &self.start
    }

    /// The velocities of the control points, in the order of the control points and per unit of
    /// time.
    pub fn velocities(&self) -> &[Vector3<f64>] {
        &self.velocities
    }

    /// The patch at time `t`.
    ///
    /// # Errors
    /// [`Error::NonFinite`] if a coordinate of a control point is NaN or infinite at that time.
    pub fn at(&self, t: f64) -> Result<P, Error> {
        self.start
            .with_net(&self.view().net_at(t), self.start.weights())
    }

    /// The point S(u, v, t) of the patch at time `t`.
    ///
    /// The parameters u and v are in [0, 1], with u + v ≤ 1 on a triangular patch.
    pub fn eval(&self, u: f64, v: f64, t: f64) -> Point3<f64> {
        self.view().eval(u, v, t)
    }

    /// The unit normal at (u, v) and time `t`, on the side of ∂S/∂u × ∂S/∂v, or the limit of the
    /// normals around it where that product vanishes. `None` where there is no limit, as everywhere
    /// on a curve or a vertex; see [`Patch::normal`].
    ///
    /// The control points are as accurate as their coordinates at the start and their displacements
    /// until `t` are.
    pub fn normal(&self, u: f64, v: f64, t: f64) -> Option<Vector3<f64>> {
        let view = self.view();
        view.normal_net(&view.net_at(t), t).normal((u, v))
    }

    /// What a query reads of the patch and its motion.
    pub(crate) fn view(&self) -> MotionView<'_> {
        MotionView {
            shape: self.start.shape(),
            points: self.start.control_points(),
            motion: LinearMotion::with_velocities(&self.velocities),
            weights: self.start.weights(),
        }
    }
}
