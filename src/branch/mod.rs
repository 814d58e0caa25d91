//! When do two patches first meet, and how far apart are they?
//!
//! Both questions are answered by best-first branch and bound ([`driver`]) over pairs of
//! sub-patches, which two subdivision trees make on demand ([`tree`]). The objectives are the time
//! of the first contact ([`impact`]) and the distance at rest ([`distance`]). The inclusion tests
//! of [`crate::bound`] bound each node from below. A local solve finds the incumbent, which bounds
//! the objective from above. How nodes are split is common to both ([`splitting`]).

mod closest_solve;
mod difference;
pub(crate) mod distance;
pub(crate) mod driver;
pub(crate) mod impact;
mod linear;
pub(crate) mod pair;
mod splitting;
pub(crate) mod tree;

use pair::ScaledPair;

/// Halvings of a parameter, at most, down to
/// [`Cell::LEAST_WIDTH`](crate::geometry::Cell::LEAST_WIDTH); and subdivisions of a pair of
/// vertices, which have no parameters.
const MAX_LEVEL: u32 = 52;

/// What searches keep between queries: the patches of the last one, and scratch.
#[derive(Debug)]
pub(crate) struct Search {
    pub(crate) pair: ScaledPair,
    pub(crate) impact: impact::ImpactScratch,
    distance: distance::DistanceScratch,
}

impl Search {
    pub(crate) fn new() -> Self {
        Self {
            pair: ScaledPair::new(),
            impact: impact::ImpactScratch::default(),
            distance: distance::DistanceScratch::default(),
        }
    }
}
