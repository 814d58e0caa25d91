//! The calls themselves.

use nalgebra::Point3;

use super::{Contact, Counters, Options, Outcome};
use crate::Error;
use crate::geometry::{MAX_DEGREE, Patch, check_finite};
use crate::motion::{MotionView, Moving};
use crate::search::{Search, Verdict};

/// Memory that queries reuse, for callers that make many.
///
/// ```
/// use patch_ccd::{Moving, Options, Workspace, geometry::TensorProductPatch};
/// use nalgebra::{point, vector};
/// let square = |z| TensorProductPatch::new(1, 1, &[
///     point![0.0, 0.0, z], point![0.0, 1.0, z], point![1.0, 0.0, z], point![1.0, 1.0, z],
/// ]);
/// let floor = Moving::resting(square(0.0)?);
/// let mut workspace = Workspace::new();
/// for speed in [2.0, 4.0, 8.0] {
///     let falling = Moving::translating(square(1.0)?, vector![0.0, 0.0, -speed])?;
///     let toi = workspace.time_of_impact(&falling, &floor, &Options::default())?.toi().unwrap();
///     assert!(toi <= 1.0 / speed && toi > 1.0 / speed - 1e-6);
/// }
/// # Ok::<(), patch_ccd::Error>(())
/// ```
#[derive(Debug)]
pub struct Workspace {
    search: Search,
}

impl Default for Workspace {
    fn default() -> Self {
        Self::new()
    }
}

impl Workspace {
    /// An empty workspace; it grows with the first queries.
    pub fn new() -> Self {
        Self {
            search: Search::new(),
        }
    }

    /// [`time_of_impact`] in this workspace's memory.
    ///
    /// # Errors
    /// As [`time_of_impact`].
    pub fn time_of_impact<A: Patch, B: Patch>(
        &mut self,
        a: &Moving<A>,
        b: &Moving<B>,
        options: &Options,
    ) -> Result<Outcome, Error> {
        let views = self.load(a, b, options)?;
        let views = [&views[0], &views[1]];
        let mut counters = Counters::default();
        let verdict = self.search.run(options, &mut counters);
        Ok(match verdict {
            Verdict::Clear => Outcome::Clear { counters },
            Verdict::Exhausted { start } => Outcome::BudgetExhausted {
                toi: product_rounded_down(start, options.t_max),
                counters,
            },
            Verdict::Accepted { interval, cells } => {
                let toi = product_rounded_down(interval[0], options.t_max);
                let parameters = [0, 1].map(|side| views[side].shape.centre(&cells[side]));
                let contact = contact(a, b, parameters, toi);
                if interval[0] == 0.0 && self.touching_at_start(views, options, &mut counters) {
                    Outcome::ContactAtStart { contact, counters }
                } else {
                    Outcome::Impact {
                        toi,
                        toi_upper: interval[1] * options.t_max,
                        contact,
                        counters,
                    }
                }
            }
        })
    }

    /// The part of [0, t_max] in which the two whole patches can overlap, as one inclusion test of the time-dependent
    /// method finds it: `None` proves that there is no contact; outside the interval there is none either.
    ///
    /// This is what the search does for every box; [`crate::inclusion::overlap_interval`] is its textbook form.
    ///
    /// # Errors
    /// As [`time_of_impact`].
    pub fn overlap_interval<A: Patch, B: Patch>(
        &mut self,
        a: &Moving<A>,
        b: &Moving<B>,
        options: &Options,
    ) -> Result<Option<[f64; 2]>, Error> {
        self.load(a, b, options)?;
        let interval = self.search.overlap_interval();
        Ok(interval.map(|[start, end]| {
            [
                product_rounded_down(start, options.t_max),
                (end * options.t_max).next_up().min(options.t_max),
            ]
        }))
    }

    /// Checks all input and hands it to the search.
    fn load<'a, A: Patch, B: Patch>(
        &mut self,
        a: &'a Moving<A>,
        b: &'a Moving<B>,
        options: &Options,
    ) -> Result<[MotionView<'a>; 2], Error> {
        options.check()?;
        let views = [a.view(), b.view()];
        for (view, patch) in views.iter().zip([1, 2]) {
            check_view(view, patch, options.t_max)?;
        }
        self.search
            .load([&views[0], &views[1]], options, options.t_max);
        Ok(views)
    }

    /// Whether the patches at t = 0 alone can't be proven clear, within what is left of the budget.
    fn touching_at_start(
        &mut self,
        views: [&MotionView<'_>; 2],
        options: &Options,
        counters: &mut Counters,
    ) -> bool {
        if options.t_max == 0.0 {
            return true;
        }
        self.search.load(views, options, 0.0);
        !matches!(self.search.run(options, counters), Verdict::Clear)
    }
}

/// The first time in [0, t_max] at which two moving patches touch, bounded from below.
///
/// See [`Outcome`] for what each answer guarantees. Patches of any kind and degree go together.
///
/// # Errors
/// An option out of range; velocity × t_max beyond the range of doubles.
///
/// ```
/// use patch_ccd::{Moving, Options, Outcome, geometry::TriangularPatch, time_of_impact};
/// use nalgebra::{point, vector};
/// let triangle = TriangularPatch::new(1, &[point![0.0, 0.0, 0.5], point![1.0, 0.0, 0.5], point![0.0, 1.0, 0.5]])?;
/// let floor = TriangularPatch::new(1, &[point![0.0, 0.0, 0.0], point![1.0, 0.0, 0.0], point![0.0, 1.0, 0.0]])?;
/// let falling = Moving::translating(triangle, vector![0.0, 0.0, -1.0])?;
/// match time_of_impact(&falling, &Moving::resting(floor), &Options::default())? {
///     Outcome::Impact { toi, .. } => assert!(toi <= 0.5 && toi > 0.5 - 1e-6),
///     other => panic!("{other:?}"),
/// }
/// # Ok::<(), patch_ccd::Error>(())
/// ```
pub fn time_of_impact<A: Patch, B: Patch>(
    a: &Moving<A>,
    b: &Moving<B>,
    options: &Options,
) -> Result<Outcome, Error> {
    Workspace::new().time_of_impact(a, b, options)
}

fn contact<A: Patch, B: Patch>(
    a: &Moving<A>,
    b: &Moving<B>,
    parameters: [(f64, f64); 2],
    toi: f64,
) -> Contact {
    let [(u1, v1), (u2, v2)] = parameters;
    let points = [a.eval(u1, v1, toi), b.eval(u2, v2, toi)];
    Contact {
        parameters,
        points,
        normals: [a.normal(u1, v1, toi), b.normal(u2, v2, toi)],
        residual: distance(&points[0], &points[1]),
    }
}

/// Euclidean distance without over- or underflow on the way.
fn distance(a: &Point3<f64>, b: &Point3<f64>) -> f64 {
    let difference = a - b;
    let largest = difference.amax();
    if largest == 0.0 {
        0.0
    } else {
        largest * (difference / largest).norm()
    }
}

/// x · y for x, y ≥ 0, never above the exact product.
fn product_rounded_down(x: f64, y: f64) -> f64 {
    let product = x * y;
    if x.mul_add(y, -product) < 0.0 {
        product.next_down()
    } else {
        product
    }
}

/// The checks that a user's own kind of patch could fail, and the range of the motion.
fn check_view(view: &MotionView<'_>, patch: usize, t_max: f64) -> Result<(), Error> {
    for value in view.shape.degrees() {
        if value > MAX_DEGREE {
            return Err(Error::Degree {
                argument: "degree",
                value,
            });
        }
    }
    let expected = view.shape.count();
    for (argument, found) in [
        ("control points", view.points.len()),
        ("velocities", view.velocities.len()),
    ] {
        if found != expected {
            return Err(Error::Count {
                argument,
                patch: view.shape.to_string(),
                expected,
                found,
            });
        }
    }
    check_finite("control point", view.points.iter().map(|p| &p.coords))?;
    for (index, velocity) in view.velocities.iter().enumerate() {
        for (coordinate, &value) in velocity.iter().enumerate() {
            if !(value * t_max).is_finite() {
                return Err(Error::Overflow {
                    patch,
                    index,
                    coordinate,
                    value,
                    t_max,
                });
            }
        }
    }
    Ok(())
}
