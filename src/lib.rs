//! Continuous collision detection between moving Bézier patches.

pub mod error;
pub mod geometry;
pub mod inclusion;
#[cfg(feature = "io")]
pub mod io;
pub mod motion;
pub mod query;
#[cfg(feature = "random")]
pub mod random;
mod rounding;
mod search;

pub use error::Error;
pub use motion::Moving;
pub use query::{
    Contact, Counters, Inclusion, Method, Options, Outcome, Workspace, time_of_impact,
};
