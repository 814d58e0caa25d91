//! The closest points found so far, and when and where to look for closer ones.

use super::ClosestPair;
use super::node::DistanceNode;
use crate::branch::closest_solve::{Closest, closest_from};
use crate::branch::tree::family_of;
use crate::counters::Counters;
use crate::vector::{dot, minus};

/// Nodes between two local solves, of nodes that the incumbent is not near; twice as many whenever
/// one brings nothing.
const PATIENCE: u64 = 2;

/// Pairs of control points that are looked at for the first start.
const START_PAIRS: usize = 512;

/// The closest points found so far: an upper bound on the distance.
#[derive(Clone, Copy, Debug)]
pub(super) struct DistanceIncumbent {
    pub(super) closest: Option<Closest>,
    waited: u64,
    patience: u64,
}

impl Default for DistanceIncumbent {
    fn default() -> Self {
        Self {
            closest: None,
            waited: 0,
            patience: PATIENCE,
        }
    }
}

impl ClosestPair<'_> {
    /// Looks for closer points now and then, from a node that the incumbent is neither in nor next
    /// to.
    pub(super) fn look_for_closer(&mut self, node: &DistanceNode, counters: &mut Counters) {
        let Some(closest) = self.incumbent.closest else {
            self.incumbent.closest = Some(self.first_solve(counters));
            return;
        };
        self.incumbent.waited += 1;
        if self.incumbent.waited < self.incumbent.patience || self.is_next_to(node, &closest) {
            return;
        }
        let tolerance = self.tolerance(node.sub_patches.map(family_of));
        if self.is_enough(node.lower, tolerance) {
            return;
        }
        self.incumbent.waited = 0;
        counters.solves += 1;
        let start = self.pair.centre_parameters(node.sub_patches);
        let found = closest_from(self.pair, start, 0.0);
        self.incumbent.patience = if found.distance < closest.distance - self.pair.epsilon {
            PATIENCE
        } else {
            self.incumbent.patience.saturating_mul(2)
        };
        if found.distance < closest.distance {
            self.incumbent.closest = Some(found);
        }
    }

    /// Whether closest points are in a node, or in others of its size beside it: a solve would lead
    /// there again.
    fn is_next_to(&self, node: &DistanceNode, closest: &Closest) -> bool {
        (0..2).all(|side| {
            let cell = self.pair.trees[side].cell(node.sub_patches[side]);
            cell.is_near(closest.parameters[side])
        })
    }

    /// The closest points around two control points that are close.
    pub(super) fn first_solve(&mut self, counters: &mut Counters) -> Closest {
        counters.solves += 1;
        let start = self.nearest_control_points();
        closest_from(self.pair, start, 0.0)
    }

    /// The parameters of two control points that are close: where to begin.
    fn nearest_control_points(&self) -> [(f64, f64); 2] {
        let nets = [0, 1].map(|side| self.pair.trees[side].trajectories());
        let step = (nets[0].len() * nets[1].len()).div_ceil(START_PAIRS);
        let (mut least, mut nearest) = (f64::INFINITY, [0; 2]);
        for (i, a) in nets[0].iter().enumerate() {
            // Another part of the second net in each turn.
            for (j, b) in nets[1].iter().enumerate().skip(i % step).step_by(step) {
                let difference = minus(a.start(), b.start());
                let squared = dot(difference, difference);
                if squared < least {
                    (least, nearest) = (squared, [i, j]);
                }
            }
        }
        [0, 1].map(|side| self.pair.trees[side].shape().greville(nearest[side]))
    }
}
