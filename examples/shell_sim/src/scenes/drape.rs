//! A square cloth falls on the teapot and comes to rest.

use std::error::Error;
use std::process::ExitCode;

use nalgebra::{Vector3, vector};

use crate::models::drape;
use crate::output::{Recorder, View};
use crate::run::{Arguments, run};
use crate::scenes::report;

/// 12 × 12 patches, 0.8 m wide, 1 mm thick, from 2 cm above: two seconds.
pub(crate) fn scene(arguments: &Arguments, patches: usize) -> Result<ExitCode, Box<dyn Error>> {
    let (frames, dt) = (
        arguments.frames.unwrap_or(1000),
        arguments.dt.unwrap_or(2e-3),
    );
    let mut simulation = drape(patches)?;
    let view = View {
        title: "A cloth falls on a teapot",
        towards_eye: vector![0.0, -1.0, 0.3],
        separation: Some(simulation.separations()[0]),
    };
    let mut recorder = Recorder::new(arguments.out.as_deref(), view.clone())?;
    let still = |_, _, _| Vector3::zeros();
    let history = run(
        &mut simulation,
        arguments,
        (frames, dt),
        &view,
        &mut recorder,
        still,
    )?;
    // Two seconds are what it takes to come to rest.
    let rests = f64::from(frames) * dt > 1.9;
    report::tell(&simulation, &history, recorder, (dt, rests))
}
