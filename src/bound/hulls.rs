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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::nearest_to_origin;
    use crate::proofs::{Random, cases};
    use crate::vector::{largest, length};

    /// The distance of two small hulls: some triangle of the difference is nearest to the origin,
    /// and all of the difference is beyond it, or the origin is inside.
    fn distance(one: &[Vector], two: &[Vector]) -> f64 {
        let differences = one
            .iter()
            .flat_map(|&p| two.iter().map(move |&q| minus(p, q)));
        let differences: Vec<Vector> = differences.collect();
        let (mut least, mut nearest) = (f64::INFINITY, [0.0; 3]);
        for (i, &a) in differences.iter().enumerate() {
            for (j, &b) in differences[..=i].iter().enumerate() {
                for &c in &differences[..=j] {
                    let ([u, v], apart) = nearest_to_origin(&[a, b, c]);
                    if apart < least {
                        let on_side = combine(1.0 - u - v, a, u, b);
                        (least, nearest) = (apart, combine(1.0, on_side, v, c));
                    }
                }
            }
        }
        let squared = (1.0 - 1e-6) * dot(nearest, nearest);
        let outside = differences.iter().all(|&d| dot(d, nearest) >= squared);
        if outside { least } else { 0.0 }
    }

    /// The gap that an axis leaves, whichever hull is before the other.
    fn gap(one: &[Vector], two: &[Vector], axis: Direction) -> f64 {
        let range = |points: &[Vector]| {
            let values = points.iter().map(|&point| dot(axis, point));
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
                (low.min(x), high.max(x))
            })
        };
        let (one, two) = (range(one), range(two));
        (one.0 - two.1).max(two.0 - one.1) / length(axis)
    }

    /// Asks for the axis of two hulls that are this far apart.
    #[track_caller]
    fn check(one: &[Vector], two: &[Vector], apart: f64, random: &mut Random) {
        let coordinates = one.iter().chain(two).copied().map(largest);
        let size = coordinates.fold(f64::MIN_POSITIVE, f64::max);
        // The closest points are known to a rounding, and turn the axis by that over their
        // distance.
        let noise = 1e-15 * size * (1.0 + size / apart.max(1e-15 * size));
        let any = scaled(std::array::from_fn(|_| random.sign()));
        for (share, first) in [0.0, 0.5, 0.99, 1.01, 2.0]
            .map(|share| [(share, None), (share, any)])
            .concat()
        {
            let enough = share * apart;
            let axis = widest_axis(one, two, enough, first);
            let told = format!("{axis:?} of {one:?} and {two:?}, {apart:e}, {enough:e}, {first:?}");
            let Some(axis) = axis else {
                assert!(apart <= enough + noise, "{told}");
                continue;
            };
            assert!(axis.iter().all(|x| x.is_finite()), "{told}");
            let gap = gap(one, two, axis);
            let good = enough + GOOD * (apart - enough).max(0.0);
            assert!(gap >= good - noise, "{gap:e}: {told}");
        }
    }

    /// Points in one place, on a line, in a plane or anywhere, or the corners of a box; some of
    /// them twice.
    fn set(random: &mut Random, centre: Vector, size: f64) -> Vec<Vector> {
        let mut vector = || -> Vector { std::array::from_fn(|_| size * random.sign()) };
        let span = [vector(), vector(), vector()];
        let at = |weights: [f64; 3]| {
            let sum = std::iter::zip(weights, span).fold([0.0; 3], |sum, (weight, along)| {
                combine(1.0, sum, weight, along)
            });
            combine(1.0, centre, 1.0, sum)
        };
        if random.chance(40) {
            let corner = |k: usize| at([0, 1, 2].map(|axis| (k >> axis & 1) as f64));
            return (0..8).map(corner).collect();
        }
        let dimensions = random.below(4);
        let mut points: Vec<Vector> = (0..1 + random.below(5))
            .map(|_| {
                at(std::array::from_fn(|k| {
                    if k < dimensions { random.sign() } else { 0.0 }
                }))
            })
            .collect();
        points.push(points[random.below(points.len())]);
        points
    }

    #[test]
    fn axes_of_small_hulls_are_nearly_the_best() {
        let mut random = Random::new(70);
        let mut separate = 0;
        for _ in 0..cases(600) {
            let size = [1.0, 1.0, 1e-3, 1e-9][random.below(4)];
            let near = [1.0, 1.0, 1e-6, 0.0][random.below(4)];
            let centre = std::array::from_fn(|_| 3.0 * near * random.sign());
            let (one, two) = (
                set(&mut random, [0.0; 3], 1.0),
                set(&mut random, centre, size),
            );
            let apart = distance(&one, &two);
            separate += usize::from(apart > 0.0);
            check(&one, &two, apart, &mut random);
        }
        assert!(separate > cases(600) / 3, "{separate}");
    }

    /// Two points of them are `apart`, and all others beyond the planes across the line between
    /// these: far beyond them, along them, or on surfaces that bend away from them.
    #[test]
    fn axes_of_large_hulls_are_nearly_the_best() {
        let mut random = Random::new(71);
        for _ in 0..cases(300) {
            let mut unit = || -> Vector {
                let any: Vector = std::array::from_fn(|_| random.sign());
                any.map(|x| x / length(any))
            };
            let (normal, place) = (unit(), unit());
            let apart = 10.0_f64.powi(-(random.below(8) as i32));
            let bend = [0.0, 1e-6, 1e-3, 1.0][random.below(4)];
            let mut side = |sign: f64| {
                let corner = combine(1.0, place, 0.5 * sign * apart, normal);
                let mut points = vec![corner];
                for _ in 0..random.below(200) {
                    let any: Vector = std::array::from_fn(|_| random.sign());
                    let along = combine(1.0, any, -dot(any, normal), normal);
                    let beyond = [random.unit(), bend * dot(along, along), 0.0][random.below(3)];
                    let point = combine(1.0, corner, 1.0, along);
                    points.push(combine(1.0, point, sign * beyond, normal));
                }
                points
            };
            let (one, two) = (side(1.0), side(-1.0));
            check(&one, &two, apart, &mut random);
        }
    }
}
