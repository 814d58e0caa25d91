//! Was the machine busy with something else? Then all times are too long.

use std::time::Instant;

use crate::cell::Cell;
use support::stats::Sample;

/// The share of the time spent waiting for a processor above which the machine counts as busy. One
/// more program that works all the time costs tens of per cent.
const WAITING: f64 = 0.02;
/// How many times as long the slowest run of a case may take as its fastest, in the median, before
/// the machine counts as busy: there are disturbances that make nobody wait for a processor.
const SPREAD: f64 = 1.25;

/// Two clocks: one for all that passes, one for waiting while others have the processor.
pub(crate) struct Clock {
    start: Instant,
    waited: Option<f64>,
}

impl Clock {
    pub(crate) fn start() -> Self {
        Self {
            start: Instant::now(),
            waited: seconds_waited(),
        }
    }

    /// The share of the time since the start in which this thread was ready to go on, but others
    /// had the processor; `None` where the system does not tell.
    pub(crate) fn waited(&self) -> Option<f64> {
        let waited = seconds_waited()? - self.waited?;
        Some(waited / self.start.elapsed().as_secs_f64())
    }
}

/// From the start of this thread on, as Linux counts it.
fn seconds_waited() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(1e-9 * nanoseconds)
}

/// How many times as long the slowest run of a case takes as its fastest, in the median over all
/// cases that were solved more than once; `None` if none was.
pub(crate) fn spread(cells: &[Cell]) -> Option<f64> {
    let repeated = cells.iter().filter(|cell| cell.runs > 1);
    let cases = repeated.flat_map(|cell| &cell.solved);
    let ratios: Sample = cases.map(|case| case.slowest / case.seconds).collect();
    Some(ratios.median()).filter(|median| median.is_finite())
}

/// All that in words.
pub(crate) fn report(waited: Option<f64>, spread: Option<f64>) -> String {
    let mut facts = Vec::new();
    if let Some(waited) = waited {
        facts.push(format!(
            "the program had to wait for a processor for {:.1} % of the time",
            100.0 * waited
        ));
    }
    if let Some(spread) = spread {
        facts.push(format!(
            "the slowest run of a case took {spread:.2} times as long as its fastest, in the median"
        ));
    }
    if facts.is_empty() {
        return "Whether the machine was busy is not known: ask for more than one run.".to_owned();
    }
    let is_busy = waited.is_some_and(|waited| waited > WAITING)
        || spread.is_some_and(|spread| spread > SPREAD);
    let verdict = if is_busy {
        "The machine was BUSY, so these times are too long"
    } else {
        "The machine was quiet"
    };
    format!("{verdict}: {}.", facts.join("; "))
}
