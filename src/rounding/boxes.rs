//! Error bounds of the broad phase, whose boxes move linearly.

use super::UNIT_ROUNDOFF;

/// Roundings of a bound on the end p + v t_max of a point, relative to |p| + |v t_max|:
/// end − start, the displacement, the sum and the bound itself have one each, and one is for those
/// of higher order.
pub(crate) const BOX_ROUNDINGS: f64 = 1.0 + 1.0 + 1.0 + 1.0 + 1.0;

/// Underflow of that bound: half of the least double for the product v t_max, and half of it for
/// the product with [`BOX_ROUNDINGS`].
pub(crate) const BOX_UNDERFLOW: f64 = f64::from_bits(1);

/// An error bound e for the end of a point: the exact end lies between p + d − e and p + d + e as
/// computed, where d is the displacement.
pub(crate) fn box_error(p: f64, displacement: f64) -> f64 {
    BOX_ROUNDINGS * UNIT_ROUNDOFF * (p.abs() + displacement.abs()) + BOX_UNDERFLOW
}

/// A linear function that goes from g₀ > 0 to g₁ ≤ 0 is zero at the *crossing* g₀ / (g₀ − g₁). Each
/// gᵢ is a difference of doubles, with one rounding. The quotient equals 1 / (1 + |g₁| / g₀), so
/// its roundings are two of |g₁| / g₀, one of the sum and one of the quotient.
pub(crate) const QUOTIENT_ROUNDINGS: f64 = 2.0 + 1.0 + 1.0;

/// Roundings of a crossing that is multiplied by [`CROSSING_FACTOR`]: those of the quotient, one of
/// this product, and one for those of higher order.
pub(crate) const CROSSING_ROUNDINGS: f64 = QUOTIENT_ROUNDINGS + 1.0 + 1.0;

/// The computed quotient times this factor is not above the exact crossing.
pub(crate) const CROSSING_FACTOR: f64 = 1.0 - CROSSING_ROUNDINGS * UNIT_ROUNDOFF;

/// For exact crossings x ≤ y the computed ones satisfy x̂ (1 − 13u) ≤ ŷ, product rounded.
///
/// x̂ is not above x, and so not above y. ŷ is below y by no more than [`CROSSING_ROUNDINGS`] in
/// its factor, [`QUOTIENT_ROUNDINGS`], and one of their product. One rounding is for the product
/// with [`ENTRY_FACTOR`], and one for those of higher order.
pub(crate) const ENTRY_ROUNDINGS: f64 = CROSSING_ROUNDINGS + QUOTIENT_ROUNDINGS + 1.0 + 1.0 + 1.0;

/// The computed entry into a box times this factor is not after the computed entry into any box
/// inside it.
pub(crate) const ENTRY_FACTOR: f64 = 1.0 - ENTRY_ROUNDINGS * UNIT_ROUNDOFF;
