//! How does a thin shell resist? Kirchhoff–Love shells of C¹ bicubic Hermite (Bogner–Fox–Schmit)
//! elements, without collisions.
//!
//! A shell's unknowns are vectors, four to a node: position, the tangents along u and v, and the
//! twist, in the order node · 4 + kind. With the elements' widths in metres at rest the tangents
//! have length about 1. Everything is in SI units.

mod density;
mod element;
mod hermite;
mod sheet;
mod system;

pub use density::{Material, Part};
pub use sheet::{KINDS, Sheet, StepStart, nodes, unknowns};
pub use system::{Matrix, NotPositive, Pattern};
