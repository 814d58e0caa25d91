//! A hierarchy of moving boxes, and the pairs of leaves in two of them that can overlap.
//!
//! The crate `bvh` decides which boxes belong together, by the surface-area heuristic. The boxes of its nodes are not used,
//! only their topology: ours move, and are made anew, bottom-up, at every step. So a tree is kept from step to step
//! and only refitted, until its boxes have grown too much.

use bvh::aabb::{Aabb, Bounded};
use bvh::bounding_hierarchy::BHShape;
use bvh::bvh::{Bvh, BvhNode};

use super::boxes::MovingBox;
use super::parallel;

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
    leaves: usize,
    /// Expected cost of a query when it was built.
    cost: f64,
}

/// What `bvh` builds from.
struct Item {
    bounds: Aabb<f32, 3>,
    node: usize,
}

impl Bounded<f32, 3> for Item {
    fn aabb(&self) -> Aabb<f32, 3> {
        self.bounds
    }
}

impl BHShape<f32, 3> for Item {
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
        for at in (0..self.nodes.len()).rev() {
            self.boxes[at] = match self.nodes[at] {
                Node::Leaf(leaf) => leaves[leaf as usize],
                Node::Inner([one, two]) => self.boxes[one as usize].join(&self.boxes[two as usize]),
            };
        }
    }

    /// Chance that a query that meets the whole meets a node, added up over all inner nodes.
    fn cost(&self) -> f64 {
        let Some(whole) = self.boxes.first() else {
            return 0.0;
        };
        let [low, high] = whole.swept();
        let scale = (0..3).map(|c| high[c] * 0.5 - low[c] * 0.5);
        let scale = scale.fold(f64::MIN_POSITIVE, f64::max);
        let inner = self.nodes.iter().zip(&self.boxes);
        let inner = inner.filter(|(node, _)| matches!(node, Node::Inner(_)));
        let sum: f64 = inner.map(|(_, bounds)| bounds.area(scale)).sum();
        sum / whole.area(scale).max(f64::MIN_POSITIVE)
    }

    /// All pairs of a leaf of this tree and one of another that may overlap, with `take` called on each and on the interval in
    /// which they may. What it returns is collected, in an order that does not depend on the number of threads.
    pub(super) fn pairs<T: Send>(
        &self,
        other: &Self,
        take: impl Fn(u32, u32, [f64; 2]) -> Option<T> + Sync,
    ) -> Vec<T> {
        self.descend([self, other], take, |[one, two], [a, b], stack| {
            match [one.nodes[a as usize], two.nodes[b as usize]] {
                [Node::Leaf(a), Node::Leaf(b)] => return Some([a, b]),
                [Node::Inner(a), Node::Leaf(_)] => stack.extend(a.map(|a| [a, b])),
                [Node::Leaf(_), Node::Inner(b)] => stack.extend(b.map(|b| [a, b])),
                [Node::Inner(a), Node::Inner(b)] => {
                    stack.extend(a.into_iter().flat_map(|a| b.map(|b| [a, b])));
                }
            }
            None
        })
    }

    /// All pairs of two different leaves that may overlap, each once, with the lower number first; see [`Tree::pairs`].
    pub(super) fn self_pairs<T: Send>(
        &self,
        take: impl Fn(u32, u32, [f64; 2]) -> Option<T> + Sync,
    ) -> Vec<T> {
        self.descend([self, self], take, |[tree, _], [a, b], stack| {
            match [tree.nodes[a as usize], tree.nodes[b as usize]] {
                [Node::Leaf(one), Node::Leaf(two)] => {
                    return (a != b).then_some([one.min(two), one.max(two)]);
                }
                [Node::Inner([one, two]), _] if a == b => {
                    stack.extend([[one, one], [two, two], [one, two]]);
                }
                [Node::Inner(a), Node::Leaf(_)] => stack.extend(a.map(|a| [a, b])),
                [Node::Leaf(_), Node::Inner(b)] => stack.extend(b.map(|b| [a, b])),
                [Node::Inner(a), Node::Inner(b)] => {
                    stack.extend(a.into_iter().flat_map(|a| b.map(|b| [a, b])));
                }
            }
            None
        })
    }

    /// Goes down two trees at once from pairs of nodes to pairs of leaves. `open` replaces a pair of nodes by pairs of children, or
    /// returns the leaves.
    fn descend<T: Send>(
        &self,
        trees: [&Self; 2],
        take: impl Fn(u32, u32, [f64; 2]) -> Option<T> + Sync,
        open: impl Fn([&Self; 2], [u32; 2], &mut Vec<[u32; 2]>) -> Option<[u32; 2]> + Sync,
    ) -> Vec<T> {
        if trees.iter().any(|tree| tree.nodes.is_empty()) {
            return Vec::new();
        }
        let visit = |pair: [u32; 2], stack: &mut Vec<[u32; 2]>, found: &mut Vec<T>| {
            let boxes = [0, 1].map(|side| &trees[side].boxes[pair[side] as usize]);
            if let Some(interval) = boxes[0].overlap(boxes[1]) {
                let leaves = open(trees, pair, stack);
                found.extend(leaves.and_then(|[a, b]| take(a, b, interval)));
            }
        };
        // Enough pieces of work for all threads, by a few rounds in breadth.
        let mut found = Vec::new();
        let mut front = vec![[0, 0]];
        for _ in 0..4 {
            for pair in std::mem::take(&mut front) {
                visit(pair, &mut front, &mut found);
            }
        }
        let pieces = parallel::map(front.len(), |at| {
            let (mut stack, mut found) = (vec![front[at]], Vec::new());
            while let Some(pair) = stack.pop() {
                visit(pair, &mut stack, &mut found);
            }
            found
        });
        found.extend(pieces.into_iter().flatten());
        found
    }
}

/// The boxes over the whole horizon, moved and scaled into about [−1, 1], none without width: their place and size can't
/// over- or underflow there, nor their areas vanish.
fn normalised(leaves: &[MovingBox]) -> Vec<Item> {
    let whole = leaves.iter().copied().reduce(|all, one| all.join(&one));
    let [low, high] = whole.map_or([[0.0; 3]; 2], finite);
    let middle: [f64; 3] = std::array::from_fn(|c| 0.5 * low[c] + 0.5 * high[c]);
    let extent = (0..3).map(|c| 0.5 * high[c] - 0.5 * low[c]);
    let extent = extent.fold(f64::MIN_POSITIVE, f64::max);
    let item = |leaf: &MovingBox| {
        let [low, high] = finite(*leaf);
        let place = |x: [f64; 3], widen: f32| {
            nalgebra::Point3::from(std::array::from_fn(|c| {
                ((x[c] - middle[c]) / extent).clamp(-1.0, 1.0) as f32 + widen
            }))
        };
        Item {
            bounds: Aabb::with_bounds(place(low, -1e-6), place(high, 1e-6)),
            node: 0,
        }
    };
    leaves.iter().map(item).collect()
}

/// The swept bounds, within the range of doubles: outward rounding may have left it.
fn finite(bounds: MovingBox) -> [[f64; 3]; 2] {
    let swept = bounds.swept();
    swept.map(|corner| corner.map(|x| x.clamp(-f64::MAX, f64::MAX)))
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

    #[test]
    fn finds_the_pairs_that_brute_force_finds_also_when_refitted() {
        let (mut one, mut two) = (Tree::default(), Tree::default());
        for (seed, count) in [(1, 200), (2, 200), (3, 7), (4, 1), (5, 0)] {
            let (a, b) = (boxes(count, seed), boxes(count, seed + 100));
            one.update(&a);
            two.update(&b);
            let mut found = one.pairs(&two, |a, b, _| Some((a, b)));
            found.sort_unstable();
            assert_eq!(found, brute(&a, &b, false));
            let mut found = one.self_pairs(|a, b, _| Some((a, b)));
            found.sort_unstable();
            assert_eq!(found, brute(&a, &a, true));
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
            let mut found = tree.self_pairs(|a, b, _| Some((a, b)));
            found.sort_unstable();
            assert_eq!(found, brute(&boxes, &boxes, true), "{size}");
        }
    }
}
