//! One implicit Euler step as a minimisation: inertia, elasticity, viscosity, gravity, cushion,
//! impacts and friction.

use nalgebra::Vector3;

use super::contact::{Friction, Press};
use super::probes::Probes;
use super::surfaces::Surfaces;
use super::{Settings, StepError};
use crate::shell::{Matrix, NotPositive, Part, Pattern, StepStart};

/// The potential whose least value is the end of a step.
pub(super) struct Objective<'a> {
    pub(super) surfaces: &'a Surfaces,
    pub(super) settings: &'a Settings,
    pub(super) pattern: &'a Pattern,
    pub(super) mass: &'a Matrix,
    /// Mass times gravity, for each unknown.
    pub(super) weight: &'a [Vector3<f64>],
    pub(super) fixed: &'a [bool],
    pub(super) start: &'a [Vector3<f64>],
    pub(super) velocity: &'a [Vector3<f64>],
    pub(super) dt: f64,
    pub(super) strains: &'a StepStart,
    pub(super) probes: &'a Probes,
    pub(super) impacts: &'a [Press],
    pub(super) frictions: &'a [Friction],
}

/// How a minimisation went.
#[derive(Clone, Debug)]
pub(super) struct Minimum {
    pub(super) q: Vec<Vector3<f64>>,
    /// The force that holds the fixed unknowns.
    pub(super) reactions: Vec<Vector3<f64>>,
    pub(super) presses: Vec<Press>,
    pub(super) iterations: usize,
    /// The last step, m.
    pub(super) last_step: f64,
}

/// Newton steps below this length, in metres, end a minimisation.
const SMALL_STEP: f64 = 1e-9;

/// Newton steps at most.
const ITERATIONS: usize = 60;

impl Objective<'_> {
    fn change(&self, q: &[Vector3<f64>]) -> Vec<Vector3<f64>> {
        q.iter()
            .zip(self.start)
            .map(|(q, start)| q - start)
            .collect()
    }

    /// The factor of inertia and air drag, which are ½ factor |q − start|² − (q − start)·v/dt in
    /// the measure of mass.
    fn inertia(&self) -> f64 {
        (1.0 + self.settings.air_drag * self.dt) / (self.dt * self.dt)
    }

    fn value(&self, q: &[Vector3<f64>], presses: &[Press]) -> f64 {
        let change = self.change(q);
        let by_mass = self.mass.times(self.pattern, &change);
        let factor = self.inertia();
        let mut value = self.surfaces.sheet.potential(q, self.strains);
        for (k, by_mass) in by_mass.iter().enumerate() {
            value += by_mass.dot(&(change[k] * (0.5 * factor) - self.velocity[k] / self.dt));
            value -= self.weight[k].dot(&change[k]);
        }
        let pressed = presses.iter().chain(self.impacts);
        value += pressed.map(|press| press.energy(q)).sum::<f64>();
        let rubbed = self.frictions.iter();
        value + rubbed.map(|friction| friction.energy(&change)).sum::<f64>()
    }

    /// How far a step takes the surfaces' control points, at most, m.
    fn longest(&self, step: &[Vector3<f64>]) -> Result<f64, StepError> {
        // A net is linear in the unknowns.
        let net = self.surfaces.sheet_net(step)?;
        let ways = net.iter().map(|way| way.coords.norm());
        let solid = self.surfaces.solid_displacement(step).norm();
        Ok(ways.fold(solid, f64::max))
    }

    fn presses(&self, q: &[Vector3<f64>]) -> Result<Vec<Press>, StepError> {
        Ok(self
            .probes
            .presses(self.surfaces, q, &self.settings.contact)?)
    }

    fn derivatives(
        &self,
        q: &[Vector3<f64>],
        presses: &[Press],
        part: Part,
    ) -> (Vec<Vector3<f64>>, Matrix) {
        let change = self.change(q);
        let factor = self.inertia();
        let inertial: Vec<_> = change
            .iter()
            .zip(self.velocity)
            .map(|(change, velocity)| change * factor - velocity / self.dt)
            .collect();
        let mut gradient = self.mass.times(self.pattern, &inertial);
        for (gradient, weight) in gradient.iter_mut().zip(self.weight) {
            *gradient -= weight;
        }
        let mut matrix = Matrix::zeros(self.pattern);
        matrix.add(self.mass, factor);
        self.surfaces.sheet.add_derivatives(
            q,
            self.strains,
            part,
            &mut gradient,
            self.pattern,
            &mut matrix,
        );
        for press in presses.iter().chain(self.impacts) {
            if let Some((by, twice)) = press.derivatives(q) {
                press
                    .link
                    .add(&by, &twice, &mut gradient, self.pattern, &mut matrix);
            }
        }
        for friction in self.frictions {
            let (by, twice) = friction.derivatives(&change);
            friction
                .link()
                .add(&by, &twice, &mut gradient, self.pattern, &mut matrix);
        }
        (gradient, matrix)
    }

    /// Newton's method with a line search, from `q`, whose fixed unknowns are where they are to be.
    pub(super) fn minimise(&self, mut q: Vec<Vector3<f64>>) -> Result<Minimum, StepError> {
        let mut presses = self.presses(&q)?;
        let mut value = self.value(&q, &presses);
        let mut iterations = 0;
        let mut last_step;
        let reactions = loop {
            iterations += 1;
            let mut direction = None;
            let mut reactions = Vec::new();
            for part in [Part::Whole, Part::Positive] {
                let (gradient, mut matrix) = self.derivatives(&q, &presses, part);
                let free: Vec<_> = gradient
                    .iter()
                    .zip(self.fixed)
                    .map(|(by, fixed)| if *fixed { Vector3::zeros() } else { -by })
                    .collect();
                matrix.fix(self.pattern, self.fixed);
                reactions = gradient;
                match matrix.solve(self.pattern, &free) {
                    Ok(step) => {
                        let slope: f64 = step.iter().zip(&free).map(|(a, b)| -a.dot(b)).sum();
                        direction = Some((step, slope));
                        break;
                    }
                    Err(NotPositive) => continue,
                }
            }
            let Some((step, slope)) = direction else {
                return Err(StepError::Singular);
            };
            let length = self.longest(&step)?;
            last_step = length;
            let mut fraction = 1.0;
            let mut moved = false;
            // Below this the values' own rounding decides.
            let noise = 1e-13 * value.abs().max(1e-6);
            for _ in 0..40 {
                let next: Vec<_> = q.iter().zip(&step).map(|(q, s)| q + s * fraction).collect();
                let next_presses = self.presses(&next)?;
                let next_value = self.value(&next, &next_presses);
                if next_value <= value + 1e-4 * fraction * slope + noise {
                    (q, presses, value) = (next, next_presses, next_value);
                    moved = true;
                    break;
                }
                fraction *= 0.5;
            }
            if !moved || length < SMALL_STEP || iterations >= ITERATIONS {
                break reactions;
            }
        };
        Ok(Minimum {
            q,
            reactions,
            presses,
            iterations,
            last_step,
        })
    }
}
