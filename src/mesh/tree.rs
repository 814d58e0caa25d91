//! A hierarchy of moving boxes.
//!
//! The crate `bvh` decides which boxes belong together, by the surface-area heuristic. The boxes of its nodes are not used,
//! only their topology: ours move, and are made anew, bottom-up, at every step. So a tree is kept from step to step
//! and only refitted, until its boxes have grown too much.

use bvh::aabb::{Aabb, Bounded};
use bvh::bounding_hierarchy::BHShape;
use bvh::bvh::{Bvh, BvhNode};
use ordered_float::OrderedFloat;

use super::boxes::MovingBox;

/// How much more than when it was built a refitted tree may cost to go through.
const WORN: f64 = 1.5;

#[derive(Clone, Copy, Debug)]
enum Node {
    Leaf(u32),
    /// Two children, both later in the list.
    Inner([u32; 2]),
}

/// A binary tree over boxes numbered from 0.
#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    boxes: Vec<MovingBox>,
    /// The least number of a leaf below each node, and how many there are.
    below: Vec<Below>,
    leaves: usize,
    /// Expected cost of a query when it was built.
    cost: f64,
}

/// The leaves below a node.
#[derive(Clone, Copy, Debug, Default)]
struct Below {
    least: u32,
    count: u32,
}

/// What `bvh` builds from.
struct Item {
    bounds: Aabb<f64, 3>,
    node: usize,
}

impl Bounded<f64, 3> for Item {
    fn aabb(&self) -> Aabb<f64, 3> {
        self.bounds
    }
}

impl BHShape<f64, 3> for Item {
    fn set_bh_node_index(&mut self, node: usize) {
        self.node = node;
    }

    fn bh_node_index(&self) -> usize {
        self.node
    }
}

impl Tree {
    /// Takes in new boxes: refits the tree if their number is the same and it still serves, otherwise builds it.
    pub(super) fn update(&mut self, leaves: &[MovingBox]) {
        if leaves.len() == self.leaves && !leaves.is_empty() {
            self.refit(leaves);
            if self.cost() <= WORN * self.cost {
                return;
            }
        }
        self.build(leaves);
        self.refit(leaves);
        self.cost = self.cost();
    }

    fn build(&mut self, leaves: &[MovingBox]) {
        self.leaves = leaves.len();
        let mut items = normalised(leaves);
        #[cfg(feature = "rayon")]
        let bvh = Bvh::build_with_executor(&mut items, bvh::bvh::rayon_executor);
        #[cfg(not(feature = "rayon"))]
        let bvh = Bvh::build(&mut items);
        self.nodes.clear();
        self.nodes.extend(bvh.nodes.iter().map(|node| match *node {
            BvhNode::Leaf { shape_index, .. } => Node::Leaf(shape_index as u32),
            BvhNode::Node {
                child_l_index,
                child_r_index,
                ..
            } => Node::Inner([child_l_index as u32, child_r_index as u32]),
        }));
    }

    /// Children come after their parents: one pass backwards.
    fn refit(&mut self, leaves: &[MovingBox]) {
        let Some(first) = leaves.first() else {
            return self.boxes.clear();
        };
        self.boxes.resize(self.nodes.len(), *first);
        self.below.resize(self.nodes.len(), Below::default());
        for at in (0..self.nodes.len()).rev() {
            (self.boxes[at], self.below[at]) = match self.nodes[at] {
                Node::Leaf(leaf) => {
                    let below = Below {
                        least: leaf,
                        count: 1,
                    };
                    (leaves[leaf as usize], below)
                }
                Node::Inner([one, two]) => {
                    let (one, two) = (one as usize, two as usize);
                    let below = Below {
                        least: self.below[one].least.min(self.below[two].least),
                        count: self.below[one].count + self.below[two].count,
                    };
                    (self.boxes[one].join(&self.boxes[two]), below)
                }
            };
        }
    }

    /// Chance that a query that meets the whole meets a node, added up over all inner nodes.
    fn cost(&self) -> f64 {
        let Some(whole) = self.boxes.first() else {
            return 0.0;
        };
        let [low, high] = whole.at_start();
        let scale = (0..3).map(|c| high[c] * 0.5 - low[c] * 0.5);
        let scale = scale.fold(f64::MIN_POSITIVE, f64::max);
        let inner = self.nodes.iter().zip(&self.boxes);
        let inner = inner.filter(|(node, _)| matches!(node, Node::Inner(_)));
        let sum: f64 = inner.map(|(_, bounds)| bounds.area(scale)).sum();
        sum / whole.area(scale).max(f64::MIN_POSITIVE)
    }

    /// The whole tree, unless it is empty.
    pub(super) fn root(&self) -> Option<u32> {
        (!self.nodes.is_empty()).then_some(0)
    }

    /// The interval in which the boxes of two nodes overlap.
    #[inline]
    pub(super) fn overlap(&self, other: &Self, [a, b]: [u32; 2]) -> Option<[f64; 2]> {
        self.boxes[a as usize].overlap(&other.boxes[b as usize])
    }

    /// The least number of a leaf below a node.
    pub(super) fn least(&self, node: u32) -> u32 {
        self.below[node as usize].least
    }

    /// How many leaves there are below a node.
    pub(super) fn count(&self, node: u32) -> usize {
        self.below[node as usize].count as usize
    }

    /// Calls `take` on the pairs of children of a pair of nodes whose boxes overlap, and on the interval in which they do; or, if
    /// both are leaves, returns their numbers.
    #[inline]
    pub(super) fn open(
        &self,
        other: &Self,
        nodes: [u32; 2],
        mut take: impl FnMut([u32; 2], [f64; 2]),
    ) -> Option<[u32; 2]> {
        self.below(other, nodes, |pair| {
            if let Some(interval) = self.overlap(other, pair) {
                take(pair, interval);
            }
        })
    }

    /// The same within one tree: all pairs of two different leaves come up once.
    #[inline]
    pub(super) fn open_within(
        &self,
        nodes: [u32; 2],
        mut take: impl FnMut([u32; 2], [f64; 2]),
    ) -> Option<[u32; 2]> {
        self.below_within(nodes, |pair| {
            if let Some(interval) = self.overlap(self, pair) {
                take(pair, interval);
            }
        })
    }

    /// Calls `child` on all pairs of children of a pair of nodes; or, if both are leaves, returns their numbers.
    #[inline]
    pub(super) fn below(
        &self,
        other: &Self,
        [a, b]: [u32; 2],
        mut child: impl FnMut([u32; 2]),
    ) -> Option<[u32; 2]> {
        match [self.nodes[a as usize], other.nodes[b as usize]] {
            [Node::Leaf(a), Node::Leaf(b)] => return Some([a, b]),
            [Node::Inner(a), Node::Leaf(_)] => a.into_iter().for_each(|a| child([a, b])),
            [Node::Leaf(_), Node::Inner(b)] => b.into_iter().for_each(|b| child([a, b])),
            [Node::Inner(a), Node::Inner(b)] => {
                for a in a {
                    b.into_iter().for_each(|b| child([a, b]));
                }
            }
        }
        None
    }

    /// The same within one tree: all pairs of two different leaves come up once.
    #[inline]
    pub(super) fn below_within(
        &self,
        [a, b]: [u32; 2],
        child: impl FnMut([u32; 2]),
    ) -> Option<[u32; 2]> {
        if a != b {
            return self.below(self, [a, b], child);
        }
        if let Node::Inner([one, two]) = self.nodes[a as usize] {
            [[one, one], [two, two], [one, two]]
                .into_iter()
                .for_each(child);
        }
        None
    }

    /// A lower bound on the distance of the boxes of two nodes at the start.
    pub(super) fn apart(&self, other: &Self, [a, b]: [u32; 2]) -> f64 {
        self.boxes[a as usize].apart(&other.boxes[b as usize])
    }

    /// For each node the value that all leaves below it have, by their numbers, if they have one in common.
    pub(super) fn common<T: Copy + PartialEq>(
        &self,
        mut of_leaf: impl FnMut(u32) -> T,
    ) -> Vec<Option<T>> {
        let mut common = vec![None; self.nodes.len()];
        for at in (0..self.nodes.len()).rev() {
            common[at] = match self.nodes[at] {
                Node::Leaf(leaf) => Some(of_leaf(leaf)),
                Node::Inner([one, two]) => {
                    common[one as usize].filter(|_| common[one as usize] == common[two as usize])
                }
            };
        }
        common
    }
}

/// What the tree is built from: the boxes at the start, moved and scaled into [−1, 1], none without width. There their
/// place and size can't over- or underflow, nor their areas vanish. (Where they go does not count: in a step that throws a mesh
/// apart it is of no use, and the first impact is early.)
///
/// Where one is so far from the others that these can't be told apart any more, each is replaced by the ranks of its middle on the
/// three axes.
fn normalised(leaves: &[MovingBox]) -> Vec<Item> {
    let whole = leaves.iter().copied().reduce(|all, one| all.join(&one));
    let [low, high] = whole.map_or([[0.0; 3]; 2], finite);
    let middle: [f64; 3] = std::array::from_fn(|c| 0.5 * low[c] + 0.5 * high[c]);
    let extent = (0..3).map(|c| 0.5 * high[c] - 0.5 * low[c]);
    let extent = extent.fold(f64::MIN_POSITIVE, f64::max);
    let place = |corner: [f64; 3]| -> [f64; 3] {
        std::array::from_fn(|c| ((corner[c] - middle[c]) / extent).clamp(-1.0, 1.0))
    };
    let mut placed: Vec<[[f64; 3]; 2]> =
        leaves.iter().map(|leaf| finite(*leaf).map(place)).collect();
    if crowded(&placed) {
        rank(&mut placed);
    }
    let item = |[low, high]: [[f64; 3]; 2]| Item {
        bounds: Aabb::with_bounds(
            low.map(|x| x - LEAST_WIDTH).into(),
            high.map(|x| x + LEAST_WIDTH).into(),
        ),
        node: 0,
    };
    placed.into_iter().map(item).collect()
}

/// Half the width that a box in [−1, 1]³ has at least.
const LEAST_WIDTH: f64 = 1e-9;

/// Half of the boxes are closer together than this: too close for `bvh`, which splits down to 2e-16.
const CROWDED: f64 = 1e-13;

/// Boxes that are looked at to tell whether they are crowded.
const SAMPLE: usize = 256;

fn crowded(boxes: &[[[f64; 3]; 2]]) -> bool {
    let sample = boxes.iter().step_by(boxes.len().div_ceil(SAMPLE).max(1));
    (0..3).all(|c| {
        let mut middles: Vec<f64> = sample.clone().map(|[low, high]| low[c] + high[c]).collect();
        middles.sort_unstable_by(f64::total_cmp);
        let mut gaps: Vec<f64> = middles.windows(2).map(|pair| pair[1] - pair[0]).collect();
        gaps.sort_unstable_by(f64::total_cmp);
        gaps.get(gaps.len() / 2).is_some_and(|&gap| gap < CROWDED)
    })
}

fn rank(boxes: &mut [[[f64; 3]; 2]]) {
    let step = 1.0 / boxes.len() as f64;
    let mut order: Vec<usize> = (0..boxes.len()).collect();
    let ranks = [0, 1, 2].map(|c| {
        let middle = |&at: &usize| OrderedFloat(boxes[at][0][c] + boxes[at][1][c]);
        order.sort_by_key(middle);
        let mut ranks = vec![0.0; boxes.len()];
        for (rank, &at) in order.iter().enumerate() {
            ranks[at] = rank as f64 * step;
        }
        ranks
    });
    for (at, bounds) in boxes.iter_mut().enumerate() {
        *bounds = [[ranks[0][at], ranks[1][at], ranks[2][at]]; 2];
    }
}

/// The bounds at the start, within the range of doubles: outward rounding may have left it.
fn finite(bounds: MovingBox) -> [[f64; 3]; 2] {
    bounds
        .at_start()
        .map(|corner| corner.map(|x| x.clamp(-f64::MAX, f64::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{Point3, Vector3};

    /// Boxes of size 1 whose corners, at both ends of the horizon, hop about a cube pseudo-randomly.
    fn boxes(count: usize, seed: u64) -> Vec<MovingBox> {
        let mut state = seed;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as f64 / f64::from(1_u32 << 31) * 10.0
        };
        let mut random = || Point3::new(next(), next(), next());
        (0..count)
            .map(|_| {
                let (p, q) = (random(), random());
                let velocity = q - p;
                let points = [p, p + Vector3::repeat(1.0)];
                MovingBox::around(points.iter().map(|point| (point, &velocity)), 1.0, 0.0)
            })
            .collect()
    }

    fn brute(one: &[MovingBox], two: &[MovingBox], within: bool) -> Vec<(u32, u32)> {
        let all = (0..one.len()).flat_map(|a| (0..two.len()).map(move |b| (a, b)));
        all.filter(|&(a, b)| (!within || a < b) && one[a].overlap(&two[b]).is_some())
            .map(|(a, b)| (a as u32, b as u32))
            .collect()
    }

    /// All pairs of leaves that overlap, by going down two trees.
    fn pairs(one: &Tree, two: &Tree) -> Vec<(u32, u32)> {
        let roots = one.root().zip(two.root());
        let mut stack: Vec<[u32; 2]> = roots.map(|(a, b)| [a, b]).into_iter().collect();
        stack.retain(|&pair| one.overlap(two, pair).is_some());
        let mut found = Vec::new();
        while let Some(pair) = stack.pop() {
            found.extend(
                one.open(two, pair, |pair, _| stack.push(pair))
                    .map(|[a, b]| (a, b)),
            );
        }
        found.sort_unstable();
        found
    }

    fn own_pairs(tree: &Tree) -> Vec<(u32, u32)> {
        let mut stack: Vec<[u32; 2]> = tree.root().map(|root| [root, root]).into_iter().collect();
        let mut found = Vec::new();
        while let Some(pair) = stack.pop() {
            let leaves = tree.open_within(pair, |pair, _| stack.push(pair));
            found.extend(leaves.map(|[a, b]| (a.min(b), a.max(b))));
        }
        found.sort_unstable();
        found
    }

    #[test]
    fn finds_the_pairs_that_brute_force_finds_also_when_refitted() {
        let (mut one, mut two) = (Tree::default(), Tree::default());
        for (seed, count) in [(1, 200), (2, 200), (3, 7), (4, 1), (5, 0)] {
            let (a, b) = (boxes(count, seed), boxes(count, seed + 100));
            one.update(&a);
            two.update(&b);
            assert_eq!(pairs(&one, &two), brute(&a, &b, false));
            assert_eq!(own_pairs(&one), brute(&a, &a, true));
        }
    }

    #[test]
    fn degenerate_boxes_make_a_sound_tree() {
        let zero = Vector3::zeros();
        let line = |k: usize, size: f64| {
            let p = Point3::new(size * 0.5_f64.powi(k as i32), 0.0, 0.0);
            MovingBox::around(std::iter::once((&p, &zero)), 1.0, 0.0)
        };
        for size in [0.0, 1e-320, 1.0, 1e300, f64::MAX] {
            let boxes: Vec<_> = (0..300).map(|k| line(k, size)).collect();
            let mut tree = Tree::default();
            tree.update(&boxes);
            assert_eq!(own_pairs(&tree), brute(&boxes, &boxes, true), "{size}");
        }
    }

    /// How many leaves lie below the deepest node at most, going down.
    fn depth(tree: &Tree, node: u32) -> usize {
        match tree.nodes[node as usize] {
            Node::Leaf(_) => 1,
            Node::Inner(children) => {
                1 + children
                    .map(|child| depth(tree, child))
                    .into_iter()
                    .max()
                    .unwrap_or(0)
            }
        }
    }

    #[test]
    fn a_box_far_away_does_not_spoil_the_tree() {
        let near = boxes(2000, 9);
        let still = Vector3::zeros();
        for far in [1e6, 1e12, 1e100, 1e300] {
            let mut boxes = near.clone();
            let away = Point3::new(far, 0.0, 0.0);
            boxes.push(MovingBox::around(
                std::iter::once((&away, &still)),
                1.0,
                0.0,
            ));
            let (mut tree, mut best) = (Tree::default(), Tree::default());
            tree.update(&boxes);
            best.update(&near);
            // All but the way to the box far away.
            let areas = |tree: &Tree| -> Vec<f64> {
                let areas = tree.boxes.iter().map(|bounds| bounds.area(10.0));
                areas.filter(|&area| area < 1e3).collect()
            };
            let (found, alone) = (areas(&tree), areas(&best));
            assert!(found.len() + 60 > alone.len(), "{far}: {}", found.len());
            let sum = |areas: &[f64]| areas.iter().sum::<f64>();
            assert!(
                sum(&found) < 3.0 * sum(&alone),
                "{far}: {} {}",
                sum(&found),
                sum(&alone)
            );
            assert!(depth(&tree, 0) < 60);
        }
    }
}
