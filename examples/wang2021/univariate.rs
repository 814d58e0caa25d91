//! The method everyone starts from: a cubic in time, in floating point (Provot 1997; Bridson,
//! Fedkiw and Anderson 2002).
//!
//! When two edges, or a vertex and a triangle, meet, their four points lie in a plane. With p, q, r
//! the vectors from one of the points to the others, that is r(t) · (p(t) × q(t)) = 0, a cubic in
//! t. At each of its roots in the step, and at the end of the step, as Bridson et al. do, a test
//! with a tolerance decides whether the two are really in contact.
//!
//! Nothing here bounds the errors. Rounding moves a double root off the axis and it is missed; the
//! roots of an ill-conditioned cubic are far from where they should be; points that move in one
//! plane give the zero polynomial, whose roots are anywhere.

use nalgebra::{Point3, Vector3};
use patch_ccd::Step;

/// How far outside in parameters, and how far apart relative to its size, a contact may be.
const TOLERANCE: f64 = 1e-6;

/// The time of impact of two edges (order of points as [`patch_ccd::edge_edge`]), if the method
/// finds one.
pub(crate) fn edge_edge(step: &Step<4>) -> Option<f64> {
    let spanned = |[a0, a1, b0, b1]: [Point3<f64>; 4]| [a1 - a0, b1 - b0, b0 - a0];
    first_contact(step.map(spanned), edges_touch)
}

/// The time of impact of a vertex and a face (order of points as [`patch_ccd::vertex_face`]), if
/// the method finds one.
pub(crate) fn vertex_face(step: &Step<4>) -> Option<f64> {
    let spanned = |[v, f0, f1, f2]: [Point3<f64>; 4]| [f1 - f0, f2 - f0, v - f0];
    first_contact(step.map(spanned), vertex_touches)
}

/// The first time in [0, 1] at which p, q, r are coplanar and in touch.
fn first_contact(
    [start, end]: [[Vector3<f64>; 3]; 2],
    touch: fn([Vector3<f64>; 3]) -> bool,
) -> Option<f64> {
    let change: [Vector3<f64>; 3] = std::array::from_fn(|i| end[i] - start[i]);
    let cubic = coplanarity(start, change);
    let at = |t: f64| std::array::from_fn(|i| start[i] + t * change[i]);
    roots(cubic)
        .into_iter()
        .flatten()
        .chain([1.0])
        .find(|&t| touch(at(t)))
}

/// The coefficients of r(t) · (p(t) × q(t)), constant first.
fn coplanarity([p, q, r]: [Vector3<f64>; 3], [dp, dq, dr]: [Vector3<f64>; 3]) -> [f64; 4] {
    let normal = [p.cross(&q), p.cross(&dq) + dp.cross(&q), dp.cross(&dq)];
    [
        r.dot(&normal[0]),
        r.dot(&normal[1]) + dr.dot(&normal[0]),
        r.dot(&normal[2]) + dr.dot(&normal[1]),
        dr.dot(&normal[2]),
    ]
}

/// The roots of a cubic in [0, 1], ascending: at most one between any two of its extremes.
fn roots([c0, c1, c2, c3]: [f64; 4]) -> [Option<f64>; 3] {
    let value = |t: f64| ((c3 * t + c2) * t + c1) * t + c0;
    let slope = |t: f64| (3.0 * c3 * t + 2.0 * c2) * t + c1;
    let [first, second] = quadratic_roots(c1, 2.0 * c2, 3.0 * c3).map(|t| t.clamp(0.0, 1.0));
    [[0.0, first], [first, second], [second, 1.0]]
        .map(|[from, to]| root_between(from, to, value, slope))
}

/// The roots of a + b t + c t², ascending; 0 and 1, which split nothing off, in place of those that
/// do not exist.
fn quadratic_roots(a: f64, b: f64, c: f64) -> [f64; 2] {
    let discriminant = b * b - 4.0 * a * c;
    if discriminant.is_nan() || discriminant < 0.0 {
        return [0.0, 1.0];
    }
    // The form without cancellation; a quotient by zero is a root at infinity or none.
    let half = -0.5 * (b + discriminant.sqrt().copysign(b));
    let [one, two] = [a / half, half / c].map(|t| if t.is_nan() { 0.0 } else { t });
    [one.min(two), one.max(two)]
}

/// A root between two points of opposite sign, by Newton's method where it stays between them, else
/// by bisection.
fn root_between(
    mut from: f64,
    mut to: f64,
    value: impl Fn(f64) -> f64,
    slope: impl Fn(f64) -> f64,
) -> Option<f64> {
    const STEPS: usize = 64;
    let at_from = value(from);
    if at_from == 0.0 {
        return Some(from);
    }
    if at_from * value(to) > 0.0 {
        return None;
    }
    let mut t = 0.5 * (from + to);
    for _ in 0..STEPS {
        let at_t = value(t);
        if at_t * at_from > 0.0 {
            from = t;
        } else {
            to = t;
        }
        let newton = t - at_t / slope(t);
        let next = if newton > from && newton < to {
            newton
        } else {
            0.5 * (from + to)
        };
        if next == t {
            break;
        }
        t = next;
    }
    Some(t)
}

/// Whether the edges p, from the origin, and q, from r, touch: the points of closest approach of
/// their lines are on them and in one place.
fn edges_touch([p, q, r]: [Vector3<f64>; 3]) -> bool {
    let Some([u, minus_v]) = least_squares(p, q, r) else {
        return false;
    };
    on_edge(u) && on_edge(-minus_v) && in_one_place(p, q, r, [u, minus_v])
}

/// Whether the point r touches the triangle of the origin, p and q.
fn vertex_touches([p, q, r]: [Vector3<f64>; 3]) -> bool {
    let Some([u, v]) = least_squares(p, q, r) else {
        return false;
    };
    on_edge(u) && on_edge(v) && on_edge(u + v) && in_one_place(p, q, r, [u, v])
}

fn on_edge(u: f64) -> bool {
    (-TOLERANCE..=1.0 + TOLERANCE).contains(&u)
}

fn in_one_place(p: Vector3<f64>, q: Vector3<f64>, r: Vector3<f64>, [u, v]: [f64; 2]) -> bool {
    let size = p.norm().max(q.norm());
    (r - u * p - v * q).norm() <= TOLERANCE * size
}

/// The u and v with u p + v q closest to r, unless p and q are parallel.
fn least_squares(p: Vector3<f64>, q: Vector3<f64>, r: Vector3<f64>) -> Option<[f64; 2]> {
    let (pp, pq, qq) = (p.dot(&p), p.dot(&q), q.dot(&q));
    let (pr, qr) = (p.dot(&r), q.dot(&r));
    let determinant = pp * qq - pq * pq;
    (determinant > 0.0).then(|| {
        [
            (qq * pr - pq * qr) / determinant,
            (pp * qr - pq * pr) / determinant,
        ]
    })
}
