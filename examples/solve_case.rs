//! Solves cases in JSON, prints what happens, and compares it with the answer that the file
//! expects.
//!
//! ```text
//! cargo run --release --example solve_case -- data/cases/quad-parallel.json data/cases/tri-*.json
//! ```
//!
//! Exits with 1 if an answer differs, or if a case can't be read, is of a kind that is not
//! supported, or is refused without the file expecting that.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use bpaf::{Parser, positional};
use kit::Case;
use patch_ccd::{Contact, Outcome, Workspace};
use support::arguments;

/// How the cases ended, for the summary.
#[derive(Default)]
struct Tally {
    agree: usize,
    differ: usize,
    failed: usize,
    without_expectation: usize,
}

fn main() -> ExitCode {
    let files = positional::<PathBuf>("FILES").help("Case files");
    let files = files.some("case files are needed");
    let about = "Solve cases in JSON and compare the answers with those expected";
    arguments::run(about, files, |files| Ok(run(&files)?))
}

fn run(files: &[PathBuf]) -> io::Result<ExitCode> {
    let mut out = io::stdout().lock();
    let mut workspace = Workspace::new();
    let mut tally = Tally::default();
    for file in files {
        match Case::open(file) {
            Ok(case) => report(&case, &mut workspace, &mut tally, &mut out)?,
            Err(error) => {
                writeln!(out, "{}: can't be read: {error}", file.display())?;
                tally.failed += 1;
            }
        }
    }
    let Tally {
        agree,
        differ,
        failed,
        without_expectation,
    } = tally;
    let cases = if files.len() == 1 { "case" } else { "cases" };
    writeln!(
        out,
        "{} {cases}: {agree} agree, {differ} differ, {failed} failed, \
         {without_expectation} without an expectation",
        files.len(),
    )?;
    Ok(support::verdict(differ + failed == 0))
}

fn report(
    case: &Case,
    workspace: &mut Workspace,
    tally: &mut Tally,
    out: &mut impl Write,
) -> io::Result<()> {
    let answer = case.solve_in(workspace);
    write!(out, "{}: ", case.id)?;
    match &answer {
        Ok(outcome) => print_outcome(outcome, out)?,
        Err(error) => writeln!(out, "error: {error}")?,
    }
    match (&answer, &case.expect) {
        (answer, Some(expect)) => match expect.check(answer) {
            Ok(()) => {
                writeln!(out, "  agrees: expected {expect}")?;
                tally.agree += 1;
            }
            Err(difference) => {
                writeln!(out, "  DIFFERS: {difference}")?;
                tally.differ += 1;
            }
        },
        (Err(_), None) => tally.failed += 1,
        (Ok(_), None) => tally.without_expectation += 1,
    }
    Ok(())
}

fn print_outcome(outcome: &Outcome, out: &mut impl Write) -> io::Result<()> {
    match outcome {
        Outcome::Clear { .. } => writeln!(out, "clear, no contact up to t_max")?,
        Outcome::ContactAtStart { .. } => writeln!(out, "in contact at the start, toi 0")?,
        Outcome::Impact { toi, toi_upper, .. } => {
            let width = toi_upper - toi;
            writeln!(
                out,
                "impact, toi {toi:?} to {toi_upper:?} ({width:.1e} wide)"
            )?;
        }
        Outcome::BudgetExhausted { toi, .. } => {
            writeln!(out, "budget exhausted, no contact before toi {toi:?}")?;
        }
    }
    if let Some(contact) = outcome.contact() {
        print_contact(contact, out)?;
    }
    let counters = outcome.counters();
    if counters.popped == 0 {
        // Of whole surfaces nothing else is counted.
        return writeln!(out, "  {} boxes", counters.boxes);
    }
    writeln!(
        out,
        "  {} boxes, {} popped, {} axes, {} local solves, deepest level {}, at most {} in the \
         queue",
        counters.boxes,
        counters.popped,
        counters.axes,
        counters.solves,
        counters.deepest_level,
        counters.peak_queue
    )
}

fn print_contact(contact: &Contact, out: &mut impl Write) -> io::Result<()> {
    for side in 0..2 {
        let (u, v) = contact.parameters[side];
        let point = contact.points[side];
        let normal = contact.normals[side].map_or("none".to_owned(), |n| {
            format!("({:.6}, {:.6}, {:.6})", n.x, n.y, n.z)
        });
        writeln!(
            out,
            "  patch {}: (u, v) = ({u:?}, {v:?}), point ({:?}, {:?}, {:?}), normal {normal}",
            side + 1,
            point.x,
            point.y,
            point.z,
        )?;
    }
    writeln!(
        out,
        "  residual {:e} at time {:?}",
        contact.residual, contact.time
    )
}
