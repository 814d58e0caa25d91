//! What does a simulator call? Whole meshes over one step.
//!
//! A [`PatchMesh`] or a [`TriangleMesh`] is the lasting part: which points make which elements. A [`MovingMesh`] is one
//! step of it: from one set of points to another. Three calls answer for two meshes that move: [`earliest_impact`],
//! [`all_impacts`] and [`collision_free_step`]; two for meshes as they are: [`least_distance`] and [`all_within`]; and as many more for one mesh
//! against itself. In a loop, a [`MeshWorkspace`] keeps memory and trees. The broad phase is a tree of moving boxes; it leaves [`Candidate`]s with the
//! time at which their boxes meet, which are solved in the order of that time, so that the best impact so far ends the work.

// The broad phase is in `boxes.rs`, `tree.rs` and `candidates.rs`, what follows it in `solver.rs` and
// `workspace.rs`, and in `distance.rs`; how the calls look is in `calls.rs`.
mod boxes;
mod calls;
mod candidates;
mod distance;
mod element;
mod elements;
mod moving;
mod options;
mod outcome;
mod parallel;
mod patch_mesh;
mod solver;
mod tree;
mod triangle_mesh;
mod weld;
mod workspace;

pub use candidates::Candidate;
pub use distance::{
    AllWithin, LeastDistance, MeshDistanceOptions, PairDistance, all_self_within, all_within,
    least_distance, least_self_distance,
};
pub use element::Element;
pub use elements::Mesh;
pub use moving::MovingMesh;
pub use options::{MeshOptions, PairFilter};
pub use outcome::{AllImpacts, EarliestImpact, MeshCounters, PairOutcome};
pub use patch_mesh::{MeshPatch, PatchMesh};
pub use triangle_mesh::TriangleMesh;
pub use workspace::{
    MeshWorkspace, all_impacts, all_self_impacts, collision_free_self_step, collision_free_step,
    earliest_impact, earliest_self_impact,
};
