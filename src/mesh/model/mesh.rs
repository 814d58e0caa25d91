//! Meshes of either kind, as their elements.

use nalgebra::Vector3;

use super::{Element, Group, MeshPatch, PatchMesh, TriangleMesh};
use crate::Error;
use crate::geometry::Shape;
use crate::geometry::check_finite;

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
    /// The number of points: control points, or vertices.
    pub fn point_count(&self) -> usize {
        match self {
            Self::Patches(mesh) => mesh.point_count(),
            Self::Triangles(mesh) => mesh.vertex_count(),
        }
    }

    /// The number of elements of a group.
    pub(crate) fn count(&self, group: Group) -> usize {
        match (self, group) {
            (Self::Patches(mesh), Group::Patches) => mesh.len(),
            (Self::Triangles(mesh), Group::Vertices) => mesh.vertex_count(),
            (Self::Triangles(mesh), Group::Edges) => mesh.edges().len(),
            (Self::Triangles(mesh), Group::Faces) => mesh.faces().len(),
            (Self::Triangles(mesh), Group::LooseVertices) => mesh.loose_vertices().len(),
            (Self::Triangles(mesh), Group::PointFaces) => mesh.point_faces().len(),
            (Self::Triangles(mesh), Group::LooseEdges) => mesh.loose_edges().len(),
            _ => 0,
        }
    }

    /// An element of a group, by its number there.
    pub(crate) fn element(&self, group: Group, index: usize) -> Element {
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
            Group::PointFaces => Element::Vertex(pick(TriangleMesh::point_faces)),
            Group::LooseEdges => Element::Edge(pick(TriangleMesh::loose_edges)),
        }
    }

    /// The points of an element, by their indices: the control points of a patch in the order of
    /// [`Shape`](crate::geometry::Shape), a vertex itself, the corners of an edge (the lower one
    /// first) or of a face (in the order given). Empty for an element that the mesh does not have.
    ///
    /// ```
    /// use patch_ccd::mesh::{Element, Mesh, TriangleMesh};
    /// let triangles = TriangleMesh::new(4, &[[2, 1, 0], [0, 3, 1]])?;
    /// let mesh = Mesh::from(&triangles);
    /// assert_eq!(mesh.points_of(Element::Face(0)), [2, 1, 0]);
    /// assert_eq!(mesh.points_of(Element::Edge(4)), [1, 3]);
    /// assert!(mesh.points_of(Element::Face(2)).is_empty());
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub fn points_of(self, element: Element) -> &'a [u32] {
        self.layout(element).map_or(&[], |layout| layout.points)
    }

    /// Shape, points and weights of an element; `None` if the mesh does not have it.
    pub(crate) fn layout(self, element: Element) -> Option<MeshPatch<'a>> {
        let (shape, points) = match (self, element) {
            (Self::Patches(mesh), Element::Patch(index)) => return mesh.patch(index),
            (Self::Triangles(mesh), Element::Vertex(index)) => (Shape::VERTEX, mesh.vertex(index)?),
            (Self::Triangles(mesh), Element::Edge(index)) => (Shape::EDGE, mesh.edge(index)?),
            (Self::Triangles(mesh), Element::Face(index)) => (Shape::FACE, mesh.face(index)?),
            _ => return None,
        };
        Some(MeshPatch {
            shape,
            points,
            weights: None,
        })
    }

    /// Whether two elements of this mesh have a point in common.
    pub(crate) fn are_neighbours(self, a: Element, b: Element) -> bool {
        match self {
            Self::Patches(mesh) => mesh.are_neighbours(a.index(), b.index()),
            Self::Triangles(_) => {
                let (a, b) = (self.points_of(a), self.points_of(b));
                a.iter().any(|corner| b.contains(corner))
            }
        }
    }

    /// Refuses coordinates that are not finite, and names the first patch that has the point.
    pub(crate) fn check_finite<'b>(
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
