//! One motion, written in several ways: the answers agree.

use kit::scenes::{BICUBIC, BILINEAR, QUADRATIC, random_patch};
use kit::{cases, each_case};
use nalgebra::{Rotation3, Vector3};
use patch_ccd::geometry::{AnyPatch, Patch, Shape};
use patch_ccd::{Moving, Options, Outcome, RigidMotion, time_of_impact};

type Motion = Moving<AnyPatch>;

/// Whether two answers can be of the same motion: brackets overlap, unless one of them is a contact
/// so late, or a miss so near, that roundings decide.
#[track_caller]
fn assert_agree(one: &Outcome, two: &Outcome, told: &str) {
    let bracket = |outcome: &Outcome| match *outcome {
        Outcome::Impact { toi, toi_upper, .. } => Some([toi, toi_upper]),
        Outcome::ContactAtStart { .. } => Some([0.0, 0.0]),
        Outcome::BudgetExhausted { toi, .. } => Some([toi, f64::INFINITY]),
        _ => None,
    };
    match (bracket(one), bracket(two)) {
        (Some([from, to]), Some([start, end])) => {
            let (from, start) = (from - 1e-9, start - 1e-9);
            assert!(from <= end && start <= to, "{told}: {one:?} {two:?}");
        }
        (None, Some([start, _])) | (Some([start, _]), None) => {
            let late = start > 1.0 - 2e-6;
            let out_of_budget = [one, two]
                .into_iter()
                .any(|outcome| matches!(outcome, Outcome::BudgetExhausted { .. }));
            assert!(late || out_of_budget, "{told}: {one:?} {two:?}");
        }
        (None, None) => {}
    }
}

fn solve(a: &Motion, b: &Motion, options: &Options) -> Outcome {
    time_of_impact(a, b, options).unwrap()
}

/// A patch whose control points are those of two, mixed.
fn mixed(start: &AnyPatch, end: &AnyPatch, part: f64) -> AnyPatch {
    let pairs = start.control_points().iter().zip(end.control_points());
    let points: Vec<_> = pairs.map(|(p, q)| p + (q - p) * part).collect();
    start.with_net(&points, start.weights()).unwrap()
}

const SHAPES: [Shape; 4] = [BILINEAR, QUADRATIC, BICUBIC, Shape::Triangular { n: 2 }];

#[test]
fn straight_lines_written_as_polynomials() {
    each_case(cases(300), |number, random| {
        let pair = [0, 1].map(|k| {
            let center = Vector3::new(1.5 * f64::from(k), 0.0, 0.0);
            let shape = random.pick(&SHAPES);
            let start = random_patch(shape, random, center, number % 3 == 0);
            let points = start.control_points().iter();
            let ends: Vec<_> = points.map(|p| p + random.vector(2.0)).collect();
            let end = start.with_net(&ends, start.weights()).unwrap();
            (start, end)
        });
        let options = Options::default();
        let [linear, quadratic, cubic] = [1, 2, 3].map(|degree| {
            pair.each_ref().map(|(start, end)| {
                let layer = |k: usize| mixed(start, end, k as f64 / degree as f64);
                let layers: Vec<_> = (0..=degree).map(layer).collect();
                Moving::polynomial(&layers).unwrap()
            })
        });
        let expected = solve(&linear[0], &linear[1], &options);
        for [one, two] in [&quadratic, &cubic] {
            assert_agree(&expected, &solve(one, two, &options), "both curved");
            assert_agree(&expected, &solve(one, &linear[1], &options), "one curved");
        }
    });
}

#[test]
fn a_rigid_body_that_does_not_turn() {
    each_case(cases(300), |number, random| {
        let (shape, other) = (random.pick(&SHAPES), random.pick(&SHAPES));
        let patch = random_patch(shape, random, Vector3::zeros(), number % 3 == 0);
        let velocity = random.vector(2.0);
        let rigid = RigidMotion {
            center: random.point(3.0),
            velocity,
            angular_velocity: Vector3::zeros(),
        };
        let center = Vector3::new(1.5, 0.0, 0.0);
        let other = Moving::resting(random_patch(other, random, center, false));
        let linear = Moving::translating(patch.clone(), velocity).unwrap();
        let rigid = Moving::rigid(patch, &rigid).unwrap();
        let options = Options::default();
        let expected = solve(&linear, &other, &options);
        assert_agree(&expected, &solve(&rigid, &other, &options), "first");
        assert_agree(&expected, &solve(&other, &rigid, &options), "second");
    });
}

/// A whole step against its four quarters: the first quarter with a contact has it.
#[test]
fn a_step_in_four_quarters() {
    each_case(cases(200), |_, random| {
        let (shape, other) = (random.pick(&SHAPES), random.pick(&SHAPES));
        let turning = super::turning(random, 3.0);
        let patch = random_patch(shape, random, Vector3::zeros(), false);
        let whole = Moving::rigid(patch.clone(), &turning).unwrap();
        let other = random_patch(other, random, Vector3::new(1.5, 0.5, 0.0), false);
        let other = Moving::resting(other);
        let options = Options::default();
        let expected = solve(&whole, &other, &options);
        let quarter = Options {
            t_max: 0.25,
            delta: 4e-6,
            ..options
        };
        for k in 0..4 {
            let from = 0.25 * f64::from(k);
            let turned = Rotation3::new(turning.angular_velocity * from);
            let center = turning.center + turning.velocity * from;
            let start = kit::scenes::placed(&patch, |p| center + turned * (p - turning.center));
            let motion = RigidMotion { center, ..turning };
            let part = Moving::rigid(start, &motion).unwrap();
            let found = solve(&part, &other, &quarter);
            let Some(toi) = found.toi() else { continue };
            let upper = match found {
                Outcome::Impact { toi_upper, .. } => toi_upper,
                Outcome::BudgetExhausted { .. } => return,
                _ => toi,
            };
            let Some(whole) = expected.toi() else {
                assert!(
                    from + toi > 1.0 - 1e-5,
                    "{found:?} in quarter {k}: {expected:?}"
                );
                return;
            };
            if matches!(expected, Outcome::BudgetExhausted { .. }) {
                return;
            }
            assert!(
                whole <= from + upper + 1e-9,
                "{expected:?} quarter {k} {found:?}"
            );
            assert!(
                whole >= from + toi - 1e-5,
                "{expected:?} quarter {k} {found:?}"
            );
            return;
        }
        let late = expected.toi().is_none_or(|toi| toi > 1.0 - 1e-5);
        let exhausted = matches!(expected, Outcome::BudgetExhausted { .. });
        assert!(
            late || exhausted,
            "{expected:?}, but no quarter has a contact"
        );
    });
}

/// No contact in the step: none in the step backwards.
#[test]
fn a_step_reversed() {
    let mut clear = 0;
    each_case(cases(300), |_, random| {
        let shapes = [random.pick(&SHAPES), random.pick(&SHAPES)];
        let turning = [0, 1].map(|_| super::turning(random, 2.0));
        let patches = [0, 1].map(|k| {
            let center = Vector3::new(2.5 * k as f64, 0.0, 0.0);
            random_patch(shapes[k], random, center, false)
        });
        let forwards = [0, 1].map(|k| Moving::rigid(patches[k].clone(), &turning[k]).unwrap());
        let backwards = [0, 1].map(|k| {
            let RigidMotion {
                center,
                velocity,
                angular_velocity,
            } = turning[k];
            let turned = Rotation3::new(angular_velocity);
            let end =
                kit::scenes::placed(&patches[k], |p| center + velocity + turned * (p - center));
            let motion = RigidMotion {
                center: center + velocity,
                velocity: -velocity,
                angular_velocity: -angular_velocity,
            };
            Moving::rigid(end, &motion).unwrap()
        });
        let options = Options {
            min_separation: 1e-3,
            ..Options::default()
        };
        let there = solve(&forwards[0], &forwards[1], &options);
        let back = solve(&backwards[0], &backwards[1], &Options::default());
        if let Outcome::Clear { .. } = there {
            clear += 1;
            let is_contact = back.contact().is_some();
            assert!(!is_contact, "{there:?} {back:?}");
        }
    });
    assert!(clear > 0);
}
