//! The part of a patch's parameter domain that a sub-patch covers.

/// A dyadic part of the parameter domain: the points (u0 + width_u·u, v0 + width_v·v) for (u, v) in
/// the domain of a whole patch, the unit square or triangle.
///
/// A width is ±2⁻ᵏ after k halvings. Both widths are negative for a triangle that is turned by
/// 180°, as the middle child of a triangle is. Corners are exact doubles down to widths of 2⁻⁵².
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// u of the cell's corner (0, 0).
    pub u0: f64,
    /// v of the cell's corner (0, 0).
    pub v0: f64,
    /// Signed width in u.
    pub width_u: f64,
    /// Signed width in v.
    pub width_v: f64,
}

impl Cell {
    /// The whole domain.
    pub const UNIT: Self = Self {
        u0: 0.0,
        v0: 0.0,
        width_u: 1.0,
        width_v: 1.0,
    };

    /// Cells of this width are not halved: the corners of their halves would not be exact doubles.
    pub(crate) const LEAST_WIDTH: f64 = 1.0 / (1_u64 << 52) as f64;

    /// The (u, v) of the whole patch for the (u, v) of the sub-patch.
    ///
    /// ```
    /// let cell = patch_ccd::geometry::Cell { u0: 0.5, v0: 0.0, width_u: 0.5, width_v: 0.25 };
    /// assert_eq!(cell.map(1.0, 0.5), (1.0, 0.125));
    /// ```
    #[inline]
    pub fn map(&self, u: f64, v: f64) -> (f64, f64) {
        (self.u0 + self.width_u * u, self.v0 + self.width_v * v)
    }

    /// The (u, v) of the sub-patch for the (u, v) of the whole patch, to rounding.
    #[inline]
    pub(crate) fn place(&self, u: f64, v: f64) -> (f64, f64) {
        ((u - self.u0) / self.width_u, (v - self.v0) / self.width_v)
    }

    /// Whether (u, v) is in the cell, or within one width of it along each parameter.
    pub(crate) fn is_near(&self, (u, v): (f64, f64)) -> bool {
        let (x, y) = self.place(u, v);
        (-1.0..=2.0).contains(&x) && (-1.0..=2.0).contains(&y)
    }

    /// The cell in the whole domain of a `child` that is given relative to this one.
    #[inline]
    pub fn compose(&self, child: &Self) -> Self {
        let (u0, v0) = self.map(child.u0, child.v0);
        Self {
            u0,
            v0,
            width_u: self.width_u * child.width_u,
            width_v: self.width_v * child.width_v,
        }
    }
}
