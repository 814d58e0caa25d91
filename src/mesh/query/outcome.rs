//! What a query of meshes answers.

use crate::Outcome;
use crate::mesh::model::Element;

/// Two elements that touch, or were not proven clear, and the outcome of their query: when, where, with which normals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairOutcome {
    /// The elements, of the first mesh and of the second; within one mesh the lower index, or the vertex, first.
    pub elements: [Element; 2],
    /// Never [`Outcome::Clear`]. Of its contact the parameters are those of the elements: for the order of corners see
    /// [`Element`].
    pub outcome: Outcome,
}

impl PairOutcome {
    /// The proven lower bound on the pair's time of impact.
    pub fn toi(&self) -> f64 {
        self.outcome.toi().unwrap_or(0.0)
    }
}

/// The first impact of two meshes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EarliestImpact {
    /// The pair with the least lower bound, of several the one that is first in the order of [`Element`]; `None`: proven, no
    /// contact in [0, t_max]. No other pair touches before its [`PairOutcome::toi`] either, whatever its outcome: if it is
    /// [`Outcome::BudgetExhausted`], later contacts of other pairs may have been found, or not.
    ///
    /// (Meshes of triangles against each other: if they start without intersections; see [`TriangleMesh`](crate::mesh::TriangleMesh).)
    pub first: Option<PairOutcome>,
    /// The fraction of the horizon [0, t_max] that is proven free of contact: that of the first pair's toi, or 1.
    pub fraction: f64,
    /// What was done.
    pub counters: MeshCounters,
}

impl EarliestImpact {
    /// Proven: no contact in [0, toi), or in [0, t_max] if `None`.
    pub fn toi(&self) -> Option<f64> {
        self.first.map(|first| first.toi())
    }
}

/// All impacts of two meshes within a step.
#[derive(Clone, Debug, PartialEq)]
pub struct AllImpacts {
    /// Every pair that touches, or was not proven clear, each with its own time of impact; sorted by that, then by elements.
    /// [`contact`](Outcome::contact) is `None` where the budget ended first.
    pub pairs: Vec<PairOutcome>,
    /// The fraction of the horizon [0, t_max] that is proven free of contact: that of the first pair's toi, or 1.
    ///
    /// (Meshes of triangles against each other: if they start without intersections; see [`TriangleMesh`](crate::mesh::TriangleMesh).)
    pub fraction: f64,
    /// What was done.
    pub counters: MeshCounters,
}

/// What a query of meshes did. With [`earliest_impact`](super::earliest_impact) and [`least_distance`](super::least_distance), which leave out what comes after
/// the best so far, the figures depend on the number of threads, on which pair is solved before which; the answer does not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeshCounters {
    /// Pairs whose moving boxes overlap in time or, for distances, whose boxes are near enough, and that neither share a point nor were filtered out, as far as they came up.
    pub candidates: u64,
    /// Pairs left out because they share a point.
    pub neighbours: u64,
    /// Pairs left out by the caller's filter.
    pub filtered: u64,
    /// Candidates that were solved; the boxes of the others meet later, or are farther apart, than the answer.
    pub solved: u64,
    /// Boxes that the searches tested.
    pub boxes: u64,
}
