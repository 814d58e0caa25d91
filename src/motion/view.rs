//! A patch in motion without its type: what a query reads of it.

use nalgebra::{Point3, Vector3};

use super::linear::Spread;
use super::nets::Track;
use super::polynomial::{MAX_LAYERS, restrict_cubic, restrict_quadratic, value_and_change};
use super::{RigidMotion, Trajectory};
use crate::Error;
use crate::geometry::{
    ControlNet, MAX_DEGREE, NormalNet, Shape, check_count, check_finite, check_weights, combine,
    weighted_basis,
};
use crate::rounding::{MAX_ANGLE, scaled_product};
use crate::vector::{Vector, minus};

/// A moving patch without its type: its shape, and slices with one element for each control point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MotionView<'a> {
    pub(crate) shape: Shape,
    /// At t = 0.
    pub(crate) points: &'a [Point3<f64>],
    pub(crate) motion: Motion<'a>,
    /// `None` if the patch is polynomial.
    pub(crate) weights: Option<&'a [f64]>,
}

/// How control points move.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Motion<'a> {
    Linear(LinearMotion<'a>),
    /// Along polynomials over [0, 1]: the layers after the first one, one after the other. The
    /// first one are the points at t = 0.
    Polynomial(&'a [Point3<f64>]),
    Rigid(&'a RigidMotion),
}

impl<'a> Motion<'a> {
    /// The velocities of points that move along lines.
    pub(crate) fn linear(&self) -> Option<LinearMotion<'a>> {
        match self {
            Self::Linear(motion) => Some(*motion),
            Self::Polynomial(_) | Self::Rigid(_) => None,
        }
    }

    /// Where these points are at time `t`.
    pub(crate) fn points_at(
        self,
        points: &'a [Point3<f64>],
        t: f64,
    ) -> impl Iterator<Item = Point3<f64>> {
        points.iter().enumerate().map(move |(k, p)| match self {
            Self::Linear(LinearMotion { velocities, .. }) => p + velocities[k] * t,
            Self::Polynomial(layers) => {
                let mut all = [[0.0; 3]; MAX_LAYERS];
                let later = layers.iter().skip(k).step_by(points.len());
                let mut count = 0;
                for (layer, p) in all.iter_mut().zip(std::iter::once(p).chain(later)) {
                    *layer = p.coords.into();
                    count += 1;
                }
                Point3::from(value_and_change(&all[..count], t).0)
            }
            Self::Rigid(rigid) => rigid.at(p, t),
        })
    }

    /// The degree in time of motion along polynomials, of this many points; 0 of other motion.
    pub(crate) fn degree(&self, count: usize) -> usize {
        match self {
            Self::Polynomial(layers) => layers.len() / count.max(1),
            Self::Linear(_) | Self::Rigid(_) => 0,
        }
    }

    /// How many times as large as its layers a motion along polynomials, of this many points, may
    /// be until `t_max`.
    pub(crate) fn growth(&self, count: usize, t_max: f64) -> f64 {
        growth(self.degree(count), t_max)
    }

    /// The layers of each point over the horizon [0, 1], which stands for [0, t_max]. There are
    /// none if the motion is not along polynomials. Coordinates are relative to `origin` and
    /// multiplied by `scale`, which is a power of two.
    pub(crate) fn layers(
        self,
        points: &[Point3<f64>],
        origin: Point3<f64>,
        scale: f64,
        t_max: f64,
    ) -> impl Iterator<Item = [Vector; MAX_LAYERS]> {
        let layers = match self {
            Self::Polynomial(layers) => layers,
            Self::Linear(_) | Self::Rigid(_) => &[],
        };
        let (count, degree) = (points.len(), self.degree(points.len()));
        let points = points.iter().take(layers.len()).enumerate();
        points.map(move |(k, &start)| {
            let scaled = |p: Point3<f64>| -> Vector { ((p - origin) * scale).into() };
            let layer = |layer: usize| match layer.min(degree) {
                0 => scaled(start),
                later => scaled(layers[(later - 1) * count + k]),
            };
            over([0, 1, 2, 3].map(layer), degree, t_max)
        })
    }

    /// A bound on the absolute values of the coordinates of these points, relative to `origin`, and
    /// of their displacements until `t_max`.
    pub(crate) fn magnitude(&self, points: &[Point3<f64>], origin: Point3<f64>, t_max: f64) -> f64 {
        let mut largest = 0.0_f64;
        match self {
            Self::Linear(LinearMotion { velocities, .. }) => {
                for (p, v) in points.iter().zip(*velocities) {
                    largest = largest.max((p - origin).amax()).max(v.amax() * t_max);
                }
            }
            Self::Polynomial(layers) => {
                for p in points.iter().chain(*layers) {
                    largest = largest.max((p - origin).amax());
                }
                largest *= growth(layers.len() / points.len().max(1), t_max);
            }
            Self::Rigid(rigid) => {
                let center = (rigid.center - origin).amax() + rigid.velocity.amax() * t_max;
                let distances = points.iter().map(|p| (p - rigid.center).norm());
                largest = center + distances.fold(0.0, f64::max);
            }
        }
        largest
    }

    /// Checks that points that do not move along lines stay within the range of doubles until
    /// `t_max`, with room for sums of some such numbers, and that a body does not turn too far.
    pub(crate) fn check_reach(&self, points: &[Point3<f64>], t_max: f64) -> Result<(), Error> {
        if let Self::Rigid(rigid) = self {
            let angle = rigid.angular_velocity.norm() * t_max;
            if angle.is_nan() || angle > MAX_ANGLE {
                return Err(Error::Angle { angle });
            }
        }
        let magnitude = self.magnitude(points, Point3::origin(), t_max);
        if magnitude < f64::MAX / 64.0 {
            return Ok(());
        }
        Err(Error::Reach { magnitude, t_max })
    }

    /// Refuses motion that is not along straight lines, for exact mode.
    pub(crate) fn check_linear(&self) -> Result<(), Error> {
        let motion = match self {
            Self::Linear(_) => return Ok(()),
            Self::Polynomial(_) => "motion along polynomials",
            Self::Rigid(_) => "a rigid body that turns",
        };
        Err(Error::NotLinear { motion })
    }
}

/// Motion along straight lines at constant velocity.
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
            motion: Motion::Linear(LinearMotion::none(points.len())),
            weights,
        }
    }

    /// The velocities of points that move along lines; of others there are none.
    pub(crate) fn velocities(&self) -> &'a [Vector3<f64>] {
        self.motion.linear().map_or(&[], |motion| motion.velocities)
    }

    /// Where points that move along lines are at t = 1, if the motion was given so.
    pub(crate) fn ends(&self) -> Option<&'a [Point3<f64>]> {
        self.motion.linear()?.ends
    }

    /// Checks what a user's own kind of patch may have wrong, and that the motion stays within the
    /// range of doubles until `t_max`.
    pub(crate) fn check(&self, t_max: f64) -> Result<(), Error> {
        self.shape.check_degrees()?;
        let expected = self.shape.count();
        let points = self.points.len();
        check_count("control points", &self.shape, expected, points)?;
        if let Some(weights) = self.weights {
            check_weights(self.shape, weights)?;
        }
        check_finite("control point", self.points.iter().map(|p| &p.coords))?;
        match self.motion {
            Motion::Linear(LinearMotion { velocities, .. }) => {
                check_count("velocities", &self.shape, expected, velocities.len())?;
                check_range(self.points, velocities, t_max)
            }
            Motion::Polynomial(layers) => {
                let degree = layers.len() / expected;
                check_count("layers", &self.shape, degree * expected, layers.len())?;
                self.motion.check_reach(self.points, t_max)
            }
            Motion::Rigid(_) => self.motion.check_reach(self.points, t_max),
        }
    }

    /// The same patch, at rest where it is at the start.
    pub(crate) fn at_start(&self) -> Self {
        Self {
            motion: Motion::Linear(LinearMotion::none(self.points.len())),
            ..*self
        }
    }

    /// A bound on the absolute values of the coordinates, relative to `origin`, and of the
    /// displacements until `t_max`.
    pub(crate) fn magnitude(&self, origin: Point3<f64>, t_max: f64) -> f64 {
        self.motion.magnitude(self.points, origin, t_max)
    }

    /// How many times as large as its layers a motion along polynomials may be until `t_max`.
    pub(crate) fn growth(&self, t_max: f64) -> f64 {
        self.motion.growth(self.points.len(), t_max)
    }

    /// How the control points move over the horizon [0, 1], which stands for [0, t_max].
    /// Coordinates are relative to `origin` and multiplied by `scale`, which is a power of two.
    pub(crate) fn track(&self, origin: Point3<f64>, scale: f64, t_max: f64) -> Track {
        match self.motion {
            Motion::Linear(_) => Track::Linear,
            Motion::Polynomial(layers) => Track::Polynomial(layers.len() / self.points.len()),
            Motion::Rigid(rigid) => {
                let mut screw = rigid.scaled(origin, scale, t_max);
                for point in self.points {
                    let q = ((point - rigid.center) * scale).into();
                    screw.radius = screw.radius.max(screw.distance_from_axis(q));
                }
                Track::Rigid(screw)
            }
        }
    }

    /// The trajectories of control points that move along lines, in these coordinates; of a rigid
    /// body their places relative to the center, at rest.
    pub(crate) fn trajectories(
        &self,
        origin: Point3<f64>,
        scale: f64,
        t_max: f64,
    ) -> impl Iterator<Item = Trajectory> {
        let (origin, velocities) = match self.motion {
            Motion::Linear(LinearMotion { velocities, .. }) => (origin, velocities),
            Motion::Rigid(rigid) => (
                rigid.center,
                LinearMotion::none(self.points.len()).velocities,
            ),
            Motion::Polynomial(_) => (origin, Default::default()),
        };
        let rows = self.points.iter().zip(velocities);
        rows.map(move |(p, v)| {
            let displacement = v.map(|x| scaled_product(x, t_max, scale));
            Trajectory::new(((p - origin) * scale).into(), displacement.into())
        })
    }

    /// The layers of each control point over the horizon, in these coordinates. There are none if
    /// the motion is not along polynomials.
    pub(crate) fn layers(
        &self,
        origin: Point3<f64>,
        scale: f64,
        t_max: f64,
    ) -> impl Iterator<Item = [Vector; MAX_LAYERS]> {
        self.motion.layers(self.points, origin, scale, t_max)
    }

    /// Bounds on all coordinates and velocities, from the control points in the coordinates of the
    /// search: boxes around the starts and around the velocities.
    pub(crate) fn spread(
        track: &Track,
        root: &[Trajectory],
        layers: &[[Vector; MAX_LAYERS]],
    ) -> Spread {
        match track {
            Track::Linear => Spread::of(root),
            Track::Polynomial(degree) => {
                let mut spread = Spread::new();
                for layers in layers {
                    for k in 0..*degree {
                        let step = minus(layers[k + 1], layers[k]);
                        let velocity = step.map(|x| *degree as f64 * x);
                        spread.include(layers[0], velocity);
                    }
                }
                spread
            }
            Track::Rigid(screw) => {
                let mut spread = Spread::new();
                let pose = screw.pose(0.0);
                for point in root {
                    let speed = screw.turn.rate.abs() * screw.distance_from_axis(point.start());
                    let start = pose.point(point.start());
                    for sign in [-1.0, 1.0] {
                        spread.include(start, screw.velocity.map(|v| v + sign * speed));
                    }
                }
                spread
            }
        }
    }

    /// The control points at time `t`.
    pub(crate) fn net_at(&self, t: f64) -> ControlNet {
        self.motion.points_at(self.points, t).collect()
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
        let track = self.track(origin, scale, t);
        let net: ControlNet = match &track {
            Track::Linear => {
                let net = self.trajectories(origin, scale, t);
                net.map(|point| Point3::from(point.at(1.0))).collect()
            }
            Track::Polynomial(degree) => {
                let net = self.layers(origin, scale, t);
                net.map(|layers| Point3::from(layers[*degree])).collect()
            }
            Track::Rigid(screw) => {
                let (pose, net) = (screw.pose(1.0), self.trajectories(origin, scale, t));
                net.map(|point| Point3::from(pose.point(point.start())))
                    .collect()
            }
        };
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

/// How many times as large as its layers a polynomial may be until `t_max`, and the averages with
/// which it is computed.
fn growth(degree: usize, t_max: f64) -> f64 {
    (2.0 * t_max - 1.0).max(1.0).powi(degree as i32)
}

/// The layers over [0, t_max].
fn over(mut layers: [Vector; MAX_LAYERS], degree: usize, t_max: f64) -> [Vector; MAX_LAYERS] {
    let (start, end) = ([1.0, 0.0], [1.0 - t_max, t_max]);
    for c in 0..3 {
        let column = layers.map(|layer| layer[c]);
        let [x, y, z, w] = column;
        let column = match degree {
            0 => column,
            1 => [x, end[0] * x + end[1] * y, 0.0, 0.0],
            2 => {
                let [x, y, z] = restrict_quadratic([x, y, z], start, end);
                [x, y, z, z]
            }
            _ => restrict_cubic([x, y, z, w], start, end),
        };
        for (layer, x) in layers.iter_mut().zip(column) {
            layer[c] = x;
        }
    }
    layers
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
