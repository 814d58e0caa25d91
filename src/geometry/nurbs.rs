//! NURBS surfaces: evaluation, and their Bézier patches.

use nalgebra::{Point3, Vector3, Vector4};

use super::bernstein::Basis;
use super::knots::KnotVector;
use super::nurbs_net::{NurbsNet, Weights};
use super::patch::{
    ControlNet, check_count, check_finite, check_positive, combine, weigh_partials, weigh_to_one,
};
use super::shape::outer;
use super::{NormalNet, NurbsExtraction, NurbsPatch, Shape};
use crate::Error;

/// A NURBS surface of any degree up to [`MAX_DEGREE`](super::MAX_DEGREE): S(u, v) = Σ wᵢⱼ Nᵢ(u)
/// Nⱼ(v) pᵢⱼ / Σ wᵢⱼ Nᵢ(u) Nⱼ(v), with Euclidean control points pᵢⱼ (not multiplied by their
/// weights) and weights wᵢⱼ > 0 that do not change in time.
///
/// For collisions, split it into its Bézier patches, which are the same surface: use
/// [`NurbsSurface::split_moving`] or [`NurbsSurface::split_between`] for one step, and
/// [`NurbsSurface::extraction`] for many steps with the same knots and weights. If all weights are
/// equal, it is a B-spline surface, and its patches are polynomial.
///
/// The surface covers its whole domain: trimming curves are not supported. A closed surface has a
/// seam, where its first and its last row of control points coincide without being shared. Where a
/// knot is given more often than the degree, the surface has a gap (see [`KnotVector`]).
///
/// ```
/// use patch_ccd::geometry::{KnotVector, NurbsSurface};
/// use nalgebra::point;
/// // Half a cylinder: x² + y² = 1, y ≥ 0, as two arcs.
/// let around = KnotVector::new(2, &[0.0, 0.0, 0.0, 0.5, 0.5, 1.0, 1.0, 1.0])?;
/// let up = KnotVector::new(1, &[0.0, 0.0, 1.0, 1.0])?;
/// let w = 0.5_f64.sqrt();
/// let arc = [(1.0, 0.0, 1.0), (1.0, 1.0, w), (0.0, 1.0, 1.0), (-1.0, 1.0, w), (-1.0, 0.0, 1.0)];
/// let points = arc.map(|(x, y, _)| [point![x, y, 0.0], point![x, y, 1.0]]).concat();
/// let weights = arc.map(|(_, _, w)| [w, w]).concat();
/// let cylinder = NurbsSurface::new([around, up], &points, Some(&weights))?;
/// let p = cylinder.eval(0.7, 0.5);
/// assert!((p.x.hypot(p.y) - 1.0).abs() < 1e-15);
/// let patches = cylinder.split()?;
/// assert_eq!((patches.len(), patches[1].span.u), (2, [0.5, 1.0]));
/// # Ok::<(), patch_ccd::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct NurbsSurface {
    pub(crate) net: NurbsNet,
    knots: [KnotVector; 2],
    pub(crate) points: Vec<Point3<f64>>,
    /// `None` if all weights are equal.
    weights: Option<Weights>,
}

impl NurbsSurface {
    /// The surface of two knot vectors, along u and along v, and its control points, at index
    /// i·(count along v)+j with i along u and j along v. Weights are in the same order; without
    /// weights it is a B-spline surface.
    ///
    /// # Errors
    /// A wrong number of control points or weights; a coordinate that is not finite; a weight that
    /// is zero, negative, not finite, or smaller than the largest by more than
    /// [`MAX_WEIGHT_RATIO`](super::MAX_WEIGHT_RATIO).
    pub fn new(
        knots: [KnotVector; 2],
        points: &[Point3<f64>],
        weights: Option<&[f64]>,
    ) -> Result<Self, Error> {
        let net = NurbsNet::new(&knots);
        check_count("control points", &net, net.count(), points.len())?;
        check_finite("control point", points.iter().map(|p| &p.coords))?;
        if let Some(weights) = weights {
            check_count("weights", &net, net.count(), weights.len())?;
            check_positive(weights)?;
        }
        Ok(Self {
            net,
            knots,
            points: points.to_vec(),
            weights: weights.and_then(Weights::unless_equal),
        })
    }

    /// The surface from control points in homogeneous form, (w x, w y, w z, w).
    ///
    /// # Errors
    /// The same as [`NurbsSurface::new`]'s: a wrong number of control points; a coordinate that is
    /// not finite; a weight that is zero, negative, not finite, or too small compared with the
    /// largest.
    ///
    /// ```
    /// use patch_ccd::geometry::{KnotVector, NurbsSurface};
    /// use nalgebra::{point, vector};
    /// let linear = KnotVector::new(1, &[0.0, 0.0, 1.0, 1.0])?;
    /// let points = [
    ///     vector![0.0, 0.0, 0.0, 1.0], vector![0.0, 2.0, 0.0, 2.0],
    ///     vector![1.0, 0.0, 0.0, 1.0], vector![2.0, 2.0, 0.0, 2.0],
    /// ];
    /// let square = NurbsSurface::from_homogeneous([linear.clone(), linear], &points)?;
    /// assert_eq!(square.control_points()[1], point![0.0, 1.0, 0.0]);
    /// assert_eq!(square.weights(), Some(&[1.0, 2.0, 1.0, 2.0][..]));
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub fn from_homogeneous(
        knots: [KnotVector; 2],
        points: &[Vector4<f64>],
    ) -> Result<Self, Error> {
        let weights: Vec<_> = points.iter().map(|p| p.w).collect();
        let weighted: Vec<_> = points.iter().map(Vector4::xyz).collect();
        check_finite("homogeneous control point", &weighted)?;
        check_positive(&weights)?;
        let points = weighted.iter().zip(&weights).map(|(p, w)| (p / *w).into());
        Self::new(knots, &points.collect::<Vec<_>>(), Some(&weights))
    }

    /// The knot vectors, along u and along v.
    pub fn knots(&self) -> &[KnotVector; 2] {
        &self.knots
    }

    /// The Euclidean control points, in the order of [`NurbsSurface::new`].
    pub fn control_points(&self) -> &[Point3<f64>] {
        &self.points
    }

    /// The weights, in the same order. `None` if all are equal, which is the same as no weights.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_ref().map(|weights| &weights.given[..])
    }

    /// The point S(u, v). The domain is closed, and parameters outside count as the nearest ones
    /// inside. At a gap it is the point of the piece after it.
    pub fn eval(&self, u: f64, v: f64) -> Point3<f64> {
        let (indices, basis) = self.basis_at(u, v);
        let net: ControlNet = indices.map(|i| self.points[i]).collect();
        Point3::from(combine(&basis, &net))
    }

    /// The control points that act at (u, v), as indices, each with the value of its rational basis
    /// function there: S(u, v) is the sum of value · control point. The values are not negative and
    /// sum to one. Outside the domain they are those at the nearest parameters inside.
    ///
    /// The values also tell how a force on the surface is distributed to the control points, and
    /// how far a control point moves the surface.
    ///
    /// ```
    /// use patch_ccd::geometry::{KnotVector, NurbsSurface};
    /// use nalgebra::{Vector3, point};
    /// let along_u = KnotVector::new(1, &[0.0, 0.0, 2.0, 3.0, 3.0])?;
    /// let along_v = KnotVector::new(1, &[0.0, 0.0, 1.0, 1.0])?;
    /// let points = [0.0, 2.0, 3.0].map(|x| [point![x, 0.0, 0.0], point![x, 1.0, 0.0]]).concat();
    /// let surface = NurbsSurface::new([along_u, along_v], &points, None)?;
    /// let basis = surface.basis(2.5, 0.25);
    /// assert_eq!(basis, [(2, 0.375), (3, 0.125), (4, 0.375), (5, 0.125)]);
    /// // A force at a contact, on the control points.
    /// let mut forces = [Vector3::zeros(); 6];
    /// for (point, value) in basis {
    ///     forces[point] += value * Vector3::z();
    /// }
    /// assert_eq!(forces.iter().sum::<Vector3<f64>>(), Vector3::z());
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub fn basis(&self, u: f64, v: f64) -> Vec<(usize, f64)> {
        let (indices, basis) = self.basis_at(u, v);
        indices.zip(basis).collect()
    }

    fn basis_at(&self, u: f64, v: f64) -> (impl Iterator<Item = usize> + use<>, Basis) {
        let [[by_u, _], [by_v, _]] = [self.knots[0].basis(u), self.knots[1].basis(v)];
        let acting = self.net.acting(&by_u, &by_v);
        let mut basis = outer(&by_u.factors, &by_v.factors);
        if let Some(weights) = &self.weights {
            weigh_to_one(&mut basis, &weights.scaled(acting.clone()));
        }
        (acting, basis)
    }

    /// The first partial derivatives (∂S/∂u, ∂S/∂v) at (u, v). At a knot they are those of the
    /// piece after it; outside the domain they are those at the nearest parameters inside.
    pub fn partials(&self, u: f64, v: f64) -> (Vector3<f64>, Vector3<f64>) {
        let [by_u, by_v] = self.span_partials(u, v);
        let width = |knots: &KnotVector, x| {
            let [start, end] = knots.span_from(x);
            end - start
        };
        (
            by_u / width(&self.knots[0], u),
            by_v / width(&self.knots[1], v),
        )
    }

    /// The unit normal at (u, v), on the side of ∂S/∂u × ∂S/∂v.
    ///
    /// Where that product vanishes, at the pole of a sphere for instance, it is the limit of the
    /// normals around, if they have one; see [`Patch::normal`](super::Patch::normal). `None` where
    /// they have none, and for NaN. At a knot it is the normal of the piece after it; outside the
    /// domain it is that at the nearest parameters inside.
    pub fn normal(&self, u: f64, v: f64) -> Option<Vector3<f64>> {
        let [(rows, at_u), (columns, at_v)] =
            [self.knots[0].bezier_at(u), self.knots[1].bezier_at(v)];
        let (mut points, mut weights) = (ControlNet::new(), Basis::new());
        let mut magnitude = 0.0_f64;
        for (row, column) in rows
            .iter()
            .flat_map(|row| columns.iter().map(move |c| (row, c)))
        {
            let acting = self.net.acting(row, column);
            let mut factors = outer(&row.factors, &column.factors);
            if let Some(weights_of_net) = &self.weights {
                weights.push(weigh_to_one(
                    &mut factors,
                    &weights_of_net.scaled(acting.clone()),
                ));
            }
            let net: ControlNet = acting.map(|i| self.points[i]).collect();
            magnitude = net
                .iter()
                .fold(magnitude, |most, p| most.max(p.coords.amax()));
            points.push(combine(&factors, &net).into());
        }
        let [n, m] = self.net.degrees;
        let net = NormalNet {
            shape: Shape::TensorProduct { n, m },
            points: &points,
            weights: self.weights.as_ref().map(|_| &weights[..]),
            magnitude,
        };
        net.normal((at_u, at_v))
    }

    /// The map from this surface's control points to those of its Bézier patches.
    pub fn extraction(&self) -> NurbsExtraction {
        NurbsExtraction::new(self.net, &self.knots, self.weights.as_ref())
    }

    /// The Bézier patches of which the surface consists, of the same degrees: one for each pair of
    /// spans, v fastest.
    ///
    /// # Errors
    /// A control point that rounds to infinity, which can only occur near the end of the range of
    /// doubles.
    pub fn split(&self) -> Result<Vec<NurbsPatch>, Error> {
        let extraction = self.extraction();
        let net = extraction.points(&self.points)?;
        extraction.patches(&net).map(|patch| Ok(patch?.0)).collect()
    }

    /// The derivatives by the parameters of the spans that contain u and v, each from 0 to 1.
    fn span_partials(&self, u: f64, v: f64) -> [Vector3<f64>; 2] {
        let [along_u, along_v] = [self.knots[0].basis(u), self.knots[1].basis(v)];
        let [[u, by_u], [v, by_v]] = [&along_u, &along_v].map(|[value, slope]| [value, slope]);
        let acting = self.net.acting(u, v);
        let mut partials = [
            outer(&by_u.factors, &v.factors),
            outer(&u.factors, &by_v.factors),
        ];
        if let Some(weights) = &self.weights {
            let weights = weights.scaled(acting.clone());
            weigh_partials(&mut partials, outer(&u.factors, &v.factors), &weights);
        }
        let net: ControlNet = acting.map(|i| self.points[i]).collect();
        partials.map(|partial| combine(&partial, &net))
    }
}
