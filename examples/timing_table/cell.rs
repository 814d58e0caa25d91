//! One cell of the table: the cases of a kind, solved one way within a budget of time.

use std::time::{Duration, Instant};

use pairs::{PairKind, RandomPairs};
use patch_ccd::geometry::AnyPatch;
use patch_ccd::{Error, Inclusion, Method, Moving, Options, Outcome, Workspace};

/// Boxes of a case's first attempt. Most cases end within them.
const FIRST_BOXES: u64 = 20_000;
/// How many times more boxes each further attempt gets, if so many fit into the time left; fewer
/// than the least are not worth an attempt.
const GROWTH: f64 = 8.0;
const LEAST_GROWTH: f64 = 2.0;
/// Boxes of the last attempt: at most some 2 GB of queue.
const MOST_BOXES: u64 = 30_000_000;
/// Longer queues are slower: a box costs up to this much more in the next attempt.
const SLOWDOWN: f64 = 1.25;

/// A way to solve a case.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Way {
    pub(crate) method: Method,
    pub(crate) inclusion: Inclusion,
    pub(crate) delta: f64,
}

impl std::fmt::Display for Way {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let inclusion = self.inclusion.to_string().to_uppercase();
        write!(f, "{} {inclusion} {:.0e}", self.method, self.delta)
    }
}

/// The answer to a case, and the seconds that it took. Attempts that ended before do not count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Solved {
    pub(crate) outcome: Outcome,
    /// Of the fastest run.
    pub(crate) seconds: f64,
    /// Of the slowest run.
    pub(crate) slowest: f64,
}

impl Solved {
    pub(crate) fn collides(&self) -> bool {
        self.outcome.contact().is_some()
    }
}

/// What was done of a cell. The cases done are always the first ones of the sequence.
#[derive(Debug)]
pub(crate) struct Cell {
    pub(crate) kind: PairKind,
    pub(crate) way: Way,
    /// By case.
    pub(crate) solved: Vec<Solved>,
    /// The next case, if it could not be finished in what was left of the time: its last attempt.
    pub(crate) unfinished: Option<Solved>,
    /// How often each of them was solved.
    pub(crate) runs: u32,
}

/// What a cell may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) budget: Duration,
    /// Runs of each case at most.
    pub(crate) repeat: u32,
}

/// The random pairs of a run. They are made anew for every cell, so that a long sequence needs no
/// memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cases {
    pub(crate) count: usize,
    pub(crate) seed: u64,
}

impl Cases {
    pub(crate) fn pairs(
        self,
        kind: PairKind,
    ) -> impl Iterator<Item = Result<[Moving<AnyPatch>; 2], Error>> {
        RandomPairs::new(kind.shape(), self.seed).take(self.count)
    }
}

impl Cell {
    /// Solves cases until all are done, the time is up, or a case does not fit into what is left of
    /// it. If all are done, solves them again as long as the time lasts for that, too.
    pub(crate) fn run(
        kind: PairKind,
        way: Way,
        cases: Cases,
        limits: Limits,
        workspace: &mut Workspace,
        tick: impl FnMut(),
    ) -> Result<Self, Error> {
        let begin = Instant::now();
        let mut cell = Self {
            kind,
            way,
            solved: Vec::new(),
            unfinished: None,
            runs: 1,
        };
        cell.run_once(cases, limits.budget, workspace, tick)?;
        let once = begin.elapsed();
        while cell.solved.len() == cases.count
            && cell.runs < limits.repeat
            && begin.elapsed() + once <= limits.budget
        {
            cell.run_again(cases, workspace)?;
        }
        Ok(cell)
    }

    fn run_once(
        &mut self,
        cases: Cases,
        budget: Duration,
        workspace: &mut Workspace,
        mut tick: impl FnMut(),
    ) -> Result<(), Error> {
        let begin = Instant::now();
        for pair in cases.pairs(self.kind) {
            if begin.elapsed() >= budget {
                break;
            }
            let [a, b] = pair?;
            let mut max_boxes = FIRST_BOXES;
            loop {
                let attempt = attempt(&a, &b, self.way, max_boxes, workspace)?;
                if !matches!(attempt.outcome, Outcome::BudgetExhausted { .. }) {
                    self.solved.push(attempt);
                    break;
                }
                let left = budget.saturating_sub(begin.elapsed()).as_secs_f64();
                let growth = GROWTH
                    .min(left / (SLOWDOWN * attempt.seconds))
                    .min(MOST_BOXES as f64 / max_boxes as f64);
                if growth < LEAST_GROWTH {
                    self.unfinished = Some(attempt);
                    return Ok(());
                }
                max_boxes = (growth * max_boxes as f64) as u64;
            }
            tick();
        }
        Ok(())
    }

    /// Solves all cases once more. The runs of a case are as far apart as they can be, so that what
    /// else the machine does now and then does not hit them all.
    fn run_again(&mut self, cases: Cases, workspace: &mut Workspace) -> Result<(), Error> {
        for (pair, solved) in cases.pairs(self.kind).zip(&mut self.solved) {
            let [a, b] = pair?;
            let seconds = attempt(&a, &b, self.way, MOST_BOXES, workspace)?.seconds;
            solved.seconds = solved.seconds.min(seconds);
            solved.slowest = solved.slowest.max(seconds);
        }
        self.runs += 1;
        Ok(())
    }

    /// Seconds for case number `case`, or for the attempt that failed to finish it.
    pub(crate) fn seconds_at_least(&self, case: usize) -> Option<f64> {
        let solved = self.solved.iter().chain(&self.unfinished).nth(case)?;
        Some(solved.seconds)
    }

    /// Mean seconds over the first `count` cases.
    pub(crate) fn mean_of_first(&self, count: usize) -> f64 {
        let seconds = self.solved.iter().take(count).map(|case| case.seconds);
        seconds.sum::<f64>() / count as f64
    }
}

/// Solves a case with at most so many boxes.
pub(crate) fn attempt(
    a: &Moving<AnyPatch>,
    b: &Moving<AnyPatch>,
    way: Way,
    max_boxes: u64,
    workspace: &mut Workspace,
) -> Result<Solved, Error> {
    let options = Options {
        method: way.method,
        inclusion: way.inclusion,
        delta: way.delta,
        max_boxes,
        ..Options::default()
    };
    let start = Instant::now();
    let outcome = workspace.time_of_impact(a, b, &options)?;
    let seconds = start.elapsed().as_secs_f64();
    Ok(Solved {
        outcome,
        seconds,
        slowest: seconds,
    })
}
