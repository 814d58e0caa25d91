//! One step: proposals, what they run into, and what is accepted.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use nalgebra::{Point3, Vector3};

use super::ccd::{Hit, Hits};
use super::contact::{Friction, Press};
use super::link::Link;
use super::objective::{Minimum, Objective};
use super::probes::Probes;
use super::{Simulation, StepError, structure};
use crate::shell::{KINDS, StepStart};

/// A point where bodies press on each other.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    pub point: Point3<f64>,
    /// On the sheet, N.
    pub force: Vector3<f64>,
}

/// What a step was like.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Proposals, in all pieces.
    pub passes: usize,
    /// Pieces that it was cut into.
    pub pieces: usize,
    /// Time that could not be gone, s.
    pub lost: f64,
    pub newton: usize,
    /// Proposals whose minimisation did not come to rest.
    pub unfinished: usize,
    /// Impacts that collision detection found.
    pub impacts: usize,
    pub marks: Vec<Mark>,
    /// Collision detection of the sheet with the solid, and with itself.
    pub ccd: [Duration; 2],
    pub solver: Duration,
    /// Work of the fixed unknowns, J.
    pub pins_work: f64,
}

impl Simulation {
    /// Goes on by `dt` seconds. `pins` says how fast pinned nodes move.
    pub fn step(
        &mut self,
        dt: f64,
        pins: impl Fn(usize) -> Vector3<f64>,
    ) -> Result<Report, StepError> {
        let mut report = Report::default();
        let before = self.detector.spent;
        // What is less than this is the rounding of the sum of pieces.
        let least = 1e-9 * dt;
        let mut left = dt;
        while left > least && report.pieces < self.settings.cuts {
            let gone = self.advance(left, &pins, &mut report)?;
            left -= gone;
            report.pieces += 1;
            if gone == 0.0 {
                // It would be the same again.
                break;
            }
        }
        report.lost = if left > least { left } else { 0.0 };
        self.time += dt;
        report.ccd = [0, 1].map(|k| self.detector.spent[k] - before[k]);
        Ok(report)
    }

    /// Goes on by `dt` or, if no proposal is free, as far as the last one was; returns by how much.
    ///
    /// Implicit Euler steps lose energy where the potential is convex, and what is linear in
    /// between lies below both ends then. A shell's potential is not convex everywhere, so that
    /// energy does not grow is what runs check, not what is proven.
    fn advance(
        &mut self,
        dt: f64,
        pins: &impl Fn(usize) -> Vector3<f64>,
        report: &mut Report,
    ) -> Result<f64, StepError> {
        let timer = Instant::now();
        let mut guess: Vec<_> = self
            .q
            .iter()
            .zip(&self.velocity)
            .map(|(q, v)| q + v * dt)
            .collect();
        for (k, guess) in guess.iter_mut().enumerate() {
            if self.fixed[k] {
                let by = if k % KINDS == 0 {
                    pins(k / KINDS) * dt
                } else {
                    Vector3::zeros()
                };
                *guess = self.q[k] + by;
            }
        }
        let way: Vec<_> = guess
            .iter()
            .zip(&self.q)
            .map(|(guess, q)| guess - q)
            .collect();
        let probes = Probes::new(
            &self.surfaces,
            &self.q,
            &way,
            &self.settings.contact,
            self.detector.separations,
        )?;
        let resting = probes.presses(&self.surfaces, &self.q, &self.settings.contact)?;
        let friction = |press: &Press| Friction::new(press, &self.q, &self.settings.contact, dt);
        let mut frictions: Vec<_> = resting.iter().filter_map(friction).collect();
        let cushions = frictions.len();
        let strains = self
            .surfaces
            .sheet
            .start_step(&self.q, self.settings.viscosity, dt);
        report.solver += timer.elapsed();

        let mut impacts: Vec<Press> = Vec::new();
        let mut proposals = 0;
        // Impacts whose friction counts.
        let mut rubbed = 0;
        let (minimum, fraction) = loop {
            proposals += 1;
            let timer = Instant::now();
            let minimum = self.propose(guess, dt, &strains, &probes, &impacts, &frictions)?;
            report.solver += timer.elapsed();
            report.newton += minimum.iterations;
            report.unfinished += usize::from(minimum.last_step > 1e-6);
            let Hits { free, hits } = self.detector.hits(&self.surfaces, [&self.q, &minimum.q])?;
            let last = proposals >= self.settings.passes;
            if free >= 1.0 && (last || rubbed == impacts.len()) {
                break (minimum, 1.0);
            }
            let flies = proposals == 1 && free * self.farthest(&minimum.q) > self.settings.flight;
            if free < 1.0 && (last || hits.is_empty() || flies) {
                // Not quite as far: at the separation itself the next step would start in contact.
                break (minimum, 0.9 * free);
            }
            // Friction of the impacts that this proposal knew: how deep it goes through others is
            // no measure of their load.
            frictions.truncate(cushions);
            let friction =
                |press: &Press| Friction::new(press, &minimum.q, &self.settings.contact, dt);
            frictions.extend(impacts.iter().filter_map(friction));
            rubbed = impacts.len();
            report.impacts += hits.len();
            impacts.extend(hits.iter().filter_map(|hit| self.constraint(hit)));
            guess = minimum.q;
        };
        report.passes += proposals;
        let Minimum {
            q,
            reactions,
            presses,
            ..
        } = minimum;
        for (k, reaction) in reactions.iter().enumerate().filter(|(k, _)| self.fixed[*k]) {
            report.pins_work += fraction * reaction.dot(&(q[k] - self.q[k]));
        }
        report.marks = presses
            .iter()
            .chain(&impacts)
            .filter(|press| press.load(&q) > 0.0)
            .map(|press| press.mark(&q))
            .collect();
        for (k, end) in q.into_iter().enumerate() {
            let way = end - self.q[k];
            let faster = way / dt - self.velocity[k];
            // The end as it was tested or, to a rounding, a place on the way to it that is clear of
            // the first contact.
            self.q[k] = if fraction < 1.0 {
                self.q[k] + way * fraction
            } else {
                end
            };
            self.velocity[k] += faster * fraction;
        }
        Ok(dt * fraction)
    }

    /// How far positions are from where they are now, at most.
    fn farthest(&self, q: &[Vector3<f64>]) -> f64 {
        let ways = q.iter().zip(&self.q).step_by(KINDS);
        ways.map(|(end, start)| (end - start).norm())
            .fold(0.0, f64::max)
    }

    fn propose(
        &mut self,
        guess: Vec<Vector3<f64>>,
        dt: f64,
        strains: &StepStart,
        probes: &Probes,
        impacts: &[Press],
        frictions: &[Friction],
    ) -> Result<Minimum, StepError> {
        let pressed = impacts.iter().map(|press| press.link.nodes.to_vec());
        let groups: BTreeSet<_> = probes.groups(&self.surfaces).chain(pressed).collect();
        if !groups.iter().all(|nodes| self.pattern.couples(nodes)) {
            // What was coupled before and is no more is dropped.
            (self.pattern, self.mass) = structure(&self.surfaces, &groups)?;
        }
        let weight: Vec<_> = self
            .weights
            .iter()
            .map(|mass| self.settings.gravity * *mass)
            .collect();
        let objective = Objective {
            surfaces: &self.surfaces,
            settings: &self.settings,
            pattern: &self.pattern,
            mass: &self.mass,
            weight: &weight,
            fixed: &self.fixed,
            start: &self.q,
            velocity: &self.velocity,
            dt,
            strains,
            probes,
            impacts,
            frictions,
        };
        objective.minimise(guess)
    }

    /// Keeps two places that would come too near apart: halfway into the cushion or, if they are
    /// nearer, where they are. Next to the separation itself they are pushed out a little, since a
    /// step that starts there has nowhere to go.
    fn constraint(&self, hit: &Hit) -> Option<Press> {
        let normal = hit.apart.try_normalize(0.0)?;
        let [a, b] = hit.places.map(|place| self.surfaces.site(place));
        let link = Link::new(&a, &b);
        let now = normal.dot(&link.apart(&self.q));
        let cushion = self.settings.contact.cushion;
        Some(Press {
            rest: now
                .min(hit.separation + 0.5 * cushion)
                .max(hit.separation + 0.01 * cushion),
            normal,
            stiffness: self.settings.contact.impact_stiffness,
            link,
            at: hit.point,
        })
    }
}

impl Press {
    fn mark(&self, q: &[Vector3<f64>]) -> Mark {
        Mark {
            point: self.at.into(),
            force: self.normal * self.load(q),
        }
    }
}
