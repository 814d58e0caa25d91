//! Grids of tensor-product patches over one net of control points.

use super::Shape;

/// A grid of a × b tensor-product patches of the same degree (n, m) whose neighbours share the
/// control points between them. The net has (a n + 1)(b m + 1) control points; the one at i along u
/// and j along v has the index i·(b m + 1)+j.
///
/// Patch k along u and l along v has the number k·b+l. A chain of curves is a grid with m = 0 and
/// b = 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatchGrid {
    degrees: [usize; 2],
    patches: [usize; 2],
}

impl PatchGrid {
    pub(crate) fn new(degrees: [usize; 2], patches: [usize; 2]) -> Self {
        Self { degrees, patches }
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

    /// The position [k, l] of the patch with the number k·b+l, with k along u and l along v. `None`
    /// if no patch has that number.
    pub fn position(&self, patch: usize) -> Option<[usize; 2]> {
        let [a, b] = self.patches;
        let (k, l) = (patch.checked_div(b)?, patch.checked_rem(b)?);
        (k < a).then_some([k, l])
    }

    /// The numbers of control points of the whole net along u and along v.
    pub fn net(&self) -> [usize; 2] {
        [0, 1].map(|side| self.degrees[side] * self.patches[side] + 1)
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
    /// let grid = *HermiteGrid::new(&[1.0, 2.0], &[1.0])?.grid();
    /// assert_eq!((grid.patches(), grid.net()), ([2, 1], [7, 4]));
    /// assert_eq!(grid.indices(0), Some((0..16).collect()));
    /// // The two patches share the control points 12 to 15.
    /// assert_eq!(grid.indices(1), Some((12..28).collect()));
    /// assert_eq!((grid.position(1), grid.position(2)), (Some([1, 0]), None));
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub fn indices(&self, patch: usize) -> Option<Vec<u32>> {
        let ([k, l], [n, m]) = (self.position(patch)?, self.degrees);
        let width = self.net()[1];
        let rows = k * n..=(k + 1) * n;
        rows.flat_map(|i| (l * m..=(l + 1) * m).map(move |j| i * width + j))
            .map(|index| u32::try_from(index).ok())
            .collect()
    }

    /// The [`PatchGrid::indices`] of all patches, in order.
    pub fn all_indices(&self) -> impl Iterator<Item = Vec<u32>> {
        (0..).map_while(|patch| self.indices(patch))
    }
}
