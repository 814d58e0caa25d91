//! The right answer to a case, and whether an answer agrees with it.

use std::ops::RangeInclusive;

use patch_ccd::Outcome;

use crate::json::Field;
use crate::{CaseError, ReadError};

/// Whether there is a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Collides {
    /// `true`: a contact, with its time within the bounds.
    Yes,
    /// `false`: no contact, and that can be proven at the case's tolerance.
    No,
    /// `"either"`: no contact, but closer than the tolerance resolves: clear is right, and so is an impact within the
    /// bounds.
    Either,
    /// `"error"`: the case can't be asked, and the error says why.
    Error,
}

/// The right answer to a case.
#[derive(Clone, Debug, PartialEq)]
pub struct Expect {
    /// Whether there is a contact.
    pub collides: Collides,
    /// `toi_lower` ..= `toi_upper`: the times of impact that are right at the case's tolerance; open where the file has
    /// no bound. A later one is a missed collision, an earlier one a loose bound.
    pub toi: RangeInclusive<f64>,
    /// Whether an exhausted budget is right too, with its time within the bounds: the case itself sets a budget.
    pub budget: bool,
    /// How the answer is known.
    pub note: String,
}

impl Expect {
    /// Reads the field `expect`. `budget`: whether the case sets one.
    pub(crate) fn read(field: &Field<'_>, budget: bool) -> Result<Self, ReadError> {
        let collides = field.required("collides")?;
        let bound = |name, open| {
            let bound = field.optional(name)?;
            bound.map_or(Ok(open), |bound| bound.number())
        };
        Ok(Self {
            collides: match (collides.bool(), collides.text()) {
                (Some(true), _) => Collides::Yes,
                (Some(false), _) => Collides::No,
                (_, Ok("either")) => Collides::Either,
                (_, Ok("error")) => Collides::Error,
                _ => return Err(collides.expected("true, false, \"either\" or \"error\"")),
            },
            toi: bound("toi_lower", f64::NEG_INFINITY)?..=bound("toi_upper", f64::INFINITY)?,
            budget,
            note: match field.optional("note")? {
                Some(note) => note.text()?.to_owned(),
                None => String::new(),
            },
        })
    }

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
