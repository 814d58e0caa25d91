//! Points of a whole patch with their derivatives, for the local solve.

use super::{Arena, Row};

/// A point of the moving patch with its derivatives up to the second: value, by u, by v, by uu, uv and vv, each with
/// start and displacement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Jet([Row; 6]);

impl Jet {
    /// Coordinate `c` of a derivative at time `t`.
    #[inline]
    pub(crate) fn position(&self, derivative: usize, c: usize, t: f64) -> f64 {
        self.0[derivative][c] + t * self.0[derivative][3 + c]
    }

    /// The same of its change in time.
    #[inline]
    pub(crate) fn velocity(&self, derivative: usize, c: usize) -> f64 {
        self.0[derivative][3 + c]
    }
}

impl Arena {
    /// The point of the whole patch at (u, v) with its derivatives.
    pub(crate) fn jet(&mut self, (u, v): (f64, f64)) -> Jet {
        self.shape().basis_jets(u, v, &mut self.basis);
        let mut jet = [[0.0; 6]; 6];
        let mut add = |values: &[f64; 6], row: &Row| {
            for (sum, &value) in jet.iter_mut().zip(values) {
                for (sum, x) in sum.iter_mut().zip(row) {
                    *sum += value * x;
                }
            }
        };
        if self.weights.is_empty() {
            for (values, row) in self.basis.jets.iter().zip(&self.root) {
                add(values, row);
            }
            return Jet(jet);
        }
        let mut weight = [0.0; 6];
        for ((values, row), &w) in self.basis.jets.iter().zip(&self.root).zip(&self.weights) {
            let weighted = values.map(|value| value * w);
            add(&weighted, row);
            for (sum, value) in weight.iter_mut().zip(weighted) {
                *sum += value;
            }
        }
        // Quotient rule: a derivative of the product S W with all terms but its own taken away.
        let [w, w_u, w_v, w_uu, w_uv, w_vv] = weight;
        let [mut s, mut s_u, mut s_v, mut s_uu, mut s_uv, mut s_vv] = jet;
        for c in 0..6 {
            s[c] /= w;
            s_u[c] = (s_u[c] - s[c] * w_u) / w;
            s_v[c] = (s_v[c] - s[c] * w_v) / w;
            s_uu[c] = (s_uu[c] - 2.0 * s_u[c] * w_u - s[c] * w_uu) / w;
            s_uv[c] = (s_uv[c] - s_u[c] * w_v - s_v[c] * w_u - s[c] * w_uv) / w;
            s_vv[c] = (s_vv[c] - 2.0 * s_v[c] * w_v - s[c] * w_vv) / w;
        }
        Jet([s, s_u, s_v, s_uu, s_uv, s_vv])
    }
}
