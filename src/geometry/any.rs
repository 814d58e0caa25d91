//! One type for patches of all kinds, for when the kind is known only at run time.

use nalgebra::Point3;

use super::{
    BezierCurve, Patch, Rational, RationalBezierCurve, RationalTensorProductPatch,
    RationalTriangularPatch, Shape, TensorProductPatch, TriangularPatch,
};
use crate::Error;

/// A patch of any kind, as files and meshes of mixed patches hold them.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum AnyPatch {
    /// A tensor-product patch.
    TensorProduct(TensorProductPatch),
    /// A triangular patch.
    Triangular(TriangularPatch),
    /// A curve.
    Curve(BezierCurve),
    /// A rational tensor-product patch.
    RationalTensorProduct(RationalTensorProductPatch),
    /// A rational triangular patch.
    RationalTriangular(RationalTriangularPatch),
    /// A rational curve.
    RationalCurve(RationalBezierCurve),
}

impl AnyPatch {
    /// The polynomial patch of a shape; a curve if the shape has degree (n, 0).
    ///
    /// # Errors
    /// The same as [`TensorProductPatch::new`]'s: a degree out of range, a wrong number of control
    /// points, a coordinate that is not finite.
    ///
    /// ```
    /// use patch_ccd::geometry::{AnyPatch, Patch, Shape};
    /// use nalgebra::point;
    /// let triangle = [point![0.0, 0.0, 0.0], point![1.0, 0.0, 0.0], point![0.0, 1.0, 0.0]];
    /// let patch = AnyPatch::from_shape(Shape::Triangular { n: 1 }, &triangle)?;
    /// assert_eq!(patch.eval(0.0, 1.0), triangle[2]);
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub fn from_shape(shape: Shape, points: &[Point3<f64>]) -> Result<Self, Error> {
        Ok(match shape {
            Shape::TensorProduct { n, m: 0 } => BezierCurve::new(n, points)?.into(),
            Shape::TensorProduct { n, m } => TensorProductPatch::new(n, m, points)?.into(),
            Shape::Triangular { n } => TriangularPatch::new(n, points)?.into(),
        })
    }

    /// The rational patch of a shape.
    ///
    /// # Errors
    /// Those of [`AnyPatch::from_shape`] and [`Rational::new`]: a degree out of range; a wrong
    /// number of control points or weights; a coordinate that is not finite; a weight that is zero,
    /// negative, not finite, or smaller than the largest by more than
    /// [`MAX_WEIGHT_RATIO`](super::MAX_WEIGHT_RATIO).
    pub fn rational_from_shape(
        shape: Shape,
        points: &[Point3<f64>],
        weights: &[f64],
    ) -> Result<Self, Error> {
        Ok(match Self::from_shape(shape, points)? {
            Self::TensorProduct(patch) => Rational::new(patch, weights)?.into(),
            Self::Triangular(patch) => Rational::new(patch, weights)?.into(),
            Self::Curve(patch) => Rational::new(patch, weights)?.into(),
            rational => rational,
        })
    }

    fn as_patch(&self) -> &dyn Patch {
        match self {
            Self::TensorProduct(patch) => patch,
            Self::Triangular(patch) => patch,
            Self::Curve(patch) => patch,
            Self::RationalTensorProduct(patch) => patch,
            Self::RationalTriangular(patch) => patch,
            Self::RationalCurve(patch) => patch,
        }
    }
}

impl Patch for AnyPatch {
    fn shape(&self) -> Shape {
        self.as_patch().shape()
    }

    fn control_points(&self) -> &[Point3<f64>] {
        self.as_patch().control_points()
    }

    fn with_net(&self, points: &[Point3<f64>], weights: Option<&[f64]>) -> Result<Self, Error> {
        Ok(match self {
            Self::TensorProduct(patch) => patch.with_net(points, weights)?.into(),
            Self::Triangular(patch) => patch.with_net(points, weights)?.into(),
            Self::Curve(patch) => patch.with_net(points, weights)?.into(),
            Self::RationalTensorProduct(patch) => patch.with_net(points, weights)?.into(),
            Self::RationalTriangular(patch) => patch.with_net(points, weights)?.into(),
            Self::RationalCurve(patch) => patch.with_net(points, weights)?.into(),
        })
    }

    fn weights(&self) -> Option<&[f64]> {
        self.as_patch().weights()
    }
}

impl From<TensorProductPatch> for AnyPatch {
    fn from(patch: TensorProductPatch) -> Self {
        Self::TensorProduct(patch)
    }
}

impl From<TriangularPatch> for AnyPatch {
    fn from(patch: TriangularPatch) -> Self {
        Self::Triangular(patch)
    }
}

impl From<BezierCurve> for AnyPatch {
    fn from(patch: BezierCurve) -> Self {
        Self::Curve(patch)
    }
}

impl From<RationalTensorProductPatch> for AnyPatch {
    fn from(patch: RationalTensorProductPatch) -> Self {
        Self::RationalTensorProduct(patch)
    }
}

impl From<RationalTriangularPatch> for AnyPatch {
    fn from(patch: RationalTriangularPatch) -> Self {
        Self::RationalTriangular(patch)
    }
}

impl From<RationalBezierCurve> for AnyPatch {
    fn from(patch: RationalBezierCurve) -> Self {
        Self::RationalCurve(patch)
    }
}
