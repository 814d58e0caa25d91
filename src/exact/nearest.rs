//! Where two simplices are nearest to each other at a time. The result is the contact that an
//! answer reports, so it need only be accurate to rounding.

use super::corners::Corners;
use crate::vector::{Vector, cross, dot, largest, length, minus};

/// The (u, v) for which p₀ + u (p₁ − p₀) + v (pₗ − p₀) is nearest to the origin, where pₗ is the
/// last corner. The domain is the unit square for a parallelogram, otherwise u, v ≥ 0 and
/// u + v ≤ 1.
pub(super) fn parameters(corners: &Corners, time: f64) -> [f64; 2] {
    let count = corners.count();
    let points = corners.at(time);
    let points = &points[..count];
    let inside = if count > 2 {
        plane_point(points)
    } else {
        [0.0; 2]
    };
    let size = points
        .iter()
        .flatten()
        .fold(0.0_f64, |size, x| size.max(x.abs()));
    let mut best = (length(at(points, inside)), inside);
    // If the polygon has an area and contains the origin, no point of it is nearer than this one.
    if best.0 <= 16.0 * f64::EPSILON * size || count == 1 {
        return best.1;
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
        if apart < best.0 {
            best = (apart, place);
        }
    }
    best.1
}

fn at(points: &[Vector], [u, v]: [f64; 2]) -> Vector {
    let (first, last) = (points[0], points[points.len() - 1]);
    let second = points.get(1).copied().unwrap_or(first);
    std::array::from_fn(|c| first[c] + u * (second[c] - first[c]) + v * (last[c] - first[c]))
}

/// The parameters of the foot of the origin on the polygon's plane, clamped to the domain.
fn plane_point(points: &[Vector]) -> [f64; 2] {
    let count = points.len();
    let along_u = minus(points[1], points[0]);
    let along_v = minus(points[count - 1], points[0]);
    let normal = scaled(cross(along_u, along_v));
    let area = dot(normal, cross(along_u, along_v));
    if area == 0.0 {
        return [0.0; 2];
    }
    let u = -dot(normal, cross(points[0], along_v)) / area;
    let v = -dot(normal, cross(along_u, points[0])) / area;
    let (u, v) = (u.clamp(0.0, 1.0), v.clamp(0.0, 1.0));
    [u, if count == 3 { v.min(1.0 - u) } else { v }]
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
