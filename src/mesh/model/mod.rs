//! What is a mesh, and how does it move over a step?
//!
//! A mesh says which points make which elements: patches ([`PatchMesh`]), or vertices, edges and
//! faces ([`TriangleMesh`]); [`Mesh`] is either of them. It is the lasting part. A [`MovingMesh`]
//! adds where the points are and how they move over one step, and a query is asked of one or two of
//! these ([`Meshes`]). Elements may have a thickness. Points that coincide can be welded; which ones do is found out by the broad
//! phase, what it means for a mesh is kept here.

mod checks;
mod element;
mod half_thickness;
mod mesh;
mod meshes;
mod moving_mesh;
mod net;
mod patch_mesh;
mod triangle_mesh;
mod welds;

pub(crate) use checks::{check_points, check_size};
pub use element::Element;
pub(crate) use element::Group;
pub(crate) use half_thickness::HalfThickness;
pub use mesh::Mesh;
pub(crate) use meshes::Meshes;
pub(crate) use moving_mesh::Chosen;
pub use moving_mesh::MovingMesh;
pub(crate) use net::ElementNet;
pub use patch_mesh::{MeshPatch, PatchMesh};
pub use triangle_mesh::TriangleMesh;
use welds::Welds;
