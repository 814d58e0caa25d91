//! A cloth that hangs on two opposite corners is dragged over a torus.

use std::error::Error;
use std::process::ExitCode;

use nalgebra::{Rotation3, Vector3, point, vector};

use crate::models::{COTTON, SETTINGS, torus};
use crate::output::{Recorder, View};
use crate::run::{Arguments, run};
use crate::scenes::report;
use crate::shell::Sheet;
use crate::simulation::{Simulation, Solid};

/// Radians per second at which one corner goes around the other.
const TURN: f64 = 1.2;

/// Seconds until it has that speed.
const RAMP: f64 = 0.2;

pub(crate) fn scene(arguments: &Arguments, patches: usize) -> Result<ExitCode, Box<dyn Error>> {
    let (frames, dt) = (
        arguments.frames.unwrap_or(750),
        arguments.dt.unwrap_or(2e-3),
    );
    let (large, small, width) = (0.12, 0.05, 0.6);
    let corner = point![-0.5 * width, -0.5 * width, small + 0.02];
    let (sheet, nodes) = Sheet::flat([patches; 2], [width, width], corner, COTTON)?;
    let solid = Solid::new(torus(large, small)?, None);
    let mut simulation = Simulation::new(sheet, &nodes, solid, SETTINGS)?;
    let dragged = nodes.len() - 1;
    simulation.pin(0);
    simulation.pin(dragged);
    let centre = simulation.position(0);
    let start = simulation.position(dragged) - centre;
    let along = move |time: f64| {
        let angle = if time < RAMP {
            0.5 * TURN * time * time / RAMP
        } else {
            TURN * (time - 0.5 * RAMP)
        };
        centre + Rotation3::from_axis_angle(&Vector3::z_axis(), angle) * start
    };
    let view = View {
        title: "A cloth is dragged over a torus",
        towards_eye: vector![0.5, -1.0, 0.3],
        separation: Some(simulation.separations()[0]),
    };
    let mut recorder = Recorder::new(arguments.out.as_deref(), view.clone())?;
    let pins = move |node: usize, at: Vector3<f64>, [from, to]: [f64; 2]| {
        if node == dragged {
            (along(to) - at) / (to - from)
        } else {
            Vector3::zeros()
        }
    };
    let history = run(
        &mut simulation,
        arguments,
        (frames, dt),
        &view,
        &mut recorder,
        pins,
    )?;
    report::tell(&simulation, &history, recorder, (dt, false))
}
