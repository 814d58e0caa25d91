//! The capability that every kind of patch has, and what follows from it.

use nalgebra::{Point3, Vector3};
use smallvec::SmallVec;

use super::{Cell, MAX_DEGREE, Shape, SplitPlan};
use crate::Error;

/// Control points of a patch, inline up to 16 (a bicubic patch).
pub type ControlNet = SmallVec<[Point3<f64>; 16]>;

/// A Bézier patch: a [`Shape`] and that many control points.
///
/// Evaluation, derivatives, subdivision and collision queries follow from it; a new kind of patch provides these
/// three methods and nothing else.
pub trait Patch {
    /// Kind, degree and order of the control points.
    fn shape(&self) -> Shape;

    /// The control points, `shape().count()` of them, all finite.
    fn control_points(&self) -> &[Point3<f64>];

    /// The same kind of patch with other control points.
    ///
    /// # Errors
    /// A wrong count or a coordinate that is not finite.
    fn with_control_points(&self, points: &[Point3<f64>]) -> Result<Self, Error>
    where
        Self: Sized;

    /// The point S(u, v). Parameters outside the domain extrapolate.
    fn eval(&self, u: f64, v: f64) -> Point3<f64> {
        Point3::from(combine(&self.shape().basis(u, v), self.control_points()))
    }

    /// The first partial derivatives (∂S/∂u, ∂S/∂v) at (u, v).
    fn partials(&self, u: f64, v: f64) -> (Vector3<f64>, Vector3<f64>) {
        let [by_u, by_v] = self.shape().basis_partials(u, v);
        let points = self.control_points();
        (combine(&by_u, points), combine(&by_v, points))
    }

    /// The unit normal at (u, v), on the side of ∂S/∂u × ∂S/∂v; `None` where that vanishes.
    fn normal(&self, u: f64, v: f64) -> Option<Vector3<f64>> {
        let (by_u, by_v) = self.partials(u, v);
        unit_normal(by_u, by_v)
    }

    /// Splits the patch at its parameter midpoints. Each child comes with its [`Cell`]: child(u, v) =
    /// patch(cell.map(u, v)). The order is that of [`Shape::child_cell`].
    ///
    /// # Errors
    /// None for the patches of this crate; for others, a wrong number of control points, or one that is not finite.
    ///
    /// ```
    /// use patch_ccd::geometry::{Patch, TriangularPatch};
    /// use nalgebra::point;
    /// let patch = TriangularPatch::new(1, &[point![0.0, 0.0, 0.0], point![1.0, 0.0, 0.0], point![0.0, 1.0, 0.0]])?;
    /// for (child, cell) in patch.subdivide()? {
    ///     let (u, v) = cell.map(0.25, 0.5);
    ///     assert_eq!(child.eval(0.25, 0.5), patch.eval(u, v));
    /// }
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    fn subdivide(&self) -> Result<SmallVec<[(Self, Cell); 4]>, Error>
    where
        Self: Sized,
    {
        let shape = self.shape();
        let net = checked_net(shape, self.control_points())?;
        let plan = SplitPlan::new(shape);
        let mut values: Vec<[f64; 3]> = net.iter().map(|p| [p.x, p.y, p.z]).collect();
        plan.run(&mut values);
        (0..shape.children())
            .map(|child| {
                let values = plan
                    .child(child)
                    .iter()
                    .map(|&value| values[value as usize]);
                let points: ControlNet = values.map(Point3::from).collect();
                Ok((self.with_control_points(&points)?, shape.child_cell(child)))
            })
            .collect()
    }
}

/// Σ weightᵢ pointᵢ.
pub(crate) fn combine(weights: &[f64], points: &[Point3<f64>]) -> Vector3<f64> {
    weights
        .iter()
        .zip(points)
        .fold(Vector3::zeros(), |sum, (&w, p)| sum + p.coords * w)
}

/// The unit vector along a × b, or `None` where the two are parallel to rounding or one of them vanishes.
///
/// Each is first divided by its largest coordinate, so that no size of patch over- or underflows.
pub(crate) fn unit_normal(a: Vector3<f64>, b: Vector3<f64>) -> Option<Vector3<f64>> {
    let (a, b) = (a / a.amax(), b / b.amax());
    let normal = a.cross(&b);
    // Each coordinate of the cross product of two vectors of size about 1 is exact to 4 u = 2 ε.
    let reliable = normal.amax() > 4.0 * f64::EPSILON;
    reliable.then(|| normal.normalize())
}

/// Refuses coordinates that are not finite.
pub(crate) fn check_finite<'a>(
    argument: &'static str,
    vectors: impl IntoIterator<Item = &'a Vector3<f64>>,
) -> Result<(), Error> {
    for (index, vector) in vectors.into_iter().enumerate() {
        for (coordinate, &value) in vector.iter().enumerate() {
            if !value.is_finite() {
                return Err(Error::NonFinite {
                    argument,
                    index,
                    coordinate,
                    value,
                });
            }
        }
    }
    Ok(())
}

/// Refuses degrees out of range.
pub(crate) fn check_degree(argument: &'static str, value: usize) -> Result<(), Error> {
    if (1..=MAX_DEGREE).contains(&value) {
        Ok(())
    } else {
        Err(Error::Degree { argument, value })
    }
}

/// Checks the number of control points and their coordinates, and keeps a copy.
pub(crate) fn checked_net(shape: Shape, points: &[Point3<f64>]) -> Result<ControlNet, Error> {
    shape.check_degrees()?;
    if points.len() != shape.count() {
        return Err(Error::Count {
            argument: "control points",
            patch: shape.to_string(),
            expected: shape.count(),
            found: points.len(),
        });
    }
    check_finite("control point", points.iter().map(|p| &p.coords))?;
    Ok(ControlNet::from_slice(points))
}
