//! Bounds of the boxes that move linearly, of the broad phase.

use super::UNIT_ROUNDOFF;

/// The end p + v t_max of a point, bounded from one side: end − start, displacement, sum and bound are a rounding each of numbers up
/// to |p| + |v t_max|; and one for those of higher order.
pub(crate) const BOX_ROUNDINGS: f64 = 1.0 + 1.0 + 1.0 + 1.0 + 1.0;

/// Underflow of the same: half of the least double for the product v t_max, and for that with [`BOX_ROUNDINGS`].
pub(crate) const BOX_UNDERFLOW: f64 = f64::from_bits(1);

/// How far from p + d, as computed, the end of a point may be, and still a bound be rounded.
pub(crate) fn box_error(p: f64, displacement: f64) -> f64 {
    BOX_ROUNDINGS * UNIT_ROUNDOFF * (p.abs() + displacement.abs()) + BOX_UNDERFLOW
}

/// Where a linear function g goes from g₀ > 0 to g₁ ≤ 0, g₀ / (g₀ − g₁): each of the two is a difference of doubles, with one
/// rounding. The quotient is 1 / (1 + |g₁| / g₀): two roundings of |g₁| / g₀, one of the sum, one of the quotient.
pub(crate) const QUOTIENT_ROUNDINGS: f64 = 2.0 + 1.0 + 1.0;

/// With the product by [`CROSSING_FACTOR`], and one for those of higher order.
pub(crate) const CROSSING_ROUNDINGS: f64 = QUOTIENT_ROUNDINGS + 1.0 + 1.0;

/// The computed quotient times this is not above the exact one.
pub(crate) const CROSSING_FACTOR: f64 = 1.0 - CROSSING_ROUNDINGS * UNIT_ROUNDOFF;

/// A crossing, as computed, is below the exact one by the factor above, the quotient's roundings, and that of their product at most.
/// Of two exact crossings in order, the first, as computed, is above the second one by no more; and here are a
/// product again, and one for those of higher order.
pub(crate) const ENTRY_ROUNDINGS: f64 = CROSSING_ROUNDINGS + QUOTIENT_ROUNDINGS + 1.0 + 1.0 + 1.0;

/// The entry into a box, as computed, times this is not after the entry, as computed, into any box in it.
pub(crate) const ENTRY_FACTOR: f64 = 1.0 - ENTRY_ROUNDINGS * UNIT_ROUNDOFF;
