//! Solving the cases: a reference first, then all methods at every δ.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use pairs::{PairKind, RandomPairs};
use patch_ccd::geometry::AnyPatch;
use patch_ccd::{Error, Method, Moving, Options, Outcome, Workspace};

use support::stats::Sample;

/// The tolerance of the reference, which is a lower bound itself, within a few times this of the
/// truth.
pub(crate) const REFERENCE_DELTA: f64 = 1e-12;
/// The reference may take more boxes than a query of the study.
const REFERENCE_BOXES: u64 = 4_000_000;
pub(crate) const DELTAS: [f64; 7] = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8];
pub(crate) const METHODS: [Method; 3] =
    [Method::TwoSided, Method::TimeDependent, Method::Traditional];
/// Places among them.
pub(crate) const TWO_SIDED: usize = 0;
pub(crate) const TIME_DEPENDENT: usize = 1;
pub(crate) const TRADITIONAL: usize = 2;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) cases: usize,
    pub(crate) seed: u64,
    /// Of a method at one δ.
    pub(crate) budget: Duration,
    /// Of a query.
    pub(crate) max_boxes: u64,
}

/// What the reference says of a case.
#[derive(Clone, Copy, Debug)]
enum Reference {
    Clear,
    /// In contact later than at the start.
    Impact(f64),
    /// In contact at the start, where every method answers 0; or not solved.
    LeftOut,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    /// How much earlier than the reference.
    pub(crate) error: f64,
    /// From toi to toi_upper, unless the answer is that they are in contact at the start.
    pub(crate) width: Option<f64>,
    /// How much later than the reference toi_upper is, if the contact is one at that time.
    pub(crate) lateness: Option<f64>,
    pub(crate) residual: f64,
}

/// One method at one δ.
#[derive(Debug, Default)]
pub(crate) struct Cell {
    /// By case: impacts that are impacts in the reference, too.
    pub(crate) answers: BTreeMap<usize, Answer>,
    /// Cases that took too many boxes.
    pub(crate) unfinished: usize,
    /// Impacts where the reference proves that there is none.
    pub(crate) false_contacts: usize,
    /// Cases found clear where the reference has an impact.
    pub(crate) missed: Vec<usize>,
}

/// All of one kind.
#[derive(Debug)]
pub(crate) struct Study {
    pub(crate) kind: PairKind,
    /// By δ and method.
    pub(crate) cells: Vec<[Cell; METHODS.len()]>,
}

impl Study {
    /// Steps of the progress bar for one kind.
    pub(crate) fn steps(limits: Limits) -> usize {
        limits.cases * (1 + DELTAS.len() * METHODS.len())
    }

    pub(crate) fn run(
        kind: PairKind,
        limits: Limits,
        workspace: &mut Workspace,
        bar: &ProgressBar,
    ) -> Result<Self, Error> {
        let pairs = || RandomPairs::new(kind.shape(), limits.seed).take(limits.cases);
        let begin = bar.position();
        bar.set_message(format!("{kind} reference"));
        let mut references = Vec::new();
        for pair in pairs() {
            let method = Method::TimeDependent;
            let outcome = solve(&pair?, method, REFERENCE_DELTA, REFERENCE_BOXES, workspace)?;
            references.push(match outcome {
                Outcome::Clear { .. } => Reference::Clear,
                Outcome::Impact { toi, .. } => Reference::Impact(toi),
                Outcome::ContactAtStart { .. } | Outcome::BudgetExhausted { .. } => {
                    Reference::LeftOut
                }
            });
            bar.inc(1);
        }
        let mut study = Self {
            kind,
            cells: Vec::new(),
        };
        for delta in DELTAS {
            let mut cells = METHODS.map(|_| Cell::default());
            for (cell, method) in cells.iter_mut().zip(METHODS) {
                bar.set_message(format!("{kind} {method} {delta:e}"));
                let start = Instant::now();
                for (case, (pair, &reference)) in pairs().zip(&references).enumerate() {
                    if start.elapsed() >= limits.budget {
                        break;
                    }
                    let outcome = solve(&pair?, method, delta, limits.max_boxes, workspace)?;
                    cell.add(case, &outcome, reference);
                    bar.inc(1);
                }
            }
            study.cells.push(cells);
            let done = 1 + study.cells.len() * METHODS.len();
            bar.set_position(begin + (limits.cases * done) as u64);
        }
        Ok(study)
    }
}

impl Cell {
    fn add(&mut self, case: usize, outcome: &Outcome, reference: Reference) {
        match (outcome, reference) {
            (_, Reference::LeftOut) | (Outcome::Clear { .. }, Reference::Clear) => {}
            (Outcome::Clear { .. }, Reference::Impact(_)) => self.missed.push(case),
            (Outcome::BudgetExhausted { .. }, _) => self.unfinished += 1,
            (Outcome::Impact { .. } | Outcome::ContactAtStart { .. }, Reference::Clear) => {
                self.false_contacts += 1;
            }
            (
                Outcome::Impact { contact, .. } | Outcome::ContactAtStart { contact, .. },
                Reference::Impact(truth),
            ) => {
                let upper = match outcome {
                    Outcome::Impact { toi_upper, .. } => Some(*toi_upper),
                    _ => None,
                };
                let toi = outcome.toi().unwrap_or(0.0);
                let answer = Answer {
                    error: truth - toi,
                    width: upper.map(|upper| upper - toi),
                    lateness: upper
                        .filter(|&upper| upper == contact.time)
                        .map(|upper| upper - truth),
                    residual: contact.residual,
                };
                self.answers.insert(case, answer);
            }
        }
    }

    pub(crate) fn errors(&self) -> Sample {
        self.answers.values().map(|answer| answer.error).collect()
    }

    pub(crate) fn widths(&self) -> Sample {
        self.answers
            .values()
            .filter_map(|answer| answer.width)
            .collect()
    }

    pub(crate) fn residuals(&self) -> Sample {
        self.answers
            .values()
            .map(|answer| answer.residual)
            .collect()
    }
}

/// The residuals of all methods over the cases that all solved.
pub(crate) fn shared_residuals(cells: &[Cell; METHODS.len()]) -> Vec<[f64; METHODS.len()]> {
    let [one, two, three] = cells;
    let residual = |cell: &Cell, case| Some(cell.answers.get(case)?.residual);
    one.answers
        .iter()
        .filter_map(|(case, answer)| {
            Some([
                answer.residual,
                residual(two, case)?,
                residual(three, case)?,
            ])
        })
        .collect()
}

fn solve(
    [a, b]: &[Moving<AnyPatch>; 2],
    method: Method,
    delta: f64,
    max_boxes: u64,
    workspace: &mut Workspace,
) -> Result<Outcome, Error> {
    let options = Options {
        method,
        delta,
        max_boxes,
        ..Options::default()
    };
    workspace.time_of_impact(a, b, &options)
}
