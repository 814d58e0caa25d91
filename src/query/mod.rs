//! What does a user call for a single pair?
//!
//! - [`time_of_impact`] of two moving patches, with its [`Options`] and its [`Outcome`];
//! - [`edge_edge`], [`vertex_face`], [`vertex_edge`] and [`vertex_vertex`], the same for the
//!   elements of triangle meshes, given by their points;
//! - [`contact_set`], several contacts of two moving patches;
//! - [`closest_points`] and [`closest_point_on`], the distance of patches at rest.
//!
//! A [`Workspace`] makes the same calls, and keeps its scratch space between them. The calls that
//! end in `_batch` answer many queries, in parallel if the feature `rayon` is on.

mod contact_set;
mod distance;
mod linear;
mod nearer;
mod outcome;
mod workspace;

pub use contact_set::{ContactSet, ContactSetOptions, contact_set};
pub use distance::{ClosestPoints, Distance, closest_point_on, closest_points};
pub use linear::{
    Step, edge_edge, edge_edge_batch, vertex_edge, vertex_edge_batch, vertex_face,
    vertex_face_batch, vertex_vertex, vertex_vertex_batch,
};
pub use outcome::{Contact, Outcome};

pub use workspace::{Workspace, time_of_impact, time_of_impact_batch};

pub use crate::counters::{Counters, Decision};
pub use crate::options::{DistanceOptions, Inclusion, LEAST_DELTA, Method, Options};
