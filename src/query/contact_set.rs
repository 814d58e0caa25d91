//! Several contacts of one pair of patches: where an edge or an area lands flat, one is not enough.

use super::workspace::contact;
use super::{Contact, Outcome, Workspace};
use crate::Error;
use crate::branch::impact::{Place, PlaceLimits};
use crate::geometry::Patch;
use crate::motion::{MotionView, Moving};
use crate::options::Options;

/// Which contacts of a pair are asked for.
///
/// ```
/// use patch_ccd::ContactSetOptions;
/// // Up to four contacts of the next millisecond, if the unit of time is the second.
/// let options = ContactSetOptions { count: 4, time_window: 1e-3, ..ContactSetOptions::default() };
/// assert_eq!(options.spacing, 0.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactSetOptions {
    /// How many contacts at most, from 1 on. Default 8.
    pub count: usize,
    /// Contacts up to this time after the first one, in the unit of time of the velocities, 0 or
    /// more; but none after [`t_max`](Options::t_max). Default ∞: the whole horizon.
    ///
    /// An edge that lands flat does so up to rounding, or up to the bend of the patches. Its
    /// contacts are found if they are no later than this.
    pub time_window: f64,
    /// How far apart two contacts are at least, measured on the first patch in the unit of the
    /// coordinates, 0 or more. Default 0: as far as goes, down to a 64th of the smaller patch.
    pub spacing: f64,
}

impl Default for ContactSetOptions {
    fn default() -> Self {
        Self {
            count: 8,
            time_window: f64::INFINITY,
            spacing: 0.0,
        }
    }
}

impl ContactSetOptions {
    /// Refuses options out of range.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let refuse = |option, value, range| {
            Err(Error::Option {
                option,
                value,
                range,
            })
        };
        if self.count == 0 {
            return refuse("count", 0.0, "1 or more");
        }
        if self.time_window.is_nan() || self.time_window < 0.0 {
            return refuse("time_window", self.time_window, "0 or more");
        }
        if !(self.spacing >= 0.0 && self.spacing.is_finite()) {
            return refuse("spacing", self.spacing, "0 or more, and finite");
        }
        Ok(())
    }
}

/// The answer to a query with several contacts.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactSet {
    /// The answer of [`time_of_impact`](crate::time_of_impact): the proven part.
    pub outcome: Outcome,
    /// The contact of the outcome, if it has one, and then others by their times: local first
    /// contacts, and points of lines and areas of contact. Each has its own time, and at that time
    /// its points are closest as far as one of them may move along its patch.
    ///
    /// They are well spread: there are none nearer to each other than the widest distance with
    /// which so many were found, up to a factor of two. There may be fewer than asked for, and
    /// contacts that are not in the list; nothing is proven by it.
    pub contacts: Vec<Contact>,
}

/// The first contact of two moving patches, and up to
/// [`count`](ContactSetOptions::count) contacts in all that follow within the horizon.
///
/// A simulator that takes each of them as a constraint has an edge or an area land flat at once,
/// where single contacts would have it rock from corner to corner.
///
/// # Errors
/// The same as [`time_of_impact`](crate::time_of_impact)'s, or [`Error::Option`] for `set`.
///
/// ```
/// use patch_ccd::{ContactSetOptions, Moving, Options, contact_set};
/// use patch_ccd::geometry::TensorProductPatch;
/// use nalgebra::{point, vector};
/// // A square lands flat on a floor, one thickness above it.
/// let square = |z: f64, h: f64| TensorProductPatch::new(1, 1, &[
///     point![-h, -h, z], point![-h, h, z], point![h, -h, z], point![h, h, z],
/// ]);
/// let falling = Moving::translating(square(0.5, 1.0)?, vector![0.0, 0.0, -1.0])?;
/// let floor = Moving::resting(square(0.0, 10.0)?);
/// let options = Options { min_separation: 0.25, ..Options::default() };
/// let set = ContactSetOptions { count: 4, ..ContactSetOptions::default() };
/// let found = contact_set(&falling, &floor, &options, &set)?;
/// assert_eq!(found.contacts.len(), 4);
/// for contact in &found.contacts {
///     assert!((contact.time - 0.25).abs() < 1e-6);
///     assert!((contact.direction.unwrap() - vector![0.0, 0.0, -1.0]).norm() < 1e-6);
/// }
/// # Ok::<(), patch_ccd::Error>(())
/// ```
pub fn contact_set<A: Patch, B: Patch>(
    a: &Moving<A>,
    b: &Moving<B>,
    options: &Options,
    set: &ContactSetOptions,
) -> Result<ContactSet, Error> {
    Workspace::new().contact_set(a, b, options, set)
}

impl Workspace {
    /// [`contact_set`] with this workspace's scratch space.
    ///
    /// # Errors
    /// The same as [`contact_set`]'s.
    pub fn contact_set<A: Patch, B: Patch>(
        &mut self,
        a: &Moving<A>,
        b: &Moving<B>,
        options: &Options,
        set: &ContactSetOptions,
    ) -> Result<ContactSet, Error> {
        set.check()?;
        let views = [a.view(), b.view()];
        let outcome = self.query(&views, options)?;
        let contacts = self.contacts(&views, options, set, &outcome);
        Ok(ContactSet { outcome, contacts })
    }

    /// The contacts of a pair whose outcome is known. The input must have been checked.
    pub(crate) fn contacts(
        &mut self,
        views: &[MotionView<'_>; 2],
        options: &Options,
        set: &ContactSetOptions,
        outcome: &Outcome,
    ) -> Vec<Contact> {
        let Some(&first) = outcome.contact() else {
            return Vec::new();
        };
        if set.count == 1 {
            return vec![first];
        }
        let options = &Options {
            min_separation: outcome.separation(),
            ..*options
        };
        let t_max = options.t_max;
        let fraction = |time: f64| {
            if t_max > 0.0 {
                (time / t_max).min(1.0)
            } else {
                0.0
            }
        };
        let place = Place {
            time: fraction(first.time),
            parameters: first.parameters,
        };
        // Contacts at the same time are so up to rounding.
        let together = (place.time + options.delta).min(1.0);
        let limits = PlaceLimits {
            count: set.count,
            latest: fraction(first.time + set.time_window).max(together),
            spacing: set.spacing,
        };
        let mut counters = *outcome.counters();
        let places = self
            .search
            .places(views, options, place, &limits, &mut counters);
        let others = places.iter().skip(1).map(|place| {
            let time = place.time * t_max;
            contact(views, place.parameters, time)
        });
        std::iter::once(first).chain(others).collect()
    }
}
