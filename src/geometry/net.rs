//! What a control net says of the shape of its patch: how far it extends along each parameter and
//! how much it curves.

use super::{Shape, triangular_index};
use crate::vector::{BoundingBox, Vector, largest, minus};

impl Shape {
    /// The parameters that belong to a control point (its Greville abscissae).
    pub(crate) fn greville(&self, index: usize) -> (f64, f64) {
        let at = |i: usize, n: usize| if n == 0 { 0.0 } else { i as f64 / n as f64 };
        match *self {
            Self::TensorProduct { n, m } => (at(index / (m + 1), n), at(index % (m + 1), m)),
            Self::Triangular { n } => {
                let row = (0..=n).rev().find(|&j| triangular_index(n, 0, j) <= index);
                let j = row.unwrap_or(0);
                (at(index - triangular_index(n, 0, j), n), at(j, n))
            }
        }
    }

    /// How far a net extends along u and along v: of the lines of control points from side to side
    /// the longest, by its longest coordinate; for a triangle the longest side of the box around
    /// the net, twice.
    pub(crate) fn net_lengths(&self, point: impl Fn(usize) -> Vector) -> [f64; 2] {
        let apart = |a: usize, b: usize| largest(minus(point(a), point(b)));
        match *self {
            Self::TensorProduct { n, m } => {
                let at = |i: usize, j: usize| i * (m + 1) + j;
                let along_u = (0..=m).map(|j| apart(at(0, j), at(n, j)));
                let along_v = (0..=n).map(|i| apart(at(i, 0), at(i, m)));
                [along_u.fold(0.0, f64::max), along_v.fold(0.0, f64::max)]
            }
            Self::Triangular { .. } => {
                [BoundingBox::around((0..self.count()).map(point)).longest_side(); 2]
            }
        }
    }

    /// Bounds on the second derivatives by u and by v of a net's projections on an axis, from its
    /// second differences, with the twist counted for both. For a triangle both are the larger one,
    /// as its parameters can only be halved together.
    pub(crate) fn net_curvatures(&self, projections: &[f64]) -> [f64; 2] {
        let second = |a: f64, b: f64, c: f64| ((c - b) - (b - a)).abs();
        let (mut along_u, mut along_v, mut twist) = (0.0_f64, 0.0_f64, 0.0_f64);
        match *self {
            Self::TensorProduct { n, m } => {
                let rows = || projections.chunks_exact(m + 1);
                for row in rows() {
                    for three in row.windows(3) {
                        along_v = along_v.max(second(three[0], three[1], three[2]));
                    }
                }
                for (first, next) in rows().zip(rows().skip(1)) {
                    for (one, two) in first.windows(2).zip(next.windows(2)) {
                        twist = twist.max(((two[1] - one[1]) - (two[0] - one[0])).abs());
                    }
                }
                for ((first, next), third) in rows().zip(rows().skip(1)).zip(rows().skip(2)) {
                    for ((&a, &b), &c) in first.iter().zip(next).zip(third) {
                        along_u = along_u.max(second(a, b, c));
                    }
                }
                let [n, m] = [n as f64, m as f64];
                let twist = n * m * twist;
                [
                    n * (n - 1.0) * along_u + twist,
                    m * (m - 1.0) * along_v + twist,
                ]
            }
            Self::Triangular { n } => {
                let at = |i: usize, j: usize| projections[triangular_index(n, i, j)];
                for j in 1..n {
                    for i in 1..=n - j {
                        // Three points each: along u, along v, and the twist of the two.
                        let [w, u, v] = [at(i - 1, j - 1), at(i, j - 1), at(i - 1, j)];
                        along_u = along_u.max(second(w, u, at(i + 1, j - 1)));
                        along_v = along_v.max(second(w, v, at(i - 1, j + 1)));
                        twist = twist.max(((at(i, j) - v) - (u - w)).abs());
                    }
                }
                [(n * n) as f64 * along_u.max(along_v).max(twist); 2]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_points_lie_over_their_abscissae() {
        // A flat net with each control point at its abscissae is the identity.
        for shape in [
            Shape::TensorProduct { n: 3, m: 2 },
            Shape::TensorProduct { n: 4, m: 0 },
            Shape::Triangular { n: 3 },
        ] {
            let basis = shape.basis(0.3, if shape.is_curve() { 0.0 } else { 0.45 });
            let sum = |which: fn((f64, f64)) -> f64| -> f64 {
                let terms = basis.iter().enumerate();
                terms.map(|(k, b)| b * which(shape.greville(k))).sum()
            };
            assert!((sum(|(u, _)| u) - 0.3).abs() < 1e-15, "{shape}");
            if !shape.is_curve() {
                assert!((sum(|(_, v)| v) - 0.45).abs() < 1e-15, "{shape}");
            }
        }
    }

    #[test]
    fn second_differences_bound_the_second_derivatives() {
        // u² is the net 0, 0, 1 along u: its second derivative is 2.
        let shape = Shape::TensorProduct { n: 2, m: 1 };
        assert_eq!(
            shape.net_curvatures(&[0.0, 0.0, 0.0, 0.0, 1.0, 1.0]),
            [2.0, 0.0]
        );
        // u v has a twist of 1 and no other.
        let shape = Shape::TensorProduct { n: 1, m: 1 };
        assert_eq!(shape.net_curvatures(&[0.0, 0.0, 0.0, 1.0]), [1.0, 1.0]);
    }
}
