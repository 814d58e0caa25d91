//! Bézier curves, which are tensor-product nets without extent along v.

use nalgebra::Point3;

use super::patch::{ControlNet, Patch, check_degree, checked_net};
use super::{Rational, Shape};
use crate::Error;

/// A Bézier curve of degree n over u in [0, 1]: S(u) = Σᵢ Bᵢⁿ(u) pᵢ.
///
/// As a [`Patch`] it has the shape of a tensor-product patch of degree (n, 0). It does not depend
/// on v, its partial derivative by v is zero, and it has no normal. Curves collide with curves and
/// with surfaces.
#[derive(Clone, Debug, PartialEq)]
pub struct BezierCurve {
    n: usize,
    points: ControlNet,
}

/// A rational Bézier curve.
pub type RationalBezierCurve = Rational<BezierCurve>;

impl BezierCurve {
    /// A curve of degree n from its n+1 control points.
    ///
    /// # Errors
    /// A degree out of range, a wrong number of control points, a coordinate that is not finite.
    ///
    /// ```
    /// use patch_ccd::geometry::{BezierCurve, Patch};
    /// use nalgebra::{point, vector};
    /// // A parabola: z = 1 − x².
    /// let points = [point![-1.0, 0.0, 0.0], point![0.0, 0.0, 2.0], point![1.0, 0.0, 0.0]];
    /// let arch = BezierCurve::new(2, &points)?;
    /// assert_eq!(arch.eval(0.75, 0.0), point![0.5, 0.0, 0.75]);
    /// assert_eq!(arch.partials(0.5, 0.0).0, vector![2.0, 0.0, 0.0]);
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub fn new(n: usize, points: &[Point3<f64>]) -> Result<Self, Error> {
        check_degree("degree", n)?;
        let points = checked_net(Shape::TensorProduct { n, m: 0 }, points)?;
        Ok(Self { n, points })
    }
}

impl Patch for BezierCurve {
    fn shape(&self) -> Shape {
        Shape::TensorProduct { n: self.n, m: 0 }
    }

    fn control_points(&self) -> &[Point3<f64>] {
        &self.points
    }

    fn with_net(&self, points: &[Point3<f64>], _: Option<&[f64]>) -> Result<Self, Error> {
        Self::new(self.n, points)
    }
}
