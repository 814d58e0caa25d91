//! The Taylor expansion of a patch at a place, with a bound on the error of each coefficient.
//!
//! Each coefficient is a sum of control points with some factors. If the coordinates have errors up
//! to η, the sum has an error up to η times the sum of the absolute values of the factors. That sum
//! is computed beside it, as one more coordinate ([`Homogeneous`]).

use std::borrow::Cow;

use nalgebra::Vector3;
use smallvec::SmallVec;

use super::bernstein::{Basis, triangular_index};
use super::patch::scaled;
use super::series::Series;
use super::{NormalNet, Shape};
use crate::rounding::{UNIT_ROUNDOFF, evaluation_error, reciprocal_power_of_two};

/// Roundings that a coordinate of a control point is taken to have, of the largest number that it
/// was computed from: two of a motion, p + t v, and two of whoever placed the patch.
///
/// More of them do no harm as long as they do not look like a derivative: a direction is known only
/// if its error bound is a thousandth of it.
const COORDINATE_ROUNDINGS: f64 = 4.0;

/// A sum of control points in homogeneous coordinates (w x, w y, w z, w) with some factors, and the
/// sum of all |w| times the absolute values of these factors.
pub(super) type Homogeneous = [f64; 5];

/// Adds a factor times the other sum.
fn add(sum: &mut Homogeneous, factor: f64, other: &Homogeneous) {
    let factors = [factor, factor, factor, factor, factor.abs()];
    for k in 0..5 {
        sum[k] += factors[k] * other[k];
    }
}

/// A net of control points, or of differences of them.
#[derive(Clone, Debug)]
struct HomogeneousNet {
    shape: Shape,
    points: SmallVec<[Homogeneous; 16]>,
}

impl HomogeneousNet {
    fn eval(&self, (u, v): (f64, f64)) -> Homogeneous {
        let basis = self.shape.basis(u, v);
        let mut sum = [0.0; 5];
        for (value, point) in basis.iter().zip(&self.points) {
            add(&mut sum, *value, point);
        }
        sum
    }

    /// The differences along u or along v. `None` for a net without extent in that direction.
    ///
    /// Times the degree in that direction it is the net of the derivative.
    fn differences(&self, along_u: bool) -> Option<Self> {
        let difference = |from: usize, to: usize| {
            let mut difference = self.points[to];
            add(&mut difference, -1.0, &self.points[from]);
            difference
        };
        let mut points = SmallVec::new();
        let shape = match self.shape {
            Shape::TensorProduct { n, m } => {
                let (step, [rows, columns]) = if along_u {
                    (m + 1, [n.checked_sub(1)?, m])
                } else {
                    (1, [n, m.checked_sub(1)?])
                };
                for row in (0..=rows).map(|i| i * (m + 1)) {
                    points.extend((row..=row + columns).map(|k| difference(k, k + step)));
                }
                Shape::TensorProduct {
                    n: rows,
                    m: columns,
                }
            }
            Shape::Triangular { n } => {
                let lower = n.checked_sub(1)?;
                let (di, dj) = if along_u { (1, 0) } else { (0, 1) };
                for j in 0..=lower {
                    points.extend((0..=lower - j).map(|i| {
                        let to = triangular_index(n, i + di, j + dj);
                        difference(triangular_index(n, i, j), to)
                    }));
                }
                Shape::Triangular { n: lower }
            }
        };
        Some(Self { shape, points })
    }

    fn degree(&self, along_u: bool) -> f64 {
        let [n, m] = self.shape.degrees();
        (if along_u { n } else { m }) as f64
    }
}

/// A place on a patch, and the control points brought to one scale. Coordinates are relative to the
/// control point that counts most at the place, so that those which coincide with it are exactly 0.
/// Weights are such that their combination at the place is 1.
#[derive(Clone, Debug)]
pub(super) struct Place {
    at: (f64, f64),
    net: HomogeneousNet,
    rational: bool,
    /// η, the error of a coordinate.
    error: f64,
    extent: f64,
}

impl Place {
    /// A place on a patch with as many control points and weights as its shape has. `None` if all
    /// of its control points coincide.
    pub(super) fn new(net: &NormalNet<'_>, at: (f64, f64)) -> Option<Self> {
        let &NormalNet { shape, points, .. } = net;
        let basis = shape.basis(at.0, at.1);
        let mut weights = match net.weights {
            Some(weights) => scaled(weights).1,
            None => Basis::from_elem(1.0, points.len()),
        };
        let parts: Basis = weights.iter().zip(&basis).map(|(w, b)| w * b).collect();
        let sizes = parts.iter().map(|part| part.abs()).enumerate();
        let (most, _) = sizes.max_by(|a, b| a.1.total_cmp(&b.1))?;
        if net.weights.is_some() {
            let sum: f64 = parts.iter().sum();
            weights.iter_mut().for_each(|weight| *weight /= sum);
        }
        let scale = reciprocal_power_of_two(net.magnitude);
        let origin = points[most] * scale;
        let mut extent = 0.0_f64;
        let points = points.iter().zip(&weights).map(|(point, &weight)| {
            let relative = point * scale - origin;
            extent = extent.max(relative.amax());
            let [x, y, z] = relative.into();
            [x * weight, y * weight, z * weight, weight, weight.abs()]
        });
        let points = points.collect();
        let rounding = COORDINATE_ROUNDINGS * UNIT_ROUNDOFF * net.magnitude * scale;
        (extent > 0.0).then(|| Self {
            at,
            net: HomogeneousNet { shape, points },
            rational: net.weights.is_some(),
            error: rounding + evaluation_error(shape.degrees()) * extent,
            extent,
        })
    }

    /// The parameters of the place.
    pub(super) fn at(&self) -> (f64, f64) {
        self.at
    }

    /// The largest coordinate.
    pub(super) fn extent(&self) -> f64 {
        self.extent
    }

    /// All Taylor coefficients up to an order, which are (order + 1) (order + 2) / 2.
    pub(super) fn taylor<const T: usize>(&self, order: usize) -> Taylor<T> {
        debug_assert_eq!(T, index(0, order) + 1);
        let mut terms = [[0.0; 5]; T];
        // Of r differences along u and q along v, times n (n − 1) … / r! and likewise for q. The
        // degree of a triangle falls with both.
        let (mut row, mut row_factor) = (Cow::Borrowed(&self.net), 1.0);
        for r in 0..=order {
            if r > 0 {
                let Some(next) = row.differences(true) else {
                    break;
                };
                row_factor *= row.degree(true) / r as f64;
                row = Cow::Owned(next);
            }
            let (mut net, mut factor) = (Cow::Borrowed(&*row), row_factor);
            for q in 0..=order - r {
                if q > 0 {
                    let Some(next) = net.differences(false) else {
                        break;
                    };
                    factor *= net.degree(false) / q as f64;
                    net = Cow::Owned(next);
                }
                add(&mut terms[index(r, q)], factor, &net.eval(self.at));
            }
        }
        Taylor {
            terms,
            rational: self.rational,
            error: self.error,
        }
    }
}

/// Where the coefficient of du^r dv^q stands: they are sorted by r + q, then by q.
fn index(r: usize, q: usize) -> usize {
    let order = r + q;
    order * (order + 1) / 2 + q
}

/// The first `T` Taylor coefficients of a patch at a place.
#[derive(Clone, Debug)]
pub(super) struct Taylor<const T: usize> {
    terms: [Homogeneous; T],
    rational: bool,
    /// The error of a coordinate.
    error: f64,
}

impl<const T: usize> Taylor<T> {
    /// The derivative by u ([1, 0]) or by v ([0, 1]) along a path (u, v) + s (a, b), up to a
    /// positive factor that is the same for both.
    pub(super) fn partial<const N: usize>(&self, along: [f64; 2], by: [usize; 2]) -> Series<N> {
        // For S = P / W the derivative times W² is P' W − P W'.
        let [value, partial]: [[Homogeneous; N]; 2] = [[0, 0], by].map(|by| self.along(along, by));
        let vector = |[x, y, z, _, _]: Homogeneous| Vector3::new(x, y, z);
        let mut series = Series::default();
        for k in 0..N {
            if !self.rational {
                series.values[k] = vector(partial[k]);
                series.errors[k] = self.error * partial[k][4];
                continue;
            }
            for (i, j) in (0..=k).map(|i| (i, k - i)) {
                series.values[k] += vector(partial[i]) * value[j][3];
                series.values[k] -= vector(value[i]) * partial[j][3];
                let size = partial[i][4] * value[j][4] + value[i][4] * partial[j][4];
                series.errors[k] += self.error * size;
            }
        }
        series
    }

    /// The same, scaled so that its first error is that of a coordinate. At the place itself it is
    /// then no longer than the place's extent.
    //
    // Weights may differ by so much that products of derivatives would overflow.
    pub(super) fn scaled_partial<const N: usize>(
        &self,
        along: [f64; 2],
        by: [usize; 2],
    ) -> Series<N> {
        let mut series = self.partial(along, by);
        let factor = self.error / series.errors[0];
        series.values.iter_mut().for_each(|value| *value *= factor);
        series.errors.iter_mut().for_each(|error| *error *= factor);
        series
    }

    /// The first N coefficients along a path of (P, W) or of its derivatives.
    fn along<const N: usize>(&self, [a, b]: [f64; 2], [i, j]: [usize; 2]) -> [Homogeneous; N] {
        std::array::from_fn(|k| {
            let mut sum = [0.0; 5];
            for (r, q) in (0..=k).map(|q| (k - q, q)) {
                let times = (r + 1).pow(i as u32) * (q + 1).pow(j as u32);
                let factor = times as f64 * a.powi(r as i32) * b.powi(q as i32);
                add(&mut sum, factor, &self.terms[index(r + i, q + j)]);
            }
            sum
        })
    }
}
