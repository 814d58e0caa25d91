//! Integers of any size. Only this file names the crate that they come from.

pub(super) use dashu_int::IBig as Integer;
use dashu_int::ops::BitTest;
use dashu_int::{Sign, UBig};

/// The sign of an integer: −1, 0 or 1.
pub(super) fn sign(x: &Integer) -> i8 {
    match x.sign() {
        _ if x.is_zero() => 0,
        Sign::Positive => 1,
        Sign::Negative => -1,
    }
}

/// The (n, e) with x = n · 2ᵉ for which n is odd or 0.
pub(super) fn mantissa_and_exponent(x: f64) -> (i64, i32) {
    let bits = x.to_bits();
    let (field, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
    let mantissa = match field {
        0 => fraction,
        _ => fraction | 1 << 52,
    };
    if mantissa == 0 {
        return (0, 0);
    }
    let zeros = mantissa.trailing_zeros();
    let odd = (mantissa >> zeros) as i64;
    let exponent = field.max(1) - 1075 + zeros as i32;
    (if x < 0.0 { -odd } else { odd }, exponent)
}

/// The integer n · 2ᵉ, for e ≥ 0 and |n| < 2⁵³.
pub(super) fn shifted(n: i64, e: usize) -> Integer {
    // The product fits into 128 bits, since n has at most 53, and needs no allocation.
    match e {
        0..=70 => Integer::from(i128::from(n) << e),
        _ => Integer::from(n) << e,
    }
}

/// The number of bits of the absolute value.
pub(super) fn bits(x: &Integer) -> usize {
    x.bit_len()
}

/// x / 2ᵏ, accurate to a few roundings, for a quotient within the range of doubles.
pub(super) fn to_double(x: &Integer, k: usize) -> f64 {
    // The leading 64 bits are enough.
    let drop = bits(x).saturating_sub(64);
    let top: Integer = x >> drop;
    let top = top.to_f64().value();
    let exponent = drop as i64 - k as i64;
    let half = (exponent / 2).clamp(-1000, 1000) as i32;
    let rest = (exponent - i64::from(half)).clamp(-1000, 1000) as i32;
    top * 2.0_f64.powi(half) * 2.0_f64.powi(rest)
}

/// The integer 2ᵏ.
pub(super) fn power_of_two(k: usize) -> Integer {
    Integer::from(UBig::ONE << k)
}
