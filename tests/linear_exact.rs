//! Edges, vertices and faces against an exact oracle: whatever the input, no contact is missed, no time of impact is too
//! late, and "clear" is true.
//!
//! The environment variable `PROPTEST_CASES` makes every property look at that many cases.

#[allow(dead_code, reason = "shared with other tests")]
mod common;
#[allow(dead_code, reason = "shared with other tests")]
mod oracle;
#[allow(dead_code, reason = "shared with other tests")]
mod simplices;
#[allow(dead_code, reason = "shared with other tests")]
mod steps;

use common::ENGINES;
use nalgebra::{Point3, Vector3};
use patch_ccd::{Inclusion, Options, Outcome, Step};
use proptest::prelude::*;

use simplices::Kind;
use steps::*;

fn options() -> impl Strategy<Value = Options> {
    let engine = prop::sample::select(&ENGINES[..]);
    let delta = prop::sample::select(&[1e-1, 1e-3, 1e-6, 1e-9][..]);
    let t_max = prop_oneof![4 => Just(1.0), 1 => Just(0.5), 1 => Just(0.3), 1 => 0.0..=1.0];
    let max_boxes = prop_oneof![3 => Just(1000), 1 => 1..100_u64];
    (engine, delta, t_max, max_boxes).prop_map(|((method, inclusion), delta, t_max, max_boxes)| {
        Options {
            method,
            inclusion,
            delta,
            t_max,
            max_boxes,
            ..Options::default()
        }
    })
}

// Answers

/// What an answer must be at least: never late, never clear where there is contact; and where it names a contact, there
/// the two are close.
fn check(kind: Kind, step: &Step<4>, options: &Options) -> Result<(), TestCaseError> {
    let exact = oracle(&kind.query(step));
    let outcome = kind.query(step).solve(options);
    prop_assert!(outcome.counters().boxes <= options.max_boxes, "{outcome:?}");
    if let Some(mut first) = exact.first_contact()
        && first.compare(options.t_max).is_le()
    {
        let never_later = outcome.toi().is_some_and(|toi| first.compare(toi).is_ge());
        prop_assert!(
            never_later,
            "first contact at {:?}: {outcome:?}",
            first.bracket()
        );
    }
    let near = resolution(step, options);
    if let Outcome::ContactAtStart { .. } = outcome {
        prop_assert!(exact.starts_within(near), "{outcome:?}");
    }
    check_contact(kind, step, &outcome, near)
}

/// The distance at which two simplices may count as in contact: the boxes compared are smaller than δ times the
/// simplices and the way they go, and their gap must exceed the bound on its rounding errors.
fn resolution(step: &Step<4>, options: &Options) -> f64 {
    let points = || step.iter().flatten();
    let largest = points().map(|p| p.coords.amax()).fold(0.0, f64::max);
    let distances = step.iter().flat_map(|points| {
        let others = |p: &Point3<f64>| points.map(|q| (p - q).amax());
        points.iter().flat_map(others).collect::<Vec<_>>()
    });
    let size = distances.fold(0.0, f64::max);
    options.min_separation + 8.0 * options.delta * size + 1e-13 * largest + f64::MIN_POSITIVE
}

/// The contact of an outcome is one of points of the two simplices that are near each other.
fn check_contact(
    kind: Kind,
    [start, end]: &Step<4>,
    outcome: &Outcome,
    near: f64,
) -> Result<(), TestCaseError> {
    let Some(contact) = outcome.contact() else {
        return Ok(());
    };
    prop_assert!(contact.residual <= near, "{outcome:?} beyond {near:e}");
    let [start, end] = [kind.simplices(start), kind.simplices(end)];
    for side in 0..2 {
        let (u, v) = contact.parameters[side];
        let weights = [1.0 - u - v, u, v];
        prop_assert!(
            weights.iter().all(|w| (0.0..=1.0).contains(w)),
            "{outcome:?}"
        );
        let mut point = Vector3::zeros();
        let mut largest = f64::MIN_POSITIVE;
        let motions = start[side].iter().zip(end[side]);
        for (weight, (from, to)) in weights.into_iter().zip(motions) {
            point += weight * (from.coords + contact.time * (to - from));
            largest = largest.max(from.coords.amax()).max(to.coords.amax());
        }
        let error = (contact.points[side].coords - point).amax();
        prop_assert!(
            error <= 1e-14 * largest,
            "side {side} is not at {point}: {outcome:?}"
        );
    }
    for normal in contact.normals.into_iter().flatten() {
        prop_assert!((normal.norm() - 1.0).abs() < 1e-12, "{outcome:?}");
    }
    Ok(())
}

proptest! {
    #[test]
    fn random_queries(kind in kind(), step in random(), options in options()) {
        check(kind, &step, &options)?;
    }

    #[test]
    fn queries_on_a_grid(kind in kind(), step in on_grid(), options in options()) {
        check(kind, &step, &options)?;
    }

    #[test]
    fn queries_in_a_plane(kind in kind(), step in in_plane(), options in options()) {
        check(kind, &step, &options)?;
    }

    #[test]
    fn queries_nearly_on_a_grid(kind in kind(), step in nearly_on_grid(), options in options()) {
        check(kind, &step, &options)?;
    }

    #[test]
    fn scaled_queries(kind in kind(), step in scaled(), options in options()) {
        check(kind, &step, &options)?;
    }

    #[test]
    fn stretched_queries(kind in kind(), step in stretched(), options in options()) {
        check(kind, &step, &options)?;
    }

    #[test]
    fn queries_far_away(kind in kind(), step in far_away(), options in options()) {
        check(kind, &step, &options)?;
    }

    #[test]
    fn planted_contacts((kind, step, t) in planted(), options in options()) {
        let mut first = oracle(&kind.query(&step)).first_contact().expect("a contact");
        prop_assert!(first.compare(t).is_le());
        check(kind, &step, &options)?;
    }

    /// A line search must be able to move, unless there is contact at its start.
    #[test]
    fn no_zero_toi(kind in kind(), step in any_step(), options in options()) {
        let options = Options { no_zero_toi: true, max_boxes: 2000, ..options };
        check(kind, &step, &options)?;
        match kind.query(&step).solve(&options) {
            Outcome::Impact { toi, .. } => prop_assert!(toi > 0.0),
            Outcome::BudgetExhausted { toi: 0.0, counters } => {
                prop_assert!(counters.boxes > 1900 || counters.deepest_level == 52, "{counters:?}");
            }
            _ => {}
        }
    }
}

// Minimum separation

fn separation() -> impl Strategy<Value = f64> {
    prop_oneof![
        Just(0.5),
        Just(1.0),
        Just(2.0),
        0.0..3.0,
        Just(2.0_f64.sqrt().next_up())
    ]
}

proptest! {
    #[test]
    fn separation_at_the_start(
        kind in kind(), step in any_step(), min_separation in separation(), options in options(),
    ) {
        let options = Options { min_separation, ..options };
        let exact = oracle(&kind.query(&step));
        let outcome = kind.query(&step).solve(&options);
        if exact.starts_within(min_separation) {
            // In the maximum norm the distance is not larger.
            let right = match outcome {
                Outcome::ContactAtStart { .. } => true,
                Outcome::BudgetExhausted { toi, .. } => toi == 0.0,
                _ => false,
            };
            prop_assert!(right, "{outcome:?}");
        }
        let mut near = resolution(&step, &options);
        if options.inclusion == Inclusion::Aabb {
            near *= 3.0_f64.sqrt().next_up();
        }
        if let Outcome::ContactAtStart { .. } = outcome {
            prop_assert!(exact.starts_within(near), "{outcome:?}");
        }
        check_contact(kind, &step, &outcome, near)?;
    }

    /// Up to the time of impact nothing is at the minimum separation. On the grid positions at eighths are exact doubles.
    #[test]
    fn separation_in_time(
        kind in kind(), step in prop_oneof![on_grid(), in_plane()], min_separation in separation(), options in options(),
    ) {
        let options = Options { min_separation, ..options };
        let outcome = kind.query(&step).solve(&options);
        let free = outcome.toi().unwrap_or(options.t_max.next_up());
        for t in (0..=8).map(|k| f64::from(k) / 8.0).take_while(|&t| t < free) {
            let now = [points_at(&step, t); 2];
            prop_assert!(!oracle(&kind.query(&now)).starts_within(min_separation), "too close at {t}: {outcome:?}");
        }
    }
}
