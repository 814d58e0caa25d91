//! Rational numbers of any size, and the doubles around a number.

use std::cmp::Ordering;

use super::integer::{
    Integer, bits, mantissa_and_exponent, power_of_two, shifted, sign, to_double,
};

/// A quotient of integers with a denominator above 0, not in lowest terms.
#[derive(Clone, Debug)]
pub(super) struct BigRational {
    pub(super) numerator: Integer,
    pub(super) denominator: Integer,
}

impl BigRational {
    /// The quotient of two integers, of which the denominator is not 0.
    pub(super) fn new(numerator: Integer, denominator: Integer) -> Self {
        if sign(&denominator) < 0 {
            Self {
                numerator: -numerator,
                denominator: -denominator,
            }
        } else {
            Self {
                numerator,
                denominator,
            }
        }
    }

    pub(super) fn zero() -> Self {
        Self::new(shifted(0, 0), shifted(1, 0))
    }

    pub(super) fn one() -> Self {
        Self::new(shifted(1, 0), shifted(1, 0))
    }

    /// The value of a double in [0, 1].
    pub(super) fn from_double(x: f64) -> Self {
        let (mantissa, exponent) = mantissa_and_exponent(x);
        let (up, down) = (exponent.max(0) as usize, (-exponent).max(0) as usize);
        Self::new(shifted(mantissa, up), power_of_two(down))
    }

    /// Whether the number is in (0, 1].
    pub(super) fn is_in_step(&self) -> bool {
        sign(&self.numerator) > 0 && self.numerator <= self.denominator
    }

    pub(super) fn compare(&self, other: &Self) -> Ordering {
        (&self.numerator * &other.denominator).cmp(&(&other.numerator * &self.denominator))
    }

    /// The nearest double, or one close to it, for a number in [0, 1].
    pub(super) fn approximate(&self) -> f64 {
        let (p, q) = (bits(&self.numerator), bits(&self.denominator));
        let numerator = to_double(&self.numerator, p);
        let exponent = p as i64 - q as i64;
        let half = (exponent / 2).max(-1000) as i32;
        let rest = (exponent - i64::from(half)).max(-1000) as i32;
        let quotient = numerator / to_double(&self.denominator, q);
        quotient * 2.0_f64.powi(half) * 2.0_f64.powi(rest)
    }
}

/// The two neighbouring doubles in [0, 1] between which a number in [0, 1] lies, or the number
/// twice if it is a double itself. `compare` tells how the number compares with a double; the
/// search starts at `guess`.
pub(super) fn doubles_around(guess: f64, compare: impl Fn(f64) -> Ordering) -> [f64; 2] {
    // Doubles that are not negative are in the order of their bits.
    let one = 1.0_f64.to_bits();
    let compare = |bits: u64| compare(f64::from_bits(bits));
    let double = f64::from_bits;
    let guess = if (0.0..=1.0).contains(&guess) {
        guess.abs().to_bits()
    } else {
        one
    };
    let (mut low, mut high, mut stride) = (0, one, 1);
    let side = compare(guess);
    // Each step is twice as long as the one before, until the number is passed.
    let mut at = guess;
    match side {
        Ordering::Equal => return [double(guess); 2],
        Ordering::Greater => {
            while at < one {
                low = at;
                at = at.saturating_add(stride).min(one);
                stride = stride.saturating_mul(2);
                match compare(at) {
                    Ordering::Equal => return [double(at); 2],
                    Ordering::Less => {
                        high = at;
                        break;
                    }
                    Ordering::Greater => {}
                }
            }
        }
        Ordering::Less => {
            while at > 0 {
                high = at;
                at = at.saturating_sub(stride);
                stride = stride.saturating_mul(2);
                match compare(at) {
                    Ordering::Equal => return [double(at); 2],
                    Ordering::Greater => {
                        low = at;
                        break;
                    }
                    Ordering::Less => {}
                }
            }
        }
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        match compare(middle) {
            Ordering::Equal => return [double(middle); 2],
            Ordering::Greater => low = middle,
            Ordering::Less => high = middle,
        }
    }
    [double(low), double(high)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_around_what_is_given() {
        let number = BigRational::new(shifted(1, 0), shifted(3, 0));
        for guess in [0.0, 0.3, 1.0 / 3.0, 0.5, 1.0, f64::NAN, -1.0, 1e300] {
            let [low, high] =
                doubles_around(guess, |x| number.compare(&BigRational::from_double(x)));
            assert_eq!([low, high], [1.0 / 3.0, (1.0_f64 / 3.0).next_up()]);
            let exact = |x: f64| 0.375_f64.total_cmp(&x);
            assert_eq!(doubles_around(guess, exact), [0.375; 2]);
        }
        assert!((number.approximate() - 1.0 / 3.0).abs() < 1e-16);
    }

    #[test]
    fn tiny_fractions() {
        let number = BigRational::new(shifted(1, 0), power_of_two(4000));
        assert_eq!(number.approximate(), 0.0);
        let around = doubles_around(0.0, |x| number.compare(&BigRational::from_double(x)));
        assert_eq!(around, [0.0, f64::from_bits(1)]);
    }
}
