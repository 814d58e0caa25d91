//! What a weld answers.

/// What [`PatchMesh::weld`](crate::mesh::PatchMesh::weld) found at the points and the tolerance
/// that it was given. Earlier welds are not part of it.
///
/// ```
/// use patch_ccd::mesh::PatchMesh;
/// use nalgebra::point;
/// // Two triangles whose common side is given twice, to some decimals.
/// let mut mesh = PatchMesh::from_triangles(6, &[[0, 1, 2], [3, 4, 5]])?;
/// let points = [
///     point![0.0, 0.0, 0.0], point![1.0, 0.0, 0.0], point![0.0, 1.0, 0.0],
///     point![1.0, 1.0, 0.0], point![0.0, 1.0, 0.0], point![1.0, 1e-7, 0.0],
/// ];
/// let report = mesh.weld(&points, 1e-6)?;
/// assert_eq!((report.points, report.groups, report.largest_distance), (4, 2, 1e-7));
/// assert!(report.layers.is_empty());
/// # Ok::<(), patch_ccd::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WeldReport {
    /// How many points count as one with another point.
    pub points: usize,
    /// How many groups of two or more points these are.
    pub groups: usize,
    /// The largest distance over which a point was joined to the centre of its group, from 0 to the
    /// tolerance.
    ///
    /// Compare it with the tolerance. If it is far below, the tolerance is not critical; if it is
    /// nearly the same, some points that belong together may have been left apart, or others
    /// joined that do not.
    pub largest_distance: f64,
    /// How many corners lie along the side of a patch that has no point there. A corner counts once
    /// for each such patch; the corners of a group are one.
    pub junctions: usize,
    /// Patches that lie on each other, as pairs, the lower index first: at least one pair for each
    /// patch that lies on another one. Empty, as it should be, if all patches meet along sides.
    ///
    /// The two are welded at points that do not all lie on one side, and some point well inside of
    /// one is within the tolerance of the other. They may be the same patch given twice, or two
    /// layers of a shell that are closer than the tolerance. As neighbours they are never tested
    /// against each other, so layers would go through each other unnoticed: weld with a smaller
    /// tolerance then, or weld each layer before it is [appended](crate::mesh::PatchMesh::append).
    pub layers: Vec<[u32; 2]>,
}
