//! Sine and cosine with a proven error. Those of the standard library promise none.

/// The largest angle, in radians, that [`sin_cos`] takes: it counts quarter turns in 20 bits.
pub(crate) const MAX_ANGLE: f64 = 1e6;

/// π/2 in three parts. The first two have 33 bits each, so their products with a number of quarter
/// turns below 2²⁰ are exact. The third one is rounded: what is missing is below 2⁻¹²⁰.
const QUARTER: [f64; 3] = [
    f64::from_bits(0x3FF9_21FB_5440_0000),
    f64::from_bits(0x3DD0_B461_1A60_0000),
    f64::from_bits(0x3BA3_198A_2E03_7073),
];

/// The error of a computed sine or cosine, in roundings of 1.
///
/// With n quarter turns, x − n π/2 is computed as r = ((x − n P₁) − n P₂) − n P₃. The first
/// difference is exact: both numbers are multiples of the last bit of x, and it is below 1. The
/// second and the third one have a rounding each of a number below 0.79, and n P₃ is below 2⁻⁴⁸, so
/// its own rounding does not count. That makes 1.6 roundings of the angle, and as many of sine and
/// cosine at most.
///
/// The series, up to r¹⁷ and r¹⁶, leave out less than 10⁻¹⁹ and 10⁻¹⁷. Of r + r³ S the correction
/// is below 0.09 and has six roundings of itself, and the sum has one of 0.71: together 1.3. Of
/// 1 − (r²/2 − r⁴ C) the correction is below 0.31, with two roundings of itself and that of the
/// difference, and the last difference has one of 1: together 2.
pub(crate) const SIN_COS_ROUNDINGS: f64 = 4.0;

/// The sine and the cosine of an angle in radians, of at most [`MAX_ANGLE`] in size.
pub(crate) fn sin_cos(x: f64) -> (f64, f64) {
    let turns = (x * std::f64::consts::FRAC_2_PI).round();
    let r = ((x - turns * QUARTER[0]) - turns * QUARTER[1]) - turns * QUARTER[2];
    let square = r * r;
    // 1/3!, 1/5!, … and 1/4!, 1/6!, … with alternating signs, the last one first.
    let sine = series(square, [17, 15, 13, 11, 9, 7, 5, 3].map(term));
    let cosine = series(square, [16, 14, 12, 10, 8, 6, 4].map(term));
    let sine = r + r * (square * sine);
    let cosine = 1.0 - (0.5 * square - square * square * cosine);
    match turns.rem_euclid(4.0) as u8 {
        0 => (sine, cosine),
        1 => (cosine, -sine),
        2 => (-sine, -cosine),
        _ => (-cosine, sine),
    }
}

/// ± 1/n!, with the sign that rⁿ has in the series of sine and cosine.
const fn term(n: u32) -> f64 {
    let (mut product, mut k) = (1.0, 2);
    while k <= n {
        product *= k as f64;
        k += 1;
    }
    if n % 4 < 2 {
        1.0 / product
    } else {
        -1.0 / product
    }
}

/// The value of a polynomial, the last coefficient of which comes first.
fn series<const N: usize>(x: f64, coefficients: [f64; N]) -> f64 {
    coefficients.into_iter().fold(0.0, |sum, c| sum * x + c)
}
