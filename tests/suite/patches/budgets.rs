//! Searches that end with their budget.

use kit::scenes::{
    BILINEAR, BIQUADRATIC, QUADRATIC, falling, level, patch, resting, square, square_at,
};
use nalgebra::point;
use patch_ccd::geometry::Shape;
use patch_ccd::{Method, Options, Outcome};

use super::case::verify_bound;
use super::{bowl, floor, solve};

/// Curved patches that touch along a line or over an area keep a growing front of boxes alive.
#[test]
fn the_bound_is_right_where_the_budget_ends_first() {
    let trough = |shape| {
        let height = |v| 0.5 + square_at([-0.2, 0.4], v);
        patch(shape, move |u, v| point![u, -0.2 + 0.6 * v, height(v)])
    };
    let wide = level(BILINEAR, [-0.1, 1.2], [-0.3, 0.7], 0.0);
    let beside = level(BILINEAR, [1.15, 2.0], [0.0, 1.0], 1.0);
    for (name, fallen, other, distance, exact) in [
        (
            "trough on plane",
            trough(Shape::TensorProduct { n: 1, m: 2 }),
            wide.clone(),
            0.0,
            0.5,
        ),
        (
            "triangular trough on plane",
            trough(QUADRATIC),
            wide,
            0.0,
            0.5,
        ),
        (
            "bowl in bowl",
            bowl(BIQUADRATIC, 0.5),
            bowl(BIQUADRATIC, 0.0),
            0.0,
            0.5,
        ),
        // 0.15 aside, so 0.2 above.
        ("edge near edge", beside, square(0.0), 0.25, 0.8),
    ] {
        let options = Options {
            max_boxes: 100_000,
            min_separation: distance,
            ..Options::default()
        };
        let outcome = solve(&[falling(1.0, fallen), resting(other)], &options);
        let told = format!("{name}: {outcome:?}");
        assert!(outcome.counters().boxes <= options.max_boxes, "{told}");
        verify_bound(outcome.toi().unwrap(), exact, 1e-3, &told);
    }
}

#[test]
fn every_budget_gives_a_bound_and_a_larger_one_no_worse() {
    let pair = [falling(1.0, bowl(BIQUADRATIC, 0.7)), floor(BILINEAR)];
    for (method, budgets) in [
        (Method::TwoSided, &[1, 2, 20, 60, 120, 200][..]),
        (Method::TimeDependent, &[1, 2, 20, 100, 300, 1000]),
    ] {
        let mut least = 0.0;
        for &max_boxes in budgets {
            let options = Options {
                method,
                max_boxes,
                ..Options::default()
            };
            let outcome = solve(&pair, &options);
            let Outcome::BudgetExhausted {
                toi,
                counters,
                nearest,
                ..
            } = outcome
            else {
                panic!("{outcome:?}");
            };
            assert!(counters.boxes <= max_boxes, "{outcome:?}");
            // The nearest pair so far is where the bound is, or a contact after it.
            if max_boxes > 1 {
                let nearest = nearest.expect("a pair of points");
                assert!(nearest.time >= toi && nearest.residual < 0.7, "{outcome:?}");
            }
            assert!(least <= toi && toi <= 0.7, "{outcome:?} after {least}");
            least = toi;
        }
        assert!(least > 0.69, "{method}: {least}");
    }
}
