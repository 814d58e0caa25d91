//! The control nets of NURBS: their sizes, their weights, and which of their points act where.

use smallvec::SmallVec;

use super::knots::{BasisRow, KnotVector};
use crate::rounding::reciprocal_power_of_two;

/// Degrees and numbers of control points along u and along v. A curve is of degree 0 along v.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NurbsNet {
    pub(crate) degrees: [usize; 2],
    counts: [usize; 2],
}

impl NurbsNet {
    pub(crate) fn new(knots: &[KnotVector; 2]) -> Self {
        let [u, v] = knots;
        Self {
            degrees: [u.degree(), v.degree()],
            counts: [u.count(), v.count()],
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.counts[0].saturating_mul(self.counts[1])
    }

    /// The indices of the control points that act where these two rows do, of which one is along u
    /// and one along v.
    pub(crate) fn acting(
        &self,
        row: &BasisRow,
        column: &BasisRow,
    ) -> impl Iterator<Item = usize> + Clone + use<> {
        let width = self.counts[1];
        let rows = row.first..row.first + row.factors.len();
        let columns = column.first..column.first + column.factors.len();
        rows.flat_map(move |i| columns.clone().map(move |j| i * width + j))
    }
}

impl std::fmt::Display for NurbsNet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let knots = |side: usize| self.counts[side] + self.degrees[side] + 1;
        match self.degrees {
            [n, 0] => write!(f, "NURBS curve of degree {n} with {} knots", knots(0)),
            [n, m] => write!(
                f,
                "NURBS surface of degree ({n}, {m}) with {} × {} knots",
                knots(0),
                knots(1)
            ),
        }
    }
}

/// Weights that are not all equal.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Weights {
    pub(crate) given: Vec<f64>,
    /// A power of two that brings the largest weight into [1, 2), so that no product over- or
    /// underflows.
    pub(crate) scale: f64,
}

impl Weights {
    pub(crate) fn unless_equal(given: &[f64]) -> Option<Self> {
        let largest = given.iter().copied().fold(0.0, f64::max);
        let equal = given.iter().all(|&weight| weight == largest);
        (!equal).then(|| Self {
            given: given.to_vec(),
            scale: reciprocal_power_of_two(largest),
        })
    }

    pub(crate) fn scaled(&self, indices: impl Iterator<Item = usize>) -> SmallVec<[f64; 16]> {
        indices.map(|i| self.given[i] * self.scale).collect()
    }
}
