//! Edges, vertices and faces against an exact oracle: whatever the input, no contact is missed, no time of impact is too
//! late, and "clear" is true.
//!
//! The environment variable `PROPTEST_CASES` makes every property look at that many cases.

#[allow(dead_code, reason = "shared with other tests")]
mod answers;
#[allow(dead_code, reason = "shared with other tests")]
mod common;
#[allow(dead_code, reason = "shared with other tests")]
mod oracle;
#[allow(dead_code, reason = "shared with other tests")]
mod simplices;
#[macro_use]
#[allow(dead_code, reason = "shared with other tests")]
mod steps;

use answers::{check, check_contact, resolution};
use common::ENGINES;
use patch_ccd::{Inclusion, Options, Outcome};
use proptest::prelude::*;

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

queries_of_all_sorts! { check, options() }

proptest! {
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
