//! The axes on which two sub-patches are projected.
//!
//! Any direction is a sound axis, however badly it was computed: a wrong one separates less, never
//! too much. So nothing here needs an error bound, only the length of a *finished* axis matters
//! (for minimum separation).

use crate::rounding::{LENGTH_FACTOR, reciprocal_power_of_two};
use crate::vector::{self, dot, largest};

/// A direction of length between 1/2 and 2, about; see [`scaled`].
pub(crate) type Direction = [f64; 3];

/// Directions to be tested, in order: at most the normal of a known contact, fifteen of two boxes,
/// the coordinate axes and one between the centres.
#[derive(Clone, Debug, Default)]
pub(crate) struct Directions {
    all: [Direction; 20],
    count: usize,
}

impl Directions {
    pub(crate) fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds a direction, if there is one.
    #[inline]
    pub(crate) fn push(&mut self, direction: Option<Direction>) {
        if let Some(direction) = direction {
            self.all[self.count] = direction;
            self.count += 1;
        }
    }

    pub(crate) fn push_coordinate_axes(&mut self) {
        for axis in COORDINATE_AXES {
            self.push(Some(axis));
        }
    }

    pub(crate) fn as_slice(&self) -> &[Direction] {
        &self.all[..self.count]
    }
}

/// The coordinate axes.
pub(crate) const COORDINATE_AXES: [Direction; 3] =
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// The directions along u and v that span a sub-patch: two of a surface, one of a curve, none of a
/// vertex.
pub(crate) type SpanningDirections = [Option<Direction>; 2];

/// The axes for two sub-patches, from the directions that span each and, where those do not
/// suffice, the offset between their centres.
///
/// Where an axis that belongs to them vanishes (needles, collapsed edges, points that coincide) the
/// coordinate axes come in, so that something can still separate.
pub(crate) fn axes_between(
    directions: [SpanningDirections; 2],
    offset: impl FnOnce() -> Direction,
    axes: &mut Directions,
) {
    let complete = match directions {
        [[Some(u1), Some(v1)], [Some(u2), Some(v2)]] => surfaces([u1, v1], [u2, v2], axes),
        [[Some(u), Some(v)], other] | [other, [Some(u), Some(v)]] => {
            surface_and_less([u, v], other[0].or(other[1]), axes)
        }
        [one, two] => match [one[0].or(one[1]), two[0].or(two[1])] {
            [Some(one), Some(two)] => curves(one, two, offset, axes),
            [one, two] => curve_and_vertex(one.or(two), offset(), axes),
        },
    };
    if !complete {
        axes.push_coordinate_axes();
    }
}

/// Normal, first direction and the third one, perpendicular to both.
fn frame([l_u, l_v]: [Direction; 2]) -> [Option<Direction>; 3] {
    let l_u = scaled(l_u);
    let normal = product(l_u, scaled(l_v));
    [normal, l_u, product(normal, l_u)]
}

/// The fifteen axes of two oriented boxes: the two normals first (they separate most often), then
/// the in-plane axes, then the nine cross products. Returns whether all face axes are there.
fn surfaces(one: [Direction; 2], two: [Direction; 2], axes: &mut Directions) -> bool {
    let (one, two) = (frame(one), frame(two));
    for k in 0..3 {
        axes.push(one[k]);
        axes.push(two[k]);
    }
    let complete = axes.count == 6;
    for a in one.into_iter().flatten() {
        for b in two.into_iter().flatten() {
            axes.push(cross(a, b));
        }
    }
    complete
}

/// A surface and a curve or a vertex: the surface's normal, what is perpendicular to it along the
/// three sides of a triangle, the same with the curve's direction, and two sides. Enough to
/// separate a vertex or an edge from a plane triangle, also from one that has collapsed.
fn surface_and_less(
    [l_u, l_v]: [Direction; 2],
    curve: Option<Direction>,
    axes: &mut Directions,
) -> bool {
    let side = [l_v[0] - l_u[0], l_v[1] - l_u[1], l_v[2] - l_u[2]];
    let [l_u, l_v, side] = [scaled(l_u), scaled(l_v), scaled(side)];
    let normal = product(l_u, l_v);
    axes.push(normal);
    for side in [l_u, l_v, side] {
        axes.push(product(normal, side));
    }
    if let Some(curve) = curve {
        let curve = scaled(curve);
        axes.push(product(normal, curve));
        for side in [l_u, l_v, side] {
            axes.push(product(curve, side));
        }
    }
    // Along a needle, or what becomes one within the interval, only its sides separate.
    axes.push(l_u);
    axes.push(l_v);
    normal.is_some()
}

/// Two curves: their common normal, what is perpendicular to it and to each of them, and the
/// direction of one. Parallel ones have a common normal too, across the offset. Enough to separate
/// two edges.
fn curves(
    one: Direction,
    two: Direction,
    offset: impl FnOnce() -> Direction,
    axes: &mut Directions,
) -> bool {
    let (one, two) = (scaled(one), scaled(two));
    let normal = product(one, two).or_else(|| product(one.or(two), scaled(offset())));
    axes.push(normal);
    axes.push(product(normal, one));
    axes.push(product(normal, two));
    axes.push(one);
    normal.is_some() && one.is_some() && two.is_some()
}

/// A curve and a vertex, or two vertices: the offset, its part across the curve, and the curve's
/// direction.
fn curve_and_vertex(curve: Option<Direction>, offset: Direction, axes: &mut Directions) -> bool {
    let (curve, offset) = (curve.and_then(scaled), scaled(offset));
    let across = product(curve, offset);
    axes.push(product(curve, across));
    axes.push(across);
    axes.push(curve);
    axes.push(offset);
    across.is_some()
}

/// Where the cross product of two directions is shorter than this the two count as parallel: it
/// would be made of rounding errors, and a coordinate axis serves better. Only the choice of axes
/// depends on it, never the answer's soundness.
const PARALLEL: f64 = 1.0 / (1_u64 << 40) as f64;

fn cross(a: Direction, b: Direction) -> Option<Direction> {
    let c = vector::cross(a, b);
    if largest(c) < PARALLEL {
        None
    } else {
        scaled(c)
    }
}

/// The direction perpendicular to two; `None` if they are parallel.
pub(crate) fn normal_of(a: Direction, b: Direction) -> Option<Direction> {
    product(scaled(a), scaled(b))
}

fn product(a: Option<Direction>, b: Option<Direction>) -> Option<Direction> {
    cross(a?, b?)
}

/// `d` times the power of two that brings its largest coordinate into [1, 2); `None` for zero.
pub(crate) fn scaled(d: Direction) -> Option<Direction> {
    let largest = largest(d);
    if largest == 0.0 {
        return None;
    }
    let factor = reciprocal_power_of_two(largest);
    Some(d.map(|x| x * factor))
}

/// |d| rounded up, for coordinates of size about 1.
pub(crate) fn length_rounded_up(d: Direction) -> f64 {
    dot(d, d).sqrt() * LENGTH_FACTOR
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skew_boxes_have_fifteen_axes_and_needles_the_coordinate_axes() {
        let box1 = [Some([1.0, 0.0, 0.2]), Some([0.1, 1.0, 0.0])];
        let box2 = [Some([0.3, 1.0, 1.0]), Some([1.0, 0.5, 0.0])];
        let mut axes = Directions::default();
        axes_between([box1, box2], || [0.0; 3], &mut axes);
        assert_eq!(axes.as_slice().len(), 15);
        axes.clear();
        let needle = [Some([1.0, 0.0, 0.0]), Some([2.0, 0.0, 0.0])];
        axes_between([needle, [Some([0.0; 3]); 2]], || [0.0; 3], &mut axes);
        assert_eq!(axes.as_slice()[1..], COORDINATE_AXES);
    }

    #[test]
    fn parallel_edges_are_separated_across_their_offset() {
        let edge = [Some([2.0, 0.0, 0.0]), None];
        let mut axes = Directions::default();
        axes_between([edge, edge], || [0.0, 0.5, 0.0], &mut axes);
        assert!(
            axes.as_slice().contains(&[0.0, 0.0, 1.0])
                && axes.as_slice().contains(&[0.0, 1.0, 0.0])
        );
    }
}
