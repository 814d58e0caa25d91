//! Queries of degenerate, huge and tiny input: an answer by every engine, which is right.

use kit::scenes::{Motion, SHAPES, closing, falling, flat, going, patch, resting};
use kit::{assert_not_later, check_outcome, engines};
use nalgebra::{Point3, point};
use patch_ccd::{Method, Options, Outcome, time_of_impact};

/// Solves with every engine, the default one first.
fn outcomes(a: &Motion, b: &Motion, options: &Options) -> Vec<Outcome> {
    let solve = |options: Options| {
        let outcome = time_of_impact(a, b, &options).unwrap();
        check_outcome(&outcome, &options);
        let counters = outcome.counters();
        assert!(counters.boxes > 0 && counters.axes > 0, "{outcome:?}");
        outcome
    };
    let options = Options {
        max_boxes: 5_000,
        ..*options
    };
    engines(&options).map(solve).collect()
}

#[track_caller]
fn assert_none_later(outcomes: &[Outcome], time: f64) {
    outcomes
        .iter()
        .for_each(|outcome| assert_not_later(outcome, time));
}

#[track_caller]
fn assert_impact(outcomes: &[Outcome], expected: f64, options: &Options) {
    let Outcome::Impact { toi, contact, .. } = outcomes[0] else {
        panic!("{:?}", outcomes[0]);
    };
    let early = expected - toi;
    assert!(
        (0.0..=5.0 * options.delta * options.t_max).contains(&early),
        "{toi:?}"
    );
    assert!(contact.residual.is_finite());
    assert_none_later(outcomes, expected);
}

#[track_caller]
fn assert_contact_at_start(outcomes: &[Outcome]) {
    let first = &outcomes[0];
    assert!(matches!(first, Outcome::ContactAtStart { .. }), "{first:?}");
    assert_none_later(outcomes, 0.0);
}

#[track_caller]
fn assert_clear(outcome: &Outcome) {
    assert!(matches!(outcome, Outcome::Clear { .. }), "{outcome:?}");
}

#[test]
fn collapsed_edges() {
    let options = Options::default();
    for (shape, other) in SHAPES.into_iter().flat_map(|a| SHAPES.map(|b| (a, b))) {
        let floor = resting(patch(other, |u, v| point![4.0 * u, 4.0 * v, 0.0]));
        for collapsed in [
            patch(shape, |u, v| point![0.1 + u * v, 0.1 + v, 1.0 + u]),
            patch(shape, |u, v| point![0.1 + u, 0.1 + u * v, 1.0 + u]),
            patch(shape, |_, v| point![0.3, 0.1, 1.0 + v]),
        ] {
            assert_none_later(&outcomes(&falling(2.0, collapsed), &floor, &options), 0.5);
        }
    }
}

#[test]
fn collapsed_to_points() {
    let options = Options::default();
    for shape in SHAPES {
        let here = patch(shape, |_, _| point![0.25, 0.5, 1.0]);
        let rest = resting(here.clone());
        assert_contact_at_start(&outcomes(&rest, &rest, &options));
        let coming = going([-0.5, -1.0, -2.0], here);
        let origin = resting(patch(shape, |_, _| Point3::origin()));
        assert_impact(&outcomes(&coming, &origin, &options), 0.5, &options);
        let beside = resting(patch(shape, |_, _| point![0.25, 0.5, 1.0 + 1e-12]));
        assert_clear(&outcomes(&rest, &beside, &options)[0]);
    }
}

#[test]
fn at_rest() {
    for t_max in [1.0, 0.0] {
        let options = Options {
            t_max,
            ..Options::default()
        };
        let wavy = |shape, z: f64| {
            resting(patch(shape, move |u, v| {
                point![u, v, z + u * v * (1.0 - u)]
            }))
        };
        for shape in SHAPES {
            let wave = wavy(shape, 0.0);
            for other in SHAPES {
                let outcomes = outcomes(&wave, &wavy(other, 1.0), &options);
                outcomes.iter().for_each(assert_clear);
            }
            assert_contact_at_start(&outcomes(&wave, &wave, &options));
        }
    }
}

#[test]
fn moving_together() {
    let options = Options::default();
    for shape in SHAPES {
        let [a, b] = [0.0, 1e-3].map(|z| going([3.0, -5.0, 1e6], flat(shape, z)));
        assert_clear(&outcomes(&a, &b, &options)[0]);
        assert_contact_at_start(&outcomes(&a, &a, &options));
    }
}

/// The same scene in any unit of length, down to numbers that have lost most of their digits.
#[test]
fn any_unit_of_length() {
    let options = Options::default();
    let least = 64.0 * f64::from_bits(1);
    for unit in [1e150, 1e-150, 1e300, 1e-300, 1e307, 1e-310, least] {
        for shape in SHAPES {
            let at = |z: f64| patch(shape, move |u, v| point![u, v, z] * unit);
            let outcomes = outcomes(&falling(2.0 * unit, at(1.0)), &resting(at(0.0)), &options);
            assert_impact(&outcomes, 0.5, &options);
        }
    }
}

#[test]
fn any_unit_of_time() {
    for t_max in [1e150, 1e-150, 1e300, 1e-300] {
        let options = Options {
            t_max,
            ..Options::default()
        };
        for shape in SHAPES {
            let falling = falling(2.0 / t_max, flat(shape, 1.0));
            let outcomes = outcomes(&falling, &resting(flat(shape, 0.0)), &options);
            // The rounding of 2 / t_max shifts the exact time.
            assert_impact(&outcomes, 0.5 * t_max * (1.0 + 1e-15), &options);
        }
    }
}

#[test]
fn large_beside_small() {
    let options = Options::default();
    for [x, y, z] in [
        [1e150, 1.0, 1e-150],
        [1e-150, 1e150, 1.0],
        [1e300, 1e-300, 1e-300],
    ] {
        for shape in SHAPES {
            let at = |height: f64| patch(shape, move |u, v| point![u * x, v * y, height]);
            let outcomes = outcomes(&falling(2.0 * z, at(z)), &resting(at(0.0)), &options);
            assert_none_later(&outcomes, 0.5);
        }
    }
}

#[test]
fn very_fast() {
    let options = Options::default();
    for speed in [1e10, 1e150, 1e300, f64::MAX] {
        for shape in SHAPES {
            let falling = falling(speed, flat(shape, 1.0));
            let outcomes = outcomes(&falling, &resting(flat(shape, 0.0)), &options);
            assert_none_later(&outcomes, 1.0 / speed);
        }
    }
}

/// Coordinates whose sums and differences overflow: a residual may be infinite, but not NaN.
#[test]
fn at_the_end_of_the_range() {
    let far = f64::MAX;
    let options = Options::default();
    for shape in SHAPES {
        let corner = |x, z| patch(shape, move |u, v| point![u * x, v * far, z]);
        let a = falling(far, corner(far, far));
        let b = falling(-far, corner(-far, -far));
        for min_separation in [0.0, far] {
            let options = Options {
                min_separation,
                ..options
            };
            assert_none_later(&outcomes(&a, &b, &options), 1.0);
        }
        let away = going([far; 3], corner(far, far));
        for other in [&away, &b] {
            let error = time_of_impact(&away, other, &options).unwrap_err();
            assert!(error.to_string().contains("leaves the range"), "{error}");
        }
    }
}

#[test]
fn any_minimum_separation() {
    for shape in SHAPES {
        let [a, b] = closing(shape);
        let at = |min_separation| Options {
            min_separation,
            ..Options::default()
        };
        for options in [f64::from_bits(1), 1e-300, 1e-150, 1e-20].map(at) {
            assert_impact(&outcomes(&a, &b, &options), 0.5, &options);
        }
        for options in [1.0, 2.0, 1e150, 1e300, f64::MAX].map(at) {
            assert_contact_at_start(&outcomes(&a, &b, &options));
        }
    }
}

#[test]
fn budget_of_one() {
    for shape in SHAPES {
        let [a, b] = closing(shape);
        let far = resting(flat(shape, 9.0));
        for method in [Method::TwoSided, Method::TimeDependent, Method::Traditional] {
            let options = Options {
                method,
                max_boxes: 1,
                ..Options::default()
            };
            let outcome = time_of_impact(&a, &b, &options).unwrap();
            check_outcome(&outcome, &options);
            assert!(
                matches!(outcome, Outcome::BudgetExhausted { .. }),
                "{outcome:?}"
            );
            assert_not_later(&outcome, 0.5);
            if method != Method::Traditional {
                assert_eq!(outcome.counters().boxes, 1);
                // One box is proof enough for patches that never come close.
                assert_clear(&time_of_impact(&a, &far, &options).unwrap());
            }
        }
    }
}

/// The budget is kept, whatever it is, and the bound that it leaves is sound.
#[test]
fn any_budget() {
    let [a, b] = closing(SHAPES[1]);
    for max_boxes in (1..400).step_by(7) {
        let options = Options {
            max_boxes,
            ..Options::default()
        };
        let outcome = time_of_impact(&a, &b, &options).unwrap();
        check_outcome(&outcome, &options);
        assert_not_later(&outcome, 0.5);
    }
}
