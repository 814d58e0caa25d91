//! The frames in which two sub-patches are compared.

use super::node::DistanceNode;
use super::{ClosestPair, lower_bound};
use crate::bound::{
    COORDINATE_AXES, Direction, Frame, SquaredBounds, normal_of, scaled, squared_bounds,
};
use crate::branch::tree::{SubPatch, family_of};
use crate::options::Inclusion;
use crate::vector::{cross, dot, minus};

impl ClosestPair<'_> {
    /// The frames for the children of two sub-patches: along the line between the closest points so
    /// far, along that between the centres, and those of the two sub-patches' boxes. Any frame is
    /// sound; a better one bounds the distance better.
    pub(super) fn choose_frames(&mut self, parents: [SubPatch; 2], families: [u32; 2]) {
        let errors = self.pair.errors_at_rest(families);
        let frame = |axes| Frame::new(axes, &errors);
        self.frames.clear();
        match self.inclusion {
            Inclusion::Aabb => {
                self.frames.push(frame(COORDINATE_AXES));
                return;
            }
            Inclusion::Obb => {}
        }
        let trees = &self.pair.trees;
        let [one, two] = [0, 1].map(|side| trees[side].spanning_directions(parents[side], 0.0));
        let hint = [one, two].iter().flatten().copied().flatten().next();
        if let Some(closest) = &self.incumbent.closest {
            self.frames.extend(along(closest.across, hint).map(frame));
            let vertex = trees.iter().any(|tree| tree.count() == 1);
            if vertex && self.pair.covers(parents, closest.parameters) {
                // Nothing else bounds it better.
                return;
            }
        }
        let [a, b] = [0, 1].map(|side| trees[side].centre(parents[side], 0.0));
        let between = along(minus(a, b), hint);
        self.frames.push(frame(between.unwrap_or(COORDINATE_AXES)));
        for [u, v] in [one, two] {
            let normal = u.zip(v).and_then(|(u, v)| normal_of(u, v));
            let axes = normal.and_then(|normal| along(normal, u));
            self.frames.extend(axes.map(frame));
        }
    }
}

impl ClosestPair<'_> {
    /// The bound of a node by itself, along the line between the closest points so far.
    pub(super) fn raise_bound(&mut self, node: &mut DistanceNode) {
        let Some(closest) = self.incumbent.closest else {
            return;
        };
        let families = node.sub_patches.map(family_of);
        self.pair.load_nets(node.sub_patches);
        let errors = self.pair.errors_at_rest(families);
        let [one, two] = node.sub_patches;
        let pair = 4 * (one % 4) + two % 4;
        let Some(axes) = along(closest.across, None) else {
            return;
        };
        let frames = [Frame::new(axes, &errors)];
        let mut bounds = SquaredBounds::default();
        let nets = self.pair.nets(families);
        squared_bounds(nets, &frames, 1 << pair, f64::INFINITY, &mut bounds);
        let squared = bounds[pair as usize / 4][pair as usize % 4];
        node.lower = node.lower.max(lower_bound(squared));
    }
}

/// A frame of unit axes, the first along `first`, the second one as near to `second` as can be.
fn along(first: Direction, second: Option<Direction>) -> Option<[Direction; 3]> {
    let first = unit(first)?;
    let across = |e: Direction| {
        let by = dot(first, e);
        let part: Direction = std::array::from_fn(|c| e[c] - by * first[c]);
        // What is left of a vector nearly along the first axis is made of rounding errors.
        (dot(part, part) > 1e-12 * dot(e, e)).then(|| unit(part))?
    };
    let second = second.and_then(across).or_else(|| {
        let size = first.map(f64::abs);
        let least = if size[0] <= size[1] && size[0] <= size[2] {
            0
        } else if size[1] <= size[2] {
            1
        } else {
            2
        };
        across(COORDINATE_AXES[least])
    })?;
    Some([first, second, cross(first, second)])
}

/// A vector of length 1, about; `None` for one that has next to no length.
fn unit(e: Direction) -> Option<Direction> {
    let squared = dot(e, e);
    if squared > 1e-200 {
        let by = 1.0 / squared.sqrt();
        return Some(e.map(|x| x * by));
    }
    let e = scaled(e)?;
    let by = 1.0 / dot(e, e).sqrt();
    Some(e.map(|x| x * by))
}
