//! Whole meshes: what two of them, or one with itself, answer over a step.
//!
//! [`build`] puts meshes together, [`pairs`] holds their answers against all of their pairs one by
//! one, [`elements`] lets every kind of element meet every other, [`step`] asks what a simulator
//! asks, with closed forms, and [`nurbs`] lets whole surfaces meet.

mod build;
mod elements;
mod nurbs;
mod pairs;
mod step;

use patch_ccd::Options;
use patch_ccd::mesh::MeshOptions;

/// The default options with these for every pair.
fn with(query: Options) -> MeshOptions<'static> {
    MeshOptions {
        query,
        ..MeshOptions::default()
    }
}
