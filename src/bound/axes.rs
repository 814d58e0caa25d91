//! The axes on which two sub-patches are projected.
//!
//! Any direction is a sound axis, however inaccurately it was computed: a bad one separates less
//! often, but what it separates is separated. So no direction here needs an error bound. Only the
//! length of the axis that is used in the end enters a proof, for a minimum separation
//! ([`length_rounded_up`]).

use crate::rounding::{LENGTH_FACTOR, reciprocal_power_of_two};
use crate::vector::{self, dot, largest};

/// A direction in space. An axis that gaps are tested on has been through [`scaled`], so that its
/// largest coordinate is about 1.
pub(crate) type Direction = [f64; 3];

/// The directions to be tested, in this order. There are at most twenty: the normal of a known
/// contact, fifteen axes of two boxes, three coordinate axes, and the line between the centres.
#[derive(Clone, Debug, Default)]
pub(crate) struct Directions {
    all: [Direction; 20],
    count: usize,
}

impl Directions {
    /// Removes all directions.
    pub(crate) fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds a direction if there is one.
    #[inline]
    pub(crate) fn push(&mut self, direction: Option<Direction>) {
        if let Some(direction) = direction {
            self.all[self.count] = direction;
            self.count += 1;
        }
    }

    /// Adds the three coordinate axes.
    pub(crate) fn push_coordinate_axes(&mut self) {
        for axis in COORDINATE_AXES {
            self.push(Some(axis));
        }
    }

    /// The directions in the order in which they were added.
    pub(crate) fn as_slice(&self) -> &[Direction] {
        &self.all[..self.count]
    }
}

/// The directions of x, y and z.
pub(crate) const COORDINATE_AXES: [Direction; 3] =
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// The directions along u and along v that span a sub-patch: both for a surface, one for a curve,
/// none for a vertex. They are differences of control points and may have any length, 0 included.
pub(crate) type SpanningDirections = [Option<Direction>; 2];

/// Adds the axes for two sub-patches, from the directions that span each of them. `offset` is the
/// vector between their centres, which is asked for only where those directions do not suffice.
///
/// If an axis of theirs vanishes, as for needles, collapsed edges and points that coincide, the
/// coordinate axes are added, so that there are always axes that can separate the two.
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

/// The axes of a box around a surface: its normal, its first direction, and the one perpendicular
/// to both.
fn frame([l_u, l_v]: [Direction; 2]) -> [Option<Direction>; 3] {
    let l_u = scaled(l_u);
    let normal = product(l_u, scaled(l_v));
    [normal, l_u, product(normal, l_u)]
}

/// Adds the fifteen axes of two oriented boxes: the two normals first, which separate most often,
/// then the in-plane axes, then the nine cross products. Returns whether no axis of a face
/// vanishes.
fn surfaces(one: [Direction; 2], two: [Direction; 2], axes: &mut Directions) -> bool {
    let (one, two) = (frame(one), frame(two));
    let before = axes.count;
    for k in 0..3 {
        axes.push(one[k]);
        axes.push(two[k]);
    }
    let complete = axes.count == before + 6;
    for a in one.into_iter().flatten() {
        for b in two.into_iter().flatten() {
            axes.push(cross(a, b));
        }
    }
    complete
}

/// Adds the axes for a surface, taken as a triangle, and a curve or a vertex. They suffice to
/// separate a vertex or an edge from a plane triangle, also from one that has collapsed. Returns
/// whether the surface has a normal.
///
/// The axes are the normal of the triangle; its cross products with the three sides; for a curve,
/// the cross products of its direction with the normal and with the three sides; and two sides.
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
    // Beyond the end of a needle, or of a triangle that becomes one within the interval, only its
    // sides separate.
    axes.push(l_u);
    axes.push(l_v);
    normal.is_some()
}

/// Adds the axes for two curves, taken as edges. They suffice to separate two edges. Returns
/// whether there is a common normal and neither direction vanishes.
///
/// The axes are the common normal, its cross product with each direction, and the direction of the
/// first curve. If the curves are parallel, the common normal is the cross product of their
/// direction with the offset.
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

/// Adds the axes for a curve and a vertex, or for two vertices: the part of the offset that is
/// perpendicular to the curve, the direction perpendicular to the curve and the offset, the
/// direction of the curve, and the offset. Returns whether the first two exist.
fn curve_and_vertex(curve: Option<Direction>, offset: Direction, axes: &mut Directions) -> bool {
    let (curve, offset) = (curve.and_then(scaled), scaled(offset));
    let across = product(curve, offset);
    axes.push(product(curve, across));
    axes.push(across);
    axes.push(curve);
    axes.push(offset);
    across.is_some()
}

/// Two directions count as parallel if no coordinate of their cross product is as large as this.
/// The product would then consist of rounding errors, and a coordinate axis serves better. Only the
/// choice of axes depends on this number, not whether an answer is right.
const PARALLEL: f64 = 1.0 / (1_u64 << 40) as f64;

/// The scaled cross product of two scaled directions; `None` if they count as parallel.
fn cross(a: Direction, b: Direction) -> Option<Direction> {
    let c = vector::cross(a, b);
    if largest(c) < PARALLEL {
        None
    } else {
        scaled(c)
    }
}

/// The direction perpendicular to two others; `None` if these are parallel or one of them is 0.
pub(crate) fn normal_of(a: Direction, b: Direction) -> Option<Direction> {
    product(scaled(a), scaled(b))
}

/// [`cross`] of two directions, if both exist.
fn product(a: Option<Direction>, b: Option<Direction>) -> Option<Direction> {
    cross(a?, b?)
}

/// `d` times the power of two that brings its largest coordinate to [1, 2). For a subnormal `d`
/// that coordinate may stay smaller, and from 2¹⁰²³ on it comes to [2, 4). `None` if `d` is 0.
pub(crate) fn scaled(d: Direction) -> Option<Direction> {
    let largest = largest(d);
    if largest == 0.0 {
        return None;
    }
    let factor = reciprocal_power_of_two(largest);
    Some(d.map(|x| x * factor))
}

/// The Euclidean length |d|, rounded up, for a direction whose largest coordinate is about 1.
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
