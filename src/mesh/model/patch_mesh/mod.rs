//! Meshes of patches of any kind, over shared control points.

mod sources;

use smallvec::SmallVec;

use super::checks::{check_indices, check_size};
use super::{Element, HalfThickness, Welds};
use crate::Error;
use crate::geometry::{Shape, check_count, check_weights};

/// A mesh of patches of any kinds and degrees: which control points, out of a common list, make
/// which patch.
///
/// Where the points are is not part of the mesh, so one mesh serves all steps of a simulation: see
/// [`MovingMesh`](super::MovingMesh). Patches that name a common point are neighbours. They always
/// touch, and are not tested against each other when the mesh is tested against itself. Boundaries
/// that coincide without naming the same points (seams of closed surfaces, poles, patches out of
/// files, a long side along several short ones) can be [welded](PatchMesh::weld).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PatchMesh {
    points: usize,
    patches: Vec<PatchRecord>,
    /// Indices of the control points, patch after patch.
    indices: Vec<u32>,
    /// Patch after patch the points by which it is a neighbour of others: its own control points,
    /// and corners of others along its sides. Of welded points it is the least of them. Sorted
    /// within each patch, each point once.
    meeting: Vec<u32>,
    welds: Welds,
    /// A patch, and a corner of others that lies along one of its sides; sorted.
    junctions: Vec<[u32; 2]>,
    weights: Vec<f64>,
    pub(super) half_thickness: HalfThickness,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct PatchRecord {
    shape: Shape,
    first: usize,
    /// The range of its meeting points.
    meeting: [usize; 2],
    weights: Option<usize>,
}

impl PatchRecord {
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

    /// Adds a patch and returns its index. `points` are the indices of its control points in the
    /// order of [`Shape`]. With `weights`, one for each of them, the patch is rational. A shape of
    /// degree 0 in v is a curve.
    ///
    /// # Errors
    /// A degree out of range, a wrong number of points or weights, an index beyond the mesh's
    /// points, a weight that is not allowed: each with the patch's index.
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
        let met = self.met(points, &[]);
        let first = self.meeting.len();
        self.patches.push(PatchRecord {
            shape,
            first: self.indices.len(),
            meeting: [first, first + met.len()],
            weights: weights.map(|_| self.weights.len()),
        });
        self.indices.extend_from_slice(points);
        self.meeting.extend(met);
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

    /// Adds all patches of another mesh, whose points follow after those of this one. Returns the
    /// index that the first of its patches now has, and that of the first of its points. The welds
    /// and the thickness of both are kept.
    ///
    /// # Errors
    /// More than 2³² − 1 points, or patches, together.
    pub fn append(&mut self, other: &Self) -> Result<(u32, u32), Error> {
        let (patch, point) = (self.patches.len(), self.points);
        check_size("patches", patch.saturating_add(other.patches.len()))?;
        check_size("points", point.saturating_add(other.points))?;
        let (indices, weights) = (self.indices.len(), self.weights.len());
        let meeting = self.meeting.len();
        self.patches
            .extend(other.patches.iter().map(|record| PatchRecord {
                shape: record.shape,
                first: indices + record.first,
                meeting: record.meeting.map(|at| meeting + at),
                weights: record.weights.map(|at| weights + at),
            }));
        let shifted = |index: &u32| index + point as u32;
        self.indices.extend(other.indices.iter().map(shifted));
        self.meeting.extend(other.meeting.iter().map(shifted));
        let junctions = other.junctions.iter();
        let junctions = junctions.map(|[at, corner]| [at + patch as u32, corner + point as u32]);
        self.junctions.extend(junctions);
        self.welds.append(point, &other.welds, other.points);
        self.weights.extend_from_slice(&other.weights);
        self.half_thickness
            .append(patch, &other.half_thickness, other.patches.len());
        self.points += other.points;
        Ok((patch as u32, point as u32))
    }

    /// Welds pairs of points of this mesh to each other; earlier welds stay.
    pub(crate) fn add_welds(&mut self, pairs: impl Iterator<Item = [u32; 2]>) {
        self.welds.fill(self.points);
        pairs.for_each(|pair| self.welds.unite(pair));
        self.welds.settle();
        self.settle();
    }

    /// Takes in patches, each with a corner of others along one of its sides; earlier ones stay.
    pub(crate) fn add_junctions(&mut self, junctions: &[[u32; 2]]) {
        self.junctions.extend(junctions);
        self.junctions.sort_unstable();
        self.junctions.dedup();
        self.settle();
    }

    /// Finds all meeting points anew.
    fn settle(&mut self) {
        let mut meeting = std::mem::take(&mut self.meeting);
        meeting.clear();
        let mut junctions = &self.junctions[..];
        for patch in 0..self.patches.len() {
            let own = junctions.partition_point(|[of, _]| *of as usize == patch);
            let (corners, rest) = junctions.split_at(own);
            let met = self.met(&self.indices[self.patches[patch].range()], corners);
            self.patches[patch].meeting = [meeting.len(), meeting.len() + met.len()];
            meeting.extend(met);
            junctions = rest;
        }
        self.meeting = meeting;
    }

    /// The meeting points of a patch with these control points and junctions.
    fn met(&self, points: &[u32], junctions: &[[u32; 2]]) -> SmallVec<[u32; 32]> {
        let corners = junctions.iter().map(|[_, corner]| corner);
        let all = points.iter().chain(corners);
        let mut met: SmallVec<[u32; 32]> =
            all.map(|&point| self.welds.representative(point)).collect();
        met.sort_unstable();
        met.dedup();
        met
    }

    /// The number of control points.
    pub fn point_count(&self) -> usize {
        self.points
    }

    /// The number of patches.
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

    fn of(&self, record: &PatchRecord) -> MeshPatch<'_> {
        let count = record.shape.count();
        MeshPatch {
            shape: record.shape,
            points: &self.indices[record.range()],
            weights: record.weights.map(|at| &self.weights[at..at + count]),
        }
    }

    /// The point that stands for all that one is welded to.
    pub(crate) fn representative(&self, point: u32) -> u32 {
        self.welds.representative(point)
    }

    /// The points by which a patch is a neighbour of others, each as its representative, sorted.
    /// Empty for a patch that is not there.
    pub(crate) fn meeting_points(&self, patch: u32) -> &[u32] {
        let record = self.patches.get(patch as usize);
        record.map_or(&[][..], |record| {
            let [first, end] = record.meeting;
            &self.meeting[first..end]
        })
    }

    /// Whether two patches have a control point in common, or belong together by a
    /// [weld](PatchMesh::weld).
    pub fn are_neighbours(&self, a: u32, b: u32) -> bool {
        let (mut a, mut b) = (self.meeting_points(a), self.meeting_points(b));
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
