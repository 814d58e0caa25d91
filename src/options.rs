//! What to look for, and how hard.

use crate::Error;

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
    /// Boxes along the patches: 15 axes; with [`Method::TwoSided`] also the normal of the contact that was found.
    #[default]
    Obb,
}

named! { Inclusion: Aabb = "aabb", Obb = "obb" }

/// How the search treats time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// The time-dependent method, with upper bounds on the time of impact from local solves: boxes are compared up to
    /// the best of them only, and the search ends when lower and upper bound are within δ.
    #[default]
    TwoSided,
    /// Solves for the interval in which two boxes can overlap; subdivides the four parameters only.
    TimeDependent,
    /// Subdivides time like a fifth parameter (Snyder 1992), for comparison.
    Traditional,
}

named! { Method: TwoSided = "two-sided", TimeDependent = "time-dependent", Traditional = "traditional" }

impl Method {
    /// Pieces into which a subdivision cuts time.
    pub(crate) fn time_pieces(self) -> usize {
        match self {
            Self::TwoSided | Self::TimeDependent => 1,
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
    /// The method of search. Default [`Method::TwoSided`].
    pub method: Method,
    /// Tolerance δ, from 2⁻⁴⁰ ([`LEAST_DELTA`]) to 1. The two-sided search ends when the time of
    /// impact is known to δ · t_max. Otherwise, and where it finds no contact, a box is small enough
    /// when its widths in all parameters are below δ, and either its width in time is below δ · t_max
    /// or each of its last three subdivisions moved its start by less than half of that (contact at
    /// rest). Sub-patches shorter than δ times the whole patch count as small too. Default 1e-6.
    pub delta: f64,
    /// Tolerance in space ε, in the unit of the coordinates; 0 for none. With it poles, collapsed edges and nearly coincident control points end
    /// early, since
    /// - sub-patches no longer than ε along any coordinate axis are small enough, whatever their parameters' widths;
    /// - the tolerance in time is no longer δ · t_max but the time in which two control points can come nearer to each other by ε along a coordinate axis, if
    ///   that is more.
    ///
    /// So where a contact was found, toi is earlier than it by at most that time; where none was, the two sub-patches are
    /// within a few ε of contact at toi, but need not touch later. A large ε takes patches that come near each other for ones in contact. Default 0.
    pub epsilon: f64,
    /// The same as a part of the size of the scene: the longest side of the box around the control points of both patches, in a mesh of the pair in
    /// question, at t = 0. The larger of both counts. From 0 to 1. Default 0.
    pub relative_epsilon: f64,
    /// The horizon: contacts are looked for in [0, t_max], in the unit of time of the velocities; 0 asks whether the
    /// patches touch now. Default 1.
    pub t_max: f64,
    /// Patches count as in contact at this distance: Euclidean with OBB, L∞ with AABB. Default 0.
    pub min_separation: f64,
    /// Boxes to test at most, up to 2³⁰; each takes up to 110 bytes of memory. Default 1 000 000.
    pub max_boxes: u64,
    /// Whether to refine beyond δ until the lower bound is positive, for line searches, which stall on a step of 0. Also
    /// whether the patches touch at t = 0 is then decided as finely as doubles can. If the budget, or the accuracy of
    /// doubles, ends first, the outcome is [`BudgetExhausted`](crate::query::Outcome::BudgetExhausted) with toi 0. Default false.
    pub no_zero_toi: bool,
    /// Whether edge–edge, vertex–face, vertex–edge and vertex–vertex queries without minimum separation are decided exactly, also where they
    /// are asked of curves of degree 1, triangular patches of degree 1 against a vertex, or elements of a `TriangleMesh`. It changes nothing
    /// for others, so that meshes may mix triangles and patches. Contact then means that the two, closed and with exact doubles as
    /// coordinates, really have a point in common at a time t in [0, t_max], as their points go along start + t (end − start)
    /// without any rounding. Where a motion is given by velocities, or stored as such ([`Moving`](crate::Moving), meshes), it is
    /// start + t velocity with the velocities as stored, which [`Moving::velocities`](crate::Moving::velocities) returns.
    ///
    /// [`Clear`](crate::Outcome::Clear) is proven as ever. [`Impact`](crate::Outcome::Impact) is a contact: the exact time of the first
    /// one is from `toi` to `toi_upper`, which are at most the smaller of δ t_max and 2⁻³⁰ t_max apart (or two of the least doubles), mostly some roundings. [`ContactAtStart`](crate::Outcome::ContactAtStart) means
    /// contact at t = 0 and nothing else. There is no search and no budget runs out: `inclusion`, `method`, `max_boxes` and the tolerances in space have no influence. With `no_zero_toi`, a
    /// first contact later than 0 and about the least double or below is [`BudgetExhausted`](crate::Outcome::BudgetExhausted) with toi 0.
    ///
    /// Where rounding error bounds don't decide, integers of any size do: such a query allocates memory and takes some twenty times as long, a millisecond at most with the most extreme coordinates. Default
    /// false.
    ///
    /// ```
    /// use patch_ccd::{Options, Outcome, edge_edge};
    /// use nalgebra::point;
    /// // Two crossing edges; the second ends beside the first, by a tenth of what a double of its size can tell.
    /// let (a0, a1) = (point![0.0, 0.0, 0.0], point![1.0, 0.0, 0.0]);
    /// let at = |z| [a0, a1, point![0.5, 1e-17, z], point![0.5, 1.0, z]];
    /// let step = [at(1.0), at(-1.0)];
    /// assert!(matches!(edge_edge(&step, &Options::default())?, Outcome::Impact { .. }));
    /// let exact = Options { exact: true, ..Options::default() };
    /// assert!(matches!(edge_edge(&step, &exact)?, Outcome::Clear { .. }));
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub exact: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            inclusion: Inclusion::default(),
            method: Method::default(),
            delta: 1e-6,
            epsilon: 0.0,
            relative_epsilon: 0.0,
            t_max: 1.0,
            min_separation: 0.0,
            max_boxes: 1_000_000,
            no_zero_toi: false,
            exact: false,
        }
    }
}

/// The least tolerance δ ([`Options::delta`]): 2⁻⁴⁰, where parameters still have twelve bits to spare.
pub const LEAST_DELTA: f64 = 1.0 / (1_u64 << 40) as f64;

/// The largest budget: sub-patches are numbered in 32 bits, four to a subdivision.
const MOST_BOXES: u64 = 1 << 30;

/// How closely to bound a distance, and how hard to try.
///
/// ```
/// use patch_ccd::DistanceOptions;
/// // Contact forces act up to a millimetre: what is farther need only be known to be.
/// let options = DistanceOptions { max_distance: 1e-3, tolerance: 1e-7, ..DistanceOptions::default() };
/// assert_eq!(options.relative_tolerance, 1e-6);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DistanceOptions {
    /// The search ends when upper and lower bound differ by no more than this, in the unit of the coordinates. The closest points come
    /// from a local solve, which mostly goes on to rounding whatever the tolerance: that says how much less than theirs the distance of others, unseen, may be. 0 for none. Where the larger of both tolerances is less
    /// than some roundings of the coordinates, these take its place. Default 0.
    pub tolerance: f64,
    /// The same as a part of the size of the scene: the longest side of the box around the control points of both patches, in a mesh of the pair in
    /// question. The larger of both counts. From 0 to 1. Default 1e-6.
    pub relative_tolerance: f64,
    /// Distances above this are of no interest: the search ends once the distance is proven larger. ∞ for no limit. Default ∞.
    pub max_distance: f64,
    /// Boxes to test at most, up to 2³⁰; each takes up to 110 bytes of memory. Default 1 000 000.
    pub max_boxes: u64,
    /// The boxes that are compared. Default [`Inclusion::Obb`]; with axis-aligned ones a small tolerance takes far more of them.
    pub inclusion: Inclusion,
}

impl Default for DistanceOptions {
    fn default() -> Self {
        Self {
            tolerance: 0.0,
            relative_tolerance: 1e-6,
            max_distance: f64::INFINITY,
            max_boxes: 1_000_000,
            inclusion: Inclusion::default(),
        }
    }
}

impl DistanceOptions {
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.max_distance.is_nan() || self.max_distance < 0.0 {
            return Err(Error::Option {
                option: "max_distance",
                value: self.max_distance,
                range: "at least 0",
            });
        }
        if !(self.tolerance >= 0.0 && self.tolerance.is_finite()) {
            return Err(Error::Option {
                option: "tolerance",
                value: self.tolerance,
                range: "finite and at least 0",
            });
        }
        if !(0.0..=1.0).contains(&self.relative_tolerance) {
            return Err(Error::Option {
                option: "relative_tolerance",
                value: self.relative_tolerance,
                range: "from 0 to 1",
            });
        }
        self.as_query().check()
    }

    /// The same for what a search for a contact at t = 0 shares with one for the distance.
    pub(crate) fn as_query(&self) -> Options {
        Options {
            inclusion: self.inclusion,
            epsilon: self.tolerance,
            relative_epsilon: self.relative_tolerance,
            t_max: 0.0,
            max_boxes: self.max_boxes,
            ..Options::default()
        }
    }
}

impl Options {
    pub(crate) fn check(&self) -> Result<(), Error> {
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
        if !(self.epsilon >= 0.0 && self.epsilon.is_finite()) {
            return fail("epsilon", self.epsilon, "finite and at least 0");
        }
        if !(0.0..=1.0).contains(&self.relative_epsilon) {
            return fail("relative_epsilon", self.relative_epsilon, "from 0 to 1");
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
        if !(1..=MOST_BOXES).contains(&self.max_boxes) {
            return fail("max_boxes", self.max_boxes as f64, "from 1 to 2^30");
        }
        Ok(())
    }
}
