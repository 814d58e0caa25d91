//! A patch and its motion, as a caller gives them to a query.

use nalgebra::{Point3, Vector3};
use smallvec::SmallVec;

use super::view::Motion as MotionOfView;
use super::{LinearMotion, MAX_MOTION_DEGREE, MotionView, RigidMotion};
use crate::Error;
use crate::geometry::{Patch, check_count, check_finite};

/// A patch in motion: S(u, v, t), for t ≥ 0, is the patch with the control points as they are at
/// time t. The weights of a rational patch do not change. How long the patch moves is up to the
/// query ([`t_max`](crate::Options::t_max)).
///
/// Control points move in one of three ways, each proven to the same standard:
/// - along straight lines, pᵢ + t vᵢ, each with a velocity of its own
///   ([`with_velocities`](Self::with_velocities), [`between`](Self::between),
///   [`translating`](Self::translating), [`resting`](Self::resting)): what a time step of a
///   deforming body is made of;
/// - with a rigid body that turns about an axis while its center moves ([`rigid`](Self::rigid)):
///   the patch keeps its shape, which straight lines do not let it do;
/// - along polynomials in time of degree 2 or 3 ([`polynomial`](Self::polynomial)): steps with
///   acceleration, and paths that curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Moving<P> {
    start: P,
    path: Path,
}

/// How the control points of a [`Moving`] patch move.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Motion<'a> {
    /// Along straight lines.
    Linear {
        /// The velocity of each control point, per unit of time.
        velocities: &'a [Vector3<f64>],
    },
    /// Along polynomials over [0, 1].
    Polynomial {
        /// The control points of all layers after the first one, layer by layer; the first one is
        /// the patch at the start.
        layers: &'a [Point3<f64>],
    },
    /// With a rigid body.
    Rigid(&'a RigidMotion),
}

/// How control points move.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "most patches move along lines, and their velocities take no memory from the heap"
)]
enum Path {
    /// Velocities.
    Linear(SmallVec<[Vector3<f64>; 16]>),
    /// The layers after the first one, one after the other.
    Polynomial(Vec<Point3<f64>>),
    Rigid(RigidMotion),
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
        let path = Path::Linear(SmallVec::from_slice(velocities));
        Ok(Self { start, path })
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
        check_alike(&start, end)?;
        let velocities: SmallVec<[_; 16]> = start
            .control_points()
            .iter()
            .zip(end.control_points())
            .map(|(p, q)| q - p)
            .collect();
        check_finite("end − start of control point", &velocities)?;
        let path = Path::Linear(velocities);
        Ok(Self { start, path })
    }

    /// A patch that moves without turning or deforming: all its control points have the same
    /// velocity, in units of length per unit of time.
    ///
    /// # Errors
    /// [`Error::NonFinite`] if a coordinate of the velocity is NaN or infinite.
    pub fn translating(start: P, velocity: Vector3<f64>) -> Result<Self, Error> {
        check_finite("velocity", [&velocity])?;
        let path = Path::Linear(SmallVec::from_elem(velocity, start.control_points().len()));
        Ok(Self { start, path })
    }

    /// A patch at rest: all its velocities are 0.
    pub fn resting(start: P) -> Self {
        let count = start.control_points().len();
        let path = Path::Linear(SmallVec::from_elem(Vector3::zeros(), count));
        Self { start, path }
    }

    /// A patch of a rigid body, which keeps its shape while the body turns and moves. `start` is
    /// the patch at t = 0.
    ///
    /// # Errors
    /// [`Error::NonFinite`] if a coordinate of the motion is NaN or infinite. A query refuses a
    /// body that turns by more than a million radians in its horizon.
    ///
    /// ```
    /// use patch_ccd::{Moving, Options, RigidMotion, geometry::TensorProductPatch, time_of_impact};
    /// use nalgebra::{point, vector};
    /// // A bar turns upwards about its end, by one radian in a unit of time; a ceiling is at 1/2.
    /// let bar = TensorProductPatch::new(1, 1, &[
    ///     point![0.0, -0.1, 0.0], point![0.0, 0.1, 0.0], point![1.0, -0.1, 0.0], point![1.0, 0.1, 0.0],
    /// ])?;
    /// let motion = RigidMotion { angular_velocity: vector![0.0, -1.0, 0.0], ..RigidMotion::default() };
    /// let ceiling = TensorProductPatch::new(1, 1, &[
    ///     point![-2.0, -2.0, 0.5], point![-2.0, 2.0, 0.5], point![2.0, -2.0, 0.5], point![2.0, 2.0, 0.5],
    /// ])?;
    /// let bar = Moving::rigid(bar, &motion)?;
    /// let outcome = time_of_impact(&bar, &Moving::resting(ceiling), &Options::default())?;
    /// let (toi, exact) = (outcome.toi().unwrap(), 0.5_f64.asin());
    /// assert!(toi <= exact && toi > exact - 1e-6);
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub fn rigid(start: P, motion: &RigidMotion) -> Result<Self, Error> {
        motion.check()?;
        let path = Path::Rigid(*motion);
        Ok(Self { start, path })
    }

    /// A patch whose control points move along polynomials in time. The `layers` are patches of the
    /// same shape and weights, whose control points are the Bernstein coefficients over [0, 1]: the
    /// first one is the patch at t = 0 and the last one that at t = 1. Three layers make a motion
    /// of degree 2, four one of degree 3, and two the same as [`between`](Self::between).
    ///
    /// A point with position p, velocity v and acceleration a at t = 0 has the layers p, p + v/2
    /// and p + v + a/2.
    ///
    /// # Errors
    /// - [`Error::MotionDegree`] if there are fewer than two layers, or more than four.
    /// - [`Error::ShapeMismatch`] if they differ in kind, in degree or in weights.
    ///
    /// ```
    /// use patch_ccd::{Moving, geometry::{BezierCurve, Patch}};
    /// use nalgebra::point;
    /// // A rod thrown up at speed 2 falls back with the acceleration 4.
    /// let layer = |z: f64| BezierCurve::new(1, &[point![0.0, 0.0, z], point![1.0, 0.0, z]]);
    /// let thrown = Moving::polynomial(&[layer(0.0)?, layer(1.0)?, layer(0.0)?])?;
    /// assert_eq!(thrown.eval(0.0, 0.0, 0.5), point![0.0, 0.0, 0.5]);
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub fn polynomial(layers: &[P]) -> Result<Self, Error>
    where
        P: Clone,
    {
        let degree = layers.len().saturating_sub(1);
        if !(1..=MAX_MOTION_DEGREE).contains(&degree) {
            return Err(Error::MotionDegree {
                layers: layers.len(),
            });
        }
        let start = layers[0].clone();
        for layer in &layers[1..] {
            check_alike(&start, layer)?;
        }
        if degree == 1 {
            return Self::between(start, &layers[1]);
        }
        let later = layers[1..].iter().flat_map(Patch::control_points);
        let path = Path::Polynomial(later.copied().collect());
        Ok(Self { start, path })
    }

    /// The patch at t = 0.
    pub fn start(&self) -> &P {
        &self.start
    }

    /// The velocities of the control points, in the order of the control points and per unit of
    /// time. `None` if they do not move along straight lines.
    pub fn velocities(&self) -> Option<&[Vector3<f64>]> {
        match &self.path {
            Path::Linear(velocities) => Some(velocities),
            Path::Polynomial(_) | Path::Rigid(_) => None,
        }
    }

    /// How the control points move.
    ///
    /// ```
    /// use patch_ccd::{Motion, Moving, geometry::BezierCurve};
    /// use nalgebra::{Vector3, point};
    /// let resting = Moving::resting(BezierCurve::new(1, &[point![0.0, 0.0, 0.0], point![1.0, 0.0, 0.0]])?);
    /// assert_eq!(resting.motion(), Motion::Linear { velocities: &[Vector3::zeros(); 2] });
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub fn motion(&self) -> Motion<'_> {
        match &self.path {
            Path::Linear(velocities) => Motion::Linear { velocities },
            Path::Polynomial(layers) => Motion::Polynomial { layers },
            Path::Rigid(motion) => Motion::Rigid(motion),
        }
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
            motion: match &self.path {
                Path::Linear(velocities) => {
                    MotionOfView::Linear(LinearMotion::with_velocities(velocities))
                }
                Path::Polynomial(layers) => MotionOfView::Polynomial(layers),
                Path::Rigid(motion) => MotionOfView::Rigid(motion),
            },
            weights: self.start.weights(),
        }
    }
}

/// Checks that two patches have the same shape and weights.
fn check_alike<P: Patch>(start: &P, end: &P) -> Result<(), Error> {
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
    Ok(())
}
