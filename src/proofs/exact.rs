//! Exact arithmetic for tests: doubles, their sums and their products, without rounding. The random
//! numbers of those tests are here as well.

use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};

use dashu_int::IBig;
use dashu_int::ops::{Abs, BitTest};

/// The number integer · 2^exponent.
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

    pub(crate) fn integer(n: usize) -> Self {
        Self {
            integer: IBig::from(n),
            exponent: 0,
        }
    }

    pub(crate) fn abs(&self) -> Self {
        Self {
            integer: self.integer.clone().abs(),
            exponent: self.exponent,
        }
    }

    pub(crate) fn is_positive(&self) -> bool {
        self.integer > IBig::ZERO
    }

    /// The k with 2ᵏ⁻¹ ≤ |x| < 2ᵏ; a very small one for 0.
    pub(crate) fn magnitude(&self) -> i32 {
        if self.integer == IBig::ZERO {
            return i32::MIN / 2;
        }
        self.integer.clone().abs().bit_len() as i32 + self.exponent
    }

    /// The quotient self / other as a double, accurate to a few digits, for other > 0; infinite
    /// otherwise. It must be within the range of doubles.
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

    pub(crate) fn power(&self, n: usize) -> Self {
        Self {
            integer: self.integer.pow(n),
            exponent: self.exponent * n as i32,
        }
    }

    /// Both numbers as integers times the same power of two, and its exponent.
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

/// How many cases a test looks at: `usual`, or in proportion more or fewer if the environment
/// variable `PROPTEST_CASES` is set, whose own default is 256.
pub(crate) fn cases(usual: usize) -> usize {
    let asked = std::env::var("PROPTEST_CASES").ok();
    let asked = asked.and_then(|number| number.parse::<usize>().ok());
    asked.map_or(usual, |asked| (usual * asked).div_ceil(256))
}

/// Random numbers (SplitMix64, Steele et al. 2014), the same on every machine.
#[derive(Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub(crate) fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    /// A number in [0, 1), with 53 random bits.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 * 0.5_f64.powi(53)
    }

    /// A number in [−1, 1).
    pub(crate) fn sign(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    /// Any finite double of either sign, with all magnitudes equally likely.
    pub(crate) fn wild(&mut self) -> f64 {
        loop {
            let x = f64::from_bits(self.next());
            if x.is_finite() {
                return x;
            }
        }
    }
}
