//! The corners of the polygon in floating point, with bounds on their errors.

use super::Simplices;
use crate::rounding::{UNDERFLOW, UNIT_ROUNDOFF, reciprocal_power_of_two, scaled_product};

type Point = [f64; 3];

/// The polygon's corners, scaled by a power of two to about 1, and the horizon to [0, 1].
#[derive(Debug)]
pub(super) struct Corners {
    /// At the start and at the end of the horizon; the first `count` are meant.
    ends: [[Point; 4]; 2],
    count: usize,
    /// What a coordinate, interpolated to any time in between, may differ from its exact value by.
    pub(super) error: Point,
    /// The largest coordinates at both ends.
    pub(super) reach: Point,
    /// The largest displacements.
    change: Point,
}

/// Where the origin is while time is in some interval and the polygon's plane holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Outside,
    Inside,
    Unknown,
}

impl Corners {
    pub(super) fn new(simplices: &Simplices<'_>) -> Self {
        let Simplices {
            views,
            corners,
            t_max,
            ..
        } = *simplices;
        let mut largest = 0.0_f64;
        for view in views {
            for (point, velocity) in view.points.iter().zip(view.velocities) {
                largest = largest.max(point.coords.amax()).max(velocity.amax() * t_max);
            }
        }
        // At most 1/2, so that no sum of four can overflow.
        let scale = if largest == 0.0 {
            1.0
        } else {
            0.25 * reciprocal_power_of_two(largest)
        };
        let count = corners.len();
        let mut ends = [[[0.0; 3]; 4]; 2];
        let mut speed = [0.0_f64; 3];
        let mut roundings = 0.0;
        let [one, two] = views;
        match (one.ends, two.ends) {
            (Some(one_end), Some(two_end)) if t_max == 1.0 => {
                for (k, &(i, j)) in corners.iter().enumerate() {
                    for c in 0..3 {
                        ends[0][k][c] = scale * two.points[j][c] - scale * one.points[i][c];
                        ends[1][k][c] = scale * two_end[j][c] - scale * one_end[i][c];
                    }
                }
            }
            _ => {
                // Velocity from two ends, and its product with the horizon.
                let rounded = [one, two].iter().any(|view| view.ends.is_some());
                roundings = f64::from(u8::from(rounded)) + f64::from(u8::from(t_max != 1.0));
                for (k, &(i, j)) in corners.iter().enumerate() {
                    for c in 0..3 {
                        let from = scale * two.points[j][c] - scale * one.points[i][c];
                        let [v, w] = [one.velocities[i][c], two.velocities[j][c]]
                            .map(|velocity| scaled_product(velocity, t_max, scale));
                        speed[c] = speed[c].max(v.abs()).max(w.abs());
                        ends[0][k][c] = from;
                        ends[1][k][c] = from + (w - v);
                    }
                }
            }
        }
        let (mut reach, mut change) = ([0.0_f64; 3], [0.0_f64; 3]);
        for (start, end) in ends[0].iter().zip(&ends[1]).take(count) {
            for c in 0..3 {
                reach[c] = reach[c].max(start[c].abs()).max(end[c].abs());
                change[c] = change[c].max((end[c] - start[c]).abs());
            }
        }
        // Of a start: its difference, u · reach. Of an end: that, or the start's, the displacement's with its
        // roundings, and the sum's: u (2 reach + 2 (1 + roundings) speed). Of the interpolation a + s (b − a): u · 5 reach. And one for
        // products of errors.
        let error = std::array::from_fn(|c| {
            UNIT_ROUNDOFF * (8.0 * reach[c] + 2.0 * (1.0 + roundings) * speed[c] * 1.01) + UNDERFLOW
        });
        Self {
            ends,
            count,
            error,
            reach,
            change,
        }
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// A corner at the start and at the end.
    pub(super) fn ends(&self, corner: usize) -> [Point; 2] {
        [self.ends[0][corner], self.ends[1][corner]]
    }

    /// All corners at a time.
    pub(super) fn at(&self, time: f64) -> [Point; 4] {
        std::array::from_fn(|k| {
            let [from, to] = self.ends(k);
            std::array::from_fn(|c| from[c] + time * (to[c] - from[c]))
        })
    }

    /// Where the origin is at all times that are no farther than `width` from this one.
    pub(super) fn origin(&self, time: f64, width: f64) -> Origin {
        let count = self.count;
        let corners = self.at(time);
        let corners = &corners[..count];
        // What a coordinate may differ from that at the time by, and how large it can be.
        let mut error = [0.0; 3];
        let mut reach = [0.0; 3];
        for c in 0..3 {
            error[c] = self.error[c] + width * self.change[c];
            let (low, high) = corners
                .iter()
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), corner| {
                    (low.min(corner[c]), high.max(corner[c]))
                });
            if low > error[c] || high < -error[c] {
                return Origin::Outside;
            }
            reach[c] = high.max(-low) + error[c];
        }
        let mut answer = Origin::Unknown;
        for k in 0..3 {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            // Two products, each of two factors with errors, and four roundings.
            let error = 2.0 * (reach[i] * error[j] + error[i] * reach[j])
                + 6.0 * UNIT_ROUNDOFF * reach[i] * reach[j]
                + UNDERFLOW;
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for (corner, p) in corners.iter().enumerate() {
                let q = &corners[if corner + 1 == count { 0 } else { corner + 1 }];
                let side = p[i] * q[j] - p[j] * q[i];
                low = low.min(side);
                high = high.max(side);
            }
            if low < -error && high > error {
                return Origin::Outside;
            }
            if low > error || high < -error {
                answer = Origin::Inside;
            }
        }
        answer
    }

    /// The coordinate planes, the one in which the polygon looks largest first.
    pub(super) fn axes_at(&self, time: f64) -> [usize; 3] {
        let corners = self.at(time);
        let area = |k: usize| {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            let side = |corner: usize| {
                let (p, q) = (corners[corner], corners[(corner + 1) % self.count]);
                p[i] * q[j] - p[j] * q[i]
            };
            (0..self.count).map(side).sum::<f64>().abs()
        };
        let areas = [0, 1, 2].map(area);
        let mut axes = [0, 1, 2];
        axes.sort_unstable_by(|&a, &b| areas[b].total_cmp(&areas[a]));
        axes
    }
}
