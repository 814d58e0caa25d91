//! Solves a file of random patch pairs and prints one line of CSV a case.
//!
//! ```text
//! cargo run --release --example solve_pairs -- --kind quad3 --delta 1e-6 FILE.bin > answers.csv
//! ```

use std::error::Error;
use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use pairs::PairKind;
use patch_ccd::{Inclusion, Method, Options, Outcome, Workspace};

#[derive(Parser)]
#[command(about = "Solve a file of random patch pairs; one line of CSV a case")]
struct Arguments {
    /// Raw little-endian file: p1, v1, p2, v2 of each case
    file: PathBuf,
    /// tri1, tri2, tri3, quad1, quad2, quad3, rational-tri2, rational-tri3, rational-quad2 or
    /// rational-quad3
    #[arg(long)]
    kind: PairKind,
    /// Tolerance on parameters and time
    #[arg(long, default_value_t = 1e-6)]
    delta: f64,
    /// aabb or obb
    #[arg(long, default_value_t)]
    inclusion: Inclusion,
    /// two-sided, time-dependent or traditional
    #[arg(long, default_value_t)]
    method: Method,
    /// Boxes to test at most in one case
    #[arg(long, default_value_t = Options::default().max_boxes)]
    max_boxes: u64,
    /// Solve only the first N cases
    #[arg(long)]
    limit: Option<usize>,
    /// Solve each case N times and print the least time
    #[arg(long, default_value_t = 1)]
    repeat: usize,
}

fn main() -> ExitCode {
    support::exit(run())
}

fn run() -> Result<ExitCode, Box<dyn Error>> {
    let arguments = Arguments::parse();
    let options = Options {
        delta: arguments.delta,
        inclusion: arguments.inclusion,
        method: arguments.method,
        max_boxes: arguments.max_boxes,
        ..Options::default()
    };
    let file = File::open(&arguments.file)
        .map_err(|error| format!("{}: {error}", arguments.file.display()))?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    writeln!(
        out,
        "case,outcome,toi,toi_upper,u1,v1,u2,v2,residual,boxes,seconds"
    )?;
    let mut workspace = Workspace::new();
    let limit = arguments.limit.unwrap_or(usize::MAX);
    for (case, pair) in arguments
        .kind
        .reader(BufReader::new(file))
        .take(limit)
        .enumerate()
    {
        let [a, b] = pair?;
        let mut seconds = f64::INFINITY;
        let mut outcome = None;
        for _ in 0..arguments.repeat.max(1) {
            let start = Instant::now();
            outcome = Some(workspace.time_of_impact(&a, &b, &options)?);
            seconds = seconds.min(start.elapsed().as_secs_f64());
        }
        let Some(outcome) = outcome else { continue };
        let boxes = outcome.counters().boxes;
        let (name, toi, toi_upper) = match outcome {
            Outcome::Clear { .. } => ("clear", String::new(), String::new()),
            Outcome::ContactAtStart { .. } => ("impact", "0".into(), "0".into()),
            Outcome::Impact { toi, toi_upper, .. } => {
                ("impact", toi.to_string(), toi_upper.to_string())
            }
            Outcome::BudgetExhausted { toi, .. } => ("budget", toi.to_string(), String::new()),
        };
        let place = outcome.contact().map_or(",,,,".into(), |contact| {
            let [(u1, v1), (u2, v2)] = contact.parameters;
            format!("{u1},{v1},{u2},{v2},{:e}", contact.residual)
        });
        writeln!(
            out,
            "{case},{name},{toi},{toi_upper},{place},{boxes},{seconds:e}"
        )?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
