//! The answers to a query, and what each of them guarantees.

use nalgebra::{Point3, Vector3};

use crate::counters::Counters;
use crate::geometry::Shape;

/// Where two patches meet.
///
/// If a local solve found the contact, it is accurate to rounding of the largest coordinate or
/// displacement. Otherwise it is the middle of the box that the search accepted. In exact mode it
/// is the pair of nearest points at `toi_upper`.
///
/// It is a place where the patches may be in contact as far as the tolerances tell, not the closest
/// such place. If they overlap, or are closer than the minimum separation over a whole area, it is
/// one place of many.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// The shapes of the two patches.
    pub shapes: [Shape; 2],
    /// The parameters (u, v) on each patch, as a local solve or exact mode found them. Otherwise
    /// they are the centre of the accepted part of a tensor-product patch, or the centroid of the
    /// accepted part of a triangular one.
    pub parameters: [(f64, f64); 2],
    /// The time at which the points are there: `toi_upper` if a local solve or exact mode found the
    /// contact, otherwise `toi`; 0 if the patches are in contact at the start.
    pub time: f64,
    /// The two surface points at that time.
    pub points: [Point3<f64>; 2],
    /// The unit normals at these points, each on the side of ∂S/∂u × ∂S/∂v of its patch. Where that
    /// product vanishes, at a pole for instance, it is the limit of the normals around, if they
    /// have one. `None` where they have none, as at the tip of a cone; where the coordinates are
    /// too inaccurate to tell; and for a curve or a vertex on a patch. See
    /// [`Patch::normal`](crate::geometry::Patch::normal).
    ///
    /// For two curves or edges both normals are the direction of (first) × (second), of their
    /// directions of rising u. `None` if they are parallel there as far as the coordinates tell.
    pub normals: [Option<Vector3<f64>>; 2],
    /// The unit vector from the first point to the second one: with a minimum separation, the
    /// direction to push in. It is right to rounding, whether or not a local solve found the
    /// contact. `None` where the points coincide to rounding, as without a separation.
    pub direction: Option<Vector3<f64>>,
    /// The distance of the two points. It is computed relative to the middle of the two patches, so
    /// far from the origin it is more accurate than `points`.
    pub residual: f64,
}

impl Contact {
    /// The barycentric coordinates (1 − u − v, u, v) of the contact on patch `side` (0 or 1), if
    /// that is a triangle. `None` for an edge, whose barycentric coordinates are (1 − u, u), and
    /// for a vertex.
    pub fn barycentric(&self, side: usize) -> Option<[f64; 3]> {
        self.shapes
            .get(side)?
            .barycentric(*self.parameters.get(side)?)
    }

    pub(crate) fn swapped(self) -> Self {
        let swap = |[a, b]: [_; 2]| [b, a];
        Self {
            shapes: [self.shapes[1], self.shapes[0]],
            time: self.time,
            parameters: [self.parameters[1], self.parameters[0]],
            points: [self.points[1], self.points[0]],
            normals: swap(self.normals),
            direction: self.direction.map(|direction| -direction),
            residual: self.residual,
        }
    }
}

/// The answer to a query, and what it guarantees.
///
/// "Contact" means that the distance is at most the `separation` of the outcome: what was asked for
/// or, for a pair that starts nearer, what
/// [`Options::shrink_separation`](crate::Options::shrink_separation) made of it. Whatever is called
/// unproven here is decided exactly with [`Options::exact`](crate::Options::exact), for the queries
/// to which that applies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// Proven: there is no contact in [0, t_max].
    Clear {
        /// The separation that is kept.
        separation: f64,
        /// What the search did.
        counters: Counters,
    },
    /// The patches are in contact at t = 0, or so close to it that they could not be proven clear
    /// there at the tolerances δ and ε.
    ContactAtStart {
        /// The contact.
        contact: Contact,
        /// The separation: the distance at which patches count as in contact.
        separation: f64,
        /// What the search did.
        counters: Counters,
    },
    /// There is a contact that could not be ruled out at the tolerances δ and ε. It is proven that
    /// none is earlier than `toi`.
    Impact {
        /// Proven lower bound on the time of impact: there is no contact in [0, toi).
        toi: f64,
        /// With [`Method::TwoSided`](crate::Method), if a local solve found the contact: an upper
        /// bound on the time of impact, up to rounding of the contact's points. In exact mode: a
        /// proven upper bound. Otherwise: the end of the accepted box's interval of time, which is
        /// no bound.
        toi_upper: f64,
        /// The contact.
        contact: Contact,
        /// The separation: the distance at which patches count as in contact.
        separation: f64,
        /// What the search did.
        counters: Counters,
    },
    /// The search ended early, because the budget of boxes ran out or, with `no_zero_toi`, because
    /// doubles have no more accuracy. It is proven all the same that there is no contact in [0,
    /// toi).
    BudgetExhausted {
        /// Proven lower bound on the time of impact.
        toi: f64,
        /// The nearest pair of points found so far, at the [`time`](Contact::time) at which they
        /// are there: a contact, if a local solve found one. Otherwise they need not come into
        /// contact. `None` if the budget ended before the search looked anywhere.
        nearest: Option<Contact>,
        /// The separation that is kept in [0, toi).
        separation: f64,
        /// What the search did.
        counters: Counters,
    },
}

impl Outcome {
    /// The proven lower bound on the time of impact. It is 0 if the patches are in contact at the
    /// start, and `None` if there is no contact within the horizon.
    pub fn toi(&self) -> Option<f64> {
        match *self {
            Self::Clear { .. } => None,
            Self::ContactAtStart { .. } => Some(0.0),
            Self::Impact { toi, .. } | Self::BudgetExhausted { toi, .. } => Some(toi),
        }
    }

    /// The contact, if one was found.
    pub fn contact(&self) -> Option<&Contact> {
        match self {
            Self::ContactAtStart { contact, .. } | Self::Impact { contact, .. } => Some(contact),
            Self::Clear { .. } | Self::BudgetExhausted { .. } => None,
        }
    }

    /// The contact or, if the budget ended first, the nearest pair of points found so far.
    pub fn nearest(&self) -> Option<&Contact> {
        match self {
            Self::BudgetExhausted { nearest, .. } => nearest.as_ref(),
            _ => self.contact(),
        }
    }

    /// The distance at which patches count as in contact, in the unit of the coordinates: what was
    /// asked for or, with [`Options::shrink_separation`](crate::Options::shrink_separation) and a
    /// pair that starts nearer, less than that.
    ///
    /// Of a pair of meshes it includes the half thickness of both elements.
    pub fn separation(&self) -> f64 {
        match *self {
            Self::Clear { separation, .. }
            | Self::ContactAtStart { separation, .. }
            | Self::Impact { separation, .. }
            | Self::BudgetExhausted { separation, .. } => separation,
        }
    }

    /// What the search did.
    pub fn counters(&self) -> &Counters {
        match self {
            Self::Clear { counters, .. }
            | Self::ContactAtStart { counters, .. }
            | Self::Impact { counters, .. }
            | Self::BudgetExhausted { counters, .. } => counters,
        }
    }

    pub(crate) fn counters_mut(&mut self) -> &mut Counters {
        match self {
            Self::Clear { counters, .. }
            | Self::ContactAtStart { counters, .. }
            | Self::Impact { counters, .. }
            | Self::BudgetExhausted { counters, .. } => counters,
        }
    }

    /// The outcome of the same query with the two patches in the other order.
    #[must_use]
    pub fn swapped(mut self) -> Self {
        if let Self::ContactAtStart { contact, .. }
        | Self::Impact { contact, .. }
        | Self::BudgetExhausted {
            nearest: Some(contact),
            ..
        } = &mut self
        {
            *contact = contact.swapped();
        }
        self
    }
}
