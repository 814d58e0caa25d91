//! Forces between the bodies: an elastic cushion, unilateral constraints where the collision
//! detection found an impact, and friction.
//!
//! The cushion is what bodies rest on: it begins a little outside the separation that is never
//! undercut. It acts on sample points of either body, each against the nearest point of the other
//! one's true surface, so that its energy is a function of the unknowns alone. What samples miss is
//! left to impacts: such a point is kept from coming any nearer than it is, which takes energy.
//! Only where it is next to the separation already it is pushed out, by a hundredth of the cushion.

use nalgebra::{Matrix3, Vector3};

use super::link::Link;

/// What contact is made of.
#[derive(Clone, Copy, Debug)]
pub struct Contact {
    /// Thickness of the cushion beyond the separation, m.
    pub cushion: f64,
    /// Force to compression of the cushion at a sample, N/m: with more samples it is stiffer.
    pub stiffness: f64,
    /// How far beyond the cushion samples are followed through a step, m.
    pub reach: f64,
    /// Force to compression where an impact was found, N/m.
    pub impact_stiffness: f64,
    /// Coulomb's coefficient.
    pub friction: f64,
    /// Below this speed, m/s, friction grows with it from zero.
    pub creep: f64,
}

/// One point held off another: pressed while their distance along the normal is below `rest`.
#[derive(Clone, Debug)]
pub(super) struct Press {
    pub link: Link,
    /// From b to a.
    pub normal: Vector3<f64>,
    pub rest: f64,
    /// N/m.
    pub stiffness: f64,
    /// Where it is.
    pub at: Vector3<f64>,
}

impl Press {
    fn depth(&self, q: &[Vector3<f64>]) -> f64 {
        (self.rest - self.normal.dot(&self.link.apart(q))).max(0.0)
    }

    pub(super) fn energy(&self, q: &[Vector3<f64>]) -> f64 {
        let depth = self.depth(q);
        0.5 * self.stiffness * depth * depth
    }

    /// The force on a along the normal.
    pub(super) fn load(&self, q: &[Vector3<f64>]) -> f64 {
        self.stiffness * self.depth(q)
    }

    /// First and second derivative by a − b, if it presses. Of the second the part that is
    /// positive: how a curved surface turns its normal away is left out.
    pub(super) fn derivatives(&self, q: &[Vector3<f64>]) -> Option<(Vector3<f64>, Matrix3<f64>)> {
        let load = self.load(q);
        (load > 0.0).then(|| {
            let along = self.normal * self.normal.transpose();
            (self.normal * -load, along * self.stiffness)
        })
    }
}

/// Friction over a step: a potential of the way that two points slide along each other, for the
/// load that they had last.
#[derive(Clone, Debug)]
pub(super) struct Friction {
    link: Link,
    normal: Vector3<f64>,
    /// Coefficient · load, N.
    most: f64,
    /// Way below which the force grows from zero, m.
    creep: f64,
}

impl Friction {
    pub(super) fn new(
        press: &Press,
        q: &[Vector3<f64>],
        contact: &Contact,
        dt: f64,
    ) -> Option<Self> {
        let most = contact.friction * press.load(q);
        (most > 0.0).then(|| Self {
            link: press.link.clone(),
            normal: press.normal,
            most,
            creep: contact.creep * dt,
        })
    }

    fn way(&self, change: &[Vector3<f64>]) -> Vector3<f64> {
        let way = self.link.change(change);
        way - self.normal * self.normal.dot(&way)
    }

    pub(super) fn link(&self) -> &Link {
        &self.link
    }

    /// What it takes to slide by a change of the unknowns.
    pub(super) fn energy(&self, change: &[Vector3<f64>]) -> f64 {
        let way = self.way(change).norm();
        if way < self.creep {
            0.5 * self.most * way * way / self.creep
        } else {
            self.most * (way - 0.5 * self.creep)
        }
    }

    pub(super) fn derivatives(&self, change: &[Vector3<f64>]) -> (Vector3<f64>, Matrix3<f64>) {
        let way = self.way(change);
        let length = way.norm();
        let across = Matrix3::identity() - self.normal * self.normal.transpose();
        if length < self.creep {
            let factor = self.most / self.creep;
            (way * factor, across * factor)
        } else {
            let along = way / length;
            let turn = (across - along * along.transpose()) * (self.most / length);
            (along * self.most, turn)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::link::Site;
    use nalgebra::vector;

    /// Two points, each one unknown; slid along each other by so much.
    fn friction(creep: f64) -> Friction {
        let site = |index, weight| Site {
            offset: Vector3::zeros(),
            terms: [(index, weight)].into_iter().collect(),
        };
        Friction {
            link: Link::new(&site(0, 1.0), &site(4, 0.5)),
            normal: vector![2.0, -1.0, 2.0] / 3.0,
            most: 0.7,
            creep,
        }
    }

    #[test]
    fn friction_is_what_its_potential_says() {
        let change = |x: f64| {
            let mut change = vec![Vector3::zeros(); 8];
            change[0] = vector![0.3, 0.1, -0.2] + x * vector![0.4, 0.2, -0.7];
            change[4] = vector![0.2, 0.5, 0.1] + x * vector![-0.6, 0.1, 0.9];
            change
        };
        let along = vector![0.4, 0.2, -0.7] - 0.5 * vector![-0.6, 0.1, 0.9];
        // It grows from zero over this way, or is Coulomb's from a tenth of it on.
        for creep in [0.05, 5.0] {
            let friction = friction(creep);
            let (by, twice) = friction.derivatives(&change(0.0));
            assert!(by.dot(&friction.normal).abs() < 1e-15 && by.norm() <= 0.7 + 1e-15);
            let step = 1e-6;
            let [below, above] = [-step, step].map(change);
            let slope = (friction.energy(&above) - friction.energy(&below)) / (2.0 * step);
            assert!((slope - by.dot(&along)).abs() < 1e-8, "{slope}");
            let [below, above] = [below, above].map(|change| friction.derivatives(&change).0);
            let turn: Vector3<f64> = (above - below) / (2.0 * step);
            let expected: Vector3<f64> = twice * along;
            assert!((turn - expected).norm() < 1e-7, "{turn} {expected}");
        }
    }
}
