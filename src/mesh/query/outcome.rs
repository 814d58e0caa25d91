//! What a query of the impacts of meshes answers.

use crate::mesh::model::Element;
use crate::{Contact, Outcome};

/// Two elements that touch, or were not proven clear, and the outcome of their query: when, where
/// and with which normals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairOutcome {
    /// The elements, of the first mesh and of the second; within one mesh the one with the lower
    /// index, or the vertex, is first.
    pub elements: [Element; 2],
    /// Never [`Outcome::Clear`]. The parameters of its contact are those of the elements: for the
    /// order of corners see [`Element`].
    pub outcome: Outcome,
}

impl PairOutcome {
    /// The proven lower bound on the pair's time of impact, from 0 to
    /// [`t_max`](crate::Options::t_max).
    pub fn toi(&self) -> f64 {
        self.outcome.toi().unwrap_or(0.0)
    }
}

/// The first impact of two meshes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EarliestImpact {
    /// The pair with the least lower bound; of several, the one that is first in the order of
    /// [`Element`]. `None`: it is proven that there is no contact in [0, t_max].
    ///
    /// It is proven that no other pair touches before [`PairOutcome::toi`] of this one, whatever
    /// its outcome. If it is [`Outcome::BudgetExhausted`], nothing is said of later contacts of
    /// other pairs. (For meshes of triangles against each other this holds if they start without
    /// intersections; see [`TriangleMesh`](crate::mesh::TriangleMesh).)
    pub first: Option<PairOutcome>,
    /// The fraction of the horizon [0, t_max] that is proven free of contact, from 0 to 1: that of
    /// the first pair's toi, or 1 if there is none.
    pub fraction: f64,
    /// What was done.
    pub counters: MeshCounters,
}

impl EarliestImpact {
    /// It is proven that there is no contact in [0, toi), or in [0, t_max] if `None`.
    pub fn toi(&self) -> Option<f64> {
        self.first.map(|first| first.toi())
    }
}

/// A contact of one of the pairs of a list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairContact {
    /// The index of the pair in [`AllImpacts::pairs`].
    pub pair: usize,
    /// Its parameters are those of the pair's elements.
    pub contact: Contact,
}

/// All impacts of two meshes within a step.
#[derive(Clone, Debug, PartialEq)]
pub struct AllImpacts {
    /// Every pair that touches, or was not proven clear, each with its own time of impact; sorted
    /// by that, then by elements. Where the budget ended first there is no
    /// contact, but the [`nearest`](Outcome::nearest) pair of points found so far.
    pub pairs: Vec<PairOutcome>,
    /// The contacts of all pairs, in the order of the pairs: that of the pair's outcome and, with
    /// [`MeshOptions::contact_set`](crate::mesh::MeshOptions::contact_set), others of the pair.
    pub contacts: Vec<PairContact>,
    /// The fraction of the horizon [0, t_max] that is proven free of contact, from 0 to 1: that of
    /// the first pair's toi, or 1 if there is none.
    ///
    /// (For meshes of triangles against each other this holds if they start without intersections;
    /// see [`TriangleMesh`](crate::mesh::TriangleMesh).)
    pub fraction: f64,
    /// What was done.
    pub counters: MeshCounters,
}

/// What a query of meshes did.
///
/// [`earliest_impact`](crate::mesh::earliest_impact) and
/// [`least_distance`](crate::mesh::least_distance) leave out what comes after the best pair found
/// so far. There the figures depend on the number of threads, and on which pair is solved before
/// which; the answer does not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeshCounters {
    /// Pairs of elements whose moving boxes overlap at some time or, for distances, whose boxes are
    /// near enough, and that neither share a point nor were filtered out, as far as they came up.
    pub candidates: u64,
    /// Pairs left out because they share a point, or are welded, as far as they came up.
    pub neighbours: u64,
    /// Pairs left out by the caller's filter, as far as they came up.
    pub filtered: u64,
    /// Candidates that were solved; the boxes of the others meet later than the first impact, or
    /// are farther apart than the least distance.
    pub solved: u64,
    /// Those of them whose [separation was shrunk](crate::Options::shrink_separation), clear ones
    /// included.
    pub shrunk: u64,
    /// Boxes that the searches of these pairs tested.
    pub boxes: u64,
}
