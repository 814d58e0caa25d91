//! When can two sub-patches overlap, and how far apart are they at least?
//!
//! A sub-patch lies in the convex hull of its control points. So two sub-patches are separated at a
//! time if the projections of their control points on some axis leave a gap at that time. The
//! search asks this for the up to sixteen pairs of children of two sub-patches at once
//! (`siblings.rs`; `curved.rs` where points do not move along lines), on axes that suit both (`axes.rs`), and counts a gap only if it exceeds a bound
//! of all rounding errors (`margin.rs`). The gaps on three axes together bound a distance from
//! below (`distances.rs`). [`overlap_interval`] is the textbook form, with which the tests compare
//! the kernel. `README.md` in this folder tells how the kernel is laid out and what a change must
//! keep.

mod axes;
mod curved;
mod distances;
mod envelope;
mod gap;
mod hulls;
mod margin;
mod siblings;

pub use envelope::{Envelope, Line, overlap_interval};

pub(crate) use axes::{
    COORDINATE_AXES, Direction, Directions, SpanningDirections, axes_between, length_rounded_up,
    normal_of, scaled,
};
#[cfg(test)]
pub(crate) use curved::first_zero;
pub(crate) use distances::{Frame, SquaredBounds, squared_bounds};
pub(crate) use gap::Axis;
#[cfg(test)]
pub(crate) use gap::{Gap, Values, chord};
pub(crate) use hulls::widest_axis;
pub(crate) use margin::{CoordinateErrors, Margins};
pub(crate) use siblings::{Pairs, SiblingTest};
