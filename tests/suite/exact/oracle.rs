//! The exact oracle of linear queries, against other ways to know the answer.

use kit::simplices::Kind::{self, EdgeEdge, VertexEdge, VertexFace, VertexVertex};
use kit::simplices::steps::{self, Sort};
use kit::{Collides, cases, each_case};
use nalgebra::{Point3, Vector3};
use patch_ccd::Step;

use super::{case_files, reordered};

/// The corners of triangles that hold the origin when the simplices meet.
fn triangles(kind: Kind, points: &[Point3<f64>; 4]) -> Vec<[Vector3<f64>; 3]> {
    match (kind, *points) {
        (EdgeEdge, [a, b, c, d]) => vec![[a - c, a - d, b - d], [a - c, b - d, b - c]],
        (VertexFace, [v, a, b, c]) => vec![[a - v, b - v, c - v]],
        (VertexEdge, [v, a, b, _]) => vec![[a - v, b - v, b - v]],
        (VertexVertex, [v, a, ..]) => vec![[a - v; 3]],
    }
}

/// The distance of two simplices, in floating point.
fn distance(kind: Kind, points: &[Point3<f64>; 4]) -> f64 {
    let to_side = |p: &Vector3<f64>, q: &Vector3<f64>| {
        let side = q - p;
        let along = -p.dot(&side) / side.norm_squared().max(f64::MIN_POSITIVE);
        (p + along.clamp(0.0, 1.0) * side).norm()
    };
    let to_triangle = |[p, q, r]: [Vector3<f64>; 3]| {
        let normal = (q - p).cross(&(r - p));
        let length = normal.norm();
        let inside = [(p, q), (q, r), (r, p)]
            .iter()
            .all(|(p, q)| p.cross(q).dot(&normal) >= 0.0);
        // The normal of a face of area 0 would be made of rounding errors.
        if inside && length > 1e-10 {
            p.dot(&normal).abs() / length
        } else {
            to_side(&p, &q).min(to_side(&q, &r)).min(to_side(&r, &p))
        }
    };
    triangles(kind, points)
        .into_iter()
        .map(to_triangle)
        .fold(f64::INFINITY, f64::min)
}

/// Doubles around the first time of contact.
fn first(kind: Kind, step: &Step<4>) -> Option<[f64; 2]> {
    let first = kind.query(step).oracle().first_contact();
    first.map(|mut first| first.bracket())
}

/// Conservative advancement, which goes on by as much as the distance allows, arrives at the first
/// contact too.
#[test]
fn conservative_advancement() {
    each_case(cases(256), |_, random| {
        let kind = random.pick(&Kind::ALL);
        let sort = random.pick(&[Sort::Any, Sort::Grid, Sort::Plane]);
        let step = sort.draw(random, kind);
        let corners = step.map(|points| triangles(kind, &points).concat());
        let speeds = corners[0].iter().zip(&corners[1]);
        let speed = speeds
            .map(|(from, to)| (to - from).norm())
            .fold(1e-9, f64::max);
        let (mut t, mut apart) = (0.0, f64::INFINITY);
        for _ in 0..10_000 {
            apart = distance(kind, &steps::points_at(&step, t));
            if t > 1.0 || apart < 1e-9 {
                break;
            }
            t += apart / speed;
        }
        let first = first(kind, &step);
        let told = format!("{t}, but {first:?}: {kind:?} {step:?}");
        if t > 1.0 {
            assert_eq!(first, None, "{told}");
        } else if apart < 1e-9 {
            let [lower, upper] = first.expect(&told);
            assert!(t <= upper + 1e-9 && t > lower - 0.01, "{told}");
        }
        // Else it is still on its way: the distance shrinks more slowly than the points move.
        if let Some([lower, upper]) = first {
            assert!(t <= upper + 1e-9, "{told}");
            let closest = distance(kind, &steps::points_at(&step, lower));
            assert!(closest < 1e-9, "{closest:e} apart: {told}");
        }
    });
}

/// A contact that was put there is found, if not an earlier one.
#[test]
fn planted_contacts() {
    each_case(cases(256), |_, random| {
        let kind = random.pick(&Kind::ALL);
        let (step, t) = steps::planted(random, kind);
        let first = kind.query(&step).oracle().first_contact();
        let by_then = first.is_some_and(|mut first| first.compare(t).is_le());
        assert!(by_then, "not by {t}: {kind:?} {step:?}");
    });
}

#[test]
fn no_order_matters() {
    each_case(cases(256), |_, random| {
        let kind = random.pick(&[EdgeEdge, VertexFace]);
        let step = steps::any(random, kind);
        let again = reordered(kind, &step, random.below(6));
        assert_eq!(first(kind, &again), first(kind, &step), "{kind:?} {step:?}");
    });
}

/// The edge as a face with two equal corners, the vertex as one with three, or as edges of length
/// zero.
#[test]
fn kinds_are_consistent() {
    each_case(cases(256), |_, random| {
        let step = steps::any(random, VertexEdge);
        let with_edge = first(VertexEdge, &step);
        let edges = step.map(|[v, a, b, _]| [v, v, a, b]);
        assert_eq!(first(EdgeEdge, &edges), with_edge, "{step:?}");
        let face = step.map(|[v, a, b, _]| [v, a, b, a]);
        assert_eq!(first(VertexFace, &face), with_edge, "{step:?}");
        let points = step.map(|[v, a, ..]| [v, v, a, a]);
        let of_vertices = first(VertexVertex, &step);
        assert_eq!(first(EdgeEdge, &points), of_vertices, "{step:?}");
    });
}

/// The answers of the case files, where `toi_upper` is the exact time of impact, to a rounding.
#[test]
fn files() {
    let mut compared = 0;
    for (case, kind, step) in case_files() {
        let expect = case.expect.expect("an expectation");
        if expect.collides == Collides::Error {
            continue;
        }
        let exact = kind.query(&step).oracle();
        let first = exact.first_contact().map(|mut root| root.bracket()[1]);
        let first = first.filter(|&first| first <= case.options.t_max);
        let separation = case.options.min_separation;
        let (id, toi) = (&case.id, *expect.toi.end());
        match expect.collides {
            Collides::Yes if separation > 0.0 => {
                assert_eq!(exact.starts_within(separation), toi == 0.0, "{id}");
            }
            Collides::Yes => {
                let first = first.expect(id);
                let is_near = (first - toi).abs() <= 1e-14 * toi.max(0.1);
                assert!(is_near, "{id}: {first}, not {toi}");
            }
            _ => {
                assert_eq!(first, None, "{id}");
                assert!(!exact.starts_within(separation), "{id}");
            }
        }
        compared += 1;
    }
    assert!(compared > 60, "{compared}");
}
