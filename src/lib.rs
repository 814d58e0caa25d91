//! Continuous collision detection between moving curved surfaces.
//!
//! Two Bézier patches move, each control point along a straight line or a polynomial in time, or with
//! a rigid body. When do they first
//! touch? [`time_of_impact`] answers with a lower bound on that time, or says that there is no
//! contact; both are proven, rounding errors of floating point included. It uses the time-dependent
//! inclusion method (Chen et al., ACM TOG 43(6), 2024), which subdivides the four surface
//! parameters only and solves for time.
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
//!     point![-1.0, -1.0, 1.0], point![-1.0, 1.0, 1.0],
//!     point![1.0, -1.0, 1.0], point![1.0, 1.0, 1.0],
//! ])?;
//! let falling = Moving::translating(sheet, vector![0.0, 0.0, -2.0])?;
//!
//! match time_of_impact(&falling, &Moving::resting(arch), &Options::default())? {
//!     Outcome::Impact { toi, contact, .. } => {
//!         assert!(toi <= 0.25 && toi > 0.25 - 1e-6); // The crest is at height 1/2.
//!         assert!((contact.points[0].x).abs() < 1e-2);
//!     }
//!     Outcome::ContactAtStart { .. } => println!("They touch at t = 0."),
//!     Outcome::Clear { .. } => println!("There is no contact up to t = 1."),
//!     Outcome::BudgetExhausted { toi, .. } => println!("There is no contact before {toi}."),
//! }
//! # Ok::<(), patch_ccd::Error>(())
//! ```
//!
//! # Where to look
//!
//! | module | answers |
//! |---|---|
//! | [`geometry`] | What can move? Bézier patches and curves, NURBS, Hermite patches |
//! | [`motion`] | How does it move? [`Moving`] |
//! | [`inclusion`] | When can two pieces overlap? Envelopes and overlap intervals |
//! | [`query`] | What is called for one pair? [`time_of_impact`], [`Options`], [`Outcome`] |
//! | | For triangle meshes: [`edge_edge`], [`vertex_face`] |
//! | | For distances at rest: [`closest_points`], [`closest_point_on`] |
//! | | For many calls: [`Workspace`] |
#![cfg_attr(
    feature = "mesh",
    doc = "| [`mesh`] | What is called for whole meshes? First contacts in a step, and distances |"
)]
//! | [`error`] | What can be wrong with the input? |
#![cfg_attr(
    feature = "io",
    doc = "| [`io`] | What can be read and written? Geometry files |"
)]
//!
//! # Features
//!
//! | feature | default | adds |
//! |---|---|---|
//! | `mesh` | yes | queries of whole meshes |
//! | `rayon` | yes | threads: batches and meshes are queried in parallel |
//! | `io` | no | readers and writers of geometry files; it turns `mesh` on |

// The library does not panic. These lints are here and not in Cargo.toml, since tests, benches and
// examples may panic.
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
    //! When can two pieces of patches overlap? Envelopes and overlap intervals in their textbook
    //! form (Chen et al. 2024, section 4).
    //!
    //! A search does not use this form, but a faster one with error bounds. It is here for those
    //! who want the envelopes themselves. For the interval with error bounds of two whole patches
    //! see [`Workspace::overlap_interval`](crate::Workspace::overlap_interval).
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
pub use motion::{Motion, Moving, RigidMotion};
pub use query::{
    ClosestPoints, Contact, ContactSet, ContactSetOptions, Counters, Decision, Distance,
    DistanceOptions, Inclusion, Method, Options, Outcome, Step, Workspace, closest_point_on,
    closest_points, contact_set, edge_edge, edge_edge_batch, time_of_impact, time_of_impact_batch,
    vertex_edge, vertex_edge_batch, vertex_face, vertex_face_batch, vertex_vertex,
    vertex_vertex_batch,
};

/// The README's code is compiled and run like every other example.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
