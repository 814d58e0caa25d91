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

use bpaf::{Parser, construct, long, positional};
use pairs::PairKind;
use patch_ccd::{Options, Outcome, Workspace};
use support::arguments::{self, number};
use support::{name, or_empty};

struct Arguments {
    kind: PairKind,
    options: Options,
    limit: usize,
    repeat: u32,
    file: PathBuf,
}

fn main() -> ExitCode {
    let kind = "tri1, tri2, tri3, quad1, quad2, quad3, rational-tri2, rational-tri3, \
                rational-quad2 or rational-quad3";
    let kind = long("kind").help(kind).argument("KIND");
    let options = arguments::options();
    let limit = long("limit")
        .help("Solve only the first N cases")
        .argument("N");
    let limit = limit.fallback(usize::MAX);
    let repeat = "Solve each case N times and print the least time";
    let repeat = number(["repeat", "N", repeat], 1..=u32::MAX, 1);
    let file = "Raw little-endian file: p1, v1, p2, v2 of each case";
    let file = positional("FILE").help(file);
    arguments::run(
        "Solve a file of random patch pairs; one line of CSV a case",
        construct!(Arguments {
            kind,
            options,
            limit,
            repeat,
            file
        }),
        run,
    )
}

fn run(arguments: Arguments) -> Result<ExitCode, Box<dyn Error>> {
    let file = File::open(&arguments.file)
        .map_err(|error| format!("{}: {error}", arguments.file.display()))?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    writeln!(
        out,
        "case,outcome,toi,toi_upper,u1,v1,u2,v2,residual,boxes,seconds"
    )?;
    let mut workspace = Workspace::new();
    for (case, pair) in arguments
        .kind
        .reader(BufReader::new(file))
        .take(arguments.limit)
        .enumerate()
    {
        let [a, b] = pair?;
        let mut seconds = f64::INFINITY;
        let mut outcome = None;
        for _ in 0..arguments.repeat {
            let start = Instant::now();
            outcome = Some(workspace.time_of_impact(&a, &b, &arguments.options)?);
            seconds = seconds.min(start.elapsed().as_secs_f64());
        }
        let Some(outcome) = outcome else { continue };
        let boxes = outcome.counters().boxes;
        let toi_upper = match outcome {
            Outcome::Impact { toi_upper, .. } => Some(toi_upper),
            Outcome::ContactAtStart { .. } => Some(0.0),
            _ => None,
        };
        let (name, toi, toi_upper) = (name(&outcome), or_empty(outcome.toi()), or_empty(toi_upper));
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
