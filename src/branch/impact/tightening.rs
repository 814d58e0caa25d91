//! A closer look at one node: when do the hulls of its two nets come as near as they may?
//!
//! The axes on which the children of a node are tested are shared by all of them. Between edges and
//! corners that are to keep a minimum separation only one axis separates by it, that along the line
//! between the closest points, and it is another one for each pair. So a node that is next is
//! looked at by itself: its start is moved to where the gap on that axis is used up, and again from
//! there, until the hulls have come as near as they may. Most nodes are never next.

use super::expansion::time_at;
use super::{FirstContact, ImpactNode};
use crate::bound::{Direction, widest_axis};
use crate::branch::driver::Tightening;
use crate::branch::tree::family_of;
use crate::options::{Inclusion, Method};

/// Nodes that a search without a minimum separation expands before each one is looked at. With
/// fewer, looking costs more than it saves.
const LONG: u64 = 256;

/// Another cut follows one that took this part of the time left to the incumbent.
const SHARE: f64 = 0.25;

/// Cuts in a row. Where a fixed axis is the right one, the first one does.
const CUTS: usize = 8;

/// A node that was looked at so often is not any more.
const LOOKS: u8 = 8;

/// An axis on which the hulls leave less than this part of the tolerance in space, beyond the
/// separation, is not worth a cut.
const LEAST_GAP: f64 = 0.01;

impl FirstContact<'_> {
    /// Whether nodes are looked at by themselves: where there is a minimum separation, and in
    /// searches that have become long without one.
    pub(super) fn tightens(&self) -> bool {
        let asked = self.pair.min_separation > 0.0 || self.thorough;
        (asked || self.is_longer_than(LONG))
            && self.options.inclusion == Inclusion::Obb
            && self.options.method != Method::Traditional
    }

    /// Moves a node's start to where its hulls have come as near as they may.
    pub(super) fn tighten_start(&mut self, node: &mut ImpactNode) -> Tightening {
        self.widest = None;
        if !self.tightens() || node.looks >= LOOKS {
            return Tightening::Kept;
        }
        node.looks += 1;
        self.pair.load_nets(node.sub_patches);
        let before = node.start;
        for _ in 0..CUTS {
            let first = self.widest.or_else(|| self.normal());
            let Some(axis) = self.widest_axis(node, first) else {
                break;
            };
            self.widest = Some(axis);
            let Some([from, to]) = self.remaining(node, axis) else {
                return Tightening::Pruned;
            };
            let interval = [node.start, node.end];
            node.end = if to < 1.0 {
                time_at(interval, to)
            } else {
                node.end
            };
            let start = if from > 0.0 {
                time_at(interval, from)
            } else {
                node.start
            };
            let by = start - node.start;
            node.start = start;
            let left = self.incumbent.time - node.start;
            if self.incumbent.contact.is_none()
                || by < SHARE * left
                || left <= self.pair.time_tolerance
            {
                break;
            }
        }
        if node.start == before {
            return Tightening::Kept;
        }
        if node.start - before >= 0.5 * self.pair.time_tolerance {
            node.stalled = 0;
        }
        Tightening::Raised
    }

    /// The axis on which a node's nets are farthest apart at its start, if that may be farther than
    /// they may be.
    fn widest_axis(&mut self, node: &ImpactNode, first: Option<Direction>) -> Option<Direction> {
        let hulls = &mut self.kernel.hulls;
        for (side, hull) in hulls.iter_mut().enumerate() {
            hull.clear();
            hull.extend(self.pair.trees[side].points(node.sub_patches[side], node.start));
        }
        let enough = self.pair.min_separation + LEAST_GAP * self.pair.space_tolerance;
        widest_axis(&hulls[0], &hulls[1], enough, first)
    }

    /// What an axis leaves of a node's interval, as fractions of it.
    fn remaining(&mut self, node: &ImpactNode, axis: Direction) -> Option<[f64; 2]> {
        let families = node.sub_patches.map(family_of);
        let interval = [node.start, node.end];
        let axis = self.pair.margins(families, interval).axis(axis);
        let [one, two] = node.sub_patches;
        let pair = 4 * (one % 4) + two % 4;
        let test = &mut self.kernel.test;
        let left = test.time_dependent(self.pair.nets(families), &[axis], interval, 1 << pair);
        (left != 0).then(|| test.remaining[pair as usize])
    }
}
