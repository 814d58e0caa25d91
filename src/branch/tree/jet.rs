//! Points of a whole patch with their derivatives, for the local solves.

use std::borrow::Borrow;

use super::SubdivisionTree;
use crate::geometry::BasisJets;
use crate::motion::{Track, Trajectory};
use crate::vector::Vector;

/// A point of the moving patch at one time, with its derivatives up to the second: value, by u, by
/// v, by uu, uv and vv, each with its velocity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SurfaceJet {
    derivatives: [Trajectory; 6],
    /// When they are asked for.
    t: f64,
}

impl SurfaceJet {
    /// A derivative.
    #[inline]
    pub(crate) fn value(&self, derivative: usize) -> Vector {
        self.derivatives[derivative].at(self.t)
    }

    /// Its change in a unit of time.
    #[inline]
    pub(crate) fn velocity(&self, derivative: usize) -> Vector {
        self.derivatives[derivative].velocity()
    }
}

impl SubdivisionTree {
    /// The point of the whole patch at (u, v) and time `t`, with its derivatives.
    pub(crate) fn jet(&mut self, (u, v): (f64, f64), t: f64) -> SurfaceJet {
        self.shape().basis_jets(u, v, &mut self.basis);
        match &self.track {
            Track::Linear => {
                let derivatives = derivatives(&self.basis, &self.weights, self.root.iter());
                SurfaceJet { derivatives, t }
            }
            Track::Polynomial(_) => {
                let points = (0..self.count).map(|k| self.control_point(k, t));
                SurfaceJet {
                    derivatives: derivatives(&self.basis, &self.weights, points),
                    t: 0.0,
                }
            }
            Track::Rigid(screw) => {
                let still = derivatives(&self.basis, &self.weights, self.root.iter());
                let pose = screw.pose(t);
                let mut turned = still.map(|derivative| {
                    let turned = pose.direction(derivative.start());
                    Trajectory::new(turned, screw.spin(turned))
                });
                turned[0] = screw.moved(turned[0].start(), t);
                SurfaceJet {
                    derivatives: turned,
                    t: 0.0,
                }
            }
        }
    }
}

/// The derivatives of a patch with these control points, from those of the basis functions.
fn derivatives<T: Borrow<Trajectory>>(
    basis: &BasisJets,
    weights: &[f64],
    points: impl Iterator<Item = T>,
) -> [Trajectory; 6] {
    let mut jet = [Trajectory::default(); 6];
    let mut add = |values: &[f64; 6], point: &Trajectory| {
        for (sum, &value) in jet.iter_mut().zip(values) {
            sum.add(value, point);
        }
    };
    if weights.is_empty() {
        for (values, point) in basis.jets.iter().zip(points) {
            add(values, point.borrow());
        }
        return jet;
    }
    let mut weight = [0.0; 6];
    for ((values, point), &w) in basis.jets.iter().zip(points).zip(weights) {
        let weighted = values.map(|value| value * w);
        add(&weighted, point.borrow());
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
    [s, s_u, s_v, s_uu, s_uv, s_vv].map(Trajectory)
}
