//! Two sheets as large as sails meet, faster and faster and in longer and longer steps: what does a
//! step of collision detection take by each method? The steps go from a thousandth of a patch to a
//! whole one.
//!
//! In each step the sheets touch at about its middle, wherever that is: those that approach by a
//! metre in a step start a thousand times farther apart than those that approach by a millimetre.
//! So every step has a first contact to find, and the speed is all that differs.

mod measure;
mod plot;
mod sheets;

use std::error::Error;
use std::io::stdout;
use std::process::ExitCode;

use nalgebra::vector;
use patch_ccd::mesh::{MeshOptions, MovingMesh, collision_free_step};

use crate::output::{Recorder, Role, Surface, View};
use crate::run::Arguments;
use crate::scenes::table::Figures;
use measure::{Cell, DELTA, MAX_BOXES, METHODS};
use sheets::{PATCHES, Sheets, WIDTH};
use support::checks::Checks;
use support::{machine, progress_bar};

const SPEEDS: [f64; 5] = [1.0, 3.0, 10.0, 30.0, 100.0];
const DTS: [f64; 4] = [1e-3, 2e-3, 5e-3, 1e-2];

/// What the pictures show: sheets this far apart at first, m, going this far in a step.
const SHOWN: (f64, f64) = (2.4, 0.24);

pub(crate) fn scene(arguments: &Arguments) -> Result<ExitCode, Box<dyn Error>> {
    let recorder = show(arguments)?;
    let dts = arguments.dt.map_or(DTS.to_vec(), |dt| vec![dt]);
    let steps = arguments.frames.unwrap_or(16) as usize;
    let mut checks = Checks::new(stdout().lock());
    checks.say(format_args!("{}\n", machine()))?;
    let bar =
        progress_bar((SPEEDS.len() * dts.len() * steps) as u64)?.with_message("Two sheets meet");
    // One thread: the figures then depend on nothing else.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let cells = pool.install(|| {
        let mut workspaces = Default::default();
        let settings = dts.iter().flat_map(|&dt| SPEEDS.map(|speed| (speed, dt)));
        settings
            .map(|setting| Cell::measure(setting, steps, &mut workspaces, || bar.inc(1)))
            .collect::<Result<Vec<_>, _>>()
    })?;
    bar.finish_and_clear();

    let table = table(&cells);
    table.print(&mut checks)?;
    let contradictions: Vec<_> = cells.iter().flat_map(|cell| &cell.contradictions).collect();
    checks.must(
        contradictions.is_empty(),
        format_args!(
            "all methods find the same time of impact, to twice the tolerance, in {} steps; \
             others: {contradictions:?}",
            cells.len() * steps
        ),
    )?;
    let open: usize = cells
        .iter()
        .map(|cell| cell.sums[0].open + cell.sums[1].open)
        .sum();
    checks.must(
        open == 0,
        format_args!("{open} steps are left open by the two-sided and the time-dependent method"),
    )?;
    for &dt in &dts {
        let [time, boxes] = gains(&cells, |cell| cell.dt == dt);
        checks.must(
            grows(&boxes),
            format_args!(
                "dt = {} ms: at the highest speed the gain over the traditional method is more \
                 than at the lowest: in boxes {}; in time {}",
                1e3 * dt,
                list(&boxes),
                list(&time)
            ),
        )?;
    }
    for speed in SPEEDS {
        let [time, boxes] = gains(&cells, |cell| cell.speed == speed);
        checks.must(
            dts.len() == 1 || grows(&boxes),
            format_args!(
                "{speed} m/s: and in the longest steps more than in the shortest: in boxes {}; in \
                 time {}",
                list(&boxes),
                list(&time)
            ),
        )?;
    }
    let summary = [
        ("machine".to_owned(), format!("{}, one thread", machine())),
        (
            "sheets".to_owned(),
            format!("{PATCHES} × {PATCHES} bicubic patches each, {WIDTH} m wide"),
        ),
        ("tolerance δ".to_owned(), format!("{DELTA:e}")),
        ("boxes of a pair at most".to_owned(), MAX_BOXES.to_string()),
    ];
    let extras = vec![plot::figure(&cells, &dts), table.on_page()];
    if let Some(page) = recorder.finish(&summary, extras)? {
        checks.say(format_args!("\nwritten: {}", page.display()))?;
    }
    Ok(checks.verdict())
}

/// What the two-sided method gains over the traditional one in time, and in boxes, which don't
/// depend on what else the machine does.
fn gains(cells: &[Cell], of: impl Fn(&Cell) -> bool) -> [Vec<f64>; 2] {
    let cells = || cells.iter().filter(|cell| of(cell));
    [
        cells().map(|cell| cell.gain(0)).collect(),
        cells().map(Cell::gain_in_boxes).collect(),
    ]
}

/// From the first to the last. Of a few steps only, one that is hard for a method may stand out in
/// between.
fn grows(gains: &[f64]) -> bool {
    gains.first() < gains.last()
}

fn list(gains: &[f64]) -> String {
    let gains = gains.iter().map(|gain| format!("{gain:.1}"));
    gains.collect::<Vec<_>>().join(", ")
}

fn table(cells: &[Cell]) -> Figures {
    let mut head = vec!["dt", "speed", "a step", "pairs"];
    for name in [
        ["two-sided", "boxes"],
        ["time-dependent", "boxes"],
        ["traditional", "boxes"],
    ] {
        head.extend(name);
    }
    head.extend(["out of boxes", "speed-up, two-sided", "time-dependent"]);
    let title = format!(
        "Mean time of a step in which two sheets of {PATCHES} × {PATCHES} patches meet, by \
         method: δ = {DELTA:e}, OBB, one thread, {MAX_BOXES} boxes a pair at most"
    );
    let mut figures = Figures::new(&title, &head);
    figures.rows = cells
        .iter()
        .map(|cell| {
            let steps = cell.steps as f64;
            let mut row = vec![
                format!("{} ms", 1e3 * cell.dt),
                format!("{} m/s", cell.speed),
                format!("{} mm", 1e3 * cell.way()),
                format!("{:.0}", cell.candidates as f64 / steps),
            ];
            for sum in &cell.sums {
                row.push(format!("{:.2} ms", 1e3 * sum.seconds / steps));
                row.push(format!("{:.0}", sum.boxes as f64 / steps));
            }
            let open = cell.sums[METHODS.len() - 1].open;
            let gain = |method: usize| {
                let least = if open > 0 { "≥ " } else { "" };
                format!("{least}{:.1}", cell.gain(method))
            };
            row.extend([format!("{open} of {}", cell.steps), gain(0), gain(1)]);
            row
        })
        .collect();
    figures
}

/// Pictures of two sheets that go on, by what is proven free of each step, until they meet.
fn show(arguments: &Arguments) -> Result<Recorder, Box<dyn Error>> {
    let view = View {
        title: "Two sheets meet at 1 m/s",
        towards_eye: vector![0.5, -1.0, 0.3],
        separation: None,
    };
    let mut recorder = Recorder::new(arguments.out.as_deref(), view)?;
    if !recorder.writes() {
        return Ok(recorder);
    }
    let (gap, way) = SHOWN;
    let mut sheets = Sheets::new(0, gap)?;
    let mut gone = 0.0;
    for _ in 0..20 {
        let surfaces = [("lower", 0, [60, 120, 190]), ("upper", 1, [220, 170, 110])];
        let surfaces = surfaces.map(|(name, k, colour)| {
            let patches = MovingMesh::resting(&sheets.mesh, &sheets.start[k])?.patches_at(0.0)?;
            Ok(Surface {
                name,
                patches,
                colour,
                role: Role::Shell,
                rests: false,
            })
        });
        let [lower, upper]: [Result<_, patch_ccd::Error>; 2] = surfaces;
        recorder.frame(gone, &[lower?, upper?], &[])?;
        let [lower, upper] = sheets.moving(way)?;
        let free = collision_free_step(&lower, &upper, &MeshOptions::default())?;
        if free < 0.1 {
            break;
        }
        sheets.advance(free * way)?;
        // At 1 m/s.
        gone += free * way;
    }
    Ok(recorder)
}
