//! The earliest contact found so far, and when to look for an earlier one.

use super::ImpactNode;
use super::contact_solve::FoundContact;
use crate::branch::pair::ScaledPair;

/// The first level at which a local solve is tried: nodes of the whole patches say too little of
/// where they meet.
const FIRST_LEVEL: u32 = 2;

/// The same with a minimum separation, for nodes whose hulls are nearer than that at the start. It
/// does not say that the surfaces are, only that the hulls are too wide.
const FIRST_WIDE_LEVEL: u32 = 3;

/// Nodes between two tries once there is a contact, and the factor by which that number grows when
/// a try brings nothing.
const PATIENCE: u32 = 8;
const GROWTH: u32 = 4;

/// Nodes between two tries while there is none, on levels that were tried; twice as many each time.
const DROUGHT: u32 = 32;

/// Tries that may fail before the next ones take more time.
const FAILURES: u32 = 4;

/// The earliest contact found so far: an upper bound on the time of impact.
#[derive(Clone, Copy, Debug)]
pub(super) struct ImpactIncumbent {
    /// No contact later than this is of interest: the time of the contact, or the end of the
    /// window.
    pub(super) time: f64,
    pub(super) contact: Option<FoundContact>,
    /// While there is no contact, the level of the next node to start from.
    level: u32,
    waited: u32,
    patience: u32,
    /// Tries that brought nothing, while there is no contact.
    failures: u32,
}

impl ImpactIncumbent {
    pub(super) fn new(latest: f64, min_separation: f64) -> Self {
        Self {
            time: latest,
            contact: None,
            level: if min_separation > 0.0 { 0 } else { FIRST_LEVEL },
            waited: 0,
            patience: DROUGHT,
            failures: 0,
        }
    }

    /// Whether to try a local solve from a node that is about to be expanded.
    ///
    /// Without a contact, from the first node of ever deeper levels, as the search goes down fast
    /// where the first contact may be, and now and then besides. With one, now and then, from a
    /// node that the contact is not in. `apart` is whether the node's hulls are known to be farther
    /// apart than the separation.
    pub(super) fn is_due(&mut self, pair: &ScaledPair, node: &ImpactNode, apart: bool) -> bool {
        self.waited += 1;
        let Some(contact) = &self.contact else {
            let wide = pair.min_separation > 0.0 && !apart;
            let first = if wide { FIRST_WIDE_LEVEL } else { 0 };
            let deeper = node.level >= self.level.max(first);
            let due = deeper || self.waited >= self.patience && node.level >= FIRST_LEVEL;
            if deeper {
                self.level = node.level + 1 + node.level / 4;
            } else if due {
                self.patience = self.patience.saturating_mul(2);
            }
            if due {
                self.waited = 0;
            }
            return due;
        };
        let due = self.waited >= self.patience
            && node.level >= FIRST_LEVEL
            && !pair.covers(node.sub_patches, contact.parameters);
        if due {
            self.waited = 0;
        }
        due
    }

    /// Whether so many tries brought nothing that the next one may take more time.
    pub(super) fn is_hard(&self) -> bool {
        self.failures >= FAILURES
    }

    /// Takes in what a local solve found.
    pub(super) fn improve(&mut self, found: Option<FoundContact>) -> bool {
        match found {
            Some(found) if self.contact.is_none() || found.time < self.time => {
                self.time = found.time;
                self.contact = Some(found);
                self.patience = PATIENCE;
                return true;
            }
            _ if self.contact.is_some() => {
                self.patience = self.patience.saturating_mul(GROWTH);
            }
            _ => self.failures += 1,
        }
        false
    }
}
