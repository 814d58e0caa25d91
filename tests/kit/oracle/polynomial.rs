//! Polynomials in one variable with integer coefficients of any size: exact, whatever is done with
//! them.

use std::ops::{Add, Mul, Sub};

use dashu_int::IBig;
use dashu_int::ops::Gcd;

/// The open interval from `numerator` / 2^`level` to (`numerator` + 1) / 2^`level`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) numerator: IBig,
    pub(super) level: usize,
}

impl Cell {
    pub(super) fn unit() -> Self {
        Self {
            numerator: IBig::ZERO,
            level: 0,
        }
    }

    pub(super) fn halves(&self) -> [Self; 2] {
        let numerator: IBig = &self.numerator << 1;
        let level = self.level + 1;
        [numerator.clone(), numerator + 1].map(|numerator| Self { numerator, level })
    }
}

/// Σ cᵢ tⁱ; the last coefficient is not 0, so 0 has none at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Polynomial {
    coefficients: Vec<IBig>,
}

impl Polynomial {
    /// From c₀, c₁, …
    pub(super) fn new(mut coefficients: Vec<IBig>) -> Self {
        while coefficients.last().is_some_and(IBig::is_zero) {
            coefficients.pop();
        }
        Self { coefficients }
    }

    pub(super) fn is_zero(&self) -> bool {
        self.coefficients.is_empty()
    }

    fn degree(&self) -> usize {
        self.coefficients.len().saturating_sub(1)
    }

    fn coefficient(&self, i: usize) -> &IBig {
        static ZERO: IBig = IBig::ZERO;
        self.coefficients.get(i).unwrap_or(&ZERO)
    }

    /// The value at t = 0.
    pub(super) fn at_zero(&self) -> IBig {
        self.coefficient(0).clone()
    }

    fn term_by_term(&self, other: &Self, combine: fn(&IBig, &IBig) -> IBig) -> Self {
        let count = self.coefficients.len().max(other.coefficients.len());
        let term = |i| combine(self.coefficient(i), other.coefficient(i));
        Self::new((0..count).map(term).collect())
    }

    /// A positive multiple of the polynomial whose coefficients have no common divisor.
    fn primitive(&self) -> Self {
        let content =
            self.coefficients
                .iter()
                .fold(IBig::ZERO, |content, c| match content.is_zero() {
                    true => c.clone(),
                    false => content.gcd(c).into(),
                });
        if content.is_zero() {
            return self.clone();
        }
        let content = IBig::from(content.into_parts().1);
        Self::new(self.coefficients.iter().map(|c| c / &content).collect())
    }

    fn derivative(&self) -> Self {
        let terms = self.coefficients.iter().enumerate().skip(1);
        Self::new(terms.map(|(i, c)| c * IBig::from(i)).collect())
    }

    /// (q, r) with s · self = q · divisor + r for an integer s ≠ 0, and r of lower degree than the
    /// divisor.
    fn divide(&self, divisor: &Self) -> (Self, Self) {
        let lead = divisor.coefficients.last().expect("not divided by 0");
        let shift = match self.degree().checked_sub(divisor.degree()) {
            Some(shift) => shift,
            None => return (Self::new(Vec::new()), self.clone()),
        };
        let mut remainder = self.coefficients.clone();
        let mut quotient = vec![IBig::ZERO; shift + 1];
        for k in (0..=shift).rev() {
            let factor = remainder.pop().unwrap_or(IBig::ZERO);
            for c in quotient.iter_mut().chain(&mut remainder) {
                *c *= lead;
            }
            for (r, c) in remainder[k..].iter_mut().zip(&divisor.coefficients) {
                *r -= &factor * c;
            }
            quotient[k] = factor;
        }
        (Self::new(quotient), Self::new(remainder))
    }

    /// A greatest common divisor, by Euclid's algorithm.
    pub(super) fn gcd(&self, other: &Self) -> Self {
        let (mut a, mut b) = (self.primitive(), other.primitive());
        while !b.is_zero() {
            let (_, remainder) = a.divide(&b);
            (a, b) = (b, remainder.primitive());
        }
        a
    }

    /// A polynomial with the same roots, all of them simple.
    pub(super) fn square_free(&self) -> Self {
        let repeated = self.gcd(&self.derivative());
        self.divide(&repeated).0.primitive()
    }

    /// A positive multiple of the Bernstein coefficients on a cell: the first has the sign of the
    /// value at the cell's lower end, the last of that at its upper end.
    pub(super) fn bernstein(&self, cell: &Cell) -> Vec<IBig> {
        let d = self.degree();
        // t = (numerator + x) / 2^level, times 2^(level · d); then the shift by the numerator.
        let scaled = self.coefficients.iter().enumerate();
        let mut c: Vec<IBig> = scaled.map(|(i, c)| c << (cell.level * (d - i))).collect();
        for i in 0..d {
            for j in (i..d).rev() {
                let shifted = &cell.numerator * &c[j + 1];
                c[j] += shifted;
            }
        }
        // b_j = Σ_i binomial(j, i) / binomial(d, i) c_i, times d!.
        let factorials: Vec<IBig> = std::iter::once(IBig::ONE)
            .chain((1..=d).scan(IBig::ONE, |product, i| {
                *product *= i;
                Some(product.clone())
            }))
            .collect();
        for (i, c) in c.iter_mut().enumerate() {
            *c *= &factorials[i] * &factorials[d - i];
        }
        for i in 0..d {
            for j in (i + 1..=d).rev() {
                let (below, above) = c.split_at_mut(j);
                above[0] += &below[j - 1];
            }
        }
        c
    }
}

impl Add for &Polynomial {
    type Output = Polynomial;

    fn add(self, other: Self) -> Polynomial {
        self.term_by_term(other, |a, b| a + b)
    }
}

impl Sub for &Polynomial {
    type Output = Polynomial;

    fn sub(self, other: Self) -> Polynomial {
        self.term_by_term(other, |a, b| a - b)
    }
}

impl Mul for &Polynomial {
    type Output = Polynomial;

    fn mul(self, other: Self) -> Polynomial {
        let mut product = vec![IBig::ZERO; self.coefficients.len() + other.coefficients.len()];
        for (i, a) in self.coefficients.iter().enumerate() {
            for (p, b) in product[i..].iter_mut().zip(&other.coefficients) {
                *p += a * b;
            }
        }
        Polynomial::new(product)
    }
}
