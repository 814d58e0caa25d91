//! The exact oracle of linear queries, against other ways to know the answer.
//!
//! The environment variable `PROPTEST_CASES` makes every property look at that many cases.

#[allow(dead_code, reason = "shared with other tests")]
mod oracle;
#[allow(dead_code, reason = "shared with other tests")]
mod simplices;
#[allow(dead_code, reason = "shared with other tests")]
mod steps;

use kit::{Case, CaseQuery, Collides};
use nalgebra::{Point3, Vector3};
use patch_ccd::Step;
use proptest::prelude::*;

use simplices::Kind::{self, EdgeEdge, VertexEdge, VertexFace, VertexVertex};
use steps::*;

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
    let first = oracle(&kind.query(step)).first_contact();
    first.map(|mut first| first.bracket())
}

proptest! {
    /// Conservative advancement, which goes on by as much as the distance allows, arrives at the first contact too.
    #[test]
    fn oracle_and_conservative_advancement(
        kind in kind(), step in prop_oneof![random(), on_grid(), in_plane()],
    ) {
        let corners = step.map(|points| triangles(kind, &points).concat());
        let speeds = corners[0].iter().zip(&corners[1]).map(|(from, to)| (to - from).norm());
        let speed = speeds.fold(1e-9, f64::max);
        let (mut t, mut apart) = (0.0, f64::INFINITY);
        for _ in 0..10_000 {
            apart = distance(kind, &points_at(&step, t));
            if t > 1.0 || apart < 1e-9 {
                break;
            }
            t += apart / speed;
        }
        let first = first(kind, &step);
        if t > 1.0 {
            prop_assert_eq!(first, None);
        } else if apart < 1e-9 {
            let [lower, upper] = first.expect("a contact");
            prop_assert!(t <= upper + 1e-9 && t > lower - 0.01, "{t}, but {first:?}");
        }
        // Else it is still on its way: the distance shrinks more slowly than the points move.
        if let Some([lower, upper]) = first {
            prop_assert!(t <= upper + 1e-9);
            let closest = distance(kind, &points_at(&step, lower));
            prop_assert!(closest < 1e-9, "{closest:e} at {lower}");
        }
    }

    #[test]
    fn oracle_knows_no_order(step in any_step(), swaps in 0..6_usize) {
        let edges = step.map(|[a, b, c, d]| [[b, a, c, d], [a, b, d, c], [c, d, a, b]][swaps % 3]);
        prop_assert_eq!(first(EdgeEdge, &edges), first(EdgeEdge, &step));
        let face = step.map(|[v, a, b, c]| {
            [[v, b, c, a], [v, c, a, b], [v, b, a, c], [v, a, c, b], [v, c, b, a], [v, a, b, c]][swaps]
        });
        prop_assert_eq!(first(VertexFace, &face), first(VertexFace, &step));
    }

    /// The edge as a face with two equal corners, the vertex as one with three, or as edges of length zero.
    #[test]
    fn oracle_is_consistent(step in any_step()) {
        let point_and_edge = step.map(|[v, a, b, _]| [v, v, a, b]);
        prop_assert_eq!(first(EdgeEdge, &point_and_edge), first(VertexEdge, &step));
        let points = step.map(|[v, a, ..]| [v, v, a, a]);
        prop_assert_eq!(first(EdgeEdge, &points), first(VertexVertex, &step));
        let face = step.map(|[v, a, b, _]| [v, a, b, a]);
        prop_assert_eq!(first(VertexFace, &face), first(VertexEdge, &step));
    }
}

/// The answers of the case files, where `toi_upper` is the exact time of impact, to a rounding.
#[test]
fn oracle_and_case_files() {
    let mut compared = 0;
    for entry in std::fs::read_dir(kit::data("cases")).expect("data/cases") {
        let case = Case::open(entry.expect("an entry").path()).expect("a case");
        let expect = case.expect.expect("an expectation");
        let (kind, step) = match case.query {
            CaseQuery::EdgeEdge(step) => (EdgeEdge, step),
            CaseQuery::VertexFace(step) => (VertexFace, step),
            _ => continue,
        };
        if expect.collides == Collides::Error {
            continue;
        }
        let exact = oracle(&kind.query(&step));
        let first = exact.first_contact().map(|mut root| root.bracket()[1]);
        let first = first.filter(|&first| first <= case.options.t_max);
        let separation = case.options.min_separation;
        match expect.collides {
            Collides::Yes if separation > 0.0 => {
                assert_eq!(
                    exact.starts_within(separation),
                    *expect.toi.end() == 0.0,
                    "{}",
                    case.id
                );
            }
            Collides::Yes => {
                let (first, toi) = (first.expect(&case.id), *expect.toi.end());
                assert!(
                    (first - toi).abs() <= 1e-14 * toi.max(0.1),
                    "{}: {first}, not {toi}",
                    case.id
                );
            }
            _ => {
                assert_eq!(first, None, "{}", case.id);
                assert!(!exact.starts_within(separation), "{}", case.id);
            }
        }
        compared += 1;
    }
    assert!(compared > 60, "{compared}");
}
