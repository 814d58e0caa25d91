//! A patch and its motion, as a caller gives them.

use nalgebra::{Point3, Vector3};
use smallvec::SmallVec;

use super::MotionView;
use crate::Error;
use crate::geometry::{Patch, check_count, check_finite, unit_normal};

/// A patch whose control points move linearly: S(u, v, t) is the patch with control points pᵢ + t
/// vᵢ, for t ≥ 0.
///
/// The patch may deform in any way that its control points can; how long it moves is up to the
/// query ([`t_max`](crate::Options::t_max)).
#[derive(Clone, Debug, PartialEq)]
pub struct Moving<P> {
    start: P,
    velocities: SmallVec<[Vector3<f64>; 16]>,
}

impl<P: Patch> Moving<P> {
    /// A patch at t = 0 and one velocity for each of its control points, in the same order, per
    /// unit of time; the horizon is [`t_max`](crate::Options::t_max).
    ///
    /// # Errors
    /// A wrong number of velocities, a coordinate that is not finite.
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
    /// # Errors
    /// Patches of different kind or degree; a control point that moves farther than doubles reach.
    ///
    /// ```
    /// use patch_ccd::{Moving, geometry::{Patch, TriangularPatch}};
    /// use nalgebra::point;
    /// let start = TriangularPatch::new(1, &[point![0.0, 0.0, 0.0], point![1.0, 0.0, 0.0], point![0.0, 1.0, 0.0]])?;
    /// let end = TriangularPatch::new(1, &[point![0.0, 0.0, 1.0], point![1.0, 0.0, 2.0], point![0.0, 1.0, 3.0]])?;
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

    /// A patch that moves as a whole, every control point at the same velocity.
    ///
    /// # Errors
    /// A velocity that is not finite.
    pub fn translating(start: P, velocity: Vector3<f64>) -> Result<Self, Error> {
        check_finite("velocity", [&velocity])?;
        let velocities = SmallVec::from_elem(velocity, start.control_points().len());
        Ok(Self { start, velocities })
    }

    /// A patch that stays where it is.
    pub fn resting(start: P) -> Self {
        let velocities = SmallVec::from_elem(Vector3::zeros(), start.control_points().len());
        Self { start, velocities }
    }

    /// The patch at t = 0.
    pub fn start(&self) -> &P {
        &self.start
    }

    /// The velocities of the control points, in their order.
    pub fn velocities(&self) -> &[Vector3<f64>] {
        &self.velocities
    }

    /// The patch at time `t`.
    ///
    /// # Errors
    /// A control point that is not finite at that time.
    pub fn at(&self, t: f64) -> Result<P, Error> {
        self.start
            .with_net(&self.view().net_at(t), self.start.weights())
    }

    /// The point S(u, v, t).
    pub fn eval(&self, u: f64, v: f64, t: f64) -> Point3<f64> {
        self.view().eval(u, v, t)
    }

    /// The unit normal at (u, v) and time t, on the side of ∂S/∂u × ∂S/∂v; `None` where that
    /// vanishes.
    pub fn normal(&self, u: f64, v: f64, t: f64) -> Option<Vector3<f64>> {
        let (by_u, by_v) = self.view().partials(u, v, t);
        unit_normal(by_u, by_v)
    }

    /// What the search reads.
    pub(crate) fn view(&self) -> MotionView<'_> {
        MotionView {
            shape: self.start.shape(),
            points: self.start.control_points(),
            velocities: &self.velocities,
            ends: None,
            weights: self.start.weights(),
        }
    }
}
