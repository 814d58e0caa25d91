//! The axis on which two convex hulls are farthest apart: along the line between their closest
//! points.
//!
//! On that axis, and on no other, the gap of two hulls is their distance. So it separates by a
//! minimum separation whenever any axis does. The algorithm is that of Gilbert, Johnson and Keerthi
//! (1988), on the difference of the two hulls. Any direction is a sound axis, so nothing here needs
//! an error bound, and where rounding ends the iteration early the best axis so far will do.

use super::axes::{Direction, scaled};
use crate::vector::{Vector, combine, cross, dot, minus};

/// Supporting points until the best axis so far is taken. Between the nets of sub-patches it takes
/// about five.
const STEPS: usize = 24;

/// The axis is good enough when its gap exceeds the distance asked for by this part of what the
/// best axis would.
const GOOD: f64 = 0.9;

/// About the axis on which the convex hulls of two sets of points are farthest apart; `None` if the
/// hulls are no farther apart than `enough`. Both sets have a point. `first` is the axis to begin
/// with; without one it is the line between the centres.
pub(crate) fn widest_axis(
    one: &[Vector],
    two: &[Vector],
    enough: f64,
    first: Option<Direction>,
) -> Option<Direction> {
    let mut simplex = Simplex::default();
    let centres = minus(mean(one), mean(two));
    let towards = |axis: Vector| {
        if dot(axis, centres) < 0.0 {
            axis.map(|x| -x)
        } else {
            axis
        }
    };
    let mut nearest = first.map_or(centres, towards);
    let (mut widest, mut axis) = (enough, None);
    let mut last = f64::INFINITY;
    for _ in 0..STEPS {
        let squared = dot(nearest, nearest);
        let length = squared.sqrt();
        if simplex.count > 0 {
            // Rounding may let the iteration stand still.
            if length <= enough || squared >= last {
                break;
            }
            last = squared;
        }
        // The point of the difference that is the farthest back along the axis.
        let support = minus(lowest(one, nearest), highest(two, nearest));
        let gap = dot(nearest, support) / length;
        if gap > widest {
            (widest, axis) = (gap, Some(nearest));
        }
        if simplex.count > 0 && gap - enough >= GOOD * (length - enough) {
            break;
        }
        simplex.add(support);
        nearest = simplex.reduce();
    }
    scaled(axis?)
}

fn mean(points: &[Vector]) -> Vector {
    let sum = points
        .iter()
        .fold([0.0; 3], |sum, &point| combine(1.0, sum, 1.0, point));
    sum.map(|x| x / points.len() as f64)
}

/// The point with the least projection on an axis.
//
// Four points at a time, so that no comparison has to wait for the one before it.
fn lowest(points: &[Vector], axis: Vector) -> Vector {
    const LANES: usize = 4;
    let (mut least, mut found) = ([f64::INFINITY; LANES], [0; LANES]);
    let chunks = points.chunks_exact(LANES);
    let rest = chunks.remainder();
    let mut look = |lane: usize, at: usize, point: Vector| {
        let value = dot(axis, point);
        if value < least[lane] {
            (least[lane], found[lane]) = (value, at);
        }
    };
    for (chunk, points) in chunks.enumerate() {
        for (lane, &point) in points.iter().enumerate() {
            look(lane, LANES * chunk + lane, point);
        }
    }
    for (lane, &point) in rest.iter().enumerate() {
        look(lane, points.len() - rest.len() + lane, point);
    }
    let mut best = 0;
    for lane in 1..LANES {
        if least[lane] < least[best] {
            best = lane;
        }
    }
    points[found[best]]
}

fn highest(points: &[Vector], axis: Vector) -> Vector {
    lowest(points, axis.map(|x| -x))
}

/// Up to four points of the difference.
#[derive(Clone, Copy, Debug, Default)]
struct Simplex {
    points: [Vector; 4],
    count: usize,
}

impl Simplex {
    fn of(points: &[Vector]) -> Self {
        let mut simplex = Self::default();
        points.iter().for_each(|&point| simplex.add(point));
        simplex
    }

    fn add(&mut self, point: Vector) {
        self.points[self.count] = point;
        self.count += 1;
    }

    /// The point of the simplex that is nearest to the origin. What it does not depend on is left
    /// out of the simplex.
    fn reduce(&mut self) -> Vector {
        let (nearest, kept) = match *self {
            Self {
                points: [a, b, c, d],
                count: 4,
            } => nearest_in_tetrahedron([a, b, c, d]),
            Self {
                points: [a, b, c, _],
                count: 3,
            } => nearest_in_triangle([a, b, c]),
            Self {
                points: [a, b, ..],
                count: 2,
            } => nearest_on_edge([a, b]),
            Self {
                points: [a, ..], ..
            } => (a, *self),
        };
        *self = kept;
        nearest
    }
}

/// The point nearest to the origin on an edge, and the corners that it depends on.
fn nearest_on_edge([a, b]: [Vector; 2]) -> (Vector, Simplex) {
    let along = minus(b, a);
    let (part, whole) = (-dot(a, along), dot(along, along));
    if part <= 0.0 {
        (a, Simplex::of(&[a]))
    } else if part >= whole {
        (b, Simplex::of(&[b]))
    } else {
        let r = part / whole;
        (combine(1.0, a, r, along), Simplex::of(&[a, b]))
    }
}

/// The same for a triangle.
fn nearest_in_triangle([a, b, c]: [Vector; 3]) -> (Vector, Simplex) {
    let normal = cross(minus(b, a), minus(c, a));
    let squared = dot(normal, normal);
    // Beyond a side, seen from inside of the triangle?
    let beyond = |p: Vector, q: Vector| dot(cross(minus(q, p), normal), p) < 0.0;
    let sides = [[a, b], [b, c], [c, a]];
    let mut best: Option<(Vector, Simplex)> = None;
    for [p, q] in sides {
        if squared == 0.0 || beyond(p, q) {
            let found = nearest_on_edge([p, q]);
            let nearer = |best: &(Vector, Simplex)| dot(found.0, found.0) < dot(best.0, best.0);
            if best.as_ref().is_none_or(nearer) {
                best = Some(found);
            }
        }
    }
    best.unwrap_or_else(|| {
        let height = dot(a, normal) / squared;
        (normal.map(|x| x * height), Simplex::of(&[a, b, c]))
    })
}

/// The same for a tetrahedron.
fn nearest_in_tetrahedron(corners: [Vector; 4]) -> (Vector, Simplex) {
    let mut best: Option<(Vector, Simplex)> = None;
    for apex in 0..4 {
        let [a, b, c] = [1, 2, 3].map(|k| corners[(apex + k) % 4]);
        let normal = cross(minus(b, a), minus(c, a));
        // On the side of the fourth corner nothing of this face can be nearest. In a flat
        // tetrahedron there is no such side.
        if -dot(normal, a) * dot(normal, minus(corners[apex], a)) > 0.0 {
            continue;
        }
        let found = nearest_in_triangle([a, b, c]);
        let nearer = |best: &(Vector, Simplex)| dot(found.0, found.0) < dot(best.0, best.0);
        if best.as_ref().is_none_or(nearer) {
            best = Some(found);
        }
    }
    best.unwrap_or(([0.0; 3], Simplex::of(&corners)))
}
