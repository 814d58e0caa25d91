//! When can two things overlap at all? Bounding boxes that move linearly.
//!
//! A box holds bounds at both ends of the horizon, and in between their linear interpolation. A
//! point p + s d lies in it throughout if it does at both ends; the boxes of a tree's nodes are
//! joined the same way. On each side of each axis, two such boxes are apart in a time interval that
//! is solved for. This is the inclusion test of the search, on three axes, before any control point
//! is looked at.
//!
//! It is safe in floating point: bounds are rounded outwards, the sign of a difference of doubles
//! is exact, and a crossing is a quotient of two numbers whose relative errors are known.

use nalgebra::{Point3, Vector3};

use crate::motion::{LinearMotion, MotionOfView, NearLine};
use crate::rounding::boxes::{CROSSING_FACTOR, ENTRY_FACTOR, box_error};
use crate::rounding::gaps_length_rounded_down;
use crate::vector::BoundingBox;

/// A bounding box that moves linearly from the start to the end of the horizon.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovingBox {
    /// The box at the start and that at the end.
    ends: [BoundingBox; 2],
}

impl MovingBox {
    const EMPTY: Self = Self {
        ends: [BoundingBox::EMPTY; 2],
    };

    /// The box around points that move from p to p + v · t_max, widened by `distance` on all sides.
    pub(crate) fn around<'a>(
        points: impl Iterator<Item = (&'a Point3<f64>, &'a Vector3<f64>)>,
        t_max: f64,
        distance: f64,
    ) -> Self {
        let mut all = Self::EMPTY;
        for (p, v) in points {
            for c in 0..3 {
                let displacement = v[c] * t_max;
                let end = p[c] + displacement;
                // What is at rest is exact. (A displacement that underflows is not at rest.)
                let error = if v[c] == 0.0 || t_max == 0.0 {
                    0.0
                } else {
                    box_error(p[c], displacement)
                };
                all.include(0, c, p[c], p[c]);
                all.include(1, c, end - error, end + error);
            }
        }
        all.widened(distance)
    }

    /// The box around points that move in any way until `t_max`.
    pub(crate) fn along(motion: MotionOfView<'_>, points: &[Point3<f64>], t_max: f64) -> Self {
        let mut all = Self::EMPTY;
        match motion {
            MotionOfView::Linear(LinearMotion { velocities, .. }) => {
                return Self::around(points.iter().zip(velocities), t_max, 0.0);
            }
            MotionOfView::Polynomial(_) => {
                for path in motion.layers_until(points, t_max) {
                    all.include_path(&path);
                }
            }
            MotionOfView::Rigid(rigid) => {
                for path in rigid.paths_until(points, t_max) {
                    all.include_path(&path);
                }
            }
        }
        all
    }

    /// Takes in a point that is within `beside` of the line from one end to the other.
    fn include_path(&mut self, path: &NearLine) {
        for (end, place) in path.ends.iter().enumerate() {
            for (c, (x, [low, high])) in place.iter().zip(path.beside).enumerate() {
                self.include(end, c, (x + low).next_down(), (x + high).next_up());
            }
        }
    }

    /// The box widened by `distance` on all sides.
    pub(crate) fn widened(mut self, distance: f64) -> Self {
        if distance > 0.0 {
            for end in &mut self.ends {
                end.low = end.low.map(|x| (x - distance).next_down());
                end.high = end.high.map(|x| (x + distance).next_up());
            }
        }
        self
    }

    fn include(&mut self, end: usize, c: usize, low: f64, high: f64) {
        let end = &mut self.ends[end];
        end.low[c] = end.low[c].min(low);
        end.high[c] = end.high[c].max(high);
    }

    /// The smallest moving box around both.
    pub(crate) fn join(&self, other: &Self) -> Self {
        let mut joined = *self;
        for end in 0..2 {
            for c in 0..3 {
                joined.include(end, c, other.ends[end].low[c], other.ends[end].high[c]);
            }
        }
        joined
    }

    /// Bounds at the start of the horizon.
    pub(crate) fn at_start(&self) -> BoundingBox {
        self.ends[0]
    }

    /// A lower bound on the distance of the boxes at the start.
    pub(crate) fn distance(&self, other: &Self) -> f64 {
        gaps_length_rounded_down(self.ends[0].gaps(&other.ends[0]))
    }

    /// The time interval, in fractions of the horizon, outside of which the boxes are apart; `None`
    /// if they always are.
    #[inline]
    pub(crate) fn overlap(&self, other: &Self) -> Option<[f64; 2]> {
        // Most pairs are apart throughout, or nowhere: no division for those.
        let mut crosses = false;
        let gaps = [[self, other], [other, self]].map(|[above, below]| {
            [0, 1, 2].map(|c| {
                let start = above.ends[0].low[c] - below.ends[0].high[c];
                let end = above.ends[1].low[c] - below.ends[1].high[c];
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
    pub(crate) fn area(&self, scale: f64) -> f64 {
        let BoundingBox { low, high } = self.at_start();
        let [x, y, z] = std::array::from_fn(|c| high[c] / scale - low[c] / scale);
        x * y + y * z + z * x
    }
}

/// No pair of boxes within two boxes that first overlap at `entry` does so before this time.
///
/// A box around others meets no later than these, but for the roundings of the crossings.
#[inline]
pub(crate) fn earliest_entry(entry: f64) -> f64 {
    let entry = entry * ENTRY_FACTOR;
    // So small a crossing may have been taken for 0.
    if entry > f64::MIN_POSITIVE {
        entry
    } else {
        0.0
    }
}

/// Where a linear function falls from `positive` to `other` ≤ 0 on [0, 1]: at this time or later.
fn crossing(positive: f64, other: f64) -> f64 {
    let at = positive / (positive - other) * CROSSING_FACTOR;
    // It is NaN where the difference of the coordinates overflows, and claims nothing then.
    if at > f64::MIN_POSITIVE { at } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proofs::{Dyadic, Random, cases, exact};
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
    fn gaps_that_overflow_make_no_claim() {
        // They meet at the end of the horizon, after a gap of 2 · MAX.
        let left = unit(-f64::MAX, vector![f64::MAX, 0.0, 0.0]);
        let right = unit(f64::MAX, vector![-f64::MAX, 0.0, 0.0]);
        assert_eq!(left.overlap(&right), Some([0.0, 1.0]));
        assert_eq!(right.overlap(&left), Some([0.0, 1.0]));
    }

    /// Whether the box of one point, which ends exactly at `end`, holds it there.
    fn holds(p: f64, v: f64, t_max: f64, distance: f64, end: &Dyadic) -> bool {
        let (p, v) = (Point3::new(p, 0.0, 0.0), vector![v, 0.0, 0.0]);
        let bounds = MovingBox::around(std::iter::once((&p, &v)), t_max, distance);
        let (low, high) = (bounds.ends[1].low[0], bounds.ends[1].high[0]);
        let distance = exact(distance);
        (low == f64::NEG_INFINITY || exact(low) <= end.clone() - distance.clone())
            && (high == f64::INFINITY || exact(high) >= end.clone() + distance)
    }

    #[test]
    fn boxes_hold_the_exact_ends_of_their_points() {
        let mut random = Random::new(40);
        for case in 0..cases(5000) {
            let near_one = |random: &mut Random| 1.0 + 0.1 * random.unit();
            let power = |random: &mut Random, k: usize| 0.5_f64.powi(random.below(k) as i32);
            let (p, q, t_max) = match case % 4 {
                0 => (random.wild(), random.wild(), random.wild().abs()),
                1 => (random.sign(), random.sign(), random.unit()),
                // Here an error is as large as it gets, relative to the bound.
                2 => (
                    -power(&mut random, 60),
                    near_one(&mut random),
                    near_one(&mut random),
                ),
                _ => (
                    random.sign() * power(&mut random, 1074),
                    random.sign() * power(&mut random, 1074),
                    random.unit() * power(&mut random, 1074),
                ),
            };
            let distance = [0.0, 0.1 * random.unit() * power(&mut random, 100)][case / 4 % 2];
            // A point from p to q, at the time 1, and one from p at the speed q.
            let [between, at_speed] = [q - p, q];
            if !(p + between * t_max).is_finite() || !(p + at_speed * t_max).is_finite() {
                continue;
            }
            let end = exact(p) + (exact(q) - exact(p)) * exact(t_max);
            assert!(
                holds(p, between, t_max, distance, &end),
                "{p:e} to {q:e}, {t_max:e}"
            );
            let end = exact(p) + exact(q) * exact(t_max);
            assert!(
                holds(p, at_speed, t_max, distance, &end),
                "{p:e} at {q:e}, {t_max:e}"
            );
        }
    }

    /// Two points that meet half a least double from where each of them starts, though v t_max
    /// underflows to 0.
    #[test]
    fn a_displacement_that_underflows_is_not_at_rest() {
        let (v, t_max) = (2.0_f64.powi(-537), 2.0_f64.powi(-538));
        let least = f64::from_bits(1);
        assert_eq!(v * t_max, 0.0);
        assert!(holds(0.0, v, t_max, 0.0, &(exact(v) * exact(t_max))));
        let point = |x: f64, v: f64| {
            let (p, v) = (Point3::new(x, 0.0, 0.0), vector![v, 0.0, 0.0]);
            MovingBox::around(std::iter::once((&p, &v)), t_max, 0.0)
        };
        let meeting = point(0.0, v).overlap(&point(least, -v));
        assert!(meeting.is_some_and(|[_, exit]| exit == 1.0), "{meeting:?}");
    }

    /// The exact crossing is g₀ / (g₀ − g₁) for gaps that are differences of doubles.
    #[test]
    fn crossings_are_never_after_the_exact_ones_and_keep_their_order() {
        let mut random = Random::new(41);
        for case in 0..cases(20_000) {
            let sizes = [1.0, 0.5_f64.powi(random.below(1074) as i32)][case % 2];
            let mut bound = || sizes * random.sign();
            let gap = |low: f64, high: f64| (low - high, exact(low) - exact(high));
            let (start, exact_start) = gap(bound(), bound());
            let (end, exact_end) = gap(bound(), bound());
            if !(start > 0.0 && end <= 0.0) {
                continue;
            }
            let found = crossing(start, end);
            let whole = exact_start.clone() - exact_end;
            assert!(
                exact(found) * whole.clone() <= exact_start,
                "{start:e}, {end:e}"
            );
            // Of a box within another one the gaps are larger, perhaps by a rounding only.
            let (start, end) = (
                [start, start.next_up()][case / 2 % 2],
                [end, end.next_up().min(0.0)][case / 4 % 2],
            );
            let inner = crossing(start, end);
            let outer = earliest_entry(found);
            assert!(outer <= inner, "{outer:e} after {inner:e}");
            // But not by more than it takes.
            assert!(outer >= found - 1e-14 * found.abs() - f64::MIN_POSITIVE);
        }
    }
}
