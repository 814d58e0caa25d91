//! Steps in which the sheets meet, timed by each method.

use std::time::Instant;

use patch_ccd::mesh::{EarliestImpact, MeshOptions, MeshWorkspace, earliest_impact};
use patch_ccd::{Error, Method, Options, Outcome};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::sheets::{PATCHES, Sheets, WIDTH};

pub(crate) const METHODS: [Method; 3] =
    [Method::TwoSided, Method::TimeDependent, Method::Traditional];

/// Tolerance: of a step in time, of a patch in space.
pub(crate) const DELTA: f64 = 1e-3;

/// Boxes of a pair at most.
pub(crate) const MAX_BOXES: u64 = 10_000_000;

/// A step that takes less than this, in seconds, is timed several times; the least time counts.
const SHORT: f64 = 0.05;
const REPEATS: usize = 5;

/// How far apart the crests are at first, and how far the sheets go to find where they meet, m.
const GAP: f64 = 0.24;
const FAR: f64 = 3.6;

/// One method's sum over some steps.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sum {
    pub(crate) seconds: f64,
    pub(crate) boxes: u64,
    /// Steps in which the budget of a pair ended before the answer was known.
    pub(crate) open: usize,
}

/// Steps at one speed and one length of a step.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub(crate) speed: f64,
    pub(crate) dt: f64,
    pub(crate) steps: usize,
    /// Pairs of patches whose moving boxes meet.
    pub(crate) candidates: u64,
    pub(crate) sums: [Sum; METHODS.len()],
    /// Answers that contradict each other.
    pub(crate) contradictions: Vec<String>,
}

impl Cell {
    /// How far the sheets approach in a step, m.
    pub(crate) fn way(&self) -> f64 {
        self.speed * self.dt
    }

    /// How many times as long as by this method a step takes by the traditional one: at least, if
    /// that ran out of boxes.
    pub(crate) fn gain(&self, method: usize) -> f64 {
        self.sums[METHODS.len() - 1].seconds / self.sums[method].seconds
    }

    /// How many times as many boxes as by the two-sided method are tested by the traditional one.
    pub(crate) fn gain_in_boxes(&self) -> f64 {
        self.sums[METHODS.len() - 1].boxes as f64 / self.sums[0].boxes as f64
    }

    /// Steps of sheets in so many shapes, each of which starts so far away that they touch at about
    /// the middle of the step.
    pub(crate) fn measure(
        (speed, dt): (f64, f64),
        steps: usize,
        workspaces: &mut [MeshWorkspace; METHODS.len()],
        tick: impl Fn(),
    ) -> Result<Self, Error> {
        let way = speed * dt;
        let mut cell = Self {
            speed,
            dt,
            steps,
            candidates: 0,
            sums: [Sum::default(); METHODS.len()],
            contradictions: Vec::new(),
        };
        for seed in 0..steps as u64 {
            let mut sheets = Sheets::new(seed, GAP)?;
            // Not at a half, where the boxes of bisections meet.
            let at = 0.3 + 0.4 * Pcg64Mcg::seed_from_u64(seed + 1000).random::<f64>();
            let meet = meeting(&sheets)?;
            sheets.advance(meet - at * way)?;
            let [lower, upper] = sheets.moving(way)?;
            let mut answers = Vec::new();
            for (k, method) in METHODS.into_iter().enumerate() {
                let options = MeshOptions {
                    query: Options {
                        method,
                        delta: DELTA,
                        max_boxes: MAX_BOXES,
                        ..Options::default()
                    },
                    ..MeshOptions::default()
                };
                let mut least = f64::INFINITY;
                let mut repeat = 0;
                let answer = loop {
                    let timer = Instant::now();
                    let answer = workspaces[k].earliest_impact(&lower, &upper, &options)?;
                    least = least.min(timer.elapsed().as_secs_f64());
                    repeat += 1;
                    if repeat == REPEATS || least > SHORT {
                        break answer;
                    }
                };
                let sum = &mut cell.sums[k];
                sum.seconds += least;
                sum.boxes += answer.counters.boxes;
                sum.open += usize::from(is_open(&answer));
                if k == 0 {
                    cell.candidates += answer.counters.candidates;
                }
                answers.push(answer);
            }
            cell.compare(&answers, seed);
            tick();
        }
        Ok(cell)
    }

    /// Lower bounds by any method are below the contact that the first one found, and no more than
    /// the tolerance below: that of time, and the time in which the sheets approach by that of a
    /// patch.
    fn compare(&mut self, answers: &[EarliestImpact], seed: u64) {
        let contact = answers[0].first.map(|first| first.outcome);
        let Some(Outcome::Impact { toi_upper, .. }) = contact else {
            self.contradictions
                .push(format!("sheets {seed}: {contact:?}"));
            return;
        };
        let patch = WIDTH / PATCHES as f64;
        let tolerance = 2.0 * DELTA * (1.0 + patch / self.way());
        for (method, answer) in METHODS.into_iter().zip(answers) {
            let toi = answer.toi().unwrap_or(f64::INFINITY);
            let late = toi > toi_upper + 1e-9;
            let early = toi < toi_upper - tolerance && !is_open(answer);
            if late || early {
                self.contradictions.push(format!(
                    "{} m/s, {} s, sheets {seed}: {method} says {toi}, a contact is at {toi_upper}",
                    self.speed, self.dt
                ));
            }
        }
    }
}

/// How far the sheets go until they touch.
fn meeting(sheets: &Sheets) -> Result<f64, Error> {
    let [lower, upper] = sheets.moving(FAR)?;
    let options = MeshOptions {
        query: Options {
            delta: 1e-9,
            ..Options::default()
        },
        ..MeshOptions::default()
    };
    let first = earliest_impact(&lower, &upper, &options)?;
    Ok(FAR * first.fraction)
}

fn is_open(answer: &EarliestImpact) -> bool {
    let outcome = answer.first.map(|first| first.outcome);
    matches!(outcome, Some(Outcome::BudgetExhausted { .. }))
}
