//! The search from both ends: brackets around the time of impact, and contacts along lines and over areas.

#[allow(dead_code, reason = "shared with other tests")]
mod common;

use common::{Motion, patch};
use kit::{PairKind, RandomPairs};
use nalgebra::{Rotation3, Vector3, point, vector};
use patch_ccd::geometry::{AnyPatch, Rational, Shape, TensorProductPatch};
use patch_ccd::{Inclusion, Method, Moving, Options, Outcome, Workspace, time_of_impact};

/// A parabolic ridge along u = `at`, tilted about the vertical, that falls at speed 1 from 1/2 above a plane.
fn ridge(at: f64, degree: usize, turn: f64) -> [Motion; 2] {
    let rotation = Rotation3::from_euler_angles(0.0, 0.0, turn);
    // (u − at)² in Bézier form, of whatever degree.
    let height = |i: f64, n: f64| at * at - 2.0 * at * i / n + i * (i - 1.0) / (n * (n - 1.0));
    let n = degree as f64;
    let net: Vec<_> = (0..=degree)
        .flat_map(|i| [0.0, 1.0].map(|v| (i as f64, v)))
        .map(|(i, v)| rotation * point![i / n - at, v - 0.5, 0.5 + height(i, n)])
        .collect();
    let ridge = AnyPatch::from_shape(Shape::TensorProduct { n: degree, m: 1 }, &net).unwrap();
    let plane = patch(Shape::TensorProduct { n: 1, m: 1 }, |u, v| {
        point![4.0 * u - 1.9, 4.0 * v - 2.2, 0.0]
    });
    [
        Moving::translating(ridge, vector![0.0, 0.0, -1.0]).unwrap(),
        Moving::resting(plane),
    ]
}

/// A right answer within a budget, whose bracket is as narrow as δ.
#[track_caller]
fn assert_within(pair: &[Motion; 2], exact: f64, boxes: u64, told: &str) {
    let [a, b] = pair;
    let outcome = time_of_impact(a, b, &Options::default()).unwrap();
    let Outcome::Impact {
        toi,
        toi_upper,
        contact,
        counters,
    } = outcome
    else {
        panic!("{told}: {outcome:?}");
    };
    assert!(toi <= exact && toi > exact - 1e-6, "{told}: {toi}");
    assert!((toi_upper - exact).abs() < 1e-12, "{told}: {toi_upper}");
    assert!(
        contact.time == toi_upper && contact.residual < 1e-12,
        "{told}: {contact:?}"
    );
    assert!(counters.boxes <= boxes, "{told}: {} boxes", counters.boxes);
}

#[test]
fn contacts_along_lines_off_the_midpoints_end_early() {
    for at in [1.0 / 3.0, 0.2, 0.7, 3.0_f64.sqrt() / 2.0] {
        for degree in [2, 3, 5] {
            for turn in [0.0, 0.1, 0.7, 1.3] {
                let told = format!("ridge at {at} of degree {degree} turned by {turn}");
                assert_within(&ridge(at, degree, turn), 0.5, 50_000, &told);
            }
        }
    }
}

#[test]
fn a_cylinder_on_a_plane_ends_early() {
    // A quarter of a cylinder about the y axis, crown up, and a plane that comes down on its crown, at an angle.
    let w = 0.5_f64.sqrt();
    for (turn, tilt) in [(0.0, 0.3), (0.4, -0.5), (1.1, 0.1)] {
        let arc = [(1.0, 0.0, 1.0), (1.0, 1.0, w), (0.0, 1.0, 1.0)];
        let rotation = Rotation3::from_euler_angles(0.0, 0.0, turn)
            * Rotation3::from_euler_angles(0.0, tilt - 0.785, 0.0);
        let net: Vec<_> = arc
            .iter()
            .flat_map(|&(x, z, _)| [0.0, 1.0].map(|y| rotation * point![x, y - 0.5, z]))
            .collect();
        let weights: Vec<_> = arc.iter().flat_map(|&(_, _, w)| [w, w]).collect();
        let cylinder = TensorProductPatch::new(2, 1, &net).unwrap();
        let cylinder: AnyPatch = Rational::new(cylinder, &weights).unwrap().into();
        let plane = patch(Shape::TensorProduct { n: 1, m: 1 }, |u, v| {
            point![5.0 * u - 2.3, 5.0 * v - 2.6, 2.0]
        });
        let pair = [
            Moving::resting(cylinder),
            Moving::translating(plane, vector![0.0, 0.0, -2.0]).unwrap(),
        ];
        assert_within(
            &pair,
            0.5,
            50_000,
            &format!("turned by {turn}, tilted by {tilt}"),
        );
    }
}

#[test]
fn contacts_over_areas_end_early() {
    // Plane patches of curved nets, which overlap in part of a third.
    let flat = |n: usize, x: f64, z: f64| {
        patch(Shape::TensorProduct { n, m: n }, |u, v| {
            point![x + u * u, v - 0.2 * u * v, z + 0.3 * v]
        })
    };
    for n in [2, 3] {
        let pair = [
            Moving::translating(flat(n, 0.0, 1.0), vector![0.1, 0.0, -2.0]).unwrap(),
            Moving::resting(flat(n, 1.0 / 3.0, 0.0)),
        ];
        assert_within(&pair, 0.5, 50_000, &format!("degree {n}"));
    }
}

#[test]
fn brackets_of_random_pairs_hold_the_time_of_impact() {
    let mut workspace = Workspace::new();
    let (mut found, mut impacts) = (0, 0);
    for name in PairKind::TABLE {
        for pair in RandomPairs::new(name.shape(), 5).take(25) {
            let [a, b] = pair.unwrap();
            let fine = Options {
                method: Method::TimeDependent,
                delta: 1e-10,
                ..Options::default()
            };
            let exact = workspace.time_of_impact(&a, &b, &fine).unwrap();
            for delta in [1e-2, 1e-4, 1e-6, 1e-8] {
                let options = Options {
                    delta,
                    ..Options::default()
                };
                let outcome = workspace.time_of_impact(&a, &b, &options).unwrap();
                let Outcome::Impact {
                    toi,
                    toi_upper,
                    contact,
                    ..
                } = outcome
                else {
                    assert_eq!(outcome.toi(), exact.toi(), "{name} {delta}");
                    continue;
                };
                let exact = exact.toi().unwrap();
                impacts += 1;
                assert!(toi <= exact + 2e-10, "{name} {delta}: {toi} {exact}");
                assert!(toi >= exact - 3.0 * delta, "{name} {delta}: {toi} {exact}");
                if contact.time == toi_upper {
                    found += 1;
                    assert!(toi_upper >= exact, "{name} {delta}: {toi_upper} {exact}");
                    assert!(
                        toi_upper - toi <= delta,
                        "{name} {delta}: {toi} {toi_upper}"
                    );
                    assert!(contact.residual < 1e-12, "{name} {delta}: {contact:?}");
                }
            }
        }
    }
    assert!(found * 10 > impacts * 9, "{found} of {impacts} found");
}

#[test]
fn separations_have_brackets_too() {
    let sheet = |x: f64, z: f64, bend: f64| {
        patch(Shape::TensorProduct { n: 3, m: 2 }, |u, v| {
            point![
                x + u,
                v,
                z + bend * (u - 0.3) * (u - 0.3) + 0.4 * bend * (v - 0.6) * (v - 0.6)
            ]
        })
    };
    let mut workspace = Workspace::new();
    for separation in [1e-3, 0.1, 0.4] {
        let upper = Moving::translating(sheet(0.1, 1.5, 1.0), vector![0.0, 0.2, -2.5]).unwrap();
        let lower = Moving::resting(sheet(0.0, 0.0, -0.8));
        let options = Options {
            min_separation: separation,
            ..Options::default()
        };
        let outcome = workspace.time_of_impact(&upper, &lower, &options).unwrap();
        let Outcome::Impact {
            toi,
            toi_upper,
            contact,
            counters,
        } = outcome
        else {
            panic!("{separation}: {outcome:?}");
        };
        assert!(toi_upper - toi <= 1e-6, "{separation}: {toi} {toi_upper}");
        assert!(
            (contact.residual - separation).abs() < 1e-12,
            "{separation}: {contact:?}"
        );
        // The nearest points are on their common normal.
        let across = (contact.points[0] - contact.points[1]).normalize();
        for normal in contact.normals.into_iter().flatten() {
            assert!(
                normal.cross(&across).norm() < 1e-6,
                "{separation}: {contact:?}"
            );
        }
        let one_sided = Options {
            method: Method::TimeDependent,
            ..options
        };
        let other = workspace
            .time_of_impact(&upper, &lower, &one_sided)
            .unwrap();
        assert!((toi - other.toi().unwrap()).abs() < 2e-6);
        assert!(counters.boxes < other.counters().boxes, "{counters:?}");
    }
    // By coordinates a Euclidean contact is one as well, only not the first.
    let options = Options {
        inclusion: Inclusion::Aabb,
        min_separation: 0.25,
        delta: 1e-4,
        ..Options::default()
    };
    let square = |z: f64| patch(Shape::TensorProduct { n: 1, m: 1 }, |u, v| point![u, v, z]);
    let falling = Moving::translating(square(1.0), Vector3::z() * -1.0).unwrap();
    let toi = workspace
        .time_of_impact(&falling, &Moving::resting(square(0.0)), &options)
        .unwrap()
        .toi();
    assert!(
        toi.is_some_and(|toi| toi <= 0.75 && toi > 0.75 - 2e-4),
        "{toi:?}"
    );
}

/// The share of the impacts of a set of reference pairs that a local solve found, each good to rounding.
fn found(kind: PairKind) -> f64 {
    let path = kit::data(format!("pairs/{kind}.bin"));
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let mut workspace = Workspace::new();
    let (mut found, mut impacts) = (0, 0);
    for pair in kind.reader(file) {
        let [a, b] = pair.unwrap();
        let outcome = workspace
            .time_of_impact(&a, &b, &Options::default())
            .unwrap();
        if let Outcome::Impact {
            toi_upper, contact, ..
        } = outcome
        {
            impacts += 1;
            if contact.time == toi_upper {
                found += 1;
                assert!(contact.residual < 1e-13, "{kind}: {contact:?}");
            }
        }
    }
    f64::from(found) / f64::from(impacts)
}

#[test]
fn local_solves_find_nearly_all_contacts_of_the_reference_pairs() {
    for kind in PairKind::TABLE.into_iter().chain(PairKind::RATIONAL) {
        let share = found(kind);
        assert!(share >= 0.9, "{kind}: {share}");
    }
}

#[test]
fn linear_contacts_are_found_at_once() {
    let edges = [
        point![-0.3, 0.0, 0.0],
        point![1.1, 0.2, 0.1],
        point![0.2, -1.0, 1.0],
        point![0.3, 1.3, 1.2],
    ];
    let face = [
        point![0.3, 0.2, 1.0],
        point![0.0, 0.0, 0.0],
        point![1.0, 0.1, 0.1],
        point![0.0, 1.0, -0.1],
    ];
    for turn in 0..20 {
        // Everything moves, each point on its own.
        let moved = |points: [nalgebra::Point3<f64>; 4], signs: [f64; 4]| {
            std::array::from_fn(|k| {
                let wobble = (1.7 * f64::from(turn) + k as f64).sin();
                points[k]
                    + vector![
                        0.02 * wobble,
                        0.02 - 0.02 * wobble,
                        signs[k] * (1.0 + 0.2 * wobble)
                    ]
            })
        };
        let crossing = patch_ccd::edge_edge(
            &[edges, moved(edges, [1.0, 1.0, -1.0, -1.0])],
            &Options::default(),
        );
        let falling = patch_ccd::vertex_face(
            &[face, moved(face, [-1.0, 0.2, 0.2, 0.2])],
            &Options::default(),
        );
        for outcome in [crossing.unwrap(), falling.unwrap()] {
            let Outcome::Impact {
                toi,
                toi_upper,
                contact,
                counters,
            } = outcome
            else {
                panic!("{outcome:?}");
            };
            assert!(
                contact.time == toi_upper && toi_upper - toi <= 1e-6,
                "{outcome:?}"
            );
            assert!(
                contact.residual < 1e-14 && counters.boxes < 60,
                "{outcome:?}"
            );
        }
    }
}

#[test]
fn near_misses_and_separations_take_no_more_boxes_than_from_one_side() {
    let shapes = [
        Shape::Triangular { n: 1 },
        Shape::Triangular { n: 3 },
        Shape::TensorProduct { n: 1, m: 3 },
        Shape::TensorProduct { n: 3, m: 2 },
    ];
    let mut workspace = Workspace::new();
    for (seed, shape) in shapes.into_iter().enumerate() {
        let others = RandomPairs::new(shapes[(seed + 1) % 4], 50 + seed as u64);
        let pairs = RandomPairs::new(shape, 20 + seed as u64)
            .zip(others)
            .take(300);
        for (number, (one, two)) in pairs.enumerate() {
            let ([a, _], [_, b]) = (one.unwrap(), two.unwrap());
            let options = Options {
                min_separation: [0.0, 0.1, 0.3][number % 3],
                max_boxes: 300_000,
                ..Options::default()
            };
            let mut boxes = [Method::TwoSided, Method::TimeDependent].map(|method| {
                let options = Options { method, ..options };
                let outcome = workspace.time_of_impact(&a, &b, &options).unwrap();
                outcome.counters().boxes
            });
            boxes[1] = 10 * boxes[1] + 2000;
            assert!(boxes[0] <= boxes[1], "{shape} {number}: {boxes:?}");
        }
    }
}
