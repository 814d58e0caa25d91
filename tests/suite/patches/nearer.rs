//! Curved patches that start nearer than their separation, which shrinks to a share of their
//! distance.

use std::f64::consts::FRAC_1_SQRT_2;

use kit::scenes::{
    BICUBIC, BILINEAR, BIQUADRATIC, LINEAR, Motion, QUADRATIC, flat, going, level, octant, resting,
};
use kit::{ENGINES, check_distance, check_outcome};
use nalgebra::{Point3, Vector3, point, vector};
use patch_ccd::geometry::AnyPatch;
use patch_ccd::{
    DistanceOptions, Method, Moving, Options, Outcome, Workspace, closest_points, time_of_impact,
    time_of_impact_batch,
};

use super::{bowl, floor, solve};

fn shrinking(engine: Options, min_separation: f64) -> Options {
    Options {
        min_separation,
        shrink_separation: Some(0.9),
        ..engine
    }
}

/// With the traditional method, and with axis-aligned boxes, curved patches take too many boxes.
fn fast_engines() -> impl Iterator<Item = Options> {
    [Method::TwoSided, Method::TimeDependent]
        .into_iter()
        .map(|method| Options {
            method,
            ..Options::default()
        })
}

/// Octants of two spheres about the origin and this point, with poles and weights.
fn spheres(radii: [f64; 2], apart: f64, velocity: Vector3<f64>) -> [Motion; 2] {
    let way = vector![1.0, 1.0, 1.0] / 3.0_f64.sqrt();
    let centre = Point3::from(way * (radii[0] + radii[1] + apart));
    [
        resting(octant(Point3::origin(), radii[0], [1.0; 3])),
        going(velocity.into(), octant(centre, radii[1], [-1.0; 3])),
    ]
}

/// Spheres at the distance d, one of them at the velocity v towards the other: the distance is
/// d − v t.
#[test]
fn spheres_that_come_nearer_or_recede() {
    let way = vector![1.0, 1.0, 1.0] / 3.0_f64.sqrt();
    for distance in [0.099, 0.01, 1e-4] {
        for engine in fast_engines() {
            let options = shrinking(engine, 0.1);
            let receding = solve(&spheres([1.0, 0.5], distance, way), &options);
            let told = format!("{distance}, {options:?}: {receding:?}");
            assert!(matches!(receding, Outcome::Clear { .. }), "{told}");

            let outcome = solve(&spheres([1.0, 0.5], distance, -way * distance), &options);
            let told = format!("{distance}, {options:?}: {outcome:?}");
            let kept = outcome.separation();
            assert!(
                kept <= 0.9 * distance * (1.0 + 1e-12) && kept > 0.89 * distance,
                "{told}"
            );
            // The centres are known to some roundings of 1.5.
            let toi = outcome.toi().expect("an impact");
            let early = 1.0 - kept / distance - toi;
            let rounding = 1e-14 / distance;
            assert!(
                early >= -rounding && early <= 1e-5 + rounding,
                "{early:e}: {told}"
            );

            let before = Options {
                shrink_separation: None,
                ..options
            };
            for velocity in [way, -way * distance] {
                let outcome = solve(&spheres([1.0, 0.5], distance, velocity), &before);
                assert!(
                    matches!(outcome, Outcome::ContactAtStart { .. }),
                    "{outcome:?}"
                );
            }
        }
    }
}

/// A patch slides along another one, over an area or along a line where they are equally far apart.
#[test]
fn flat_patches_that_slide() {
    for shape in [BILINEAR, LINEAR, BICUBIC, QUADRATIC] {
        for height in [0.0099, 0.005, 1e-5] {
            let below = resting(flat(BIQUADRATIC, 0.0));
            let above = going([0.3, 0.1, 0.0], flat(shape, height));
            for engine in fast_engines() {
                let options = Options {
                    epsilon: 0.0005,
                    max_boxes: 100_000,
                    ..shrinking(engine, 0.01)
                };
                for pair in [
                    [above.clone(), below.clone()],
                    [below.clone(), above.clone()],
                ] {
                    let outcome = solve(&pair, &options);
                    let told = format!("{shape:?} at {height}, {options:?}: {outcome:?}");
                    assert!(matches!(outcome, Outcome::Clear { .. }), "{told}");
                    let kept = outcome.separation() / height;
                    assert!(kept <= 0.9 + 1e-15 && kept > 0.89, "{told}");
                    assert!(outcome.counters().boxes < 20_000, "{told}");
                }
            }
        }
    }
}

/// A bowl whose lowest point touches the floor, to rounding: nothing is left to keep.
#[test]
fn what_touches_is_in_contact_at_the_start() {
    let [up, down] = [1.0, -1.0].map(|z| [0.0, 0.0, z]);
    for shape in [BIQUADRATIC, QUADRATIC] {
        for velocity in [up, down] {
            let pair = [going(velocity, bowl(shape, 0.0)), floor(BILINEAR)];
            for engine in fast_engines() {
                let options = shrinking(engine, 0.1);
                let outcome = solve(&pair, &options);
                let told = format!("{options:?}: {outcome:?}");
                assert!(matches!(outcome, Outcome::ContactAtStart { .. }), "{told}");
                assert_eq!(outcome.separation(), 0.1, "{told}");
                check_outcome(&outcome, &options);
            }
        }
    }
    // Through each other.
    let pair = [going(up, bowl(BIQUADRATIC, -0.05)), floor(BILINEAR)];
    let outcome = solve(&pair, &shrinking(Options::default(), 0.1));
    assert!(
        matches!(outcome, Outcome::ContactAtStart { .. }),
        "{outcome:?}"
    );
}

/// Without a separation there is nothing to shrink; and one that is kept at the start is kept.
#[test]
fn nothing_changes_for_pairs_that_start_apart() {
    let pairs = [
        [
            going([0.0, 0.0, -1.0], bowl(BIQUADRATIC, 0.5)),
            floor(BILINEAR),
        ],
        [
            going([0.0, 0.0, -1.0], flat(LINEAR, 0.5)),
            resting(flat(BILINEAR, 0.0)),
        ],
        [
            going([0.0, 0.0, 1.0], flat(LINEAR, 0.5)),
            resting(flat(BILINEAR, 0.0)),
        ],
    ];
    for pair in &pairs {
        for min_separation in [0.0, 0.25, 0.45] {
            for (method, inclusion) in ENGINES {
                let options = Options {
                    method,
                    inclusion,
                    delta: 1e-2,
                    ..shrinking(Options::default(), min_separation)
                };
                let before = Options {
                    shrink_separation: None,
                    ..options
                };
                let before = solve(pair, &before);
                // A budget that ends early says nothing of the start.
                if !matches!(before, Outcome::BudgetExhausted { toi: 0.0, .. }) {
                    assert!(before.toi().is_none_or(|toi| toi > 0.01), "{before:?}");
                    let outcome = solve(pair, &options);
                    let boxes = |outcome: &Outcome| outcome.counters().boxes;
                    assert_eq!(outcome.toi(), before.toi(), "{options:?}");
                    assert_eq!(outcome.contact(), before.contact(), "{options:?}");
                    assert_eq!(outcome.separation(), min_separation, "{options:?}");
                    // And the distance at the start.
                    assert!(boxes(&outcome) <= boxes(&before) + 100, "{options:?}");
                }
            }
        }
    }
    let touching = [
        going([0.0, 0.0, 1.0], flat(LINEAR, 0.0)),
        resting(flat(BILINEAR, 0.0)),
    ];
    let outcome = solve(&touching, &shrinking(Options::default(), 0.0));
    assert!(
        matches!(outcome, Outcome::ContactAtStart { .. }),
        "{outcome:?}"
    );
}

/// All forms of a call answer the same, in either order of the patches.
#[test]
fn every_form_of_a_query_shrinks() {
    let [a, b] = spheres([1.0, 0.5], 0.05, vector![-0.1, 0.0, 0.0]);
    let options = shrinking(Options::default(), 0.1);
    let single = time_of_impact(&a, &b, &options).unwrap();
    assert!(
        matches!(single, Outcome::Impact { toi, .. } if toi > 0.0),
        "{single:?}"
    );
    assert!(single.separation() < 0.05);
    let batch = time_of_impact_batch(&[(a.clone(), b.clone()), (b.clone(), a.clone())], &options);
    assert_eq!(batch[0], Ok(single));
    assert_eq!(
        Workspace::new().time_of_impact(&a, &b, &options),
        Ok(single)
    );
    let other = batch[1].as_ref().unwrap();
    assert!((other.separation() - single.separation()).abs() < 1e-12);
    assert_eq!(other.swapped().separation(), other.separation());
}

/// A dish is pushed into a bowl step by step, by as much as would bring it through.
#[test]
fn pushed_step_by_step_curved_patches_neither_touch_nor_pass() {
    let options = shrinking(Options::default(), 0.02);
    let plate = level(BIQUADRATIC, [-1.0, 1.0], [-1.0, 1.0], 0.0);
    let mut dish = bowl(BIQUADRATIC, 0.05);
    let mut least = f64::INFINITY;
    for step in 0..60 {
        let velocity = vector![0.01 * f64::from(step % 3 - 1), 0.0, -0.1];
        let pair = [
            Moving::translating(dish.clone(), velocity).unwrap(),
            resting(plate.clone()),
        ];
        let outcome = solve(&pair, &options);
        let toi = outcome.toi().expect("it would go through");
        assert!(toi > 0.0, "step {step}: {outcome:?}");
        dish = kit::scenes::placed(&dish, |p| p + velocity * toi);
        // The apex is a point of the dish: z is its height.
        let distance = closest_points(&dish, &plate, &DistanceOptions::default()).unwrap();
        check_distance(&distance, &DistanceOptions::default());
        let now = distance.lower();
        assert!(
            now >= 0.88 * least.min(0.02),
            "step {step}: {now} after {least}"
        );
        assert!(now > 0.0 && apex(&dish) > 0.0, "step {step}: {distance:?}");
        least = now;
    }
    assert!(least < 1e-3, "{least}");
}

/// The height at x = y = 0 of a dish that was moved only.
fn apex(dish: &AnyPatch) -> f64 {
    use patch_ccd::geometry::Patch;
    dish.eval(1.0 / 3.0, 1.0 / 5.0).z
}

/// A rod that starts 1 over a rod across it, with a budget too small for anything, is not said to be
/// free.
#[test]
fn small_budgets_leave_bounds() {
    let way = FRAC_1_SQRT_2;
    let a = kit::scenes::segment(point![-way, -way, 1.0], point![way, way, 1.0]);
    let b = kit::scenes::segment(point![-way, way, 0.0], point![way, -way, 0.0]);
    let pair = [going([0.0, 0.0, -2.0], a), resting(b)];
    for max_boxes in [1, 2, 3, 5, 10, 20, 50, 100] {
        for engine in fast_engines() {
            let options = Options {
                max_boxes,
                ..shrinking(engine, 1.5)
            };
            let outcome = solve(&pair, &options);
            check_outcome(&outcome, &options);
            let toi = outcome.toi().expect("they meet");
            let exact = 0.5 * (1.0 - outcome.separation().min(1.0));
            assert!(toi <= exact + 1e-15, "{max_boxes}: {outcome:?}");
        }
    }
}
