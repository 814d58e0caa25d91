//! Meshes of patches of any kind, over shared control points.

use nalgebra::Point3;

use super::Element;
use super::boxes::MovingBox;
use super::tree::Tree;
use crate::Error;
use crate::geometry::{AnyPatch, Patch, Shape, check_finite, check_weights};

/// A mesh of patches of any kinds and degrees: which control points, out of a common list, make which patch.
///
/// Where the points are is not part of it, so one mesh serves all steps of a simulation: see
/// [`super::MovingMesh`]. Patches that name a common point are neighbours, and are not tested against each other when the mesh is
/// tested against itself: they always touch. Boundaries that coincide without naming the same points (seams of closed
/// surfaces, poles, patches out of files) can be [welded](PatchMesh::weld).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PatchMesh {
    points: usize,
    patches: Vec<Record>,
    /// Indices of the control points, patch after patch.
    indices: Vec<u32>,
    /// The same with welded points replaced by the first of them, sorted within each patch.
    corners: Vec<u32>,
    weights: Vec<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Record {
    shape: Shape,
    first: usize,
    weights: Option<usize>,
}

impl Record {
    fn range(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.shape.count()
    }
}

/// One patch of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshPatch<'a> {
    /// Kind and degrees.
    pub shape: Shape,
    /// Indices of its control points, in the order of [`Shape`].
    pub points: &'a [u32],
    /// Its weights in the same order, if it is rational.
    pub weights: Option<&'a [f64]>,
}

impl PatchMesh {
    /// A mesh over `points` control points, without patches yet.
    pub fn new(points: usize) -> Self {
        Self {
            points,
            ..Self::default()
        }
    }

    /// Adds a patch and returns its index. `points` are the indices of its control points in the order of [`Shape`]; `weights`
    /// makes it rational. A shape of degree 0 in v is a curve.
    ///
    /// # Errors
    /// A degree out of range, a wrong number of points or weights, an index beyond the mesh's points, a weight that
    /// is not allowed: each with the patch's index.
    ///
    /// ```
    /// use patch_ccd::{geometry::Shape, mesh::PatchMesh};
    /// // Two bilinear patches that share the points 2 and 3.
    /// let mut mesh = PatchMesh::new(6);
    /// let bilinear = Shape::TensorProduct { n: 1, m: 1 };
    /// mesh.add(bilinear, &[0, 1, 2, 3], None)?;
    /// mesh.add(bilinear, &[2, 3, 4, 5], None)?;
    /// assert!(mesh.are_neighbours(0, 1));
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub fn add(
        &mut self,
        shape: Shape,
        points: &[u32],
        weights: Option<&[f64]>,
    ) -> Result<u32, Error> {
        let index = self.patches.len() as u32;
        self.check(shape, points, weights)
            .map_err(|source| Error::element(Element::Patch(index), source))?;
        self.patches.push(Record {
            shape,
            first: self.indices.len(),
            weights: weights.map(|_| self.weights.len()),
        });
        self.indices.extend_from_slice(points);
        let first = self.corners.len();
        self.corners.extend_from_slice(points);
        self.corners[first..].sort_unstable();
        self.weights.extend_from_slice(weights.unwrap_or_default());
        Ok(index)
    }

    fn check(&self, shape: Shape, points: &[u32], weights: Option<&[f64]>) -> Result<(), Error> {
        shape.check_degrees()?;
        if points.len() != shape.count() {
            return Err(Error::Count {
                argument: "control points",
                patch: shape.to_string(),
                expected: shape.count(),
                found: points.len(),
            });
        }
        check_indices("control point", points, self.points)?;
        weights.map_or(Ok(()), |weights| check_weights(shape, weights))
    }

    /// Linear patches from the corners of triangles, of which (u, v) = (0, 0), (1, 0), (0, 1).
    ///
    /// For edge–edge and vertex–face queries, which are faster, see [`super::TriangleMesh`].
    ///
    /// # Errors
    /// An index beyond `points`, with the patch's index.
    pub fn from_triangles(points: usize, faces: &[[u32; 3]]) -> Result<Self, Error> {
        let mut mesh = Self::new(points);
        for face in faces {
            mesh.add(Shape::Triangular { n: 1 }, face, None)?;
        }
        Ok(mesh)
    }

    /// Bilinear patches from the corners of quadrilaterals in order around: (u, v) = (0, 0), (1, 0), (1, 1), (0, 1).
    ///
    /// # Errors
    /// An index beyond `points`, with the patch's index.
    pub fn from_quads(points: usize, faces: &[[u32; 4]]) -> Result<Self, Error> {
        let mut mesh = Self::new(points);
        for &[a, b, c, d] in faces {
            mesh.add(Shape::TensorProduct { n: 1, m: 1 }, &[a, d, b, c], None)?;
        }
        Ok(mesh)
    }

    /// A mesh of patches that share no points, with these points one patch after the other. For patches that belong
    /// together see [`PatchMesh::weld`].
    ///
    /// ```
    /// use patch_ccd::{geometry::{AnyPatch, Shape}, mesh::PatchMesh};
    /// use nalgebra::point;
    /// let triangle = |x: f64| [point![x, 0.0, 0.0], point![1.0, 0.0, 0.0], point![1.0, 1.0, 0.0]];
    /// let linear = Shape::Triangular { n: 1 };
    /// let patches = [AnyPatch::from_shape(linear, &triangle(0.0))?, AnyPatch::from_shape(linear, &triangle(2.0))?];
    /// let (mut mesh, points) = PatchMesh::from_patches(&patches);
    /// assert!(points.len() == 6 && !mesh.are_neighbours(0, 1));
    /// mesh.weld(&points, 0.0)?;
    /// assert!(mesh.are_neighbours(0, 1));
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub fn from_patches(patches: &[AnyPatch]) -> (Self, Vec<Point3<f64>>) {
        let mut points = Vec::new();
        let mut mesh = Self::default();
        for patch in patches {
            let first = points.len() as u32;
            points.extend_from_slice(patch.control_points());
            mesh.points = points.len();
            let indices: Vec<u32> = (first..points.len() as u32).collect();
            let added = mesh.add(patch.shape(), &indices, patch.weights());
            debug_assert!(added.is_ok(), "a patch has a valid net");
        }
        (mesh, points)
    }

    /// Adds all patches of another mesh, whose points follow after this one's; returns the index of the first of its patches
    /// and of its points. Its welds are kept.
    pub fn append(&mut self, other: &Self) -> (u32, u32) {
        let (patch, point) = (self.patches.len(), self.points);
        let (indices, weights) = (self.indices.len(), self.weights.len());
        self.patches
            .extend(other.patches.iter().map(|record| Record {
                shape: record.shape,
                first: indices + record.first,
                weights: record.weights.map(|at| weights + at),
            }));
        let shifted = |index: &u32| index + point as u32;
        self.indices.extend(other.indices.iter().map(shifted));
        self.corners.extend(other.corners.iter().map(shifted));
        self.weights.extend_from_slice(&other.weights);
        self.points += other.points;
        (patch as u32, point as u32)
    }

    /// Makes neighbours of patches with control points that coincide, or differ by at most `tolerance` in each coordinate. Their
    /// points stay separate and may move apart later; only tests of the mesh against itself leave them out.
    ///
    /// # Errors
    /// A wrong number of points, a coordinate that is not finite, a tolerance that is negative or not finite.
    pub fn weld(&mut self, points: &[Point3<f64>], tolerance: f64) -> Result<(), Error> {
        check_count(points.len(), self.points)?;
        check_finite("point", points.iter().map(|p| &p.coords))?;
        if !(tolerance >= 0.0 && tolerance.is_finite()) {
            return Err(Error::Option {
                option: "tolerance",
                value: tolerance,
                range: "finite and at least 0",
            });
        }
        let still = nalgebra::Vector3::zeros();
        let boxes = points
            .iter()
            .map(|point| MovingBox::around(std::iter::once((point, &still)), 0.0, 0.5 * tolerance));
        let mut tree = Tree::default();
        tree.update(&boxes.collect::<Vec<_>>());
        let mut first: Vec<u32> = (0..points.len() as u32).collect();
        let near = |a: u32, b: u32, _: [f64; 2]| {
            let between = points[a as usize] - points[b as usize];
            (between.amax() <= tolerance).then_some([a, b])
        };
        for pair in tree.self_pairs(near) {
            let [a, b] = pair.map(|point| root(&mut first, point));
            first[a.max(b) as usize] = a.min(b);
        }
        for record in &self.patches {
            let range = record.range();
            let corners = &mut self.corners[range.clone()];
            for (corner, &index) in corners.iter_mut().zip(&self.indices[range]) {
                *corner = root(&mut first, index);
            }
            corners.sort_unstable();
        }
        Ok(())
    }

    /// Number of control points.
    pub fn point_count(&self) -> usize {
        self.points
    }

    /// Number of patches.
    pub fn len(&self) -> usize {
        self.patches.len()
    }

    /// Whether there are no patches.
    pub fn is_empty(&self) -> bool {
        self.patches.is_empty()
    }

    /// The patch of an index, if there is one.
    pub fn patch(&self, index: u32) -> Option<MeshPatch<'_>> {
        let record = self.patches.get(index as usize)?;
        Some(self.of(record))
    }

    /// All patches, in the order of their indices.
    pub fn patches(&self) -> impl ExactSizeIterator<Item = MeshPatch<'_>> {
        self.patches.iter().map(|record| self.of(record))
    }

    fn of(&self, record: &Record) -> MeshPatch<'_> {
        let count = record.shape.count();
        MeshPatch {
            shape: record.shape,
            points: &self.indices[record.range()],
            weights: record.weights.map(|at| &self.weights[at..at + count]),
        }
    }

    /// Whether two patches have a control point, or welded ones, in common.
    pub fn are_neighbours(&self, a: u32, b: u32) -> bool {
        let corners = |index: u32| {
            let record = self.patches.get(index as usize);
            record.map_or(&[][..], |record| &self.corners[record.range()])
        };
        let (mut a, mut b) = (corners(a), corners(b));
        while let ([x, a_rest @ ..], [y, b_rest @ ..]) = (a, b) {
            match x.cmp(y) {
                std::cmp::Ordering::Equal => return true,
                std::cmp::Ordering::Less => a = a_rest,
                std::cmp::Ordering::Greater => b = b_rest,
            }
        }
        false
    }
}

/// The least point that `point` is welded to.
fn root(first: &mut [u32], mut point: u32) -> u32 {
    while first[point as usize] != point {
        let next = first[first[point as usize] as usize];
        first[point as usize] = next;
        point = next;
    }
    point
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

/// Refuses a wrong number of points of a mesh.
pub(super) fn check_count(found: usize, expected: usize) -> Result<(), Error> {
    if found == expected {
        return Ok(());
    }
    Err(Error::Count {
        argument: "points",
        patch: "mesh of this size".to_owned(),
        expected,
        found,
    })
}
