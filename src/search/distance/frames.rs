//! The frames in which two sub-patches are compared.

use super::closest::Closest;
use super::{Memory, Pair};
use crate::inclusion::{Direction, Frame, normal_of, scaled};
use crate::options::Inclusion;
use crate::rounding::{UNDERFLOW, projection_error};
use crate::search::Search;
use crate::vector::{cross, dot, minus};

const COORDINATES: [Direction; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

impl Search {
    /// The frames for the children of a pair: along the line between the closest points so far, along that between the centres, and those of the two
    /// patches' boxes. Any frame is sound; a better one bounds the distance better.
    pub(super) fn frames(
        &self,
        memory: &mut Memory,
        parent: &Pair,
        families: [u32; 2],
        closest: Option<&Closest>,
    ) {
        let mut reach = [0.0; 3];
        for (side, arena) in self.arenas.iter().enumerate() {
            let error = projection_error(arena.roundings(families[side]));
            for (reach, extent) in reach.iter_mut().zip(self.extents[side][0]) {
                *reach += error * extent;
            }
        }
        let error = |e: Direction| {
            let sum = e[0].abs() * reach[0] + e[1].abs() * reach[1] + e[2].abs() * reach[2];
            sum + UNDERFLOW
        };
        let frames = &mut memory.frames;
        frames.clear();
        if self.options.inclusion == Inclusion::Aabb {
            frames.push(Frame::new(COORDINATES, error));
            return;
        }
        let [one, two] = [0, 1].map(|side| self.arenas[side].spans(parent.nodes[side], 0.0));
        let hint = [one, two].iter().flatten().copied().flatten().next();
        if let Some(closest) = closest {
            frames.extend(along(closest.difference, hint).map(|axes| Frame::new(axes, error)));
            let vertex = self.arenas.iter().any(|arena| arena.rows().len() == 1);
            if vertex && self.covers(parent, closest) {
                // Nothing else bounds it better.
                return;
            }
        }
        let [a, b] = [0, 1].map(|side| self.arenas[side].centre(parent.nodes[side], 0.0));
        match along(minus(a, b), hint) {
            Some(axes) => frames.push(Frame::new(axes, error)),
            None => frames.push(Frame::new(COORDINATES, error)),
        }
        for [u, v] in [one, two] {
            let normal = u.zip(v).and_then(|(u, v)| normal_of(u, v));
            let axes = normal.and_then(|normal| along(normal, u));
            frames.extend(axes.map(|axes| Frame::new(axes, error)));
        }
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
        across(COORDINATES[least])
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
