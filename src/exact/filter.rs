//! The answer in floating point, as far as error bounds allow.
//!
//! The cubic is kept in Bernstein form on cells of the horizon, whose widths are powers of two. A
//! cell whose coefficients all have one sign has no root. A cell whose coefficients change sign
//! once has one root, which Newton's method brackets. A cell in which the origin is outside the
//! polygon throughout does not matter, whatever the cubic does. All other cells are halved, a few
//! times.

use smallvec::{SmallVec, smallvec};

use super::corners::{Corners, MovingVector, Origin};
use crate::rounding::{UNDERFLOW, UNIT_ROUNDOFF};
use crate::vector::{Vector, cross, dot};

/// What the filter finds next, in the order of time.
#[derive(Clone, Copy, Debug)]
pub(super) enum Finding {
    /// There is no contact up to the end of the horizon.
    Clear,
    /// The first contact is in this interval, which starts above 0.
    Contact([f64; 2]),
    /// The cubic has exactly one root in this interval: a simple one, and not at its ends. Whether
    /// it is a contact is undecided; if it is not, the interval has none.
    Root([f64; 2]),
    /// Everything is undecided from [`Filter::free_until`] on.
    Open,
}

/// How often the horizon is halved at most.
const DEPTH: u32 = 7;

/// The longest bracket of a root, unless δ / 2 is shorter.
const WIDEST_BRACKET: f64 = 1.0 / (1_u64 << 31) as f64;

/// Roundings of a Bernstein coefficient, as a sum of products of three coordinates: the cross
/// product has 2, the sum of two of them 1, the dot product 3, the sum of two dot products 1, the
/// third 2.
const COEFFICIENT_ROUNDINGS: f64 = 2.0 + 1.0 + 3.0 + 1.0 + 2.0;

/// Roundings of a halving: three averages one after the other.
const HALVING_ROUNDINGS: f64 = 3.0;

/// Roundings of a value on a cell: 1 − x has one, and each of three rounds has a product and a sum
/// more.
const VALUE_ROUNDINGS: f64 = 1.0 + 3.0 * (1.0 + 2.0);

/// All roundings together, and one for products of roundings.
const ROUNDINGS: f64 =
    COEFFICIENT_ROUNDINGS + HALVING_ROUNDINGS * DEPTH as f64 + VALUE_ROUNDINGS + 1.0;

#[derive(Clone, Copy, Debug)]
struct CubicCell {
    start: f64,
    width: f64,
    depth: u32,
    coefficients: [f64; 4],
}

/// The walk through time, from the earliest cell to the latest.
#[derive(Debug)]
pub(super) struct Filter<'a> {
    corners: &'a Corners,
    /// The cells that are left of the horizon, the earliest one last.
    cells: SmallVec<[CubicCell; DEPTH as usize + 1]>,
    /// A bound on the error of a coefficient of the cubic and of its value anywhere.
    error: f64,
    /// The longest bracket of a root.
    widest: f64,
}

impl<'a> Filter<'a> {
    pub(super) fn new(corners: &'a Corners, delta: f64) -> Self {
        let (coefficients, error) = determinant(&corners.spanning);
        let whole = CubicCell {
            start: 0.0,
            width: 1.0,
            depth: 0,
            coefficients,
        };
        Self {
            corners,
            cells: smallvec![whole],
            error,
            widest: WIDEST_BRACKET.min(0.5 * delta),
        }
    }

    /// A time before which there is no contact.
    pub(super) fn free_until(&self) -> f64 {
        self.cells.last().map_or(1.0, |cell| cell.start)
    }

    pub(super) fn next(&mut self) -> Finding {
        while let Some(&cell) = self.cells.last() {
            let CubicCell {
                start,
                width,
                depth,
                coefficients: [a, b, c, d],
            } = cell;
            let error = self.error;
            let least = a.min(b).min(c).min(d);
            let largest = a.max(b).max(c).max(d);
            let half = 0.5 * width;
            if least > error
                || largest < -error
                || self.corners.origin(start + half, half) == Origin::Outside
            {
                self.cells.pop();
                continue;
            }
            let crosses = |sign: f64| {
                let [a, b, c, d] = [a, b, c, d].map(|x| sign * x);
                a > error && d < -error && (b > error || c < -error)
            };
            if (crosses(1.0) || crosses(-1.0))
                && let Some(bracket) = self.bracket(&cell)
            {
                self.cells.pop();
                let [from, to] = bracket;
                // The cell has no other root.
                match self.corners.origin(from, to - from) {
                    Origin::Outside => continue,
                    Origin::Inside => return Finding::Contact(bracket),
                    Origin::Unknown => return Finding::Root(bracket),
                }
            }
            if depth == DEPTH {
                return Finding::Open;
            }
            self.cells.pop();
            let ([lower, upper], depth) = (halves([a, b, c, d]), depth + 1);
            for (start, coefficients) in [(start + half, upper), (start, lower)] {
                self.cells.push(CubicCell {
                    start,
                    width: half,
                    depth,
                    coefficients,
                });
            }
        }
        Finding::Clear
    }

    /// A short bracket of the only root in a cell. It does not start at 0, and the signs at its
    /// ends are certain and different. `None` if no such bracket is found.
    fn bracket(&self, cell: &CubicCell) -> Option<[f64; 2]> {
        let [a, _, _, d] = cell.coefficients;
        let sign = a.signum();
        let (mut low, mut high) = (0.0, 1.0);
        let mut x = a / (a - d);
        let mut slope = d - a;
        for _ in 0..16 {
            let (value, slope_here) = evaluate(&cell.coefficients, x);
            slope = slope_here;
            if value.abs() <= 0.25 * self.error {
                break;
            }
            if sign * value > 0.0 {
                low = x;
            } else {
                high = x;
            }
            let newton = x - value / slope;
            let next = if newton > low && newton < high {
                newton
            } else {
                0.5 * (low + high)
            };
            if next == x {
                break;
            }
            x = next;
        }
        let mut radius = 2.0 * self.error / slope.abs() + 2.0 * UNIT_ROUNDOFF;
        // The start of a cell has few digits and its width is a power of two, so this is exact.
        let local = |time: f64| (time - cell.start) / cell.width;
        for _ in 0..3 {
            let low = cell.start + cell.width * (x - radius);
            let high = cell.start + cell.width * (x + radius);
            let low = if low > cell.start {
                low.next_down()
            } else {
                cell.start
            };
            let high = high.next_up().min(cell.start + cell.width);
            if low > 0.0
                && high - low <= self.widest
                && sign * evaluate(&cell.coefficients, local(low)).0 > self.error
                && sign * evaluate(&cell.coefficients, local(high)).0 < -self.error
            {
                return Some([low, high]);
            }
            radius *= 4.0;
        }
        None
    }
}

/// The Bernstein coefficients of the determinant of three vectors, and a bound on the error of
/// each.
fn determinant([p, q, r]: &[MovingVector; 3]) -> ([f64; 4], f64) {
    let ([p0, p1], [q0, q1], [r0, r1]) = (p.ends, q.ends, r.ends);
    let n0 = cross(q0, r0);
    let n2 = cross(q1, r1);
    let [one, two] = [cross(q0, r1), cross(q1, r0)];
    let n1 = std::array::from_fn(|c| one[c] + two[c]);
    let coefficients = [
        dot(p0, n0),
        (dot(p1, n0) + dot(p0, n1)) * (1.0 / 3.0),
        (dot(p1, n1) + dot(p0, n2)) * (1.0 / 3.0),
        dot(p1, n2),
    ];
    // The permanent: the determinant with all its signs positive.
    let permanent = |p: Vector, [a, b, c]: Vector, [x, y, z]: Vector| {
        dot(p, [b * z + c * y, c * x + a * z, a * y + b * x])
    };
    let errors = permanent(p.error, q.magnitude, r.magnitude)
        + permanent(p.magnitude, q.error, r.magnitude)
        + permanent(p.magnitude, q.magnitude, r.error);
    let roundings = ROUNDINGS * UNIT_ROUNDOFF * permanent(p.magnitude, q.magnitude, r.magnitude);
    (
        coefficients,
        (errors + roundings) * (1.0 + 16.0 * UNIT_ROUNDOFF) + UNDERFLOW,
    )
}

/// The coefficients on both halves of a cell.
fn halves([a, b, c, d]: [f64; 4]) -> [[f64; 4]; 2] {
    let mean = |x: f64, y: f64| 0.5 * (x + y);
    let (ab, bc, cd) = (mean(a, b), mean(b, c), mean(c, d));
    let (abc, bcd) = (mean(ab, bc), mean(bc, cd));
    let middle = mean(abc, bcd);
    [[a, ab, abc, middle], [middle, bcd, cd, d]]
}

/// The value and the derivative at x in [0, 1].
fn evaluate([a, b, c, d]: &[f64; 4], x: f64) -> (f64, f64) {
    let y = 1.0 - x;
    let (ab, bc, cd) = (y * a + x * b, y * b + x * c, y * c + x * d);
    let (abc, bcd) = (y * ab + x * bc, y * bc + x * cd);
    (y * abc + x * bcd, 3.0 * (bcd - abc))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proofs::{Dyadic, Random, cases, exact};

    fn three(x: Dyadic) -> Dyadic {
        Dyadic::integer(3) * x
    }

    fn bound(roundings: f64, size: f64) -> Dyadic {
        exact(roundings * UNIT_ROUNDOFF) * exact(size) + exact(UNDERFLOW)
    }

    /// The exact determinant of three vectors.
    fn exact_determinant(p: [f64; 3], q: [f64; 3], r: [f64; 3]) -> Dyadic {
        let term = |a: usize, b: usize, c: usize| exact(p[a]) * exact(q[b]) * exact(r[c]);
        let even = term(0, 1, 2) + term(1, 2, 0) + term(2, 0, 1);
        even - (term(0, 2, 1) + term(1, 0, 2) + term(2, 1, 0))
    }

    /// Three vectors whose coordinates may nearly cancel, and the permanent of their magnitudes.
    fn vectors(random: &mut Random) -> ([MovingVector; 3], f64) {
        let near = 0.5_f64.powi(random.below(40) as i32);
        let base = [0; 3].map(|_| random.sign());
        let vectors = [0; 3].map(|_| {
            let ends = [0; 2].map(|_| base.map(|x| x + near * random.sign()));
            let magnitude = std::array::from_fn(|c| ends[0][c].abs().max(ends[1][c].abs()));
            MovingVector {
                ends,
                error: [0.0; 3],
                magnitude,
            }
        });
        let [p, q, r] = vectors.map(|vector| vector.magnitude);
        let mut size = 0.0;
        for (a, b, c) in [
            (0, 1, 2),
            (1, 2, 0),
            (2, 0, 1),
            (0, 2, 1),
            (1, 0, 2),
            (2, 1, 0),
        ] {
            size += p[a] * q[b] * r[c];
        }
        (vectors, size)
    }

    #[test]
    fn coefficients_are_right_to_their_bound() {
        let mut random = Random::new(51);
        for _ in 0..cases(2000) {
            let (vectors, size) = vectors(&mut random);
            let (computed, error) = determinant(&vectors);
            assert!(error >= ROUNDINGS * UNIT_ROUNDOFF * size * (1.0 - 1e-15));
            let [p, q, r] = vectors.map(|vector| vector.ends);
            let at = |i: usize, j: usize, k: usize| exact_determinant(p[i], q[j], r[k]);
            let times_three = [
                three(at(0, 0, 0)),
                at(1, 0, 0) + at(0, 1, 0) + at(0, 0, 1),
                at(1, 1, 0) + at(1, 0, 1) + at(0, 1, 1),
                three(at(1, 1, 1)),
            ];
            for (computed, exact_value) in computed.into_iter().zip(times_three) {
                let error = (three(exact(computed)) - exact_value).abs();
                assert!(error <= three(bound(COEFFICIENT_ROUNDINGS, size)));
            }
        }
    }

    #[test]
    fn halves_and_values_are_right_to_their_bounds() {
        let mut random = Random::new(52);
        let weigh = |x: &Dyadic, a: &Dyadic, b: &Dyadic| {
            (exact(1.0) - x.clone()) * a.clone() + x.clone() * b.clone()
        };
        // The exact value, by de Casteljau's algorithm.
        let value = |c: &[f64; 4], x: f64| {
            let x = exact(x);
            let mut row: Vec<_> = c.iter().map(|&c| exact(c)).collect();
            while row.len() > 1 {
                row = row
                    .windows(2)
                    .map(|two| weigh(&x, &two[0], &two[1]))
                    .collect();
            }
            row.remove(0)
        };
        for _ in 0..cases(2000) {
            let coefficients = [0; 4].map(|_| random.sign());
            let size = coefficients
                .iter()
                .fold(0.0_f64, |most, c| most.max(c.abs()));
            let [_, upper] = halves(coefficients);
            // The first coefficient of the upper half is the value in the middle.
            let error = (exact(upper[0]) - value(&coefficients, 0.5)).abs();
            assert!(error <= bound(HALVING_ROUNDINGS, size));
            let x = random.unit();
            let error = (exact(evaluate(&coefficients, x).0) - value(&coefficients, x)).abs();
            assert!(error <= bound(VALUE_ROUNDINGS, size));
        }
    }
}
