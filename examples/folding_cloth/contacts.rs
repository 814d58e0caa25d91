//! The response to contacts: impulses that keep what was found to touch apart until the end of the
//! step, with friction.
//!
//! A contact is kept for all passes of a step. Each pass sweeps over all of them, so that an impulse
//! that another one makes superfluous is taken back (projected Gauss–Seidel).

use nalgebra::{Point3, Vector3};
use patch_ccd::mesh::{Mesh, PairOutcome};

/// Sweeps over all contacts in a pass.
const SWEEPS: usize = 30;
const FRICTION: f64 = 0.3;
/// How much farther apart than the separation a pair shall be in the end, as a share of the
/// separation that the elements have: so the next step begins a little outside.
const PUSH: f64 = 0.1;

/// A contact of the cloth with itself or with something of a given velocity.
pub(crate) struct Contact {
    /// The vertices of the cloth, and how much of each: of the other side with a minus.
    weights: Vec<(usize, f64)>,
    normal: Vector3<f64>,
    /// The velocity of the other side, if it is not cloth.
    other: Vector3<f64>,
    /// How fast the two must part along the normal, to be far enough apart at the end of the step.
    least: f64,
    impulse: f64,
    friction: Vector3<f64>,
}

impl Contact {
    /// The contact of a pair whose elements have the separation `separation`. `other`: the velocity
    /// of the second mesh, if that is not the cloth itself. `None` if there is no contact, since a
    /// budget ended.
    pub(crate) fn new(
        pair: &PairOutcome,
        cloth: Mesh<'_>,
        points: &[Point3<f64>],
        other: Option<Vector3<f64>>,
        separation: f64,
        dt: f64,
    ) -> Option<Self> {
        let contact = pair.outcome.contact()?;
        let apart = contact.points[0] - contact.points[1];
        let normal = apart.try_normalize(0.0)?;
        let corners = |side: usize| {
            let (u, v) = contact.parameters[side];
            let corners = cloth.points_of(pair.elements[side]).iter();
            let shares = match corners.len() {
                1 => [1.0, 0.0, 0.0],
                2 => [1.0 - u, u, 0.0],
                _ => [1.0 - u - v, u, v],
            };
            corners.map(|&at| at as usize).zip(shares)
        };
        let mut weights: Vec<_> = corners(0).collect();
        if other.is_none() {
            weights.extend(corners(1).map(|(at, share)| (at, -share)));
        }
        // Where the two points were at the start of the step.
        let now: Vector3<f64> = match other {
            None => weights
                .iter()
                .map(|&(at, share)| points[at].coords * share)
                .sum(),
            Some(velocity) => {
                let own: Vector3<f64> = weights
                    .iter()
                    .map(|&(at, share)| points[at].coords * share)
                    .sum();
                own - (contact.points[1].coords - contact.time * velocity)
            }
        };
        let goal = pair.outcome.separation() + PUSH * separation;
        Some(Self {
            weights,
            normal,
            other: other.unwrap_or_default(),
            least: (goal - now.dot(&normal)) / dt,
            impulse: 0.0,
            friction: Vector3::zeros(),
        })
    }

    fn speed(&self, velocities: &[Vector3<f64>]) -> Vector3<f64> {
        let own: Vector3<f64> = self
            .weights
            .iter()
            .map(|&(at, share)| velocities[at] * share)
            .sum();
        own - self.other
    }

    fn push(&self, velocities: &mut [Vector3<f64>], impulse: Vector3<f64>) {
        for &(at, share) in &self.weights {
            velocities[at] += impulse * share;
        }
    }

    /// Brings the two apart as fast as they must, or takes back what is too much.
    fn solve(&mut self, velocities: &mut [Vector3<f64>]) {
        let mobility: f64 = self.weights.iter().map(|(_, share)| share * share).sum();
        let missing = self.least - self.speed(velocities).dot(&self.normal);
        let impulse = (self.impulse + missing / mobility).max(0.0);
        self.push(velocities, self.normal * (impulse - self.impulse));
        self.impulse = impulse;

        let speed = self.speed(velocities);
        let sliding = speed - self.normal * speed.dot(&self.normal);
        let mut friction = self.friction - sliding / mobility;
        let most = FRICTION * self.impulse;
        if friction.norm() > most {
            friction *= most / friction.norm();
        }
        self.push(velocities, friction - self.friction);
        self.friction = friction;
    }
}

/// One pass of the response.
pub(crate) fn respond(contacts: &mut [Contact], velocities: &mut [Vector3<f64>]) {
    for _ in 0..SWEEPS {
        contacts
            .iter_mut()
            .for_each(|contact| contact.solve(velocities));
    }
}
