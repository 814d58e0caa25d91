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

/// The axes of the oriented boxes of two sub-patches, from the directions along u and v that span each: the two
/// normals first (they separate most often), then the in-plane axes, then the nine cross products.
///
/// Where one of the face axes vanishes (points, needles, collapsed edges) the coordinate axes come in, so that something
/// can still separate.
pub(crate) fn box_axes(spans: [[Direction; 2]; 2], axes: &mut Directions) {
    let frames = spans.map(|[l_u, l_v]| {
        let l_u = scaled(l_u);
        let normal = l_u.and_then(|a| scaled(l_v).and_then(|b| cross(a, b)));
        let third = normal.and_then(|n| l_u.and_then(|a| cross(n, a)));
        [normal, l_u, third]
    });
    let [one, two] = frames;
    let before = axes.len();
    for k in 0..3 {
        axes.extend(one[k]);
        axes.extend(two[k]);
    }
    let vanished = axes.len() - before < 6;
    for a in one.into_iter().flatten() {
        for b in two.into_iter().flatten() {
            axes.extend(cross(a, b));
        }
    }
    if vanished {
        axes.extend(COORDINATE_AXES);
    }
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
        let mut axes = Directions::new();
        box_axes(
            [
                [[1.0, 0.0, 0.2], [0.1, 1.0, 0.0]],
                [[0.3, 1.0, 1.0], [1.0, 0.5, 0.0]],
            ],
            &mut axes,
        );
        assert_eq!(axes.len(), 15);
        axes.clear();
        let needle = [[1.0, 0.0, 0.0], [2.0, 0.0, 0.0]];
        box_axes([needle, [[0.0; 3]; 2]], &mut axes);
        assert_eq!(axes.as_slice()[1..], COORDINATE_AXES);
    }
}
