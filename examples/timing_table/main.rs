//! The paper's timing table, and the two-sided method beside it: random pairs of triangular and
//! quadrilateral patches of degree 1 to 3, solved by all three methods with both kinds of boxes at
//! δ = 1e-4 and 1e-6.
//!
//! ```text
//! cargo run --release --example timing_table
//! cargo run --release --example timing_table -- --cases 200 --seed 7 --budget 10 --out out
//! ```
//!
//! Some cells take hours, so each has a budget of seconds. A cell does the cases in order until its
//! time is up or a case does not fit into what is left; the table says how many it did, and
//! compares methods over the same cases. A cell that is done early solves its cases again, up to
//! `--repeat` times, and takes the least time of each. At the end stands how long the program had
//! to wait for a processor, and how far the runs of a case differ: on a busy machine all times are
//! too long. With `--out` every case goes into `timing_table.csv`, and the distribution of times is
//! drawn in `timing_table.svg`.

mod busy;
mod cell;
mod check;
mod output;
mod table;

use std::error::Error;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use bpaf::{Parser, construct};
use pairs::PairKind;
use patch_ccd::{Inclusion, Method, Workspace};
use support::arguments::{self, folder, number, seconds};

use busy::{Clock, spread};
use cell::{Cases, Cell, Limits, Way};
use check::Agreement;

const DELTAS: [f64; 2] = [1e-4, 1e-6];
const WAYS: [(Method, Inclusion); 6] = [
    (Method::Traditional, Inclusion::Aabb),
    (Method::Traditional, Inclusion::Obb),
    (Method::TimeDependent, Inclusion::Aabb),
    (Method::TimeDependent, Inclusion::Obb),
    (Method::TwoSided, Inclusion::Aabb),
    (Method::TwoSided, Inclusion::Obb),
];

struct Arguments {
    cases: u32,
    seed: u64,
    repeat: u32,
    budget: Duration,
    out: Option<PathBuf>,
}

fn main() -> ExitCode {
    let cases = number(["cases", "CASES", "Cases of each kind"], 1..=u32::MAX, 1000);
    let seed = number(
        ["seed", "SEED", "Seed of the random pairs"],
        0..=u64::MAX,
        1,
    );
    let repeat = "Runs of each case at most, of which the least time counts";
    let repeat = number(["repeat", "RUNS", repeat], 1..=u32::MAX, 3);
    let budget = seconds(
        "budget",
        "Seconds for each of the 72 cells of the table",
        1.7,
    );
    let out = folder("Folder for the times of all cases (CSV) and their distribution (SVG)");
    let out = out.optional();
    arguments::run(
        "Time all methods on random pairs of patches, and print the paper's table",
        construct!(Arguments {
            cases,
            seed,
            repeat,
            budget,
            out
        }),
        run,
    )
}

fn run(arguments: Arguments) -> Result<ExitCode, Box<dyn Error>> {
    let begin = Instant::now();
    let clock = Clock::start();
    if let Some(folder) = &arguments.out {
        support::make_folder(folder)?;
    }
    let cases = Cases {
        count: arguments.cases as usize,
        seed: arguments.seed,
    };
    let limits = Limits {
        budget: arguments.budget,
        repeat: arguments.repeat,
    };
    let about = format!(
        "{} random pairs of each kind (seed {}), least of up to {} runs, one thread of {}, at most \
         {} s a cell",
        cases.count,
        cases.seed,
        limits.repeat,
        support::machine(),
        limits.budget.as_secs_f64(),
    );
    let mut out = std::io::stdout();
    writeln!(
        out,
        "Times of impact of moving Bézier patches: {about}.\n\
         Times are milliseconds of one query. An asterisk at the number of cases: the next one \
         could not be finished in \
         what was left\nof the cell's time, so the figures leave out a hard case. Speed-ups are \
         over the time-dependent (TD) \
         and the traditional method (trad.) with\nthe same boxes and δ, over the cases that both \
         did (their number in \
         brackets); \"with *\" counts the case that the slower method could\nnot finish, too, at \
         the time it had spent. The \
         paper's figures are means over 1000 such cases on a Ryzen 9 7950X."
    )?;

    let bar = support::progress_bar(
        (PairKind::TABLE.len() * WAYS.len() * DELTAS.len() * cases.count) as u64,
    )?;
    let mut workspace = Workspace::new();
    let mut cells: Vec<Cell> = Vec::new();
    let mut agreement = Agreement::default();
    for kind in PairKind::TABLE {
        let first = cells.len();
        for (method, inclusion) in WAYS {
            for delta in DELTAS {
                let way = Way {
                    method,
                    inclusion,
                    delta,
                };
                bar.set_message(format!("{kind} {way}"));
                let tick = || bar.inc(1);
                cells.push(Cell::run(kind, way, cases, limits, &mut workspace, tick)?);
                bar.set_position((cells.len() * cases.count) as u64);
            }
        }
        let of_kind = &cells[first..];
        bar.set_message(format!("{kind} comparing the answers"));
        for delta in DELTAS {
            let same_delta: Vec<&Cell> = of_kind.iter().filter(|c| c.way.delta == delta).collect();
            agreement.check(kind, &same_delta, cases, &mut workspace)?;
        }
        let table = table::kind_table(kind, of_kind);
        bar.suspend(|| writeln!(out, "\n{} ({kind})\n{table}", table::paper_name(kind)))?;
    }
    bar.finish_and_clear();

    writeln!(
        out,
        "\nMean milliseconds with OBB, here / in the paper\n{}\n\nSpeed-ups with OBB, TS being \
         the two-sided method; \
         ≥ with the case that the slower one could not finish\n{}\n",
        table::paper_table(&cells),
        table::speed_up_table(&cells)
    )?;
    if let Some(folder) = &arguments.out {
        let [csv, svg] = ["csv", "svg"].map(|kind| folder.join(format!("timing_table.{kind}")));
        output::write_csv(&csv, &cells)?;
        output::draw_distribution(&svg, &cells, cases.count, about)?;
        writeln!(out, "Written: {}, {}", csv.display(), svg.display())?;
    }
    report(&agreement, &mut out)?;
    writeln!(out, "{}", busy::report(clock.waited(), spread(&cells)))?;
    writeln!(out, "{:.0} s in all", begin.elapsed().as_secs_f64())?;
    Ok(support::verdict(agreement.contradictions.is_empty()))
}

fn report(agreement: &Agreement, out: &mut impl Write) -> std::io::Result<()> {
    let Agreement {
        compared,
        explained,
        undecided,
        contradictions,
    } = agreement;
    let differing = explained.len() + undecided.len() + contradictions.len();
    writeln!(
        out,
        "Collide or clear? All ways agree in {} of {compared} comparisons of a case at a δ.",
        compared - differing
    )?;
    for (meaning, reports) in [
        ("Passing at a hair's breadth", explained),
        ("Undecided within the budget", undecided),
        ("FAILED", contradictions),
    ] {
        for report in reports {
            writeln!(out, "{meaning}: {report}")?;
        }
    }
    Ok(())
}
