//! Contacts that were planted: patches of all kinds that touch, in exact arithmetic, at a known
//! time at known parameters. No answer may be later; and where a plane keeps the patches apart
//! until then, none may be early by more than the tolerance says.
//!
//! The environment variable `PLANTED_CASES` sets the number of cases of all families together.
#![allow(clippy::print_stdout, reason = "figures, with --nocapture")]

mod case;
mod doubles;
mod exact;
mod heights;
mod net;
mod verdict;

use std::collections::BTreeMap;

use kit::{ENGINES, each_case};
use patch_ccd::{Inclusion, Method, Options, Workspace};

use case::{Family, Planted, draw};
use verdict::check;

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
    let asked = std::env::var("PLANTED_CASES").ok();
    let asked = asked.map(|count| count.parse().expect("a number of cases"));
    let count = asked.unwrap_or(10_000_usize).div_ceil(3);
    let mut workspace = Workspace::new();
    let mut figures = BTreeMap::<String, u64>::new();
    each_case(count, |number, _| {
        let case = draw(family, number);
        if number.is_multiple_of(8) {
            exact::verify(&case);
        }
        for options in options_of(number, &case) {
            let Options {
                method, inclusion, ..
            } = options;
            let verdict = check(&case, &options, &mut workspace)
                .unwrap_or_else(|fault| panic!("{fault}\n{family:?}, {options:?}\n{case:#?}"));
            let name = format!("{method} {inclusion}: {verdict}");
            *figures.entry(name).or_default() += 1;
        }
    });
    println!("{family:?}:");
    for (verdict, count) in figures {
        println!("  {count:>8} {verdict}");
    }
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
