//! The search from both ends: brackets around the time of impact that a local solve found, and the
//! few boxes that contacts along lines and over areas take with it.

use std::fs::File;
use std::io::BufReader;

use kit::scenes::{BILINEAR, Motion, arch, falling, going, patch, resting, square};
use kit::{PairKind, Random, RandomPairs, cases, each_case};
use nalgebra::{Point3, Rotation3, point, vector};
use patch_ccd::geometry::{AnyPatch, Shape};
use patch_ccd::query::LEAST_DELTA;
use patch_ccd::{
    Contact, Error, Inclusion, Method, Moving, Options, Outcome, Workspace, edge_edge, vertex_face,
};

use super::solve;

/// The bracket and the contact of an impact.
fn impact(outcome: &Outcome) -> Option<([f64; 2], Contact)> {
    match *outcome {
        Outcome::Impact {
            toi,
            toi_upper,
            contact,
            ..
        } => Some(([toi, toi_upper], contact)),
        _ => None,
    }
}

/// They meet at 1/2, and few boxes make a bracket as narrow as δ around that.
#[track_caller]
fn assert_meet(pair: &[Motion; 2], told: &str) {
    let outcome = solve(pair, &Options::default());
    let told = format!("{told}: {outcome:?}");
    let ([toi, toi_upper], contact) = impact(&outcome).expect(&told);
    assert!(toi <= 0.5 && toi > 0.5 - 1e-6, "{told}");
    assert!((toi_upper - 0.5).abs() < 1e-12, "{told}");
    assert!(
        contact.time == toi_upper && contact.residual < 1e-12,
        "{told}"
    );
    assert!(outcome.counters().boxes <= 50_000, "{told}");
}

/// A parabolic ridge along u = `at`, turned about the vertical, that falls at speed 1 from 1/2
/// above a plane.
fn ridge(at: f64, degree: usize, turn: f64) -> [Motion; 2] {
    let rotation = Rotation3::from_euler_angles(0.0, 0.0, turn);
    let n = degree as f64;
    // The coefficients of (u − at)².
    let height = |u: f64| at * at - 2.0 * at * u + u * (n * u - 1.0) / (n - 1.0);
    let ridge = patch(Shape::TensorProduct { n: degree, m: 1 }, |u, v| {
        rotation * point![u - at, v - 0.5, 0.5 + height(u)]
    });
    let plane = patch(BILINEAR, |u, v| point![4.0 * u - 1.9, 4.0 * v - 2.2, 0.0]);
    [falling(1.0, ridge), resting(plane)]
}

#[test]
fn contacts_along_lines_off_the_midpoints_end_early() {
    for at in [1.0 / 3.0, 0.2, 0.7, 3.0_f64.sqrt() / 2.0] {
        for degree in [2, 3, 5] {
            for turn in [0.0, 0.1, 0.7, 1.3] {
                let told = format!("ridge at {at} of degree {degree} turned by {turn}");
                assert_meet(&ridge(at, degree, turn), &told);
            }
        }
    }
}

/// A plane comes down on the crown of a quarter of a cylinder, at an angle.
#[test]
fn a_cylinder_on_a_plane_ends_early() {
    for (turn, tilt) in [(0.0, 0.3), (0.4, -0.5), (1.1, 0.1)] {
        let rotation = Rotation3::from_euler_angles(0.0, 0.0, turn)
            * Rotation3::from_euler_angles(0.0, tilt, 0.0);
        let plane = patch(BILINEAR, |u, v| point![5.0 * u - 2.3, 5.0 * v - 2.6, 2.0]);
        let pair = [resting(arch(1.0, rotation, 0.0)), falling(2.0, plane)];
        assert_meet(&pair, &format!("turned by {turn}, tilted by {tilt}"));
    }
}

/// Plane patches of curved nets, which overlap in part of a third.
#[test]
fn contacts_over_areas_end_early() {
    for n in [2, 3] {
        let flat = |x: f64, z: f64| {
            let place = |u: f64, v: f64| point![x + u * u, v - 0.2 * u * v, z + 0.3 * v];
            patch(Shape::TensorProduct { n, m: n }, place)
        };
        let pair = [
            going([0.1, 0.0, -2.0], flat(0.0, 1.0)),
            resting(flat(1.0 / 3.0, 0.0)),
        ];
        assert_meet(&pair, &format!("degree {n}"));
    }
}

#[test]
fn brackets_of_random_pairs_hold_the_time_of_impact() {
    let mut workspace = Workspace::new();
    let (mut found, mut impacts) = (0, 0);
    for kind in PairKind::TABLE {
        for pair in RandomPairs::new(kind.shape(), 5).take(25) {
            let [a, b] = pair.unwrap();
            let fine = Options {
                method: Method::TimeDependent,
                delta: 1e-10,
                ..Options::default()
            };
            let exact = workspace.time_of_impact(&a, &b, &fine).unwrap().toi();
            for delta in [1e-2, 1e-4, 1e-6, 1e-8] {
                let options = Options {
                    delta,
                    ..Options::default()
                };
                let outcome = workspace.time_of_impact(&a, &b, &options).unwrap();
                let Some(([toi, toi_upper], contact)) = impact(&outcome) else {
                    assert_eq!(outcome.toi(), exact, "{kind} {delta}");
                    continue;
                };
                let exact = exact.unwrap();
                let told = format!("{kind} {delta}, exactly {exact}: {outcome:?}");
                impacts += 1;
                assert!(toi <= exact + 2e-10, "{told}");
                assert!(toi >= exact - 3.0 * delta, "{told}");
                if contact.time == toi_upper {
                    found += 1;
                    assert!(toi_upper >= exact && toi_upper - toi <= delta, "{told}");
                    assert!(contact.residual < 1e-12, "{told}");
                }
            }
        }
    }
    assert!(found * 10 > impacts * 9, "{found} of {impacts} found");
}

#[test]
fn separations_have_brackets_too() {
    let sheet = |x: f64, z: f64, bend: f64| {
        let squared = |x: f64| x * x;
        let height = move |u, v| bend * (squared(u - 0.3) + 0.4 * squared(v - 0.6));
        patch(Shape::TensorProduct { n: 3, m: 2 }, move |u, v| {
            point![x + u, v, z + height(u, v)]
        })
    };
    let pair = [
        going([0.0, 0.2, -2.5], sheet(0.1, 1.5, 1.0)),
        resting(sheet(0.0, 0.0, -0.8)),
    ];
    for min_separation in [1e-3, 0.1, 0.4] {
        let options = Options {
            min_separation,
            ..Options::default()
        };
        let outcome = solve(&pair, &options);
        let told = format!("{min_separation}: {outcome:?}");
        let ([toi, toi_upper], contact) = impact(&outcome).expect(&told);
        assert!(toi_upper - toi <= 1e-6, "{told}");
        assert!((contact.residual - min_separation).abs() < 1e-12, "{told}");
        // The nearest points are on their common normal.
        let across = (contact.points[0] - contact.points[1]).normalize();
        for normal in contact.normals.into_iter().flatten() {
            assert!(normal.cross(&across).norm() < 1e-6, "{told}");
        }
        let one_sided = Options {
            method: Method::TimeDependent,
            ..options
        };
        let other = solve(&pair, &one_sided);
        assert!((toi - other.toi().unwrap()).abs() < 2e-6, "{told}");
        assert!(outcome.counters().boxes < other.counters().boxes, "{told}");
    }
    // By coordinates a Euclidean contact is one as well, only not the first.
    let options = Options {
        inclusion: Inclusion::Aabb,
        min_separation: 0.25,
        delta: 1e-4,
        ..Options::default()
    };
    let pair = [falling(1.0, square(1.0)), resting(square(0.0))];
    let toi = solve(&pair, &options).toi().unwrap();
    assert!(toi <= 0.75 && toi > 0.75 - 2e-4, "{toi:?}");
}

/// A local solve finds nearly all impacts of the reference pairs, each good to rounding.
#[test]
fn local_solves_find_nearly_all_contacts_of_the_reference_pairs() {
    let mut workspace = Workspace::new();
    for kind in PairKind::TABLE.into_iter().chain(PairKind::RATIONAL) {
        let file = File::open(kit::data(format!("pairs/{kind}.bin"))).unwrap();
        let (mut found, mut impacts) = (0, 0);
        for pair in kind.reader(BufReader::new(file)) {
            let [a, b] = pair.unwrap();
            let options = Options::default();
            let outcome = workspace.time_of_impact(&a, &b, &options).unwrap();
            let Some(([_, toi_upper], contact)) = impact(&outcome) else {
                continue;
            };
            impacts += 1;
            if contact.time == toi_upper {
                found += 1;
                assert!(contact.residual < 1e-13, "{kind}: {contact:?}");
            }
        }
        assert!(found * 10 >= impacts * 9, "{kind}: {found} of {impacts}");
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
        let moved = |points: [Point3<f64>; 4], speeds: [f64; 4]| {
            std::array::from_fn(|k| {
                let wobble = (1.7 * f64::from(turn) + k as f64).sin();
                let aside = 0.02 * wobble;
                points[k] + vector![aside, 0.02 - aside, speeds[k] * (1.0 + 0.2 * wobble)]
            })
        };
        let crossing = [edges, moved(edges, [1.0, 1.0, -1.0, -1.0])];
        let falling = [face, moved(face, [-1.0, 0.2, 0.2, 0.2])];
        let options = Options::default();
        let outcomes: [Result<Outcome, Error>; 2] = [
            edge_edge(&crossing, &options),
            vertex_face(&falling, &options),
        ];
        for outcome in outcomes {
            let outcome = outcome.unwrap();
            let told = format!("{outcome:?}");
            let ([toi, toi_upper], contact) = impact(&outcome).expect(&told);
            assert!(
                contact.time == toi_upper && toi_upper - toi <= 1e-6,
                "{told}"
            );
            assert!(contact.residual < 1e-14, "{told}");
            assert!(outcome.counters().boxes < 60, "{told}");
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
        let pairs = RandomPairs::new(shape, 20 + seed as u64).zip(others);
        for (number, (one, two)) in pairs.take(300).enumerate() {
            let ([a, _], [_, b]) = (one.unwrap(), two.unwrap());
            let [two_sided, one_sided] = [Method::TwoSided, Method::TimeDependent].map(|method| {
                let options = Options {
                    method,
                    min_separation: [0.0, 0.1, 0.3][number % 3],
                    max_boxes: 300_000,
                    ..Options::default()
                };
                let outcome = workspace.time_of_impact(&a, &b, &options).unwrap();
                outcome.counters().boxes
            });
            assert!(
                two_sided <= 10 * one_sided + 2000,
                "{shape} {number}: {two_sided}, {one_sided}"
            );
        }
    }
}

/// With weights that differ by orders of magnitude, a part of a patch that is narrow in parameters
/// may be long. It must not end the search before it is short.
#[test]
fn times_are_as_early_with_uneven_weights() {
    let mut impacts = 0;
    each_case(cases(100), |_, random| {
        let net = |z: f64, random: &mut Random| {
            let places = [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)];
            places.map(|(x, y)| point![x, y, z] + random.vector(0.5))
        };
        let weights = [(); 4].map(|()| 1e6_f64.powf(random.unit()));
        let rounded = AnyPatch::rational_from_shape(BILINEAR, &net(1.0, random), &weights).unwrap();
        let velocities = [(); 4].map(|()| vector![0.0, 0.0, -1.5] + random.vector(0.3));
        let falling = Moving::with_velocities(rounded, &velocities).unwrap();
        let below = AnyPatch::from_shape(BILINEAR, &net(0.0, random)).unwrap();
        let pair = [falling, resting(below)];
        let [coarse, fine] = [1e-4, LEAST_DELTA].map(|delta| {
            let options = Options {
                delta,
                ..Options::default()
            };
            solve(&pair, &options)
        });
        if let (Some(toi), Some(proven)) = (coarse.toi(), fine.toi()) {
            impacts += usize::from(impact(&coarse).is_some());
            assert!(toi >= proven - 1e-4, "{coarse:?} {fine:?}");
        }
    });
    assert!(impacts > 0);
}
