//! What must a computed gap on an axis exceed to prove separation?
//!
//! It must exceed the *margin*: the minimum separation, times the length of the axis, and a bound
//! on all rounding errors. Every proof rests on these margins, and they are put together here and
//! nowhere else, from the lemmas of [`crate::rounding`]. The error of a patch's projection is at
//! most `projection_error` times the largest coordinates of the patch, projected. The minimum
//! separation has rounding errors of its own.

use super::axes::{Direction, length_rounded_up};
use super::gap::Axis;
use crate::motion::Extent;
use crate::rounding::{SEPARATION_ROUNDINGS, UNDERFLOW, UNIT_ROUNDOFF, projection_error};
use crate::vector::Vector;

/// Bounds on the errors of what is projected: along each coordinate axis, the sum for both patches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CoordinateErrors(Vector);

impl CoordinateErrors {
    /// The bounds at time `t`, for two patches with these largest coordinates, and for sub-patches
    /// whose subdivision has taken this many roundings.
    #[inline]
    pub(crate) fn at(t: f64, extents: &[Extent; 2], roundings: [u32; 2]) -> Self {
        let mut sum = [0.0; 3];
        for (extent, roundings) in extents.iter().zip(roundings) {
            let (error, extent) = (projection_error(roundings), extent.at(t));
            for (sum, extent) in sum.iter_mut().zip(extent) {
                *sum += error * extent;
            }
        }
        Self(sum)
    }

    /// A bound on the error of a gap on an axis, where `other` bounds all other errors.
    #[inline]
    fn along(&self, direction: Direction, other: f64) -> f64 {
        let mut sum = other;
        for (coordinate, error) in direction.into_iter().zip(self.0) {
            sum += coordinate.abs() * error;
        }
        sum
    }

    /// A bound on the error of a gap on an axis.
    #[inline]
    pub(crate) fn of_gap(&self, direction: Direction) -> f64 {
        self.along(direction, UNDERFLOW)
    }

    /// A bound, except for rounding, on the error of a gap on any axis of length 1. It is for
    /// tolerances, not for proofs.
    pub(crate) fn of_any_gap(&self) -> f64 {
        self.0[0] + self.0[1] + self.0[2]
    }
}

/// The margins of the axes on which two sub-patches are tested over an interval of time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Margins {
    /// Those at the start and at the end of the interval.
    errors: [CoordinateErrors; 2],
    min_separation: f64,
}

impl Margins {
    /// The margins over an interval of time, for two patches with these largest coordinates, for
    /// sub-patches whose subdivision has taken this many roundings, and for a minimum separation in
    /// the coordinates of the search.
    #[inline]
    pub(crate) fn over(
        interval: [f64; 2],
        extents: &[Extent; 2],
        roundings: [u32; 2],
        min_separation: f64,
    ) -> Self {
        Self {
            errors: interval.map(|t| CoordinateErrors::at(t, extents, roundings)),
            min_separation,
        }
    }

    /// An axis along `direction`, with its margins at both ends of the interval.
    #[inline]
    pub(crate) fn axis(&self, direction: Direction) -> Axis {
        let separation = match self.min_separation {
            0.0 => 0.0,
            distance => distance * length_rounded_up(direction),
        };
        let other = SEPARATION_ROUNDINGS * UNIT_ROUNDOFF * separation + UNDERFLOW;
        let [start, end] = &self.errors;
        let error = [start.along(direction, other), end.along(direction, other)];
        Axis {
            direction,
            margin: [separation + error[0], separation + error[1]],
            error,
        }
    }
}
