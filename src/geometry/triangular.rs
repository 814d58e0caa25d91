//! Triangular Bézier patches.

use nalgebra::Point3;

use super::Shape;
use super::patch::{ControlNet, Patch, check_degree, checked_net};
use crate::Error;

/// A triangular Bézier patch of degree n over u, v ≥ 0, u + v ≤ 1:
/// S(u, v) = Σ n!/(i! j! k!) uⁱ vʲ wᵏ pᵢⱼₖ with w = 1 − u − v and i + j + k = n.
#[derive(Clone, Debug, PartialEq)]
pub struct TriangularPatch {
    n: usize,
    points: ControlNet,
}

impl TriangularPatch {
    /// A patch of degree n from its (n+1)(n+2)/2 control points, u fastest. The exponents of (u, v,
    /// w) are 001, 100, 010 for n = 1; 002, 101, 200, 011, 110, 020 for n = 2; and so on. Point 0
    /// is the corner (u, v) = (0, 0).
    ///
    /// # Errors
    /// A degree out of range, a wrong number of control points, a coordinate that is not finite.
    ///
    /// ```
    /// use patch_ccd::geometry::{Patch, TriangularPatch};
    /// use nalgebra::point;
    /// let corners = [point![0.0, 0.0, 1.0], point![1.0, 0.0, 1.0], point![0.0, 1.0, 1.0]];
    /// let triangle = TriangularPatch::new(1, &corners)?;
    /// assert_eq!(triangle.eval(0.25, 0.5), point![0.25, 0.5, 1.0]);
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub fn new(n: usize, points: &[Point3<f64>]) -> Result<Self, Error> {
        check_degree("degree", n)?;
        let shape = Shape::Triangular { n };
        let points = checked_net(shape, points)?;
        Ok(Self { n, points })
    }
}

impl Patch for TriangularPatch {
    fn shape(&self) -> Shape {
        Shape::Triangular { n: self.n }
    }

    fn control_points(&self) -> &[Point3<f64>] {
        &self.points
    }

    fn with_net(&self, points: &[Point3<f64>], _: Option<&[f64]>) -> Result<Self, Error> {
        Self::new(self.n, points)
    }
}
