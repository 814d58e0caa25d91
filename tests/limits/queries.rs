//! Single queries, batches, outcomes, envelopes, random pairs, names.

use kit::{PairKind, RandomPairs};
use nalgebra::{Point3, point, vector};
use patch_ccd::geometry::{AnyPatch, Shape, TriangularPatch};
use patch_ccd::inclusion::{Envelope, Line, overlap_interval};
use patch_ccd::{
    Error, Inclusion, Method, Moving, Options, Outcome, Workspace, edge_edge_batch, time_of_impact,
    time_of_impact_batch, vertex_edge_batch, vertex_face, vertex_face_batch, vertex_vertex_batch,
};

use super::{FINITE, NO_DEGREES, NOT_FINITE, assert_text};

/// A triangle that falls on another one at t = 1/2.
fn pair() -> [Moving<TriangularPatch>; 2] {
    let at = |z| {
        TriangularPatch::new(
            1,
            &[
                point![0.0, 0.0, z],
                point![1.0, 0.0, z],
                point![0.0, 1.0, z],
            ],
        )
    };
    [
        Moving::translating(at(1.0).unwrap(), vector![0.0, 0.0, -2.0]).unwrap(),
        Moving::resting(at(0.0).unwrap()),
    ]
}

fn engines() -> impl Iterator<Item = Options> {
    let methods = [Method::TwoSided, Method::TimeDependent, Method::Traditional];
    let both = methods
        .into_iter()
        .flat_map(|method| [Inclusion::Obb, Inclusion::Aabb].map(|inclusion| (method, inclusion)));
    both.map(|(method, inclusion)| Options {
        method,
        inclusion,
        delta: 1e-2,
        max_boxes: 3000,
        ..Options::default()
    })
}

/// Every option at the ends of its range is taken, and the next number is not.
#[test]
fn options() {
    let [a, b] = pair();
    let set_delta = |delta| move |options| Options { delta, ..options };
    let least = 0.5_f64.powi(40);
    for engine in engines() {
        let ask = |options: Options| time_of_impact(&a, &b, &options);
        for delta in [least, 1.0] {
            let outcome = ask(set_delta(delta)(engine)).unwrap();
            assert!(outcome.toi().is_some_and(|toi| toi <= 0.5), "{outcome:?}");
        }
        for delta in [least.next_down(), 1.0_f64.next_up(), 0.0, -1.0, f64::MAX]
            .into_iter()
            .chain(NOT_FINITE)
        {
            let text = format!("option delta is {delta:?}, but must be from 2^-40 to 1");
            assert_text(ask(set_delta(delta)(engine)), &text);
        }
        for value in [-5e-324, -1.0, f64::MIN].into_iter().chain(NOT_FINITE) {
            let text = |name: &str| {
                format!("option {name} is {value:?}, but must be finite and at least 0")
            };
            assert_text(
                ask(Options {
                    t_max: value,
                    ..engine
                }),
                &text("t_max"),
            );
            assert_text(
                ask(Options {
                    min_separation: value,
                    ..engine
                }),
                &text("min_separation"),
            );
            assert_text(
                ask(Options {
                    epsilon: value,
                    ..engine
                }),
                &text("epsilon"),
            );
        }
        for value in [-5e-324, 1.0_f64.next_up()].into_iter().chain(NOT_FINITE) {
            assert_text(
                ask(Options {
                    relative_epsilon: value,
                    ..engine
                }),
                &format!("option relative_epsilon is {value:?}, but must be from 0 to 1"),
            );
        }
        for epsilon in FINITE.into_iter().filter(|&epsilon| epsilon >= 0.0) {
            for relative_epsilon in [0.0, 5e-324, 1.0] {
                for min_separation in [0.0, 0.25] {
                    let options = Options {
                        epsilon,
                        relative_epsilon,
                        min_separation,
                        ..engine
                    };
                    let toi = ask(options).unwrap().toi();
                    // They meet at 1/2, or when that near.
                    assert!(toi.is_some_and(|toi| toi <= 0.5), "{options:?}");
                }
            }
        }
        for t_max in FINITE.into_iter().filter(|&t_max| t_max >= 0.0) {
            for min_separation in FINITE.into_iter().filter(|&separation| separation >= 0.0) {
                for no_zero_toi in [false, true] {
                    let options = Options {
                        t_max,
                        min_separation,
                        no_zero_toi,
                        ..engine
                    };
                    match ask(options) {
                        Ok(outcome) => {
                            let toi = outcome.toi();
                            assert!(
                                toi.is_none_or(|toi| (0.0..=t_max).contains(&toi)),
                                "{outcome:?}"
                            );
                            // They meet at 1/2, or at once.
                            assert_eq!(
                                toi.is_some(),
                                t_max >= 0.5 || min_separation >= 1.0,
                                "{options:?}"
                            );
                        }
                        Err(error) => {
                            assert!(matches!(error, Error::Patch { patch: 1, .. }), "{error}")
                        }
                    }
                }
            }
        }
        for max_boxes in [0, (1 << 30) + 1, u64::MAX] {
            let error = ask(Options {
                max_boxes,
                ..engine
            })
            .unwrap_err()
            .to_string();
            assert!(error.starts_with("option max_boxes is "), "{error}");
        }
        for max_boxes in [1, 2, 1 << 30] {
            // At a tolerance of 1 the largest budget is not used.
            let options = Options {
                max_boxes,
                delta: 1.0,
                ..engine
            };
            let outcome = ask(options).unwrap();
            assert!(outcome.counters().boxes <= max_boxes);
            assert!(outcome.toi().is_some_and(|toi| toi <= 0.5), "{outcome:?}");
        }
    }
}

/// The whole patches can overlap from when they meet.
#[test]
fn overlap_intervals_of_patches() {
    let [a, b] = pair();
    let mut workspace = Workspace::new();
    for t_max in [0.0, 5e-324, 0.25, 1.0, 1e300] {
        let options = Options {
            t_max,
            ..Options::default()
        };
        let interval = workspace.overlap_interval(&a, &b, &options).unwrap();
        assert_eq!(interval.is_some(), t_max >= 0.5, "{t_max}: {interval:?}");
        if let Some([start, end]) = interval {
            assert!(start <= 0.5 && 0.5 <= end && end <= t_max);
        }
    }
    let refused = Options {
        t_max: f64::NAN,
        ..Options::default()
    };
    assert!(workspace.overlap_interval(&a, &b, &refused).is_err());
    // The workspace is as good as new.
    let outcome = workspace.time_of_impact(&a, &b, &Options::default());
    assert_eq!(outcome, time_of_impact(&a, &b, &Options::default()));
}

#[test]
fn batches() {
    let options = Options::default();
    assert_eq!(
        time_of_impact_batch::<AnyPatch, AnyPatch>(&[], &options),
        []
    );
    assert_eq!(edge_edge_batch(&[], &options), []);
    assert_eq!(vertex_face_batch(&[], &options), []);
    assert_eq!(vertex_edge_batch(&[], &options), []);
    assert_eq!(vertex_vertex_batch(&[], &options), []);
    // What is wrong with one query is nothing to the others.
    let face = [
        Point3::origin(),
        point![1.0, 0.0, 0.0],
        point![0.0, 1.0, 0.0],
    ];
    let at = |z| [point![0.25, 0.25, z], face[0], face[1], face[2]];
    let good = [at(1.0), at(-1.0)];
    let bad = [at(f64::NAN), at(0.0)];
    let answers = vertex_face_batch(&[good, bad, good], &options);
    assert_eq!(answers[0], answers[2]);
    assert_eq!(answers[0], vertex_face(&good, &options));
    assert_text(
        answers[1].clone(),
        "point at the start 0: coordinate 2 is NaN, not a finite number",
    );
    let refused = Options {
        delta: 2.0,
        ..options
    };
    assert!(
        vertex_face_batch(&[good, bad], &refused)
            .iter()
            .all(Result::is_err)
    );
}

#[test]
fn outcomes() {
    let [a, b] = pair();
    let outcome = time_of_impact(&a, &b, &Options::default()).unwrap();
    let contact = outcome.contact().unwrap();
    assert_eq!(contact.barycentric(2), None);
    assert_eq!(contact.barycentric(usize::MAX), None);
    assert_eq!(outcome.swapped().swapped(), outcome);
    let ended = time_of_impact(
        &b,
        &b,
        &Options {
            max_boxes: 1,
            ..Options::default()
        },
    )
    .unwrap();
    assert!(matches!(ended, Outcome::BudgetExhausted { toi: 0.0, .. }));
    assert_eq!((ended.contact(), ended.toi()), (None, Some(0.0)));
}

/// Envelopes are said to be for finite lines; of others they are something, too.
#[test]
fn envelopes() {
    let values: Vec<f64> = NOT_FINITE.into_iter().chain(FINITE).collect();
    assert!(Envelope::lower(&[]).at(0.0).is_nan());
    assert!(Envelope::upper(&[]).breaks().is_empty());
    for &offset in &values {
        for &slope in &values {
            let lines = [
                Line { offset, slope },
                Line {
                    offset: slope,
                    slope: offset,
                },
                Line {
                    offset: 1.0,
                    slope: -1.0,
                },
                Line { offset, slope: 1.0 },
            ];
            for envelope in [Envelope::lower(&lines), Envelope::upper(&lines)] {
                assert_eq!(envelope.pieces().len(), envelope.breaks().len() + 1);
                for &t in &values {
                    envelope.at(t);
                }
            }
            for &end in &values {
                let axes = [
                    [lines[..1].to_vec(), lines[1..].to_vec()],
                    [vec![], lines.to_vec()],
                ];
                if let Some([from, to]) = overlap_interval(&axes, [offset, end]) {
                    assert!(offset <= from && from <= to && to <= end);
                }
            }
        }
    }
    assert_eq!(overlap_interval(&[], [0.0, 1.0]), Some([0.0, 1.0]));
    assert_eq!(overlap_interval(&[], [1.0, 0.0]), None);
    assert_eq!(overlap_interval(&[], [f64::NAN, 1.0]), None);
    let most = [f64::NEG_INFINITY, f64::INFINITY];
    assert_eq!(overlap_interval(&[], most), Some(most));
}

#[test]
fn random_pairs() {
    for n in NO_DEGREES {
        for shape in [Shape::Triangular { n }, Shape::TensorProduct { n, m: 1 }] {
            let mut pairs = RandomPairs::new(shape, u64::MAX);
            for _ in 0..2 {
                let error = pairs.next().unwrap().unwrap_err();
                assert!(
                    matches!(error, Error::Degree { value, .. } if value == n),
                    "{error}"
                );
            }
        }
    }
}

#[test]
fn names() {
    for name in [
        "",
        " ",
        "OBB",
        "obb ",
        "tri",
        "tri4",
        "quad3\n",
        "rational-",
        "\u{feff}obb",
        "two_sided",
    ] {
        for error in [
            name.parse::<Inclusion>().unwrap_err(),
            name.parse::<Method>().unwrap_err(),
            name.parse::<PairKind>().unwrap_err(),
        ] {
            assert!(
                error
                    .to_string()
                    .starts_with(&format!("\"{name}\" is none of ")),
                "{error}"
            );
        }
    }
}
