//! NURBS curves, which are surfaces with a single control point along v.

use nalgebra::{Point3, Vector3, Vector4};

use super::{KnotVector, NurbsExtraction, NurbsPatch, NurbsSurface};
use crate::Error;

/// A NURBS curve of any degree up to [`MAX_DEGREE`](super::MAX_DEGREE): S(u) = Σ wᵢ Nᵢ(u) pᵢ / Σ wᵢ
/// Nᵢ(u), with Euclidean control points pᵢ (not multiplied by their weights) and weights wᵢ > 0
/// that do not change in time.
///
/// The documentation of [`NurbsSurface`] applies to curves as well.
///
/// ```
/// use patch_ccd::geometry::{KnotVector, NurbsCurve, Patch};
/// use nalgebra::point;
/// // Half the unit circle, as two arcs.
/// let knots = KnotVector::new(2, &[0.0, 0.0, 0.0, 0.5, 0.5, 1.0, 1.0, 1.0])?;
/// let points = [
///     point![1.0, 0.0, 0.0], point![1.0, 1.0, 0.0], point![0.0, 1.0, 0.0], point![-1.0, 1.0, 0.0],
///     point![-1.0, 0.0, 0.0],
/// ];
/// let w = 0.5_f64.sqrt();
/// let circle = NurbsCurve::new(knots, &points, Some(&[1.0, w, 1.0, w, 1.0]))?;
/// assert!((circle.eval(0.7).coords.norm() - 1.0).abs() < 1e-15);
/// let arcs = circle.split()?;
/// assert_eq!(arcs[1].patch.eval(0.0, 0.0), point![0.0, 1.0, 0.0]);
/// # Ok::<(), patch_ccd::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct NurbsCurve {
    pub(crate) surface: NurbsSurface,
}

impl NurbsCurve {
    /// The curve of a knot vector, its control points, and a weight for each of them; without
    /// weights it is a B-spline curve.
    ///
    /// # Errors
    /// The same as [`NurbsSurface::new`]'s: a wrong number of control points or weights; a
    /// coordinate that is not finite; a weight that is zero, negative, not finite, or too small
    /// compared with the largest.
    pub fn new(
        knots: KnotVector,
        points: &[Point3<f64>],
        weights: Option<&[f64]>,
    ) -> Result<Self, Error> {
        let surface = NurbsSurface::new([knots, KnotVector::constant()], points, weights)?;
        Ok(Self { surface })
    }

    /// The curve from control points in homogeneous form, (w x, w y, w z, w).
    ///
    /// # Errors
    /// The same as [`NurbsSurface::new`]'s: a wrong number of control points or weights; a
    /// coordinate that is not finite; a weight that is zero, negative, not finite, or too small
    /// compared with the largest.
    pub fn from_homogeneous(knots: KnotVector, points: &[Vector4<f64>]) -> Result<Self, Error> {
        let knots = [knots, KnotVector::constant()];
        let surface = NurbsSurface::from_homogeneous(knots, points)?;
        Ok(Self { surface })
    }

    /// The knot vector.
    pub fn knots(&self) -> &KnotVector {
        &self.surface.knots()[0]
    }

    /// The Euclidean control points.
    pub fn control_points(&self) -> &[Point3<f64>] {
        self.surface.control_points()
    }

    /// The weights. `None` if all are equal, which is the same as no weights.
    pub fn weights(&self) -> Option<&[f64]> {
        self.surface.weights()
    }

    /// The point S(u). The domain is closed, and parameters outside count as the nearest end. At a
    /// gap it is the point of the piece after it.
    pub fn eval(&self, u: f64) -> Point3<f64> {
        self.surface.eval(u, 0.0)
    }

    /// The control points that act at u, as indices, each with the value of its rational basis
    /// function; see [`NurbsSurface::basis`].
    pub fn basis(&self, u: f64) -> Vec<(usize, f64)> {
        self.surface.basis(u, 0.0)
    }

    /// The derivative dS/du at u. At a knot it is that of the piece after it; outside the domain it
    /// is that at the nearest end.
    pub fn derivative(&self, u: f64) -> Vector3<f64> {
        self.surface.partials(u, 0.0).0
    }

    /// The map from this curve's control points to those of its Bézier curves.
    pub fn extraction(&self) -> NurbsExtraction {
        self.surface.extraction()
    }

    /// The Bézier curves of which the curve consists, of the same degree: one for each span.
    ///
    /// # Errors
    /// A control point that rounds to infinity, which can only occur near the end of the range of
    /// doubles.
    pub fn split(&self) -> Result<Vec<NurbsPatch>, Error> {
        self.surface.split()
    }
}
