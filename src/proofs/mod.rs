//! Do the error bounds of [`crate::rounding`] hold? Tests that compare them with exact arithmetic.
//!
//! - `points.rs` and `gaps.rs` compare each lemma's bound with the exact error of its step;
//!   `lemmas.rs` has the lemmas that need no search, `motion.rs` those of motion that is not along
//!   lines, with the numbers of `fixed.rs` for sine and cosine.
//! - `whole.rs` checks all bounds together, and that what the test prunes or cuts is free of
//!   contact.
//! - `searches.rs` makes whole searches of scenes whose contact is known exactly.
//! - `scene.rs` makes random scenes of all kinds, sizes and places, and random steps of the search
//!   in them; `net.rs` makes exact sub-patches; `dyadic.rs` has the exact numbers.
//!
//! The environment variable `PROPTEST_CASES` makes each test look at more scenes. With
//! `--nocapture` the tests print how tight the bounds are.

mod dyadic;
mod fixed;
mod gaps;
mod lemmas;
mod motion;
mod net;
mod points;
mod random;
mod scene;
mod searches;
mod whole;

use std::cell::RefCell;

use scene::{Scene, SearchStep};

use crate::rounding::{UNDERFLOW, UNIT_ROUNDOFF};

pub(crate) use dyadic::{Dyadic, exact};
pub(crate) use random::{Random, cases};

/// A factor that covers the products of errors within one lemma, which has a few thousand roundings
/// at most.
fn slack() -> Dyadic {
    exact(1.0 + 2.0_f64.powi(-38))
}

/// The bound for `count` roundings of numbers up to `size`, underflow included.
fn roundings(count: f64, size: Dyadic) -> Dyadic {
    exact(count) * exact(UNIT_ROUNDOFF) * size * slack() + exact(UNDERFLOW)
}

/// The ratios of the bound to the true error that were seen of one lemma.
#[derive(Default)]
struct Tightness(RefCell<Vec<f64>>);

impl Tightness {
    /// Checks that an error is no larger than its bound, and records their ratio. An error of 0
    /// says nothing about tightness and is not recorded.
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

    /// Prints the median and the least ratio.
    #[allow(
        clippy::print_stdout,
        reason = "the report of a test, which --nocapture shows"
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

/// Calls `check` on `usual` random steps of the search, at random levels of subdivision. The number
/// changes with `PROPTEST_CASES`, see [`cases`].
fn for_steps(
    usual: usize,
    seed: u64,
    level: fn(&mut Random) -> u32,
    mut check: impl FnMut(&Scene, &SearchStep, &mut Random),
) {
    let mut random = Random::new(seed);
    for case in 0..cases(usual) {
        // One scene of 32 has patches of higher degrees.
        let degrees = if case % 32 == 31 { 9 } else { 5 };
        let scene = Scene::random(&mut random, degrees);
        let level = level(&mut random);
        let step = SearchStep::new(&scene, level, &mut random);
        check(&scene, &step, &mut random);
    }
}

/// Level 0: the whole patches.
fn whole(_: &mut Random) -> u32 {
    0
}

/// Any level from 0 to 40.
fn anywhere(random: &mut Random) -> u32 {
    random.below(41) as u32
}

/// One of the first four levels.
fn shallow(random: &mut Random) -> u32 {
    random.below(4) as u32
}
