//! Real algebraic numbers in [0, 1]: the roots of polynomials, never rounded.

use std::cmp::Ordering;

use dashu_int::IBig;

use super::polynomial::{Cell, Polynomial};
use crate::exact;

/// A number that is either a dyadic fraction, or the only root of a polynomial in an open interval
/// that can be made as small as needed.
#[derive(Clone, Debug)]
pub struct Root {
    /// The number is in this cell; or its lower end, if there is no polynomial.
    cell: Cell,
    polynomial: Option<Polynomial>,
}

impl Root {
    fn low_end(cell: Cell) -> Self {
        let polynomial = None;
        Self { cell, polynomial }
    }

    /// All roots in [0, 1] of a polynomial that has only simple roots, in ascending order.
    ///
    /// By Descartes' rule the number of changes of sign in the Bernstein coefficients on a cell
    /// exceeds the number of roots in the open cell by an even number. Cells with two changes or
    /// more are halved; that ends, since a cell which is small enough has as many changes as roots
    /// when roots are simple.
    pub(super) fn all(polynomial: &Polynomial) -> Vec<Self> {
        let mut roots = Vec::new();
        let unit = polynomial.bernstein(&Cell::unit());
        if unit.first().is_some_and(IBig::is_zero) {
            roots.push(Self::low_end(Cell::unit()));
        }
        Self::inside(polynomial, Cell::unit(), &mut roots);
        if unit.last().is_some_and(IBig::is_zero) {
            let (numerator, level) = (IBig::ONE, 0);
            roots.push(Self::low_end(Cell { numerator, level }));
        }
        roots
    }

    fn inside(polynomial: &Polynomial, cell: Cell, roots: &mut Vec<Self>) {
        match sign_changes(&polynomial.bernstein(&cell)) {
            0 => {}
            1 => roots.push(Self {
                cell,
                polynomial: Some(polynomial.clone()),
            }),
            _ => {
                let [left, right] = cell.halves();
                Self::inside(polynomial, left, roots);
                if polynomial.bernstein(&right)[0].is_zero() {
                    roots.push(Self::low_end(right.clone()));
                }
                Self::inside(polynomial, right, roots);
            }
        }
    }

    /// Halves the cell.
    fn refine(&mut self) {
        let [left, right] = self.cell.halves();
        let Some(polynomial) = &self.polynomial else {
            self.cell = left;
            return;
        };
        let right_half = polynomial.bernstein(&right);
        if right_half[0].is_zero() {
            *self = Self::low_end(right);
        } else if sign_changes(&right_half) == 1 {
            // The halves have no more changes of sign than the whole had, which is one.
            self.cell = right;
        } else {
            self.cell = left;
        }
    }

    /// The smaller of two numbers.
    pub(super) fn earlier(mut self, mut other: Self) -> Self {
        let mut known_to_differ = false;
        loop {
            // Of two cells, one holds the other, or they have no number in common.
            let level = self.cell.level.min(other.cell.level);
            let place = |root: &Self| &root.cell.numerator >> (root.cell.level - level);
            match place(&self).cmp(&place(&other)) {
                Ordering::Less => return self,
                Ordering::Greater => return other,
                Ordering::Equal => {}
            }
            let deeper = [&self, &other]
                .into_iter()
                .max_by_key(|root| root.cell.level);
            let are_equal = match (&self.polynomial, &other.polynomial, deeper) {
                (None, None, _) => self.cell.level == other.cell.level,
                (Some(one), Some(two), Some(deeper)) if !known_to_differ => {
                    known_to_differ = true;
                    sign_changes(&one.gcd(two).bernstein(&deeper.cell)) % 2 == 1
                }
                _ => false,
            };
            if are_equal {
                return self;
            }
            if self.cell.level <= other.cell.level {
                self.refine();
            } else {
                other.refine();
            }
        }
    }

    /// The sign of a polynomial at this number.
    ///
    /// For a dyadic number it is computed. Else, with p the polynomial of this number: it is 0 if
    /// and only if the greatest common divisor with p, which has at most one root in the cell, has
    /// one there. And if it is not 0, the cell shrinks to one without a root of the polynomial.
    pub(super) fn sign(&mut self, polynomial: &Polynomial) -> Ordering {
        let mut known_to_differ = false;
        loop {
            let values = polynomial.bernstein(&self.cell);
            let Some(own) = &self.polynomial else {
                return values.first().map_or(Ordering::Equal, sign);
            };
            if sign_changes(&values) == 0 {
                // Inside of the cell every Bernstein polynomial is positive.
                let signs = values.iter().map(sign);
                return signs.fold(Ordering::Equal, Ordering::then);
            }
            if !known_to_differ {
                let common = own.gcd(polynomial);
                if sign_changes(&common.bernstein(&self.cell)) % 2 == 1 {
                    return Ordering::Equal;
                }
                known_to_differ = true;
            }
            self.refine();
        }
    }

    /// This number compared with a finite one.
    pub fn compare(&mut self, x: f64) -> Ordering {
        let (numerator, denominator) = exact(x).into_parts();
        self.sign(&Polynomial::new(vec![-numerator, denominator.into()]))
    }

    /// Doubles at most 2⁻⁵³ apart that this number lies between.
    pub fn bracket(&mut self) -> [f64; 2] {
        const LEVEL: usize = 53;
        while self.cell.level < LEVEL {
            self.refine();
        }
        let shift = self.cell.level - LEVEL;
        let lower: IBig = &self.cell.numerator >> shift;
        let exact = self.polynomial.is_none() && &lower << shift == self.cell.numerator;
        let upper = if exact { lower.clone() } else { &lower + 1 };
        [lower, upper].map(|n| n.to_f64().value() / (1_u64 << LEVEL) as f64)
    }
}

fn sign(x: &IBig) -> Ordering {
    x.cmp(&IBig::ZERO)
}

/// Changes of sign from one number to the next, zeros left out.
fn sign_changes(values: &[IBig]) -> usize {
    let mut signs: Vec<Ordering> = values.iter().map(sign).collect();
    signs.retain(|sign| sign.is_ne());
    signs.windows(2).filter(|pair| pair[0] != pair[1]).count()
}
