//! Meshes of either kind, as their elements.

use nalgebra::Vector3;

use super::{Element, Group, MeshPatch, PatchMesh, TriangleMesh};
use crate::Error;
use crate::geometry::{PointWeights, Shape, check_finite, weighted_basis};

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

    /// The points that carry a place on an element, and their weights there, which are not negative
    /// and sum to 1. They are the values of the basis functions: of a rational patch the rational
    /// ones, of a face the barycentric coordinates, of a vertex 1.
    ///
    /// The place is at (u, v) on the element itself, as in a contact's
    /// [`parameters`](crate::Contact::parameters); v is 0 on an edge or a curve, and both are 0 on
    /// a vertex. The position there is the sum of weight · point, its velocity that of weight ·
    /// velocity, and a force there acts on each point with weight · force. The points come in the
    /// order of [`Mesh::points_of`], and one that an element names more than once comes once, with
    /// all of its weight. [Welded](PatchMesh::weld) points are still points of their own.
    ///
    /// For the control points of a NURBS or the nodes of a Hermite grid, from which the points of a
    /// mesh are computed, see
    /// [`NurbsExtraction::weights_at`](crate::geometry::NurbsExtraction::weights_at) and
    /// [`HermiteGrid::weights_at`](crate::geometry::HermiteGrid::weights_at).
    ///
    /// # Errors
    /// An element that the mesh does not have; a parameter that is NaN, or outside the element by
    /// more than rounding (1e-12), with the element.
    ///
    /// ```
    /// use patch_ccd::mesh::{MeshOptions, MovingMesh, PatchMesh, TriangleMesh, earliest_impact};
    /// use nalgebra::{Vector3, point, vector};
    /// // A particle falls on a bilinear patch.
    /// let (sheet, particle) = (PatchMesh::from_quads(4, &[[0, 1, 2, 3]])?, TriangleMesh::new(1, &[])?);
    /// let corners = [
    ///     point![0.0, 0.0, 0.0], point![1.0, 0.0, 0.0], point![1.0, 1.0, 0.0], point![0.0, 1.0, 0.0],
    /// ];
    /// let (sheet, above) = (MovingMesh::resting(&sheet, &corners)?, [point![0.25, 0.5, 1.0]]);
    /// let falling = MovingMesh::with_velocities(&particle, &above, &[vector![0.0, 0.0, -2.0]])?;
    /// let first = earliest_impact(&sheet, &falling, &MeshOptions::default())?.first.unwrap();
    /// let contact = first.outcome.contact().unwrap();
    ///
    /// // The particle pushes with the force f on the corners of the patch.
    /// let (f, mut force) = (vector![0.0, 0.0, -8.0], [Vector3::zeros(); 4]);
    /// for (point, weight) in sheet.mesh().weights_at(first.elements[0], contact.parameters[0])? {
    ///     force[point] += weight * f;
    /// }
    /// assert_eq!(force.map(|force| force.z), [-3.0, -1.0, -1.0, -3.0]);
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub fn weights_at(
        self,
        element: Element,
        parameters: (f64, f64),
    ) -> Result<PointWeights, Error> {
        let layout = self.layout(element).ok_or(Error::UnknownElement {
            element: element.name(),
            index: element.index() as usize,
        })?;
        let (u, v) = layout
            .shape
            .checked_parameters(parameters)
            .map_err(|error| Error::element(element, error))?;
        let basis = weighted_basis(layout.shape, layout.weights, u, v);
        let mut weights = PointWeights::new();
        for (&point, weight) in layout.points.iter().zip(basis) {
            let point = point as usize;
            match weights.iter_mut().find(|(other, _)| *other == point) {
                Some((_, sum)) => *sum += weight,
                None => weights.push((point, weight)),
            }
        }
        Ok(weights)
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
