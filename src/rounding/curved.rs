//! Errors of motion that is not along straight lines.
//!
//! For such a patch E is a constant: its numbers M bound the coordinates at all times of the
//! horizon, and have the largest speed added, so that a time that is off by c roundings still
//! counts as c roundings of E ([`TIME_ROUNDINGS`](super::TIME_ROUNDINGS)).

use super::SIN_COS_ROUNDINGS;

/// Roundings of an average (1 − t) x + t y of two numbers: 1 − t, a product and the sum.
pub(crate) const TIME_AVERAGE_ROUNDINGS: u32 = 3;

/// Averages one after the other that make a layer over an interval: the degree in time.
const TIME_AVERAGES: u32 = 3;

/// Roundings of the Bernstein coefficient of a projection, besides those of its layer: writing it
/// with a higher degree takes two products and a sum, one of the factors is a rounded third, and
/// half a sum less the bend takes as many.
pub(crate) const COEFFICIENT_ROUNDINGS: u32 = 4;

/// Roundings of a layer over the horizon, and of what it is beside a line.
#[cfg(feature = "mesh")]
pub(crate) const LAYER_ROUNDINGS: u32 = TIME_AVERAGES * TIME_AVERAGE_ROUNDINGS + 8;

/// Roundings of a projection of layers: over the horizon, and from there over an interval.
///
/// Beyond t = 1 the weights of averages add up to more than 1 in size. The bound M of a polynomial
/// is multiplied by as much.
pub(crate) const POLYNOMIAL_ROUNDINGS: u32 =
    2 * TIME_AVERAGES * TIME_AVERAGE_ROUNDINGS + COEFFICIENT_ROUNDINGS;

/// Roundings of a turned vector q, relative to (1 + angle) |q|.
///
/// The axis, ω by its length, has 2 of the length and 1 each of two quotients: ε = 4. The angle has
/// 3 of the length, its products with the largest coordinate and t_max and with t: 6 of itself, and
/// the rotation changes by no more than the angle does. Entries of the matrix are cos + (1 − cos)
/// kᵢ kⱼ ± sin kₗ: sine and cosine have [`SIN_COS_ROUNDINGS`], 1 − cos one more of 2, k² two ε, and
/// there are three products and two sums: less than 5 + 2 (5 + 2 ε + 4) + (5 + ε + 1) + 4 = 53.
/// A coordinate of R q takes three entries, and |q|₁ is at most √3 |q|: 92. Its own products and
/// sums have 5, and the sum with the shift 1.
pub(crate) const ROTATION_ROUNDINGS: u32 = 98;
const _: () = assert!(SIN_COS_ROUNDINGS <= 4.0);

/// Roundings of a projection of a rigid body, besides those that any motion has: its rotation, the
/// shift c + t v, and the coefficients.
pub(crate) const RIGID_ROUNDINGS: u32 = ROTATION_ROUNDINGS + 2 + COEFFICIENT_ROUNDINGS;

/// Roundings of the fraction at which a line between two coefficients is zero, relative to itself:
/// difference and quotient, the product with the difference of two numbers k/d, these two
/// quotients and the sum. The factor that makes up for them has one as well.
pub(crate) const ZERO_ROUNDINGS: f64 = 8.0;

/// Roundings of a bend relative to itself: of the square of the interval's length, its product with
/// the acceleration and a quarter, and the difference of the ends of the interval, twice.
pub(crate) const BEND_FACTOR: f64 = 1.0 + 16.0 * super::UNIT_ROUNDOFF;
