//! The meshes of a query, and which of their elements are paired.

use super::{Element, Group, Mesh, MovingMesh};
use crate::rounding::sum_rounded_up;

/// The meshes of a query: two, or one against itself.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Meshes<'a> {
    Between(&'a MovingMesh<'a>, &'a MovingMesh<'a>),
    Within(&'a MovingMesh<'a>),
}

impl<'a> Meshes<'a> {
    /// The mesh of the first element of a pair and that of the second.
    pub(crate) fn sides(self) -> [&'a MovingMesh<'a>; 2] {
        match self {
            Self::Between(a, b) => [a, b],
            Self::Within(mesh) => [mesh, mesh],
        }
    }

    /// The separation of two elements, if `asked` is that of all pairs: it adds up, and is no less
    /// than the exact sum.
    pub(crate) fn separation(self, elements: [Element; 2], asked: f64) -> f64 {
        let [one, two] = self.sides();
        let thickness = sum_rounded_up(
            one.mesh().half_thickness_of(elements[0]),
            two.mesh().half_thickness_of(elements[1]),
        );
        sum_rounded_up(thickness, asked)
    }

    /// No separation of two elements is larger.
    pub(crate) fn largest_separation(self, asked: f64) -> f64 {
        let [one, two] = self
            .sides()
            .map(|side| side.mesh().largest_half_thickness());
        sum_rounded_up(sum_rounded_up(one, two), asked)
    }

    /// The groups of elements that are paired.
    ///
    /// Of vertices, edges and faces, pairs of two edges and pairs of a vertex and a face are enough
    /// for most: there two that are disjoint first meet, and are closest. An edge's ends are tested
    /// with the edge, so a vertex needs pairs of its own with edges only if it belongs to no edge.
    /// It needs them only with edges that belong to no face. Against patches, whole elements are
    /// tested.
    pub(crate) fn groups(self) -> &'static [[Group; 2]] {
        use Group::{Edges, Faces, LooseEdges, LooseVertices, Patches, PointFaces, Vertices};
        match (self, self.sides().map(|side| side.mesh())) {
            (_, [Mesh::Patches(_), Mesh::Patches(_)]) => &[[Patches, Patches]],
            (_, [Mesh::Patches(_), Mesh::Triangles(_)]) => &[
                [Patches, Faces],
                [Patches, LooseEdges],
                [Patches, LooseVertices],
            ],
            (_, [Mesh::Triangles(_), Mesh::Patches(_)]) => &[
                [Faces, Patches],
                [LooseEdges, Patches],
                [LooseVertices, Patches],
            ],
            (Self::Between(..), _) => &[
                [Vertices, Faces],
                [Edges, Edges],
                [Faces, Vertices],
                [LooseVertices, LooseEdges],
                [LooseEdges, LooseVertices],
                [PointFaces, LooseEdges],
                [LooseEdges, PointFaces],
                [LooseVertices, LooseVertices],
            ],
            (Self::Within(_), _) => &[
                [Vertices, Faces],
                [Edges, Edges],
                [LooseVertices, LooseEdges],
                [PointFaces, LooseEdges],
                [LooseVertices, LooseVertices],
            ],
        }
    }
}
