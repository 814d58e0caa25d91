//! Contacts that were planted: patches of all kinds that touch, in exact arithmetic, at a known time at known parameters. No answer may be later;
//! and where a plane keeps the patches apart until then, none may be early by more than the tolerance says.
//!
//! The environment variable `PLANTED_CASES` sets the number of cases of all families together, `PLANTED_CASE` runs that case of each alone.
#![allow(clippy::print_stdout, reason = "figures, with --nocapture")]

#[allow(dead_code, reason = "shared with other tests")]
#[path = "../common/mod.rs"]
mod common;
#[allow(dead_code, reason = "shared with other tests")]
#[path = "../oracle/mod.rs"]
mod oracle;
#[path = "../rng/mod.rs"]
mod rng;
#[allow(dead_code, reason = "shared with other tests")]
#[path = "../simplices/mod.rs"]
mod simplices;

mod case;
mod doubles;
mod exact;
mod heights;
mod net;
mod verdict;

use std::collections::BTreeMap;

use common::ENGINES;
use patch_ccd::{Inclusion, Method, Options, Workspace};

use case::{Family, Planted, draw};
use verdict::check;

/// Cases of each family, without the environment variable.
const CASES: u64 = 10_000 / 3 + 1;

/// The default engine for every case, and one of the others in turn.
fn options_of(number: u64, case: &Planted) -> [Options; 2] {
    let turn = number as usize;
    let options = Options {
        t_max: case.t_max,
        min_separation: case.min_separation,
        max_boxes: if turn.is_multiple_of(16) { 5_000 } else { 800 },
        no_zero_toi: turn.is_multiple_of(7),
        ..Options::default()
    };
    let (method, inclusion) = ENGINES[1 + turn % 5];
    // What the others can reach within the budget.
    let coarse = method == Method::Traditional || inclusion == Inclusion::Aabb;
    let deltas: &[f64] = if coarse {
        &[0.5, 1e-1, 1e-2]
    } else {
        &[1e-2, 1e-4, 1e-6]
    };
    let delta = deltas[turn / 5 % deltas.len()];
    [
        Options {
            delta: [1e-6, 1e-2, 1e-10, 1e-8][turn % 4],
            ..options
        },
        Options {
            method,
            inclusion,
            delta,
            max_boxes: if turn % 16 == 8 { 2_000 } else { 150 },
            ..options
        },
    ]
}

fn run(family: Family) {
    let variable = |name| {
        std::env::var(name)
            .ok()
            .map(|value| value.parse().expect(name))
    };
    let count = variable("PLANTED_CASES").map_or(CASES, |cases: u64| cases.div_ceil(3));
    let numbers = match variable("PLANTED_CASE") {
        Some(number) => number..number + 1,
        None => 0..count,
    };
    let alone = numbers.end - numbers.start == 1;
    let mut workspace = Workspace::new();
    let mut figures = BTreeMap::<String, u64>::new();
    let mut failures = 0;
    for number in numbers {
        let case = draw(family, number);
        if alone || number.is_multiple_of(8) {
            exact::verify(&case);
        }
        for options in options_of(number, &case) {
            let Options {
                method, inclusion, ..
            } = options;
            match check(&case, &options, &mut workspace) {
                Ok(verdict) => {
                    *figures
                        .entry(format!("{method} {inclusion}: {verdict}"))
                        .or_default() += 1
                }
                Err(fault) => {
                    failures += 1;
                    if failures <= 10 {
                        println!("{family:?} case {number}: {fault}\n  {options:?}");
                        if alone {
                            println!("{case:#?}");
                        }
                    }
                }
            }
        }
    }
    println!("{family:?}:");
    for (verdict, count) in figures {
        println!("  {count:>8} {verdict}");
    }
    assert!(
        failures == 0,
        "{failures} answers are wrong; PLANTED_CASE=number shows one"
    );
}

#[test]
fn no_answer_is_later_than_a_contact() {
    run(Family::Crossing);
}

#[test]
fn first_contacts_are_found_when_they_are() {
    run(Family::First);
}

#[test]
fn minimum_separations_are_found_when_they_are() {
    run(Family::Separated);
}
