//! What is conserved, but for what damping, friction and impacts take.

use nalgebra::Vector3;

use super::probes::Probes;
use super::{Simulation, StepError};

/// Energies, J.
#[derive(Clone, Copy, Debug, Default)]
pub struct Energy {
    pub kinetic: f64,
    pub elastic: f64,
    pub gravity: f64,
    pub cushion: f64,
}

impl Energy {
    pub fn total(&self) -> f64 {
        self.kinetic + self.elastic + self.gravity + self.cushion
    }
}

impl Simulation {
    pub fn energy(&self) -> Result<Energy, StepError> {
        let momentum = self.mass.times(&self.pattern, &self.velocity);
        let moving = momentum.iter().zip(&self.velocity);
        let gravity = self.weights.iter().zip(&self.q);
        let probes = Probes::new(
            &self.surfaces,
            &self.q,
            &vec![Vector3::zeros(); self.q.len()],
            &self.settings.contact,
            self.detector.separations,
        )?;
        let presses = probes.presses(&self.surfaces, &self.q, &self.settings.contact)?;
        Ok(Energy {
            kinetic: 0.5 * moving.map(|(p, v)| p.dot(v)).sum::<f64>(),
            elastic: self.surfaces.sheet.elastic_energy(&self.q),
            gravity: -gravity
                .map(|(mass, q)| mass * self.settings.gravity.dot(q))
                .sum::<f64>(),
            cushion: presses.iter().map(|press| press.energy(&self.q)).sum(),
        })
    }

    pub fn momentum(&self) -> Vector3<f64> {
        let moving = self.weights.iter().zip(&self.velocity);
        moving.fold(Vector3::zeros(), |sum, (mass, v)| sum + v * *mass)
    }
}
