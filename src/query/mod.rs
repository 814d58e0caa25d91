//! What does a user call? [`time_of_impact`], its [`Options`] and its [`Outcome`].

mod distance;
mod linear;
mod outcome;
mod workspace;

pub use distance::{ClosestPoints, Distance, closest_point_on, closest_points};
#[cfg(feature = "mesh")]
pub(crate) use linear::{EDGE, FACE, VERTEX};
pub use linear::{
    Step, edge_edge, edge_edge_batch, vertex_edge, vertex_edge_batch, vertex_face,
    vertex_face_batch, vertex_vertex, vertex_vertex_batch,
};
pub use outcome::{Contact, Outcome};

pub use workspace::{Workspace, time_of_impact, time_of_impact_batch};

pub use crate::counters::{Counters, Decision};
pub use crate::options::{DistanceOptions, Inclusion, LEAST_DELTA, Method, Options};
