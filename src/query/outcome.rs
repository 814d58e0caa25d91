//! The answers to a query, and what each guarantees.

use nalgebra::{Point3, Vector3};

use crate::counters::Counters;
use crate::geometry::Shape;

/// Where two patches meet: a contact that a local solve found, to rounding of the largest coordinate or displacement, or else the middle of
/// the box accepted; in exact mode the nearest points at toi_upper.
///
/// It is a place where they may be in contact as far as the tolerances tell, not the closest one: where they overlap, or are closer than
/// the minimum separation over a whole area, it is one place of many.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// The shapes of the two patches.
    pub shapes: [Shape; 2],
    /// (u, v) on each patch: where a local solve or exact mode found the contact; otherwise the centre of the accepted part of a tensor-product
    /// patch, the centroid of that of a triangular one.
    pub parameters: [(f64, f64); 2],
    /// When the two points are there: at toi_upper if a local solve or exact mode found the contact, otherwise at toi; at 0 if in contact at the start.
    pub time: f64,
    /// The two surface points at that time.
    pub points: [Point3<f64>; 2],
    /// The unit normals there, each on the side of ∂S/∂u × ∂S/∂v of its patch; `None` where that vanishes. Of two edges both are
    /// the direction of (first edge) × (second edge), `None` when parallel.
    pub normals: [Option<Vector3<f64>>; 2],
    /// Distance of the two points.
    pub residual: f64,
}

impl Contact {
    /// The barycentric coordinates (1 − u − v, u, v) of the contact on patch `side` (0 or 1), if that is a triangle; `None` for an
    /// edge, whose barycentric coordinates are (1 − u, u), and for a vertex.
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
            residual: self.residual,
        }
    }
}

/// The answer to a query, and what it guarantees. "Contact" means: at the minimum separation or closer. What is said to be unproven here is decided
/// with [`Options::exact`](crate::Options::exact), where that applies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// Proven: no contact in [0, t_max].
    Clear {
        /// What the search did.
        counters: Counters,
    },
    /// In contact at t = 0, or so close to it that the patches at t = 0 could not be proven clear at the tolerances δ and ε.
    ContactAtStart {
        /// Where.
        contact: Contact,
        /// What the search did.
        counters: Counters,
    },
    /// A contact that could not be ruled out at the tolerances δ and ε; none is earlier than `toi`.
    Impact {
        /// Proven lower bound on the time of impact: no contact in [0, toi).
        toi: f64,
        /// With [`Method::TwoSided`](crate::Method), and where a local solve found the contact: an upper bound on the time of impact, to the
        /// rounding of the contact's points. In exact mode a proven one. Otherwise the end of the accepted box's interval of time, which is no bound.
        toi_upper: f64,
        /// Where.
        contact: Contact,
        /// What the search did.
        counters: Counters,
    },
    /// The budget of boxes ended first or, with `no_zero_toi`, the accuracy of doubles did; proven all the same: no contact in [0, toi).
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
