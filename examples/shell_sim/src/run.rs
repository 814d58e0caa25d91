//! A simulation step by step: a progress bar, what is written, and what is checked after each step.

use std::error::Error;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use bpaf::{Parser, construct};
use nalgebra::Vector3;
use patch_ccd::geometry::AnyPatch;

use crate::output::{Mark, Recorder, Role, Step, Surface, View};
use crate::simulation::{Checker, Energy, Report, Simulation};
use support::arguments::{folder, number, optional_number};
use support::progress_bar;

/// What all scenes take.
#[derive(Clone, Debug)]
pub(crate) struct Arguments {
    /// Time steps, or as many as the scene needs.
    pub(crate) frames: Option<u32>,
    /// Seconds to a step, or the scene's own.
    pub(crate) dt: Option<f64>,
    /// Folder for what is written.
    pub(crate) out: Option<PathBuf>,
    /// Steps from one written frame to the next.
    pub(crate) every: u32,
}

impl Arguments {
    pub(crate) fn parser() -> impl Parser<Self> {
        let frames = [
            "frames",
            "STEPS",
            "Time steps [default: as many as the scene needs]",
        ];
        let frames = optional_number(frames, 1..=u32::MAX);
        let dt = "Seconds to a step; scenes are made for one to ten milliseconds [default: the \
                  scene's, 0.002 for drape and drag]";
        let dt = optional_number(["dt", "SECONDS", dt], 1e-9..=1.0);
        let out = "Folder for pictures, plots, tables and a page with all of them; numbered files \
                   of an earlier run in it are removed";
        let out = folder(out).optional();
        let every = ["every", "STEPS", "Steps from one written frame to the next"];
        let every = number(every, 1..=u32::MAX, 10);
        construct!(Self {
            frames,
            dt,
            out,
            every
        })
    }
}

/// How a run went.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    pub(crate) steps: usize,
    /// Steps after which something was nearer than the separation.
    pub(crate) penetrations: usize,
    /// The smallest distances of the sheet from the solid and from itself, less their separations.
    pub(crate) margin: [f64; 2],
    pub(crate) kinetic: Vec<f64>,
    /// The largest growth of energy beyond the work of pins in one step: negative, if some is lost
    /// in every one.
    pub(crate) growth: f64,
    pub(crate) passes: usize,
    /// Steps that were cut into pieces, and the time that was lost.
    pub(crate) cut: usize,
    pub(crate) lost: f64,
    pub(crate) unfinished: usize,
    pub(crate) impacts: usize,
    pub(crate) newton: usize,
    /// Milliseconds of collision detection against the solid and within the sheet, step by step.
    pub(crate) ccd: [Vec<f64>; 2],
    /// Distances from the solid, step by step.
    pub(crate) distances: Vec<f64>,
    pub(crate) contacts: Vec<usize>,
    pub(crate) solver: Duration,
    pub(crate) checks: Duration,
    pub(crate) whole: Duration,
}

/// Colours of the sheet and of what it meets.
const SHEET: [u8; 3] = [60, 120, 190];
const SOLID: [u8; 3] = [220, 170, 110];

/// Makes steps, calling `pins` for the velocity of a pinned node in the step from one time to
/// another.
pub(crate) fn run(
    simulation: &mut Simulation,
    arguments: &Arguments,
    (frames, dt): (u32, f64),
    view: &View,
    recorder: &mut Recorder,
    pins: impl Fn(usize, Vector3<f64>, [f64; 2]) -> Vector3<f64>,
) -> Result<History, Box<dyn Error>> {
    let mut history = History {
        margin: [f64::INFINITY; 2],
        growth: f64::NEG_INFINITY,
        ..History::default()
    };
    let mut checker = Checker::default();
    let mut energy = simulation.energy()?;
    let start = Instant::now();
    let bar = progress_bar(frames.into())?.with_message(view.title);
    record(simulation, recorder, &[])?;
    for number in 1..=frames {
        let times = [simulation.time, simulation.time + dt];
        let velocities: Vec<_> = (0..simulation.surfaces.sheet.node_count())
            .map(|node| pins(node, simulation.position(node), times))
            .collect();
        let velocity = |node: usize| velocities.get(node).copied().unwrap_or_default();
        let report = simulation.step(dt, velocity)?;
        let timer = Instant::now();
        let check = checker.check(simulation)?;
        history.checks += timer.elapsed();
        let now = simulation.energy()?;
        history.count(&report, &energy, &now);
        energy = now;
        history.penetrations += usize::from(!check.free);
        history.distances.push(check.distances[0]);
        for k in 0..2 {
            history.margin[k] =
                history.margin[k].min(check.distances[k] - simulation.separations()[k]);
        }
        recorder.step(Step {
            number: number as usize,
            time: simulation.time,
            kinetic: energy.kinetic,
            elastic: energy.elastic + energy.cushion,
            gravity: energy.gravity,
            total: energy.total(),
            momentum: simulation.momentum(),
            contacts: report.marks.len(),
            passes: report.passes,
            newton: report.newton,
            ccd_ms: milliseconds(report.ccd[0] + report.ccd[1]),
            solver_ms: milliseconds(report.solver),
            distance: check.distances[0].is_finite().then_some(check.distances[0]),
        })?;
        if number % arguments.every == 0 || number == frames {
            let marks = report.marks.iter().map(|mark| Mark {
                point: mark.point,
                force: mark.force,
            });
            record(simulation, recorder, &marks.collect::<Vec<_>>())?;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    history.whole = start.elapsed();
    Ok(history)
}

impl History {
    fn count(&mut self, report: &Report, before: &Energy, now: &Energy) {
        self.steps += 1;
        self.kinetic.push(now.kinetic);
        let growth = now.total() - before.total() - report.pins_work;
        // What is no number is no proof of loss.
        self.growth = if growth.is_nan() {
            f64::INFINITY
        } else {
            self.growth.max(growth)
        };
        self.passes += report.passes;
        self.cut += usize::from(report.pieces > 1);
        self.lost += report.lost;
        self.unfinished += report.unfinished;
        self.impacts += report.impacts;
        self.newton += report.newton;
        for k in 0..2 {
            self.ccd[k].push(milliseconds(report.ccd[k]));
        }
        self.contacts.push(report.marks.len());
        self.solver += report.solver;
    }

    pub(crate) fn peak_kinetic(&self) -> f64 {
        self.kinetic.iter().copied().fold(0.0, f64::max)
    }

    /// Time of collision detection.
    pub(crate) fn detection(&self) -> Duration {
        let all: f64 = self.ccd.iter().flatten().sum();
        Duration::from_secs_f64(1e-3 * all)
    }
}

pub(crate) fn milliseconds(time: Duration) -> f64 {
    1e3 * time.as_secs_f64()
}

/// Writes the scene as it is.
fn record(
    simulation: &Simulation,
    recorder: &mut Recorder,
    marks: &[Mark],
) -> Result<(), Box<dyn Error>> {
    if !recorder.writes() {
        return Ok(());
    }
    let [sheet, solid] = simulation.surfaces.patches(&simulation.q)?;
    let surface = |name, patches: Vec<AnyPatch>, colour, role, rests| Surface {
        name,
        patches,
        colour,
        role,
        rests,
    };
    let surfaces = [
        surface("sheet", sheet, SHEET, Role::Shell, false),
        surface(
            "solid",
            solid,
            SOLID,
            Role::Body,
            simulation.surfaces.solid.mass.is_none(),
        ),
    ];
    recorder.frame(simulation.time, &surfaces, marks)
}
