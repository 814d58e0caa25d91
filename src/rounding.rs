//! Why is the answer safe in floating point? Forward error bounds of the inclusion test.
//!
//! All bounds are for coordinates relative to the middle of the scene and scaled to about 1 (see [`crate::search`]), and in
//! units of the unit roundoff u = 2⁻⁵³. Let Mₖ(s) = max |start coordinate k| + s · max |displacement k| over all control points of a patch, at the
//! fraction s of the horizon, and E(s) = Σₖ |eₖ| Mₖ(s) for an axis e: every projection at s is at most E(s) in size. What
//! is computed then differs from its exact value by at most
//!
//! | step | roundings | bound |
//! |---|---|---|
//! | start coordinate relative to the middle of the scene | 1 | u E |
//! | displacement over the horizon: (end − start) × t_max | 2 | 2 u E |
//! | subdivision at level k: one average a degree | k · averages | k · averages · u E |
//! | the same of a rational patch: product with the weight, averages, weight alike, quotient | k · (2 averages + 2) | k · (2 averages + 2) u E |
//! | p + s v at the ends of the interval | 2 | 2 u E |
//! | projection on e: three products, two sums | 3 | 3 u E |
//! | value between the ends: f(a) + r (f(b) − f(a)) | 3, on numbers up to 2 E | 5 u E |
//! | the time that r stands for: a + r (b − a) | 3, on times up to 1 | 3 u E |
//! | the gap, min − max | 1 | u E |
//!
//! (first-order terms; their products with each other are covered by counting one rounding more). The minimum and
//! the maximum over control points are exact, and bounds of two patches add up.
//!
//! E grows linearly in s, and so does the bound. So a gap minus its bound is concave like the gap itself, it is enough to
//! know the bound at both ends of an interval, and all cuts apply to that difference. A cut along its chord is made one more
//! bound higher: the chord's root has three roundings, on fractions at most 1, of a gap that changes by at most twice the two
//! patches' E: 6 u E, which is less.
//!
//! A minimum separation d adds d |e| to what a gap must exceed: [`SEPARATION_ROUNDINGS`].

/// Unit roundoff of `f64`: half the distance from 1 to the next number.
pub(crate) const UNIT_ROUNDOFF: f64 = f64::EPSILON / 2.0;

/// Roundings of one projected gap that do not depend on the level: the table's rows but subdivision, and one for
/// all higher-order terms.
const GAP_ROUNDINGS: f64 = 1.0 + 2.0 + 2.0 + 3.0 + 5.0 + 3.0 + 1.0 + 1.0;

/// Roundings of a minimum separation: its product with |e|, its sum with the bound at each end (2), its linear change in
/// between (2), and what is left of the gap after it.
pub(crate) const SEPARATION_ROUNDINGS: f64 = 6.0;

/// Underflow: every operation on numbers of size about 1 may lose 2⁻¹⁰⁷⁵ besides its rounding, and far fewer than 2⁷⁵ of
/// them lie on the way to one gap. 2⁻¹⁰⁰⁰ has the exponent field 1023 − 1000.
pub(crate) const UNDERFLOW: f64 = f64::from_bits((1023 - 1000) << 52);

/// Error of one patch's projection, as a multiple of E, after subdivisions of so many roundings.
pub(crate) fn projection_error(subdivisions: u32) -> f64 {
    (f64::from(subdivisions) + GAP_ROUNDINGS) * UNIT_ROUNDOFF
}

/// Roundings of one subdivision, for a shape that takes `averages` in a row.
///
/// All weights are positive, so a weight is exact to u times the roundings that made it, relatively, and a weighted
/// coordinate to u times one more, relative to weight × M.
pub(crate) fn split_roundings(averages: usize, rational: bool) -> usize {
    if rational { 2 * averages + 2 } else { averages }
}

/// The power of two 2⁻ᵏ with 2ᵏ ≤ x < 2ᵏ⁺¹, for x > 0; within [2⁻¹⁰²², 2¹⁰²²].
pub(crate) fn reciprocal_power_of_two(x: f64) -> f64 {
    // Exponent field e of x gives 2^(e - 1023); its reciprocal has the field 2046 - e.
    let exponent = (x.to_bits() >> 52) & 0x7ff;
    f64::from_bits((2046_u64.saturating_sub(exponent)).clamp(1, 2045) << 52)
}

/// x · y · scale with one rounding, for y ≥ 0, a power of two `scale` and a product of size about 1 at most; no over- or
/// underflow on the way loses more than [`UNDERFLOW`].
pub(crate) fn scaled_product(x: f64, y: f64, scale: f64) -> f64 {
    if y == 0.0 {
        return 0.0;
    }
    // y is a power of two times a mantissa in [1, 2), or a smaller one for subnormal y.
    let reciprocal = reciprocal_power_of_two(y);
    let (power, mantissa) = (1.0 / reciprocal, y * reciprocal);
    let (small, big) = (scale.min(power), scale.max(power));
    // Where one of them shrinks and the other grows x, this order keeps x in the range of normal numbers.
    let x = if x.abs() >= 1.0 {
        x * small * big
    } else {
        x * big * small
    };
    x * mantissa
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two_are_exact() {
        for k in -1021..1022 {
            let x = 1.5 * 2.0_f64.powi(k);
            assert_eq!(x * reciprocal_power_of_two(x), 1.5, "2^{k}");
        }
        assert!(reciprocal_power_of_two(f64::MIN_POSITIVE / 8.0).is_finite());
        assert!(reciprocal_power_of_two(f64::MAX) > 0.0);
    }

    #[test]
    fn extreme_factors_cancel() {
        let tiny = f64::MIN_POSITIVE;
        assert_eq!(scaled_product(1.25e300, 1e-300, 1.0), 1.25);
        assert_eq!(scaled_product(3.0 * tiny, 1.0 / tiny, 1.0), 3.0);
        assert_eq!(scaled_product(-1.5 * tiny, 1.0, 1.0 / tiny), -1.5);
        assert_eq!(scaled_product(tiny / 1024.0, 1024.0, 1.0 / tiny), 1.0);
        assert_eq!(scaled_product(f64::MAX, tiny, 1.0), f64::MAX * tiny);
        assert_eq!(scaled_product(0.0, f64::MAX, 1.0 / tiny), 0.0);
        assert_eq!(scaled_product(1.0, 0.0, 1.0), 0.0);
    }
}
