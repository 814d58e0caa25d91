//! What does a user call? [`time_of_impact`], its [`Options`] and its [`Outcome`].

mod linear;
mod options;
mod outcome;
mod workspace;

pub use linear::{
    Step, edge_edge, edge_edge_batch, vertex_edge, vertex_edge_batch, vertex_face,
    vertex_face_batch, vertex_vertex, vertex_vertex_batch,
};
pub use options::{Inclusion, Method, Options};
pub use outcome::{Contact, Counters, Outcome};
pub use workspace::{Workspace, time_of_impact};
