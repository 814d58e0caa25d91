//! Points on the surfaces, as sums of the unknowns.

use nalgebra::{Matrix3, Vector3};
use smallvec::SmallVec;

use crate::shell::{KINDS, Matrix, Pattern};

/// A material point: a fixed place, plus unknowns times what they weigh there.
#[derive(Clone, Debug, Default)]
pub struct Site {
    pub offset: Vector3<f64>,
    pub terms: SmallVec<[(usize, f64); 16]>,
}

impl Site {
    pub fn position(&self, q: &[Vector3<f64>]) -> Vector3<f64> {
        let terms = self.terms.iter();
        terms.fold(self.offset, |sum, &(index, weight)| sum + q[index] * weight)
    }
}

/// The difference of two material points, a − b.
#[derive(Clone, Debug)]
pub(super) struct Link {
    offset: Vector3<f64>,
    /// The nodes that it depends on, and the weights of their unknowns, as node position · 4 +
    /// kind.
    pub nodes: SmallVec<[usize; 8]>,
    weights: SmallVec<[f64; 32]>,
}

impl Link {
    pub(super) fn new(a: &Site, b: &Site) -> Self {
        let mut link = Self {
            offset: a.offset - b.offset,
            nodes: SmallVec::new(),
            weights: SmallVec::new(),
        };
        for (site, sign) in [(a, 1.0), (b, -1.0)] {
            for &(index, weight) in &site.terms {
                let node = index / KINDS;
                let known = link.nodes.iter().position(|&other| other == node);
                let at = known.unwrap_or_else(|| {
                    link.nodes.push(node);
                    link.weights.extend([0.0; KINDS]);
                    link.nodes.len() - 1
                });
                link.weights[at * KINDS + index % KINDS] += sign * weight;
            }
        }
        link
    }

    /// The unknowns it depends on, with their weights.
    fn terms(&self) -> impl Iterator<Item = (usize, f64)> {
        let weights = self.weights.iter().enumerate();
        weights.map(|(k, &weight)| (self.nodes[k / KINDS] * KINDS + k % KINDS, weight))
    }

    /// a − b.
    pub(super) fn apart(&self, q: &[Vector3<f64>]) -> Vector3<f64> {
        self.offset + self.change(q)
    }

    /// By how much a − b changes if the unknowns do by this.
    pub(super) fn change(&self, q: &[Vector3<f64>]) -> Vector3<f64> {
        let terms = self.terms();
        terms.fold(Vector3::zeros(), |sum, (index, weight)| {
            sum + q[index] * weight
        })
    }

    /// Adds the derivatives of a function of a − b.
    pub(super) fn add(
        &self,
        by: &Vector3<f64>,
        twice: &Matrix3<f64>,
        gradient: &mut [Vector3<f64>],
        pattern: &Pattern,
        matrix: &mut Matrix,
    ) {
        for (index, weight) in self.terms() {
            gradient[index] += by * weight;
        }
        matrix.add_group(pattern, &self.nodes, |a, b| {
            twice * (self.weights[a] * self.weights[b])
        });
    }
}
