//! Which boxes belong together in a tree: the surface-area heuristic of the crate `bvh`.
//!
//! It builds from the boxes at the start, moved and scaled into [−1, 1]³, none of them without
//! width: there neither their places and sizes over- or underflow, nor do their areas vanish. Where
//! the boxes go does not count. In a step that throws a mesh apart it is of no use, and the first
//! impact is early.
//!
//! Where one box is so far from the others that these cannot be told apart any more, each box is
//! replaced by the ranks of its middle on the three axes.

use bvh::aabb::{Aabb, Bounded};
use bvh::bounding_hierarchy::BHShape;
use bvh::bvh::{Bvh, BvhNode};
use ordered_float::OrderedFloat;

use super::VolumeNode;
use crate::mesh::broad_phase::MovingBox;
use crate::vector::{BoundingBox, Vector};

/// Half the width that a box in [−1, 1]³ has at least.
const LEAST_WIDTH: f64 = 1e-9;

/// Boxes are crowded if half of them are closer together than this: too close for `bvh`, which
/// splits down to 2e-16.
const CROWDED: f64 = 1e-13;

/// How many boxes are looked at to tell whether they are crowded.
const SAMPLE: usize = 256;

/// The nodes of a tree over these boxes, parents before their children.
pub(super) fn topology(leaves: &[MovingBox]) -> Vec<VolumeNode> {
    let mut placed: Vec<PlacedBox> = placed(leaves).into_iter().map(PlacedBox::new).collect();
    #[cfg(feature = "rayon")]
    let bvh = Bvh::build_with_executor(&mut placed, bvh::bvh::rayon_executor);
    #[cfg(not(feature = "rayon"))]
    let bvh = Bvh::build(&mut placed);
    let nodes = bvh.nodes.iter().map(|node| match *node {
        BvhNode::Leaf { shape_index, .. } => VolumeNode::Leaf(shape_index as u32),
        BvhNode::Node {
            child_l_index,
            child_r_index,
            ..
        } => VolumeNode::Inner([child_l_index as u32, child_r_index as u32]),
    });
    nodes.collect()
}

/// A box as `bvh` asks for it.
struct PlacedBox {
    bounds: Aabb<f64, 3>,
    node: usize,
}

impl PlacedBox {
    fn new(bounds: BoundingBox) -> Self {
        Self {
            bounds: Aabb::with_bounds(
                bounds.low.map(|x| x - LEAST_WIDTH).into(),
                bounds.high.map(|x| x + LEAST_WIDTH).into(),
            ),
            node: 0,
        }
    }
}

impl Bounded<f64, 3> for PlacedBox {
    fn aabb(&self) -> Aabb<f64, 3> {
        self.bounds
    }
}

impl BHShape<f64, 3> for PlacedBox {
    fn set_bh_node_index(&mut self, node: usize) {
        self.node = node;
    }

    fn bh_node_index(&self) -> usize {
        self.node
    }
}

/// The boxes at the start, moved and scaled into [−1, 1]³, or their ranks.
fn placed(leaves: &[MovingBox]) -> Vec<BoundingBox> {
    let whole = leaves.iter().copied().reduce(|all, one| all.join(&one));
    let Some(whole) = whole.map(|whole| finite(&whole)) else {
        return Vec::new();
    };
    let middle = whole.middle();
    let extent = (0..3).map(|c| 0.5 * whole.high[c] - 0.5 * whole.low[c]);
    let extent = extent.fold(f64::MIN_POSITIVE, f64::max);
    let place = |corner: Vector| -> Vector {
        std::array::from_fn(|c| ((corner[c] - middle[c]) / extent).clamp(-1.0, 1.0))
    };
    let placed = leaves.iter().map(|leaf| {
        let BoundingBox { low, high } = finite(leaf);
        BoundingBox {
            low: place(low),
            high: place(high),
        }
    });
    let mut placed: Vec<BoundingBox> = placed.collect();
    if crowded(&placed) {
        rank(&mut placed);
    }
    placed
}

/// The bounds at the start, within the range of doubles: outward rounding may have left it.
fn finite(leaf: &MovingBox) -> BoundingBox {
    let BoundingBox { low, high } = leaf.at_start();
    let finite = |corner: Vector| corner.map(|x| x.clamp(-f64::MAX, f64::MAX));
    BoundingBox {
        low: finite(low),
        high: finite(high),
    }
}

fn crowded(boxes: &[BoundingBox]) -> bool {
    let sample = boxes.iter().step_by(boxes.len().div_ceil(SAMPLE).max(1));
    (0..3).all(|c| {
        let middles = sample.clone().map(|bounds| bounds.low[c] + bounds.high[c]);
        let mut middles: Vec<f64> = middles.collect();
        middles.sort_unstable_by(f64::total_cmp);
        let mut gaps: Vec<f64> = middles.windows(2).map(|pair| pair[1] - pair[0]).collect();
        gaps.sort_unstable_by(f64::total_cmp);
        gaps.get(gaps.len() / 2).is_some_and(|&gap| gap < CROWDED)
    })
}

fn rank(boxes: &mut [BoundingBox]) {
    let step = 1.0 / boxes.len() as f64;
    let mut order: Vec<usize> = (0..boxes.len()).collect();
    let ranks = [0, 1, 2].map(|c| {
        let middle = |&at: &usize| OrderedFloat(boxes[at].low[c] + boxes[at].high[c]);
        order.sort_by_key(middle);
        let mut ranks = vec![0.0; boxes.len()];
        for (rank, &at) in order.iter().enumerate() {
            ranks[at] = rank as f64 * step;
        }
        ranks
    });
    for (at, bounds) in boxes.iter_mut().enumerate() {
        let place = [ranks[0][at], ranks[1][at], ranks[2][at]];
        *bounds = BoundingBox {
            low: place,
            high: place,
        };
    }
}
