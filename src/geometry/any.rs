//! One type for patches of all kinds, where the kind is known only at run time.

use nalgebra::Point3;

use super::{Patch, Shape, TensorProductPatch, TriangularPatch};
use crate::Error;

/// A patch of any kind: what files hold, and meshes of mixed patches.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum AnyPatch {
    /// A tensor-product patch.
    TensorProduct(TensorProductPatch),
    /// A triangular patch.
    Triangular(TriangularPatch),
}

impl AnyPatch {
    /// The polynomial patch of a shape.
    ///
    /// # Errors
    /// As [`TensorProductPatch::new`] and [`TriangularPatch::new`].
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
            Shape::TensorProduct { n, m } => TensorProductPatch::new(n, m, points)?.into(),
            Shape::Triangular { n } => TriangularPatch::new(n, points)?.into(),
        })
    }

    fn as_patch(&self) -> &dyn Patch {
        match self {
            Self::TensorProduct(patch) => patch,
            Self::Triangular(patch) => patch,
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

    fn with_control_points(&self, points: &[Point3<f64>]) -> Result<Self, Error> {
        Ok(match self {
            Self::TensorProduct(patch) => patch.with_control_points(points)?.into(),
            Self::Triangular(patch) => patch.with_control_points(points)?.into(),
        })
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
