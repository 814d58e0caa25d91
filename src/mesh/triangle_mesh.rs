//! Meshes of triangles, as cloth simulators have them: edges against edges, vertices against faces.

use super::Element;
use super::patch_mesh::check_indices;
use crate::Error;

/// A mesh of linear triangles over shared vertices, tested as all pairs of edges and all pairs of a vertex and a face:
/// together they find every first contact, and every distance, of two meshes of triangles.
///
/// When it is tested against itself, elements that share a vertex are left out. Where the vertices are is not part of
/// the mesh: see [`super::MovingMesh`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TriangleMesh {
    /// Each vertex's only corner: itself.
    vertices: Vec<[u32; 1]>,
    edges: Vec<[u32; 2]>,
    faces: Vec<[u32; 3]>,
}

impl TriangleMesh {
    /// A mesh over `vertices` vertices from its faces; the edges are those of the faces.
    ///
    /// # Errors
    /// An index of a vertex that is not there, with the index of the face.
    ///
    /// ```
    /// use patch_ccd::mesh::TriangleMesh;
    /// let mesh = TriangleMesh::new(4, &[[0, 1, 2], [0, 2, 3]])?;
    /// assert_eq!(mesh.edges(), [[0, 1], [0, 2], [0, 3], [1, 2], [2, 3]]);
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub fn new(vertices: usize, faces: &[[u32; 3]]) -> Result<Self, Error> {
        Self::with_edges(vertices, &[], faces)
    }

    /// The same with edges that belong to no face, of rods for one. Vertices that belong to nothing are tested against faces
    /// all the same.
    ///
    /// # Errors
    /// An index of a vertex that is not there, with the index of the edge or face.
    pub fn with_edges(
        vertices: usize,
        edges: &[[u32; 2]],
        faces: &[[u32; 3]],
    ) -> Result<Self, Error> {
        for (index, edge) in edges.iter().enumerate() {
            check_indices("vertex", edge, vertices)
                .map_err(|source| Error::element(Element::Edge(index as u32), source))?;
        }
        for (index, face) in faces.iter().enumerate() {
            check_indices("vertex", face, vertices)
                .map_err(|source| Error::element(Element::Face(index as u32), source))?;
        }
        let sides = faces.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let all = edges.iter().copied().chain(sides);
        let mut edges: Vec<[u32; 2]> = all
            .filter(|[a, b]| a != b)
            .map(|[a, b]| [a.min(b), a.max(b)])
            .collect();
        edges.sort_unstable();
        edges.dedup();
        Ok(Self {
            vertices: (0..vertices as u32).map(|vertex| [vertex]).collect(),
            edges,
            faces: faces.to_vec(),
        })
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.vertices.len()
    }

    /// The edges, each once, lower vertex first, sorted.
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// The faces as given.
    pub fn faces(&self) -> &[[u32; 3]] {
        &self.faces
    }

    /// The vertices of an element that is there.
    pub(super) fn corners(&self, element: Element) -> &[u32] {
        match element {
            Element::Vertex(index) => &self.vertices[index as usize],
            Element::Edge(index) => &self.edges[index as usize],
            Element::Face(index) => &self.faces[index as usize],
            Element::Patch(_) => &[],
        }
    }
}
