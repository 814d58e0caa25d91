//! Degenerate, huge and tiny input gets an answer: no panic, no endless search, no NaN in the outcome.

#[allow(dead_code, reason = "shared with other tests")]
mod common;
mod shapes;

use nalgebra::{Point3, Vector3, point, vector};
use patch_ccd::geometry::AnyPatch;
use patch_ccd::{Method, Moving, Options, Outcome, time_of_impact};

use common::{ENGINES, Motion, patch};
use shapes::{SHAPES, closing, flat};

/// Solves with every engine; the first is the time-dependent method with OBB, which known answers are for.
fn outcomes(a: &Motion, b: &Motion, options: &Options) -> Vec<Outcome> {
    let solve = |(method, inclusion)| {
        let options = Options {
            inclusion,
            method,
            max_boxes: 5_000,
            ..*options
        };
        let outcome = time_of_impact(a, b, &options).expect("an outcome");
        assert_sane(&outcome, &options);
        outcome
    };
    ENGINES.into_iter().map(solve).collect()
}

/// Looks at every number of an outcome.
fn assert_sane(outcome: &Outcome, options: &Options) {
    if let Some(toi) = outcome.toi() {
        assert!((0.0..=options.t_max).contains(&toi), "{outcome:?}");
    }
    if let Outcome::Impact { toi, toi_upper, .. } = *outcome {
        assert!((toi..=options.t_max).contains(&toi_upper), "{outcome:?}");
    }
    if let Some(contact) = outcome.contact() {
        let unit = 0.0..=1.0;
        for (u, v) in contact.parameters {
            assert!(unit.contains(&u) && unit.contains(&v), "{outcome:?}");
        }
        let mut coordinates = contact.points.iter().flat_map(Point3::iter);
        assert!(coordinates.all(|x| !x.is_nan()), "{outcome:?}");
        for normal in contact.normals.into_iter().flatten() {
            assert!((normal.norm() - 1.0).abs() < 1e-12, "{outcome:?}");
        }
        // NaN is not ≥ 0.
        assert!(contact.residual >= 0.0, "{outcome:?}");
    }
    let counters = outcome.counters();
    assert!(counters.boxes > 0 && counters.axes > 0, "{outcome:?}");
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
    assert_not_later(outcomes, expected);
}

#[track_caller]
fn assert_not_later(outcomes: &[Outcome], expected: f64) {
    for outcome in outcomes {
        assert!(
            outcome.toi().is_some_and(|toi| toi <= expected),
            "{outcome:?}"
        );
    }
}

#[track_caller]
fn assert_contact_at_start(outcomes: &[Outcome]) {
    assert!(
        matches!(outcomes[0], Outcome::ContactAtStart { .. }),
        "{:?}",
        outcomes[0]
    );
    assert_not_later(outcomes, 0.0);
}

#[track_caller]
fn assert_clear(outcome: &Outcome) {
    assert!(matches!(outcome, Outcome::Clear { .. }), "{outcome:?}");
}

fn moving(start: AnyPatch, velocity: Vector3<f64>) -> Motion {
    Moving::translating(start, velocity).expect("a motion")
}

#[test]
fn collapsed_edges() {
    let options = Options::default();
    for shape in SHAPES {
        for other in SHAPES {
            let floor = Moving::resting(patch(other, |u, v| point![4.0 * u, 4.0 * v, 0.0]));
            for collapsed in [
                patch(shape, |u, v| point![0.1 + u * v, 0.1 + v, 1.0 + u]),
                patch(shape, |u, v| point![0.1 + u, 0.1 + u * v, 1.0 + u]),
                patch(shape, |_, v| point![0.3, 0.1, 1.0 + v]),
            ] {
                let falling = moving(collapsed, vector![0.0, 0.0, -2.0]);
                assert_not_later(&outcomes(&falling, &floor, &options), 0.5);
            }
        }
    }
}

#[test]
fn collapsed_to_points() {
    let options = Options::default();
    for shape in SHAPES {
        let here = patch(shape, |_, _| point![0.25, 0.5, 1.0]);
        let resting = Moving::resting(here.clone());
        assert_contact_at_start(&outcomes(&resting, &resting, &options));
        let coming = moving(here, vector![-0.5, -1.0, -2.0]);
        let origin = Moving::resting(patch(shape, |_, _| Point3::origin()));
        assert_impact(&outcomes(&coming, &origin, &options), 0.5, &options);
        let beside = Moving::resting(patch(shape, |_, _| point![0.25, 0.5, 1.0 + 1e-12]));
        assert_clear(&outcomes(&resting, &beside, &options)[0]);
    }
}

#[test]
fn at_rest() {
    for t_max in [1.0, 0.0] {
        let options = Options {
            t_max,
            ..Options::default()
        };
        for shape in SHAPES {
            let wavy = |shape, z: f64| {
                Moving::resting(patch(shape, move |u, v| {
                    point![u, v, z + u * v * (1.0 - u)]
                }))
            };
            for other in SHAPES {
                for outcome in outcomes(&wavy(shape, 0.0), &wavy(other, 1.0), &options) {
                    assert_clear(&outcome);
                }
            }
            assert_contact_at_start(&outcomes(&wavy(shape, 0.0), &wavy(shape, 0.0), &options));
        }
    }
}

#[test]
fn moving_together() {
    let options = Options::default();
    for shape in SHAPES {
        let [a, b] = [0.0, 1e-3].map(|z| moving(flat(shape, z), vector![3.0, -5.0, 1e6]));
        assert_clear(&outcomes(&a, &b, &options)[0]);
        assert_contact_at_start(&outcomes(&a, &a, &options));
    }
}

/// The same scene in any unit of length, down to numbers that have lost most of their digits.
#[test]
fn any_unit_of_length() {
    let options = Options::default();
    for unit in [
        1e150,
        1e-150,
        1e300,
        1e-300,
        1e307,
        1e-310,
        64.0 * f64::from_bits(1),
    ] {
        for shape in SHAPES {
            let at = |z: f64| patch(shape, move |u, v| point![u, v, z] * unit);
            let falling = moving(at(1.0), vector![0.0, 0.0, -2.0 * unit]);
            let outcomes = outcomes(&falling, &Moving::resting(at(0.0)), &options);
            assert_impact(&outcomes, 0.5, &options);
        }
    }
}

#[test]
fn any_unit_of_time() {
    for unit in [1e150, 1e-150, 1e300, 1e-300] {
        let options = Options {
            t_max: unit,
            ..Options::default()
        };
        for shape in SHAPES {
            let falling = moving(flat(shape, 1.0), vector![0.0, 0.0, -2.0 / unit]);
            let outcomes = outcomes(&falling, &Moving::resting(flat(shape, 0.0)), &options);
            // The rounding of 2 / unit shifts the exact time.
            assert_impact(&outcomes, 0.5 * unit * (1.0 + 1e-15), &options);
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
            let falling = moving(at(z), vector![0.0, 0.0, -2.0 * z]);
            assert_not_later(
                &outcomes(&falling, &Moving::resting(at(0.0)), &options),
                0.5,
            );
        }
    }
}

#[test]
fn very_fast() {
    let options = Options::default();
    for speed in [1e10, 1e150, 1e300, f64::MAX] {
        for shape in SHAPES {
            let falling = moving(flat(shape, 1.0), vector![0.0, 0.0, -speed]);
            let outcomes = outcomes(&falling, &Moving::resting(flat(shape, 0.0)), &options);
            assert_not_later(&outcomes, 1.0 / speed);
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
        let a = moving(corner(far, far), vector![0.0, 0.0, -far]);
        let b = moving(corner(-far, -far), vector![0.0, 0.0, far]);
        assert_not_later(&outcomes(&a, &b, &options), 1.0);
        let separated = Options {
            min_separation: far,
            ..options
        };
        assert_not_later(&outcomes(&a, &b, &separated), 1.0);
        let away = moving(corner(far, far), vector![far, far, far]);
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
        for min_separation in [f64::from_bits(1), 1e-300, 1e-150, 1e-20] {
            let options = Options {
                min_separation,
                ..Options::default()
            };
            assert_impact(&outcomes(&a, &b, &options), 0.5, &options);
        }
        for min_separation in [1.0, 2.0, 1e150, 1e300, f64::MAX] {
            let options = Options {
                min_separation,
                ..Options::default()
            };
            assert_contact_at_start(&outcomes(&a, &b, &options));
        }
    }
}

#[test]
fn budget_of_one() {
    for shape in SHAPES {
        let [a, b] = closing(shape);
        let far = Moving::resting(flat(shape, 9.0));
        for method in [Method::TwoSided, Method::TimeDependent, Method::Traditional] {
            let options = Options {
                method,
                max_boxes: 1,
                ..Options::default()
            };
            let outcome = time_of_impact(&a, &b, &options).expect("an outcome");
            assert_sane(&outcome, &options);
            assert!(
                matches!(outcome, Outcome::BudgetExhausted { .. }),
                "{outcome:?}"
            );
            assert_not_later(&[outcome], 0.5);
            if method != Method::Traditional {
                assert_eq!(outcome.counters().boxes, 1);
                // One box is proof enough for patches that never come close.
                assert_clear(&time_of_impact(&a, &far, &options).expect("an outcome"));
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
        let outcome = time_of_impact(&a, &b, &options).expect("an outcome");
        assert!(outcome.counters().boxes <= max_boxes, "{outcome:?}");
        assert_not_later(&[outcome], 0.5);
    }
}

/// Found by throwing everything at the query: what once gave an impact at 0, NaN, or took minutes.
mod found {
    use kit::PairReader;
    use nalgebra::{Point3, point, vector};
    use patch_ccd::geometry::{Patch, Shape, TensorProductPatch};
    use patch_ccd::{
        Error, Inclusion, Method, Moving, Options, Outcome, time_of_impact, vertex_face,
        vertex_vertex,
    };

    #[test]
    fn positive_time_that_rounds_to_zero() {
        let start = [Point3::origin(), point![1e-16, 0.0, 0.0]];
        let end = [point![1e308, 0.0, 0.0], start[1]];
        let options = Options {
            t_max: 5e-324,
            no_zero_toi: true,
            ..Options::default()
        };
        let outcome = vertex_vertex(&[start, end], &options).unwrap();
        assert!(
            matches!(outcome, Outcome::BudgetExhausted { toi: 0.0, .. }),
            "{outcome:?}"
        );
    }

    #[test]
    fn clear_now_is_clear() {
        let step = [
            point![1.0, 2.0, -1.0],
            point![-1.0, 1.0, 2.0],
            point![2.0, 4.0, -1.0],
            point![0.0, 0.0, 2.0],
        ];
        let options = Options {
            inclusion: Inclusion::Aabb,
            method: Method::Traditional,
            delta: 1.0,
            t_max: 0.0,
            no_zero_toi: true,
            ..Options::default()
        };
        let outcome = vertex_face(&[step; 2], &options).unwrap();
        assert!(matches!(outcome, Outcome::Clear { .. }), "{outcome:?}");
    }

    #[test]
    fn points_that_leave_the_range_of_doubles() {
        let at = |x: f64, y: f64| point![x * 1e308, y * 1e308, 0.0];
        let net = [at(-1.0, 0.0), at(-1.0, 1.0), at(1.0, 0.0), at(1.0, 1.0)];
        let patch = TensorProductPatch::new(1, 1, &net).unwrap();
        let rest = Moving::resting(patch.clone());
        let stretching = net.map(|p| vector![p.x, 0.0, 0.0]);
        let moving = Moving::with_velocities(patch, &stretching).unwrap();
        let error = time_of_impact(&rest, &moving, &Options::default()).unwrap_err();
        assert!(
            matches!(&error, Error::Patch { patch: 2, source } if matches!(**source, Error::Overflow { index: 0, coordinate: 0, .. })),
            "{error}"
        );
    }

    #[test]
    fn readers_end_at_an_error() {
        let junk = [0_u8; 1000];
        let mut reader = PairReader::new(&junk[..], Shape::Triangular { n: 31 });
        assert!(reader.next().is_some_and(|pair| pair.is_err()));
        assert!(reader.next().is_none());
    }

    struct Endless;

    impl Patch for Endless {
        fn shape(&self) -> Shape {
            Shape::TensorProduct {
                n: usize::MAX,
                m: 1 << 32,
            }
        }

        fn control_points(&self) -> &[Point3<f64>] {
            &[]
        }

        fn with_net(&self, _: &[Point3<f64>], _: Option<&[f64]>) -> Result<Self, Error> {
            Ok(Self)
        }
    }

    #[test]
    fn degrees_that_no_memory_holds() {
        assert_eq!(Endless.eval(0.5, 0.5), Point3::origin());
        assert_eq!(Endless.normal(0.5, 0.5), None);
        assert!(Endless.subdivide().is_err());
        let moving = Moving::resting(Endless);
        assert_eq!(moving.eval(0.5, 0.5, 0.5), Point3::origin());
        assert!(time_of_impact(&moving, &moving, &Options::default()).is_err());
    }
}
