//! Degenerate contacts whose first time is known exactly: the bound is never later, and the search
//! ends.

use kit::scenes::degenerate::{Scene, all};
use patch_ccd::{Method, Options, Outcome};

use super::solve;

/// A sound outcome.
#[track_caller]
fn sound(scene: &Scene, options: &Options) -> Outcome {
    let outcome = solve(&scene.pair, options);
    scene.check_sound(&outcome).unwrap();
    outcome
}

#[test]
fn searches_end_with_few_boxes() {
    for (delta, max_boxes) in [(1e-6, 20_000), (1e-8, 50_000), (1e-10, 200_000)] {
        let options = Options {
            delta,
            max_boxes,
            ..Options::default()
        };
        for scene in all() {
            let outcome = sound(&scene, &options);
            if scene.first.is_some() && !scene.endless {
                scene.check(&outcome, &options).unwrap();
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
            for scene in all() {
                sound(&scene, &options);
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
    let near = Options {
        epsilon: 1e-5,
        ..fine
    };
    let relatively_near = Options {
        relative_epsilon: 1e-5 / 4.0,
        ..fine
    };
    let mut fewer = 0;
    for scene in all().into_iter().filter(|scene| !scene.endless) {
        let alone = sound(&scene, &fine).counters().boxes;
        for options in [near, relatively_near] {
            let outcome = sound(&scene, &options);
            // The patches approach each other by at least 0.2 in a unit of time.
            if let (Some(toi), Some(first)) = (outcome.toi(), scene.first) {
                assert!(toi > first - 1e-4, "{}: {toi}", scene.name);
            }
            let boxes = outcome.counters().boxes;
            assert!(boxes <= alone, "{}: {boxes}, not {alone}", scene.name);
            fewer += u32::from(boxes < alone);
        }
    }
    assert!(fewer >= 10, "{fewer}");
}
