//! The layouts of control nets, and every algorithm that depends on the layout.

use smallvec::SmallVec;

use super::bernstein::{
    Basis, BernsteinJet, bernstein, bernstein_derivatives, bernstein_jets, triangular_bernstein,
    triangular_index, triangular_jets,
};
use super::cell::Cell;
use crate::Error;

/// How the control points of a patch are laid out, and over which domain the patch is defined.
///
/// This is all that the search knows of a kind of patch: the number of control points, how a net is
/// split, and which differences of control points span it. A vertex is a tensor-product net of
/// degree (0, 0); a curve or an edge is one of degree (n, 0).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A tensor-product net over the unit square. It has (n+1)(m+1) points, at index i·(m+1)+j with
    /// i along u and j along v.
    TensorProduct {
        /// Degree in u.
        n: usize,
        /// Degree in v.
        m: usize,
    },
    /// A triangular net over u, v ≥ 0, u + v ≤ 1. It has (n+1)(n+2)/2 points, u fastest: with
    /// w = 1 − u − v the exponents of (u, v, w) for degree 2 are 002, 101, 200, 011, 110, 020.
    Triangular {
        /// Degree.
        n: usize,
    },
}

/// The highest degree of a patch. The memory for splitting a triangular net grows with n⁴; it is 5
/// MB at degree 30.
pub const MAX_DEGREE: usize = 30;
const _: () = assert!(MAX_DEGREE == crate::error::HIGHEST_DEGREE);

/// A difference of two control points, `net[to] − net[from]`.
pub(crate) type Difference = (usize, usize);

/// What a spanning direction of a net consists of: one difference of control points, or the sum of
/// two.
pub(crate) type SpanningDifference = (Difference, Option<Difference>);

impl std::fmt::Display for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TensorProduct { n, m: 0 } if *n > 0 => write!(f, "curve of degree {n}"),
            Self::TensorProduct { n, m } => write!(f, "tensor-product patch of degree ({n}, {m})"),
            Self::Triangular { n } => write!(f, "triangular patch of degree {n}"),
        }
    }
}

impl Shape {
    /// One point.
    pub(crate) const VERTEX: Self = Self::TensorProduct { n: 0, m: 0 };
    /// A straight edge, along u.
    pub(crate) const EDGE: Self = Self::TensorProduct { n: 1, m: 0 };
    /// A flat triangle.
    pub(crate) const FACE: Self = Self::Triangular { n: 1 };
    /// A bilinear quadrilateral.
    #[cfg(feature = "mesh")]
    pub(crate) const BILINEAR: Self = Self::TensorProduct { n: 1, m: 1 };

    /// The degrees in u and in v; for a triangle its degree twice.
    pub fn degrees(&self) -> [usize; 2] {
        match *self {
            Self::TensorProduct { n, m } => [n, m],
            Self::Triangular { n } => [n, n],
        }
    }

    /// Refuses degrees above [`MAX_DEGREE`]. Degree 0 is allowed, for curves and vertices.
    ///
    /// # Errors
    /// A degree above [`MAX_DEGREE`].
    pub fn check_degrees(&self) -> Result<(), Error> {
        match self
            .degrees()
            .into_iter()
            .find(|&degree| degree > MAX_DEGREE)
        {
            Some(value) => Err(Error::Degree {
                argument: "degree",
                value,
            }),
            None => Ok(()),
        }
    }

    /// The number of control points.
    #[inline]
    pub fn count(&self) -> usize {
        match *self {
            Self::TensorProduct { n, m } => {
                (n.saturating_add(1)).saturating_mul(m.saturating_add(1))
            }
            Self::Triangular { n } => n.saturating_add(1).saturating_mul(n.saturating_add(2)) / 2,
        }
    }

    /// The number of children of a midpoint subdivision: 4 for a patch, 2 for a curve, 1 for a
    /// vertex.
    #[inline]
    pub fn children(&self) -> usize {
        match *self {
            Self::TensorProduct { n, m } => (1 + usize::from(n > 0)) * (1 + usize::from(m > 0)),
            Self::Triangular { .. } => 4,
        }
    }

    /// Whether it is a curve in u, such as an edge.
    pub(crate) fn is_curve(&self) -> bool {
        matches!(self, Self::TensorProduct { n: 1.., m: 0 })
    }

    /// Whether it is a vertex, an edge or a triangle.
    pub(crate) fn is_simplex(&self) -> bool {
        matches!(
            self,
            Self::TensorProduct { n: 0 | 1, m: 0 } | Self::Triangular { n: 1 }
        )
    }

    /// The cell of child `i` relative to its parent.
    ///
    /// For a tensor-product patch the children are the (low, low), (high, low), (low, high), (high,
    /// high) halves of (u, v). For a triangle they are the ones at the corners (0, 0), (1, 0), (0,
    /// 1), then the middle one, which is turned by 180°.
    #[inline]
    pub fn child_cell(&self, i: usize) -> Cell {
        match *self {
            Self::TensorProduct { n: 0, m: 0 } => Cell::UNIT,
            Self::TensorProduct { n: 0, .. } => half(0.0, 0.5 * i as f64),
            Self::TensorProduct { .. } => half(0.5 * (i % 2) as f64, 0.5 * (i / 2) as f64),
            Self::Triangular { .. } => match i {
                0 => half(0.0, 0.0),
                1 => half(0.5, 0.0),
                2 => half(0.0, 0.5),
                _ => Cell {
                    u0: 0.5,
                    v0: 0.5,
                    width_u: -0.5,
                    width_v: -0.5,
                },
            },
        }
    }

    /// The middle of a cell: the centre of a rectangle, the centroid of a triangle.
    #[inline]
    pub fn centre(&self, cell: &Cell) -> (f64, f64) {
        match *self {
            Self::TensorProduct { n, m } => {
                cell.map(if n > 0 { 0.5 } else { 0.0 }, if m > 0 { 0.5 } else { 0.0 })
            }
            Self::Triangular { .. } => cell.map(1.0 / 3.0, 1.0 / 3.0),
        }
    }

    /// The control points of its sides, each of them a curve: of the four or three sides of a
    /// surface, in order from corner to corner, or of a curve itself.
    #[cfg(feature = "mesh")]
    pub(crate) fn sides(&self) -> Vec<Vec<usize>> {
        match *self {
            Self::TensorProduct { n, m: 0 } => vec![(0..=n).collect()],
            Self::TensorProduct { n, m } => {
                let across = |i: usize| (0..=m).map(|j| i * (m + 1) + j).collect();
                let along = |j: usize| (0..=n).map(|i| i * (m + 1) + j).collect();
                vec![across(0), across(n), along(0), along(m)]
            }
            Self::Triangular { n } => {
                let all = || 0..=n;
                vec![
                    all().map(|i| triangular_index(n, i, 0)).collect(),
                    all().map(|j| triangular_index(n, 0, j)).collect(),
                    all().map(|j| triangular_index(n, n - j, j)).collect(),
                ]
            }
        }
    }

    /// The barycentric coordinates (1 − u − v, u, v) of a place on a triangle; `None` for other
    /// shapes.
    pub(crate) fn barycentric(&self, (u, v): (f64, f64)) -> Option<[f64; 3]> {
        let triangle = matches!(self, Self::Triangular { .. });
        triangle.then_some([1.0 - u - v, u, v])
    }

    /// The control-point differences whose sums are the spanning directions along u and along v. On
    /// a tensor-product net they go from end to end along two opposite boundaries; on a triangle,
    /// along the two edges from corner (0, 0). `None` for a direction in which the net does not
    /// extend.
    pub(crate) fn spanning_differences(&self) -> [Option<SpanningDifference>; 2] {
        match *self {
            Self::TensorProduct { n, m } => {
                let at = |i: usize, j: usize| i * (m + 1) + j;
                let along_u = ((at(0, 0), at(n, 0)), (m > 0).then(|| (at(0, m), at(n, m))));
                let along_v = ((at(0, 0), at(0, m)), (n > 0).then(|| (at(n, 0), at(n, m))));
                [(n > 0).then_some(along_u), (m > 0).then_some(along_v)]
            }
            Self::Triangular { n } => {
                let (u, v) = (triangular_index(n, n, 0), triangular_index(n, 0, n));
                [Some(((0, u), None)), Some(((0, v), None))]
            }
        }
    }

    /// The basis functions of all control points at (u, v), each with its derivatives up to the
    /// second: value, by u, by v, by uu, by uv, by vv.
    pub(crate) fn basis_jets(&self, u: f64, v: f64, basis: &mut BasisJets) {
        let BasisJets {
            jets,
            along: [along_u, along_v],
        } = basis;
        jets.clear();
        match *self {
            Self::TensorProduct { n, m } => {
                bernstein_jets(n, u, along_u);
                bernstein_jets(m, v, along_v);
                for &[b, b_u, b_uu] in along_u.iter() {
                    jets.extend(along_v.iter().map(|&[c, c_v, c_vv]| {
                        [b * c, b_u * c, b * c_v, b_uu * c, b_u * c_v, b * c_vv]
                    }));
                }
            }
            Self::Triangular { n } => triangular_jets(n, u, v, jets),
        }
    }

    /// The values at (u, v) of the basis functions of all control points.
    pub(crate) fn basis(&self, u: f64, v: f64) -> Basis {
        match *self {
            Self::TensorProduct { n, m } => outer(&bernstein(n, u), &bernstein(m, v)),
            Self::Triangular { n } => triangular_bernstein(n, u, v),
        }
    }

    /// The derivatives by u and by v, at (u, v), of the basis functions of all control points.
    pub(crate) fn basis_partials(&self, u: f64, v: f64) -> [Basis; 2] {
        match *self {
            Self::TensorProduct { n, m } => [
                outer(&bernstein_derivatives(n, u), &bernstein(m, v)),
                outer(&bernstein(n, u), &bernstein_derivatives(m, v)),
            ],
            Self::Triangular { n } => {
                let mut by_u: Basis = SmallVec::from_elem(0.0, self.count());
                let mut by_v = by_u.clone();
                if n > 0 {
                    let lower = triangular_bernstein(n - 1, u, v);
                    for j in 0..n {
                        for i in 0..n - j {
                            let value = n as f64 * lower[triangular_index(n - 1, i, j)];
                            let corner = triangular_index(n, i, j);
                            by_u[triangular_index(n, i + 1, j)] += value;
                            by_u[corner] -= value;
                            by_v[triangular_index(n, i, j + 1)] += value;
                            by_v[corner] -= value;
                        }
                    }
                }
                [by_u, by_v]
            }
        }
    }
}

/// The result of [`Shape::basis_jets`], and its scratch.
#[derive(Clone, Debug, Default)]
pub(crate) struct BasisJets {
    /// By control point: value, by u, by v, by uu, by uv, by vv.
    pub(crate) jets: Vec<[f64; 6]>,
    along: [Vec<BernsteinJet>; 2],
}

fn half(u0: f64, v0: f64) -> Cell {
    Cell {
        u0,
        v0,
        width_u: 0.5,
        width_v: 0.5,
    }
}

/// The products of the basis functions along u and along v, v fastest.
pub(crate) fn outer(along_u: &[f64], along_v: &[f64]) -> Basis {
    along_u
        .iter()
        .flat_map(|&a| along_v.iter().map(move |&b| a * b))
        .collect()
}
