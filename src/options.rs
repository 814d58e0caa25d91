//! The options of all queries: what to look for, and how hard.

use crate::Error;

/// Names for command lines and files, the same for writing and for reading.
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

/// The kind of bounding boxes around sub-patches that the search compares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Inclusion {
    /// Axis-aligned boxes, compared on 3 axes. One comparison is cheap, but near a contact
    /// exponentially many of them are needed.
    Aabb,
    /// Boxes oriented along the patches, compared on 15 axes. With [`Method::TwoSided`] the normal
    /// of the contact that was found is one more axis.
    #[default]
    Obb,
}

named! { Inclusion: Aabb = "aabb", Obb = "obb" }

/// How the search treats time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// The time-dependent method, and upper bounds on the time of impact from local solves as well.
    /// The search looks at no times after the least upper bound so far, the incumbent, and ends
    /// when lower and upper bound are within δ · t_max of each other.
    #[default]
    TwoSided,
    /// Subdivides the four surface parameters only, and solves for the interval of time in which
    /// two boxes can overlap.
    TimeDependent,
    /// Subdivides time like a fifth parameter (Snyder 1992). It is here for comparison.
    Traditional,
}

named! {
    Method: TwoSided = "two-sided",
    TimeDependent = "time-dependent",
    Traditional = "traditional"
}

impl Method {
    /// The number of pieces into which a subdivision cuts time.
    pub(crate) fn time_pieces(self) -> usize {
        match self {
            Self::TwoSided | Self::TimeDependent => 1,
            Self::Traditional => 2,
        }
    }
}

/// What a query looks for, and how hard it tries.
///
/// ```
/// use patch_ccd::{Inclusion, Options};
/// let options = Options { delta: 1e-4, inclusion: Inclusion::Aabb, ..Options::default() };
/// assert_eq!(options.t_max, 1.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The kind of bounding boxes that are compared. Default [`Inclusion::Obb`].
    pub inclusion: Inclusion,
    /// The method of search. Default [`Method::TwoSided`].
    pub method: Method,
    /// Tolerance δ, relative to the horizon and to the parameters, from 2⁻⁴⁰ ([`LEAST_DELTA`])
    /// to 1. Default 1e-6.
    ///
    /// Lower it to know the time of impact more closely, raise it for faster answers. With
    /// [`Method::TwoSided`] the search ends when the time of impact is known to within δ · t_max.
    ///
    /// The other methods end, and so does that one if it finds no contact, when a box is small
    /// enough:
    /// - its widths in all parameters are below δ, where a sub-patch counts as small, too, if it is
    ///   shorter than δ times the whole patch; and
    /// - its width in time is below δ · t_max or, except with [`Method::Traditional`], each of its
    ///   last three subdivisions moved its start by less than half of that, as for a contact at
    ///   rest.
    pub delta: f64,
    /// Tolerance in space ε, in the unit of the coordinates, or 0 for none. Default 0.
    ///
    /// Set it, to a length that does not matter to you, if patches have poles, collapsed edges or
    /// nearly coincident control points. The search then ends early there, since
    /// - sub-patches that extend by no more than ε along every coordinate axis are small enough,
    ///   whatever the widths of their parameters;
    /// - the tolerance in time is the larger one of δ · t_max and the time in which two control
    ///   points can come nearer to each other by ε along a coordinate axis.
    ///
    /// If a contact was found, toi is earlier than it by at most the tolerance in time. If none was
    /// found, the two sub-patches are within a few ε of contact at toi, but need not touch later.
    /// With a large ε, patches that come near each other are taken for patches in contact.
    pub epsilon: f64,
    /// The tolerance in space as a fraction of the size of the scene, from 0 to 1. Default 0.
    ///
    /// Use it instead of [`epsilon`](Self::epsilon) if the size is not known beforehand; the larger
    /// one of both tolerances counts. The size is the longest side of the bounding box of the
    /// control points of both patches at t = 0; in a mesh, of the two patches of each pair.
    pub relative_epsilon: f64,
    /// The horizon, in the unit of time of the velocities: contacts are looked for in [0, t_max].
    /// With 0 the query asks whether the patches touch now. Default 1.
    pub t_max: f64,
    /// The distance at which patches count as in contact, such as a thickness. It is Euclidean with
    /// [`Inclusion::Obb`] and L∞ with [`Inclusion::Aabb`]. Default 0. Elements of meshes may have a
    /// thickness of their own, which adds to it.
    pub min_separation: f64,
    /// What becomes of a pair that starts nearer than its separation. Default `None`: it is in
    /// contact at the start, whichever way it moves.
    ///
    /// With `Some(share)`, for a share above 0 and below 1, its separation shrinks for this query to
    /// that share of its distance at the start, of which a proven lower bound is taken. So it may
    /// recede and slide, and come nearer only by the rest. Contact
    /// [at the start](crate::Outcome::ContactAtStart) is left for pairs that really touch, to
    /// rounding. [`Outcome::separation`](crate::Outcome::separation) tells what is kept.
    ///
    /// Set it in simulators, where a pair that came too near would otherwise stop all that follows.
    /// 0.9 is a good share: in each step a pair may come nearer by a tenth, and it never touches.
    /// With a smaller share a solver that pushes pairs together makes them thin sooner; with a
    /// larger one little is free, and the second query takes more boxes.
    ///
    /// In detail:
    /// - A pair that starts hardly above its separation counts as nearer, too: by no more than the
    ///   tolerance in space, or with a lower bound on its time of impact of no more than
    ///   δ · t_max. Otherwise simulators would take ever smaller steps up to the separation.
    /// - The distance is bounded from below to a tenth of 1 − share of itself. (With
    ///   [`Inclusion::Aabb`], where distances are L∞, the bound may be less by √3.)
    /// - The second query is one like any other, with the smaller separation, except that the
    ///   tolerance in space is at most a quarter of the way that is left, and that it goes on as
    ///   with [`no_zero_toi`](Self::no_zero_toi).
    /// - Both queries and the distance have a budget each. Pairs that are clear at the whole
    ///   separation take no more time than without it.
    ///
    /// ```
    /// use patch_ccd::{Options, Outcome, vertex_face};
    /// use nalgebra::point;
    /// // A vertex over a face, at 0.99 of the separation.
    /// let face = [point![0.0, 0.0, 0.0], point![1.0, 0.0, 0.0], point![0.0, 1.0, 0.0]];
    /// let at = |z| [point![0.25, 0.25, z], face[0], face[1], face[2]];
    /// let (receding, closing) = ([at(0.99), at(2.0)], [at(0.99), at(0.0)]);
    ///
    /// let as_asked = Options { min_separation: 1.0, ..Options::default() };
    /// assert!(matches!(vertex_face(&receding, &as_asked)?, Outcome::ContactAtStart { .. }));
    ///
    /// let shrink = Options { shrink_separation: Some(0.9), ..as_asked };
    /// assert!(matches!(vertex_face(&receding, &shrink)?, Outcome::Clear { .. }));
    /// let outcome = vertex_face(&closing, &shrink)?;
    /// assert!(outcome.toi().is_some_and(|toi| toi > 0.1 - 1e-6 && toi < 0.11));
    /// assert!(outcome.separation() <= 0.9 * 0.99 && outcome.separation() > 0.89 * 0.99);
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub shrink_separation: Option<f64>,
    /// The budget: how many boxes may be tested at most, from 1 to 2³⁰. Default 1 000 000.
    ///
    /// It bounds the time of a query: a million boxes take some tenths of a second at degrees 1 to
    /// 3, seconds at degree 10, and about a minute at degree 30. It bounds the memory, too, as each
    /// box takes up to 110 bytes. If it runs out, the outcome says so and has a lower bound that is
    /// proven all the same.
    pub max_boxes: u64,
    /// Whether to refine beyond δ until the lower bound on the time of impact is positive. Default
    /// false.
    ///
    /// Set it for line searches, which stall on a step of 0. Whether the patches touch at t = 0 is
    /// then decided as finely as doubles can, too. If the budget or the accuracy of doubles ends
    /// first, the outcome is [`BudgetExhausted`](crate::query::Outcome::BudgetExhausted) with
    /// toi 0.
    pub no_zero_toi: bool,
    /// Whether queries between vertices, edges and triangles are decided exactly, without false
    /// positives. Default false.
    ///
    /// Set it for triangle meshes if near misses must not count as contacts. Contact then means
    /// that the two, closed and with exact doubles as coordinates, really have a point in common at
    /// a time in [0, t_max], while their points move along start + t (end − start) without any
    /// rounding. A motion that is given by velocities, or stored that way
    /// ([`Moving`](crate::Moving), meshes), is start + t velocity with the velocities as stored,
    /// which [`Moving::velocities`](crate::Moving::velocities) returns.
    ///
    /// It applies to edge–edge, vertex–face, vertex–edge and vertex–vertex queries without minimum
    /// separation, also if they are asked of curves of degree 1, of triangular patches of degree 1
    /// against a vertex, or of elements of a `TriangleMesh`. Other queries are not changed, so
    /// meshes may mix triangles and patches.
    ///
    /// The outcomes mean:
    /// - [`Clear`](crate::Outcome::Clear) is proven, as always.
    /// - [`Impact`](crate::Outcome::Impact) is a contact. The exact time of the first one is from
    ///   `toi` to `toi_upper`. These are at most the smaller of δ t_max and 2⁻³⁰ t_max apart (or
    ///   two of the least doubles), and mostly some roundings.
    /// - [`ContactAtStart`](crate::Outcome::ContactAtStart) is contact at t = 0 and nothing else.
    /// - [`BudgetExhausted`](crate::Outcome::BudgetExhausted) with toi 0 can only occur with
    ///   `no_zero_toi`: the first contact is later than 0, but no later than about the least
    ///   double.
    ///
    /// There is no search and no budget to run out, so `inclusion`, `method`, `max_boxes` and the
    /// tolerances in space have no influence.
    ///
    /// Where error bounds do not decide, integers of any size do. Such a query allocates memory and
    /// takes some twenty times as long: a millisecond at most, with the most extreme coordinates.
    ///
    /// ```
    /// use patch_ccd::{Options, Outcome, edge_edge};
    /// use nalgebra::point;
    /// // Two edges pass each other: the second one ends beside the first, by a tenth of the
    /// // smallest distance that a double of its size can tell.
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
            shrink_separation: None,
            max_boxes: 1_000_000,
            no_zero_toi: false,
            exact: false,
        }
    }
}

/// The least δ, 2⁻⁴⁰. Parameters then still have twelve bits to spare.
pub const LEAST_DELTA: f64 = 1.0 / (1_u64 << 40) as f64;

/// The largest budget. Sub-patches are numbered in 32 bits, and a subdivision makes four of them.
const MOST_BOXES: u64 = 1 << 30;

/// How closely a query bounds a distance, and how hard it tries.
///
/// ```
/// use patch_ccd::DistanceOptions;
/// // Contact forces act up to a millimetre: what is farther need only be known to be.
/// let options = DistanceOptions {
///     max_distance: 1e-3,
///     tolerance: 1e-7,
///     ..DistanceOptions::default()
/// };
/// assert_eq!(options.relative_tolerance, 1e-6);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DistanceOptions {
    /// Tolerance in the unit of the coordinates, or 0 for none: the search ends when upper and
    /// lower bound differ by no more than this. Default 0.
    ///
    /// It says how much less than the distance of the closest points that were found the true
    /// distance may be. Those points themselves come from a local solve, which mostly goes on to
    /// rounding, whatever the tolerance. If the larger one of both tolerances is less than some
    /// roundings of the coordinates, these take its place.
    pub tolerance: f64,
    /// Tolerance as a fraction of the size of the scene, from 0 to 1. Default 1e-6.
    ///
    /// The larger one of both tolerances counts. The size is the longest side of the bounding box
    /// of the control points of both patches; in a mesh, of the two patches of each pair.
    pub relative_tolerance: f64,
    /// The largest distance of interest, or ∞ for no limit. Default ∞. The search ends once the
    /// distance is proven to be larger.
    pub max_distance: f64,
    /// The budget: how many boxes may be tested at most, from 1 to 2³⁰. Default 1 000 000.
    ///
    /// It bounds the time of a query, as does [`Options::max_boxes`], and its memory, as each box
    /// takes up to 110 bytes. If it runs out, the outcome says so and has a lower bound that is
    /// proven all the same.
    pub max_boxes: u64,
    /// The kind of bounding boxes that are compared. Default [`Inclusion::Obb`]; with axis-aligned
    /// boxes a small tolerance takes far more of them.
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

    /// The options of a search for a contact at t = 0, as far as a search for the distance shares
    /// them.
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
        if let Some(share) = self.shrink_separation
            && !(share > 0.0 && share < 1.0)
        {
            return fail("shrink_separation", share, "above 0 and below 1");
        }
        if !(1..=MOST_BOXES).contains(&self.max_boxes) {
            return fail("max_boxes", self.max_boxes as f64, "from 1 to 2^30");
        }
        Ok(())
    }
}
