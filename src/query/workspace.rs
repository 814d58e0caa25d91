//! The calls for the first contact of two patches, and the workspace that they are made in.

use super::{Contact, Outcome};
use crate::Error;
use crate::branch::Search;
use crate::branch::impact::{Accepted, Place, Verdict, Window};
use crate::branch::pair::middle;
use crate::counters::Counters;
use crate::exact::{Answer, Simplices};
use crate::geometry::{Patch, Shape, normal_of_curves};
use crate::motion::{MotionView, Moving};
use crate::options::Options;
use crate::rounding::{evaluation_error, product_rounded_down, reciprocal_power_of_two};
use crate::vector::{Vector, length};
use nalgebra::Vector3;

/// The scratch space of queries, kept from one query to the next, for callers that make many.
///
/// An answer does not depend on the queries made before it.
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
///
/// A workspace keeps as much memory as its largest query took: at most about 30 MB, or 100 MB for
/// patches of the highest degrees, and what the budget of boxes takes besides
/// ([`Options::max_boxes`]).
#[derive(Debug)]
pub struct Workspace {
    pub(super) search: Search,
}

impl Default for Workspace {
    fn default() -> Self {
        Self::new()
    }
}

impl Workspace {
    /// An empty workspace. The first queries allocate what they need.
    pub fn new() -> Self {
        Self {
            search: Search::new(),
        }
    }

    /// [`time_of_impact`] with this workspace's scratch space.
    ///
    /// # Errors
    /// The same as [`time_of_impact`]'s.
    pub fn time_of_impact<A: Patch, B: Patch>(
        &mut self,
        a: &Moving<A>,
        b: &Moving<B>,
        options: &Options,
    ) -> Result<Outcome, Error> {
        self.query(&[a.view(), b.view()], options)
    }

    /// The times [start, end] within [0, t_max] at which the two whole patches can overlap, as a
    /// single inclusion test of the time-dependent method finds them.
    ///
    /// It is proven that there is no contact before `start` or after `end`, and none at all if the
    /// answer is `None`. Contact means a distance of at most
    /// [`min_separation`](Options::min_separation). The method, the tolerances and
    /// [`shrink_separation`](Options::shrink_separation) in `options` have no influence.
    ///
    /// The search makes this test for every box.
    /// [`overlap_interval`](crate::inclusion::overlap_interval) is its textbook form.
    ///
    /// # Errors
    /// The same as [`time_of_impact`]'s.
    pub fn overlap_interval<A: Patch, B: Patch>(
        &mut self,
        a: &Moving<A>,
        b: &Moving<B>,
        options: &Options,
    ) -> Result<Option<[f64; 2]>, Error> {
        let views = [a.view(), b.view()];
        check_query(&views, options)?;
        self.search.pair.load(&views, options);
        let interval = self.search.overlap_interval(options);
        Ok(interval.map(|[start, end]| {
            [
                product_rounded_down(start, options.t_max),
                (end * options.t_max).next_up().min(options.t_max),
            ]
        }))
    }

    /// Checks the input of a query and answers it.
    pub(super) fn query(
        &mut self,
        views: &[MotionView<'_>; 2],
        options: &Options,
    ) -> Result<Outcome, Error> {
        check_query(views, options)?;
        Ok(self.solve(views, options, &Window::WHOLE).1)
    }

    /// [`Workspace::solve`] with the separation that is asked for, even if the pair starts nearer.
    pub(super) fn solve_as_asked(
        &mut self,
        views: &[MotionView<'_>; 2],
        options: &Options,
        window: &Window,
    ) -> (f64, Outcome) {
        if options.exact
            && options.min_separation == 0.0
            && let Some(simplices) = Simplices::new(views, options.t_max)
        {
            return exactly(views, &simplices, options, window);
        }
        let mut counters = Counters::default();
        let separation = options.min_separation;
        let verdict = self
            .search
            .first_contact(views, options, window, &mut counters);
        match verdict {
            Verdict::Clear => {
                let outcome = Outcome::Clear {
                    separation,
                    counters,
                };
                (1.0, outcome)
            }
            Verdict::AtStart { parameters } => {
                let outcome = Outcome::ContactAtStart {
                    contact: contact(views, parameters, 0.0),
                    separation,
                    counters,
                };
                (0.0, outcome)
            }
            Verdict::Exhausted { start, nearest } => {
                let toi = product_rounded_down(start, options.t_max);
                let nearest = nearest.map(|Place { time, parameters }| {
                    contact(views, parameters, time * options.t_max)
                });
                let outcome = Outcome::BudgetExhausted {
                    toi,
                    nearest,
                    separation,
                    counters,
                };
                (start, outcome)
            }
            Verdict::Accepted(Accepted {
                interval: [start, end],
                parameters,
                found,
            }) => {
                let toi = product_rounded_down(start, options.t_max);
                let toi_upper = (end * options.t_max).max(toi);
                let time = if found { toi_upper } else { toi };
                let outcome = Outcome::Impact {
                    toi,
                    toi_upper,
                    contact: contact(views, parameters, time),
                    separation,
                    counters,
                };
                (start, outcome)
            }
        }
    }
}

/// The answer of [`Workspace::solve`] in exact mode, which has no separation.
fn exactly(
    views: &[MotionView<'_>; 2],
    simplices: &Simplices<'_>,
    options: &Options,
    window: &Window,
) -> (f64, Outcome) {
    let (answer, decision) = simplices.first_contact(options.delta);
    let counters = Counters {
        decision,
        ..Counters::default()
    };
    let contact = |at: f64, time| contact(views, simplices.nearest(at), time);
    // Both the answer and the window have the first contact in them. With a bound before the window
    // it would matter whether the pair is asked about at all: meshes do not ask once they know of a
    // contact before the window's start.
    let [earliest, latest] = window.interval;
    let answer = match answer {
        Answer::Within([from, to]) => {
            let from = from.max(earliest);
            Answer::Within([from, to.min(latest).max(from)])
        }
        other => other,
    };
    let separation = 0.0;
    let clear = Outcome::Clear {
        separation,
        counters,
    };
    match answer {
        Answer::Within([from, _]) if from > window.cutoff => (1.0, clear),
        Answer::Clear => (1.0, clear),
        Answer::AtStart => {
            let outcome = Outcome::ContactAtStart {
                contact: contact(0.0, 0.0),
                separation,
                counters,
            };
            (0.0, outcome)
        }
        Answer::Within([from, to]) => {
            // With t_max 1 the time is not multiplied, so it stays exact even if it is subnormal.
            let toi = if options.t_max == 1.0 {
                from
            } else {
                product_rounded_down(from, options.t_max)
            };
            if options.no_zero_toi && toi == 0.0 {
                let outcome = Outcome::BudgetExhausted {
                    toi,
                    nearest: Some(contact(to, to * options.t_max)),
                    separation,
                    counters,
                };
                return (from, outcome);
            }
            let upper = to * options.t_max;
            let toi_upper = if options.t_max == 1.0 {
                upper
            } else {
                upper.next_up().min(options.t_max)
            };
            let outcome = Outcome::Impact {
                toi,
                toi_upper,
                contact: contact(to, toi_upper),
                separation,
                counters,
            };
            (from, outcome)
        }
    }
}

/// Checks the options and both patches. An error of a patch is wrapped in [`Error::Patch`], which
/// says which patch it is.
fn check_query(views: &[MotionView<'_>; 2], options: &Options) -> Result<(), Error> {
    options.check()?;
    for (view, patch) in views.iter().zip([1, 2]) {
        let in_patch = |error| Error::Patch {
            patch,
            source: Box::new(error),
        };
        view.check(options.t_max).map_err(in_patch)?;
        if options.exact {
            view.motion.check_linear().map_err(in_patch)?;
        }
    }
    Ok(())
}

/// The first time in [0, t_max] at which two moving patches touch, bounded from below.
///
/// The two patches may be of any kinds and degrees. Times are in the unit of time of the
/// velocities, and the horizon is [`Options::t_max`]. See [`Outcome`] for what each answer
/// guarantees.
///
/// # Errors
/// - [`Error::Option`] if an option is out of its range.
/// - [`Error::Patch`] if a control point leaves the range of doubles before `t_max`. A kind of
///   patch of your own ([`Patch`]) is also refused if its degrees, the number of its control
///   points, velocities or weights, or one of its coordinates or weights is invalid.
///
/// ```
/// use patch_ccd::{Moving, Options, Outcome, geometry::TriangularPatch, time_of_impact};
/// use nalgebra::{point, vector};
/// let at = |z| TriangularPatch::new(1, &[
///     point![0.0, 0.0, z], point![1.0, 0.0, z], point![0.0, 1.0, z],
/// ]);
/// let (triangle, floor) = (at(0.5)?, at(0.0)?);
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

/// [`time_of_impact`] of many pairs of patches at once.
///
/// There is one answer for each pair, in the order of the pairs. It is the same as that of a single
/// call, errors included. With the feature `rayon` the pairs are solved in parallel.
pub fn time_of_impact_batch<A: Patch + Sync, B: Patch + Sync>(
    pairs: &[(Moving<A>, Moving<B>)],
    options: &Options,
) -> Vec<Result<Outcome, Error>> {
    batch(pairs, |workspace, (a, b)| {
        workspace.time_of_impact(a, b, options)
    })
}

/// Answers many queries in their order. Each thread has a workspace of its own.
pub(super) fn batch<Q: Sync>(
    queries: &[Q],
    solve: impl Fn(&mut Workspace, &Q) -> Result<Outcome, Error> + Send + Sync,
) -> Vec<Result<Outcome, Error>> {
    #[cfg(feature = "rayon")]
    {
        use rayon::prelude::*;
        let queries = queries.par_iter();
        queries.map_init(Workspace::new, solve).collect()
    }
    #[cfg(not(feature = "rayon"))]
    {
        let mut workspace = Workspace::new();
        let queries = queries.iter();
        queries.map(|query| solve(&mut workspace, query)).collect()
    }
}

/// The contact at these parameters (u, v) on each patch and at this time, in the unit of the
/// caller.
pub(super) fn contact(
    views: &[MotionView<'_>; 2],
    parameters: [(f64, f64); 2],
    time: f64,
) -> Contact {
    let shapes = [views[0].shape, views[1].shape];
    let [(u1, v1), (u2, v2)] = parameters;
    let points = [views[0].eval(u1, v1, time), views[1].eval(u2, v2, time)];
    let (residual, direction) = difference(views, parameters, time);
    let nets = views.each_ref().map(|view| view.net_at(time));
    let [one, two] = [0, 1].map(|side| views[side].normal_net(&nets[side], time));
    let normals = if shapes.iter().all(Shape::is_curve) {
        [normal_of_curves([one, two], [u1, u2]); 2]
    } else {
        [one.normal((u1, v1)), two.normal((u2, v2))]
    };
    Contact {
        shapes,
        parameters,
        time,
        points,
        normals,
        direction,
        residual,
    }
}

/// How far apart two surface points are at a time, and the direction from the first one to the
/// second, unless they coincide to rounding.
fn difference(
    views: &[MotionView<'_>; 2],
    parameters: [(f64, f64); 2],
    time: f64,
) -> (f64, Option<Vector3<f64>>) {
    let origin = middle(views);
    let magnitude = views.iter().fold(0.0_f64, |largest, view| {
        largest.max(view.magnitude(origin, time))
    });
    if magnitude == 0.0 {
        return (0.0, None);
    }
    let scale = reciprocal_power_of_two(magnitude);
    let [one, two] = [0, 1].map(|side| {
        let (u, v) = parameters[side];
        views[side].eval_scaled(origin, scale, u, v, time)
    });
    let difference = Vector::from(two - one);
    let distance = length(difference);
    let errors = views.map(|view| evaluation_error(view.shape.degrees()));
    // Coordinates are about 2 at most.
    let noise = 2.0 * (errors[0] + errors[1]);
    let direction = (distance > noise).then(|| Vector3::from(difference).normalize());
    let distance = distance / scale;
    (distance.min(f64::MAX), direction)
}
