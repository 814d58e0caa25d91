//! What does a user call? [`time_of_impact`], its [`Options`] and its [`Outcome`].

mod options;
mod outcome;
mod workspace;

pub use options::{Inclusion, Method, Options};
pub use outcome::{Contact, Counters, Outcome};
pub use workspace::{Workspace, time_of_impact};
