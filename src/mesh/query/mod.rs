//! What is asked of meshes over one step, and how is it answered?
//!
//! The calls ([`earliest_impact`], [`least_distance`] and their like), as functions and as methods of
//! a [`MeshWorkspace`], with their options and what they return. Each of them goes down the trees of
//! the broad phase in an order of its own, and has the pairs of elements that it finds solved by
//! several threads.

mod calls;
mod distance;
mod options;
mod outcome;
mod solver;
mod workspace;

use super::broad_phase::PairFilter;
pub use distance::{
    AllWithin, LeastDistance, MeshDistanceOptions, PairDistance, all_self_within, all_within,
    least_distance, least_self_distance,
};
pub use options::MeshOptions;
pub use outcome::{AllImpacts, EarliestImpact, MeshCounters, PairOutcome};
pub use workspace::{
    MeshWorkspace, all_impacts, all_self_impacts, collision_free_self_step, collision_free_step,
    earliest_impact, earliest_self_impact,
};
