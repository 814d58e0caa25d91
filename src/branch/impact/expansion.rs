//! From a node to its children: how it is split, on which axes they are tested, which of them are
//! queued.

use super::{FirstContact, ImpactNode, InclusionScratch};
use crate::bound::{Direction, Pairs, axes_between, scaled};
use crate::branch::MAX_LEVEL;
use crate::branch::driver::Queue;
use crate::branch::pair::ScaledPair;
use crate::branch::splitting::{
    ChildPairs, EVEN, EVEN_NODES, SplitCriteria, Splits, is_a_choice, longer_first,
};
use crate::branch::tree::SubPatch;
use crate::counters::Counters;
use crate::options::{Inclusion, Method};
use crate::vector::minus;

/// An interval is halved if the paths bend in it by more than this part of the sub-patches' sizes.
const BEND: f64 = 0.25;

impl FirstContact<'_> {
    /// Queues those children that may overlap within a node's interval.
    pub(super) fn expand_to(
        &mut self,
        parent: &ImpactNode,
        level: u32,
        children: ChildPairs,
        queue: &mut Queue<ImpactNode>,
        counters: &mut Counters,
    ) {
        counters.deepest_level = counters.deepest_level.max(level);
        let method = self.options.method;
        let pieces = if self.halves_time {
            2
        } else if level == 0 {
            1
        } else {
            method.time_pieces()
        };
        for piece in 0..pieces {
            let length = (parent.end - parent.start) / pieces as f64;
            let start = parent.start + piece as f64 * length;
            let end = if piece + 1 == pieces {
                parent.end
            } else {
                start + length
            };
            let left = self.test(parent.sub_patches, children, [start, end]);
            self.enqueue(parent, level, children, [start, end], left, queue);
        }
    }

    /// Whether the paths of a node's control points bend so much within its interval that halving
    /// the sub-patches would not help.
    pub(super) fn bends(&mut self, node: &ImpactNode) -> bool {
        if self.pair.is_linear() || self.options.method == Method::Traditional {
            return false;
        }
        self.pair.load_nets(node.sub_patches);
        let trees = self.pair.trees.iter().zip(node.sub_patches);
        let length = node.end - node.start;
        let (mut bend, mut size) = (0.0, 0.0);
        for (tree, sub_patch) in trees {
            bend += tree.bend(length);
            size += tree.size(sub_patch, node.start);
        }
        bend > BEND * size
    }

    /// Whether the search has expanded so many nodes that more time for each one may pay.
    pub(super) fn is_longer_than(&self, nodes: u64) -> bool {
        self.options.method == Method::TwoSided && self.expanded > nodes
    }

    /// How a node is split: evenly or, in a search that has become long, across its curvature.
    pub(super) fn splits(&mut self, node: &ImpactNode) -> Splits {
        if self.thorough || !is_a_choice(self.pair) {
            return self.splits_by_size(node);
        }
        let normal = self.normal();
        // With a minimum separation, no normal of a sub-patch separates edges and corners. So such
        // a search splits evenly until a contact's normal is known.
        let seen = normal.is_some() || self.pair.min_separation == 0.0;
        let long = self.is_longer_than(EVEN_NODES);
        // At the deepest level a parameter may have been halved as often as can be.
        if !long || !seen && node.level < MAX_LEVEL {
            return self.splits_by_size(node);
        }
        self.pair.load_nets(node.sub_patches);
        let criteria = SplitCriteria {
            normal,
            time: if normal.is_some() {
                node.end
            } else {
                node.start
            },
            separation: self.pair.min_separation,
            delta: self.options.delta,
        };
        let projections = &mut self.kernel.projections;
        criteria.splits(self.pair, node.sub_patches, projections)
    }

    /// How a node is split without regard to curvature.
    fn splits_by_size(&mut self, node: &ImpactNode) -> Splits {
        if !self.tightens() {
            return EVEN;
        }
        self.pair.load_nets(node.sub_patches);
        longer_first(self.pair, node.sub_patches, node.start)
    }

    /// The pairs of children that may overlap in an interval; what is left of it goes to the test's
    /// `remaining`.
    fn test(
        &mut self,
        parents: [SubPatch; 2],
        ChildPairs { families, pairs }: ChildPairs,
        interval: [f64; 2],
    ) -> Pairs {
        let (inclusion, hints) = (self.options.inclusion, [self.normal(), self.widest]);
        let (pair, kernel) = (&*self.pair, &mut *self.kernel);
        kernel.choose_axes(pair, inclusion, hints, parents, families, interval);
        let (test, axes) = (&mut kernel.test, kernel.axes.as_slice());
        let nets = pair.nets(families);
        match self.options.method {
            Method::TwoSided | Method::TimeDependent => {
                test.time_dependent(nets, axes, interval, pairs)
            }
            Method::Traditional => test.swept(nets, axes, interval, pairs),
        }
    }

    fn enqueue(
        &mut self,
        parent: &ImpactNode,
        level: u32,
        children: ChildPairs,
        [start, end]: [f64; 2],
        mut left: Pairs,
        queue: &mut Queue<ImpactNode>,
    ) {
        let moved = 0.5 * self.pair.time_tolerance;
        while left != 0 {
            let pair = left.trailing_zeros();
            left &= left - 1;
            let mut interval = [start, end];
            if self.options.method != Method::Traditional {
                let [from, to] = self.kernel.test.remaining[pair as usize];
                if from > 0.0 {
                    interval[0] = time_at([start, end], from);
                }
                if to < 1.0 {
                    interval[1] = time_at([start, end], to);
                }
            }
            queue.push(ImpactNode {
                start: interval[0],
                end: interval[1],
                sub_patches: children.sub_patches(pair),
                level,
                stalled: if level == 0 || self.halves_time || interval[0] - parent.start >= moved {
                    0
                } else {
                    parent.stalled.saturating_add(1)
                },
                looks: 0,
            });
        }
    }
}

impl InclusionScratch {
    /// The axes for two families of children: those of the parents' boxes at the start of the
    /// interval, after the normal of a known contact. Any axis is sound; better ones separate
    /// earlier.
    pub(crate) fn choose_axes(
        &mut self,
        pair: &ScaledPair,
        inclusion: Inclusion,
        hints: [Option<Direction>; 2],
        parents: [SubPatch; 2],
        families: [u32; 2],
        interval: [f64; 2],
    ) {
        self.directions.clear();
        match inclusion {
            Inclusion::Aabb => self.directions.push_coordinate_axes(),
            Inclusion::Obb => self.choose_box_axes(pair, hints, parents, interval[0]),
        }
        let margins = pair.margins(families, interval);
        self.axes.clear();
        for &direction in self.directions.as_slice() {
            self.axes.push(margins.axis(direction));
        }
    }

    /// The directions of the boxes of two sub-patches at time `t`.
    fn choose_box_axes(
        &mut self,
        pair: &ScaledPair,
        [normal, widest]: [Option<Direction>; 2],
        [one, two]: [SubPatch; 2],
        t: f64,
    ) {
        let trees = &pair.trees;
        let directions = [
            trees[0].spanning_directions(one, t),
            trees[1].spanning_directions(two, t),
        ];
        let offset = || minus(trees[0].centre(one, t), trees[1].centre(two, t));
        self.directions.push(normal);
        axes_between(directions, offset, &mut self.directions);
        // Between edges and corners only the line of closest approach separates by the distance.
        let line = if widest.is_none() && pair.min_separation > 0.0 {
            scaled(offset())
        } else {
            widest
        };
        self.directions.push(line);
    }
}

/// The time of a fraction of an interval; see [`crate::rounding`].
pub(crate) fn time_at([start, end]: [f64; 2], fraction: f64) -> f64 {
    (start + fraction * (end - start)).min(end)
}
