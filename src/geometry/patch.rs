//! The capability that every kind of patch has, and what follows from it.

use nalgebra::{Point3, Vector3};
use smallvec::SmallVec;

use super::bernstein::Basis;
use super::normal::NormalNet;
use super::{Cell, MAX_DEGREE, Shape, Split, SplitPlan};
use crate::Error;
use crate::rounding::reciprocal_power_of_two;

/// Control points of a patch, stored inline up to 16 (a bicubic patch).
pub type ControlNet = SmallVec<[Point3<f64>; 16]>;

/// A Bézier patch: a [`Shape`] and as many control points as that has.
///
/// Evaluation, derivatives, subdivision and collision queries follow from these. A new kind of
/// patch provides the first three methods, and the fourth if it is rational.
pub trait Patch {
    /// Kind, degree and order of the control points.
    fn shape(&self) -> Shape;

    /// The control points, `shape().count()` of them, all finite.
    fn control_points(&self) -> &[Point3<f64>];

    /// The same kind of patch with other control points and, if it is rational, other weights.
    ///
    /// # Errors
    /// A wrong number of control points or weights; a coordinate that is not finite; a weight that
    /// is not positive and finite.
    fn with_net(&self, points: &[Point3<f64>], weights: Option<&[f64]>) -> Result<Self, Error>
    where
        Self: Sized;

    /// The weights of a rational patch, one for each control point, all positive.
    fn weights(&self) -> Option<&[f64]> {
        None
    }

    /// The point S(u, v). Parameters outside the domain extrapolate. A shape with a degree above
    /// [`MAX_DEGREE`] evaluates to the origin.
    fn eval(&self, u: f64, v: f64) -> Point3<f64> {
        let basis = weighted_basis(self.shape(), self.weights(), u, v);
        Point3::from(combine(&basis, self.control_points()))
    }

    /// The first partial derivatives (∂S/∂u, ∂S/∂v) at (u, v).
    fn partials(&self, u: f64, v: f64) -> (Vector3<f64>, Vector3<f64>) {
        let [by_u, by_v] = weighted_basis_partials(self.shape(), self.weights(), u, v);
        let points = self.control_points();
        (combine(&by_u, points), combine(&by_v, points))
    }

    /// The unit normal at (u, v), on the side of ∂S/∂u × ∂S/∂v.
    ///
    /// Where that product vanishes it is the limit of the normals around, if they have one: at the
    /// pole of a sphere, say, where a whole side of the patch is one point, or in a corner whose
    /// two sides make a straight line. `None` where they have none: at the tip of a cone, at a fold
    /// or a cusp, on a patch that is only a line or a point, and on a curve.
    ///
    /// A product counts as vanishing if it is no longer than the rounding errors of the control
    /// points can make it. These are relative to the largest coordinate, so far from the origin
    /// less can be told. A normal that cannot be told to a thousandth of a radian is `None`, too.
    ///
    /// ```
    /// use patch_ccd::geometry::{Patch, TensorProductPatch};
    /// use nalgebra::{point, vector};
    /// // Of both patches the side u = 0 is one point. The first leaves it in a plane.
    /// let top = point![0.0, 0.0, 1.0];
    /// let cap = TensorProductPatch::new(2, 1, &[
    ///     top, top,
    ///     point![1.0, 0.0, 1.0], point![0.0, 1.0, 1.0],
    ///     point![1.0, 0.0, 0.0], point![0.0, 1.0, 0.0],
    /// ])?;
    /// assert_eq!(cap.normal(0.0, 0.3), Some(vector![0.0, 0.0, 1.0]));
    /// let cone = TensorProductPatch::new(1, 2, &[
    ///     top, top, top,
    ///     point![1.0, 0.0, 0.0], point![1.0, 1.0, 0.0], point![0.0, 1.0, 0.0],
    /// ])?;
    /// assert_eq!(cone.normal(0.0, 0.3), None);
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    fn normal(&self, u: f64, v: f64) -> Option<Vector3<f64>> {
        NormalNet::at_rest(self.shape(), self.control_points(), self.weights()).normal((u, v))
    }

    /// Splits the patch at its parameter midpoints, in the order of [`Shape::child_cell`]. Each
    /// child comes with its [`Cell`], for which child(u, v) = patch(cell.map(u, v)).
    ///
    /// # Errors
    /// None for the patches of this crate. For other patches: a wrong number of control points, or
    /// one that is not finite.
    ///
    /// ```
    /// use patch_ccd::geometry::{Patch, TriangularPatch};
    /// use nalgebra::point;
    /// let corners = [point![0.0, 0.0, 0.0], point![1.0, 0.0, 0.0], point![0.0, 1.0, 0.0]];
    /// let patch = TriangularPatch::new(1, &corners)?;
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
        let plan = SplitPlan::new(shape, Split::Even);
        let Some(weights) = self.weights() else {
            let mut values: Vec<[f64; 3]> = net.iter().map(|p| [p.x, p.y, p.z]).collect();
            values.resize(plan.values(), [0.0; 3]);
            plan.run(&mut values);
            return (0..shape.children())
                .map(|child| {
                    let values = plan
                        .child(child)
                        .iter()
                        .map(|&value| values[value as usize]);
                    let points: ControlNet = values.map(Point3::from).collect();
                    Ok((self.with_net(&points, None)?, shape.child_cell(child)))
                })
                .collect();
        };
        check_weights(shape, weights)?;
        let (scale, weights) = scaled(weights);
        // Weights are scaled below 1, so that no product leaves the range of doubles.
        let (scale, quarters) = (0.25 * scale, weights.iter().map(|w| 0.25 * w));
        let homogeneous = net
            .iter()
            .zip(quarters)
            .map(|(p, w)| [p.x * w, p.y * w, p.z * w, w]);
        let mut values: Vec<[f64; 4]> = homogeneous.collect();
        values.resize(plan.values(), [0.0; 4]);
        plan.run(&mut values);
        (0..shape.children())
            .map(|child| {
                let values = plan
                    .child(child)
                    .iter()
                    .map(|&value| values[value as usize]);
                // Near the end of that range rounding may leave it.
                let quotient = |x: f64, w: f64| (x / w).clamp(f64::MIN, f64::MAX);
                let points: ControlNet = values
                    .clone()
                    .map(|[x, y, z, w]| Point3::from([x, y, z].map(|x| quotient(x, w))))
                    .collect();
                let weights: Vec<f64> = values.map(|[_, _, _, w]| w / scale).collect();
                Ok((
                    self.with_net(&points, Some(&weights))?,
                    shape.child_cell(child),
                ))
            })
            .collect()
    }
}

/// The functions by which control points are multiplied to give S(u, v): the basis, or with weights
/// wᵢ the rational basis wᵢ Bᵢ / Σ wⱼ Bⱼ. It is empty for a shape with a degree above
/// [`MAX_DEGREE`].
pub(crate) fn weighted_basis(shape: Shape, weights: Option<&[f64]>, u: f64, v: f64) -> Basis {
    if shape.check_degrees().is_err() {
        return Basis::new();
    }
    let mut basis = shape.basis(u, v);
    if let Some(weights) = weights {
        weigh_to_one(&mut basis, &scaled(weights).1);
    }
    basis
}

/// The derivatives of [`weighted_basis`] by u and by v.
fn weighted_basis_partials(shape: Shape, weights: Option<&[f64]>, u: f64, v: f64) -> [Basis; 2] {
    if shape.check_degrees().is_err() {
        return [Basis::new(), Basis::new()];
    }
    let mut partials = shape.basis_partials(u, v);
    if let Some(weights) = weights {
        weigh_partials(&mut partials, shape.basis(u, v), &scaled(weights).1);
    }
    partials
}

/// The power of two that brings the largest weight to about 1, and the weights times that. The
/// common size of all weights does not matter, and must not cost accuracy.
pub(super) fn scaled(weights: &[f64]) -> (f64, Basis) {
    let scale = reciprocal_power_of_two(weights.iter().copied().fold(0.0, f64::max));
    (scale, weights.iter().map(|weight| weight * scale).collect())
}

/// Makes a basis Bᵢ the rational one, wᵢ Bᵢ / Σ wⱼ Bⱼ, and returns the sum.
pub(crate) fn weigh_to_one(basis: &mut Basis, weights: &[f64]) -> f64 {
    let sum = weigh(basis, weights);
    basis.iter_mut().for_each(|value| *value /= sum);
    sum
}

/// Makes the derivatives of a basis those of the rational basis.
pub(crate) fn weigh_partials(partials: &mut [Basis; 2], mut basis: Basis, weights: &[f64]) {
    // (R W)' = R' W + R W' for the rational basis R, with W = Σ wⱼ Bⱼ and R W = w B.
    let sum = weigh(&mut basis, weights);
    for partial in partials {
        let sum_partial = weigh(partial, weights);
        for (partial, value) in partial.iter_mut().zip(&basis) {
            *partial = (*partial - value * (sum_partial / sum)) / sum;
        }
    }
}

/// Multiplies a basis by the weights and returns the sum.
fn weigh(basis: &mut Basis, weights: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (value, &weight) in basis.iter_mut().zip(weights) {
        *value *= weight;
        sum += *value;
    }
    sum
}

/// The sum Σ weightᵢ pointᵢ.
pub(crate) fn combine(weights: &[f64], points: &[Point3<f64>]) -> Vector3<f64> {
    weights
        .iter()
        .zip(points)
        .fold(Vector3::zeros(), |sum, (&w, p)| sum + p.coords * w)
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

/// Refuses a wrong number of something that belongs to `owner`.
pub(crate) fn check_count(
    argument: &'static str,
    owner: &dyn std::fmt::Display,
    expected: usize,
    found: usize,
) -> Result<(), Error> {
    if found == expected {
        return Ok(());
    }
    Err(Error::Count {
        argument,
        owner: owner.to_string(),
        expected,
        found,
    })
}

/// Refuses degrees out of range.
pub(crate) fn check_degree(argument: &'static str, value: usize) -> Result<(), Error> {
    if (1..=MAX_DEGREE).contains(&value) {
        Ok(())
    } else {
        Err(Error::Degree { argument, value })
    }
}

/// Checks the number of control points and their coordinates, and returns a copy.
pub(crate) fn checked_net(shape: Shape, points: &[Point3<f64>]) -> Result<ControlNet, Error> {
    shape.check_degrees()?;
    check_count("control points", &shape, shape.count(), points.len())?;
    check_finite("control point", points.iter().map(|p| &p.coords))?;
    Ok(ControlNet::from_slice(points))
}

/// The largest ratio of two weights. If the smallest weight is about 1, as in the search, no
/// product with the largest one overflows.
pub const MAX_WEIGHT_RATIO: f64 = 1e200;
const _: () = assert!(MAX_WEIGHT_RATIO == crate::error::WEIGHT_RATIO);

/// Checks the number of weights, and their values by [`check_positive`].
pub(crate) fn check_weights(shape: Shape, weights: &[f64]) -> Result<(), Error> {
    check_count("weights", &shape, shape.count(), weights.len())?;
    check_positive(weights)
}

/// Checks that each weight is positive and finite, and that none is too small compared with
/// another.
pub(crate) fn check_positive(weights: &[f64]) -> Result<(), Error> {
    let finite = weights.iter().copied().filter(|weight| weight.is_finite());
    let largest = finite.fold(0.0, f64::max);
    let bad = |&weight: &f64| {
        !(weight.is_finite() && weight > 0.0 && weight * MAX_WEIGHT_RATIO >= largest)
    };
    match weights.iter().position(bad) {
        Some(index) => Err(Error::Weight {
            index,
            value: weights[index],
            largest,
        }),
        None => Ok(()),
    }
}
