//! Meshes of triangles, as cloth simulators have them: edges against edges, vertices against faces.

use super::checks::{check_indices, check_size};
use super::{Element, HalfThickness};
use crate::Error;

/// A mesh of linear triangles over shared vertices, tested as all pairs of two edges and all pairs
/// of a vertex and a face.
///
/// Together these find every first contact, and every distance, of meshes that *start without
/// intersections*, as they do in a simulator that keeps them free of collisions. A triangle that
/// pierces another one already at the start, away from its edges, is not noticed.
/// [`PatchMesh::from_triangles`](super::PatchMesh::from_triangles) tests whole faces and assumes
/// nothing, but takes more time.
///
/// When the mesh is tested against itself, elements that share a vertex are left out. So two edges
/// of a rod may fold flat onto each other unnoticed, unlike two faces, where the vertex of one that
/// the other does not have is tested. Where the vertices are is not part of the mesh: see
/// [`MovingMesh`](super::MovingMesh).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TriangleMesh {
    /// Each vertex's only corner: itself.
    vertices: Vec<[u32; 1]>,
    edges: Vec<[u32; 2]>,
    faces: Vec<[u32; 3]>,
    /// Vertices that belong to no edge and no face.
    loose_vertices: Vec<u32>,
    /// Vertices that belong to a face but to no edge: the face is a point.
    point_faces: Vec<u32>,
    /// Edges that belong to no face.
    loose_edges: Vec<u32>,
    pub(super) half_thickness: HalfThickness,
}

impl TriangleMesh {
    /// A mesh over `vertices` vertices from its faces; the edges are those of the faces. A face
    /// that names a vertex twice is allowed: it is a segment, or a point if it names that vertex
    /// three times, and is tested like any other face.
    ///
    /// # Errors
    /// An index of a vertex that is not there, with the index of the face; more than 2³² − 1
    /// vertices, edges or faces.
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

    /// The same with edges that may belong to no face, such as those of rods. Edges of faces need
    /// not be given. An edge from a vertex to itself is left out.
    ///
    /// Vertices that belong to no edge and no face are particles: they are tested against faces,
    /// against edges that belong to no face and against each other. Both are tested against
    /// patches. (A face that is a point is reported as its vertex where it meets an edge.)
    ///
    /// # Errors
    /// An index of a vertex that is not there, with the index of the edge or face; more than 2³² −
    /// 1 vertices, edges or faces.
    pub fn with_edges(
        vertices: usize,
        edges: &[[u32; 2]],
        faces: &[[u32; 3]],
    ) -> Result<Self, Error> {
        check_size("vertices", vertices)?;
        check_size("edges", edges.len())?;
        check_size("faces", faces.len())?;
        for (index, edge) in edges.iter().enumerate() {
            check_indices("vertex", edge, vertices)
                .map_err(|source| Error::element(Element::Edge(index as u32), source))?;
        }
        for (index, face) in faces.iter().enumerate() {
            check_indices("vertex", face, vertices)
                .map_err(|source| Error::element(Element::Face(index as u32), source))?;
        }
        let sorted = |edges: &mut Vec<[u32; 2]>| {
            edges.retain(|[a, b]| a != b);
            edges.iter_mut().for_each(|edge| edge.sort_unstable());
            edges.sort_unstable();
            edges.dedup();
        };
        let sides = faces.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let mut sides: Vec<[u32; 2]> = sides.collect();
        sorted(&mut sides);
        let mut all = [&sides[..], edges].concat();
        sorted(&mut all);
        check_size("edges", all.len())?;
        let loose = |edge: &[u32; 2]| sides.binary_search(edge).is_err();
        let loose_edges = (0..all.len() as u32).filter(|&index| loose(&all[index as usize]));
        let used = |corners: &[u32]| {
            let mut used = vec![false; vertices];
            let corners = corners.iter();
            corners.for_each(|&corner| used[corner as usize] = true);
            used
        };
        let (in_edge, in_face) = (used(all.as_flattened()), used(faces.as_flattened()));
        let without_edge = |in_a_face: bool| {
            let vertices = (0..vertices as u32).filter(|&vertex| !in_edge[vertex as usize]);
            let vertices = vertices.filter(|&vertex| in_face[vertex as usize] == in_a_face);
            vertices.collect()
        };
        Ok(Self {
            loose_vertices: without_edge(false),
            point_faces: without_edge(true),
            loose_edges: loose_edges.collect(),
            vertices: (0..vertices as u32).map(|vertex| [vertex]).collect(),
            edges: all,
            faces: faces.to_vec(),
            half_thickness: HalfThickness::default(),
        })
    }

    /// The number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.vertices.len()
    }

    /// The edges, sorted, each of them once and with its lower vertex first.
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// The faces, as they were given.
    pub fn faces(&self) -> &[[u32; 3]] {
        &self.faces
    }

    pub(super) fn loose_vertices(&self) -> &[u32] {
        &self.loose_vertices
    }

    pub(super) fn point_faces(&self) -> &[u32] {
        &self.point_faces
    }

    pub(super) fn loose_edges(&self) -> &[u32] {
        &self.loose_edges
    }

    /// A vertex's only corner.
    pub(super) fn vertex(&self, index: u32) -> Option<&[u32]> {
        Some(self.vertices.get(index as usize)?)
    }

    /// The corners of an edge.
    pub(super) fn edge(&self, index: u32) -> Option<&[u32]> {
        Some(self.edges.get(index as usize)?)
    }

    /// The corners of a face.
    pub(super) fn face(&self, index: u32) -> Option<&[u32]> {
        Some(self.faces.get(index as usize)?)
    }
}
