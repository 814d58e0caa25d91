//! Polynomials of degree at most 3 with integer coefficients.

use std::ops::{Add, Mul, Sub};

use smallvec::SmallVec;

use super::big_rational::BigRational;
use super::integer::{Integer, bits, sign, to_double};

/// The polynomial Σ cᵢ tⁱ. The last coefficient is not 0, so the polynomial 0 has no coefficients.
#[derive(Clone, Debug)]
pub(super) struct Polynomial {
    coefficients: SmallVec<[Integer; 4]>,
}

impl Polynomial {
    /// The polynomial with the coefficients c₀, c₁, …
    pub(super) fn new(coefficients: impl IntoIterator<Item = Integer>) -> Self {
        let mut coefficients: SmallVec<[Integer; 4]> = coefficients.into_iter().collect();
        while coefficients.last().is_some_and(Integer::is_zero) {
            coefficients.pop();
        }
        Self { coefficients }
    }

    pub(super) fn is_zero(&self) -> bool {
        self.coefficients.is_empty()
    }

    /// The coefficients c₀, c₁, … up to the last that is not 0.
    pub(super) fn coefficients(&self) -> &[Integer] {
        &self.coefficients
    }

    /// The sign of the value at 0.
    pub(super) fn sign_at_zero(&self) -> i8 {
        self.coefficients.first().map_or(0, sign)
    }

    /// The sign of the value at a rational number.
    pub(super) fn sign_at(&self, at: &BigRational) -> i8 {
        let mut terms = self.coefficients.iter().rev();
        let Some(mut value) = terms.next().cloned() else {
            return 0;
        };
        // With numerator n and denominator d, the sign is that of Σ cᵢ nⁱ d^(degree − i).
        let mut power = at.denominator.clone();
        let mut terms = terms.peekable();
        while let Some(c) = terms.next() {
            value = value * &at.numerator + c * &power;
            if terms.peek().is_some() {
                power *= &at.denominator;
            }
        }
        sign(&value)
    }

    pub(super) fn derivative(&self) -> Self {
        let terms = self.coefficients.iter().enumerate().skip(1);
        Self::new(terms.map(|(i, c)| c * Integer::from(i)))
    }

    /// The coefficients as doubles, all divided by the same power of two.
    pub(super) fn approximate(&self) -> [f64; 4] {
        let most = self.coefficients.iter().map(bits).max().unwrap_or(0);
        let mut doubles = [0.0; 4];
        for (double, c) in doubles.iter_mut().zip(&self.coefficients) {
            *double = to_double(c, most);
        }
        doubles
    }
}

impl Add for &Polynomial {
    type Output = Polynomial;

    fn add(self, other: Self) -> Polynomial {
        let (long, short) = if self.coefficients.len() < other.coefficients.len() {
            (other, self)
        } else {
            (self, other)
        };
        let mut sum = long.coefficients.clone();
        for (c, d) in sum.iter_mut().zip(&short.coefficients) {
            *c += d;
        }
        Polynomial::new(sum)
    }
}

impl Sub for &Polynomial {
    type Output = Polynomial;

    fn sub(self, other: Self) -> Polynomial {
        let mut difference = self.coefficients.clone();
        for (i, d) in other.coefficients.iter().enumerate() {
            match difference.get_mut(i) {
                Some(c) => *c -= d,
                None => difference.push(-d),
            }
        }
        Polynomial::new(difference)
    }
}

impl Mul for &Polynomial {
    type Output = Polynomial;

    fn mul(self, other: Self) -> Polynomial {
        let (p, q) = (&self.coefficients, &other.coefficients);
        if p.is_empty() || q.is_empty() {
            return Polynomial::new([]);
        }
        Polynomial::new((0..p.len() + q.len() - 1).map(|k| {
            let terms = (0..=k).filter(|&i| i < p.len() && k - i < q.len());
            terms.fold(Integer::ZERO, |sum, i| sum + &p[i] * &q[k - i])
        }))
    }
}
