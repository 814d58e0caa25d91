//! How do control points move? Along straight lines at constant velocity, along polynomials in time,
//! or with a rigid body that turns.
//!
//! [`Moving`] is a patch in motion as a caller gives it, and `MotionView` is the same without the
//! patch's type. A search keeps the nets of sub-patches as `SiblingNets`, and a `Track` says what
//! their columns mean: a start and a displacement over the horizon [0, 1] (`Trajectory`), layers, or
//! places in a body. Subdivision acts on each column alone. Beyond that, only this folder knows what
//! they mean. The bounds and the search ask it for positions at a time or over an interval, for the
//! largest coordinates (`Extent`), and for how fast points approach each other; the broad phase asks
//! how far a path is from a line (`NearLine`).

mod linear;
mod moving;
#[cfg(feature = "mesh")]
mod near_line;
mod nets;
mod nurbs;
mod polynomial;
mod rigid;
mod view;

pub use moving::{Motion, Moving};
pub use rigid::RigidMotion;

pub(crate) use linear::{COLUMNS, Extent, STILL_COLUMNS, Spread, Trajectory};
#[cfg(feature = "mesh")]
pub(crate) use near_line::NearLine;
pub(crate) use nets::{NetsAt, SiblingNets, Track, thirds};
pub(crate) use polynomial::{MAX_LAYERS, MAX_MOTION_DEGREE, value_and_change};
#[cfg(test)]
pub(crate) use polynomial::{restrict_cubic, restrict_quadratic};
#[cfg(any(feature = "mesh", test))]
pub(crate) use view::check_range;
pub(crate) use view::{LinearMotion, Motion as MotionOfView, MotionView};
