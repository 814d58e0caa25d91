//! Grids of tensor-product patches over one net of control points.

use super::Shape;

/// A grid of a × b tensor-product patches of the same degree (n, m) whose neighbours share the control points between them: one
/// net of (a n + 1)(b m + 1) control points, index i·(b m + 1)+j with i along u and j along v.
///
/// Patches have numbers too, k·b+l with k along u and l along v. A chain of curves is a grid with m = 0 and b = 1.
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

    /// Numbers of patches along u and along v.
    pub fn patches(&self) -> [usize; 2] {
        self.patches
    }

    /// Where a patch is in the grid: k along u and l along v, of the number k·b+l; `None` for a number that no patch has.
    pub fn position(&self, patch: usize) -> Option<[usize; 2]> {
        let [a, b] = self.patches;
        let (k, l) = (patch.checked_div(b)?, patch.checked_rem(b)?);
        (k < a).then_some([k, l])
    }

    /// Numbers of control points of the whole net along u and along v.
    pub fn net(&self) -> [usize; 2] {
        [0, 1].map(|side| self.degrees[side] * self.patches[side] + 1)
    }

    /// Number of control points of the whole net.
    pub fn count(&self) -> usize {
        let [along_u, along_v] = self.net();
        along_u.saturating_mul(along_v)
    }

    /// The control points of a patch, as indices into the net, in the order of [`PatchGrid::shape`]; `None` for a number
    /// that no patch has, and in nets of more than 2³² control points.
    ///
    /// ```
    /// use patch_ccd::geometry::HermiteGrid;
    /// let grid = *HermiteGrid::new(&[1.0, 2.0], &[1.0])?.grid();
    /// assert_eq!((grid.patches(), grid.net()), ([2, 1], [7, 4]));
    /// assert_eq!(grid.indices(0), Some((0..16).collect()));
    /// assert_eq!(grid.indices(1), Some((12..28).collect())); // 12 to 15 are on the side that they share
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

    /// [`PatchGrid::indices`] of all patches, in order.
    pub fn all_indices(&self) -> impl Iterator<Item = Vec<u32>> {
        (0..).map_while(|patch| self.indices(patch))
    }
}
