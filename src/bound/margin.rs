//! What must a gap on an axis exceed to prove separation? The minimum separation and all rounding
//! errors.
//!
//! Every proof rests on these margins, and they are put together here and nowhere else, from the
//! lemmas of [`crate::rounding`]: of each patch the errors of its nets are at most
//! `projection_error` times the extent of its coordinates; the minimum separation, times the length
//! of the axis, has its own.

use super::axes::{Direction, length_rounded_up};
use super::gap::Axis;
use crate::motion::Extent;
use crate::rounding::{SEPARATION_ROUNDINGS, UNDERFLOW, UNIT_ROUNDOFF, projection_error};
use crate::vector::Vector;

/// The errors of what is projected: along each coordinate axis, those of both patches together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CoordinateErrors(Vector);

impl CoordinateErrors {
    /// At time `t`, for patches of these extents and sub-patches after so many roundings of
    /// subdivision.
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

    /// Bound on the error of a gap on an axis, with `other` errors besides.
    #[inline]
    fn along(&self, direction: Direction, other: f64) -> f64 {
        let mut sum = other;
        for (coordinate, error) in direction.into_iter().zip(self.0) {
            sum += coordinate.abs() * error;
        }
        sum
    }

    /// Bound on the error of a gap on an axis.
    #[inline]
    pub(crate) fn of_gap(&self, direction: Direction) -> f64 {
        self.along(direction, UNDERFLOW)
    }

    /// Bound on the error of a gap on any axis of length 1, about: for tolerances, not for proofs.
    pub(crate) fn of_any_gap(&self) -> f64 {
        self.0[0] + self.0[1] + self.0[2]
    }
}

/// The margins of the axes on which two sub-patches are tested over an interval of time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Margins {
    /// At the start and at the end of the interval.
    errors: [CoordinateErrors; 2],
    min_separation: f64,
}

impl Margins {
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

    /// An axis with its margins at both ends of the interval.
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
