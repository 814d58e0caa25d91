//! Exact arithmetic for tests: doubles, their sums and their products, without any rounding.

use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};

use dashu_int::IBig;
use dashu_int::ops::{Abs, BitTest};

/// The number integer · 2^exponent, where the integer may have any size.
///
/// `dashu_float::FBig` of base 2 with unlimited precision can hold the same numbers. But sums,
/// products and comparisons as in these tests were measured to take about twice as long with it. It
/// also rounds without notice as soon as one operand of a sum or product has a limited precision,
/// as a number that was made of a double has at first.
#[derive(Clone, Debug)]
pub(crate) struct Dyadic {
    integer: IBig,
    exponent: i32,
}

impl Dyadic {
    /// The exact value of a double.
    pub(crate) fn of(x: f64) -> Self {
        assert!(x.is_finite(), "{x}");
        let bits = x.to_bits();
        let field = (bits >> 52 & 0x7ff) as i32;
        let fraction = bits & ((1 << 52) - 1);
        let (integer, exponent) = match field {
            0 => (fraction, -1074),
            _ => (fraction | 1 << 52, field - 1075),
        };
        let zeros = integer.trailing_zeros().min(52);
        let integer = IBig::from(integer >> zeros);
        Self {
            integer: if x < 0.0 { -integer } else { integer },
            exponent: exponent + zeros as i32,
        }
    }

    /// The integer n.
    pub(crate) fn integer(n: usize) -> Self {
        Self {
            integer: IBig::from(n),
            exponent: 0,
        }
    }

    /// The absolute value.
    pub(crate) fn abs(&self) -> Self {
        Self {
            integer: self.integer.clone().abs(),
            exponent: self.exponent,
        }
    }

    /// Whether the number is above 0.
    pub(crate) fn is_positive(&self) -> bool {
        self.integer > IBig::ZERO
    }

    /// The k with 2ᵏ⁻¹ ≤ |x| < 2ᵏ. For 0 it is far below all others.
    pub(crate) fn magnitude(&self) -> i32 {
        if self.integer == IBig::ZERO {
            return i32::MIN / 2;
        }
        self.integer.clone().abs().bit_len() as i32 + self.exponent
    }

    /// The quotient self / other for other > 0, as a double that is accurate to a few digits. It is
    /// ∞ if `other` is not positive. The quotient must be well within the range of doubles.
    pub(crate) fn ratio(&self, other: &Self) -> f64 {
        if !other.is_positive() {
            return f64::INFINITY;
        }
        let short = |x: &Self| {
            let excess = (x.integer.clone().abs().bit_len() as i32 - 60).max(0);
            let integer: i64 = (&x.integer >> excess as usize).try_into().unwrap_or(0);
            (integer as f64, x.exponent + excess)
        };
        let ((a, i), (b, j)) = (short(self), short(other));
        a / b * 2.0_f64.powi((i - j).clamp(-1000, 1000))
    }

    /// The n-th power.
    pub(crate) fn power(&self, n: usize) -> Self {
        Self {
            integer: self.integer.pow(n),
            exponent: self.exponent * n as i32,
        }
    }

    /// Both numbers as integers times the same power of two, and the exponent of that power.
    fn aligned(&self, other: &Self) -> (IBig, IBig, i32) {
        let exponent = self.exponent.min(other.exponent);
        let shifted = |x: &Self| &x.integer << (x.exponent - exponent) as usize;
        match self.exponent.cmp(&other.exponent) {
            Ordering::Equal => (self.integer.clone(), other.integer.clone(), exponent),
            Ordering::Less => (self.integer.clone(), shifted(other), exponent),
            Ordering::Greater => (shifted(self), other.integer.clone(), exponent),
        }
    }
}

impl Add for Dyadic {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        if self.integer == IBig::ZERO {
            return other;
        }
        if other.integer == IBig::ZERO {
            return self;
        }
        let (a, b, exponent) = self.aligned(&other);
        Self {
            integer: a + b,
            exponent,
        }
    }
}

impl Neg for Dyadic {
    type Output = Self;
    fn neg(self) -> Self {
        Self {
            integer: -self.integer,
            exponent: self.exponent,
        }
    }
}

impl Sub for Dyadic {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Dyadic {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        if self.integer == IBig::ZERO || other.integer == IBig::ZERO {
            return Self::of(0.0);
        }
        Self {
            integer: self.integer * other.integer,
            exponent: self.exponent + other.exponent,
        }
    }
}

impl PartialEq for Dyadic {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Dyadic {}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Dyadic {
    fn cmp(&self, other: &Self) -> Ordering {
        let signs = self.integer.signum().cmp(&other.integer.signum());
        if signs != Ordering::Equal {
            return signs;
        }
        let (a, b, _) = self.aligned(other);
        a.cmp(&b)
    }
}

/// Shorthand for [`Dyadic::of`].
pub(crate) fn exact(x: f64) -> Dyadic {
    Dyadic::of(x)
}
