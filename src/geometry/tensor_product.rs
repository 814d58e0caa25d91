//! Tensor-product Bézier patches.

use nalgebra::Point3;

use super::Shape;
use super::patch::{ControlNet, Patch, check_degree, checked_net};
use crate::Error;

/// A tensor-product Bézier patch of degree (n, m) over (u, v) in [0, 1]²:
/// S(u, v) = Σᵢ Σⱼ Bᵢⁿ(u) Bⱼᵐ(v) pᵢⱼ.
#[derive(Clone, Debug, PartialEq)]
pub struct TensorProductPatch {
    n: usize,
    m: usize,
    points: ControlNet,
}

impl TensorProductPatch {
    /// A patch of degree (n, m) from its (n+1)(m+1) control points, at index i·(m+1)+j with i along
    /// u and j along v.
    ///
    /// # Errors
    /// A degree out of range, a wrong number of control points, a coordinate that is not finite.
    ///
    /// ```
    /// use patch_ccd::geometry::{Patch, TensorProductPatch};
    /// use nalgebra::point;
    /// // The unit square, bilinear.
    /// let square = TensorProductPatch::new(1, 1, &[
    ///     point![0.0, 0.0, 0.0], point![0.0, 1.0, 0.0], // u = 0
    ///     point![1.0, 0.0, 0.0], point![1.0, 1.0, 0.0], // u = 1
    /// ])?;
    /// assert_eq!(square.eval(0.25, 0.75), point![0.25, 0.75, 0.0]);
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub fn new(n: usize, m: usize, points: &[Point3<f64>]) -> Result<Self, Error> {
        check_degree("degree in u", n)?;
        check_degree("degree in v", m)?;
        let shape = Shape::TensorProduct { n, m };
        let points = checked_net(shape, points)?;
        Ok(Self { n, m, points })
    }
}

impl Patch for TensorProductPatch {
    fn shape(&self) -> Shape {
        Shape::TensorProduct {
            n: self.n,
            m: self.m,
        }
    }

    fn control_points(&self) -> &[Point3<f64>] {
        &self.points
    }

    fn with_net(&self, points: &[Point3<f64>], _: Option<&[f64]>) -> Result<Self, Error> {
        Self::new(self.n, self.m, points)
    }
}
