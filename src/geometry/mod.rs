//! What can move? Bézier patches: evaluation, derivatives, midpoint subdivision.
//!
//! A kind of patch is a [`Shape`] (how many control points, in which order, over which domain) and its control
//! points; everything that depends on the layout is in `shape.rs`, with the Bernstein basis in `bernstein.rs` and
//! midpoint subdivision in `split.rs`. [`Patch`] is the capability that all kinds share. A [`Cell`] tells which part of
//! the parameter domain a sub-patch covers.

mod any;
mod bernstein;
mod cell;
mod patch;
mod rational;
mod shape;
mod split;
mod tensor_product;
mod triangular;

pub use any::AnyPatch;
pub use cell::Cell;
pub use patch::{ControlNet, MAX_WEIGHT_RATIO, Patch};
pub use rational::{Rational, RationalTensorProductPatch, RationalTriangularPatch};
pub use shape::{MAX_DEGREE, Shape};
pub use tensor_product::TensorProductPatch;
pub use triangular::TriangularPatch;

pub(crate) use patch::{
    check_finite, check_weights, combine, unit_normal, weighted_basis, weighted_basis_partials,
};
pub(crate) use shape::Span;
pub(crate) use split::SplitPlan;
