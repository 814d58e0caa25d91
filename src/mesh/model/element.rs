//! The parts of meshes that collide with each other.

use crate::Error;

/// A part of a mesh that can collide with a part of another one.
///
/// Its points, in their order, are [`Mesh::points_of`](super::Mesh::points_of). Elements are
/// ordered by their kind, as listed here, then by their index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Element {
    /// A patch of a [`PatchMesh`](super::PatchMesh), by its index.
    Patch(u32),
    /// A vertex of a [`TriangleMesh`](super::TriangleMesh), by its index.
    Vertex(u32),
    /// An edge of a triangle mesh, by its index in
    /// [`TriangleMesh::edges`](super::TriangleMesh::edges). Of a contact's parameters (u, 0), u = 0
    /// is at the lower one of its two vertices.
    Edge(u32),
    /// A face of a triangle mesh, by its index in
    /// [`TriangleMesh::faces`](super::TriangleMesh::faces). A contact's barycentric coordinates are
    /// those of its corners in the order given there.
    Face(u32),
}

impl Element {
    /// The index without the kind.
    pub fn index(&self) -> u32 {
        match *self {
            Self::Patch(index) | Self::Vertex(index) | Self::Edge(index) | Self::Face(index) => {
                index
            }
        }
    }

    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Patch(_) => "patch",
            Self::Vertex(_) => "vertex",
            Self::Edge(_) => "edge",
            Self::Face(_) => "face",
        }
    }
}

impl std::fmt::Display for Element {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.name(), self.index())
    }
}

impl Error {
    /// An error in an element.
    pub(crate) fn element(element: Element, source: Self) -> Self {
        Self::Element {
            element: element.name(),
            index: element.index(),
            source: Box::new(source),
        }
    }
}

/// Elements of a mesh that lie in one tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Group {
    Patches,
    Vertices,
    Edges,
    Faces,
    /// Vertices that belong to no edge and no face.
    LooseVertices,
    /// Vertices that belong to a face but to no edge, so that the face is a point.
    PointFaces,
    /// Edges that belong to no face.
    LooseEdges,
}

impl Group {
    pub(crate) const COUNT: usize = 7;
}
