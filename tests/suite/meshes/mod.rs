//! Whole meshes: what two of them, or one with itself, answer over a step.
//!
//! [`build`] puts meshes together, [`welds`] asks which patches are neighbours once they are
//! welded, [`pairs`] holds answers against all pairs one by one, [`earliest`] the earliest impact
//! against all impacts, [`elements`] lets every kind of element meet every other, [`step`] asks
//! what a simulator asks, with closed forms, and [`nurbs`] lets whole surfaces meet. In
//! [`thickness`] elements have one, and in [`nearer`] they start nearer than their separation.
//! [`weights`] says how a force at a contact acts on the points.

mod build;
mod earliest;
mod elements;
mod nearer;
mod nurbs;
mod pairs;
mod step;
mod thickness;
mod weights;
mod welds;

use kit::scenes::meshes::stirred;
use nalgebra::{Point3, vector};
use patch_ccd::Options;
use patch_ccd::mesh::{Mesh, MeshOptions, MovingMesh};

/// The default options with these for every pair.
fn with(query: Options) -> MeshOptions<'static> {
    MeshOptions {
        query,
        ..MeshOptions::default()
    }
}

/// A sheet at this velocity along z, stirred; two such sheets pass through each other.
fn passing<'a, M>((mesh, points): &'a (M, Vec<Point3<f64>>), z: f64) -> MovingMesh<'a>
where
    &'a M: Into<Mesh<'a>>,
{
    let velocities = stirred(points.len(), vector![0.1, 0.0, z], 0.1, 7);
    MovingMesh::with_velocities(mesh, points, &velocities).unwrap()
}
