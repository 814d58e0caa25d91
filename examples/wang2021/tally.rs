//! Answers counted against the truth, and their times, as rows of a table.

use patch_ccd::Decision;

use crate::data::Kind;
use support::stats::Sample;
use support::table::{Table, markdown};

/// What a method makes of some queries.
#[derive(Clone, Default)]
pub(crate) struct Tally {
    collisions: usize,
    pub(crate) false_negatives: usize,
    false_positives: usize,
    seconds: Vec<f64>,
}

impl Tally {
    /// Counts one answer; without the truth only its time.
    pub(crate) fn add(&mut self, truth: Option<bool>, collides: bool, seconds: f64) {
        self.collisions += usize::from(truth == Some(true));
        self.false_negatives += usize::from(truth == Some(true) && !collides);
        self.false_positives += usize::from(truth == Some(false) && collides);
        self.seconds.push(seconds);
    }

    pub(crate) fn len(&self) -> usize {
        self.seconds.len()
    }

    /// Mean seconds.
    pub(crate) fn mean(&self) -> f64 {
        self.seconds.iter().sum::<f64>() / self.seconds.len() as f64
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.collisions += other.collisions;
        self.false_negatives += other.false_negatives;
        self.false_positives += other.false_positives;
        self.seconds.extend(&other.seconds);
    }
}

/// What decided in exact mode: for each kind of query and each way the seconds of the queries.
#[derive(Default)]
pub(crate) struct Shares([[Vec<f64>; 3]; 2]);

impl Shares {
    pub(crate) fn add(&mut self, kind: Kind, decision: Decision, seconds: f64) {
        let way = match decision {
            Decision::Search | Decision::Filter => 0,
            Decision::RootInIntegers => 1,
            Decision::StepInIntegers => 2,
        };
        self.0[kind as usize][way].push(seconds);
    }

    /// The shares of one kind, in words.
    pub(crate) fn of(&self, kind: Kind) -> String {
        let ways = &self.0[kind as usize];
        let all: usize = ways.iter().map(Vec::len).sum();
        let names = [
            "in floating point",
            "in integers at roots",
            "in integers throughout",
        ];
        let share = |(name, seconds): (_, &Vec<f64>)| {
            let percent = 100.0 * seconds.len() as f64 / all.max(1) as f64;
            if seconds.is_empty() {
                return format!("{percent:.1} % {name}");
            }
            let micros: Sample = seconds.iter().map(|seconds| 1e6 * seconds).collect();
            format!("{percent:.1} % {name} ({:.2} µs each)", micros.mean())
        };
        let shares: Vec<_> = names.into_iter().zip(ways).map(share).collect();
        shares.join(", ")
    }
}

/// A table of tallies.
pub(crate) struct Tallies(Table);

impl Tallies {
    pub(crate) fn new() -> Self {
        let header = [
            "folder",
            "kind",
            "method",
            "queries",
            "collisions",
            "false −",
            "false +",
            "mean µs",
            "median",
            "99 %",
            "worst",
        ];
        Self(markdown(3, header))
    }

    pub(crate) fn add(&mut self, [folder, kind, method]: [&str; 3], tally: &Tally) {
        let micros: Sample = tally.seconds.iter().map(|seconds| 1e6 * seconds).collect();
        let mut row = [folder, kind, method].map(str::to_owned).to_vec();
        let counts = [
            tally.seconds.len(),
            tally.collisions,
            tally.false_negatives,
            tally.false_positives,
        ];
        row.extend(counts.map(|count| count.to_string()));
        let times = [
            micros.mean(),
            micros.median(),
            micros.quantile(0.99),
            micros.worst(),
        ];
        row.extend(times.map(|time| format!("{time:.2}")));
        self.0.add_row(row);
    }
}

impl std::fmt::Display for Tallies {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}
