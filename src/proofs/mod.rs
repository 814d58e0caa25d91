//! The inclusion test in exact arithmetic, beside the one in floating point.
//!
//! Random scenes of all kinds, sizes and places; random sub-patches down to level 40, around a
//! place where the patches meet to a rounding or anywhere; the axes that the search chooses; random
//! intervals of time. `points.rs` and `gaps.rs` hold every bound of [`crate::rounding`] by itself
//! against the exact error, `whole.rs` all of them together, and what they are for: what the test
//! drops or cuts off is free; `searches.rs` whole searches. `scene.rs` makes the scenes, `net.rs`
//! the exact sub-patches.
//!
//! The environment variable `PROPTEST_CASES` makes each test look at more scenes, `--nocapture`
//! shows how tight the bounds are.

pub(crate) mod exact;
mod gaps;
mod lemmas;
mod net;
mod points;
mod scene;
mod searches;
mod whole;

use std::cell::RefCell;

use scene::{Scene, SearchStep};

use crate::rounding::{UNDERFLOW, UNIT_ROUNDOFF};
use exact::{Dyadic, Random, cases, exact};

/// Products of errors in one lemma by itself, relative to it: it has a few thousand roundings at
/// most.
fn slack() -> Dyadic {
    exact(1.0 + 2.0_f64.powi(-38))
}

/// So many roundings of numbers of a size.
fn roundings(count: f64, size: Dyadic) -> Dyadic {
    exact(count) * exact(UNIT_ROUNDOFF) * size * slack() + exact(UNDERFLOW)
}

/// Bounds over true errors, of one lemma.
#[derive(Default)]
struct Tightness(RefCell<Vec<f64>>);

impl Tightness {
    /// Takes in an error, which is to be no larger than its bound. Errors of 0 say nothing of
    /// tightness.
    fn check(&self, error: &Dyadic, bound: &Dyadic, place: impl FnOnce() -> String) {
        assert!(
            error <= bound,
            "{}: the error is {:e} bounds",
            place(),
            error.ratio(bound)
        );
        if error.is_positive() {
            self.0.borrow_mut().push(bound.ratio(error));
        }
    }

    #[allow(
        clippy::print_stdout,
        reason = "a test's report, asked for by --nocapture"
    )]
    fn report(self, lemma: &str) {
        let mut ratios = self.0.into_inner();
        assert!(!ratios.is_empty(), "{lemma}: no error was seen");
        ratios.sort_by(f64::total_cmp);
        println!(
            "{lemma}: bound / true error: median {:.1}, least {:.2}, of {}",
            ratios[ratios.len() / 2],
            ratios[0],
            ratios.len()
        );
    }
}

/// Calls `check` on random steps of the search.
fn for_steps(
    usual: usize,
    seed: u64,
    level: fn(&mut Random) -> u32,
    mut check: impl FnMut(&Scene, &SearchStep, &mut Random),
) {
    let mut random = Random::new(seed);
    for case in 0..cases(usual) {
        // A few of high degree.
        let degrees = if case % 32 == 31 { 9 } else { 5 };
        let scene = Scene::random(&mut random, degrees);
        let level = level(&mut random);
        let step = SearchStep::new(&scene, level, &mut random);
        check(&scene, &step, &mut random);
    }
}

fn whole(_: &mut Random) -> u32 {
    0
}

fn anywhere(random: &mut Random) -> u32 {
    random.below(41) as u32
}

fn shallow(random: &mut Random) -> u32 {
    random.below(4) as u32
}
