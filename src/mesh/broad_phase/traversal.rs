//! Down the trees, from pairs of nodes to pairs of elements.

use std::sync::atomic::{AtomicU64, Ordering};

use super::VolumeTree;
use super::forest::{Trees, slots};
use super::moving_box::earliest_entry;
use crate::mesh::model::{Element, Group, Meshes};

/// Decides which pairs of elements are tested at all: `true` keeps the pair.
///
/// The first element is of the first mesh; within one mesh it is the one with the lower index, or
/// the vertex. [`Mesh::points_of`](crate::mesh::Mesh::points_of) gives their points.
pub type PairFilter<'a> = dyn Fn(Element, Element) -> bool + Sync + 'a;

/// Two elements whose moving boxes overlap at some time of the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The elements, in the order of [`PairOutcome::elements`](crate::mesh::PairOutcome::elements).
    pub elements: [Element; 2],
    /// Entry and exit, in fractions of the horizon, from 0 to 1. It is proven that there is no
    /// contact outside of this interval.
    pub interval: [f64; 2],
}

/// Two nodes of trees. It stands for all pairs of a leaf below the one and a leaf below the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NodePair {
    groups: [Group; 2],
    nodes: [u32; 2],
}

/// Two nodes of trees whose boxes overlap at some time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OverlappingPair {
    pub(crate) pair: NodePair,
    /// Entry and exit, in fractions of the horizon.
    interval: [f64; 2],
}

impl OverlappingPair {
    /// No impact of elements below the nodes is earlier, as a fraction of the horizon.
    #[inline]
    pub(crate) fn earliest(&self) -> f64 {
        earliest_entry(self.interval[0])
    }
}

/// Goes down the trees to the pairs of elements that are to be tested.
pub(crate) struct BroadPhase<'a> {
    meshes: Meshes<'a>,
    trees: &'a Trees,
    keep: Option<&'a PairFilter<'a>>,
    candidates: AtomicU64,
    neighbours: AtomicU64,
    filtered: AtomicU64,
}

/// How many pairs of elements came up, by what became of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairCounts {
    pub(crate) candidates: u64,
    pub(crate) neighbours: u64,
    pub(crate) filtered: u64,
}

impl<'a> BroadPhase<'a> {
    pub(super) fn new(
        meshes: Meshes<'a>,
        trees: &'a Trees,
        keep: Option<&'a PairFilter<'a>>,
    ) -> Self {
        Self {
            meshes,
            trees,
            keep,
            candidates: AtomicU64::new(0),
            neighbours: AtomicU64::new(0),
            filtered: AtomicU64::new(0),
        }
    }

    /// The pairs of whole trees: they stand for all pairs of elements.
    pub(crate) fn roots(&self) -> impl Iterator<Item = NodePair> {
        self.meshes.groups().iter().filter_map(|&groups| {
            let [one, two] = self.trees_of(groups);
            let nodes = [one.root()?, two.root()?];
            Some(NodePair { groups, nodes })
        })
    }

    /// Those of which the boxes overlap.
    pub(crate) fn overlapping_roots(&self) -> impl Iterator<Item = OverlappingPair> {
        self.roots().filter_map(|pair| {
            let [one, two] = self.trees_of(pair.groups);
            let interval = one.overlap(two, pair.nodes)?;
            Some(OverlappingPair { pair, interval })
        })
    }

    /// A lower bound on the distance of the boxes of two nodes at the start.
    pub(crate) fn distance(&self, pair: &NodePair) -> f64 {
        let [one, two] = self.trees_of(pair.groups);
        one.distance(two, pair.nodes)
    }

    /// Calls `child` on the pairs of nodes that a pair consists of; or, if it is a pair of elements
    /// that is to be tested, returns these.
    pub(crate) fn expand(
        &self,
        pair: &NodePair,
        mut child: impl FnMut(NodePair),
    ) -> Option<[Element; 2]> {
        let groups = pair.groups;
        let leaves = self.expand_nodes(pair, |nodes| child(NodePair { groups, nodes }))?;
        self.filter(self.elements(groups, leaves))
    }

    /// The same of pairs whose boxes overlap, and those of their children whose boxes do.
    #[inline]
    pub(crate) fn expand_overlapping(
        &self,
        parent: &OverlappingPair,
        mut child: impl FnMut(OverlappingPair),
    ) -> Option<Candidate> {
        let groups = parent.pair.groups;
        let [one, two] = self.trees_of(groups);
        let leaves = self.expand_nodes(&parent.pair, |nodes| {
            if let Some(interval) = one.overlap(two, nodes) {
                let pair = NodePair { groups, nodes };
                child(OverlappingPair { pair, interval });
            }
        })?;
        let elements = self.filter(self.elements(groups, leaves))?;
        let interval = parent.interval;
        Some(Candidate { elements, interval })
    }

    #[inline]
    fn expand_nodes(&self, pair: &NodePair, child: impl FnMut([u32; 2])) -> Option<[u32; 2]> {
        let [one, two] = self.trees_of(pair.groups);
        if self.is_within(pair.groups) {
            one.expand_within(pair.nodes, child)
        } else {
            one.expand(two, pair.nodes, child)
        }
    }

    /// A pair of elements, unless they are neighbours or the caller filters them out.
    fn filter(&self, elements: [Element; 2]) -> Option<[Element; 2]> {
        let count = |counter: &AtomicU64| _ = counter.fetch_add(1, Ordering::Relaxed);
        let [one, two] = elements;
        if let Meshes::Within(moving) = self.meshes
            && moving.mesh().are_neighbours(one, two)
        {
            count(&self.neighbours);
            return None;
        }
        if self.keep.is_some_and(|keep| !keep(one, two)) {
            count(&self.filtered);
            return None;
        }
        count(&self.candidates);
        Some(elements)
    }

    /// No pair of elements that a pair of nodes stands for is before these.
    pub(crate) fn first_elements(&self, pair: &NodePair) -> [Element; 2] {
        let trees = self.trees_of(pair.groups);
        let leaves = [0, 1].map(|side| trees[side].least_leaf(pair.nodes[side]));
        self.elements(pair.groups, leaves)
    }

    /// How many leaves there are in all trees.
    pub(super) fn leaf_count(&self) -> usize {
        let trees = self.trees.as_flattened().iter();
        trees
            .filter_map(|tree| Some(tree.leaf_count(tree.root()?)))
            .sum()
    }

    /// How many leaves a pair of nodes has on both sides together: a pair of leaves has two.
    pub(super) fn leaf_count_of(&self, pair: &NodePair) -> usize {
        let trees = self.trees_of(pair.groups);
        (0..2)
            .map(|side| trees[side].leaf_count(pair.nodes[side]))
            .sum()
    }

    /// What was done so far.
    pub(crate) fn counts(&self) -> PairCounts {
        PairCounts {
            candidates: self.candidates.load(Ordering::Relaxed),
            neighbours: self.neighbours.load(Ordering::Relaxed),
            filtered: self.filtered.load(Ordering::Relaxed),
        }
    }

    #[inline]
    fn trees_of(&self, groups: [Group; 2]) -> [&VolumeTree; 2] {
        let slots = slots(self.meshes);
        [0, 1].map(|side| &self.trees[slots[side]][groups[side] as usize])
    }

    /// Whether a tree is paired with itself.
    fn is_within(&self, groups: [Group; 2]) -> bool {
        matches!(self.meshes, Meshes::Within(_)) && groups[0] == groups[1]
    }

    /// The elements of two leaves, in the order in which they are reported.
    fn elements(&self, groups: [Group; 2], leaves: [u32; 2]) -> [Element; 2] {
        let sides = self.meshes.sides();
        let [a, b] = [0, 1].map(|side| {
            let mesh = sides[side].mesh();
            mesh.element(groups[side], leaves[side] as usize)
        });
        if self.is_within(groups) {
            [a.min(b), a.max(b)]
        } else {
            [a, b]
        }
    }
}
