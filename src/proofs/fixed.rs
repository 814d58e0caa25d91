//! Numbers of 320 bits after the point, for what no rational number is: π, roots, sine and cosine.
//! Their errors are far below those of doubles.

use dashu_int::IBig;
use dashu_int::ops::SquareRoot;
use std::ops::{Add, Mul, Neg, Sub};

const BITS: usize = 320;

/// A number times 2³²⁰, rounded to an integer.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
pub(super) struct Fixed(IBig);

impl Fixed {
    pub(super) fn of(x: f64) -> Self {
        let bits = x.to_bits();
        let field = (bits >> 52 & 0x7ff) as i32;
        let fraction = bits & ((1 << 52) - 1);
        let (integer, exponent) = match field {
            0 => (fraction, -1074),
            _ => (fraction | 1 << 52, field - 1075),
        };
        let shift = exponent + BITS as i32;
        let integer = IBig::from(integer);
        let integer = if shift >= 0 {
            integer << shift as usize
        } else {
            integer >> (-shift) as usize
        };
        Self(if x < 0.0 { -integer } else { integer })
    }

    fn integer(n: i64) -> Self {
        Self(IBig::from(n) << BITS)
    }

    pub(super) fn abs(self) -> Self {
        if self.0 < IBig::ZERO { -self } else { self }
    }

    pub(super) fn over(&self, other: &Self) -> Self {
        Self((&self.0 << BITS) / &other.0)
    }

    pub(super) fn root(&self) -> Self {
        let square: dashu_int::UBig = (&self.0 << BITS).try_into().expect("no negative number");
        Self(square.sqrt().into())
    }

    /// As a double that is accurate to some digits, for messages.
    pub(super) fn about(&self) -> f64 {
        let thousandths: i128 = (&self.0 >> (BITS - 110)).try_into().unwrap_or(i128::MAX);
        thousandths as f64 / 2.0_f64.powi(110)
    }

    /// π, by Machin's formula.
    fn pi() -> Self {
        let arctangent = |n: i64| {
            let (mut sum, mut power) = (IBig::ZERO, (IBig::from(1) << BITS) / n);
            for k in 0..230_i64 {
                let term = &power / (2 * k + 1);
                sum = if k % 2 == 0 { sum + term } else { sum - term };
                power /= n * n;
            }
            sum
        };
        Self(arctangent(5) * 16 - arctangent(239) * 4)
    }

    pub(super) fn sin_cos(&self) -> (Self, Self) {
        let turn = Self::pi().0 * 2;
        let turns = &self.0 / &turn;
        let x = Self(&self.0 - turns * turn);
        let (mut sine, mut cosine) = (Self::integer(0), Self::integer(0));
        let mut term = Self::integer(1);
        for n in 0..140_i64 {
            let sum = if n % 2 == 0 { &mut cosine } else { &mut sine };
            let signed = if n % 4 < 2 {
                term.clone()
            } else {
                -term.clone()
            };
            *sum = sum.clone() + signed;
            term = Self((term * x.clone()).0 / (n + 1));
        }
        (sine, cosine)
    }
}

impl Add for Fixed {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Fixed {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Mul for Fixed {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self((self.0 * other.0) >> BITS)
    }
}

impl Neg for Fixed {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}
