//! Meshes of either kind, as their elements.

use nalgebra::Vector3;

use super::element::Group;
use super::{Element, MeshPatch, PatchMesh, TriangleMesh};
use crate::Error;
use crate::geometry::{check_count, check_finite};
use crate::query::{EDGE, FACE, VERTEX};

/// A mesh of either kind.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Mesh<'a> {
    /// A mesh of patches.
    Patches(&'a PatchMesh),
    /// A mesh of triangles.
    Triangles(&'a TriangleMesh),
}

impl<'a> From<&'a PatchMesh> for Mesh<'a> {
    fn from(mesh: &'a PatchMesh) -> Self {
        Self::Patches(mesh)
    }
}

impl<'a> From<&'a TriangleMesh> for Mesh<'a> {
    fn from(mesh: &'a TriangleMesh) -> Self {
        Self::Triangles(mesh)
    }
}

impl<'a> Mesh<'a> {
    /// Number of points: control points or vertices.
    pub fn point_count(&self) -> usize {
        match self {
            Self::Patches(mesh) => mesh.point_count(),
            Self::Triangles(mesh) => mesh.vertex_count(),
        }
    }

    /// Number of elements of a group.
    pub(super) fn count(&self, group: Group) -> usize {
        match (self, group) {
            (Self::Patches(mesh), Group::Patches) => mesh.len(),
            (Self::Triangles(mesh), Group::Vertices) => mesh.vertex_count(),
            (Self::Triangles(mesh), Group::Edges) => mesh.edges().len(),
            (Self::Triangles(mesh), Group::Faces) => mesh.faces().len(),
            (Self::Triangles(mesh), Group::LooseVertices) => mesh.loose_vertices().len(),
            (Self::Triangles(mesh), Group::LooseEdges) => mesh.loose_edges().len(),
            _ => 0,
        }
    }

    /// An element of a group, by its number there.
    pub(super) fn element(&self, group: Group, index: usize) -> Element {
        let pick = |from: fn(&TriangleMesh) -> &[u32]| match self {
            Self::Triangles(mesh) => from(mesh)[index],
            Self::Patches(_) => index as u32,
        };
        match group {
            Group::Patches => Element::Patch(index as u32),
            Group::Vertices => Element::Vertex(index as u32),
            Group::Edges => Element::Edge(index as u32),
            Group::Faces => Element::Face(index as u32),
            Group::LooseVertices => Element::Vertex(pick(TriangleMesh::loose_vertices)),
            Group::LooseEdges => Element::Edge(pick(TriangleMesh::loose_edges)),
        }
    }

    /// Shape, points and weights of an element that is there.
    pub(super) fn layout(self, element: Element) -> MeshPatch<'a> {
        let (shape, points) = match self {
            Self::Patches(mesh) => match mesh.patch(element.index()) {
                Some(patch) => return patch,
                None => (VERTEX, &[][..]),
            },
            Self::Triangles(mesh) => {
                let shape = match element {
                    Element::Edge(_) => EDGE,
                    Element::Face(_) => FACE,
                    Element::Vertex(_) | Element::Patch(_) => VERTEX,
                };
                (shape, mesh.corners(element))
            }
        };
        MeshPatch {
            shape,
            points,
            weights: None,
        }
    }

    /// Whether two elements of this mesh have a point in common.
    pub(super) fn are_neighbours(&self, a: Element, b: Element) -> bool {
        match self {
            Self::Patches(mesh) => mesh.are_neighbours(a.index(), b.index()),
            Self::Triangles(mesh) => {
                let (a, b) = (mesh.corners(a), mesh.corners(b));
                a.iter().any(|corner| b.contains(corner))
            }
        }
    }

    /// Refuses coordinates that are not finite, by the first patch that has the point.
    pub(super) fn check_finite<'b>(
        &self,
        argument: &'static str,
        vectors: impl IntoIterator<Item = &'b Vector3<f64>>,
    ) -> Result<(), Error> {
        check_finite(argument, vectors).map_err(|error| {
            let Error::NonFinite {
                argument,
                index,
                coordinate,
                value,
            } = error
            else {
                return error;
            };
            let Self::Patches(mesh) = self else {
                return error;
            };
            let place = mesh.patches().enumerate().find_map(|(patch, layout)| {
                let at = layout
                    .points
                    .iter()
                    .position(|&point| point as usize == index);
                at.map(|at| (patch, at))
            });
            match place {
                Some((patch, at)) => Error::element(
                    Element::Patch(patch as u32),
                    Error::NonFinite {
                        argument,
                        index: at,
                        coordinate,
                        value,
                    },
                ),
                None => error,
            }
        })
    }
}

/// Refuses indices of points that a mesh does not have.
pub(super) fn check_indices(
    argument: &'static str,
    indices: &[u32],
    points: usize,
) -> Result<(), Error> {
    match indices.iter().position(|&index| index as usize >= points) {
        Some(position) => Err(Error::PointIndex {
            argument,
            position,
            value: indices[position],
            points,
        }),
        None => Ok(()),
    }
}

/// Refuses a wrong number of points, or of what belongs to them.
pub(super) fn check_points(
    argument: &'static str,
    found: usize,
    expected: usize,
) -> Result<(), Error> {
    check_count(argument, &"mesh of this size", expected, found)
}

/// Refuses more than 32 bits can number.
pub(super) fn check_size(argument: &'static str, found: usize) -> Result<(), Error> {
    if found > u32::MAX as usize {
        return Err(Error::MeshSize { argument, found });
    }
    Ok(())
}
