//! The gap of one pair of pieces on one axis, and where it crosses zero.
//!
//! Fractions of an interval of time are written r: 0 is its start and 1 its end.

use crate::lanes::Lanes;

/// An axis to project on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    /// Any direction whose largest coordinate is about 1.
    pub(crate) direction: [f64; 3],
    /// A computed gap that is larger than this proves separation: a bound on the rounding errors
    /// and the minimum separation. One number for the start of the interval and one for its end; it
    /// changes linearly between them.
    pub(crate) margin: [f64; 2],
    /// The part of the margin that bounds rounding errors, at the start and at the end.
    pub(crate) error: [f64; 2],
}

/// The gap of one pair on one axis, with one piece above the other: the least projection of the
/// piece above, minus the largest projection of the piece below, minus the margin.
pub(crate) struct Gap<'a> {
    pub(crate) above: Values<'a>,
    pub(crate) below: Values<'a>,
    pub(crate) axis: &'a Axis,
}

/// The projections of one child's control points at the start and at the end of the interval. The
/// slices hold those of all four children; `lane` is the number of this one.
#[derive(Clone, Copy)]
pub(crate) struct Values<'a> {
    pub(crate) start: &'a [Lanes],
    pub(crate) end: &'a [Lanes],
    pub(crate) lane: usize,
}

/// The chord of a gap, lowered by one error bound, and its root.
///
/// `above` says by how much the gap exceeds its margin at the start and at the end of an interval,
/// and `error` is the error bound there. Returns the values of the lowered chord at both ends, and
/// the fraction of the interval at which it is zero, which means something only if one of these
/// values is positive and the other one is not.
///
/// The second error bound is there for the roundings of this function: see
/// [`CHORD_ROUNDINGS`](crate::rounding::CHORD_ROUNDINGS). That lemma requires the value at the
/// *start* as the numerator, since it is of the size of the patches at the start, even if they are
/// much larger at the end.
#[inline(always)]
pub(crate) fn chord(above: [f64; 2], error: [f64; 2]) -> ([f64; 2], f64) {
    let [start, end] = [above[0] - error[0], above[1] - error[1]];
    ([start, end], start / (start - end))
}

/// How many points Newton's method tries before it gives up. The gap is piecewise linear, and each
/// step goes on to another piece, so more than a few steps are rare. Giving up is safe: the
/// interval is then cut at the root of the chord only.
const NEWTON_STEPS: usize = 16;

impl Values<'_> {
    /// The least projection (`sign` 1) or the largest one (`sign` −1) at the fraction `r` of the
    /// interval, and its slope.
    #[inline(always)]
    pub(crate) fn extreme(&self, r: f64, sign: f64) -> (f64, f64) {
        let (mut least, mut least_slope) = (f64::INFINITY, 0.0);
        for (start, end) in self.start.iter().zip(self.end) {
            let start = start[self.lane];
            let slope = end[self.lane] - start;
            let value = sign * (start + r * slope);
            let less = value < least;
            least = if less { value } else { least };
            least_slope = if less { slope } else { least_slope };
        }
        (sign * least, least_slope)
    }
}

impl Gap<'_> {
    /// The gap and its slope at the fraction `r` of the interval.
    #[inline(always)]
    pub(crate) fn at(&self, r: f64) -> (f64, f64) {
        let (least, least_slope) = self.above.extreme(r, 1.0);
        let (most, most_slope) = self.below.extreme(r, -1.0);
        let [margin, margin_end] = self.axis.margin;
        let margin_slope = margin_end - margin;
        (
            least - most - (margin + r * margin_slope),
            least_slope - most_slope - margin_slope,
        )
    }

    /// A fraction of the interval up to which the gap is positive: as far from `from`, where the
    /// gap is positive, towards `to`, where it is not, as Newton's method finds. The computed gap
    /// is positive at the returned fraction; by concavity so is the gap on the way to it.
    ///
    /// Newton's method solves gap = error. The gap is concave, so its tangent at `from` lies above
    /// it, and the root of the tangent lies beyond the root of the gap. From there the iterates
    /// come back monotonically, through finitely many linear pieces. The first one with a positive
    /// gap is returned, or `from` if there is none.
    #[inline(always)]
    pub(super) fn crossing(&self, from: f64, to: f64) -> f64 {
        let [error, error_end] = self.axis.error;
        let error_slope = error_end - error;
        // The root of the tangent of gap − error at r.
        let tangent_root = |r: f64, gap: f64, slope: f64| {
            r - (gap - (error + r * error_slope)) / (slope - error_slope)
        };
        let (low, high) = if from < to { (from, to) } else { (to, from) };
        let (gap, slope) = self.at(from);
        let mut r = tangent_root(from, gap, slope);
        if !(r > low && r < high) {
            r = to;
        }
        for _ in 0..NEWTON_STEPS {
            let (value, slope) = self.at(r);
            if value > 0.0 {
                return r;
            }
            r = tangent_root(r, value, slope);
            if !(r > low && r < high) {
                break;
            }
        }
        from
    }
}
