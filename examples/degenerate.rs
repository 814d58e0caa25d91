//! Degenerate contacts: along curves and over areas, between coincident patches, within a plane, at
//! poles.
//!
//! ```text
//! cargo run --release --example degenerate
//! cargo run --release --example degenerate -- --delta 1e-8 --relative-epsilon 1e-6
//! cargo run --release --example degenerate -- --method time-dependent
//! ```
//!
//! Prints for each scene what the search answers, how far its bound is below the exact first
//! contact, the boxes it took and the time. Checks every bound against the exact contact, and that
//! the search ends, but in the scenes marked *: there a front of boxes grows with every level, and
//! the budget may end first. Exits with 1 when a check fails.

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

use bpaf::{Parser, construct};
use kit::scenes::degenerate::{self, Scene};
use patch_ccd::{Options, Outcome, Workspace};
use support::arguments::{self, delta, max_boxes, method, number};

use support::checks::Checks;
use support::table::markdown;

fn main() -> ExitCode {
    let delta = delta("Tolerance in the parameters and in time", 1e-10);
    let part = "Tolerance in space, as a part of the scene's size";
    let relative_epsilon = number(["relative-epsilon", "PART", part], 0.0..=f64::MAX, 0.0);
    let (method, max_boxes) = (method(), max_boxes("Boxes to test at most", 1_000_000));
    let options = construct!(delta, relative_epsilon, method, max_boxes).map(
        |(delta, relative_epsilon, method, max_boxes)| Options {
            delta,
            relative_epsilon,
            method,
            max_boxes,
            ..Options::default()
        },
    );
    let about = "Solve degenerate contacts, whose first time is known exactly";
    arguments::run(about, options, run)
}

fn run(options: Options) -> Result<ExitCode, Box<dyn Error>> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}", support::machine())?;
    writeln!(
        out,
        "method {}, delta {:e}, relative epsilon {:e}, at most {} boxes\n",
        options.method, options.delta, options.relative_epsilon, options.max_boxes
    )?;

    let scenes = degenerate::all();
    let progress = support::progress_bar(scenes.len() as u64)?;
    let mut workspace = Workspace::new();
    let below = "bound below the contact by";
    let mut table = markdown(2, ["scene", "answer", below, "boxes", "level", "ms"]);
    let mut failures = Vec::new();
    let mut slowest = (0.0, "");
    for scene in &scenes {
        progress.set_message(scene.name);
        let [a, b] = &scene.pair;
        // The first run of a shape plans its subdivisions.
        workspace.time_of_impact(
            a,
            b,
            &Options {
                max_boxes: 1_000,
                ..options
            },
        )?;
        let begin = Instant::now();
        let outcome = workspace.time_of_impact(a, b, &options)?;
        let ms = 1e3 * begin.elapsed().as_secs_f64();
        if !scene.endless && ms > slowest.0 {
            slowest = (ms, scene.name);
        }
        failures.extend(scene.check(&outcome, &options).err());
        table.add_row(row(scene, &outcome, ms));
        progress.inc(1);
    }
    progress.finish_and_clear();
    writeln!(out, "{table}\n")?;

    let mut checks = Checks::new(out);
    checks.say(format!(
        "slowest of the scenes without *: {:.1} ms, {}",
        slowest.0, slowest.1
    ))?;
    for failure in &failures {
        checks.must(false, failure)?;
    }
    checks.must(
        failures.is_empty(),
        format!(
            "{} of {} scenes as they should be",
            scenes.len() - failures.len(),
            scenes.len()
        ),
    )?;
    Ok(checks.verdict())
}

fn row(scene: &Scene, outcome: &Outcome, ms: f64) -> [String; 6] {
    let counters = outcome.counters();
    let below = match (scene.first, outcome.toi()) {
        (Some(first), Some(toi)) => format!("{:.1e}", (first - toi).max(0.0)),
        _ => String::new(),
    };
    [
        format!("{}{}", scene.name, if scene.endless { " *" } else { "" }),
        name(outcome).to_owned(),
        below,
        counters.boxes.to_string(),
        counters.deepest_level.to_string(),
        format!("{ms:.2}"),
    ]
}

fn name(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Clear { .. } => "clear",
        Outcome::ContactAtStart { .. } => "contact at start",
        Outcome::Impact { .. } => "impact",
        Outcome::BudgetExhausted { .. } => "budget exhausted",
    }
}
