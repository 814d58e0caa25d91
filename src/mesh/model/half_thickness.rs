//! How thick are the elements of a mesh?
//!
//! Half the thickness is what lies on each side of a surface: the radius of a rod or a particle. The
//! separation of a pair is the sum of what is asked for and the half thickness of both elements.

use super::{Element, Mesh, PatchMesh, TriangleMesh};
use crate::Error;

/// Half the thickness of each element of a mesh: finite, and at least 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct HalfThickness {
    /// That of the elements that the lists do not reach: of all, where these are empty.
    whole: f64,
    /// By kind, then by index.
    of_elements: [Vec<f64>; 4],
    largest: f64,
}

impl HalfThickness {
    /// Half the thickness of an element, which the mesh must have.
    pub(super) fn of(&self, element: Element) -> f64 {
        let list = &self.of_elements[kind(element)];
        list.get(element.index() as usize)
            .copied()
            .unwrap_or(self.whole)
    }

    /// Takes in a value for all elements.
    fn set_whole(&mut self, half_thickness: f64) -> Result<(), Error> {
        check(half_thickness)?;
        *self = Self {
            whole: half_thickness,
            largest: half_thickness,
            ..Self::default()
        };
        Ok(())
    }

    /// Takes in lists of values that have been checked.
    fn set_each(&mut self, of_elements: [Vec<f64>; 4]) {
        self.of_elements = of_elements;
        self.find_largest();
    }

    /// Takes in those of `count` patches that follow after `own` patches.
    pub(super) fn append(&mut self, own: usize, other: &Self, count: usize) {
        let Self {
            whole, of_elements, ..
        } = self;
        let [patches, ..] = of_elements;
        let [others, ..] = &other.of_elements;
        if patches.is_empty() && others.is_empty() && *whole == other.whole {
            return;
        }
        patches.resize(own, *whole);
        patches.extend(others);
        patches.resize(own + count, other.whole);
        self.find_largest();
    }

    fn find_largest(&mut self) {
        let each = self.of_elements.iter().flatten();
        self.largest = each.fold(self.whole, |largest, &value| largest.max(value));
    }
}

/// The place of an element's kind in the lists.
fn kind(element: Element) -> usize {
    match element {
        Element::Patch(_) => 0,
        Element::Vertex(_) => 1,
        Element::Edge(_) => 2,
        Element::Face(_) => 3,
    }
}

fn check(half_thickness: f64) -> Result<f64, Error> {
    if half_thickness >= 0.0 && half_thickness.is_finite() {
        return Ok(half_thickness);
    }
    Err(Error::Option {
        option: "half_thickness",
        value: half_thickness,
        range: "finite and at least 0",
    })
}

impl PatchMesh {
    /// Gives all patches a thickness: half of it is what lies on each side of the surface, in the
    /// unit of the coordinates. It is 0 until it is set, and patches that are added later have it
    /// too.
    ///
    /// In queries of impacts it adds to the separation. Two elements are in contact at
    /// [`min_separation`](crate::Options::min_separation) + the half thickness of the one + that of
    /// the other, rounded up; so two shells keep half the thickness of each, and a shell and a
    /// floor without thickness half of one. Distances are those of the surfaces themselves.
    ///
    /// # Errors
    /// A number that is negative or not finite.
    ///
    /// ```
    /// use patch_ccd::mesh::{MeshOptions, MovingMesh, PatchMesh, earliest_impact};
    /// use nalgebra::{Vector3, point};
    /// // A plate 0.5 thick, in the middle at height 1, falls on one that is 0.1 thick.
    /// let at = |z| [point![0.0, 0.0, z], point![1.0, 0.0, z], point![1.0, 1.0, z], point![0.0, 1.0, z]];
    /// let (above, below) = (at(1.0), at(0.0));
    /// let mut plates = [PatchMesh::from_quads(4, &[[0, 1, 2, 3]])?, PatchMesh::from_quads(4, &[[0, 1, 2, 3]])?];
    /// plates[0].set_half_thickness(0.25)?;
    /// plates[1].set_half_thickness(0.05)?;
    /// let falling = MovingMesh::with_velocities(&plates[0], &above, &[-Vector3::z(); 4])?;
    /// let resting = MovingMesh::resting(&plates[1], &below)?;
    /// let first = earliest_impact(&falling, &resting, &MeshOptions::default())?.first.unwrap();
    /// assert!(first.toi() <= 0.7 && first.toi() > 0.7 - 1e-6);
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub fn set_half_thickness(&mut self, half_thickness: f64) -> Result<(), Error> {
        self.half_thickness.set_whole(half_thickness)
    }

    /// Gives each patch a thickness of its own: `half_thickness` is called with every patch.
    /// Patches that are added later have what was last
    /// [set for all](PatchMesh::set_half_thickness).
    ///
    /// # Errors
    /// A number that is negative or not finite, with the patch; the mesh is as it was then.
    ///
    /// ```
    /// use patch_ccd::mesh::{Element, Mesh, PatchMesh};
    /// let mut mesh = PatchMesh::from_triangles(4, &[[0, 1, 2], [0, 2, 3]])?;
    /// mesh.set_half_thicknesses(|element| if element.index() == 0 { 2e-3 } else { 1e-3 })?;
    /// assert_eq!(Mesh::from(&mesh).half_thickness_of(Element::Patch(1)), 1e-3);
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub fn set_half_thicknesses(
        &mut self,
        half_thickness: impl Fn(Element) -> f64,
    ) -> Result<(), Error> {
        let patches = (0..self.len() as u32).map(Element::Patch);
        let patches: Result<Vec<f64>, _> = patches
            .map(|patch| checked_of(patch, &half_thickness))
            .collect();
        let [_, vertices, edges, faces] = Default::default();
        self.half_thickness
            .set_each([patches?, vertices, edges, faces]);
        Ok(())
    }
}

impl TriangleMesh {
    /// Gives all elements a thickness: half of it is what lies on each side of the faces, in the
    /// unit of the coordinates, and the radius of edges and vertices. It is 0 until it is set.
    ///
    /// It adds to the separation as that of patches does: see [`PatchMesh::set_half_thickness`].
    ///
    /// # Errors
    /// A number that is negative or not finite.
    ///
    /// ```
    /// use patch_ccd::mesh::{MeshOptions, MovingMesh, TriangleMesh, earliest_self_impact};
    /// use nalgebra::{Vector3, point};
    /// // Two balls of radius 1, with their centres 4 apart, fly at each other.
    /// let mut balls = TriangleMesh::new(2, &[])?;
    /// balls.set_half_thickness(1.0)?;
    /// let centres = [point![0.0, 0.0, 0.0], point![4.0, 0.0, 0.0]];
    /// let velocities = [Vector3::x(), -3.0 * Vector3::x()];
    /// let flying = MovingMesh::with_velocities(&balls, &centres, &velocities)?;
    /// let first = earliest_self_impact(&flying, &MeshOptions::default())?.first.unwrap();
    /// assert!(first.toi() <= 0.5 && first.toi() > 0.5 - 1e-6);
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub fn set_half_thickness(&mut self, half_thickness: f64) -> Result<(), Error> {
        self.half_thickness.set_whole(half_thickness)
    }

    /// Gives elements a thickness of their own: `half_thickness` is called with every face, every
    /// edge that belongs to no face, and every vertex that belongs to neither. What belongs to
    /// several of them is as thick as the thickest: an edge as its faces, a vertex as its faces and
    /// edges. So each of these keeps the sum of both from all others.
    ///
    /// # Errors
    /// A number that is negative or not finite, with the element; the mesh is as it was then.
    ///
    /// ```
    /// use patch_ccd::mesh::{Element, Mesh, TriangleMesh};
    /// // A triangle with a thick rod at its corner 2.
    /// let mut mesh = TriangleMesh::with_edges(4, &[[2, 3]], &[[0, 1, 2]])?;
    /// mesh.set_half_thicknesses(|element| match element {
    ///     Element::Face(_) => 1e-3,
    ///     _ => 5e-3,
    /// })?;
    /// let of = |element| Mesh::from(&mesh).half_thickness_of(element);
    /// assert_eq!([1, 2, 3].map(|k| of(Element::Vertex(k))), [1e-3, 5e-3, 5e-3]);
    /// assert_eq!(mesh.edges()[3], [2, 3]);
    /// assert_eq!([2, 3].map(|k| of(Element::Edge(k))), [1e-3, 5e-3]);
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub fn set_half_thicknesses(
        &mut self,
        half_thickness: impl Fn(Element) -> f64,
    ) -> Result<(), Error> {
        let of = |element| checked_of(element, &half_thickness);
        let mut vertices = vec![0.0_f64; self.vertex_count()];
        let mut edges = vec![0.0_f64; self.edges().len()];
        let mut faces = vec![0.0_f64; self.faces().len()];
        let thicken = |value: &mut f64, by: f64| *value = value.max(by);
        for &vertex in self.loose_vertices() {
            vertices[vertex as usize] = of(Element::Vertex(vertex))?;
        }
        for &edge in self.loose_edges() {
            edges[edge as usize] = of(Element::Edge(edge))?;
        }
        for (face, &corners) in self.faces().iter().enumerate() {
            let thickness = of(Element::Face(face as u32))?;
            faces[face] = thickness;
            let [a, b, c] = corners;
            for side in [[a, b], [b, c], [c, a]] {
                let side = [side[0].min(side[1]), side[0].max(side[1])];
                // A side from a vertex to itself is no edge.
                if let Ok(edge) = self.edges().binary_search(&side) {
                    thicken(&mut edges[edge], thickness);
                }
            }
            for corner in corners {
                thicken(&mut vertices[corner as usize], thickness);
            }
        }
        for (ends, &thickness) in self.edges().iter().zip(&edges) {
            for &end in ends {
                thicken(&mut vertices[end as usize], thickness);
            }
        }
        self.half_thickness
            .set_each([Vec::new(), vertices, edges, faces]);
        Ok(())
    }
}

/// What a caller's function says of an element.
fn checked_of(element: Element, half_thickness: impl Fn(Element) -> f64) -> Result<f64, Error> {
    check(half_thickness(element)).map_err(|source| Error::element(element, source))
}

impl Mesh<'_> {
    fn half_thickness(&self) -> &HalfThickness {
        match self {
            Self::Patches(mesh) => &mesh.half_thickness,
            Self::Triangles(mesh) => &mesh.half_thickness,
        }
    }

    /// Half the thickness of an element, in the unit of the coordinates: see
    /// [`PatchMesh::set_half_thickness`]. 0 for an element that the mesh does not have.
    pub fn half_thickness_of(self, element: Element) -> f64 {
        match self.layout(element) {
            Some(_) => self.half_thickness().of(element),
            None => 0.0,
        }
    }

    /// The largest half thickness of an element, or more.
    pub(crate) fn largest_half_thickness(&self) -> f64 {
        self.half_thickness().largest
    }
}
