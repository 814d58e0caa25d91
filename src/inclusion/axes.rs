//! The axes on which two sub-patches are projected.
//!
//! Any direction is a sound axis, however badly it was computed: a wrong one separates less, never too much. So
//! nothing here needs an error bound, only the length of a *finished* axis matters (for minimum separation).

use smallvec::SmallVec;

use crate::rounding::reciprocal_power_of_two;

/// A direction of length between 1/2 and 2, about; see [`scaled`].
pub(crate) type Direction = [f64; 3];

/// Directions to be tested, in order.
pub(crate) type Directions = SmallVec<[Direction; 20]>;

/// The coordinate axes.
pub(crate) const COORDINATE_AXES: [Direction; 3] =
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// The directions along u and v that span a sub-patch: two of a surface, one of a curve, none of a vertex.
pub(crate) type Spans = [Option<Direction>; 2];

/// The axes for two sub-patches, from the directions that span each and the `offset` between their centres.
///
/// Where an axis that belongs to them vanishes (needles, collapsed edges, points that coincide) the coordinate axes come
/// in, so that something can still separate.
pub(crate) fn axes_between(spans: [Spans; 2], offset: Direction, axes: &mut Directions) {
    let complete = match spans {
        [[Some(u1), Some(v1)], [Some(u2), Some(v2)]] => surfaces([u1, v1], [u2, v2], axes),
        [[Some(u), Some(v)], other] | [other, [Some(u), Some(v)]] => {
            surface_and_less([u, v], other[0].or(other[1]), offset, axes)
        }
        [one, two] => match [one[0].or(one[1]), two[0].or(two[1])] {
            [Some(one), Some(two)] => curves(one, two, offset, axes),
            [one, two] => curve_and_vertex(one.or(two), offset, axes),
        },
    };
    if !complete {
        axes.extend(COORDINATE_AXES);
    }
}

/// Normal, first direction and the third one, perpendicular to both.
fn frame([l_u, l_v]: [Direction; 2]) -> [Option<Direction>; 3] {
    let l_u = scaled(l_u);
    let normal = l_u.and_then(|a| scaled(l_v).and_then(|b| cross(a, b)));
    let third = normal.and_then(|n| l_u.and_then(|a| cross(n, a)));
    [normal, l_u, third]
}

/// The fifteen axes of two oriented boxes: the two normals first (they separate most often), then the in-plane axes, then
/// the nine cross products. Returns whether all face axes are there.
fn surfaces(one: [Direction; 2], two: [Direction; 2], axes: &mut Directions) -> bool {
    let (one, two) = (frame(one), frame(two));
    let before = axes.len();
    for k in 0..3 {
        axes.extend(one[k]);
        axes.extend(two[k]);
    }
    let complete = axes.len() - before == 6;
    for a in one.into_iter().flatten() {
        for b in two.into_iter().flatten() {
            axes.extend(cross(a, b));
        }
    }
    complete
}

/// A surface and a curve or a vertex: the surface's normal, what is perpendicular to it along the three sides of a triangle,
/// the products with the curve's direction, and the offset.
fn surface_and_less(
    [l_u, l_v]: [Direction; 2],
    curve: Option<Direction>,
    offset: Direction,
    axes: &mut Directions,
) -> bool {
    let side = [l_v[0] - l_u[0], l_v[1] - l_u[1], l_v[2] - l_u[2]];
    let [normal, first, third] = frame([l_u, l_v]);
    let curve = curve.and_then(scaled);
    axes.extend(normal);
    for side in [l_u, l_v, side].into_iter().filter_map(scaled) {
        axes.extend(normal.and_then(|n| cross(n, side)));
        axes.extend(curve.and_then(|c| cross(c, side)));
    }
    axes.extend(first);
    axes.extend(curve);
    axes.extend(scaled(offset));
    third.is_some()
}

/// Two curves: their common normal, what is perpendicular to it and to each of them, and their directions. Parallel ones
/// have a common normal too, across the offset.
fn curves(one: Direction, two: Direction, offset: Direction, axes: &mut Directions) -> bool {
    let (one, two, offset) = (scaled(one), scaled(two), scaled(offset));
    let product =
        |a: Option<Direction>, b: Option<Direction>| a.and_then(|a| b.and_then(|b| cross(a, b)));
    let normal = product(one, two).or_else(|| product(one.or(two), offset));
    axes.extend(normal);
    axes.extend(product(normal, one));
    axes.extend(product(normal, two));
    axes.extend(one);
    axes.extend(two);
    normal.is_some() && one.is_some() && two.is_some()
}

/// A curve and a vertex, or two vertices: the offset, its part across the curve, and the curve's direction.
fn curve_and_vertex(curve: Option<Direction>, offset: Direction, axes: &mut Directions) -> bool {
    let (curve, offset) = (curve.and_then(scaled), scaled(offset));
    let across = curve.and_then(|c| offset.and_then(|o| cross(c, o)));
    axes.extend(curve.and_then(|c| across.and_then(|a| cross(c, a))));
    axes.extend(across);
    axes.extend(curve);
    axes.extend(offset);
    across.is_some()
}

/// Where the cross product of two directions is shorter than this the two count as parallel: it would be made of
/// rounding errors, and a coordinate axis serves better. Only the choice of axes depends on it, never the answer's
/// soundness.
const PARALLEL: f64 = 1.0 / (1_u64 << 40) as f64;

fn cross(a: Direction, b: Direction) -> Option<Direction> {
    let c = [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ];
    if largest(c) < PARALLEL {
        None
    } else {
        scaled(c)
    }
}

fn largest(d: Direction) -> f64 {
    d[0].abs().max(d[1].abs()).max(d[2].abs())
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
    // Three squares, two sums and a root: 4 roundings of the radicand halve under the root, plus the root's own.
    let length = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt();
    length * (1.0 + 4.0 * f64::EPSILON)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skew_boxes_have_fifteen_axes_and_needles_the_coordinate_axes() {
        let box1 = [Some([1.0, 0.0, 0.2]), Some([0.1, 1.0, 0.0])];
        let box2 = [Some([0.3, 1.0, 1.0]), Some([1.0, 0.5, 0.0])];
        let mut axes = Directions::new();
        axes_between([box1, box2], [0.0; 3], &mut axes);
        assert_eq!(axes.len(), 15);
        axes.clear();
        let needle = [Some([1.0, 0.0, 0.0]), Some([2.0, 0.0, 0.0])];
        axes_between([needle, [Some([0.0; 3]); 2]], [0.0; 3], &mut axes);
        assert_eq!(axes.as_slice()[1..], COORDINATE_AXES);
    }

    #[test]
    fn parallel_edges_are_separated_across_their_offset() {
        let edge = [Some([2.0, 0.0, 0.0]), None];
        let mut axes = Directions::new();
        axes_between([edge, edge], [0.0, 0.5, 0.0], &mut axes);
        assert!(axes.contains(&[0.0, 0.0, 1.0]) && axes.contains(&[0.0, 1.0, 0.0]));
    }
}
