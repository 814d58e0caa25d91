//! Answers counted against the truth, and their times, as rows of a table.

use comfy_table::{CellAlignment, Table, presets};

use crate::support::stats::Sample;

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

    pub(crate) fn merge(&mut self, other: &Self) {
        self.collisions += other.collisions;
        self.false_negatives += other.false_negatives;
        self.false_positives += other.false_positives;
        self.seconds.extend(&other.seconds);
    }
}

/// A table of tallies.
pub(crate) struct Tallies(Table);

impl Tallies {
    pub(crate) fn new() -> Self {
        let mut table = Table::new();
        table.load_style(presets::ASCII_MARKDOWN).set_header([
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
        ]);
        for column in table.column_iter_mut().skip(3) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        Self(table)
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
