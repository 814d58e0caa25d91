//! Whole meshes: what two of them, or one with itself, answer over a step.

mod build;
mod meshes;
mod nurbs;
mod pairs;
mod step;
