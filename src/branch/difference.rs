//! The difference of a point of each patch, with its derivatives: what the local solves go by.

use super::pair::ScaledPair;
use super::tree::SurfaceJet;
use crate::vector::{Vector, combine, dot};

/// The first patch counts positive, the second negative.
pub(super) const SIGNS: [f64; 2] = [1.0, -1.0];

/// S1 − S2 at some parameters and a time. Derivatives are by u1, v1, u2, v2.
pub(super) struct SurfaceDifference {
    jets: [SurfaceJet; 2],
    /// S1 − S2.
    pub(super) value: Vector,
    pub(super) by_time: Vector,
    pub(super) by: [Vector; 4],
}

impl SurfaceDifference {
    pub(super) fn at(pair: &mut ScaledPair, parameters: [(f64, f64); 2], t: f64) -> Self {
        let [one, two] = &mut pair.trees;
        let jets = [one.jet(parameters[0], t), two.jet(parameters[1], t)];
        let derivative =
            |side: usize, which: usize| jets[side].value(which).map(|x| SIGNS[side] * x);
        Self {
            value: combine(1.0, derivative(0, 0), 1.0, derivative(1, 0)),
            by_time: combine(1.0, jets[0].velocity(0), -1.0, jets[1].velocity(0)),
            by: [
                derivative(0, 1),
                derivative(0, 2),
                derivative(1, 1),
                derivative(1, 2),
            ],
            jets,
        }
    }

    /// Of each side the second derivatives by uu, uv and vv, projected on a direction.
    pub(super) fn curvatures(&self, direction: Vector) -> [[f64; 3]; 2] {
        let curvature =
            |side: usize, k: usize| SIGNS[side] * dot(direction, self.jets[side].value(3 + k));
        [0, 1].map(|side| std::array::from_fn(|k| curvature(side, k)))
    }

    /// The second derivatives by time and each of u1, v1, u2 and v2, projected on a direction.
    pub(super) fn mixed(&self, direction: Vector) -> [f64; 4] {
        let mixed = |side: usize, which: usize| {
            SIGNS[side] * dot(direction, self.jets[side].velocity(which))
        };
        [mixed(0, 1), mixed(0, 2), mixed(1, 1), mixed(1, 2)]
    }
}
