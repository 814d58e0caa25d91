//! Exact mode against the oracle, which finds its roots and signs in another way: the decision is the same, and the exact first
//! time of contact is between the bounds.
//!
//! The environment variable `PROPTEST_CASES` makes every property look at that many cases.

#[allow(dead_code, reason = "shared with other tests")]
mod answers;
#[allow(dead_code, reason = "shared with other tests")]
mod common;
#[allow(dead_code, reason = "shared with other tests")]
mod oracle;
#[allow(dead_code, reason = "shared with other tests")]
mod simplices;
#[macro_use]
#[allow(dead_code, reason = "shared with other tests")]
mod steps;

use std::path::{Path, PathBuf};

use kit::{Case, CaseQuery, RandomPairs, Wang2021Reader};
use nalgebra::{Point3, point};
use patch_ccd::geometry::Shape;
use patch_ccd::mesh::{Element, Mesh, MeshOptions, MovingMesh, TriangleMesh, all_impacts};
use patch_ccd::{Decision, Options, Outcome, Step, edge_edge, time_of_impact, vertex_face};
use proptest::prelude::*;

use simplices::{Kind, Query, moving_patch};
use steps::*;

const EXACT: Options = Options {
    inclusion: patch_ccd::Inclusion::Obb,
    method: patch_ccd::Method::TwoSided,
    delta: 1e-6,
    epsilon: 0.0,
    relative_epsilon: 0.0,
    t_max: 1.0,
    min_separation: 0.0,
    max_boxes: 1,
    no_zero_toi: false,
    exact: true,
};

/// How far apart the bounds on the time of impact may be, besides δ.
const WIDEST: f64 = 1.0 / (1_u64 << 30) as f64;

fn options() -> impl Strategy<Value = Options> {
    let t_max = prop_oneof![4 => Just(1.0), 1 => Just(0.5), 1 => Just(0.0), 1 => 0.0..=1.0];
    let delta = prop::sample::select(&[1e-1, 1e-6, 1e-9, 1e-12][..]);
    (t_max, any::<bool>(), delta).prop_map(|(t_max, no_zero_toi, delta)| Options {
        t_max,
        delta,
        no_zero_toi,
        ..EXACT
    })
}

/// The answer is that of the oracle.
fn check(kind: Kind, step: &Step<4>, options: &Options) -> Result<(), TestCaseError> {
    let outcome = kind.query(step).solve(options);
    compare(&kind.query(step), 1.0, &outcome, options)?;
    check_contact(kind, step, &outcome)
}

/// An outcome against the oracle's answer to a query that takes `horizon` as long as the one solved.
fn compare(
    query: &Query,
    horizon: f64,
    outcome: &Outcome,
    options: &Options,
) -> Result<(), TestCaseError> {
    prop_assert_ne!(outcome.counters().decision, Decision::Search);
    let mut first = oracle(query).first_contact();
    let told = first.as_mut().map(|first| first.bracket());
    // `horizon` is a power of two.
    let first = first.filter(|first| first.clone().compare(options.t_max / horizon).is_le());
    match (*outcome, first) {
        (Outcome::Clear { .. }, None) => {}
        (Outcome::ContactAtStart { .. }, Some(mut first)) => {
            prop_assert!(first.compare(0.0).is_eq(), "{told:?}: {outcome:?}");
        }
        (Outcome::Impact { toi, toi_upper, .. }, Some(mut first)) => {
            prop_assert!(first.compare(0.0).is_gt(), "{outcome:?}");
            prop_assert!(
                first.compare(toi / horizon).is_ge(),
                "{told:?}: {outcome:?}"
            );
            prop_assert!(
                first.compare(toi_upper / horizon).is_le(),
                "{told:?}: {outcome:?}"
            );
            prop_assert!(
                toi_upper - toi <= WIDEST.min(options.delta) * options.t_max,
                "{outcome:?}"
            );
            prop_assert!(!options.no_zero_toi || toi > 0.0, "{outcome:?}");
        }
        (Outcome::BudgetExhausted { toi, .. }, Some(mut first)) => {
            prop_assert!(options.no_zero_toi && toi == 0.0, "{outcome:?}");
            prop_assert!(first.compare(f64::MIN_POSITIVE).is_le(), "{told:?}");
        }
        (_, _) => prop_assert!(false, "{told:?}: {outcome:?}"),
    }
    Ok(())
}

/// The contact is one of points of the two simplices, and these are near each other.
fn check_contact(kind: Kind, step: &Step<4>, outcome: &Outcome) -> Result<(), TestCaseError> {
    let largest = step.iter().flatten().map(|p| p.coords.amax());
    let largest = largest.fold(f64::MIN_POSITIVE, f64::max);
    // No point moves faster than 2 √3 of that, and the time is off by as much as the bounds are apart at most.
    answers::check_contact(kind, step, outcome, 8.0 * WIDEST * largest)
}

/// Steps with points of the two simplices, corners often, brought together at some time, up to roundings.
fn nearly_touching() -> impl Strategy<Value = (Kind, Step<4>)> {
    let place = || prop_oneof![1 => Just(0.0), 1 => Just(1.0), 1 => 0.0..=1.0];
    let time = prop_oneof![1 => Just(0.0), 1 => Just(1.0), 4 => 0.0..=1.0];
    let step = prop_oneof![3 => random(), 1 => on_grid(), 1 => in_plane()];
    (kind(), step, [place(), place(), place(), place()], time).prop_map(
        |(kind, mut step, [u1, v1, u2, v2], t)| {
            let points = points_at(&step, t);
            let [one, two] = kind.simplices(&points);
            let aside = point_of(two, u2, v2) - point_of(one, u1, v1);
            let count = one.len();
            for points in &mut step {
                for point in &mut points[..count] {
                    *point += aside;
                }
            }
            (kind, step)
        },
    )
}

fn any_query() -> impl Strategy<Value = (Kind, Step<4>)> {
    // Boxed, or it would not fit on the stack.
    let step = [
        any_step().boxed(),
        scaled().boxed(),
        stretched().boxed(),
        far_away().boxed(),
    ];
    let queries = [
        (kind(), prop::strategy::Union::new(step)).boxed(),
        planted().prop_map(|(kind, step, _)| (kind, step)).boxed(),
        nearly_touching().boxed(),
    ];
    prop::strategy::Union::new(queries)
}

queries_of_all_sorts! { check, options() }

proptest! {
    /// Everything that follows, for one long run.
    #[test]
    fn any_queries((kind, step) in any_query(), options in options()) {
        check(kind, &step, &options)?;
    }

    #[test]
    fn planted_contacts((kind, step, _) in planted(), options in options()) {
        check(kind, &step, &options)?;
    }

    #[test]
    fn planted_contacts_but_for_roundings((kind, step) in nearly_touching(), options in options()) {
        check(kind, &step, &options)?;
    }

    /// Each point at rest, or all of them.
    #[test]
    fn points_at_rest(kind in kind(), step in any_step(), rest in any::<[bool; 4]>(), options in options()) {
        let [start, mut end] = step;
        for (k, rest) in rest.into_iter().enumerate() {
            if rest {
                end[k] = start[k];
            }
        }
        check(kind, &[start, end], &options)?;
    }

    #[test]
    fn no_order_matters(step in any_step(), swap in 0..6_usize) {
        let times = |query: Query| {
            let outcome = query.solve(&EXACT);
            (std::mem::discriminant(&outcome), outcome.toi().is_some())
        };
        let edges = step.map(|[a, b, c, d]| [[b, a, c, d], [a, b, d, c], [c, d, a, b]][swap % 3]);
        prop_assert_eq!(times(Query::EdgeEdge(edges)), times(Query::EdgeEdge(step)));
        let face = step.map(|[v, a, b, c]| {
            [[v, b, c, a], [v, c, a, b], [v, b, a, c], [v, a, c, b], [v, c, b, a], [v, a, b, c]][swap]
        });
        prop_assert_eq!(times(Query::VertexFace(face)), times(Query::VertexFace(step)));
    }

    /// Beyond the end, on the same lines.
    #[test]
    fn longer_horizons(kind in kind(), step in prop_oneof![on_grid(), in_plane()], t_max in 1.0..=4.0_f64) {
        let t_max = if t_max > 3.0 { t_max.round() } else { t_max };
        let [start, end] = step;
        let beyond = std::array::from_fn(|k| start[k] + 4.0 * (end[k] - start[k]));
        let options = Options { t_max, ..EXACT };
        let outcome = kind.query(&step).solve(&options);
        compare(&kind.query(&[start, beyond]), 4.0, &outcome, &options)?;
    }

    /// Given by velocities, as moving patches, in both orders. The numbers are short: velocities are exact.
    #[test]
    fn moving_patches(kind in kind(), step in any_step(), t_max in prop_oneof![Just(1.0), 0.0..=1.0], swap in any::<bool>()) {
        let short = |x: f64| (x * 1e9).round() / (1_u64 << 30) as f64;
        let step = step.map(|points| points.map(|p| p.map(short)));
        let shapes = match kind {
            Kind::EdgeEdge => [1, 1],
            Kind::VertexFace => [0, 2],
            Kind::VertexEdge => [0, 1],
            Kind::VertexVertex => [0, 0],
        };
        let shapes = shapes.map(|n| match n {
            2 => Shape::Triangular { n: 1 },
            n => Shape::TensorProduct { n, m: 0 },
        });
        let motion = |side: usize| {
            let [start, end] = [0, 1].map(|time| kind.simplices(&step[time])[side]);
            moving_patch(shapes[side], start, end)
        };
        let options = Options { t_max, ..EXACT };
        let (one, two) = if swap { (motion(1), motion(0)) } else { (motion(0), motion(1)) };
        let outcome = time_of_impact(&one, &two, &options).unwrap();
        compare(&kind.query(&step), 1.0, &outcome, &options)?;
    }

    #[test]
    fn minimum_separation_is_as_ever(kind in kind(), step in any_step(), min_separation in 0.001..1.0) {
        let default = Options { min_separation, max_boxes: 1000, ..Options::default() };
        let exact = Options { exact: true, ..default };
        prop_assert_eq!(kind.query(&step).solve(&exact), kind.query(&step).solve(&default));
    }
}

/// Two roots of the determinant nearly coincide; it takes no longer to tell which is first.
#[test]
fn roots_next_to_each_other() {
    let vertex = [Point3::origin(); 2];
    for tiny in [1e-5, 1e-20, 1e-100, 5e-324] {
        for large in [1.0, 8e307] {
            let at = |t: f64| {
                let x = large * (t - 1.0 / 3.0);
                let z = 0.5 * large * (1.0 + t);
                [
                    point![x, tiny, 0.0],
                    point![tiny, x, 0.0],
                    point![-tiny, 0.0, z],
                ]
            };
            let step = [0.0, 1.0].map(|t| {
                let [a, b, c] = at(t);
                [vertex[0], a, b, c]
            });
            let outcome = vertex_face(&step, &EXACT).unwrap();
            let turned = step.map(|[v, a, b, c]| [v, b, c, a]);
            let again = vertex_face(&turned, &EXACT).unwrap();
            assert_eq!(
                outcome.toi().is_some(),
                again.toi().is_some(),
                "{tiny:e}, {large:e}"
            );
            if tiny > 1e-30 && large == 1.0 {
                let query = Kind::VertexFace.query(&step);
                compare(&query, 1.0, &outcome, &EXACT).unwrap();
            }
        }
    }
}

#[test]
fn patches_are_as_ever() {
    for shape in [
        Shape::TensorProduct { n: 1, m: 1 },
        Shape::Triangular { n: 1 },
        Shape::Triangular { n: 3 },
    ] {
        for pair in RandomPairs::new(shape, 7).take(20) {
            let [a, b] = pair.unwrap();
            let default = Options::default();
            let exact = Options {
                exact: true,
                ..default
            };
            assert_eq!(
                time_of_impact(&a, &b, &exact).unwrap(),
                time_of_impact(&a, &b, &default).unwrap()
            );
        }
    }
}

/// The determinant is linear in time, and the vertex passes a corner of the face at a distance of 5e-17.
#[test]
fn linear_determinant() {
    let face = [
        [
            point![1.0, -1.0, -1.0],
            Point3::origin(),
            point![1.0, -1.0, 0.0],
        ],
        [
            point![1.0, 0.0, 0.0],
            point![-1.0, 1.0, 0.0],
            point![1.0, 0.0, 1.0],
        ],
    ];
    let vertex = [
        point![0.9356574778806279, -1.0, 0.12868504423874422],
        point![1.935657477880628, 0.0, -0.8713149557612558],
    ];
    let step = [0, 1].map(|k| [vertex[k], face[k][0], face[k][1], face[k][2]]);
    check(Kind::VertexFace, &step, &EXACT).unwrap();
    assert_eq!(vertex_face(&step, &EXACT).unwrap().toi(), None);
}

/// A first contact after 0 that is below the least double.
#[test]
fn contact_just_after_the_start() {
    let tiny = f64::from_bits(1);
    let [o, x, y] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Point3::from);
    let step = [
        [point![0.25, 0.25, tiny], o, x, y],
        [point![0.25, 0.25, -1e300], o, x, y],
    ];
    match vertex_face(&step, &EXACT).unwrap() {
        Outcome::Impact { toi, toi_upper, .. } => {
            assert_eq!([toi, toi_upper], [0.0, tiny]);
        }
        other => panic!("{other:?}"),
    }
    let line_search = Options {
        no_zero_toi: true,
        ..EXACT
    };
    let outcome = vertex_face(&step, &line_search).unwrap();
    assert!(
        matches!(outcome, Outcome::BudgetExhausted { toi: 0.0, .. }),
        "{outcome:?}"
    );
}

// Files

#[test]
fn case_files() {
    let mut compared = 0;
    for entry in std::fs::read_dir(kit::data("cases")).expect("data/cases") {
        let case = Case::open(entry.expect("an entry").path()).expect("a case");
        let query = match case.query {
            CaseQuery::EdgeEdge(step) => Query::EdgeEdge(step),
            CaseQuery::VertexFace(step) => Query::VertexFace(step),
            _ => continue,
        };
        let options = Options {
            min_separation: 0.0,
            t_max: case.options.t_max,
            ..EXACT
        };
        let Ok(outcome) = query.try_solve(&options) else {
            continue;
        };
        assert!(options.t_max <= 1.0);
        compare(&query, 1.0, &outcome, &options).expect(&case.id);
        compared += 1;
    }
    assert!(compared > 60, "{compared}");
}

/// The public set of Wang et al. 2021, where it is at hand: no false positive and no false negative.
#[test]
fn public_set() {
    let root = kit::data("../../shared/wang2021");
    for (folder, solve) in [
        ("edge-edge", edge_edge as fn(&_, &_) -> _),
        ("vertex-face", vertex_face),
    ] {
        for path in csv_files(&root, folder) {
            let file = std::io::BufReader::new(std::fs::File::open(&path).unwrap());
            for (index, query) in Wang2021Reader::new(file, "").enumerate() {
                let query = query.unwrap();
                let outcome: Outcome = solve(&query.step, &EXACT).unwrap();
                let collides = outcome.toi().is_some();
                assert_eq!(Some(collides), query.truth, "{} {index}", path.display());
            }
        }
    }
}

fn csv_files(root: &Path, folder: &str) -> Vec<PathBuf> {
    let entries = |path: &Path| {
        let entries = std::fs::read_dir(path).into_iter().flatten();
        let paths = entries.map(|entry| entry.unwrap().path());
        paths.collect::<Vec<_>>()
    };
    let folders = entries(root).into_iter().map(|path| path.join(folder));
    folders.flat_map(|path| entries(&path)).collect()
}

// Meshes

/// Two slanting strips of triangles, the second of which falls onto the first and just misses, or touches, with its border.
fn strips(overlap: f64) -> [Vec<Point3<f64>>; 3] {
    let strip = |x: f64, z: f64| -> Vec<_> {
        (0..5)
            .flat_map(|k| {
                let (y, slant) = (f64::from(k), 0.25 * f64::from(k));
                [point![x + slant, y, z], point![x + slant + 1.0, y, z]]
            })
            .collect()
    };
    [
        strip(0.0, 0.0),
        strip(1.0 - overlap, 1.0),
        strip(1.0 - overlap, -1.0),
    ]
}

#[test]
fn meshes() {
    let faces: Vec<[u32; 3]> = (0..4)
        .flat_map(|k| {
            [
                [2 * k, 2 * k + 1, 2 * k + 2],
                [2 * k + 1, 2 * k + 3, 2 * k + 2],
            ]
        })
        .collect();
    let triangles = TriangleMesh::new(10, &faces).unwrap();
    let options = MeshOptions {
        query: EXACT,
        ..MeshOptions::default()
    };
    let collisions = |overlap: f64, options: &MeshOptions<'_>| {
        let [floor, above, below] = strips(overlap);
        let floor = MovingMesh::resting(&triangles, &floor).unwrap();
        let falling = MovingMesh::between(&triangles, &above, &below).unwrap();
        all_impacts(&floor, &falling, options).unwrap().pairs
    };
    // Two roundings of the largest coordinates.
    let apart = -4.0 * f64::EPSILON;
    assert!(!collisions(apart, &MeshOptions::default()).is_empty());
    assert_eq!(collisions(apart, &options), []);
    for overlap in [0.0, -apart, 0.25] {
        let pairs = collisions(overlap, &options);
        assert!(!pairs.is_empty());
        for pair in &pairs {
            assert!(pair.toi() <= 0.5 && pair.toi() > 0.5 - WIDEST, "{pair:?}");
        }
        // One by one.
        let [floor, above, below] = strips(overlap);
        let mesh = Mesh::from(&triangles);
        let mut expected = 0;
        for (k, edge) in triangles.edges().iter().enumerate() {
            for (l, other) in triangles.edges().iter().enumerate() {
                let at = |points: &[Point3<f64>]| {
                    let [a, b] = edge.map(|at| floor[at as usize]);
                    let [c, d] = other.map(|at| points[at as usize]);
                    [a, b, c, d]
                };
                let step = [at(&above), at(&below)];
                let elements = [Element::Edge(k as u32), Element::Edge(l as u32)];
                assert_eq!(mesh.points_of(elements[0]), edge);
                let meets = edge_edge(&step, &EXACT).unwrap().toi().is_some();
                let found = pairs.iter().any(|pair| pair.elements == elements);
                assert_eq!(found, meets, "{elements:?} at {overlap:e}");
                expected += usize::from(meets);
            }
        }
        assert!(expected > 0);
    }
}
