//! Polynomials in one variable with rational coefficients: exact, whatever is done with them.

use std::ops::{Add, Mul, Sub};

use dashu_ratio::RBig;

/// The open interval from `low` to `low` + `width`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) low: RBig,
    pub(super) width: RBig,
}

impl Cell {
    pub(super) fn unit() -> Self {
        Self {
            low: RBig::ZERO,
            width: RBig::ONE,
        }
    }

    pub(super) fn high(&self) -> RBig {
        &self.low + &self.width
    }

    pub(super) fn halves(&self) -> [Self; 2] {
        let width = &self.width / RBig::from(2);
        [self.low.clone(), &self.low + &width].map(|low| Self {
            low,
            width: width.clone(),
        })
    }
}

/// Σ cᵢ tⁱ; the last coefficient is not 0, so 0 has none at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Polynomial {
    coefficients: Vec<RBig>,
}

impl Polynomial {
    /// From c₀, c₁, …
    pub(super) fn new(mut coefficients: Vec<RBig>) -> Self {
        while coefficients.last().is_some_and(RBig::is_zero) {
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

    fn coefficient(&self, i: usize) -> &RBig {
        static ZERO: RBig = RBig::ZERO;
        self.coefficients.get(i).unwrap_or(&ZERO)
    }

    /// The value at t = 0.
    pub(super) fn at_zero(&self) -> RBig {
        self.coefficient(0).clone()
    }

    fn term_by_term(&self, other: &Self, combine: fn(&RBig, &RBig) -> RBig) -> Self {
        let count = self.coefficients.len().max(other.coefficients.len());
        let term = |i| combine(self.coefficient(i), other.coefficient(i));
        Self::new((0..count).map(term).collect())
    }

    /// The multiple of the polynomial whose last coefficient is 1.
    fn monic(mut self) -> Self {
        if let Some(lead) = self.coefficients.last().cloned() {
            self.coefficients.iter_mut().for_each(|c| *c /= &lead);
        }
        self
    }

    fn derivative(&self) -> Self {
        let terms = self.coefficients.iter().enumerate().skip(1);
        Self::new(terms.map(|(i, c)| c * RBig::from(i)).collect())
    }

    /// (q, r) with self = q · divisor + r, and r of lower degree than the divisor, which is monic.
    fn divide(&self, divisor: &Self) -> (Self, Self) {
        let degree = divisor.degree();
        let mut remainder = self.coefficients.clone();
        let mut quotient = Vec::new();
        while remainder.len() > degree {
            let factor = remainder.pop().unwrap_or_default();
            let place = remainder.len() - degree;
            for (r, c) in remainder[place..].iter_mut().zip(&divisor.coefficients) {
                *r -= &factor * c;
            }
            quotient.push(factor);
        }
        quotient.reverse();
        (Self::new(quotient), Self::new(remainder))
    }

    /// The greatest common divisor, by Euclid's algorithm.
    pub(super) fn gcd(&self, other: &Self) -> Self {
        let (mut a, mut b) = (self.clone(), other.clone().monic());
        while !b.is_zero() {
            let (_, remainder) = a.divide(&b);
            (a, b) = (b, remainder.monic());
        }
        a.monic()
    }

    /// A polynomial with the same roots, all of them simple.
    pub(super) fn square_free(&self) -> Self {
        self.divide(&self.gcd(&self.derivative())).0
    }

    /// A polynomial whose roots are those of both, all of them simple, if those of this one are.
    pub(super) fn union_of_roots(&self, other: &Self) -> Self {
        let other = other.square_free().monic();
        self * &other.divide(&self.gcd(&other)).0
    }

    /// The Bernstein coefficients on a cell: the first is the value at the cell's lower end, the
    /// last that at its upper end.
    pub(super) fn bernstein(&self, cell: &Cell) -> Vec<RBig> {
        let d = self.degree();
        let mut c = self.coefficients.clone();
        for i in 0..d {
            for j in (i..d).rev() {
                let shifted = &cell.low * &c[j + 1];
                c[j] += shifted;
            }
        }
        // Of t = low + width · x, b_j = Σ_i binomial(j, i) / binomial(d, i) widthⁱ c_i.
        let mut factor = RBig::ONE;
        for (i, c) in c.iter_mut().enumerate() {
            *c *= &factor;
            factor *= &cell.width * RBig::from(i + 1) / RBig::from((d - i).max(1));
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
        let mut product = vec![RBig::ZERO; self.coefficients.len() + other.coefficients.len()];
        for (i, a) in self.coefficients.iter().enumerate() {
            for (p, b) in product[i..].iter_mut().zip(&other.coefficients) {
                *p += a * b;
            }
        }
        Polynomial::new(product)
    }
}
