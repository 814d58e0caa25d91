//! Degenerate contacts whose first time is known exactly: the bound is never later, and the search ends.

#[path = "../examples/degenerate/scenes.rs"]
mod scenes;

use patch_ccd::{Method, Options, Outcome, Workspace};
use scenes::Scene;

/// Roundings of the coordinates that the scenes are built from.
const ROUNDING: f64 = 1e-14;

fn solve(scene: &Scene, options: &Options) -> Outcome {
    let [a, b] = &scene.pair;
    Workspace::new().time_of_impact(a, b, options).unwrap()
}

/// Never later than the contact; no contact where there is none.
#[track_caller]
fn assert_sound(scene: &Scene, outcome: &Outcome) {
    match (scene.first, outcome.toi()) {
        (Some(first), Some(toi)) => {
            assert!(toi <= first + ROUNDING, "{}: {outcome:?}", scene.name);
        }
        (Some(_), None) => panic!("{}: {outcome:?}", scene.name),
        (None, _) => assert!(outcome.contact().is_none(), "{}: {outcome:?}", scene.name),
    }
}

#[test]
fn searches_end_with_few_boxes() {
    for (delta, most_boxes) in [(1e-6, 20_000), (1e-8, 50_000), (1e-10, 200_000)] {
        let options = Options {
            delta,
            max_boxes: most_boxes,
            ..Options::default()
        };
        for scene in scenes::all() {
            let outcome = solve(&scene, &options);
            assert_sound(&scene, &outcome);
            let Some(first) = scene.first else { continue };
            if scene.endless {
                continue;
            }
            let early = if scene.grazing { 1e-6 } else { delta };
            match outcome {
                Outcome::ContactAtStart { .. } => assert_eq!(first, 0.0, "{}", scene.name),
                Outcome::Impact { toi, .. } => {
                    assert!(toi > first - early - ROUNDING, "{}: {toi}", scene.name);
                }
                _ => panic!("{} at {delta}: {outcome:?}", scene.name),
            }
        }
    }
}

#[test]
fn bounds_hold_for_every_method_and_budget() {
    for method in [Method::TwoSided, Method::TimeDependent] {
        for max_boxes in [100, 3_000] {
            let options = Options {
                method,
                max_boxes,
                ..Options::default()
            };
            for scene in scenes::all() {
                assert_sound(&scene, &solve(&scene, &options));
            }
        }
    }
}

#[test]
fn a_tolerance_in_space_ends_degenerate_patches_early() {
    // Without it the pole's boxes must become small in their parameters.
    let fine = Options {
        delta: 1e-10,
        ..Options::default()
    };
    let mut fewer = 0;
    for scene in scenes::all().into_iter().filter(|scene| !scene.endless) {
        let alone = solve(&scene, &fine);
        // The patches approach each other by at most 4 in a unit of time, and at least by 0.2.
        let epsilon = 1e-5;
        for options in [
            Options { epsilon, ..fine },
            Options {
                relative_epsilon: epsilon / 4.0,
                ..fine
            },
        ] {
            let outcome = solve(&scene, &options);
            assert_sound(&scene, &outcome);
            if let (Some(toi), Some(first)) = (outcome.toi(), scene.first) {
                assert!(toi > first - 1e-4, "{}: {toi}", scene.name);
            }
            assert!(
                outcome.counters().boxes <= alone.counters().boxes,
                "{}: {outcome:?}, not {alone:?}",
                scene.name
            );
            fewer += u32::from(outcome.counters().boxes < alone.counters().boxes);
        }
    }
    assert!(fewer >= 10, "{fewer}");
}
