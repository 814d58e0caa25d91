//! The right answer to a case, and whether an answer agrees with it.

use std::ops::RangeInclusive;

use patch_ccd::Outcome;
use serde::Deserialize;
use serde_json::Value;

use crate::CaseError;
use crate::json::{Number, mismatch};

/// Whether there is a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "Value")]
pub enum Collides {
    /// `true`: a contact, with its time within the bounds.
    Yes,
    /// `false`: no contact, and that can be proven at the case's tolerance.
    No,
    /// `"either"`: no contact, but closer than the tolerance resolves: clear is right, and so is an
    /// impact within the bounds.
    Either,
    /// `"error"`: the case can't be asked, and the error says why.
    Error,
}

impl TryFrom<Value> for Collides {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        match (value.as_bool(), value.as_str()) {
            (Some(true), _) => Ok(Self::Yes),
            (Some(false), _) => Ok(Self::No),
            (_, Some("either")) => Ok(Self::Either),
            (_, Some("error")) => Ok(Self::Error),
            _ => Err(mismatch("true, false, \"either\" or \"error\"", &value)),
        }
    }
}

/// The right answer to a case.
#[derive(Clone, Debug, PartialEq)]
pub struct Expect {
    /// Whether there is a contact.
    pub collides: Collides,
    /// `toi_lower` ..= `toi_upper`: the times of impact that are right at the case's tolerance;
    /// open where the file has no bound. A later one is a missed collision, an earlier one a loose
    /// bound.
    pub toi: RangeInclusive<f64>,
    /// Whether an exhausted budget is right too, with its time within the bounds: the case itself
    /// sets a budget.
    pub budget: bool,
    /// How the answer is known.
    pub note: String,
}

/// The field `expect`.
#[derive(Deserialize)]
pub(crate) struct ExpectData {
    collides: Collides,
    toi_lower: Option<Number>,
    toi_upper: Option<Number>,
    note: Option<String>,
}

impl ExpectData {
    /// The right answer. `budget`: whether the case sets one.
    pub(crate) fn read(self, budget: bool) -> Expect {
        let bound = |given: Option<Number>, open: f64| given.map_or(open, |Number(bound)| bound);
        let lower = bound(self.toi_lower, f64::NEG_INFINITY);
        let upper = bound(self.toi_upper, f64::INFINITY);
        Expect {
            collides: self.collides,
            toi: lower..=upper,
            budget,
            note: self.note.unwrap_or_default(),
        }
    }
}

impl Expect {
    /// Allows times of impact that are earlier by `time`.
    pub(crate) fn allow_earlier(&mut self, time: f64) {
        self.toi = self.toi.start() - time..=*self.toi.end();
    }

    /// Whether an answer is right.
    ///
    /// # Errors
    /// What was expected and what was found, in words, where the two differ.
    pub fn check(&self, answer: &Result<Outcome, CaseError>) -> Result<(), String> {
        let agrees = match answer {
            Err(_) => self.collides == Collides::Error,
            Ok(Outcome::Clear { .. }) => matches!(self.collides, Collides::No | Collides::Either),
            Ok(Outcome::ContactAtStart { .. }) => self.allows_impact() && self.toi.contains(&0.0),
            Ok(Outcome::Impact { toi, .. }) => self.allows_impact() && self.toi.contains(toi),
            Ok(Outcome::BudgetExhausted { toi, .. }) => {
                self.budget && self.collides != Collides::Error && self.toi.contains(toi)
            }
        };
        if agrees {
            return Ok(());
        }
        let found = match answer {
            Err(error) => format!("the error \"{error}\""),
            Ok(Outcome::Clear { .. }) => "clear".to_owned(),
            Ok(Outcome::ContactAtStart { .. }) => "contact at the start".to_owned(),
            Ok(Outcome::Impact { toi, .. }) => format!("an impact at toi {toi:?}"),
            Ok(Outcome::BudgetExhausted { toi, .. }) => {
                format!("an exhausted budget at toi {toi:?}")
            }
        };
        Err(format!("expected {self}, found {found}"))
    }

    fn allows_impact(&self) -> bool {
        matches!(self.collides, Collides::Yes | Collides::Either)
    }
}

impl std::fmt::Display for Expect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (lower, upper) = (self.toi.start(), self.toi.end());
        match self.collides {
            Collides::Yes => write!(f, "an impact with toi from {lower:?} to {upper:?}"),
            Collides::No => write!(f, "clear"),
            Collides::Either => write!(
                f,
                "clear, or an impact with toi from {lower:?} to {upper:?}"
            ),
            Collides::Error => write!(f, "an error"),
        }
    }
}
