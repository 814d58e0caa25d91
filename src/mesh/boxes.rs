//! When can two things overlap at all? Boxes that move linearly.
//!
//! A box holds bounds at both ends of the horizon, and in between their linear interpolation. A point p + s d lies in it
//! throughout if it does at both ends; the boxes of a tree's nodes are joined the same way. Two such boxes are apart, at one
//! side of one axis, on an interval that is solved for: the inclusion test of the search, on three axes, before any control
//! point is looked at.
//!
//! Safe in floating point: bounds are rounded outwards, the sign of a difference of doubles is exact, and a crossing is a
//! quotient of two numbers whose relative errors are known.

use nalgebra::{Point3, Vector3};

/// A box that moves linearly from the start to the end of the horizon.
#[derive(Clone, Copy, Debug)]
pub(super) struct MovingBox {
    /// Lower bounds at the start and at the end.
    low: [[f64; 3]; 2],
    /// Upper bounds at the start and at the end.
    high: [[f64; 3]; 2],
}

impl MovingBox {
    const EMPTY: Self = Self {
        low: [[f64::INFINITY; 3]; 2],
        high: [[f64::NEG_INFINITY; 3]; 2],
    };

    /// The box of points that move from p to p + v · t_max, widened by `distance` on all sides.
    pub(super) fn around<'a>(
        points: impl Iterator<Item = (&'a Point3<f64>, &'a Vector3<f64>)>,
        t_max: f64,
        distance: f64,
    ) -> Self {
        let mut all = Self::EMPTY;
        for (p, v) in points {
            for c in 0..3 {
                let displacement = v[c] * t_max;
                let end = p[c] + displacement;
                // What is at rest is exact. Otherwise one rounding each of end − start, of the displacement, of the sum and of the
                // bound, u (|p| + |d|) or a subnormal step each, are covered by four.
                let error = if displacement == 0.0 {
                    0.0
                } else {
                    2.0 * f64::EPSILON * (p[c].abs() + displacement.abs()) + f64::from_bits(4)
                };
                all.include(0, c, p[c], p[c]);
                all.include(1, c, end - error, end + error);
            }
        }
        if distance > 0.0 {
            let lower = |x: f64| (x - distance).next_down();
            let upper = |x: f64| (x + distance).next_up();
            all.low = all.low.map(|end| end.map(lower));
            all.high = all.high.map(|end| end.map(upper));
        }
        all
    }

    fn include(&mut self, end: usize, c: usize, low: f64, high: f64) {
        self.low[end][c] = self.low[end][c].min(low);
        self.high[end][c] = self.high[end][c].max(high);
    }

    /// The least moving box around both.
    pub(super) fn join(&self, other: &Self) -> Self {
        let mut joined = *self;
        for end in 0..2 {
            for c in 0..3 {
                joined.include(end, c, other.low[end][c], other.high[end][c]);
            }
        }
        joined
    }

    /// Bounds at the start of the horizon.
    pub(super) fn at_start(&self) -> [[f64; 3]; 2] {
        [self.low[0], self.high[0]]
    }

    /// The time interval, in fractions of the horizon, outside of which the boxes are apart; `None` if they always are.
    #[inline]
    pub(super) fn overlap(&self, other: &Self) -> Option<[f64; 2]> {
        // Most pairs are apart throughout, or nowhere: no division for those.
        let mut crosses = false;
        let gaps = [[self, other], [other, self]].map(|[above, below]| {
            [0, 1, 2].map(|c| {
                let start = above.low[0][c] - below.high[0][c];
                let end = above.low[1][c] - below.high[1][c];
                crosses |= (start > 0.0) != (end > 0.0);
                [start, end]
            })
        });
        if gaps
            .as_flattened()
            .iter()
            .any(|&[start, end]| start > 0.0 && end > 0.0)
        {
            return None;
        }
        if !crosses {
            return Some([0.0, 1.0]);
        }
        let (mut entry, mut exit) = (0.0_f64, 1.0_f64);
        for &[start, end] in gaps.as_flattened() {
            if start > 0.0 {
                entry = entry.max(crossing(start, end));
            } else if end > 0.0 {
                exit = exit.min((1.0 - crossing(end, start)).next_up());
            }
        }
        (entry <= exit).then_some([entry, exit])
    }

    /// Half the surface of the box at the start of the horizon, each side divided by `scale`.
    pub(super) fn area(&self, scale: f64) -> f64 {
        let [low, high] = self.at_start();
        let [x, y, z] = std::array::from_fn(|c| high[c] / scale - low[c] / scale);
        x * y + y * z + z * x
    }
}

/// Where a linear function falls from `positive` to `other` ≤ 0 on [0, 1]: at this time or later.
fn crossing(positive: f64, other: f64) -> f64 {
    // Both differences are exact to u, their sum and the quotient add two roundings: 4 u = 2 ε, without cancellation.
    let at = positive / (positive - other) * (1.0 - 3.0 * f64::EPSILON);
    // NaN where the coordinates' difference overflows: no claim then.
    if at > f64::MIN_POSITIVE { at } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{point, vector};

    fn box_of(points: [Point3<f64>; 2], velocity: Vector3<f64>, distance: f64) -> MovingBox {
        let points = points.iter().map(|p| (p, &velocity));
        MovingBox::around(points, 1.0, distance)
    }

    fn unit(at: f64, velocity: Vector3<f64>) -> MovingBox {
        box_of(
            [point![at, 0.0, 0.0], point![at + 1.0, 1.0, 1.0]],
            velocity,
            0.0,
        )
    }

    #[test]
    fn boxes_that_pass_overlap_from_entry_to_exit() {
        let [entry, exit] = unit(-3.0, vector![8.0, 0.0, 0.0])
            .overlap(&unit(0.0, Vector3::zeros()))
            .unwrap();
        assert!(entry <= 0.25 && 0.25 - entry < 1e-14, "{entry}");
        assert!(exit >= 0.5 && exit - 0.5 < 1e-14, "{exit}");
    }

    #[test]
    fn boxes_that_sweep_the_same_place_at_different_times_do_not_overlap() {
        let early = unit(-1.5, vector![10.0, 0.0, 0.0]);
        let low = [point![0.0, -9.0, 0.0], point![1.0, -8.0, 1.0]];
        let late = box_of(low, vector![0.0, 10.0, 0.0], 0.0);
        assert!(early.overlap(&late).is_none() && late.overlap(&early).is_none());
    }

    #[test]
    fn touching_and_widened_boxes_overlap() {
        let rest = Vector3::zeros();
        assert_eq!(unit(0.0, rest).overlap(&unit(1.0, rest)), Some([0.0, 1.0]));
        let apart = [point![1.5, 0.0, 0.0], point![2.0, 1.0, 1.0]];
        assert!(unit(0.0, rest).overlap(&box_of(apart, rest, 0.0)).is_none());
        assert!(unit(0.0, rest).overlap(&box_of(apart, rest, 0.5)).is_some());
    }

    #[test]
    fn extreme_coordinates_make_no_claim() {
        let far = unit(-f64::MAX, vector![f64::MAX, 0.0, 0.0]);
        let near = unit(1e308, Vector3::zeros());
        assert!(far.overlap(&near).is_none_or(|[entry, _]| entry <= 1.0));
    }
}
