//! Whole meshes: what two of them, or one with itself, answer over a step.
//!
//! [`build`] puts meshes together, [`pairs`] holds their answers against all of their pairs one by
//! one, [`step`] asks what a simulator asks, with closed forms, [`nurbs`] lets whole surfaces meet,
//! and [`weights`] says how a force at a contact acts on the points.

mod build;
mod nurbs;
mod pairs;
mod step;
mod weights;

use patch_ccd::Options;
use patch_ccd::mesh::MeshOptions;

/// The default options with these for every pair.
fn with(query: Options) -> MeshOptions<'static> {
    MeshOptions {
        query,
        ..MeshOptions::default()
    }
}
