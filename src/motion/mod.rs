//! How do control points move? Along straight lines at constant velocity.
//!
//! [`Moving`] is a patch in motion as a caller gives it, `MotionView` the same without its type. A
//! search takes each control point in as a `Trajectory` over the horizon [0, 1], in coordinates
//! relative to the scene, and keeps the nets of sub-patches as `SiblingNets`. Only this folder
//! knows what numbers those consist of: the bound and the search ask for positions at a time, for
//! `Extent`s and for the largest approach.

mod linear;
mod moving;
mod nets;
mod view;

pub use moving::Moving;

pub(crate) use linear::{COLUMNS, Extent, STILL_COLUMNS, Spread, Trajectory};
pub(crate) use nets::{SiblingNets, thirds};
pub(crate) use view::{MotionView, check_range};
