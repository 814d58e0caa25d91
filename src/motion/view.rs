//! A patch in motion without its type: what a query reads of it.

use nalgebra::{Point3, Vector3};

use super::Trajectory;
use crate::Error;
use crate::geometry::{
    ControlNet, MAX_DEGREE, NormalNet, Shape, check_count, check_finite, check_weights, combine,
    weighted_basis,
};
use crate::rounding::scaled_product;

/// A moving patch without its type: its shape, and slices with one element for each control point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MotionView<'a> {
    pub(crate) shape: Shape,
    /// At t = 0.
    pub(crate) points: &'a [Point3<f64>],
    pub(crate) motion: LinearMotion<'a>,
    /// `None` if the patch is polynomial.
    pub(crate) weights: Option<&'a [f64]>,
}

/// How control points move: along straight lines at constant velocity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinearMotion<'a> {
    /// Per unit of time.
    pub(crate) velocities: &'a [Vector3<f64>],
    /// The points at t = 1, if the motion was given by them. The velocities are then rounded
    /// differences, and only exact mode reads these points.
    pub(crate) ends: Option<&'a [Point3<f64>]>,
}

impl<'a> LinearMotion<'a> {
    pub(crate) fn with_velocities(velocities: &'a [Vector3<f64>]) -> Self {
        Self {
            velocities,
            ends: None,
        }
    }

    /// No motion, of as many control points as a patch may have.
    pub(crate) fn none(count: usize) -> Self {
        /// For the highest degree in both directions.
        const MOST: usize = (MAX_DEGREE + 1) * (MAX_DEGREE + 1);
        static STILL: [Vector3<f64>; MOST] = [Vector3::new(0.0, 0.0, 0.0); MOST];
        Self::with_velocities(&STILL[..count.min(MOST)])
    }
}

impl<'a> MotionView<'a> {
    /// A patch that does not move.
    pub(crate) fn resting(
        shape: Shape,
        points: &'a [Point3<f64>],
        weights: Option<&'a [f64]>,
    ) -> Self {
        Self {
            shape,
            points,
            motion: LinearMotion::none(points.len()),
            weights,
        }
    }

    /// Checks what a user's own kind of patch may have wrong, and that the motion stays within the
    /// range of doubles until `t_max`.
    pub(crate) fn check(&self, t_max: f64) -> Result<(), Error> {
        self.shape.check_degrees()?;
        let expected = self.shape.count();
        let points = self.points.len();
        check_count("control points", &self.shape, expected, points)?;
        check_count(
            "velocities",
            &self.shape,
            expected,
            self.motion.velocities.len(),
        )?;
        if let Some(weights) = self.weights {
            check_weights(self.shape, weights)?;
        }
        check_finite("control point", self.points.iter().map(|p| &p.coords))?;
        check_range(self.points, self.motion.velocities, t_max)
    }

    /// The largest absolute value among the coordinates at t = 0, relative to `origin`, and the
    /// displacements until `t_max`.
    pub(crate) fn magnitude(&self, origin: Point3<f64>, t_max: f64) -> f64 {
        let mut largest = 0.0_f64;
        for (p, v) in self.points.iter().zip(self.motion.velocities) {
            largest = largest.max((p - origin).amax()).max(v.amax() * t_max);
        }
        largest
    }

    /// The trajectories of the control points over the horizon [0, 1], which stands for [0, t_max].
    /// Coordinates are relative to `origin` and multiplied by `scale`, which is a power of two.
    pub(crate) fn trajectories(
        &self,
        origin: Point3<f64>,
        scale: f64,
        t_max: f64,
    ) -> impl Iterator<Item = Trajectory> {
        let rows = self.points.iter().zip(self.motion.velocities);
        rows.map(move |(p, v)| {
            let displacement = v.map(|x| scaled_product(x, t_max, scale));
            Trajectory::new(((p - origin) * scale).into(), displacement.into())
        })
    }

    /// The control points at time `t`.
    pub(crate) fn net_at(&self, t: f64) -> ControlNet {
        let rows = self.points.iter().zip(self.motion.velocities);
        rows.map(|(p, v)| p + v * t).collect()
    }

    /// The point S(u, v, t).
    pub(crate) fn eval(&self, u: f64, v: f64, t: f64) -> Point3<f64> {
        let basis = weighted_basis(self.shape, self.weights, u, v);
        Point3::from(combine(&basis, &self.net_at(t)))
    }

    /// The same relative to `origin`, and multiplied by `scale`, which is a power of two.
    pub(crate) fn eval_scaled(
        &self,
        origin: Point3<f64>,
        scale: f64,
        u: f64,
        v: f64,
        t: f64,
    ) -> Vector3<f64> {
        let basis = weighted_basis(self.shape, self.weights, u, v);
        let net = self.trajectories(origin, scale, t);
        let net: ControlNet = net.map(|point| Point3::from(point.at(1.0))).collect();
        combine(&basis, &net)
    }

    /// What the normals at time `t` are computed from, given the control points then.
    pub(crate) fn normal_net<'n>(&'n self, net: &'n [Point3<f64>], t: f64) -> NormalNet<'n> {
        NormalNet {
            shape: self.shape,
            points: net,
            weights: self.weights,
            magnitude: self.magnitude(Point3::origin(), t.abs()),
        }
    }
}

/// Checks that p + v t_max and v t_max are finite for all points p and their velocities v.
/// Otherwise the error is [`Error::Overflow`].
pub(crate) fn check_range(
    points: &[Point3<f64>],
    velocities: &[Vector3<f64>],
    t_max: f64,
) -> Result<(), Error> {
    for (index, (point, velocity)) in points.iter().zip(velocities).enumerate() {
        for (coordinate, &value) in velocity.iter().enumerate() {
            let displacement = value * t_max;
            if !(displacement.is_finite() && (point[coordinate] + displacement).is_finite()) {
                return Err(Error::Overflow {
                    index,
                    coordinate,
                    value,
                    t_max,
                });
            }
        }
    }
    Ok(())
}
