//! Meshes of patches of any kind, over shared control points.

use nalgebra::Point3;

use super::Element;
use super::elements::{check_indices, check_points, check_size};
use super::weld::Welds;
use crate::Error;
use crate::geometry::{
    AnyPatch, NurbsExtraction, Patch, PatchGrid, Shape, check_count, check_finite, check_weights,
};

/// A mesh of patches of any kinds and degrees: which control points, out of a common list, make which patch.
///
/// Where the points are is not part of it, so one mesh serves all steps of a simulation: see
/// [`MovingMesh`](super::MovingMesh). Patches that name a common point are neighbours, and are not tested against each other when the mesh is
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
    welds: Welds,
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
        let corners = points.iter().map(|&point| self.welds.representative(point));
        self.corners.extend(corners);
        self.corners[first..].sort_unstable();
        self.weights.extend_from_slice(weights.unwrap_or_default());
        Ok(index)
    }

    fn check(&self, shape: Shape, points: &[u32], weights: Option<&[f64]>) -> Result<(), Error> {
        check_size("patches", self.patches.len() + 1)?;
        shape.check_degrees()?;
        let [n, _] = shape.degrees();
        if n == 0 {
            let argument = "degree in u";
            return Err(Error::Degree { argument, value: n });
        }
        check_count("control points", &shape, shape.count(), points.len())?;
        check_indices("control point", points, self.points)?;
        weights.map_or(Ok(()), |weights| check_weights(shape, weights))
    }

    /// Linear patches from the corners of triangles, of which (u, v) = (0, 0), (1, 0), (0, 1).
    ///
    /// For edge–edge and vertex–face queries, which are faster, see [`TriangleMesh`](super::TriangleMesh).
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

    /// The patches of a grid, over its net of control points, which may have `weights`: Hermite patches side by side, for
    /// one (see [`HermiteGrid`](crate::geometry::HermiteGrid)). A patch's index is its number in the grid.
    ///
    /// # Errors
    /// A net of more than 2³² control points; a wrong number of weights, a weight that is not allowed.
    ///
    /// ```
    /// use patch_ccd::geometry::{HermiteGrid, HermiteNode};
    /// use patch_ccd::mesh::{MeshOptions, MovingMesh, PatchMesh, collision_free_step};
    /// use nalgebra::{Vector3, point};
    /// // A flat Hermite shell of two elements, level with the tip of a thorn in the end.
    /// let grid = HermiteGrid::new(&[1.0, 2.0], &[1.0])?;
    /// let mesh = PatchMesh::from_grid(grid.grid(), None)?;
    /// let node = |u, v| HermiteNode {
    ///     position: point![u, v, 1.0], along_u: Vector3::x(), along_v: Vector3::y(), twist: Vector3::zeros(),
    /// };
    /// let mut nodes = [0.0, 1.0, 3.0].map(|u| [node(u, 0.0), node(u, 1.0)]).concat();
    /// let down = HermiteNode {
    ///     position: -Vector3::z(), along_u: Vector3::zeros(), along_v: Vector3::zeros(), twist: Vector3::zeros(),
    /// };
    /// let thorn = PatchMesh::from_triangles(3, &[[0, 1, 2]])?;
    /// let corners = [point![2.0, 0.5, 0.5], point![1.9, 0.5, -0.5], point![2.1, 0.5, -0.5]];
    /// let thorn = MovingMesh::resting(&thorn, &corners)?;
    /// for _step in 0..3 {
    ///     let (start, velocities) = (grid.points(&nodes)?, grid.velocities(&[down; 6])?);
    ///     let moving = MovingMesh::with_velocities(&mesh, &start, &velocities)?;
    ///     let options = MeshOptions::default();
    ///     let t = collision_free_step(&moving, &thorn, &options)? * options.query.t_max;
    ///     nodes.iter_mut().for_each(|node| *node = node.advanced(&down, t));
    /// }
    /// assert!(nodes.iter().all(|node| node.position.z > 0.5 && node.position.z < 0.51));
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub fn from_grid(grid: &PatchGrid, weights: Option<&[f64]>) -> Result<Self, Error> {
        check_size("control points", grid.count())?;
        let mut mesh = Self::new(grid.count());
        if let Some(weights) = weights {
            check_points("weights", weights.len(), grid.count())?;
        }
        for indices in grid.all_indices() {
            let weights = weights.map(|weights| {
                let indices = indices.iter().map(|&index| weights[index as usize]);
                indices.collect::<Vec<_>>()
            });
            mesh.add(grid.shape(), &indices, weights.as_deref())?;
        }
        Ok(mesh)
    }

    /// The patches of a NURBS surface or curve, over the net that [`NurbsExtraction::points`] computes in each step. A patch's
    /// index is that of its [span](NurbsExtraction::spans).
    ///
    /// Of a closed surface, or one with a pole, the sides that coincide do not share their control points:
    /// [weld](PatchMesh::weld) them before the mesh is tested against itself.
    ///
    /// # Errors
    /// A net of more than 2³² control points.
    ///
    /// ```
    /// use patch_ccd::geometry::{KnotVector, NurbsSurface};
    /// use patch_ccd::mesh::{MeshOptions, MovingMesh, PatchMesh, earliest_impact};
    /// use nalgebra::{point, vector};
    /// // A quadratic ridge of two spans along u, in [0, 4], that rises along v, and a ceiling that comes down on it.
    /// let along = KnotVector::new(2, &[0.0, 0.0, 0.0, 2.0, 4.0, 4.0, 4.0])?;
    /// let across = KnotVector::new(1, &[0.0, 0.0, 1.0, 1.0])?;
    /// let height = [0.0, 0.0, 1.0, 0.0];
    /// let points: Vec<_> = (0..8).map(|k| point![(k / 2) as f64, (k % 2) as f64, height[k / 2] + 0.2 * (k % 2) as f64]).collect();
    /// let ridge = NurbsSurface::new([along, across], &points, None)?.extraction();
    /// let (mesh, net) = (PatchMesh::from_nurbs(&ridge)?, ridge.points(&points)?);
    /// let still = MovingMesh::resting(&mesh, &net)?;
    ///
    /// let ceiling = PatchMesh::from_quads(4, &[[0, 1, 2, 3]])?;
    /// let corners = [point![-1.0, -1.0, 1.0], point![4.0, -1.0, 1.0], point![4.0, 2.0, 1.0], point![-1.0, 2.0, 1.0]];
    /// let falling = MovingMesh::with_velocities(&ceiling, &corners, &[vector![0.0, 0.0, -1.0]; 4])?;
    /// let first = earliest_impact(&still, &falling, &MeshOptions::default())?.first.unwrap();
    /// let (u, v) = first.outcome.contact().unwrap().parameters[0];
    /// let (u, _) = ridge.spans()[first.elements[0].index() as usize].map(u, v);
    /// assert!((u - 8.0 / 3.0).abs() < 1e-2, "{u}");
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub fn from_nurbs(extraction: &NurbsExtraction) -> Result<Self, Error> {
        Self::from_grid(extraction.grid(), extraction.weights())
    }

    /// A mesh of patches that share no points, with these points one patch after the other. For patches that belong
    /// together see [`PatchMesh::weld`]. Those of several lists are chained, `groups.iter().flat_map(|group| &group.patches)`.
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
    pub fn from_patches<'a>(
        patches: impl IntoIterator<Item = &'a AnyPatch>,
    ) -> (Self, Vec<Point3<f64>>) {
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
    /// and of its points. The welds of both are kept.
    ///
    /// # Errors
    /// More than 2³² − 1 points, or patches, together.
    pub fn append(&mut self, other: &Self) -> Result<(u32, u32), Error> {
        let (patch, point) = (self.patches.len(), self.points);
        check_size("patches", patch.saturating_add(other.patches.len()))?;
        check_size("points", point.saturating_add(other.points))?;
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
        self.welds.append(point, &other.welds, other.points);
        self.weights.extend_from_slice(&other.weights);
        self.points += other.points;
        Ok((patch as u32, point as u32))
    }

    /// Makes neighbours of patches with control points that coincide, or differ by at most `tolerance` in each coordinate. Their
    /// points stay separate and may move apart later; only tests of the mesh against itself leave them out. Earlier welds
    /// stay.
    ///
    /// # Errors
    /// A wrong number of points, a coordinate that is not finite, a tolerance that is negative or not finite.
    pub fn weld(&mut self, points: &[Point3<f64>], tolerance: f64) -> Result<(), Error> {
        check_points("points", points.len(), self.points)?;
        check_size("points", points.len())?;
        check_finite("point", points.iter().map(|p| &p.coords))?;
        if !(tolerance >= 0.0 && tolerance.is_finite()) {
            return Err(Error::Option {
                option: "tolerance",
                value: tolerance,
                range: "finite and at least 0",
            });
        }
        self.welds.join(points, tolerance);
        for record in &self.patches {
            let range = record.range();
            let corners = &mut self.corners[range.clone()];
            for (corner, &point) in corners.iter_mut().zip(&self.indices[range]) {
                *corner = self.welds.representative(point);
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
