//! Rational Bézier patches, which are polynomial ones with a weight for each control point.

use nalgebra::Point3;
use smallvec::SmallVec;

use super::patch::check_weights;
use super::{Patch, Shape, TensorProductPatch, TriangularPatch};
use crate::Error;

/// A rational patch: S(u, v) = Σ wᵢ Bᵢ(u, v) pᵢ / Σ wᵢ Bᵢ(u, v), with Euclidean control points pᵢ
/// (not multiplied by their weights) and weights wᵢ > 0 that do not change in time.
#[derive(Clone, Debug, PartialEq)]
pub struct Rational<P> {
    patch: P,
    weights: SmallVec<[f64; 16]>,
}

/// A rational tensor-product patch.
pub type RationalTensorProductPatch = Rational<TensorProductPatch>;

/// A rational triangular patch.
pub type RationalTriangularPatch = Rational<TriangularPatch>;

impl<P: Patch> Rational<P> {
    /// The rational patch of the polynomial `patch` with a weight for each control point, in the
    /// same order.
    ///
    /// # Errors
    /// A wrong number of weights; a weight that is zero, negative, not finite, or smaller than the
    /// largest by more than [`MAX_WEIGHT_RATIO`](super::MAX_WEIGHT_RATIO).
    ///
    /// ```
    /// use patch_ccd::geometry::{Patch, Rational, TensorProductPatch};
    /// use nalgebra::point;
    /// // A quarter of a cylinder: x² + y² = 1.
    /// let net = TensorProductPatch::new(2, 1, &[
    ///     point![1.0, 0.0, 0.0], point![1.0, 0.0, 1.0],
    ///     point![1.0, 1.0, 0.0], point![1.0, 1.0, 1.0],
    ///     point![0.0, 1.0, 0.0], point![0.0, 1.0, 1.0],
    /// ])?;
    /// let w = 0.5_f64.sqrt();
    /// let cylinder = Rational::new(net, &[1.0, 1.0, w, w, 1.0, 1.0])?;
    /// let p = cylinder.eval(0.3, 0.5);
    /// assert!((p.x.hypot(p.y) - 1.0).abs() < 1e-15);
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub fn new(patch: P, weights: &[f64]) -> Result<Self, Error> {
        check_weights(patch.shape(), weights)?;
        Ok(Self {
            patch,
            weights: SmallVec::from_slice(weights),
        })
    }
}

impl<P: Patch> Patch for Rational<P> {
    fn shape(&self) -> Shape {
        self.patch.shape()
    }

    fn control_points(&self) -> &[Point3<f64>] {
        self.patch.control_points()
    }

    fn with_net(&self, points: &[Point3<f64>], weights: Option<&[f64]>) -> Result<Self, Error> {
        let patch = self.patch.with_net(points, None)?;
        Self::new(patch, weights.unwrap_or(&self.weights))
    }

    fn weights(&self) -> Option<&[f64]> {
        Some(&self.weights)
    }
}
