//! Options: every call that takes some, with each of them out of its range; and answers at the ends
//! of their ranges.

use kit::linear::{EDGE_EDGE, VERTEX_EDGE, VERTEX_FACE, VERTEX_VERTEX};
use kit::scenes::{LINEAR, closing, square};
use kit::{PairKind, check_outcome, engines};
use nalgebra::{Point3, Vector3};
use patch_ccd::mesh::{
    MeshDistanceOptions, MeshOptions, MeshWorkspace, MovingMesh, PatchMesh, TriangleMesh,
    all_impacts, all_self_impacts, all_self_within, all_within, collision_free_self_step,
    collision_free_step, earliest_impact, earliest_self_impact, least_distance,
    least_self_distance,
};
use patch_ccd::query::LEAST_DELTA;
use patch_ccd::{
    DistanceOptions, Error, Inclusion, Method, Moving, Options, Outcome, Workspace,
    closest_point_on, closest_points, time_of_impact, time_of_impact_batch,
};

use super::{FINITE, NOT_FINITE, Told, net, told};

/// A number out of range: of which option, how it is set, what it must be, and more that it can't
/// be, besides those that are not finite.
type Bad<O> = (&'static str, fn(&mut O, f64), &'static str, &'static [f64]);

const ABOVE: f64 = 1.0 + f64::EPSILON;
const BELOW_LEAST: f64 = LEAST_DELTA * (1.0 - f64::EPSILON / 2.0);
const NEGATIVE: &[f64] = &[-5e-324, -f64::MIN_POSITIVE, -1.0, f64::MIN];

const OF_QUERIES: [Bad<Options>; 6] = [
    (
        "delta",
        |options, value| options.delta = value,
        "from 2^-40 to 1",
        &[0.0, -1e-6, 1e-300, BELOW_LEAST, ABOVE, f64::MAX],
    ),
    (
        "t_max",
        |options, value| options.t_max = value,
        "finite and at least 0",
        NEGATIVE,
    ),
    (
        "min_separation",
        |options, value| options.min_separation = value,
        "finite and at least 0",
        NEGATIVE,
    ),
    (
        "shrink_separation",
        |options, value| options.shrink_separation = Some(value),
        "above 0 and below 1",
        &[0.0, -0.0, -5e-324, -0.9, 1.0, ABOVE, f64::MAX],
    ),
    (
        "epsilon",
        |options, value| options.epsilon = value,
        "finite and at least 0",
        NEGATIVE,
    ),
    (
        "relative_epsilon",
        |options, value| options.relative_epsilon = value,
        "from 0 to 1",
        &[-5e-324, ABOVE],
    ),
];

const OF_DISTANCES: [Bad<DistanceOptions>; 2] = [
    (
        "tolerance",
        |options, value| options.tolerance = value,
        "finite and at least 0",
        NEGATIVE,
    ),
    (
        "relative_tolerance",
        |options, value| options.relative_tolerance = value,
        "from 0 to 1",
        &[-5e-324, ABOVE],
    ),
];

/// Budgets out of range.
const NO_BUDGETS: [u64; 3] = [0, (1 << 30) + 1, u64::MAX];

fn corners() -> [Point3<f64>; 3] {
    [Vector3::zeros(), Vector3::x(), Vector3::y()].map(Point3::from)
}

/// Asks everything of meshes with these options.
fn asked_of_meshes(options: &MeshOptions<'_>) -> Vec<Told> {
    let mesh = TriangleMesh::new(3, &[[0, 1, 2]]).unwrap();
    let corners = corners();
    let moving = MovingMesh::resting(&mesh, &corners).unwrap();
    let mut workspace = MeshWorkspace::new();
    vec![
        told(earliest_impact(&moving, &moving, options)),
        told(all_impacts(&moving, &moving, options)),
        told(collision_free_step(&moving, &moving, options)),
        told(earliest_self_impact(&moving, options)),
        told(all_self_impacts(&moving, options)),
        told(collision_free_self_step(&moving, options)),
        told(workspace.candidates(&moving, &moving, options)),
        told(workspace.self_candidates(&moving, options)),
    ]
}

/// Asks everything with these options.
fn asked(options: &Options) -> Vec<Told> {
    let [a, b] = closing(LINEAR);
    let mut workspace = Workspace::new();
    let step = |z: f64| {
        net(4)
            .try_into()
            .map(|net: [_; 4]| net.map(|p| p + z * Vector3::z()))
    };
    let step = [0.0, 1.0].map(|z| step(z).unwrap());
    let mut answers = time_of_impact_batch(&[(a.clone(), b.clone())], options);
    answers.extend(EDGE_EDGE.ask(&step, options));
    answers.extend(VERTEX_FACE.ask(&step, options));
    answers.extend(VERTEX_EDGE.ask(&step.map(|[v, a, b, _]| [v, a, b]), options));
    answers.extend(VERTEX_VERTEX.ask(&step.map(|[v, w, ..]| [v, w]), options));
    answers.push(time_of_impact(&a, &b, options));
    answers.push(workspace.time_of_impact(&a, &b, options));
    let mut answers: Vec<_> = answers.into_iter().map(told).collect();
    answers.push(told(workspace.overlap_interval(&a, &b, options)));
    answers.extend(asked_of_meshes(&MeshOptions {
        query: *options,
        ..MeshOptions::default()
    }));
    // The workspace is as good as new.
    let after = workspace.time_of_impact(&a, &b, &Options::default());
    assert_eq!(after, time_of_impact(&a, &b, &Options::default()));
    answers
}

/// Asks for all distances with these options.
fn measured(options: &DistanceOptions) -> Vec<Told> {
    let [a, b] = [0.0, 1.0].map(square);
    let at = Point3::origin();
    let mesh = TriangleMesh::new(3, &[[0, 1, 2]]).unwrap();
    let corners = corners();
    let still = MovingMesh::resting(&mesh, &corners).unwrap();
    let of_meshes = MeshDistanceOptions {
        query: *options,
        ..MeshDistanceOptions::default()
    };
    vec![
        told(closest_points(&a, &b, options)),
        told(closest_point_on(at, &a, options)),
        told(Workspace::new().closest_points(&a, &b, options)),
        told(Workspace::new().closest_point_on(at, &a, options)),
        told(least_distance(&still, &still, &of_meshes)),
        told(all_within(&still, &still, &of_meshes)),
        told(least_self_distance(&still, &of_meshes)),
        told(all_self_within(&still, &of_meshes)),
    ]
}

/// Each bad number in every call.
#[track_caller]
fn check<O: Clone>(options: &O, bad: &[Bad<O>], ask: impl Fn(&O) -> Vec<Told>) {
    for (option, set, range, values) in bad {
        for value in values.iter().copied().chain(NOT_FINITE) {
            let mut options = options.clone();
            set(&mut options, value);
            let text = format!("option {option} is {value:?}, but must be {range}");
            for told in ask(&options) {
                assert_eq!(told.as_ref(), Err(&text));
            }
        }
    }
}

#[test]
fn out_of_range() {
    for options in engines(&Options::default()) {
        for exact in [false, true] {
            check(&Options { exact, ..options }, &OF_QUERIES, asked);
        }
    }
    for max_boxes in NO_BUDGETS {
        let options = Options {
            max_boxes,
            ..Options::default()
        };
        let is = max_boxes as f64;
        let text = format!("option max_boxes is {is:?}, but must be from 1 to 2^30");
        for told in asked(&options) {
            assert_eq!(told.as_ref(), Err(&text));
        }
        let options = DistanceOptions {
            max_boxes,
            ..DistanceOptions::default()
        };
        for told in measured(&options) {
            assert_eq!(told.as_ref(), Err(&text));
        }
    }
}

#[test]
fn out_of_range_for_distances() {
    check(&DistanceOptions::default(), &OF_DISTANCES, measured);
    for max_distance in [f64::NAN, f64::NEG_INFINITY].iter().chain(NEGATIVE) {
        let options = DistanceOptions {
            max_distance: *max_distance,
            ..DistanceOptions::default()
        };
        let text = format!("option max_distance is {max_distance:?}, but must be at least 0");
        for told in measured(&options) {
            assert_eq!(told.as_ref(), Err(&text));
        }
    }
}

#[test]
fn out_of_range_for_meshes() {
    let rescaling: Bad<MeshOptions<'_>> = (
        "conservative_rescaling",
        |options, value| options.conservative_rescaling = value,
        "above 0 and at most 1",
        &[0.0, -0.0, -0.5, ABOVE, f64::MAX],
    );
    check(&MeshOptions::default(), &[rescaling], asked_of_meshes);
    let mesh = TriangleMesh::new(3, &[[0, 1, 2]]).unwrap();
    let corners = corners();
    let moving = MovingMesh::resting(&mesh, &corners).unwrap();
    for conservative_rescaling in [5e-324, 1e-300, 1.0] {
        let options = MeshOptions {
            conservative_rescaling,
            ..MeshOptions::default()
        };
        assert_eq!(collision_free_step(&moving, &moving, &options), Ok(0.0));
    }
    let quad = PatchMesh::from_quads(4, &[[0, 1, 2, 3]]).unwrap();
    let tolerance: Bad<f64> = (
        "tolerance",
        |tolerance, value| *tolerance = value,
        "finite and at least 0",
        NEGATIVE,
    );
    check(&0.0, &[tolerance], |&tolerance| {
        vec![told(quad.clone().weld(&net(4), tolerance))]
    });
}

fn at_least_zero() -> impl Iterator<Item = f64> {
    FINITE.into_iter().filter(|&value| value >= 0.0)
}

/// Every option at the ends of its range is taken, and the answer is right: they meet at 1/2, or
/// when as near as the options say.
#[test]
fn at_the_ends_of_the_range() {
    let [a, b] = closing(LINEAR);
    let ask = |options: Options| {
        let answer = time_of_impact(&a, &b, &options);
        if let Ok(outcome) = &answer {
            check_outcome(outcome, &options);
        }
        answer
    };
    let assert_meet = |options: Options| {
        let toi = ask(options).unwrap().toi();
        assert!(toi.is_some_and(|toi| toi <= 0.5), "{toi:?} of {options:?}");
    };
    for engine in engines(&Options {
        delta: 1e-2,
        max_boxes: 3000,
        ..Options::default()
    }) {
        for delta in [LEAST_DELTA, 1.0] {
            assert_meet(Options { delta, ..engine });
        }
        for epsilon in at_least_zero() {
            for relative_epsilon in [0.0, 5e-324, 1.0] {
                for min_separation in [0.0, 0.25] {
                    assert_meet(Options {
                        epsilon,
                        relative_epsilon,
                        min_separation,
                        ..engine
                    });
                }
            }
        }
        for max_boxes in [1, 2, 1 << 30] {
            // At a tolerance of 1 the largest budget is not used.
            assert_meet(Options {
                max_boxes,
                delta: 1.0,
                ..engine
            });
        }
        for t_max in at_least_zero() {
            for min_separation in at_least_zero() {
                for no_zero_toi in [false, true] {
                    let options = Options {
                        t_max,
                        min_separation,
                        no_zero_toi,
                        ..engine
                    };
                    match ask(options) {
                        Ok(outcome) => {
                            let meet = t_max >= 0.5 || min_separation >= 1.0;
                            assert_eq!(outcome.toi().is_some(), meet, "{options:?}");
                        }
                        // They leave the range.
                        Err(error) => {
                            let first = matches!(error, Error::Patch { patch: 1, .. });
                            assert!(first && t_max > 1e300, "{error}");
                        }
                    }
                }
            }
        }
    }
}

/// Whatever share of whatever distance is kept, the answer is for what is told.
#[test]
fn shares_and_separations_at_the_ends_of_their_ranges() {
    let [falling, rest] = closing(LINEAR);
    let start = falling.start().clone();
    let [rising, still] = [2.0, 0.0].map(|speed| {
        let velocity = Vector3::new(0.0, 0.0, speed);
        Moving::translating(start.clone(), velocity).unwrap()
    });
    for engine in engines(&Options {
        delta: 1e-2,
        max_boxes: 3000,
        ..Options::default()
    }) {
        for share in [5e-324, 1e-300, 1e-9, 0.5, 1.0 - 1e-9, 1.0_f64.next_down()] {
            for min_separation in at_least_zero() {
                for epsilon in [0.0, 1e-3, 1.0, f64::MAX] {
                    let options = Options {
                        min_separation,
                        shrink_separation: Some(share),
                        epsilon,
                        ..engine
                    };
                    for moving in [&falling, &rising, &still] {
                        let outcome = time_of_impact(moving, &rest, &options).unwrap();
                        check_outcome(&outcome, &options);
                        let told = format!("{options:?}: {outcome:?}");
                        let kept = outcome.separation();
                        assert!(kept <= min_separation, "{told}");
                        let touch = matches!(outcome, Outcome::ContactAtStart { .. });
                        assert!(!touch || share < 1e-299, "{told}");
                        if std::ptr::eq(moving, &falling) {
                            let exact = 0.5 * (1.0 - kept.min(1.0)) + 1e-15;
                            assert!(outcome.toi().is_some_and(|toi| toi <= exact), "{told}");
                        }
                    }
                }
            }
        }
    }
}

/// The whole patches can overlap from when they meet.
#[test]
fn overlap_intervals_of_patches() {
    let [a, b] = closing(LINEAR);
    for t_max in [0.0, 5e-324, 0.25, 1.0, 1e300] {
        let options = Options {
            t_max,
            ..Options::default()
        };
        let interval = Workspace::new().overlap_interval(&a, &b, &options).unwrap();
        assert_eq!(interval.is_some(), t_max >= 0.5, "{t_max}: {interval:?}");
        if let Some([start, end]) = interval {
            assert!(start <= 0.5 && 0.5 <= end && end <= t_max);
        }
    }
}

#[test]
fn names() {
    let long = [
        "OBB", "obb ", "tri", "tri4", "quad3\n", "Quad3", "quad", "quad4", "tri0",
    ];
    let short = [
        "",
        " ",
        "box",
        "newton",
        "rational-",
        "\u{feff}obb",
        "two_sided",
    ];
    let kinds = [&PairKind::TABLE[..], &PairKind::RATIONAL].concat();
    let kinds: Vec<_> = kinds.iter().map(PairKind::to_string).collect();
    let kinds = kinds.join(", ");
    for name in long.into_iter().chain(short) {
        let inclusion = name.parse::<Inclusion>().unwrap_err();
        let method = name.parse::<Method>().unwrap_err();
        let kind = name.parse::<PairKind>().unwrap_err();
        for (error, names) in [
            (inclusion, "aabb, obb"),
            (method, "two-sided, time-dependent, traditional"),
            (kind, &kinds),
        ] {
            assert_eq!(error.to_string(), format!("\"{name}\" is none of {names}"));
            assert!(matches!(error, Error::Name { found, .. } if found == name));
        }
    }
}
