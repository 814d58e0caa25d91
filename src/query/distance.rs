//! How far apart are two patches, and where are they closest?

use nalgebra::{Point3, Vector3};

use super::Workspace;
use super::linear::WORKSPACE;
use crate::Error;
use crate::branch::distance::{Closest, DistanceRange, Nearest};
use crate::counters::Counters;
use crate::geometry::{NormalNet, Patch, Shape, check_finite, combine, weighted_basis};
use crate::motion::MotionView;
use crate::options::DistanceOptions;
use crate::rounding::gaps_length_rounded_down;
use crate::vector::BoundingBox;

/// The closest points that were found on two patches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestPoints {
    /// The shapes of the two patches.
    pub shapes: [Shape; 2],
    /// The parameters (u, v) on each patch; 0 for a parameter that the patch does not have.
    pub parameters: [(f64, f64); 2],
    /// The two surface points.
    pub points: [Point3<f64>; 2],
    /// Their distance, accurate to rounding: an upper bound on the distance of the patches. It is
    /// computed relative to the middle of the two patches, so far from the origin it is more
    /// accurate than `points`.
    pub distance: f64,
    /// The unit vector from the first point to the second; `None` if they coincide, up to rounding.
    pub direction: Option<Vector3<f64>>,
    /// The unit normals at these points, each on the side of ∂S/∂u × ∂S/∂v of its patch. Where that
    /// product vanishes, at a pole for instance, it is the limit of the normals around, if they
    /// have one. `None` where they have none, as at the tip of a cone; where the coordinates are
    /// too inaccurate to tell; and for curves and vertices. See [`Patch::normal`].
    pub normals: [Option<Vector3<f64>>; 2],
}

impl ClosestPoints {
    /// The barycentric coordinates (1 − u − v, u, v) of the point on patch `side` (0 or 1), if that
    /// is a triangle. `None` for an edge, whose barycentric coordinates are (1 − u, u), and for a
    /// vertex.
    pub fn barycentric(&self, side: usize) -> Option<[f64; 3]> {
        self.shapes
            .get(side)?
            .barycentric(*self.parameters.get(side)?)
    }

    fn swapped(self) -> Self {
        let Self {
            shapes: [one, two],
            parameters: [p, q],
            points: [a, b],
            distance,
            direction,
            normals: [m, n],
        } = self;
        Self {
            shapes: [two, one],
            parameters: [q, p],
            points: [b, a],
            distance,
            direction: direction.map(|direction| -direction),
            normals: [n, m],
        }
    }
}

/// The distance of two patches, bounded from both sides.
///
/// Each `lower` is proven, in floating point too: no point of one patch is closer than that to a
/// point of the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Distance {
    /// The closest points were found: their distance exceeds `lower` by no more than the tolerance
    /// or, where that is less, by some roundings of the coordinates.
    ///
    /// It may exceed [`max_distance`](DistanceOptions::max_distance) by up to the tolerance.
    Found {
        /// Proven lower bound on the distance: 0 for patches that touch.
        lower: f64,
        /// Where the patches are closest.
        closest: ClosestPoints,
        /// What the search did.
        counters: Counters,
    },
    /// Proven: the distance is at least [`max_distance`](DistanceOptions::max_distance). No closest
    /// points are reported.
    Beyond {
        /// Proven lower bound on the distance. It is at least `max_distance`, and may be far below
        /// the distance.
        lower: f64,
        /// What the search did.
        counters: Counters,
    },
    /// The search ended before the bounds were within the tolerance; both hold all the same. Either
    /// the budget of boxes ran out, or the parameters have no more accuracy: weights or control
    /// points may be so uneven that neighbouring doubles of (u, v) are farther apart on the patch
    /// than the tolerance.
    BudgetExhausted {
        /// Proven lower bound on the distance.
        lower: f64,
        /// The closest points found so far.
        closest: ClosestPoints,
        /// What the search did.
        counters: Counters,
    },
}

impl Distance {
    /// The proven lower bound on the distance of the patches.
    pub fn lower(&self) -> f64 {
        match *self {
            Self::Found { lower, .. }
            | Self::Beyond { lower, .. }
            | Self::BudgetExhausted { lower, .. } => lower,
        }
    }

    /// The distance of the closest points; `None` for [`Distance::Beyond`].
    pub fn upper(&self) -> Option<f64> {
        self.closest().map(|closest| closest.distance)
    }

    /// The closest points; `None` for [`Distance::Beyond`].
    pub fn closest(&self) -> Option<&ClosestPoints> {
        match self {
            Self::Found { closest, .. } | Self::BudgetExhausted { closest, .. } => Some(closest),
            Self::Beyond { .. } => None,
        }
    }

    /// What the search did.
    pub fn counters(&self) -> &Counters {
        match self {
            Self::Found { counters, .. }
            | Self::Beyond { counters, .. }
            | Self::BudgetExhausted { counters, .. } => counters,
        }
    }

    /// The answer for the two patches in the other order.
    #[must_use]
    pub fn swapped(mut self) -> Self {
        if let Self::Found { closest, .. } | Self::BudgetExhausted { closest, .. } = &mut self {
            *closest = closest.swapped();
        }
        self
    }
}

/// The distance of two patches at rest, and where they are closest.
///
/// See [`Distance`] for what each answer guarantees. Any two kinds and degrees of patches can be
/// compared. For a patch that [moves](crate::Moving), pass its [`start`](crate::Moving::start) to
/// ask for the distance at t = 0.
///
/// The closest points come from a local solve, to the accuracy of doubles, and the search makes
/// sure that no other points are closer by more than the tolerance. Where the closest points are
/// unique they change as smoothly as the patches do. The search takes many boxes if two patches fit
/// into each other over an area, or if a point is equally far from a whole area. Use a loose
/// tolerance or a small budget for such scenes.
///
/// # Errors
/// An option is out of range, or a patch is not valid; the error then has its number, 1 or 2.
///
/// ```
/// use patch_ccd::geometry::TensorProductPatch;
/// use patch_ccd::{Distance, DistanceOptions, closest_points};
/// use nalgebra::point;
/// // A quadratic arch whose crest is at height 1/2, under a flat sheet at height 1.
/// let arch = TensorProductPatch::new(2, 1, &[
///     point![-1.0, -1.0, 0.0], point![-1.0, 1.0, 0.0],
///     point![0.0, -1.0, 1.0], point![0.0, 1.0, 1.0],
///     point![1.0, -1.0, 0.0], point![1.0, 1.0, 0.0],
/// ])?;
/// let sheet = TensorProductPatch::new(1, 1, &[
///     point![-1.0, -1.0, 1.0], point![-1.0, 1.0, 1.0],
///     point![1.0, -1.0, 1.0], point![1.0, 1.0, 1.0],
/// ])?;
/// match closest_points(&arch, &sheet, &DistanceOptions::default())? {
///     Distance::Found { lower, closest, .. } => {
///         assert!(lower <= 0.5 && lower > 0.5 - 1e-5);
///         assert!((closest.distance - 0.5).abs() < 1e-12 && closest.points[0].x.abs() < 1e-6);
///     }
///     other => panic!("{other:?}"),
/// }
/// # Ok::<(), patch_ccd::Error>(())
/// ```
pub fn closest_points<A: Patch, B: Patch>(
    a: &A,
    b: &B,
    options: &DistanceOptions,
) -> Result<Distance, Error> {
    Workspace::new().closest_points(a, b, options)
}

/// The distance of a point from a patch, and the closest point on the patch.
///
/// The point is the first of the two "patches" of the answer, and has no parameters.
///
/// The call uses a workspace that each thread keeps between calls.
///
/// # Errors
/// The same as [`closest_points`]'s: an option is out of range, or the point or the patch is not
/// valid.
///
/// ```
/// use patch_ccd::geometry::TriangularPatch;
/// use patch_ccd::{DistanceOptions, closest_point_on};
/// use nalgebra::{point, vector};
/// let corners = [point![0.0, 0.0, 0.0], point![1.0, 0.0, 0.0], point![0.0, 1.0, 0.0]];
/// let triangle = TriangularPatch::new(1, &corners)?;
/// let near = DistanceOptions { max_distance: 0.5, ..DistanceOptions::default() };
///
/// let distance = closest_point_on(point![0.25, 0.5, 0.125], &triangle, &near)?;
/// let closest = distance.closest().unwrap();
/// assert_eq!(closest.parameters[1], (0.25, 0.5));
/// assert_eq!(closest.direction, Some(vector![0.0, 0.0, -1.0]));
///
/// let distance = closest_point_on(point![0.25, 0.5, 4.0], &triangle, &near)?;
/// assert!(distance.closest().is_none() && distance.lower() >= 0.5);
/// # Ok::<(), patch_ccd::Error>(())
/// ```
pub fn closest_point_on<P: Patch>(
    point: Point3<f64>,
    patch: &P,
    options: &DistanceOptions,
) -> Result<Distance, Error> {
    // Check the input before borrowing the thread's workspace: a user's [`Patch`] may itself call a
    // query.
    let views = point_and_patch(&point, patch, options)?;
    Ok(WORKSPACE.with_borrow_mut(|workspace| workspace.distance(&views, options, f64::INFINITY)))
}

impl Workspace {
    /// [`closest_points`] with this workspace, so that repeated calls need not allocate.
    ///
    /// # Errors
    /// The same as the function's: an option is out of range, or an input is not valid.
    pub fn closest_points<A: Patch, B: Patch>(
        &mut self,
        a: &A,
        b: &B,
        options: &DistanceOptions,
    ) -> Result<Distance, Error> {
        options.check()?;
        let views = [resting(a, 1)?, resting(b, 2)?];
        Ok(self.distance(&views, options, f64::INFINITY))
    }

    /// [`closest_point_on`] with this workspace, so that repeated calls need not allocate.
    ///
    /// # Errors
    /// The same as the function's: an option is out of range, or an input is not valid.
    pub fn closest_point_on<P: Patch>(
        &mut self,
        point: Point3<f64>,
        patch: &P,
        options: &DistanceOptions,
    ) -> Result<Distance, Error> {
        let views = point_and_patch(&point, patch, options)?;
        Ok(self.distance(&views, options, f64::INFINITY))
    }

    /// The distance at the start of two motions that have been checked. The answer is also `Beyond`
    /// if the distance is larger than `cutoff`, up to rounding.
    pub(crate) fn distance(
        &mut self,
        views: &[MotionView<'_>; 2],
        options: &DistanceOptions,
        cutoff: f64,
    ) -> Distance {
        let views = &views.each_ref().map(MotionView::at_start);
        let mut counters = Counters::default();
        let boxes = distance_of_boxes(views);
        if boxes > options.max_distance {
            let lower = boxes;
            return Distance::Beyond { lower, counters };
        }
        self.search.pair.load(views, &options.as_query());
        let range = DistanceRange {
            limit: options.max_distance,
            cutoff,
        };
        let nearest = self.search.nearest(options, &range, &mut counters);
        let (lower, found, ended) = match nearest {
            Nearest::Beyond { lower } => {
                let lower = lower.max(boxes).max(options.max_distance.min(cutoff));
                return Distance::Beyond { lower, counters };
            }
            Nearest::Found { lower, closest } => (lower, closest, true),
            Nearest::Exhausted { lower, closest } => (lower, closest, false),
        };
        let closest = closest_of(views, &found, self.search.unscaled(&found));
        let lower = lower.max(boxes).min(closest.distance);
        if ended {
            Distance::Found {
                lower,
                closest,
                counters,
            }
        } else {
            Distance::BudgetExhausted {
                lower,
                closest,
                counters,
            }
        }
    }
}

/// Checks a patch and views it as a motion at rest.
fn resting<P: Patch>(patch: &P, number: usize) -> Result<MotionView<'_>, Error> {
    let (shape, points) = (patch.shape(), patch.control_points());
    let view = MotionView::resting(shape, points, patch.weights());
    match view.check(0.0) {
        Ok(()) => Ok(view),
        Err(error) => Err(in_patch(number, error)),
    }
}

/// Checks the options, a point and a patch, and views both as motions at rest.
fn point_and_patch<'a, P: Patch>(
    point: &'a Point3<f64>,
    patch: &'a P,
    options: &DistanceOptions,
) -> Result<[MotionView<'a>; 2], Error> {
    options.check()?;
    check_finite("point", [&point.coords]).map_err(|error| in_patch(1, error))?;
    let point = MotionView::resting(Shape::VERTEX, std::slice::from_ref(point), None);
    Ok([point, resting(patch, 2)?])
}

fn in_patch(patch: usize, error: Error) -> Error {
    Error::Patch {
        patch,
        source: Box::new(error),
    }
}

/// A lower bound on the distance of the axis-aligned bounding boxes of two control nets.
fn distance_of_boxes(views: &[MotionView<'_>; 2]) -> f64 {
    let [one, two] = views
        .each_ref()
        .map(|view| BoundingBox::around(view.points.iter().map(|point| point.coords.into())));
    gaps_length_rounded_down(one.gaps(&two))
}

/// The closest points in the form that a caller sees, with their distance and direction.
fn closest_of(
    views: &[MotionView<'_>; 2],
    found: &Closest,
    (distance, direction): (f64, Option<[f64; 3]>),
) -> ClosestPoints {
    let eval = |side: usize| {
        let (u, v) = found.parameters[side];
        let view = &views[side];
        let basis = weighted_basis(view.shape, view.weights, u, v);
        // A weighted sum of the largest doubles may leave their range by rounding.
        let point = combine(&basis, view.points);
        Point3::from(point.map(|x| x.clamp(-f64::MAX, f64::MAX)))
    };
    // The derivatives of the local solve do not tell how accurate they are.
    let _ = found.partials;
    let normal = |side: usize| {
        let view = &views[side];
        NormalNet::at_rest(view.shape, view.points, view.weights).normal(found.parameters[side])
    };
    ClosestPoints {
        shapes: [views[0].shape, views[1].shape],
        parameters: found.parameters,
        points: [eval(0), eval(1)],
        distance,
        direction: direction.map(Vector3::from),
        normals: [normal(0), normal(1)],
    }
}
