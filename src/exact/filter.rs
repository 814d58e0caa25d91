//! The answer in floating point, as far as error bounds allow.
//!
//! The cubic is kept in Bernstein form on cells of the horizon, whose widths are powers of two. A cell where all coefficients have one sign
//! has no root. One whose coefficients change sign once has one, and Newton's method brackets it. A cell in which the
//! origin is outside throughout does not matter whatever the cubic does. All others are halved, a few times.

use smallvec::{SmallVec, smallvec};

use super::corners::{Corners, Origin, Vector};
use crate::rounding::{UNDERFLOW, UNIT_ROUNDOFF};

/// What the filter comes upon next, in the order of time.
#[derive(Clone, Copy, Debug)]
pub(super) enum Finding {
    /// No contact up to the end.
    Clear,
    /// The first contact is in this interval, whose start is above 0.
    Contact([f64; 2]),
    /// The cubic has one root in this interval, a simple one and not at its ends; whether that is a contact is open. If it is not, there is none
    /// in the interval.
    Root([f64; 2]),
    /// Everything is open from [`Filter::free_until`] on.
    Open,
}

/// Halvings of the horizon.
const DEPTH: u32 = 7;

/// A root's interval is to be no longer, nor longer than δ / 2.
const WIDEST_BRACKET: f64 = 1.0 / (1_u64 << 31) as f64;

/// Roundings of a Bernstein coefficient, as a sum of products of three coordinates: cross product 2, sum of two of them 1, dot product 3,
/// sum of two dot products 1, third 2; three averages in each of [`DEPTH`] halvings; ten when evaluated; one for products of roundings.
const ROUNDINGS: f64 = 9.0 + 3.0 * DEPTH as f64 + 10.0 + 1.0;

#[derive(Clone, Copy, Debug)]
struct Cell {
    start: f64,
    width: f64,
    depth: u32,
    coefficients: [f64; 4],
}

/// The walk through time.
#[derive(Debug)]
pub(super) struct Filter<'a> {
    corners: &'a Corners,
    /// What is left of the horizon, the earliest cell last.
    cells: SmallVec<[Cell; DEPTH as usize + 1]>,
    /// Of a coefficient of the cubic, and of its value anywhere.
    error: f64,
    /// A root's interval is to be no longer.
    widest: f64,
}

impl<'a> Filter<'a> {
    pub(super) fn new(corners: &'a Corners, delta: f64) -> Self {
        let (coefficients, error) = determinant(&corners.spanning);
        let whole = Cell {
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

    /// No contact before this time.
    pub(super) fn free_until(&self) -> f64 {
        self.cells.last().map_or(1.0, |cell| cell.start)
    }

    pub(super) fn next(&mut self) -> Finding {
        while let Some(&cell) = self.cells.last() {
            let Cell {
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
                // No root is left in the cell after this one.
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
                self.cells.push(Cell {
                    start,
                    width: half,
                    depth,
                    coefficients,
                });
            }
        }
        Finding::Clear
    }

    /// The only root in a cell, in a short interval not from 0 at whose ends the signs are certain.
    fn bracket(&self, cell: &Cell) -> Option<[f64; 2]> {
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
        let mut reach = 2.0 * self.error / slope.abs() + 2.0 * UNIT_ROUNDOFF;
        // Cells start at short numbers: both differences are exact.
        let local = |time: f64| (time - cell.start) / cell.width;
        for _ in 0..3 {
            let low = cell.start + cell.width * (x - reach);
            let high = cell.start + cell.width * (x + reach);
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
            reach *= 4.0;
        }
        None
    }
}

/// The Bernstein coefficients of the determinant of three vectors, and a bound on the error of each.
fn determinant([p, q, r]: &[Vector; 3]) -> ([f64; 4], f64) {
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
    // The determinant without its signs.
    let permanent = |p: [f64; 3], [a, b, c]: [f64; 3], [x, y, z]: [f64; 3]| {
        dot(p, [b * z + c * y, c * x + a * z, a * y + b * x])
    };
    let errors = permanent(p.error, q.reach, r.reach)
        + permanent(p.reach, q.error, r.reach)
        + permanent(p.reach, q.reach, r.error);
    let roundings = ROUNDINGS * UNIT_ROUNDOFF * permanent(p.reach, q.reach, r.reach);
    (
        coefficients,
        (errors + roundings) * (1.0 + 16.0 * UNIT_ROUNDOFF) + UNDERFLOW,
    )
}

fn dot([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> f64 {
    a * x + b * y + c * z
}

fn cross([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
    [b * z - c * y, c * x - a * z, a * y - b * x]
}

/// The coefficients on both halves of a cell.
fn halves([a, b, c, d]: [f64; 4]) -> [[f64; 4]; 2] {
    let mean = |x: f64, y: f64| 0.5 * (x + y);
    let (ab, bc, cd) = (mean(a, b), mean(b, c), mean(c, d));
    let (abc, bcd) = (mean(ab, bc), mean(bc, cd));
    let middle = mean(abc, bcd);
    [[a, ab, abc, middle], [middle, bcd, cd, d]]
}

/// Value and derivative at x in [0, 1].
fn evaluate([a, b, c, d]: &[f64; 4], x: f64) -> (f64, f64) {
    let y = 1.0 - x;
    let (ab, bc, cd) = (y * a + x * b, y * b + x * c, y * c + x * d);
    let (abc, bcd) = (y * ab + x * bc, y * bc + x * cd);
    (y * abc + x * bcd, 3.0 * (bcd - abc))
}
