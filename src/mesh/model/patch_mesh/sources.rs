//! Meshes out of what is there: triangles, quadrilaterals, grids, NURBS and lists of patches.

use nalgebra::Point3;

use super::PatchMesh;
use crate::Error;
use crate::geometry::{AnyPatch, NurbsExtraction, Patch, PatchGrid, Shape};
use crate::mesh::model::{check_points, check_size};

impl PatchMesh {
    /// Linear patches from the corners of triangles, which are at (u, v) = (0, 0), (1, 0), (0, 1).
    ///
    /// Queries of edges with edges and of vertices with faces are faster: see
    /// [`TriangleMesh`](crate::mesh::TriangleMesh).
    ///
    /// # Errors
    /// An index beyond `points`, with the patch's index.
    pub fn from_triangles(points: usize, faces: &[[u32; 3]]) -> Result<Self, Error> {
        let mut mesh = Self::new(points);
        for face in faces {
            mesh.add(Shape::FACE, face, None)?;
        }
        Ok(mesh)
    }

    /// Bilinear patches from the corners of quadrilaterals in the order around them, which are at
    /// (u, v) = (0, 0), (1, 0), (1, 1), (0, 1).
    ///
    /// # Errors
    /// An index beyond `points`, with the patch's index.
    pub fn from_quads(points: usize, faces: &[[u32; 4]]) -> Result<Self, Error> {
        let mut mesh = Self::new(points);
        for &[a, b, c, d] in faces {
            mesh.add(Shape::BILINEAR, &[a, d, b, c], None)?;
        }
        Ok(mesh)
    }

    /// The patches of a grid over its net of control points, which may have `weights`, one for each
    /// of them: Hermite patches side by side, for one (see
    /// [`HermiteGrid`](crate::geometry::HermiteGrid)). A patch's index is its number in the grid.
    ///
    /// # Errors
    /// A net of more than 2³² control points; a wrong number of weights, a weight that is not
    /// allowed.
    ///
    /// ```
    /// use patch_ccd::geometry::{HermiteGrid, HermiteNode};
    /// use patch_ccd::mesh::{MeshOptions, MovingMesh, PatchMesh, collision_free_step};
    /// use nalgebra::{Vector3, point};
    /// // A flat Hermite shell of two elements, level with the tip of a thorn in the end.
    /// let grid = HermiteGrid::new(&[1.0, 2.0], &[1.0])?;
    /// let mesh = PatchMesh::from_grid(grid.grid(), None)?;
    /// let node = |u, v| HermiteNode {
    ///     position: point![u, v, 1.0],
    ///     along_u: Vector3::x(),
    ///     along_v: Vector3::y(),
    ///     twist: Vector3::zeros(),
    /// };
    /// let mut nodes = [0.0, 1.0, 3.0].map(|u| [node(u, 0.0), node(u, 1.0)]).concat();
    /// let down = HermiteNode {
    ///     position: -Vector3::z(),
    ///     along_u: Vector3::zeros(),
    ///     along_v: Vector3::zeros(),
    ///     twist: Vector3::zeros(),
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

    /// The patches of a NURBS surface or curve, over the net that [`NurbsExtraction::points`]
    /// computes in each step. A patch's index is that of its [span](NurbsExtraction::spans).
    ///
    /// Of a closed surface, or one with a pole, the sides that coincide do not share their control
    /// points, nor do those on both sides of a [gap](PatchGrid::gaps): [weld](PatchMesh::weld) them
    /// before the mesh is tested against itself.
    ///
    /// # Errors
    /// A net of more than 2³² control points.
    ///
    /// ```
    /// use patch_ccd::geometry::{KnotVector, NurbsSurface};
    /// use patch_ccd::mesh::{MeshOptions, MovingMesh, PatchMesh, earliest_impact};
    /// use nalgebra::{point, vector};
    /// // A quadratic ridge of two spans along u, in [0, 4], that rises along v.
    /// let along = KnotVector::new(2, &[0.0, 0.0, 0.0, 2.0, 4.0, 4.0, 4.0])?;
    /// let across = KnotVector::new(1, &[0.0, 0.0, 1.0, 1.0])?;
    /// let height = [0.0, 0.0, 1.0, 0.0];
    /// let point = |k: usize| {
    ///     let (u, v) = ((k / 2) as f64, (k % 2) as f64);
    ///     point![u, v, height[k / 2] + 0.2 * v]
    /// };
    /// let points: Vec<_> = (0..8).map(point).collect();
    /// let ridge = NurbsSurface::new([along, across], &points, None)?.extraction();
    /// let (mesh, net) = (PatchMesh::from_nurbs(&ridge)?, ridge.points(&points)?);
    /// let still = MovingMesh::resting(&mesh, &net)?;
    ///
    /// // A ceiling that comes down on it.
    /// let ceiling = PatchMesh::from_quads(4, &[[0, 1, 2, 3]])?;
    /// let corners = [
    ///     point![-1.0, -1.0, 1.0], point![4.0, -1.0, 1.0],
    ///     point![4.0, 2.0, 1.0], point![-1.0, 2.0, 1.0],
    /// ];
    /// let down = [vector![0.0, 0.0, -1.0]; 4];
    /// let falling = MovingMesh::with_velocities(&ceiling, &corners, &down)?;
    /// let first = earliest_impact(&still, &falling, &MeshOptions::default())?.first.unwrap();
    /// let (u, v) = first.outcome.contact().unwrap().parameters[0];
    /// let (u, _) = ridge.spans()[first.elements[0].index() as usize].map(u, v);
    /// assert!((u - 8.0 / 3.0).abs() < 1e-2, "{u}");
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub fn from_nurbs(extraction: &NurbsExtraction) -> Result<Self, Error> {
        Self::from_grid(extraction.grid(), extraction.weights())
    }

    /// A mesh of patches that share no points, and these points, one patch after the other. For
    /// patches that belong together see [`PatchMesh::weld`]. Patches of several lists can be
    /// chained: `groups.iter().flat_map(|group| &group.patches)`.
    ///
    /// ```
    /// use patch_ccd::{geometry::{AnyPatch, Shape}, mesh::PatchMesh};
    /// use nalgebra::point;
    /// let triangle = |x: f64| [point![x, 0.0, 0.0], point![1.0, 0.0, 0.0], point![1.0, 1.0, 0.0]];
    /// let linear = Shape::Triangular { n: 1 };
    /// let left = AnyPatch::from_shape(linear, &triangle(0.0))?;
    /// let right = AnyPatch::from_shape(linear, &triangle(2.0))?;
    /// let patches = [left, right];
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
}
