//! What a run of the sheet is told to have been like, and what must have come out.

use std::error::Error;
use std::io::stdout;
use std::process::ExitCode;

use crate::output::Recorder;
use crate::run::History;
use crate::simulation::{FAR, Simulation};
use support::checks::Checks;
use support::machine;
use support::stats::Sample;

/// Energy may seem to grow by so much of the most kinetic energy: what the solver leaves open.
const ENERGY_ERROR: f64 = 1e-6;

/// Prints the figures of a run, checks them, and makes the page.
pub(crate) fn tell(
    simulation: &Simulation,
    history: &History,
    recorder: Recorder,
    (dt, rests): (f64, bool),
) -> Result<ExitCode, Box<dyn Error>> {
    let rows = rows(simulation, history, dt);
    let mut checks = Checks::new(stdout().lock());
    for (name, value) in &rows {
        checks.say(format_args!("{name:34} {value}"))?;
    }
    checks.say("")?;
    checks.must(
        history.penetrations == 0,
        format_args!(
            "{} of {} accepted steps end with patches nearer than the separation (of those that \
             share no node)",
            history.penetrations, history.steps
        ),
    )?;
    checks.must(
        history.lost == 0.0,
        format_args!("{:.1e} s of the time could not be gone", history.lost),
    )?;
    let bound = ENERGY_ERROR * history.peak_kinetic();
    checks.must(
        history.growth <= bound,
        format_args!(
            "energy grows in no step, but for the work of pins: least loss of a step {:.1e} J \
             ({bound:.1e} J are rounding and the solver's tolerance)",
            -history.growth
        ),
    )?;
    if rests {
        let last = history.kinetic.last().copied().unwrap_or_default();
        let share = last / history.peak_kinetic();
        checks.must(
            share < 0.05,
            format_args!("kinetic energy ends at {:.2} % of its peak", 100.0 * share),
        )?;
    }
    if let Some(page) = recorder.finish(&rows, Vec::new())? {
        checks.say(format_args!("written: {}", page.display()))?;
    }
    Ok(checks.verdict())
}

fn rows(simulation: &Simulation, history: &History, dt: f64) -> Vec<(String, String)> {
    let settings = &simulation.settings;
    let material = &simulation.surfaces.sheet.material;
    let [of_solid, of_itself] = simulation.separations();
    let seconds = |time: std::time::Duration| format!("{:.1} s", time.as_secs_f64());
    let share = history.detection().as_secs_f64() / history.whole.as_secs_f64();
    let quantiles = |times: &[f64]| {
        let sample: Sample = times.iter().copied().collect();
        format!(
            "median {:.1}, 99 % {:.1}, worst {:.1} ms",
            sample.median(),
            sample.quantile(0.99),
            sample.worst()
        )
    };
    // The last quarter of a run, where the sheet lies on the solid.
    let late = history.steps - history.steps.div_ceil(4);
    let distances: Sample = history.distances[late..].iter().copied().collect();
    let row = |name: &str, value: String| (name.to_owned(), value);
    vec![
        row("machine", machine()),
        row("steps", format!("{} of {dt} s", history.steps)),
        row(
            "material",
            format!(
                "{} m thick, E = {:.1e} Pa, Poisson's ratio {}, {} kg/m³",
                material.thickness, material.young, material.poisson, material.density
            ),
        ),
        row(
            "damping",
            format!(
                "air drag {} per second, viscosity {} s, friction {}",
                settings.air_drag, settings.viscosity, settings.contact.friction
            ),
        ),
        row(
            "separation",
            format!("{of_solid} m from the solid, {of_itself} m within the sheet"),
        ),
        row(
            "smallest distances",
            format!(
                "{} from the solid, {} within the sheet",
                metres(of_solid + history.margin[0]),
                metres(of_itself + history.margin[1])
            ),
        ),
        row(
            "proposals",
            format!(
                "{} for {} steps, {} impacts found; {} steps in pieces, {:.1e} s lost",
                history.passes, history.steps, history.impacts, history.cut, history.lost
            ),
        ),
        row(
            "Newton iterations",
            format!(
                "{}, {} minimisations unfinished",
                history.newton, history.unfinished
            ),
        ),
        row("time", seconds(history.whole)),
        row("of it the solver", seconds(history.solver)),
        row(
            "of it collision detection",
            format!("{}, {:.1} %", seconds(history.detection()), 100.0 * share),
        ),
        row("of it checks of what was accepted", seconds(history.checks)),
        row("collision detection, solid", quantiles(&history.ccd[0])),
        row("the same, last quarter", quantiles(&history.ccd[0][late..])),
        row(
            "distances then",
            format!(
                "{} to {}",
                metres(distances.quantile(0.0)),
                metres(distances.worst())
            ),
        ),
        row("collision detection, self", quantiles(&history.ccd[1])),
        row(
            "contacts at the end",
            history
                .contacts
                .last()
                .copied()
                .unwrap_or_default()
                .to_string(),
        ),
        row(
            "energy",
            format!(
                "kinetic {:.2e} J at its peak, {:.1e} J at the end",
                history.peak_kinetic(),
                history.kinetic.last().copied().unwrap_or_default()
            ),
        ),
    ]
}

/// A distance, as far as it was measured.
fn metres(distance: f64) -> String {
    if distance < FAR {
        format!("{distance:.3e} m")
    } else {
        format!("more than {FAR} m")
    }
}
