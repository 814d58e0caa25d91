//! A small fast ball is shot at a thin sheet, in steps in which it goes up to four metres.

mod compare;
pub mod flight;
pub mod screen;
pub mod shot;
mod shots;
pub mod target;
mod ways;

use std::error::Error;
use std::io::stdout;
use std::process::ExitCode;

use nalgebra::{Vector3, vector};

use crate::output::{Recorder, View};
use crate::run::{Arguments, History, run};
use shots::Series;
use support::checks::Checks;
use support::machine;

/// Seconds to a step.
pub(crate) const DTS: [f64; 3] = [2e-3, 5e-3, 1e-2];

/// How fast the one that is shown is, m/s, and how far away at first, m.
const SPEED: f64 = 300.0;
const DISTANCE: f64 = 0.2;

/// Pieces of a step of a run that is not looked at between them.
const CUTS: usize = 40;

/// Energy may seem to grow by so much of what the bullet has at first.
const ENERGY_ERROR: f64 = 1e-6;

/// One shot straight at the middle, then random ones, at each length of a step.
pub(crate) fn scene(arguments: &Arguments, shots: usize) -> Result<ExitCode, Box<dyn Error>> {
    let dts = arguments.dt.map_or(DTS.to_vec(), |dt| vec![dt]);
    let view = View {
        title: "A ball at 300 m/s meets a sheet",
        towards_eye: vector![0.7, -1.0, 0.35],
        separation: Some(0.5 * target::THICKNESS),
    };
    let mut recorder = Recorder::new(arguments.out.as_deref(), view.clone())?;
    let frames = arguments.frames.unwrap_or(11);
    let every = Arguments {
        every: 1,
        ..arguments.clone()
    };
    let mut checks = Checks::new(stdout().lock());
    checks.say(format_args!("{}\n", machine()))?;
    checks.say(format_args!(
        "A ball of {} mm and {} g, {SPEED} m/s; a sheet of {} × {} m, {} mm thick, clamped; {} \
         steps\n",
        1e3 * target::RADIUS,
        1e3 * target::MASS,
        target::WIDTH,
        target::WIDTH,
        1e3 * target::THICKNESS,
        frames
    ))?;
    let mut summary = vec![("machine".to_owned(), machine())];
    for (k, &dt) in dts.iter().enumerate() {
        let mut simulation = target::shoot(&shot::straight(SPEED, DISTANCE))?;
        simulation.settings.cuts = CUTS;
        let mut none = Recorder::new(None, view.clone())?;
        // The first is the one in the pictures.
        let recorder = if k == 0 { &mut recorder } else { &mut none };
        let still = |_, _, _| Vector3::zeros();
        let history = run(
            &mut simulation,
            &every,
            (frames, dt),
            &view,
            recorder,
            still,
        )?;
        let speed = simulation.solid_velocity().norm();
        let told = told(&history, speed);
        summary.push((format!("straight shot, dt = {dt} s"), told.clone()));
        let first = 0.5 * target::MASS * SPEED * SPEED;
        checks.must(
            history.penetrations == 0
                && history.lost == 0.0
                && history.growth <= ENERGY_ERROR * first
                && speed < flight::STOPPED * SPEED
                && simulation.solid_velocity().z > -flight::STOPPED * SPEED,
            format_args!("dt = {} ms, {} m a step: {told}", 1e3 * dt, SPEED * dt),
        )?;
    }
    checks.say("")?;
    let mut series = Vec::new();
    for &dt in &dts {
        series.push(Series::run(dt, shots)?);
    }
    let endings = shots::table(&series);
    endings.print(&mut checks)?;
    for of in &series {
        of.check(&mut checks)?;
    }
    checks.say("")?;
    let asked: Vec<_> = series.into_iter().flat_map(|of| of.asked).collect();
    let tables = compare::tables(&asked);
    for table in &tables {
        table.print(&mut checks)?;
    }
    let mut extras = vec![endings.on_page(), compare::plot(&asked)];
    extras.extend(tables.iter().map(|table| table.on_page()));
    if let Some(page) = recorder.finish(&summary, extras)? {
        checks.say(format_args!("written: {}", page.display()))?;
    }
    Ok(checks.verdict())
}

fn told(history: &History, speed: f64) -> String {
    format!(
        "at {speed:.3} m/s after {} steps; {} proposals, {} impacts found, {} steps in pieces, {} \
         s lost; {} states nearer than the separation; {:.2e} m from it at least",
        history.steps,
        history.passes,
        history.impacts,
        history.cut,
        history.lost,
        history.penetrations,
        history.margin[0]
    )
}
