//! What does a user call? [`time_of_impact`], its options and its outcome.

use nalgebra::{Point3, Vector3};

use crate::Error;
use crate::geometry::{Patch, check_finite};
use crate::motion::{MotionView, Moving};
use crate::search::{Search, Verdict};

/// Names for command lines and files, the same in both directions.
macro_rules! named {
    ($type:ident: $($variant:ident = $name:literal),+) => {
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(match self { $(Self::$variant => $name),+ })
            }
        }

        impl std::str::FromStr for $type {
            type Err = Error;

            fn from_str(name: &str) -> Result<Self, Error> {
                match name {
                    $($name => Ok(Self::$variant),)+
                    _ => Err(Error::Name { found: name.to_owned(), known: &[$($name),+] }),
                }
            }
        }
    };
}

/// The boxes around sub-patches that the search compares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Inclusion {
    /// Axis-aligned boxes: 3 axes. Cheap, and exponentially many of them are needed near a contact.
    Aabb,
    /// Boxes along the patches: 15 axes.
    #[default]
    Obb,
}

named! { Inclusion: Aabb = "aabb", Obb = "obb" }

/// How the search treats time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// Solves for the interval in which two boxes can overlap; subdivides the four parameters only.
    #[default]
    TimeDependent,
    /// Subdivides time like a fifth parameter (Snyder 1992), for comparison.
    Traditional,
}

named! { Method: TimeDependent = "time-dependent", Traditional = "traditional" }

impl Method {
    /// Pieces into which a subdivision cuts time.
    pub(crate) fn time_pieces(self) -> usize {
        match self {
            Self::TimeDependent => 1,
            Self::Traditional => 2,
        }
    }
}

/// What to look for, and how hard.
///
/// ```
/// use patch_ccd::{Inclusion, Options};
/// let options = Options { delta: 1e-4, inclusion: Inclusion::Aabb, ..Options::default() };
/// assert_eq!(options.t_max, 1.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The boxes that are compared. Default [`Inclusion::Obb`].
    pub inclusion: Inclusion,
    /// The method of search. Default [`Method::TimeDependent`].
    pub method: Method,
    /// Tolerance δ, from 2⁻⁴⁰ to 1: a box is small enough when its widths in all parameters are below δ, and its
    /// width in time below δ · t_max. Default 1e-6.
    pub delta: f64,
    /// The horizon: contacts are looked for in [0, t_max], in the unit of time of the velocities; 0 asks whether the
    /// patches touch now. Default 1.
    pub t_max: f64,
    /// Patches count as in contact at this distance: Euclidean with OBB, L∞ with AABB. Default 0.
    pub min_separation: f64,
    /// Boxes to test at most. Default 1 000 000.
    pub max_boxes: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            inclusion: Inclusion::default(),
            method: Method::default(),
            delta: 1e-6,
            t_max: 1.0,
            min_separation: 0.0,
            max_boxes: 1_000_000,
        }
    }
}

/// The least δ: 2⁻⁴⁰, where parameters still have twelve bits to spare.
const LEAST_DELTA: f64 = 1.0 / (1_u64 << 40) as f64;

impl Options {
    fn check(&self) -> Result<(), Error> {
        let fail = |option, value, range| {
            Err(Error::Option {
                option,
                value,
                range,
            })
        };
        if !(LEAST_DELTA..=1.0).contains(&self.delta) {
            return fail("delta", self.delta, "from 2^-40 to 1");
        }
        if !(self.t_max >= 0.0 && self.t_max.is_finite()) {
            return fail("t_max", self.t_max, "finite and at least 0");
        }
        if !(self.min_separation >= 0.0 && self.min_separation.is_finite()) {
            return fail(
                "min_separation",
                self.min_separation,
                "finite and at least 0",
            );
        }
        if self.max_boxes == 0 {
            return fail("max_boxes", 0.0, "at least 1");
        }
        Ok(())
    }
}

/// What a search did. For comparing methods; the answer does not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Boxes (pairs of sub-patches) tested for overlap.
    pub boxes: u64,
    /// Boxes taken from the queue.
    pub popped: u64,
    /// Axes tested, over all boxes.
    pub axes: u64,
    /// Deepest level of subdivision of a box tested.
    pub deepest_level: u32,
    /// Largest number of boxes waiting in the queue.
    pub peak_queue: usize,
}

/// Where two patches meet, by the middle of the box accepted, at the time of impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// (u, v) on each patch: centre of the accepted part of a tensor-product patch, centroid of a triangular one.
    pub parameters: [(f64, f64); 2],
    /// The two surface points at the time of impact.
    pub points: [Point3<f64>; 2],
    /// The unit normals there, each on the side of ∂S/∂u × ∂S/∂v of its patch; `None` where that vanishes.
    pub normals: [Option<Vector3<f64>>; 2],
    /// Distance of the two points.
    pub residual: f64,
}

impl Contact {
    fn swapped(self) -> Self {
        let swap = |[a, b]: [_; 2]| [b, a];
        Self {
            parameters: [self.parameters[1], self.parameters[0]],
            points: [self.points[1], self.points[0]],
            normals: swap(self.normals),
            residual: self.residual,
        }
    }
}

/// The answer to a query, and what it guarantees. "Contact" means: at the minimum separation or closer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// Proven: no contact in [0, t_max].
    Clear {
        /// What the search did.
        counters: Counters,
    },
    /// In contact at t = 0, or so close to it that the patches at t = 0 could not be proven clear at tolerance δ.
    ContactAtStart {
        /// Where.
        contact: Contact,
        /// What the search did.
        counters: Counters,
    },
    /// A contact that could not be ruled out at tolerance δ; none is earlier than `toi`.
    Impact {
        /// Proven lower bound on the time of impact: no contact in [0, toi).
        toi: f64,
        /// The end of the accepted box's interval of time. Not a bound on the time of impact.
        toi_upper: f64,
        /// Where.
        contact: Contact,
        /// What the search did.
        counters: Counters,
    },
    /// The budget of boxes ended first; proven all the same: no contact in [0, toi).
    BudgetExhausted {
        /// Proven lower bound on the time of impact.
        toi: f64,
        /// What the search did.
        counters: Counters,
    },
}

impl Outcome {
    /// The proven lower bound on the time of impact: 0 when in contact at the start, `None` when there is no contact
    /// within the horizon.
    pub fn toi(&self) -> Option<f64> {
        match *self {
            Self::Clear { .. } => None,
            Self::ContactAtStart { .. } => Some(0.0),
            Self::Impact { toi, .. } | Self::BudgetExhausted { toi, .. } => Some(toi),
        }
    }

    /// Where the patches meet, if a contact was found.
    pub fn contact(&self) -> Option<&Contact> {
        match self {
            Self::ContactAtStart { contact, .. } | Self::Impact { contact, .. } => Some(contact),
            Self::Clear { .. } | Self::BudgetExhausted { .. } => None,
        }
    }

    /// What the search did.
    pub fn counters(&self) -> &Counters {
        match self {
            Self::Clear { counters }
            | Self::ContactAtStart { counters, .. }
            | Self::Impact { counters, .. }
            | Self::BudgetExhausted { counters, .. } => counters,
        }
    }

    /// The outcome for the two patches in the other order.
    #[must_use]
    pub fn swapped(mut self) -> Self {
        if let Self::ContactAtStart { contact, .. } | Self::Impact { contact, .. } = &mut self {
            *contact = contact.swapped();
        }
        self
    }
}

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
