//! How accurate is a time of impact? All three methods solve random pairs of bicubic quads and
//! cubic triangles at δ = 1e-2 … 1e-8; their times of impact are compared with the one at δ =
//! 1e-12, the width of the bracket toi … toi_upper with δ, and the residual |S1 − S2| tells how far
//! apart the surface points reported still are.
//!
//! ```text
//! cargo run --release --example accuracy
//! cargo run --release --example accuracy -- --cases 1000 --seed 7 --budget 30 --out out
//! ```
//!
//! Draws `accuracy.svg`, and checks what must hold (the time of impact is a lower bound, that of a
//! contact found by a local solve an upper one, no contact is missed, the error shrinks at least
//! linearly with δ) and what the paper found (the time-dependent method's residual is smaller than
//! the traditional one's). Exits with 1 if something fails that must hold.

mod drawing;
mod report;
mod study;

use std::error::Error;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use bpaf::construct;
use pairs::PairKind;
use patch_ccd::Workspace;
use support::arguments::{self, folder_or_out, max_boxes, number, seconds};
use support::checks::Checks;

use study::{Limits, Study};

struct Arguments {
    cases: u32,
    seed: u64,
    budget: Duration,
    max_boxes: u64,
    out: PathBuf,
}

fn main() -> ExitCode {
    let cases = number(
        ["cases", "CASES", "Random cases of each kind"],
        1..=u32::MAX,
        200,
    );
    let seed = number(
        ["seed", "SEED", "Seed of the random pairs"],
        0..=u64::MAX,
        1,
    );
    let budget = seconds("budget", "Seconds for each method at each δ", 4.0);
    let max_boxes = max_boxes(
        "Boxes that a query may test; cases that need more are left out of the statistics",
        300_000,
    );
    let out = folder_or_out("Folder for the drawing");
    arguments::run(
        "Measure the error of the time of impact, its bracket and the residual against δ",
        construct!(Arguments {
            cases,
            seed,
            budget,
            max_boxes,
            out
        }),
        run,
    )
}

fn run(arguments: Arguments) -> Result<ExitCode, Box<dyn Error>> {
    let begin = Instant::now();
    let limits = Limits {
        cases: arguments.cases as usize,
        seed: arguments.seed,
        budget: arguments.budget,
        max_boxes: arguments.max_boxes,
    };
    support::make_folder(&arguments.out)?;
    let kinds: [PairKind; 2] = ["tri3".parse()?, "quad3".parse()?];
    let mut out = std::io::stdout();
    let about = format!(
        "{} random pairs of each kind (seed {}), OBB, against δ = {:e}",
        limits.cases,
        limits.seed,
        study::REFERENCE_DELTA
    );
    writeln!(
        out,
        "Accuracy of the time of impact: {about}; a query tests at most {} boxes, a method has {} \
         s at each δ\n\
         (one thread of {}). Left out are cases that take more, and those that never collide.\n\
         TS is the two-sided method, TD the time-dependent, trad. the traditional one; the order \
         is that of a fit over all δ.\n\
         The bracket is toi_upper − toi: from a proven bound to a contact where a local solve of \
         TS found one; otherwise the \
         accepted box's interval.",
        limits.max_boxes,
        limits.budget.as_secs_f64(),
        support::machine()
    )?;

    let bar = support::progress_bar((kinds.len() * Study::steps(limits)) as u64)?;
    let mut workspace = Workspace::new();
    let mut studies = Vec::new();
    for kind in kinds {
        let study = Study::run(kind, limits, &mut workspace, &bar)?;
        bar.suspend(|| -> std::io::Result<()> {
            writeln!(
                out,
                "\n{kind}: error in the time of impact\n{}",
                report::error_table(&study)
            )?;
            writeln!(
                out,
                "\n{kind}: width of the bracket; where TS found a contact, how much later than \
                 the reference\n{}",
                report::bracket_table(&study)
            )?;
            writeln!(
                out,
                "\n{kind}: residual |S1 − S2|, over the cases that all methods solved\n{}",
                report::residual_table(&study)
            )
        })?;
        studies.push(study);
    }
    bar.finish_and_clear();

    let path = arguments.out.join("accuracy.svg");
    drawing::figure(&studies, about).save(&path)?;
    writeln!(out, "\nWritten: {}\n", path.display())?;

    let mut checks = Checks::new(&mut out);
    for study in &studies {
        report::check(study, &mut checks)?;
    }
    checks.say(format_args!(
        "{:.0} s in all",
        begin.elapsed().as_secs_f64()
    ))?;
    Ok(checks.verdict())
}
