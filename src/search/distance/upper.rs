//! When and where to look for closer points.

use super::State;
use super::closest::{Closest, closest_from};
use super::queue::Pair;
use crate::geometry::{Shape, triangular_index};
use crate::search::Search;
use crate::search::counters::Counters;
use crate::vector::{dot, minus};

/// Boxes between two local solves, of boxes that the closest points so far are not near; twice as many whenever one brings nothing.
pub(super) const PATIENCE: u64 = 2;

/// Pairs of control points that are looked at for the first start.
const START_PAIRS: usize = 512;

impl Search {
    /// Looks for closer points now and then, from a box that the closest ones so far are neither in nor next to.
    pub(super) fn improve(&mut self, pair: &Pair, state: &mut State, counters: &mut Counters) {
        let Some(upper) = &state.found else {
            state.found = Some(self.first(counters));
            return;
        };
        state.waited += 1;
        if state.waited < state.patience || self.is_next_to(pair, upper) {
            return;
        }
        let tolerance = self.tolerance(pair.nodes.map(|node| node / 4));
        if state.is_enough(pair.lower, tolerance) {
            return;
        }
        state.waited = 0;
        counters.solves += 1;
        let start = [0, 1].map(|side| {
            let arena = &self.arenas[side];
            arena.shape().centre(&arena.cell(pair.nodes[side]))
        });
        let found = closest_from(&mut self.arenas, start);
        if found.distance < upper.distance - self.epsilon {
            state.patience = PATIENCE;
        } else {
            state.patience = state.patience.saturating_mul(2);
        }
        if found.distance < upper.distance {
            state.found = Some(found);
        }
    }

    /// Whether closest points are in a pair of sub-patches, or in others of their size beside them: a solve would lead there again.
    fn is_next_to(&self, pair: &Pair, closest: &Closest) -> bool {
        (0..2).all(|side| {
            let (arena, (u, v)) = (&self.arenas[side], closest.parameters[side]);
            let cell = arena.cell(pair.nodes[side]);
            let is_next = |x: f64, from: f64, width: f64| {
                let x = (x - from) / width;
                (-1.0..=2.0).contains(&x)
            };
            is_next(u, cell.u0, cell.width_u) && is_next(v, cell.v0, cell.width_v)
        })
    }

    /// The closest points around two control points that are close.
    pub(super) fn first(&mut self, counters: &mut Counters) -> Closest {
        counters.solves += 1;
        let start = self.nearest_control_points();
        closest_from(&mut self.arenas, start)
    }

    /// The parameters of two control points that are close: where to begin.
    fn nearest_control_points(&self) -> [(f64, f64); 2] {
        let rows = [self.arenas[0].rows(), self.arenas[1].rows()];
        let step = (rows[0].len() * rows[1].len()).div_ceil(START_PAIRS);
        let (mut least, mut best) = (f64::INFINITY, [0; 2]);
        for (i, a) in rows[0].iter().enumerate() {
            // Another part of the second net in each turn.
            for (j, b) in rows[1].iter().enumerate().skip(i % step).step_by(step) {
                let difference = minus([a[0], a[1], a[2]], [b[0], b[1], b[2]]);
                let squared = dot(difference, difference);
                if squared < least {
                    (least, best) = (squared, [i, j]);
                }
            }
        }
        [0, 1].map(|side| abscissae(self.arenas[side].shape(), best[side]))
    }
}

/// The parameters that belong to a control point (Greville abscissae).
fn abscissae(shape: Shape, index: usize) -> (f64, f64) {
    let at = |i: usize, n: usize| if n == 0 { 0.0 } else { i as f64 / n as f64 };
    match shape {
        Shape::TensorProduct { n, m } => (at(index / (m + 1), n), at(index % (m + 1), m)),
        Shape::Triangular { n } => {
            let row = (0..=n).rev().find(|&j| triangular_index(n, 0, j) <= index);
            let j = row.unwrap_or(0);
            (at(index - triangular_index(n, 0, j), n), at(j, n))
        }
    }
}
