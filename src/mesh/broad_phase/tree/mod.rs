//! A tree of moving boxes.
//!
//! The crate `bvh` decides which boxes belong together. Only the topology of its tree is used, not
//! the boxes of its nodes: ours move, and are made anew, bottom-up, at every step. So a tree is
//! kept from step to step and only refitted, until its boxes have grown too much.

mod build;
#[cfg(test)]
mod tests;

use super::moving_box::MovingBox;

/// A refitted tree is built anew once its cost exceeds that of when it was built by this factor.
const WORN: f64 = 1.5;

#[derive(Clone, Copy, Debug)]
enum VolumeNode {
    /// A box, by its number.
    Leaf(u32),
    /// Two children, both later in the list.
    Inner([u32; 2]),
}

/// A binary tree over boxes that are numbered from 0: a bounding volume hierarchy.
#[derive(Debug, Default)]
pub(crate) struct VolumeTree {
    nodes: Vec<VolumeNode>,
    boxes: Vec<MovingBox>,
    leaves_below: Vec<LeavesBelow>,
    leaves: usize,
    /// The expected cost of a query when the tree was built.
    cost: f64,
}

/// The least number of a leaf below a node, and how many leaves there are.
#[derive(Clone, Copy, Debug, Default)]
struct LeavesBelow {
    least: u32,
    count: u32,
}

impl VolumeTree {
    /// Takes in new boxes. The tree is refitted if there are as many of them as before and it still
    /// serves; otherwise it is built.
    pub(crate) fn update(&mut self, leaves: &[MovingBox]) {
        if leaves.len() == self.leaves && !leaves.is_empty() {
            self.refit(leaves);
            if self.cost() <= WORN * self.cost {
                return;
            }
        }
        self.leaves = leaves.len();
        self.nodes = build::topology(leaves);
        self.refit(leaves);
        self.cost = self.cost();
    }

    /// Children come after their parents, so that one pass backwards is enough.
    fn refit(&mut self, leaves: &[MovingBox]) {
        let Some(first) = leaves.first() else {
            return self.boxes.clear();
        };
        self.boxes.resize(self.nodes.len(), *first);
        self.leaves_below
            .resize(self.nodes.len(), LeavesBelow::default());
        for at in (0..self.nodes.len()).rev() {
            (self.boxes[at], self.leaves_below[at]) = match self.nodes[at] {
                VolumeNode::Leaf(leaf) => {
                    let below = LeavesBelow {
                        least: leaf,
                        count: 1,
                    };
                    (leaves[leaf as usize], below)
                }
                VolumeNode::Inner(children) => {
                    let [one, two] = children.map(|child| child as usize);
                    let [a, b] = [self.leaves_below[one], self.leaves_below[two]];
                    let below = LeavesBelow {
                        least: a.least.min(b.least),
                        count: a.count + b.count,
                    };
                    (self.boxes[one].join(&self.boxes[two]), below)
                }
            };
        }
    }

    /// The chance that a query that meets the whole tree meets a node, added up over all inner
    /// nodes.
    fn cost(&self) -> f64 {
        let Some(whole) = self.boxes.first() else {
            return 0.0;
        };
        let bounds = whole.at_start();
        let scale = (0..3).map(|c| bounds.high[c] * 0.5 - bounds.low[c] * 0.5);
        let scale = scale.fold(f64::MIN_POSITIVE, f64::max);
        let inner = self.nodes.iter().zip(&self.boxes);
        let inner = inner.filter(|(node, _)| matches!(node, VolumeNode::Inner(_)));
        let sum: f64 = inner.map(|(_, bounds)| bounds.area(scale)).sum();
        sum / whole.area(scale).max(f64::MIN_POSITIVE)
    }

    /// The node that is the whole tree; `None` if the tree is empty.
    pub(crate) fn root(&self) -> Option<u32> {
        (!self.nodes.is_empty()).then_some(0)
    }

    /// The time interval in which the boxes of two nodes overlap, in fractions of the horizon.
    #[inline]
    pub(crate) fn overlap(&self, other: &Self, [a, b]: [u32; 2]) -> Option<[f64; 2]> {
        self.boxes[a as usize].overlap(&other.boxes[b as usize])
    }

    /// A lower bound on the distance of the boxes of two nodes at the start.
    pub(crate) fn distance(&self, other: &Self, [a, b]: [u32; 2]) -> f64 {
        self.boxes[a as usize].distance(&other.boxes[b as usize])
    }

    /// The least number of a leaf below a node.
    pub(crate) fn least_leaf(&self, node: u32) -> u32 {
        self.leaves_below[node as usize].least
    }

    /// How many leaves there are below a node.
    pub(crate) fn leaf_count(&self, node: u32) -> usize {
        self.leaves_below[node as usize].count as usize
    }

    /// Calls `child` on all pairs of children of a pair of nodes; or, if both are leaves, returns
    /// their numbers.
    #[inline]
    pub(crate) fn expand(
        &self,
        other: &Self,
        [a, b]: [u32; 2],
        mut child: impl FnMut([u32; 2]),
    ) -> Option<[u32; 2]> {
        use VolumeNode::{Inner, Leaf};
        match [self.nodes[a as usize], other.nodes[b as usize]] {
            [Leaf(a), Leaf(b)] => return Some([a, b]),
            [Inner(a), Leaf(_)] => a.into_iter().for_each(|a| child([a, b])),
            [Leaf(_), Inner(b)] => b.into_iter().for_each(|b| child([a, b])),
            [Inner(a), Inner(b)] => {
                for a in a {
                    b.into_iter().for_each(|b| child([a, b]));
                }
            }
        }
        None
    }

    /// The same within one tree: going down from the pair of the root and itself, every pair of two
    /// different leaves comes up once, and a leaf is not paired with itself.
    #[inline]
    pub(crate) fn expand_within(
        &self,
        [a, b]: [u32; 2],
        child: impl FnMut([u32; 2]),
    ) -> Option<[u32; 2]> {
        if a != b {
            return self.expand(self, [a, b], child);
        }
        if let VolumeNode::Inner([one, two]) = self.nodes[a as usize] {
            [[one, one], [two, two], [one, two]]
                .into_iter()
                .for_each(child);
        }
        None
    }

    /// Calls `leaf` with the number of every leaf whose box overlaps these bounds at some time.
    pub(crate) fn leaves_overlapping(&self, bounds: &MovingBox, mut leaf: impl FnMut(u32)) {
        let mut stack: Vec<u32> = self.root().into_iter().collect();
        while let Some(node) = stack.pop() {
            if self.boxes[node as usize].overlap(bounds).is_none() {
                continue;
            }
            match self.nodes[node as usize] {
                VolumeNode::Leaf(number) => leaf(number),
                VolumeNode::Inner(children) => stack.extend(children),
            }
        }
    }
}
