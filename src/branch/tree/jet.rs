//! Points of a whole patch with their derivatives, for the local solves.

use super::SubdivisionTree;
use crate::motion::Trajectory;
use crate::vector::Vector;

/// A point of the moving patch with its derivatives up to the second: value, by u, by v, by uu, uv
/// and vv, each a trajectory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SurfaceJet([Trajectory; 6]);

impl SurfaceJet {
    /// A derivative at time `t`.
    #[inline]
    pub(crate) fn at(&self, derivative: usize, t: f64) -> Vector {
        self.0[derivative].at(t)
    }

    /// Its change in time.
    #[inline]
    pub(crate) fn velocity(&self, derivative: usize) -> Vector {
        self.0[derivative].velocity()
    }
}

impl SubdivisionTree {
    /// The point of the whole patch at (u, v) with its derivatives.
    pub(crate) fn jet(&mut self, (u, v): (f64, f64)) -> SurfaceJet {
        self.shape().basis_jets(u, v, &mut self.basis);
        let mut jet = [Trajectory::default(); 6];
        let mut add = |values: &[f64; 6], point: &Trajectory| {
            for (sum, &value) in jet.iter_mut().zip(values) {
                sum.add(value, point);
            }
        };
        if self.weights.is_empty() {
            for (values, point) in self.basis.jets.iter().zip(&self.root) {
                add(values, point);
            }
            return SurfaceJet(jet);
        }
        let mut weight = [0.0; 6];
        for ((values, point), &w) in self.basis.jets.iter().zip(&self.root).zip(&self.weights) {
            let weighted = values.map(|value| value * w);
            add(&weighted, point);
            for (sum, value) in weight.iter_mut().zip(weighted) {
                *sum += value;
            }
        }
        // Quotient rule: a derivative of the product S W with all terms but its own taken away.
        let [w, w_u, w_v, w_uu, w_uv, w_vv] = weight;
        let [mut s, mut s_u, mut s_v, mut s_uu, mut s_uv, mut s_vv] = jet.map(|point| point.0);
        for c in 0..s.len() {
            s[c] /= w;
            s_u[c] = (s_u[c] - s[c] * w_u) / w;
            s_v[c] = (s_v[c] - s[c] * w_v) / w;
            s_uu[c] = (s_uu[c] - 2.0 * s_u[c] * w_u - s[c] * w_uu) / w;
            s_uv[c] = (s_uv[c] - s_u[c] * w_v - s_v[c] * w_u - s[c] * w_uv) / w;
            s_vv[c] = (s_vv[c] - 2.0 * s_v[c] * w_v - s[c] * w_vv) / w;
        }
        SurfaceJet([s, s_u, s_v, s_uu, s_uv, s_vv].map(Trajectory))
    }
}
