//! Queries that are hard to tell apart, against the exact oracle: nearly coplanar, nearly parallel,
//! an ulp from a contact, far away, tiny, degenerate, sliding. No contact is missed, no time of
//! impact is too late, and "clear" is true.
//!
//! The environment variable `LINEAR_CASES` sets the number of queries of all kinds together.
#![allow(clippy::print_stdout, reason = "figures, with --nocapture")]

use std::collections::BTreeMap;

use kit::simplices::{Kind, check, check_contact, resolution, steps};
use kit::{ENGINES, Random, cases, each_case};
use patch_ccd::{Inclusion, Options, Outcome, Step};

use super::{Row, table};

fn options(random: &mut Random) -> Options {
    let (method, inclusion) = match random.below(2) {
        0 => ENGINES[0],
        _ => random.pick(&ENGINES),
    };
    let any_time = random.unit();
    let any_budget = 1 + random.below(100) as u64;
    Options {
        method,
        inclusion,
        delta: random.pick(&[1e-1, 1e-3, 1e-6, 1e-9]),
        t_max: random.pick(&[1.0, 1.0, 1.0, 1.0, 0.5, 0.3, 0.0, any_time]),
        max_boxes: random.pick(&[1000, 1000, 300, 20, any_budget]),
        no_zero_toi: random.chance(8),
        ..Options::default()
    }
}

fn any_kind(random: &mut Random) -> Kind {
    random.pick(&Kind::ALL)
}

/// `share`: tenths of all queries.
fn run(kind: Kind, share: usize) {
    let asked = std::env::var("LINEAR_CASES").ok();
    let asked = asked.map(|count| count.parse().expect("a number of cases"));
    let count = asked.unwrap_or(12_000) * share / 10;
    let mut figures = BTreeMap::<String, u64>::new();
    each_case(count, |_, random| {
        let step = steps::any(random, kind);
        let (outcome, meets) = check(kind, &step, &options(random));
        let name = match outcome {
            Outcome::Clear { .. } => "clear",
            Outcome::ContactAtStart { .. } => "contact at the start",
            Outcome::Impact { .. } => "impact",
            Outcome::BudgetExhausted { .. } => "budget exhausted",
        };
        let truth = if meets { "contact" } else { "no contact" };
        *figures.entry(format!("{truth}: {name}")).or_default() += 1;
    });
    println!("{kind:?}:");
    for (name, count) in figures {
        println!("  {count:>8} {name}");
    }
}

#[test]
fn pairs_of_edges() {
    run(Kind::EdgeEdge, 4);
}

#[test]
fn vertices_and_faces() {
    run(Kind::VertexFace, 4);
}

#[test]
fn vertices_and_edges() {
    run(Kind::VertexEdge, 1);
}

#[test]
fn pairs_of_vertices() {
    run(Kind::VertexVertex, 1);
}

/// Queries that were once answered wrongly.
pub(crate) fn found() -> Vec<(Kind, Step<4>, Options)> {
    let rows = table(include_str!("found.txt")).into_iter();
    let queries = rows.map(|Row { name, kind, step }| {
        let mut numbers = name.split(' ').map(|word| word.parse().expect("a number"));
        let mut number = || numbers.next().expect("two numbers");
        let options = Options {
            delta: number(),
            t_max: number(),
            max_boxes: 1000,
            ..Options::default()
        };
        (kind, step, options)
    });
    queries.collect()
}

#[test]
fn found_before() {
    for (kind, step, options) in found() {
        check(kind, &step, &options);
    }
    assert_eq!(found().len(), 10);
}

/// A line search must be able to move, unless there is contact at its start.
#[test]
fn no_zero_toi() {
    // In case 1221 a local solve ends at time 0, to rounding, where exact arithmetic finds no
    // contact.
    each_case(cases(1300), |_, random| {
        let kind = any_kind(random);
        let step = steps::any(random, kind);
        let options = Options {
            no_zero_toi: true,
            max_boxes: 2000,
            ..options(random)
        };
        let (outcome, _) = check(kind, &step, &options);
        match outcome {
            Outcome::Impact { toi, .. } => {
                assert!(toi > 0.0, "{kind:?} {step:?}\n{options:?}: {outcome:?}")
            }
            Outcome::BudgetExhausted {
                toi: 0.0, counters, ..
            } => {
                let tried = counters.boxes > 1900 || counters.deepest_level == 52;
                assert!(tried, "{kind:?} {step:?}\n{options:?}: {outcome:?}");
            }
            _ => {}
        }
    });
}

fn with_separation(random: &mut Random) -> Options {
    let any = 3.0 * random.unit();
    Options {
        min_separation: random.pick(&[0.5, 1.0, 2.0, 2.0_f64.sqrt().next_up(), any]),
        no_zero_toi: false,
        ..options(random)
    }
}

#[test]
fn separation_at_the_start() {
    each_case(cases(1000), |_, random| {
        let kind = any_kind(random);
        let step = steps::any(random, kind);
        let options = with_separation(random);
        let query = kind.query(&step);
        let exact = query.oracle();
        let outcome = query.solve(&options);
        if exact.starts_within(options.min_separation) {
            // In the maximum norm the distance is not larger.
            let right = match outcome {
                Outcome::ContactAtStart { .. } => true,
                Outcome::BudgetExhausted { toi, .. } => toi == 0.0,
                _ => false,
            };
            assert!(right, "{query:?}, {options:?}: {outcome:?}");
        }
        let mut near = resolution(&step, &options);
        if options.inclusion == Inclusion::Aabb {
            near *= 3.0_f64.sqrt().next_up();
        }
        if let Outcome::ContactAtStart { .. } = outcome {
            assert!(exact.starts_within(near), "{query:?}: {outcome:?}");
        }
        check_contact(kind, &step, &outcome, near);
    });
}

/// Up to the time of impact nothing is at the minimum separation.
#[test]
fn separation_in_time() {
    each_case(cases(256), |_, random| {
        let kind = any_kind(random);
        let step = steps::short(random);
        let options = with_separation(random);
        let outcome = kind.query(&step).solve(&options);
        let free = outcome.toi().unwrap_or(options.t_max.next_up());
        let eighths = (0..=8).map(|k| f64::from(k) / 8.0);
        for t in eighths.take_while(|&t| t < free) {
            let now = [steps::points_at(&step, t); 2];
            let close = kind
                .query(&now)
                .oracle()
                .starts_within(options.min_separation);
            assert!(
                !close,
                "too close at {t}: {step:?}, {options:?}, {outcome:?}"
            );
        }
    });
}
