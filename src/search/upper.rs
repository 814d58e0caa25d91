//! The best upper bound on the time of impact, and when to look for a better one.

use super::arena::Arena;
use super::local::Witness;
use super::queue::Entry;

/// The first level at which a local solve is tried: boxes of the whole patches say too little of where they meet.
const FIRST_LEVEL: u32 = 2;

/// Boxes that are taken between two tries once there is a bound, and the factor by which that grows when a try brings nothing.
const PATIENCE: u32 = 8;
const GROWTH: u32 = 4;

/// Boxes that are taken between two tries while there is none, and on a level that was tried; twice as many each time.
const DROUGHT: u32 = 32;

/// The best upper bound so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct UpperBound {
    /// No contact later than this is of interest: that of the witness, or the end of the window.
    pub(super) time: f64,
    pub(super) witness: Option<Witness>,
    /// While there is no witness, the level of the next box to start from.
    level: u32,
    waited: u32,
    patience: u32,
}

impl UpperBound {
    pub(super) fn new(latest: f64) -> Self {
        Self {
            time: latest,
            witness: None,
            level: FIRST_LEVEL,
            waited: 0,
            patience: DROUGHT,
        }
    }

    /// Whether to try a local solve from a box that is about to be opened.
    ///
    /// Without a witness, from the first box of ever deeper levels, as the search goes down fast where the first contact may be, and now
    /// and then besides. With one, from a box that the witness is not in, now and then.
    pub(super) fn is_due(&mut self, arenas: &[Arena; 2], entry: &Entry) -> bool {
        self.waited += 1;
        let Some(witness) = &self.witness else {
            let deeper = entry.level >= self.level;
            let due = deeper || self.waited >= self.patience && entry.level >= FIRST_LEVEL;
            if deeper {
                self.level = entry.level + 1 + entry.level / 4;
            } else if due {
                self.patience = self.patience.saturating_mul(2);
            }
            if due {
                self.waited = 0;
            }
            return due;
        };
        let due = self.waited >= self.patience
            && entry.level >= FIRST_LEVEL
            && !(0..2).all(|side| arenas[side].covers(entry.nodes[side], witness.parameters[side]));
        if due {
            self.waited = 0;
        }
        due
    }

    /// Takes in what a local solve found.
    pub(super) fn offer(&mut self, found: Option<Witness>) {
        match found {
            Some(found) if self.witness.is_none() || found.time < self.time => {
                self.time = found.time;
                self.witness = Some(found);
                self.patience = PATIENCE;
            }
            _ if self.witness.is_some() => {
                self.patience = self.patience.saturating_mul(GROWTH);
            }
            _ => {}
        }
    }
}
