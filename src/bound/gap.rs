//! How far one axis separates one pair of pieces: where their gap crosses zero.

use crate::lanes::Lanes;

/// An axis to project on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    /// Direction, of size about 1.
    pub(crate) direction: [f64; 3],
    /// A gap, as computed, larger than this proves separation at the start and at the end of the
    /// interval: rounding errors and minimum separation. In between it changes linearly.
    pub(crate) margin: [f64; 2],
    /// The rounding errors alone.
    pub(crate) error: [f64; 2],
}

/// The gap of one pair on one side of one axis: the least projection of the piece above minus the
/// largest of the piece below, minus the margin.
pub(crate) struct Gap<'a> {
    pub(crate) above: Values<'a>,
    pub(crate) below: Values<'a>,
    pub(crate) axis: &'a Axis,
}

/// The projections of one child's control points at the start and at the end of the interval.
#[derive(Clone, Copy)]
pub(crate) struct Values<'a> {
    pub(crate) start: &'a [Lanes],
    pub(crate) end: &'a [Lanes],
    pub(crate) lane: usize,
}

/// Where the chord of a gap, `above` its margin by so much at the two ends of an interval, is one
/// error bound higher than that: the heights at the ends and, if one of them is positive, the
/// fraction of the interval. The extra error is for the roundings of this; see `CHORD_ROUNDINGS`,
/// which rests on the height at the *start* being the numerator: that is of the size of what is
/// there, even where the patches are much larger at the end.
#[inline(always)]
pub(crate) fn chord(above: [f64; 2], error: [f64; 2]) -> ([f64; 2], f64) {
    let [start, end] = [above[0] - error[0], above[1] - error[1]];
    ([start, end], start / (start - end))
}

/// Newton steps before a cut is given up. On a piecewise linear function each step lands on another
/// piece; more than a few are rare, and giving up only keeps a longer interval.
const NEWTON_STEPS: usize = 16;

impl Values<'_> {
    /// The least value (`sign` 1) or the largest (−1) at the fraction `r` of the interval, and its
    /// slope.
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

    /// The point farthest from `from`, where the gap is positive, towards `to`, where it is not, at
    /// which it is verified to be positive still.
    ///
    /// Newton's method for gap = error: the tangent at `from` overestimates a concave function, so
    /// its root lies beyond the gap's, and from there the iterates come back monotonically, through
    /// finitely many pieces.
    #[inline(always)]
    pub(super) fn crossing(&self, from: f64, to: f64) -> f64 {
        let [error, error_end] = self.axis.error;
        let error_slope = error_end - error;
        // The root of the tangent at r to gap − error.
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
