//! The parts of meshes that collide with each other.

use crate::Error;

/// A part of a mesh that a collision query takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Element {
    /// Patch of a [`super::PatchMesh`], by its index.
    Patch(u32),
    /// Vertex of a [`super::TriangleMesh`], by its index.
    Vertex(u32),
    /// Edge of a triangle mesh, by its index in [`super::TriangleMesh::edges`].
    Edge(u32),
    /// Face of a triangle mesh, by its index in [`super::TriangleMesh::faces`].
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

    fn kind(&self) -> Kind {
        match self {
            Self::Patch(_) => Kind::Patch,
            Self::Vertex(_) => Kind::Vertex,
            Self::Edge(_) => Kind::Edge,
            Self::Face(_) => Kind::Face,
        }
    }
}

impl std::fmt::Display for Element {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.kind().name(), self.index())
    }
}

impl Error {
    /// An error in an element.
    pub(super) fn element(element: Element, source: Self) -> Self {
        Self::Element {
            element: element.kind().name(),
            index: element.index(),
            source: Box::new(source),
        }
    }
}

/// A kind of element, all of which lie in one tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Patch,
    Vertex,
    Edge,
    Face,
}

impl Kind {
    pub(super) const COUNT: usize = 4;

    fn name(self) -> &'static str {
        match self {
            Self::Patch => "patch",
            Self::Vertex => "vertex",
            Self::Edge => "edge",
            Self::Face => "face",
        }
    }

    pub(super) fn element(self, index: u32) -> Element {
        match self {
            Self::Patch => Element::Patch(index),
            Self::Vertex => Element::Vertex(index),
            Self::Edge => Element::Edge(index),
            Self::Face => Element::Face(index),
        }
    }
}
