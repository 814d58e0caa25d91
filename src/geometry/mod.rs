//! What can move? Bézier patches of several kinds, with their evaluation, derivatives and midpoint
//! subdivision. NURBS and Hermite patches are brought into Bézier form without loss.
//!
//! A kind of patch is a [`Shape`] (how many control points, in which order, over which domain) and
//! its control points. [`Patch`] is the capability that all kinds share. A [`Cell`] is the part of
//! the parameter domain that a sub-patch covers.
//!
//! [`NurbsSurface`], [`NurbsCurve`] and [`HermiteGrid`] consist of many patches that share control
//! points: a [`PatchGrid`]. The map from their own control points to those of the patches is linear
//! and does not change in time, so it serves positions and velocities alike ([`NurbsExtraction`]).

// Everything that depends on the layout of a net is in `shape.rs`, with the Bernstein basis in
// `bernstein.rs` and midpoint subdivision in `split.rs`.
mod any;
mod bernstein;
mod cell;
mod curve;
mod domain;
mod extraction;
mod grid;
mod hermite;
mod knots;
mod net;
mod normal;
mod nurbs;
mod nurbs_curve;
mod nurbs_net;
mod patch;
mod point_weights;
mod polygon;
mod rational;
mod series;
mod shape;
mod split;
mod taylor;
mod tensor_product;
mod triangular;

pub use any::AnyPatch;
pub use cell::Cell;
pub use curve::{BezierCurve, RationalBezierCurve};
pub use extraction::{NurbsExtraction, NurbsPatch, NurbsSpan};
pub use grid::PatchGrid;
pub use hermite::{HermiteGrid, HermiteNode, HermitePatch};
pub use knots::KnotVector;
pub use nurbs::NurbsSurface;
pub use nurbs_curve::NurbsCurve;
pub use patch::{ControlNet, MAX_WEIGHT_RATIO, Patch};
pub use point_weights::PointWeights;
pub use rational::{Rational, RationalTensorProductPatch, RationalTriangularPatch};
pub use shape::{MAX_DEGREE, Shape};
pub use tensor_product::TensorProductPatch;
pub use triangular::TriangularPatch;

pub(crate) use bernstein::triangular_index;
pub(crate) use domain::{ActiveSet, Domain, Moves, solve_within};
pub(crate) use normal::{NormalNet, normal_of_curves};
pub(crate) use patch::{check_count, check_finite, check_weights, combine, weighted_basis};
pub(crate) use polygon::nearest_to_origin;
pub(crate) use shape::{BasisJets, SpanningDifference};
pub(crate) use split::{Split, SplitPlan};
