//! Many cases of one test.

use crate::Random;

/// Runs a check on the cases of these numbers, each with a generator of its own. A check that
/// panics has its case named; the environment variable `CASE` runs the case of that number alone.
///
/// ```
/// kit::each_case(100, |number, random| {
///     let half = random.unit() / 2.0;
///     assert!(half < 0.5, "in any case, {number} too");
/// });
/// ```
pub fn each_case(count: usize, mut check: impl FnMut(u64, &mut Random)) {
    let alone = std::env::var("CASE").ok();
    let alone = alone.map(|number| number.parse::<u64>().expect("CASE is a number"));
    let numbers = alone.map_or(0..count as u64, |number| number..number + 1);
    for number in numbers {
        let _named = Named(number);
        check(number, &mut Random::new(number));
    }
}

struct Named(u64);

impl Drop for Named {
    #[expect(clippy::print_stderr, reason = "part of the message of a panic")]
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("that was case {0}; CASE={0} runs it alone", self.0);
        }
    }
}
