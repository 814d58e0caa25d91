//! Control nets in exact arithmetic: their parts, their points and their projections.

use std::cmp::Ordering;

use crate::geometry::{Cell, Shape};
use crate::proofs::{Dyadic, exact};

/// A moving control point in homogeneous coordinates: start and displacement, each times the
/// weight, then the weight.
type Row = [Dyadic; 7];

/// A quotient of exact numbers, whose denominator is positive.
#[derive(Clone, Debug)]
pub(super) struct Quotient {
    pub(super) numerator: Dyadic,
    pub(super) denominator: Dyadic,
}

impl Quotient {
    /// self − other.
    pub(super) fn minus(&self, other: &Self) -> Self {
        let [a, b] = [self, other].map(|x| x.numerator.clone());
        let [p, q] = [self, other].map(|x| x.denominator.clone());
        Self {
            numerator: a * q.clone() - b * p.clone(),
            denominator: p * q,
        }
    }

    /// The order of the two values.
    pub(super) fn compare(&self, other: &Self) -> Ordering {
        let one = self.numerator.clone() * other.denominator.clone();
        one.cmp(&(other.numerator.clone() * self.denominator.clone()))
    }

    /// |x − self| and `bound`, both multiplied by the denominator.
    pub(super) fn error(&self, x: f64, bound: Dyadic) -> [Dyadic; 2] {
        let error = exact(x) * self.denominator.clone() - self.numerator.clone();
        [error.abs(), bound * self.denominator.clone()]
    }

    /// Whether the quotient is larger than `distance` times the length of `axis`.
    pub(super) fn exceeds(&self, distance: &Dyadic, axis: [f64; 3]) -> bool {
        let square = |x: &Dyadic| x.clone() * x.clone();
        let of_axis = axis.map(exact).iter().map(square).reduce(|a, b| a + b);
        let limit = of_axis.unwrap() * square(distance) * square(&self.denominator);
        self.numerator.is_positive() && square(&self.numerator) > limit
    }
}

/// A moving control net in homogeneous coordinates.
#[derive(Clone, Debug)]
pub(super) struct ExactNet {
    shape: Shape,
    rows: Vec<Row>,
}

impl ExactNet {
    /// A net from Euclidean coordinates, start and displacement for each control point, and from
    /// its weights if it is rational.
    pub(super) fn new(shape: Shape, rows: &[[Dyadic; 6]], weights: Option<&[f64]>) -> Self {
        let weight = |k: usize| weights.map_or(Dyadic::integer(1), |weights| exact(weights[k]));
        let row = |(k, row): (usize, &[Dyadic; 6])| -> Row {
            std::array::from_fn(|c| match row.get(c) {
                Some(x) => x.clone() * weight(k),
                None => weight(k),
            })
        };
        Self {
            shape,
            rows: rows.iter().enumerate().map(row).collect(),
        }
    }

    /// Coordinate `c` of control point `k`: 0 to 2 are the start, 3 to 5 the displacement.
    pub(super) fn coordinate(&self, k: usize, c: usize) -> Quotient {
        Quotient {
            numerator: self.rows[k][c].clone(),
            denominator: self.rows[k][6].clone(),
        }
    }

    /// The projections of all control points on an axis at time t.
    pub(super) fn projections(&self, axis: [f64; 3], t: &Dyadic) -> Vec<Quotient> {
        let project = |row: &Row| {
            let terms =
                (0..3).map(|c| exact(axis[c]) * (row[c].clone() + t.clone() * row[3 + c].clone()));
            Quotient {
                numerator: terms.fold(exact(0.0), |sum, term| sum + term),
                denominator: row[6].clone(),
            }
        };
        self.rows.iter().map(project).collect()
    }

    /// The point of the patch at (u, v), as a net of one control point. It is the value of the
    /// blossom if all arguments are equal.
    pub(super) fn point(&self, (u, v): (f64, f64)) -> Self {
        let [u, v] = [u, v].map(exact);
        let row = match self.shape {
            Shape::TensorProduct { n, m } => {
                let line = |i: usize| self.rows[i * (m + 1)..][..=m].to_vec();
                let lines = (0..=n).map(|i| on_curve(line(i), &vec![v.clone(); m]));
                on_curve(lines.collect(), &vec![u; n])
            }
            Shape::Triangular { n } => {
                on_triangle(n, self.rows.clone(), std::iter::repeat_n([&u, &v], n))
            }
        };
        Self {
            shape: self.shape,
            rows: vec![row],
        }
    }

    /// The net of the part of the patch over a cell. Its control points are values of the blossom
    /// at the corners of the cell, by de Casteljau's algorithm from the whole net.
    pub(super) fn part(&self, cell: &Cell) -> Self {
        let [u0, v0] = [cell.u0, cell.v0].map(exact);
        let u1 = u0.clone() + exact(cell.width_u);
        let v1 = v0.clone() + exact(cell.width_v);
        let mut rows = Vec::new();
        match self.shape {
            Shape::TensorProduct { n, m } => {
                for i in 0..=n {
                    let arguments = [vec![u0.clone(); n - i], vec![u1.clone(); i]].concat();
                    let across: Vec<Row> = (0..=m)
                        .map(|j| {
                            let line = (0..=n).map(|i| self.rows[i * (m + 1) + j].clone());
                            on_curve(line.collect(), &arguments)
                        })
                        .collect();
                    for j in 0..=m {
                        let arguments = [vec![v0.clone(); m - j], vec![v1.clone(); j]].concat();
                        rows.push(on_curve(across.clone(), &arguments));
                    }
                }
            }
            Shape::Triangular { n } => {
                let corners = [[&u0, &v0], [&u1, &v0], [&u0, &v1]];
                for j in 0..=n {
                    for i in 0..=n - j {
                        let times = [n - i - j, i, j];
                        let arguments = (0..3).flat_map(|k| vec![corners[k]; times[k]]);
                        rows.push(on_triangle(n, self.rows.clone(), arguments));
                    }
                }
            }
        }
        Self {
            shape: self.shape,
            rows,
        }
    }
}

/// The sum of `rows`, each multiplied by its factor.
fn combine<const N: usize>(factors: [&Dyadic; N], rows: [&Row; N]) -> Row {
    std::array::from_fn(|c| {
        let terms = (0..N).map(|k| factors[k].clone() * rows[k][c].clone());
        terms.fold(exact(0.0), |sum, term| sum + term)
    })
}

/// The value of a curve's blossom at these arguments, one for each degree.
fn on_curve(mut rows: Vec<Row>, arguments: &[Dyadic]) -> Row {
    for x in arguments {
        let rest = Dyadic::integer(1) - x.clone();
        let pairs = rows.windows(2);
        rows = pairs
            .map(|pair| combine([&rest, x], [&pair[0], &pair[1]]))
            .collect();
    }
    rows.swap_remove(0)
}

/// The value of a triangular patch's blossom at these arguments (u, v), one for each degree.
fn on_triangle<'a>(
    n: usize,
    mut rows: Vec<Row>,
    arguments: impl Iterator<Item = [&'a Dyadic; 2]>,
) -> Row {
    let mut degree = n;
    for [u, v] in arguments {
        let w = Dyadic::integer(1) - u.clone() - v.clone();
        // The number of the first point of row j: the rows of the net have degree + 1, degree, …
        // points.
        let first = |j: usize| j * (2 * degree + 3 - j) / 2;
        let mut lower = Vec::new();
        for j in 0..degree {
            for i in 0..degree - j {
                let corners = [first(j) + i, first(j) + i + 1, first(j + 1) + i];
                lower.push(combine([&w, u, v], corners.map(|k| &rows[k])));
            }
        }
        rows = lower;
        degree -= 1;
    }
    rows.swap_remove(0)
}

/// The exact gap of two nets on an axis at time t: the least projection of `above` minus the
/// largest one of `below`.
pub(super) fn gap(above: &ExactNet, below: &ExactNet, axis: [f64; 3], t: &Dyadic) -> Quotient {
    gap_of_times([above, below], axis, [t, t])
}

/// The same gap, with `above` at time t and `below` at time s.
pub(super) fn gap_of_times(
    [above, below]: [&ExactNet; 2],
    axis: [f64; 3],
    [t, s]: [&Dyadic; 2],
) -> Quotient {
    let least = above
        .projections(axis, t)
        .into_iter()
        .min_by(Quotient::compare);
    let most = below
        .projections(axis, s)
        .into_iter()
        .max_by(Quotient::compare);
    least.unwrap().minus(&most.unwrap())
}
