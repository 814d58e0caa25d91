//! What is asked of meshes over one step, and how is it answered?
//!
//! The calls are in `impact` and `distance`, each as a function and as a method of a
//! [`MeshWorkspace`]. The first impact and the least distance are searched for best first
//! (`earliest` and `least`), on the crate's one driver, with nodes that are pairs of tree nodes.
//! What asks for all pairs has its threads share them. Either way pairs of elements end up with the
//! solvers, one for each thread.

mod calls;
mod distance;
mod distance_outcome;
mod earliest;
mod impact;
mod incumbent;
mod least;
mod options;
mod outcome;
mod solver;
mod workspace;

pub use distance::{all_self_within, all_within, least_distance, least_self_distance};
pub use distance_outcome::{AllWithin, LeastDistance, PairDistance};
pub use impact::{
    all_impacts, all_self_impacts, collision_free_self_step, collision_free_step, earliest_impact,
    earliest_self_impact,
};
pub use options::{MeshDistanceOptions, MeshOptions};
pub use outcome::{AllImpacts, EarliestImpact, MeshCounters, PairContact, PairOutcome};
pub use workspace::MeshWorkspace;
