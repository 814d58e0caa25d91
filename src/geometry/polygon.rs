//! Where is an edge, a triangle or a parallelogram nearest to the origin?
//!
//! The difference of two linear primitives is such a polygon: a vertex minus a face is a triangle,
//! an edge minus an edge a parallelogram. So this is where two of them are closest, in closed form.

use crate::vector::{Vector, cross, dot, largest, length, minus};

/// The (u, v) for which p₀ + u (p₁ − p₀) + v (pₗ − p₀) is nearest to the origin, where pₗ is the
/// last of one to four corners, which go around; and how near it is. The domain is the unit square
/// for four corners, which must be those of a parallelogram, otherwise u, v ≥ 0 and u + v ≤ 1.
pub(crate) fn nearest_to_origin(points: &[Vector]) -> ([f64; 2], f64) {
    let count = points.len();
    let inside = if count > 2 {
        inner_point(points)
    } else {
        [0.0; 2]
    };
    let size = points
        .iter()
        .flatten()
        .fold(0.0_f64, |size, x| size.max(x.abs()));
    let mut best = (inside, length(at(points, inside)));
    // If the polygon has an area and contains the origin, no point of it is nearer than this one.
    if best.1 <= 16.0 * f64::EPSILON * size || count == 1 {
        return best;
    }
    for side in 0..if count == 2 { 1 } else { count } {
        let along = side_point(&points[side], &points[(side + 1) % count]);
        let place = match (count, side) {
            (_, 0) => [along, 0.0],
            (4, 1) => [1.0, along],
            (4, 2) => [1.0 - along, 1.0],
            (3, 1) => [1.0 - along, along.min(1.0 - (1.0 - along))],
            _ => [0.0, 1.0 - along],
        };
        let apart = length(at(points, place));
        if apart < best.1 {
            best = (place, apart);
        }
    }
    best
}

fn at(points: &[Vector], [u, v]: [f64; 2]) -> Vector {
    let (first, last) = (points[0], points[points.len() - 1]);
    let second = points.get(1).copied().unwrap_or(first);
    std::array::from_fn(|c| first[c] + u * (second[c] - first[c]) + v * (last[c] - first[c]))
}

/// The parameters of the foot of the origin on the polygon's plane, or of a point in the domain near
/// it: u from the plane, then each parameter once more from the other one. In a narrow polygon both
/// may be off by much, but each is well known once the other is.
fn inner_point(points: &[Vector]) -> [f64; 2] {
    let along_u = minus(points[1], points[0]);
    let along_v = minus(points[points.len() - 1], points[0]);
    let normal = scaled(cross(along_u, along_v));
    let area = dot(normal, cross(along_u, along_v));
    if area == 0.0 {
        return [0.0; 2];
    }
    let u = (-dot(normal, cross(points[0], along_v)) / area).clamp(0.0, 1.0);
    let far = |other: f64| {
        if points.len() == 3 { 1.0 - other } else { 1.0 }
    };
    let v = far(u) * side_point(&at(points, [u, 0.0]), &at(points, [u, far(u)]));
    let u = far(v) * side_point(&at(points, [0.0, v]), &at(points, [far(v), v]));
    [u, v]
}

/// The fraction of the way from p to q at which the point nearest to the origin is.
fn side_point(&p: &Vector, &q: &Vector) -> f64 {
    let side = scaled(minus(q, p));
    let length = dot(side, minus(q, p));
    if length == 0.0 {
        return 0.0;
    }
    (-dot(p, side) / length).clamp(0.0, 1.0)
}

/// A vector of the same direction and a length of about 1, so that the square of a short one does
/// not vanish.
fn scaled(a: Vector) -> Vector {
    let most = largest(a);
    if most == 0.0 {
        return a;
    }
    a.map(|x| x / most)
}
