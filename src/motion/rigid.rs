//! Motion of a rigid body: it turns about an axis at a constant rate, and the axis moves.

use nalgebra::{Point3, Vector3};

use super::Trajectory;
use crate::Error;
use crate::geometry::check_finite;
use crate::rounding::{LENGTH_FACTOR, MAX_ANGLE, UNIT_ROUNDOFF, scaled_product, sin_cos};
use crate::vector::{Vector, cross, dot, length};

/// How a rigid body moves: its center at a constant velocity, and about it a rotation at a constant
/// angular velocity. A point p of the body is at c + t v + R(t ω)(p − c) at time t, where R(x) is
/// the rotation about x by |x| radians, counterclockwise as seen from the tip of x.
///
/// The center may be any point; for a free body it is the center of mass.
///
/// ```
/// use patch_ccd::{Moving, RigidMotion, geometry::{BezierCurve, Patch}};
/// use nalgebra::{point, vector};
/// // An arm from the origin to x = 1 that turns to the left, half a turn in a unit of time.
/// let arm = BezierCurve::new(1, &[point![0.0, 0.0, 0.0], point![1.0, 0.0, 0.0]])?;
/// let turning = Moving::rigid(arm, &RigidMotion {
///     angular_velocity: vector![0.0, 0.0, std::f64::consts::PI],
///     ..RigidMotion::default()
/// })?;
/// let tip = turning.eval(1.0, 0.0, 0.5);
/// assert!((tip - point![0.0, 1.0, 0.0]).norm() < 1e-15);
/// # Ok::<(), patch_ccd::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidMotion {
    /// The center c at t = 0. Default: the origin.
    pub center: Point3<f64>,
    /// The velocity v of the center, in units of length per unit of time. Default: zero.
    pub velocity: Vector3<f64>,
    /// The angular velocity ω, in radians per unit of time, along the axis. Default: zero.
    pub angular_velocity: Vector3<f64>,
}

impl Default for RigidMotion {
    fn default() -> Self {
        Self {
            center: Point3::origin(),
            velocity: Vector3::zeros(),
            angular_velocity: Vector3::zeros(),
        }
    }
}

impl RigidMotion {
    /// Checks that all numbers are finite.
    pub(crate) fn check(&self) -> Result<(), Error> {
        check_finite("center", [&self.center.coords])?;
        check_finite("velocity", [&self.velocity])?;
        check_finite("angular velocity", [&self.angular_velocity])
    }

    /// Where a point of the body is at time `t`.
    ///
    /// ```
    /// use patch_ccd::RigidMotion;
    /// use nalgebra::{point, vector};
    /// let rolling = RigidMotion {
    ///     center: point![0.0, 0.0, 1.0],
    ///     velocity: vector![1.0, 0.0, 0.0],
    ///     angular_velocity: vector![0.0, 1.0, 0.0],
    /// };
    /// // The point at which a wheel touches the ground rests for a moment.
    /// let speed = (rolling.at(&point![0.0, 0.0, 0.0], 1e-6).x - 0.0) / 1e-6;
    /// assert!(speed.abs() < 1e-6);
    /// ```
    pub fn at(&self, point: &Point3<f64>, t: f64) -> Point3<f64> {
        let turn = Turn::new(self.angular_velocity, 1.0);
        let turned = apply(&turn.rotation(t), (point - self.center).into());
        self.center + self.velocity * t + Vector3::from(turned)
    }

    /// The same motion in the coordinates of a search: relative to `origin` and multiplied by
    /// `scale`, which is a power of two, over the horizon [0, 1] that stands for [0, t_max].
    pub(crate) fn scaled(&self, origin: Point3<f64>, scale: f64, t_max: f64) -> Screw {
        Screw {
            center: ((self.center - origin) * scale).into(),
            velocity: self
                .velocity
                .map(|x| scaled_product(x, t_max, scale))
                .into(),
            turn: Turn::new(self.angular_velocity, t_max),
            radius: 0.0,
        }
    }
}

/// A rotation at a constant rate about a fixed direction.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Turn {
    /// Of length 1, to rounding; 0 where nothing turns.
    axis: Vector,
    /// Radians in a unit of time.
    pub(crate) rate: f64,
}

type Rotation = [Vector; 3];

impl Turn {
    /// The rotation by t_max times the angular velocity in a unit of time.
    fn new(angular_velocity: Vector3<f64>, t_max: f64) -> Self {
        let largest = angular_velocity.amax();
        if largest == 0.0 {
            return Self::default();
        }
        // Quotients by the largest one, so that no square over- or underflows.
        let direction: Vector = (angular_velocity / largest).into();
        let length = length(direction);
        Self {
            axis: direction.map(|x| x / length),
            rate: length * largest * t_max,
        }
    }

    /// The rows of R at time `t`. Each number has an error of at most
    /// [`ROTATION_ROUNDINGS`](crate::rounding::ROTATION_ROUNDINGS) (1 + angle).
    fn rotation(&self, t: f64) -> Rotation {
        let angle = self.rate * t;
        let (sine, cosine) = if angle.abs() <= MAX_ANGLE {
            sin_cos(angle)
        } else {
            angle.sin_cos()
        };
        let [x, y, z] = self.axis;
        let [sx, sy, sz] = [sine * x, sine * y, sine * z];
        let rest = 1.0 - cosine;
        let [rx, ry, rz] = [rest * x, rest * y, rest * z];
        [
            [cosine + rx * x, rx * y - sz, rx * z + sy],
            [ry * x + sz, cosine + ry * y, ry * z - sx],
            [rz * x - sy, rz * y + sx, cosine + rz * z],
        ]
    }

    /// What `rate` × `rate` × the part of a direction across the axis is, rounded up: a bound on
    /// the acceleration along it of points at a distance of 1 from the axis.
    pub(crate) fn acceleration(&self, direction: Vector) -> f64 {
        let across = length(cross(direction, self.axis));
        let error = 8.0 * UNIT_ROUNDOFF * length(direction);
        (across + error) * self.rate * self.rate * (1.0 + 16.0 * UNIT_ROUNDOFF)
    }
}

/// A rotation applied to a vector.
#[inline]
fn apply(rotation: &Rotation, q: Vector) -> Vector {
    rotation.map(|row| dot(row, q))
}

/// The motion of a rigid body in the coordinates of a search. Its net is kept relative to the
/// center, and does not change.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Screw {
    pub(crate) center: Vector,
    pub(crate) velocity: Vector,
    pub(crate) turn: Turn,
    /// The largest distance of the net's points from the axis through the center, rounded up.
    pub(crate) radius: f64,
}

/// Where a rigid body is at one time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pose {
    pub(crate) rotation: Rotation,
    pub(crate) shift: Vector,
}

impl Screw {
    pub(crate) fn pose(&self, t: f64) -> Pose {
        let [c, v] = [self.center, self.velocity];
        Pose {
            rotation: self.turn.rotation(t),
            shift: std::array::from_fn(|k| c[k] + t * v[k]),
        }
    }

    /// A point of the body at time `t`, given where it is from the center, turned: its position is
    /// the start and its velocity the displacement.
    pub(crate) fn moved(&self, turned: Vector, t: f64) -> Trajectory {
        let (c, v, spin) = (self.center, self.velocity, self.spin(turned));
        Trajectory::new(
            std::array::from_fn(|k| c[k] + t * v[k] + turned[k]),
            std::array::from_fn(|k| v[k] + spin[k]),
        )
    }

    /// How fast a vector that turns with the body changes, given where it points.
    pub(crate) fn spin(&self, turned: Vector) -> Vector {
        cross(self.turn.axis, turned).map(|x| self.turn.rate * x)
    }

    /// The distance of a point of the net from the axis, rounded up.
    pub(crate) fn distance_from_axis(&self, q: Vector) -> f64 {
        let error = 8.0 * UNIT_ROUNDOFF * length(q);
        (length(cross(q, self.turn.axis)) + error) * LENGTH_FACTOR
    }
}

impl Pose {
    /// A point of the net, in space.
    #[inline]
    pub(crate) fn point(&self, q: Vector) -> Vector {
        let turned = apply(&self.rotation, q);
        std::array::from_fn(|k| self.shift[k] + turned[k])
    }

    /// A difference of two points of the net, in space.
    #[inline]
    pub(crate) fn direction(&self, q: Vector) -> Vector {
        apply(&self.rotation, q)
    }
}
