//! What does a simulator call? Whole meshes over one step.
//!
//! A [`PatchMesh`] or a [`TriangleMesh`] is the lasting part: which points make which elements. A
//! [`MovingMesh`] is one step of it, from one set of points to another. Three calls answer for two
//! meshes that move: [`earliest_impact`], [`all_impacts`] and [`collision_free_step`]. Two answer
//! for meshes as they are: [`least_distance`] and [`all_within`]. Each of the five has a variant
//! for one mesh against itself. In a loop, a [`MeshWorkspace`] keeps scratch space and trees.
//!
//! Meshes and elements may have a [thickness](PatchMesh::set_half_thickness), which adds to the
//! [separation](crate::Options::min_separation) of a pair. A simulator sets it once, and lets pairs
//! that come too near all the same [keep a share](crate::Options::shrink_separation) of their
//! distance, so that none of them stops a step:
//!
//! ```
//! use nalgebra::{Vector3, point};
//! use patch_ccd::Options;
//! use patch_ccd::mesh::{MeshOptions, MeshWorkspace, MovingMesh, TriangleMesh};
//! // A cloth of two triangles, 2 mm thick, 0.99 mm over a floor without thickness: too near.
//! let mut cloth = TriangleMesh::new(4, &[[0, 1, 2], [0, 2, 3]])?;
//! cloth.set_half_thickness(1e-3)?;
//! let floor = TriangleMesh::new(3, &[[0, 1, 2]])?;
//! let corners = [point![-9.0, -9.0, 0.0], point![9.0, -9.0, 0.0], point![0.0, 9.0, 0.0]];
//! let floor = MovingMesh::resting(&floor, &corners)?;
//! let mut x = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
//!     .map(|[x, y]| point![x, y, 0.99e-3])
//!     .to_vec();
//!
//! let query = Options { shrink_separation: Some(0.9), ..Options::default() };
//! let options = MeshOptions { query, ..MeshOptions::default() };
//! let mut workspace = MeshWorkspace::new();
//! // Down by 1 cm is not free; the cloth stays 0.99 × 0.9 mm over the floor. Up is.
//! for (way, least, most) in [(-0.01, 0.89e-3, 0.99e-3), (0.01, 0.01, 0.011)] {
//!     let target: Vec<_> = x.iter().map(|p| p + way * Vector3::z()).collect();
//!     let moving = MovingMesh::between(&cloth, &x, &target)?;
//!     let free = workspace.collision_free_step(&moving, &floor, &options)?;
//!     assert!(free > 0.0);
//!     x = moving.at(free);
//!     assert!(x.iter().all(|p| p.z > least && p.z < most), "{free}");
//! }
//! # Ok::<(), patch_ccd::Error>(())
//! ```
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
