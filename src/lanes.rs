//! Four numbers side by side, one for each child of a sub-patch.

use std::ops::{Add, Index, Mul, Sub};

/// One number for each of the (up to) four children of a sub-patch.
///
/// Plain arrays with every loop unrolled: under [`pulp::Arch::dispatch`] the compiler turns each
/// operation into one vector instruction, and without vector units the results are the same to the
/// last bit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct Lanes(pub(crate) [f64; 4]);

impl Lanes {
    #[inline(always)]
    pub(crate) fn splat(x: f64) -> Self {
        Self([x; 4])
    }

    /// Lane by lane the smaller number (neither is ever NaN).
    #[inline(always)]
    pub(crate) fn min(self, other: Self) -> Self {
        self.zip(other, |a, b| if a < b { a } else { b })
    }

    /// Lane by lane the larger number (neither is ever NaN).
    #[inline(always)]
    pub(crate) fn max(self, other: Self) -> Self {
        self.zip(other, |a, b| if a > b { a } else { b })
    }

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
