//! Products whose rounding is known: by powers of two, without over- or underflow on the way, or
//! rounded down.

/// The power of two 2⁻ᵏ with 2ᵏ ≤ x < 2ᵏ⁺¹, for x > 0, but no less than 2⁻¹⁰²² and no more than
/// 2¹⁰²².
///
/// The product of both is exact. It is in [1, 2), except that it is in [2, 4) for x from 2¹⁰²³ on,
/// and in [2⁻⁵², 1) for subnormal x.
pub(crate) fn reciprocal_power_of_two(x: f64) -> f64 {
    // A double with exponent field e has the size 2^(e - 1023); its reciprocal has the
    // field 2046 - e.
    let exponent = (x.to_bits() >> 52) & 0x7ff;
    f64::from_bits((2046_u64.saturating_sub(exponent)).clamp(1, 2045) << 52)
}

/// The product x · y · scale with one rounding, for y ≥ 0, a power of two `scale`, and a product of
/// size about 1 at most. Over- or underflow on the way loses no more than
/// [`UNDERFLOW`](super::UNDERFLOW).
pub(crate) fn scaled_product(x: f64, y: f64, scale: f64) -> f64 {
    if y == 0.0 {
        return 0.0;
    }
    // y is a power of two times a mantissa in [1, 4), or in [2⁻⁵², 1) if y is subnormal.
    let reciprocal = reciprocal_power_of_two(y);
    let (power, mantissa) = (1.0 / reciprocal, y * reciprocal);
    let (small, big) = (scale.min(power), scale.max(power));
    // If one of the two powers shrinks x and the other one enlarges it, this order keeps x in the
    // range of normal numbers.
    let x = if x.abs() >= 1.0 {
        x * small * big
    } else {
        x * big * small
    };
    x * mantissa
}

/// For a product larger than this, the remainder that rounding took from it or added to it is a
/// double.
///
/// The factors are integers below 2⁵³ times powers of two, so the exact product is an integer below
/// 2¹⁰⁶ times a power of two q, and the remainder, product − rounded product, is an integer times
/// q, too. For products above 2⁻⁹⁶⁸ this q is at least 2⁻¹⁰⁷⁴, the least double. The number 2⁻⁹⁶⁸
/// has the exponent field 1023 − 968.
const EXACT_REMAINDER: f64 = f64::from_bits((1023 - 968) << 52);

/// The product x · y for x, y ≥ 0, rounded so that it is never above the exact product.
pub(crate) fn product_rounded_down(x: f64, y: f64) -> f64 {
    let product = x * y;
    let exact = product > EXACT_REMAINDER;
    if product > 0.0 && (!exact || x.mul_add(y, -product) < 0.0) {
        product.next_down()
    } else {
        product
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proofs::{Dyadic, Random, cases};

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

    #[test]
    fn scaled_products_are_right_to_one_rounding() {
        let mut random = Random::new(1);
        for _ in 0..cases(2000) {
            let (x, y) = (random.wild(), random.wild().abs());
            let product = Dyadic::of(x) * Dyadic::of(y);
            let scale = 2.0_f64.powi((-product.magnitude()).clamp(-1022, 1022));
            let exact = product * Dyadic::of(scale);
            if exact.magnitude() > 2 {
                continue;
            }
            let bound = exact.abs() * Dyadic::of(super::super::UNIT_ROUNDOFF)
                + Dyadic::of(super::super::UNDERFLOW);
            let error = (Dyadic::of(scaled_product(x, y, scale)) - exact).abs();
            assert!(error <= bound, "{x:e} × {y:e} × {scale:e}");
        }
    }

    #[test]
    fn products_are_never_above_the_exact_ones() {
        let never_above = |x: f64, y: f64| {
            let (product, exact) = (product_rounded_down(x, y), Dyadic::of(x) * Dyadic::of(y));
            assert!(Dyadic::of(product) <= exact, "{x:e} × {y:e}");
            // Where the remainder is a double, the product is the largest double not above the
            // exact one.
            assert!(
                product < EXACT_REMAINDER || Dyadic::of(product.next_up()) > exact,
                "{x:e} × {y:e}"
            );
        };
        // Here the remainder is −2⁻¹⁰⁷⁵, half of the least double, which would be rounded to 0.
        let (x, y) = REMAINDER_HALF_A_LEAST_DOUBLE;
        never_above(x, y);
        let mut random = Random::new(2);
        for _ in 0..cases(5000) {
            let x = random.unit();
            never_above(x, random.wild().abs());
            let power = random.below(60) as i32;
            never_above(x, (1.0 + random.unit()) * 2.0_f64.powi(power - 1000));
        }
    }

    /// Two odd integers below 2⁵³ whose product is −1 modulo 2⁵³, times 2⁻⁵³ and 2⁻¹⁰²². Their
    /// product is above 2⁻⁹⁷⁰.
    const REMAINDER_HALF_A_LEAST_DOUBLE: (f64, f64) = (0.9692324817033199, 1.7857406652230019e-292);
}
