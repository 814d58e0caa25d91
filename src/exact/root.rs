//! Roots of polynomials in (0, 1], and the signs of other polynomials at these roots, by Sturm's
//! theorem and division with remainder.
//!
//! A multiple root of a polynomial of degree at most 3 with integer coefficients is rational. So a
//! root is either rational or simple. A simple root is alone in an interval at whose ends the signs
//! differ, or it is the first, second or third root by Sturm's theorem; no two roots need be told
//! apart, however close they are. For a simple root τ of f the sign of
//! - a linear polynomial with zero ρ follows from the side of ρ on which τ lies, which the sign of
//!   f(ρ) or the number of roots up to ρ tells;
//! - a quadratic polynomial q follows from division: if f = g q + r, up to a positive factor, then
//!   0 = g(τ) q(τ) + r(τ), where g and r are linear. If g(τ) = 0, then τ is rational after all.

use std::cmp::Ordering;

use smallvec::SmallVec;

use super::big_rational::{BigRational, doubles_around};
use super::integer::{Integer, sign};
use super::polynomial::Polynomial;

/// A root of a polynomial.
#[derive(Clone, Debug)]
pub(super) enum Root<'a> {
    Rational(BigRational),
    /// A simple root of a polynomial of degree 2 or 3. It may be rational, too.
    Simple {
        of: &'a Polynomial,
        place: RootLocation,
    },
}

/// What tells a simple root from all other roots.
#[derive(Clone, Debug)]
pub(super) enum RootLocation {
    /// It is the only root in an open interval.
    Between {
        ends: [BigRational; 2],
        /// The polynomial's sign between the root and the upper end.
        after: i8,
    },
    /// It is above 0, and at it the number of sign changes in Sturm's chain falls below `changes`.
    Counted { chain: Sturm, changes: usize },
}

/// The roots of a polynomial, in ascending order.
pub(super) type Roots<'a> = SmallVec<[Root<'a>; 3]>;

impl<'a> Root<'a> {
    /// The only root in an interval of doubles. At the ends of the interval the polynomial is not
    /// 0, and its signs differ.
    pub(super) fn between([from, to]: [f64; 2], of: &'a Polynomial) -> Self {
        if let [c0, c1] = of.coefficients() {
            return Self::Rational(BigRational::new(-c0, c1.clone()));
        }
        let ends = [BigRational::from_double(from), BigRational::from_double(to)];
        let after = of.sign_at(&ends[1]);
        let place = RootLocation::Between { ends, after };
        Self::Simple { of, place }
    }

    /// All roots in (0, 1] of a polynomial that is not 0.
    pub(super) fn all(of: &'a Polynomial) -> Roots<'a> {
        let rational = |numerator: Integer, denominator: Integer| {
            Root::Rational(BigRational::new(numerator, denominator))
        };
        let mut roots: Roots<'a> = match of.coefficients() {
            [c0, c1] => [rational(-c0, c1.clone())].into_iter().collect(),
            [c0, c1, c2] => {
                let discriminant = c1 * c1 - ((c0 * c2) << 2);
                match sign(&discriminant) {
                    1 => return quadratic_roots(of, BigRational::new(-c1, c2 << 1)),
                    0 => [rational(-c1, c2 << 1)].into_iter().collect(),
                    _ => Roots::new(),
                }
            }
            [c0, c1, c2, c3] => {
                // With `spread` = c₂² − 3 c₁ c₃, a quarter of the derivative's discriminant, a
                // double root is `twice` / (2 `spread`).
                let spread = c2 * c2 - (c1 * c3) * Integer::from(3);
                let twice = c0 * c3 * Integer::from(9) - c1 * c2;
                let last = c1 * c1 - c0 * c2 * Integer::from(3);
                // The number `twice`² − 4 `spread` · `last` is −3 times the cubic's discriminant.
                // Here its negative is kept, which has the discriminant's sign.
                let discriminant = -(&twice * &twice - ((&spread * last) << 2));
                if sign(&discriminant) != 0 {
                    return Sturm::new(of, &spread, &twice, &discriminant).roots(of);
                }
                if spread.is_zero() {
                    [rational(-c2, c3 * Integer::from(3))].into_iter().collect()
                } else {
                    // The double root, and the root that makes the sum of all three −c₂ / c₃.
                    let double = BigRational::new(twice, spread << 1);
                    let single = -(c2 * &double.denominator) - ((&double.numerator * c3) << 1);
                    let single = BigRational::new(single, c3 * &double.denominator);
                    let mut both = [double, single];
                    both.sort_unstable_by(BigRational::compare);
                    both.into_iter().map(Root::Rational).collect()
                }
            }
            _ => Roots::new(),
        };
        roots.retain(|root| match root {
            Root::Rational(fraction) => fraction.is_in_step(),
            Root::Simple { .. } => true,
        });
        roots
    }

    /// The sign at this root of a polynomial of degree at most 2.
    pub(super) fn sign(&self, polynomial: &Polynomial) -> i8 {
        match self {
            Root::Rational(fraction) => polynomial.sign_at(fraction),
            Root::Simple { of, place } => match polynomial.coefficients() {
                [] => 0,
                [c0] => sign(c0),
                [c0, c1] => place.linear_sign(of, [c0, c1]),
                _ => place.quadratic_sign(of, polynomial),
            },
        }
    }

    /// The two neighbouring doubles between which the root lies, or the root twice if it is a
    /// double.
    pub(super) fn doubles(&self) -> [f64; 2] {
        match self {
            Root::Rational(fraction) => doubles_around(fraction.approximate(), |x| {
                fraction.compare(&BigRational::from_double(x))
            }),
            Root::Simple { of, place } => {
                let near = match place {
                    RootLocation::Between { ends, .. } => approximate_root(of, ends),
                    RootLocation::Counted { .. } => 0.5,
                };
                doubles_around(near, |x| place.side_of(of, &BigRational::from_double(x)))
            }
        }
    }
}

impl RootLocation {
    /// How the root compares with a rational number.
    fn side_of(&self, of: &Polynomial, at: &BigRational) -> Ordering {
        match self {
            Self::Between { ends, after } => {
                if at.compare(&ends[0]).is_le() {
                    return Ordering::Greater;
                }
                if at.compare(&ends[1]).is_ge() {
                    return Ordering::Less;
                }
                match of.sign_at(at) {
                    0 => Ordering::Equal,
                    sign if sign == *after => Ordering::Less,
                    _ => Ordering::Greater,
                }
            }
            Self::Counted { chain, changes } => {
                if sign(&at.numerator) <= 0 {
                    return Ordering::Greater;
                }
                let left = chain.changes(of, at);
                if left >= *changes {
                    Ordering::Greater
                } else if left + 1 == *changes && of.sign_at(at) == 0 {
                    Ordering::Equal
                } else {
                    Ordering::Less
                }
            }
        }
    }

    fn linear_sign(&self, of: &Polynomial, [c0, c1]: [&Integer; 2]) -> i8 {
        let rising = sign(c1);
        if rising == 0 {
            return sign(c0);
        }
        match self.side_of(of, &BigRational::new(-c0, c1.clone())) {
            Ordering::Greater => rising,
            Ordering::Less => -rising,
            Ordering::Equal => 0,
        }
    }

    fn quadratic_sign(&self, of: &Polynomial, q: &Polynomial) -> i8 {
        let [q0, q1, q2] = q.coefficients() else {
            return 0;
        };
        if let Self::Between { ends, .. } = self
            && let Some(sign) = sign_throughout([q0, q1, q2], ends)
        {
            return sign;
        }
        let linear = |c0: &Integer, c1: &Integer| self.linear_sign(of, [c0, c1]);
        match of.coefficients() {
            [f0, f1, f2] => {
                // f₂ q = q₂ f + r.
                let r0 = f2 * q0 - q2 * f0;
                let r1 = f2 * q1 - q2 * f1;
                sign(f2) * linear(&r0, &r1)
            }
            [f0, f1, f2, f3] => {
                // q₂² f = (q₂ f₃ t + h) q + r.
                let h = q2 * f2 - q1 * f3;
                let lead = q2 * f3;
                let r1 = q2 * (q2 * f1 - q0 * f3) - q1 * &h;
                let r0 = q2 * (q2 * f0) - q0 * &h;
                match linear(&h, &lead) {
                    0 => q.sign_at(&BigRational::new(-h, lead)),
                    factor => -factor * linear(&r0, &r1),
                }
            }
            _ => 0,
        }
    }
}

/// The sign of a quadratic between two rational numbers, if all its Bernstein coefficients there
/// have that sign.
fn sign_throughout([q0, q1, q2]: [&Integer; 3], [low, high]: &[BigRational; 2]) -> Option<i8> {
    // Its blossom at a pair of ends, times twice the product of both denominators.
    let blossom = |a: &BigRational, b: &BigRational| {
        let sum = &a.numerator * &b.denominator + &b.numerator * &a.denominator;
        let constant = (q0 * &a.denominator * &b.denominator) << 1;
        sign(&(constant + q1 * sum + ((q2 * &a.numerator * &b.numerator) << 1)))
    };
    let common = blossom(low, high);
    (common != 0 && blossom(low, low) == common && blossom(high, high) == common).then_some(common)
}

/// The roots in (0, 1] of a quadratic with two roots, of which one lies on each side of its
/// extreme.
fn quadratic_roots(of: &Polynomial, extreme: BigRational) -> Roots<'_> {
    let (zero, one) = (BigRational::zero(), BigRational::one());
    let mut roots = Roots::new();
    let mut side = |from: &BigRational, to: &BigRational| {
        if from.compare(to).is_ge() {
            return;
        }
        let [before, after] = [from, to].map(|end| of.sign_at(end));
        if after == 0 {
            roots.push(Root::Rational(to.clone()));
        } else if before == -after {
            let ends = [from.clone(), to.clone()];
            let place = RootLocation::Between { ends, after };
            roots.push(Root::Simple { of, place });
        }
    };
    let low = if extreme.compare(&one).is_lt() {
        &extreme
    } else {
        &one
    };
    side(&zero, low);
    let high = if extreme.compare(&zero).is_gt() {
        &extreme
    } else {
        &zero
    };
    side(high, &one);
    roots
}

/// Sturm's chain of a cubic without multiple roots: the cubic itself, its derivative, a linear
/// polynomial and a constant.
#[derive(Clone, Debug)]
pub(super) struct Sturm {
    derivative: Polynomial,
    linear: Polynomial,
    constant: i8,
}

impl Sturm {
    fn new(of: &Polynomial, spread: &Integer, twice: &Integer, discriminant: &Integer) -> Self {
        let lead = of.coefficients().last().map_or(0, sign);
        let signed = |x: Integer| if lead < 0 { -x } else { x };
        Self {
            derivative: of.derivative(),
            // The negative remainder of f divided by f′, times 9 |c₃|.
            linear: Polynomial::new([signed(-twice), signed(spread << 1)]),
            constant: lead * sign(discriminant),
        }
    }

    /// The number of sign changes along the chain at a point. From one point to a later one it
    /// falls by the number of roots after the first and up to the second.
    fn changes(&self, of: &Polynomial, at: &BigRational) -> usize {
        let signs = [
            of.sign_at(at),
            self.derivative.sign_at(at),
            self.linear.sign_at(at),
            self.constant,
        ];
        let (mut last, mut changes) = (0, 0);
        for sign in signs.into_iter().filter(|&sign| sign != 0) {
            changes += usize::from(sign == -last);
            last = sign;
        }
        changes
    }

    /// The roots in (0, 1].
    fn roots(self, of: &Polynomial) -> Roots<'_> {
        let ends = [BigRational::zero(), BigRational::one()];
        let [before, after] = [0, 1].map(|k| self.changes(of, &ends[k]));
        let last = of.sign_at(&ends[1]);
        let place = |changes| match before.saturating_sub(after) {
            1 => RootLocation::Between {
                ends: ends.clone(),
                after: last,
            },
            _ => RootLocation::Counted {
                chain: self.clone(),
                changes,
            },
        };
        // The chain loses one change at each root.
        let changes = (after + 1..=before).rev();
        let roots = changes.map(|changes| {
            if last == 0 && changes == after + 1 {
                return Root::Rational(BigRational::one());
            }
            let place = place(changes);
            Root::Simple { of, place }
        });
        roots.collect()
    }
}

/// A guess of the root in an interval, by bisection and Newton's method in floating point.
fn approximate_root(of: &Polynomial, ends: &[BigRational; 2]) -> f64 {
    let [c0, c1, c2, c3] = of.approximate();
    let [mut low, mut high] = [ends[0].approximate(), ends[1].approximate()];
    let value = |t: f64| ((c3 * t + c2) * t + c1) * t + c0;
    let slope = |t: f64| (3.0 * c3 * t + 2.0 * c2) * t + c1;
    let after = value(high);
    let mut t = 0.5 * (low + high);
    for _ in 0..64 {
        let at = value(t);
        if at == 0.0 {
            break;
        }
        if at * after > 0.0 {
            high = t;
        } else {
            low = t;
        }
        let newton = t - at / slope(t);
        let next = if newton > low && newton < high {
            newton
        } else {
            0.5 * (low + high)
        };
        if next == t {
            break;
        }
        t = next;
    }
    t
}
