//! Where can a piece of a patch be at time t?
//!
//! Inside the convex hull of its control points, which an axis-aligned or an oriented box encloses
//! at every time. Two pieces can overlap only while no axis separates them: the search finds that
//! interval for all children of two sub-patches at once; [`overlap_interval`] is the textbook form
//! it is tested against.

// What the search uses is in `siblings.rs`, on the axes of `axes.rs`; the textbook form in
// `envelope.rs`.
mod axes;
mod distances;
mod envelope;
mod gap;
mod margin;
mod siblings;

pub use envelope::{Envelope, Line, overlap_interval};

pub(crate) use axes::{
    COORDINATE_AXES, Direction, Directions, SpanningDirections, axes_between, length_rounded_up,
    normal_of, scaled,
};
pub(crate) use distances::{Frame, SquaredBounds, squared_bounds};
pub(crate) use gap::Axis;
#[cfg(test)]
pub(crate) use gap::{Gap, Values, chord};
pub(crate) use margin::{CoordinateErrors, Margins};
pub(crate) use siblings::{Pairs, SiblingTest};
