//! The calls themselves.

use super::{Contact, Outcome};
use crate::Error;
use crate::branch::Search;
use crate::branch::impact::{Accepted, Verdict, Window};
use crate::counters::Counters;
use crate::exact::{Answer, Simplices};
use crate::geometry::{Patch, Shape, unit_normal};
use crate::motion::{MotionView, Moving};
use crate::options::Options;
use crate::rounding::product_rounded_down;
use crate::vector::length;

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
///
/// It keeps the memory of its largest query: at most about 30 MB (100 MB at the highest degrees)
/// and what [`Options::max_boxes`] says.
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
        self.query(&[a.view(), b.view()], options)
    }

    /// The part of [0, t_max] in which the two whole patches can overlap, as one inclusion test of
    /// the time-dependent method finds it: `None` proves that there is no contact; outside the
    /// interval there is none either.
    ///
    /// This is what the search does for every box;
    /// [`overlap_interval`](crate::inclusion::overlap_interval) is its textbook form.
    ///
    /// # Errors
    /// As [`time_of_impact`].
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

    /// Checks a query and solves it.
    pub(super) fn query(
        &mut self,
        views: &[MotionView<'_>; 2],
        options: &Options,
    ) -> Result<Outcome, Error> {
        check_query(views, options)?;
        Ok(self.solve(views, options, &Window::WHOLE).1)
    }

    /// The outcome within a window, and its lower bound as a fraction of the horizon; clear, and 1,
    /// also when it is later than the window's cutoff. The input has been checked.
    pub(crate) fn solve(
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
        let verdict = self
            .search
            .first_contact(views, options, window, &mut counters);
        match verdict {
            Verdict::Clear => (1.0, Outcome::Clear { counters }),
            Verdict::AtStart { parameters } => {
                let contact = contact(views, parameters, 0.0);
                (0.0, Outcome::ContactAtStart { contact, counters })
            }
            Verdict::Exhausted { start } => {
                let toi = product_rounded_down(start, options.t_max);
                (start, Outcome::BudgetExhausted { toi, counters })
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
                    counters,
                };
                (start, outcome)
            }
        }
    }
}

/// What [`Workspace::solve`] answers in exact mode.
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
    match answer {
        Answer::Within([from, _]) if from > window.cutoff => (1.0, Outcome::Clear { counters }),
        Answer::Clear => (1.0, Outcome::Clear { counters }),
        Answer::AtStart => {
            let contact = contact(0.0, 0.0);
            (0.0, Outcome::ContactAtStart { contact, counters })
        }
        Answer::Within([from, to]) => {
            // Without a product nothing is lost, not even below the normal numbers.
            let toi = if options.t_max == 1.0 {
                from
            } else {
                product_rounded_down(from, options.t_max)
            };
            if options.no_zero_toi && toi == 0.0 {
                return (from, Outcome::BudgetExhausted { toi, counters });
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
                counters,
            };
            (from, outcome)
        }
    }
}

/// Checks all input.
fn check_query(views: &[MotionView<'_>; 2], options: &Options) -> Result<(), Error> {
    options.check()?;
    for (view, patch) in views.iter().zip([1, 2]) {
        view.check(options.t_max).map_err(|error| Error::Patch {
            patch,
            source: Box::new(error),
        })?;
    }
    Ok(())
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

/// [`time_of_impact`] of many pairs at once: the same answers, in the order given.
///
/// In parallel with the feature `rayon`.
pub fn time_of_impact_batch<A: Patch + Sync, B: Patch + Sync>(
    pairs: &[(Moving<A>, Moving<B>)],
    options: &Options,
) -> Vec<Result<Outcome, Error>> {
    batch(pairs, |workspace, (a, b)| {
        workspace.time_of_impact(a, b, options)
    })
}

/// Solves many queries, each thread in a workspace of its own.
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

/// The contact at some parameters and time.
fn contact(views: &[MotionView<'_>; 2], parameters: [(f64, f64); 2], time: f64) -> Contact {
    let shapes = [views[0].shape, views[1].shape];
    let [(u1, v1), (u2, v2)] = parameters;
    let points = [views[0].eval(u1, v1, time), views[1].eval(u2, v2, time)];
    let [(one_u, one_v), (two_u, two_v)] = [
        views[0].partials(u1, v1, time),
        views[1].partials(u2, v2, time),
    ];
    let normals = if shapes.iter().all(Shape::is_curve) {
        [unit_normal(one_u, two_u); 2]
    } else {
        [unit_normal(one_u, one_v), unit_normal(two_u, two_v)]
    };
    Contact {
        shapes,
        parameters,
        time,
        points,
        normals,
        residual: length((points[0] - points[1]).into()),
    }
}
