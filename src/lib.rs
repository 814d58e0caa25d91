//! Continuous collision detection between moving curved surfaces.
//!
//! Two Bézier patches move, every control point along a straight line; when do they first touch?
//! [`time_of_impact`] answers with a lower bound on that time that is proven, in floating point
//! too, or with a proof that there is no contact. It searches the four surface parameters only and
//! solves for time (the time-dependent inclusion method of Chen et al., ACM TOG 43(6), 2024).
//!
//! ```
//! use nalgebra::{point, vector};
//! use patch_ccd::geometry::TensorProductPatch;
//! use patch_ccd::{Moving, Options, Outcome, time_of_impact};
//!
//! // A quadratic arch, and a flat sheet that falls on it from height 1 at speed 2.
//! let arch = TensorProductPatch::new(2, 1, &[
//!     point![-1.0, -1.0, 0.0], point![-1.0, 1.0, 0.0],
//!     point![0.0, -1.0, 1.0], point![0.0, 1.0, 1.0],
//!     point![1.0, -1.0, 0.0], point![1.0, 1.0, 0.0],
//! ])?;
//! let sheet = TensorProductPatch::new(1, 1, &[
//!     point![-1.0, -1.0, 1.0], point![-1.0, 1.0, 1.0], point![1.0, -1.0, 1.0], point![1.0, 1.0, 1.0],
//! ])?;
//! let falling = Moving::translating(sheet, vector![0.0, 0.0, -2.0])?;
//!
//! match time_of_impact(&falling, &Moving::resting(arch), &Options::default())? {
//!     Outcome::Impact { toi, contact, .. } => {
//!         assert!(toi <= 0.25 && toi > 0.25 - 1e-6); // the crest is at height 1/2
//!         assert!((contact.points[0].x).abs() < 1e-2);
//!     }
//!     Outcome::ContactAtStart { .. } => println!("they touch already"),
//!     Outcome::Clear { .. } => println!("no contact within the step"),
//!     Outcome::BudgetExhausted { toi, .. } => println!("free up to {toi} at least"),
//! }
//! # Ok::<(), patch_ccd::Error>(())
//! ```
//!
//! # Where to look
//!
//! | module | answers |
//! |---|---|
//! | [`geometry`] | what can move? patches of any degree, quads and triangles |
//! | [`motion`] | how does it move? [`Moving`] |
//! | [`inclusion`] | where can a piece of it be at time t? overlap intervals and envelopes |
//! | [`query`] | what does a user call? [`Options`], [`Outcome`], [`Workspace`]; [`edge_edge`], [`vertex_face`] for triangle meshes; [`closest_points`], [`closest_point_on`] for distances at rest |
#![cfg_attr(
    feature = "mesh",
    doc = "| [`mesh`] | what does a simulator call? whole meshes over one step, and their distances |"
)]
//! | [`error`] | what can be wrong with the input? |
#![cfg_attr(feature = "io", doc = "| [`io`] | what can be read and written? |")]
//!
//! # Features
//!
//! `mesh` (default): whole meshes. `rayon` (default): batches and meshes in parallel. `io`:
//! geometry files.

// The library does not panic. (These lints are not in Cargo.toml, as tests, benches and examples
// may.)
#![cfg_attr(
    not(test),
    warn(
        clippy::exit,
        clippy::expect_used,
        clippy::get_unwrap,
        clippy::missing_panics_doc,
        clippy::panic,
        clippy::panic_in_result_fn,
        clippy::string_slice,
        clippy::unreachable,
        clippy::unwrap_in_result,
        clippy::unwrap_used
    )
)]

mod bound;
mod branch;
mod counters;
pub mod error;
mod exact;
pub mod geometry;
pub mod inclusion {
    //! Where can a piece of a patch be at time t? Envelopes and overlap intervals in their textbook
    //! form (Chen et al. 2024, section 4).
    pub use crate::bound::{Envelope, Line, overlap_interval};
}
#[cfg(feature = "io")]
pub mod io;
mod lanes;
#[cfg(feature = "mesh")]
pub mod mesh;
pub mod motion;
mod options;
#[cfg(test)]
mod proofs;
pub mod query;
mod rounding;
mod vector;

pub use error::Error;
pub use motion::Moving;
pub use query::{
    ClosestPoints, Contact, Counters, Decision, Distance, DistanceOptions, Inclusion, Method,
    Options, Outcome, Step, Workspace, closest_point_on, closest_points, edge_edge,
    edge_edge_batch, time_of_impact, time_of_impact_batch, vertex_edge, vertex_edge_batch,
    vertex_face, vertex_face_batch, vertex_vertex, vertex_vertex_batch,
};

/// The README's code is compiled and run like every other example.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
