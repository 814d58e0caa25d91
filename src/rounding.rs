//! Why is the answer safe in floating point? Forward error bounds of the inclusion test.
//!
//! All bounds are for coordinates scaled to at most 1 (see [`crate::search`]) and in units of the unit roundoff
//! u = 2⁻⁵³. Write Mₖ for the largest |coordinate k| that any control point of the patch takes within the time interval,
//! and E = Σₖ |eₖ| Mₖ for an axis e: every projection is at most E in size. What is computed then differs from its
//! exact value by at most
//!
//! | step | roundings | bound |
//! |---|---|---|
//! | start and displacement as given: (end − start), or velocity × t_max | 1 | u E |
//! | subdivision at level k: one average a degree | k · averages | k · averages · u E |
//! | p + s v at the ends of the interval | 2 | 2 u E |
//! | projection on e: three products, two sums | 3 | 3 u E |
//! | value between the ends: f(a) + r (f(b) − f(a)) | 3, on numbers up to 2 E | 5 u E |
//! | the time that r stands for: a + r (b − a) | 3, on times up to 1 | 3 u E |
//! | the gap, min − max | 1 | u E |
//!
//! (first-order terms; their products with each other are covered by counting one rounding more). The minimum and
//! the maximum over control points are exact, and bounds of two patches add up.

/// Unit roundoff of `f64`: half the distance from 1 to the next number.
pub(crate) const UNIT_ROUNDOFF: f64 = f64::EPSILON / 2.0;

/// Roundings of one projected gap that do not depend on the level: the table's rows but subdivision, and one for
/// all higher-order terms.
const GAP_ROUNDINGS: f64 = 1.0 + 2.0 + 3.0 + 5.0 + 3.0 + 1.0 + 1.0;

/// Underflow: every operation on numbers up to about 1 may lose 2⁻¹⁰⁷⁵ besides its rounding; far fewer than 2⁷⁵ of them
/// go into one gap.
pub(crate) const UNDERFLOW: f64 = 1.0
    / (1_u128 << 100) as f64
    / (1_u128 << 100) as f64
    / (1_u128 << 100) as f64
    / (1_u128 << 100) as f64
    / (1_u128 << 100) as f64
    / (1_u128 << 100) as f64
    / (1_u128 << 100) as f64
    / (1_u128 << 100) as f64
    / (1_u128 << 100) as f64
    / (1_u128 << 100) as f64;

/// Error of one patch's projection, as a multiple of E: `averages` a level over `level` levels.
pub(crate) fn projection_error(averages: usize, level: u32) -> f64 {
    (averages as f64 * f64::from(level) + GAP_ROUNDINGS) * UNIT_ROUNDOFF
}
