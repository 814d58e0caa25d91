//! What does a simulator call? Whole meshes over one step.
//!
//! A [`PatchMesh`] or a [`TriangleMesh`] is the lasting part: which points make which elements. A
//! [`MovingMesh`] is one step of it, from one set of points to another. Three calls answer for two
//! meshes that move: [`earliest_impact`], [`all_impacts`] and [`collision_free_step`]. Two answer
//! for meshes as they are: [`least_distance`] and [`all_within`]. Each of the five has a variant
//! for one mesh against itself. In a loop, a [`MeshWorkspace`] keeps scratch space and trees.
//!
//! The broad phase is a tree of moving bounding boxes. It leaves [`Candidate`]s, with the time at
//! which their boxes meet. These are solved in the order of that time, so that the earliest impact
//! found so far ends the work.

// Rooms: queries use the broad phase, and this the model. `parallel` is a tool of all.
mod broad_phase;
mod model;
mod parallel;
mod query;

pub use broad_phase::{Candidate, PairFilter, WeldReport};
pub use model::{Element, Mesh, MeshPatch, MovingMesh, PatchMesh, TriangleMesh};
pub use query::{
    AllImpacts, AllWithin, EarliestImpact, LeastDistance, MeshCounters, MeshDistanceOptions,
    MeshOptions, MeshWorkspace, PairContact, PairDistance, PairOutcome, all_impacts,
    all_self_impacts, all_self_within, all_within, collision_free_self_step, collision_free_step,
    earliest_impact, earliest_self_impact, least_distance, least_self_distance,
};
