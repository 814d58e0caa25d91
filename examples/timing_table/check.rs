//! Do all ways to solve a case agree on whether the patches collide?
//!
//! "Clear" is a proof; a contact is only what could not be ruled out at δ. So where two ways
//! differ, those that found a contact are asked again at smaller δ. Patches that pass at a hair's
//! breadth come out clear then; if a contact stays all the way down, somebody's proof is wrong.

use pairs::PairKind;
use patch_ccd::{Error, Outcome, Workspace};

use crate::cell::{Cases, Cell, Way, attempt};

/// Boxes for a case that is solved again.
const MAX_BOXES: u64 = 2_000_000;
const SMALLEST_DELTA: f64 = 1e-12;

/// How the cases came out that not all ways agreed on.
#[derive(Debug, Default)]
pub(crate) struct Agreement {
    /// Cases that at least two ways solved at the same δ.
    pub(crate) compared: usize,
    /// Cases on which they differed, and why that is no contradiction.
    pub(crate) explained: Vec<String>,
    /// Cases that would have taken too long to decide.
    pub(crate) undecided: Vec<String>,
    /// Cases with a proof of no contact, and a contact all the same.
    pub(crate) contradictions: Vec<String>,
}

impl Agreement {
    /// Compares the cells of one kind and one δ.
    pub(crate) fn check(
        &mut self,
        kind: PairKind,
        cells: &[&Cell],
        cases: Cases,
        workspace: &mut Workspace,
    ) -> Result<(), Error> {
        for (case, pair) in cases.pairs(kind).enumerate() {
            let answers: Vec<(Way, bool)> = cells
                .iter()
                .filter_map(|cell| Some((cell.way, cell.solved.get(case)?.collides())))
                .collect();
            if answers.len() < 2 {
                // The cases done are the first ones.
                break;
            }
            self.compared += 1;
            if answers.iter().all(|answer| answer.1 == answers[0].1) {
                continue;
            }
            let [a, b] = pair?;
            let said = |collides| {
                let ways = answers.iter().filter(|answer| answer.1 == collides);
                ways.map(|answer| answer.0.to_string())
                    .collect::<Vec<_>>()
                    .join(", ")
            };
            let report = format!(
                "{kind} case {case}: clear by {}; contact by {}",
                said(false),
                said(true)
            );
            let mut stubborn = None;
            let mut proof = None;
            'ways: for &(way, _) in answers.iter().filter(|answer| answer.1) {
                let mut way = way;
                while way.delta > SMALLEST_DELTA {
                    way.delta = (way.delta / 10.0).max(SMALLEST_DELTA);
                    match attempt(&a, &b, way, MAX_BOXES, workspace)?.outcome {
                        Outcome::Clear { .. } => {
                            proof = Some(way);
                            break 'ways;
                        }
                        Outcome::BudgetExhausted { .. } => continue 'ways,
                        Outcome::Impact { .. } | Outcome::ContactAtStart { .. } => {}
                    }
                }
                stubborn = Some(way);
            }
            match (proof, stubborn) {
                (Some(way), _) => self.explained.push(format!("{report}; clear by {way}")),
                (None, Some(way)) => {
                    self.contradictions
                        .push(format!("{report}; still a contact by {way}"));
                }
                (None, None) => self.undecided.push(report),
            }
        }
        Ok(())
    }
}
