//! A shot in the simulator, looked at after every piece of every step.

use std::error::Error;

use nalgebra::Vector3;

use super::screen::{Screen, passes_beside};
use super::shot::Shot;
use super::target;
use crate::simulation::{Checker, Simulation};

/// Pieces of a step at most.
const PIECES: usize = 40;

/// A bullet that has less of its speed is stopped.
pub const STOPPED: f64 = 0.05;

/// How a shot ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Stopped,
    /// Thrown back, or it glanced off, with more of its speed.
    Rebounded,
    /// It touched the sheet, and went on past its border.
    Deflected,
    /// It met nothing.
    Beside,
    Tunnelled,
}

/// What a shot was like.
#[derive(Clone, Debug)]
pub struct Flight {
    pub ending: Ending,
    /// States that were accepted, and those of them that are nearer than the separation.
    pub states: usize,
    pub too_near: usize,
    /// The most proposals to a step, and the most pieces.
    pub passes: usize,
    pub pieces: usize,
    /// Time that was not gone, s.
    pub lost: f64,
    /// The least distance of the sheet from the bullet, m, as far as it was measured.
    pub nearest: f64,
    /// Speed at the end over that at first.
    pub speed: f64,
}

/// The centre of the bullet.
fn centre(simulation: &Simulation, shot: &Shot) -> Vector3<f64> {
    shot.start + simulation.surfaces.solid_displacement(&simulation.q)
}

/// Follows a shot over some steps, or `None` if it starts in contact.
pub fn fly(shot: &Shot, dt: f64, steps: usize) -> Result<Option<Flight>, Box<dyn Error>> {
    let mut simulation = target::shoot(shot)?;
    let mut checker = Checker::default();
    if !checker.check(&simulation)?.free {
        return Ok(None);
    }
    let mut flight = Flight {
        ending: Ending::Beside,
        states: 0,
        too_near: 0,
        passes: 0,
        pieces: 0,
        lost: 0.0,
        nearest: f64::INFINITY,
        speed: 1.0,
    };
    let side = |simulation: &Simulation| -> Result<Option<bool>, patch_ccd::Error> {
        let [sheet, _] = simulation.surfaces.patches(&simulation.q)?;
        Ok(Screen::new(&sheet).is_above(&centre(simulation, shot)))
    };
    let shooter = side(&simulation)?;
    let (mut above, mut touched, mut tunnelled) = (shooter, false, false);
    for _ in 0..steps {
        let (mut left, mut pieces, mut passes) = (dt, 0, 0);
        while left > 0.0 && pieces < PIECES {
            let before = centre(&simulation, shot);
            let report = simulation.step(left, |_| Vector3::zeros())?;
            left = report.lost;
            pieces += 1;
            passes += report.passes;
            touched |= report.impacts > 0 || !report.marks.is_empty();
            let check = checker.check(&simulation)?;
            flight.states += 1;
            flight.too_near += usize::from(!check.free);
            flight.nearest = flight.nearest.min(check.distances[0]);
            let now = side(&simulation)?;
            let beside = passes_beside(&before, &centre(&simulation, shot));
            // A side that could not be told counts as the wrong one.
            tunnelled |= now.is_none() || now != above.map(|above| above != beside);
            above = now;
        }
        flight.passes = flight.passes.max(passes);
        flight.pieces = flight.pieces.max(pieces);
        flight.lost += left;
    }
    flight.speed = simulation.solid_velocity().norm() / shot.velocity.norm();
    flight.ending = match (tunnelled, touched, above == shooter) {
        (true, ..) => Ending::Tunnelled,
        (_, false, _) => Ending::Beside,
        (_, _, false) => Ending::Deflected,
        _ if flight.speed < STOPPED => Ending::Stopped,
        _ => Ending::Rebounded,
    };
    Ok(Some(flight))
}
