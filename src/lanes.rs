//! Four numbers side by side, one for each child of a sub-patch, and their arithmetic.

use std::ops::{Add, Index, Mul, Sub};

/// One number for each of the up to four children of a sub-patch: lane i belongs to child i.
///
/// This is a plain array, and every loop over it is unrolled. Inside [`pulp::Arch::dispatch`] the
/// compiler makes one vector instruction of each operation. Without vector units the results are
/// the same to the last bit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct Lanes(pub(crate) [f64; 4]);

impl Lanes {
    /// The same number in all lanes.
    #[inline(always)]
    pub(crate) fn splat(x: f64) -> Self {
        Self([x; 4])
    }

    /// The smaller number in each lane. Neither may be NaN.
    #[inline(always)]
    pub(crate) fn min(self, other: Self) -> Self {
        self.zip(other, |a, b| if a < b { a } else { b })
    }

    /// The larger number in each lane. Neither may be NaN.
    #[inline(always)]
    pub(crate) fn max(self, other: Self) -> Self {
        self.zip(other, |a, b| if a > b { a } else { b })
    }

    /// Applies `f` to the two numbers in each lane.
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        let (a, b) = (self.0, other.0);
        Self([f(a[0], b[0]), f(a[1], b[1]), f(a[2], b[2]), f(a[3], b[3])])
    }
}

impl Add for Lanes {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }
}

impl Sub for Lanes {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| a - b)
    }
}

impl Mul for Lanes {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.zip(other, |a, b| a * b)
    }
}

impl Index<usize> for Lanes {
    type Output = f64;
    #[inline(always)]
    fn index(&self, lane: usize) -> &f64 {
        &self.0[lane]
    }
}
