//! Which way does a patch face? Unit normals, also where ∂S/∂u × ∂S/∂v vanishes.
//!
//! The product N = ∂S/∂u × ∂S/∂v vanishes at a pole, along a collapsed side and in a corner with
//! parallel sides. What is computed for it there is rounding noise, but the normals around may have
//! a limit. Along a path (u, v) + s (a, b) into the domain N is a polynomial N₀ + N₁ s + N₂ s² + …,
//! and for s → 0 its direction is that of the first coefficient that does not vanish. If all paths
//! agree, that is the normal. A collapsed side is one point of the surface, so the paths from all
//! of its places must agree: they do at the pole of a sphere, and not at the tip of a cone.
//!
//! Control points are rounded numbers. Each coordinate is taken to have an error, relative to the
//! largest of the numbers that it was computed from, and not to the derivative that it becomes part
//! of. From this follows an error bound for each Nₖ ([`Taylor`], [`Series`]), and an Nₖ that is
//! shorter than its bound counts as zero. Near a singular place N₀ is longer than that, but its
//! direction is inaccurate; a limit is inaccurate, too, by about the distance from the singular
//! place. The better one is taken ([`Series::direction`]), if it is good enough.

use nalgebra::{Point3, Vector3};
use smallvec::SmallVec;

use super::patch::combine;
use super::series::{Direction, Series};
use super::taylor::{Place, Taylor};
use super::{Cell, Shape};
use crate::rounding::evaluation_error;

/// How many coefficients N₀, N₁, … are looked at. If all rows of a net of degree d but the last
/// coincide, the first one that does not vanish is N of 2 d − 1: eight are enough up to degree 4.
const ORDERS: usize = 8;

/// How many Taylor coefficients of S these depend on: all up to the order that comes next.
const TERMS: usize = (ORDERS + 1) * (ORDERS + 2) / 2;

/// Below this error, in radians, a normal needs no second look.
const CLEAR: f64 = 1e-8;

/// Where along a collapsed side the limits are compared, as parts of the side.
const SAMPLES: [f64; 4] = [0.125, 0.375, 0.625, 0.875];

/// What the normals of a patch are computed from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NormalNet<'a> {
    pub(crate) shape: Shape,
    pub(crate) points: &'a [Point3<f64>],
    pub(crate) weights: Option<&'a [f64]>,
    /// The largest absolute value of the coordinates that the points were computed from: of the
    /// points themselves, and of the displacements if they moved.
    pub(crate) magnitude: f64,
}

impl<'a> NormalNet<'a> {
    /// The net of a patch at rest.
    pub(crate) fn at_rest(
        shape: Shape,
        points: &'a [Point3<f64>],
        weights: Option<&'a [f64]>,
    ) -> Self {
        let sizes = points.iter().map(|p| p.coords.amax());
        Self {
            shape,
            points,
            weights,
            magnitude: sizes.fold(0.0, f64::max),
        }
    }

    /// The unit normal at (u, v), or its limit there. `None` if there is none, or if the control
    /// points are too inaccurate to tell.
    pub(crate) fn normal(&self, at: (f64, f64)) -> Option<Vector3<f64>> {
        if self.shape.domain().varies() != [true; 2] || !self.is_valid() {
            return None;
        }
        if let Some(normal) = self.clear_normal(at) {
            return Some(normal);
        }
        let place = Place::new(self, at)?;
        let here: Series<1> = normals(&place.taylor::<3>(1), [0.0; 2]);
        let known = here.direction();
        // A limit ignores N₀. That costs about the size of N₀ in proportion to what it could be.
        let part = here.values[0].amax() / (place.extent() * place.extent());
        match known {
            Some(direction) if direction.error <= part => known,
            _ => self.limit(&place).or(known),
        }
        .map(|direction| direction.unit)
    }

    /// Whether there are as many control points and weights as the shape has.
    fn is_valid(&self) -> bool {
        let count = self.shape.count();
        let weights = self.weights.map_or(count, <[f64]>::len);
        self.shape.check_degrees().is_ok() && self.points.len() == count && weights == count
    }

    /// The normal of a polynomial patch, where it is [`CLEAR`] from the first derivatives alone. It
    /// would be found without this function, but not as fast.
    fn clear_normal(&self, (u, v): (f64, f64)) -> Option<Vector3<f64>> {
        let domain = self.shape.domain();
        if self.weights.is_some() || !domain.covers(&Cell::UNIT, (u, v)) {
            return None;
        }
        // In the domain a derivative of degree n is n times a combination of differences, with
        // factors that sum to 1.
        let error = evaluation_error(self.shape.degrees()) * self.magnitude;
        let series = |basis: &[f64], degree: usize| Series::<1> {
            values: [combine(basis, self.points)],
            errors: [2.0 * degree as f64 * error],
        };
        let [by_u, by_v] = self.shape.basis_partials(u, v);
        let [n, m] = self.shape.degrees();
        let normal = series(&by_u, n).cross(&series(&by_v, m)).direction()?;
        (normal.error <= CLEAR).then_some(normal.unit)
    }

    /// The limit of the normals around a place, if it is the same along all paths. Where a line of
    /// places is one point of the surface, it must be the same for all of them.
    fn limit(&self, place: &Place) -> Option<Direction> {
        let taylor = place.taylor::<TERMS>(ORDERS);
        let limit = self.limit_at(place, &taylor)?;
        for [from, to] in self.shape.domain().chords(place.at()) {
            let along = [to.0 - from.0, to.1 - from.1];
            if !is_constant(&taylor, along) {
                continue;
            }
            for part in SAMPLES {
                let at = (from.0 + part * along[0], from.1 + part * along[1]);
                let other = Place::new(self, at)?;
                let other = self.limit_at(&other, &other.taylor(ORDERS))?;
                if !other.agrees(&limit) {
                    return None;
                }
            }
        }
        Some(limit)
    }

    /// The same along all paths from a place, of which there must be two at least.
    fn limit_at(&self, place: &Place, taylor: &Taylor<TERMS>) -> Option<Direction> {
        let limits = self.paths(place).map(|along| normals(taylor, along));
        common(limits, 2)
    }

    /// The direction of a curve at u, or its limit there.
    fn tangent(&self, u: f64) -> Option<Direction> {
        let place = self.is_valid().then(|| Place::new(self, (u, 0.0)))??;
        let here: Series<1> = place.taylor::<3>(1).scaled_partial([0.0; 2], [1, 0]);
        let known = here.direction();
        match known {
            Some(direction) if direction.error <= here.values[0].amax() / place.extent() => known,
            _ => {
                let taylor = place.taylor::<TERMS>(ORDERS);
                let paths = self.paths(&place);
                common(paths.map(|along| taylor.partial(along, [1, 0])), 1).or(known)
            }
        }
    }

    /// Paths (a, b) from a place to the border, s = 1.
    //
    // Beyond the border there may be anything. A coefficient of a path of that length only counts
    // if it does so within the domain.
    fn paths(&self, place: &Place) -> impl Iterator<Item = [f64; 2]> + use<> {
        let (u, v) = place.at();
        let ends = self.shape.domain().around().iter();
        ends.map(move |to| [to.0 - u, to.1 - v])
    }
}

/// The unit vector across two curves at some parameters u, on the side of (first) × (second).
/// `None` if they are parallel as far as their control points tell, or if one of them has no
/// direction.
pub(crate) fn normal_of_curves(
    [first, second]: [NormalNet<'_>; 2],
    [u1, u2]: [f64; 2],
) -> Option<Vector3<f64>> {
    let [one, two] = [first.tangent(u1)?, second.tangent(u2)?].map(|direction| Series::<1> {
        values: [direction.unit],
        errors: [direction.error],
    });
    Some(one.cross(&two).direction()?.unit)
}

/// ∂S/∂u × ∂S/∂v along a path, up to a positive factor.
fn normals<const T: usize, const N: usize>(taylor: &Taylor<T>, along: [f64; 2]) -> Series<N> {
    let [by_u, by_v] = [[1, 0], [0, 1]].map(|by| taylor.scaled_partial(along, by));
    by_u.cross(&by_v)
}

/// The direction that all series have for s → 0, if at least so many of them have one.
fn common(series: impl Iterator<Item = Series<ORDERS>>, least: usize) -> Option<Direction> {
    let limits = series.filter_map(|series| series.direction());
    let limits: SmallVec<[Direction; 9]> = limits.collect();
    let best = limits.iter().min_by(|a, b| a.error.total_cmp(&b.error))?;
    let unique = limits.len() >= least && limits.iter().all(|limit| limit.agrees(best));
    unique.then_some(*best)
}

/// Whether S is one point along a line, up to rounding.
fn is_constant(taylor: &Taylor<TERMS>, along: [f64; 2]) -> bool {
    let partials = [[1, 0], [0, 1]].map(|by| taylor.partial::<ORDERS>(along, by));
    (0..ORDERS).all(|k| {
        let (mut slope, mut error) = (Vector3::zeros(), 0.0);
        for (by, part) in partials.iter().zip(along) {
            slope += by.values[k] * part;
            error += by.errors[k] * part.abs();
        }
        slope.amax() <= error
    })
}
