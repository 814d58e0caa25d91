//! Bézier extraction: from the control points of a NURBS to those of its Bézier patches.

use nalgebra::{Point3, Vector3};
use smallvec::SmallVec;

use super::bernstein::{Basis, bernstein};
use super::knots::{BasisRow, KnotVector};
use super::nurbs_net::{NurbsNet, Weights};
use super::patch::{ControlNet, check_count, check_finite, weigh_to_one};
use super::shape::outer;
use super::{AnyPatch, PatchGrid, PointWeights};
use crate::Error;

/// The part [u₀, u₁] × [v₀, v₁] of a NURBS's domain that one Bézier patch covers. For a curve, v is
/// in [0, 1].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NurbsSpan {
    /// The parameters of the NURBS at which u is 0 and 1 on the patch.
    pub u: [f64; 2],
    /// The parameters of the NURBS at which v is 0 and 1 on the patch.
    pub v: [f64; 2],
}

impl NurbsSpan {
    /// The (u, v) of the NURBS for a (u, v) of the patch, such as that of a contact.
    ///
    /// ```
    /// let span = patch_ccd::geometry::NurbsSpan { u: [2.0, 4.0], v: [-1.0, 0.0] };
    /// assert_eq!(span.map(0.25, 1.0), (2.5, 0.0));
    /// ```
    pub fn map(&self, u: f64, v: f64) -> (f64, f64) {
        // This form is exact at both ends and does not overflow.
        let between = |[a, b]: [f64; 2], x: f64| a * (1.0 - x) + b * x;
        (between(self.u, u), between(self.v, v))
    }
}

/// One Bézier patch of a NURBS, at rest ([`AnyPatch`]) or moving, and the part of the NURBS that it
/// covers.
#[derive(Clone, Debug, PartialEq)]
pub struct NurbsPatch<P = AnyPatch> {
    /// The patch.
    pub patch: P,
    /// The part that it covers: patch(u, v) = NURBS(span.map(u, v)).
    pub span: NurbsSpan,
}

/// The linear map from the control points of a NURBS to those of the Bézier patches of which it
/// consists. It is computed once from knots and weights, which do not change in time, and is
/// applied in every step to positions and to velocities.
///
/// The Bézier control points form one net, a [`PatchGrid`]. Neighbouring patches share the control
/// points between them, identical to the last bit; at a [gap](PatchGrid::gaps) they share none.
/// Each control point is a convex combination of the NURBS's.
///
/// ```
/// use patch_ccd::geometry::{KnotVector, NurbsCurve};
/// use patch_ccd::mesh::{MovingMesh, PatchMesh};
/// use nalgebra::{point, vector};
/// let knots = KnotVector::new(2, &[0.0, 0.0, 0.0, 1.0, 2.0, 2.0, 2.0])?;
/// let points = [
///     point![0.0, 0.0, 0.0], point![1.0, 0.0, 0.0],
///     point![3.0, 0.0, 2.0], point![4.0, 0.0, 2.0],
/// ];
/// let extraction = NurbsCurve::new(knots, &points, None)?.extraction();
/// // Once: a mesh over the net.
/// let mesh = PatchMesh::from_nurbs(&extraction)?;
/// // In every step: where the net is, and how it moves.
/// let net = extraction.points(&points)?;
/// assert_eq!(net, [points[0], points[1], point![2.0, 0.0, 1.0], points[2], points[3]]);
/// let velocities = extraction.velocities(&[vector![0.0, 1.0, 0.0]; 4])?;
/// assert_eq!(velocities, [vector![0.0, 1.0, 0.0]; 5]);
/// let moving = MovingMesh::with_velocities(&mesh, &net, &velocities)?;
/// # Ok::<(), patch_ccd::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct NurbsExtraction {
    nurbs: NurbsNet,
    grid: PatchGrid,
    weights: Option<Vec<f64>>,
    spans: Vec<NurbsSpan>,
    /// The factors of the net's control points along u and along v.
    rows: Vec<BasisRow>,
    columns: Vec<BasisRow>,
    /// The weights of the NURBS.
    given: Option<Weights>,
}

/// Indices of control points of the NURBS, and their factors in one control point of the net.
type Terms = (SmallVec<[usize; 16]>, Basis);

impl NurbsExtraction {
    pub(crate) fn new(nurbs: NurbsNet, knots: &[KnotVector; 2], weights: Option<&Weights>) -> Self {
        let [along_u, along_v] = knots;
        let patches = [along_u.spans().len(), along_v.spans().len()];
        let spans = along_u
            .spans()
            .flat_map(|u| along_v.spans().map(move |v| NurbsSpan { u, v }));
        let mut extraction = Self {
            nurbs,
            grid: PatchGrid::new(
                nurbs.degrees,
                patches,
                knots.each_ref().map(KnotVector::gaps),
            ),
            weights: None,
            spans: spans.collect(),
            rows: along_u.bezier_rows(),
            columns: along_v.bezier_rows(),
            given: weights.cloned(),
        };
        extraction.weights = weights.map(|weights| {
            let sums = extraction.pairs().map(|(row, column)| {
                let (indices, mut factors) = extraction.acting(row, column);
                let acting = weights.scaled(indices.into_iter());
                let sum = weigh_to_one(&mut factors, &acting);
                // The exact sum is between the least and the largest of the combined weights; keep
                // it there.
                let least = acting.iter().copied().fold(f64::INFINITY, f64::min);
                let largest = acting.iter().copied().fold(0.0, f64::max);
                sum.clamp(least, largest) / weights.scale
            });
            sums.collect()
        });
        extraction
    }

    /// The factors along u and along v of all control points of the net, in order.
    fn pairs(&self) -> impl Iterator<Item = (&BasisRow, &BasisRow)> {
        let rows = self.rows.iter();
        rows.flat_map(|row| self.columns.iter().map(move |column| (row, column)))
    }

    /// The control points of which one of the net is a combination, and their factors before
    /// weighting.
    fn acting(&self, row: &BasisRow, column: &BasisRow) -> Terms {
        let indices = self.nurbs.acting(row, column);
        let terms = indices.zip(outer(&row.factors, &column.factors));
        terms.filter(|&(_, factor)| factor != 0.0).unzip()
    }

    /// The control points of which one of the net is a combination, and their factors, which sum
    /// to 1.
    ///
    /// They are computed anew each time: kept for the whole net they would take hundreds of times
    /// its memory.
    fn terms(&self, row: &BasisRow, column: &BasisRow) -> Terms {
        let (indices, mut factors) = self.acting(row, column);
        if let Some(weights) = &self.given {
            weigh_to_one(&mut factors, &weights.scaled(indices.iter().copied()));
        }
        (indices, factors)
    }

    /// The Bézier patches: their shape, their numbers, and their control points as indices into the
    /// net.
    pub fn grid(&self) -> &PatchGrid {
        &self.grid
    }

    /// The weights of the net's control points, which are constant in time. `None` if the patches
    /// are polynomial, which is so if all weights of the NURBS are equal.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// The part of the NURBS that each patch covers, in the order of the grid's patches.
    pub fn spans(&self) -> &[NurbsSpan] {
        &self.spans
    }

    /// The net's control points for these control points of the NURBS. Both are Euclidean, that is,
    /// not multiplied by their weights.
    ///
    /// # Errors
    /// A wrong number of control points, a coordinate that is not finite.
    pub fn points(&self, control_points: &[Point3<f64>]) -> Result<Vec<Point3<f64>>, Error> {
        self.check_count("control points", control_points.len())?;
        check_finite("control point", control_points.iter().map(|p| &p.coords))?;
        let net = self.apply(|i| control_points[i].coords)?;
        Ok(net.into_iter().map(Point3::from).collect())
    }

    /// The velocities of the net's control points for these velocities of the NURBS's control
    /// points, both Euclidean and per unit of time; the horizon is
    /// [`t_max`](crate::Options::t_max). When the NURBS's control points are at p + t v, the net's
    /// are at `points(p)` + t `velocities(v)`.
    ///
    /// # Errors
    /// A wrong number of velocities, a coordinate that is not finite.
    pub fn velocities(&self, velocities: &[Vector3<f64>]) -> Result<Vec<Vector3<f64>>, Error> {
        self.check_count("velocities", velocities.len())?;
        check_finite("velocity", velocities)?;
        self.apply(|i| velocities[i])
    }

    /// The control points of the NURBS that carry a place on one of its Bézier patches, and their
    /// weights there, which are not negative and sum to 1. The patch is that of a mesh's element
    /// and (u, v) are those on the patch, both as in a contact.
    ///
    /// They are those of [`NurbsSurface::basis`](super::NurbsSurface::basis) at the parameters that
    /// [`NurbsSpan::map`] gives. `Mesh::weights_at` tells how a force acts on the patches' own
    /// control points.
    ///
    /// # Errors
    /// A number that no patch has; a parameter that is NaN, or outside the patch by more than
    /// rounding (1e-12).
    ///
    /// ```
    /// use patch_ccd::geometry::{KnotVector, NurbsSurface};
    /// use nalgebra::{Vector3, point};
    /// let along_u = KnotVector::new(1, &[0.0, 0.0, 2.0, 3.0, 3.0])?;
    /// let along_v = KnotVector::new(1, &[0.0, 0.0, 1.0, 1.0])?;
    /// let points = [0.0, 2.0, 3.0].map(|x| [point![x, 0.0, 0.0], point![x, 1.0, 0.0]]).concat();
    /// let surface = NurbsSurface::new([along_u, along_v], &points, None)?.extraction();
    /// // A force at (u, v) = (0.5, 0.25) on the second patch.
    /// let mut forces = [Vector3::zeros(); 6];
    /// for (point, weight) in surface.weights_at(1, (0.5, 0.25))? {
    ///     forces[point] += weight * Vector3::z();
    /// }
    /// assert_eq!(forces.map(|force| force.z), [0.0, 0.0, 0.375, 0.125, 0.375, 0.125]);
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub fn weights_at(&self, patch: usize, parameters: (f64, f64)) -> Result<PointWeights, Error> {
        let unknown = Error::UnknownElement {
            element: "patch",
            index: patch,
        };
        let [k, l] = self.grid.position(patch).ok_or(unknown)?;
        let (u, v) = self.grid.shape().checked_parameters(parameters)?;
        let [n, m] = self.nurbs.degrees;
        let [i, j] = [self.grid.first(0, k), self.grid.first(1, l)];
        let row = combined(&self.rows[i..=i + n], &bernstein(n, u));
        let column = combined(&self.columns[j..=j + m], &bernstein(m, v));
        let acting = self.nurbs.acting(&row, &column);
        let mut factors = outer(&row.factors, &column.factors);
        if let Some(weights) = &self.given {
            weigh_to_one(&mut factors, &weights.scaled(acting.clone()));
        }
        Ok(acting.zip(factors).collect())
    }

    /// The patches with the control points of a net, in the order of the grid, each with its
    /// indices into the net.
    pub(crate) fn patches<'a>(
        &'a self,
        net: &'a [Point3<f64>],
    ) -> impl Iterator<Item = Result<(NurbsPatch, Vec<u32>), Error>> + 'a {
        self.grid
            .all_indices()
            .zip(&self.spans)
            .map(|(indices, &span)| {
                let acting = || indices.iter().map(|&i| i as usize);
                let points: ControlNet = acting().map(|i| net[i]).collect();
                let shape = self.grid.shape();
                let patch = match &self.weights {
                    None => AnyPatch::from_shape(shape, &points)?,
                    Some(weights) => {
                        let weights: Basis = acting().map(|i| weights[i]).collect();
                        AnyPatch::rational_from_shape(shape, &points, &weights)?
                    }
                };
                Ok((NurbsPatch { patch, span }, indices))
            })
    }

    fn check_count(&self, argument: &'static str, found: usize) -> Result<(), Error> {
        check_count(argument, &self.nurbs, self.nurbs.count(), found)
    }

    fn apply(&self, at: impl Fn(usize) -> Vector3<f64>) -> Result<Vec<Vector3<f64>>, Error> {
        let combined = self.pairs().map(|(row, column)| {
            let (indices, factors) = self.terms(row, column);
            let terms = indices.into_iter().zip(factors);
            terms.fold(Vector3::zeros(), |sum, (i, factor)| sum + at(i) * factor)
        });
        let net: Vec<_> = combined.collect();
        // For coordinates near the end of the range of doubles, rounding may leave it.
        check_finite("control point of the Bézier net", &net)?;
        Ok(net)
    }
}

/// The sum of the rows of one span with these factors.
fn combined(rows: &[BasisRow], factors: &[f64]) -> BasisRow {
    // The first row may be that of the end of the span before. It does not depend on the control
    // points that act there and not here.
    let first = rows.iter().map(|row| row.first).max().unwrap_or(0);
    let mut sum = BasisRow {
        first,
        factors: Basis::from_elem(0.0, rows.len()),
    };
    for (row, factor) in rows.iter().zip(factors) {
        let own = row.factors.iter().skip(first - row.first);
        for (sum, own) in sum.factors.iter_mut().zip(own) {
            *sum += factor * own;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::super::NurbsSurface;
    use super::*;

    /// Two surfaces with a common side, of the same knots and weights, give it the same control
    /// points to the last bit, however they differ elsewhere.
    #[test]
    fn common_sides_stay_common() {
        let along =
            KnotVector::new(3, &[0.0, 0.1, 0.3, 0.7, 1.1, 1.3, 1.3, 1.9, 2.0, 2.0]).unwrap();
        let across = [
            KnotVector::new(2, &[0.0, 0.0, 0.0, 0.3, 1.0, 1.0, 1.0]).unwrap(),
            KnotVector::new(1, &[5.0, 5.0, 7.0, 7.0]).unwrap(),
        ];
        let nets = across.map(|across| {
            let (width, count) = (across.count(), across.count() * along.count());
            let value = |i: usize| {
                let common = if i.is_multiple_of(width) { 0 } else { width };
                ((i / width + 10 * common) as f64).sin()
            };
            let points: Vec<_> = (0..count).map(|i| Point3::from([value(i); 3])).collect();
            let weights: Vec<_> = (0..count).map(|i| (3.0 * value(i)).exp()).collect();
            let surface =
                NurbsSurface::new([along.clone(), across], &points, Some(&weights)).unwrap();
            let extraction = surface.extraction();
            let side = |i: &usize| i.is_multiple_of(extraction.grid().net()[1]);
            let net = extraction.points(&points).unwrap();
            let sides = (0..net.len()).filter(side);
            let weights = extraction.weights().unwrap();
            sides.map(|i| (net[i], weights[i])).collect::<Vec<_>>()
        });
        assert_eq!(nets[0].len(), 7);
        assert_eq!(nets[0], nets[1]);
    }
}
