//! Grids of tensor-product patches over one net of control points.

use super::Shape;

/// A grid of a × b tensor-product patches of the same degree (n, m) whose neighbours share the
/// control points between them. The net has (a n + 1)(b m + 1) control points; the one at i along u
/// and j along v has the index i·(b m + 1)+j.
///
/// Patch k along u and l along v has the number k·b+l. A chain of curves is a grid with m = 0 and
/// b = 1.
///
/// At a [gap](PatchGrid::gaps) neighbours share no control points: each has a row of its own there,
/// and the net has one row more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatchGrid {
    degrees: [usize; 2],
    patches: [usize; 2],
    gaps: [Vec<usize>; 2],
}

impl PatchGrid {
    /// `gaps` are the numbers of patches before each gap, along u and along v, in order.
    pub(crate) fn new(degrees: [usize; 2], patches: [usize; 2], gaps: [Vec<usize>; 2]) -> Self {
        Self {
            degrees,
            patches,
            gaps,
        }
    }

    /// The shape of every patch.
    pub fn shape(&self) -> Shape {
        let [n, m] = self.degrees;
        Shape::TensorProduct { n, m }
    }

    /// The numbers of patches along u and along v.
    pub fn patches(&self) -> [usize; 2] {
        self.patches
    }

    /// The gaps along u and along v: for each the number of patches before it, in order. Mostly
    /// there is none; of a NURBS there is one at each knot inside the domain that is given more
    /// often than the degree (see [`KnotVector`](super::KnotVector)).
    ///
    /// ```
    /// use patch_ccd::geometry::{KnotVector, NurbsCurve};
    /// use nalgebra::point;
    /// // Two lines with a gap between them, from x = 1 to x = 2.
    /// let knots = KnotVector::new(1, &[0.0, 0.0, 0.5, 0.5, 1.0, 1.0])?;
    /// let points = [0.0, 1.0, 2.0, 3.0].map(|x| point![x, 0.0, 0.0]);
    /// let extraction = NurbsCurve::new(knots, &points, None)?.extraction();
    /// assert_eq!(extraction.points(&points)?, points);
    /// let grid = extraction.grid();
    /// assert_eq!((grid.patches(), grid.net(), grid.gaps()), ([2, 1], [4, 1], [&[1][..], &[]]));
    /// assert_eq!([0, 1].map(|line| grid.indices(line)), [Some(vec![0, 1]), Some(vec![2, 3])]);
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub fn gaps(&self) -> [&[usize]; 2] {
        self.gaps.each_ref().map(Vec::as_slice)
    }

    /// The position [k, l] of the patch with the number k·b+l, with k along u and l along v. `None`
    /// if no patch has that number.
    pub fn position(&self, patch: usize) -> Option<[usize; 2]> {
        let [a, b] = self.patches;
        let (k, l) = (patch.checked_div(b)?, patch.checked_rem(b)?);
        (k < a).then_some([k, l])
    }

    /// The numbers of control points of the whole net along u and along v.
    pub fn net(&self) -> [usize; 2] {
        [0, 1].map(|side| self.degrees[side] * self.patches[side] + 1 + self.gaps[side].len())
    }

    /// The first control point of the whole net, along u (side 0) or v (side 1), of a patch that is
    /// at this place along it.
    pub(super) fn first(&self, side: usize, patch: usize) -> usize {
        let gaps = self.gaps[side].partition_point(|&before| before <= patch);
        patch * self.degrees[side] + gaps
    }

    /// The number of control points of the whole net.
    pub fn count(&self) -> usize {
        let [along_u, along_v] = self.net();
        along_u.saturating_mul(along_v)
    }

    /// The control points of a patch as indices into the net, in the order of [`PatchGrid::shape`].
    /// `None` if no patch has that number, or if an index exceeds 32 bits.
    ///
    /// ```
    /// use patch_ccd::geometry::HermiteGrid;
    /// let hermite = HermiteGrid::new(&[1.0, 2.0], &[1.0])?;
    /// let grid = hermite.grid();
    /// assert_eq!((grid.patches(), grid.net()), ([2, 1], [7, 4]));
    /// assert_eq!(grid.indices(0), Some((0..16).collect()));
    /// // The two patches share the control points 12 to 15.
    /// assert_eq!(grid.indices(1), Some((12..28).collect()));
    /// assert_eq!((grid.position(1), grid.position(2)), (Some([1, 0]), None));
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub fn indices(&self, patch: usize) -> Option<Vec<u32>> {
        let ([k, l], [n, m]) = (self.position(patch)?, self.degrees);
        let (width, i, j) = (self.net()[1], self.first(0, k), self.first(1, l));
        let rows = i..=i + n;
        rows.flat_map(|i| (j..=j + m).map(move |j| i * width + j))
            .map(|index| u32::try_from(index).ok())
            .collect()
    }

    /// The [`PatchGrid::indices`] of all patches, in order.
    pub fn all_indices(&self) -> impl Iterator<Item = Vec<u32>> {
        (0..).map_while(|patch| self.indices(patch))
    }
}
