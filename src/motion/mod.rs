//! How do control points move? Along straight lines at constant velocity.
//!
//! [`Moving`] is a patch in motion as a caller gives it, and `MotionView` is the same without the
//! patch's type. A search turns each control point into a `Trajectory` over the horizon [0, 1], in
//! the coordinates of the search, and keeps the nets of sub-patches as `SiblingNets`. Subdivision
//! treats a trajectory as `COLUMNS` numbers and acts on each alone. Beyond that, only this folder
//! knows what they mean. The bounds and the search ask it for positions at a time, for the largest
//! coordinates (`Extent`), and for how fast points approach each other.

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
