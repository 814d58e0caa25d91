//! How far does a path stray from a straight line? For boxes that move along lines.

use nalgebra::Point3;

use super::RigidMotion;
use super::polynomial::MAX_LAYERS;
use super::view::Motion;
use crate::rounding::{BEND_FACTOR, LAYER_ROUNDINGS, ROTATION_ROUNDINGS, UNDERFLOW, UNIT_ROUNDOFF};
use crate::vector::{Vector, length};

/// The path of a point over the horizon: at a fraction s it is at (1 − s) ends₀ + s ends₁, plus
/// something that lies, along each axis, between the two bounds of `beside`. They hold for the
/// exact path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NearLine {
    pub(crate) ends: [Vector; 2],
    pub(crate) beside: [[f64; 2]; 3],
}

impl Motion<'_> {
    /// The paths of points that move along polynomials, until `t_max`.
    ///
    /// A polynomial is the line through its first and last coefficient, plus the polynomial of what
    /// the others are beside that line, and lies between the least and the largest of these.
    pub(crate) fn layers_until(
        self,
        points: &[Point3<f64>],
        t_max: f64,
    ) -> impl Iterator<Item = NearLine> {
        let (growth, degree) = (self.growth(points.len(), t_max), self.degree(points.len()));
        let all = self.layers(points, Point3::origin(), 1.0, t_max);
        all.map(move |layers: [Vector; MAX_LAYERS]| {
            let ends = [layers[0], layers[degree]];
            let beside = std::array::from_fn(|c| {
                let [mut low, mut high, mut size] = [0.0_f64; 3];
                for (k, layer) in layers.iter().enumerate().take(degree + 1) {
                    let part = k as f64 / degree as f64;
                    let off = layer[c] - ((1.0 - part) * ends[0][c] + part * ends[1][c]);
                    (low, high) = (low.min(off), high.max(off));
                    size = size.max(layer[c].abs());
                }
                // The layers as they were given are no larger than these by the growth.
                let roundings = f64::from(LAYER_ROUNDINGS) * growth;
                let error = roundings * UNIT_ROUNDOFF * size + UNDERFLOW;
                [low - error, high + error]
            });
            NearLine { ends, beside }
        })
    }
}

impl RigidMotion {
    /// The paths of points of the body, until `t_max`.
    ///
    /// A point is on the line between its ends up to K t²/8, where K bounds its acceleration; and it
    /// is on the path of the center up to its distance from it. For each axis the better one is
    /// taken.
    pub(crate) fn paths_until(
        &self,
        points: &[Point3<f64>],
        t_max: f64,
    ) -> impl Iterator<Item = NearLine> {
        let screw = self.scaled(Point3::origin(), 1.0, t_max);
        let poses = [0.0, 1.0].map(|t| screw.pose(t));
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let acceleration = axes.map(|axis| screw.turn.acceleration(axis));
        points.iter().map(move |p| {
            let q: Vector = (p - self.center).into();
            let (distance, radius) = (length(q), screw.distance_from_axis(q));
            let turned = poses.map(|pose| pose.point(q));
            let center = poses.map(|pose| pose.shift);
            let mut ends = turned;
            let beside = std::array::from_fn(|c| {
                let bend = acceleration[c] * radius / 8.0 * BEND_FACTOR;
                let aside = if bend > distance {
                    for (end, center) in ends.iter_mut().zip(center) {
                        end[c] = center[c];
                    }
                    distance
                } else {
                    bend
                };
                let size = self.center[c].abs() + screw.velocity[c].abs();
                let size = size + (1.0 + screw.turn.rate) * distance;
                let error = f64::from(ROTATION_ROUNDINGS) * UNIT_ROUNDOFF * size + UNDERFLOW;
                [-(aside + error), aside + error]
            });
            NearLine { ends, beside }
        })
    }
}
