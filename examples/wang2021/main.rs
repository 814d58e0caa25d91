//! The queries of Wang et al. 2021: are the answers right, and how long does one take? Beside it
//! the same for the cubic in floating point that everyone starts from ([`univariate`]).
//!
//! ```text
//! cargo run --release --example wang2021 -- DIR
//! cargo run --release --example wang2021 -- DIR --delta 1e-4 --inclusion aabb --csv answers.csv
//! cargo run --release --example wang2021 -- DIR --exact
//! ```
//!
//! DIR holds files as published with "A Large-scale Benchmark and an Inclusion-based Algorithm for
//! Continuous Collision Detection" (ACM TOG 2021): `FOLDER/{edge-edge,vertex-face}/*.csv`. A
//! collision that is missed is a false negative, and the program ends with 1; one that is reported
//! though the two only come very close is a false positive. A query that runs out of boxes counts
//! as a collision, since none is ruled out. The time is that of the call alone, the least of some
//! runs.
//!
//! With `--exact` every query is solved in exact mode as well, in the same run; then a false
//! positive there ends the program with 1, too.

mod data;
mod tally;
mod univariate;

use std::error::Error;
use std::hint::black_box;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use bpaf::{Parser, construct, long, positional};
use patch_ccd::{Options, Outcome, Step, Workspace};
use support::arguments::{self, number};
use support::{name, or_empty};

use data::{Kind, Set};
use tally::{Shares, Tallies, Tally};

struct Arguments {
    options: Options,
    repeat: u32,
    exact: bool,
    csv: Option<PathBuf>,
    directory: PathBuf,
}

fn main() -> ExitCode {
    let options = arguments::options();
    let repeat = "Solve each query N times and count the least time";
    let repeat = number(["repeat", "N", repeat], 1..=u32::MAX, 5);
    let exact = long("exact").help("Solve in exact mode, too").switch();
    let csv = "File for the answer to every query (with --exact, those of exact mode)";
    let csv = long("csv").help(csv).argument("FILE").optional();
    let directory = positional("DIRECTORY").help("Folder of FOLDER/{edge-edge,vertex-face}/*.csv");
    arguments::run(
        "Check and time the queries of Wang et al. 2021",
        construct!(Arguments {
            options,
            repeat,
            exact,
            csv,
            directory
        }),
        run,
    )
}

fn run(arguments: Arguments) -> Result<ExitCode, Box<dyn Error>> {
    let sets = data::read(&arguments.directory)?;
    let mut solver = Solver {
        options: arguments.options,
        repeat: arguments.repeat,
        workspace: Workspace::new(),
        exhausted: 0,
        wrong: Vec::new(),
        exact: arguments.exact.then(Shares::default),
    };
    let mut csv = arguments.csv.as_deref().map(csv_file).transpose()?;
    let names = [
        format!(
            "{}, {}",
            arguments.options.method, arguments.options.inclusion
        ),
        "exact".into(),
        "univariate".into(),
    ];

    let bar = support::progress_bar(sets.iter().map(Set::len).sum::<usize>() as u64)?;
    let mut tallies = Tallies::new();
    let mut folder = "";
    let mut of_all = Kind::ALL.map(|kind| (kind, [(); 3].map(|()| Tally::default())));
    for set in &sets {
        bar.set_message(format!("{} {}", set.folder, set.kind));
        let of_set = solver.solve_set(set, csv.as_mut(), || bar.inc(1))?;
        for (kind, of_kind) in &mut of_all {
            if *kind == set.kind {
                for (all, of_set) in of_kind.iter_mut().zip(&of_set) {
                    all.merge(of_set);
                }
            }
        }
        let title = if set.folder == folder {
            ""
        } else {
            &set.folder
        };
        folder = &set.folder;
        add_rows(
            &mut tallies,
            [title, &set.kind.to_string()],
            &names,
            &of_set,
        );
    }
    for ((kind, of_kind), title) in of_all.iter().zip(["all", ""]) {
        add_rows(&mut tallies, [title, &kind.to_string()], &names, of_kind);
    }
    bar.finish_and_clear();
    if let Some(csv) = &mut csv {
        csv.flush()?;
    }

    let mut out = std::io::stdout();
    writeln!(
        out,
        "δ = {:e}, at most {} boxes, one thread of {}\n{tallies}",
        arguments.options.delta,
        arguments.options.max_boxes,
        support::machine()
    )?;
    if solver.exhausted > 0 {
        let count = solver.exhausted;
        writeln!(out, "{count} ran out of boxes and count as collisions.")?;
    }
    if let Some(shares) = &solver.exact {
        for (kind, [default, exact, _]) in &of_all {
            if default.mean().is_nan() {
                continue;
            }
            writeln!(
                out,
                "{kind}, exact to default: {:.2} of the mean time; {}",
                exact.mean() / default.mean(),
                shares.of(*kind)
            )?;
        }
    }
    for wrong in &solver.wrong {
        writeln!(out, "{wrong}")?;
    }
    Ok(support::verdict(solver.wrong.is_empty()))
}

/// The rows of one kind of query: ours, by default and exactly, and the univariate method's.
fn add_rows(
    tallies: &mut Tallies,
    [folder, kind]: [&str; 2],
    names: &[String; 3],
    of_kind: &[Tally; 3],
) {
    let mut place = [folder, kind];
    for (name, tally) in names
        .iter()
        .zip(of_kind)
        .filter(|(_, tally)| tally.len() > 0)
    {
        tallies.add([place[0], place[1], name], tally);
        place = [""; 2];
    }
}

fn csv_file(path: &Path) -> Result<csv::Writer<std::fs::File>, Box<dyn Error>> {
    let mut file = csv::Writer::from_path(path)?;
    file.write_record([
        "file", "query", "kind", "truth", "outcome", "toi", "boxes", "seconds", "decision",
    ])?;
    Ok(file)
}

struct Solver {
    options: Options,
    repeat: u32,
    workspace: Workspace,
    /// Queries that ran out of boxes.
    exhausted: usize,
    /// The false negatives, and the false positives of exact mode.
    wrong: Vec<String>,
    /// In exact mode, what decided.
    exact: Option<Shares>,
}

impl Solver {
    /// Solves the queries by this crate, by default and exactly, and by the univariate method.
    fn solve_set(
        &mut self,
        set: &Set,
        mut csv: Option<&mut csv::Writer<std::fs::File>>,
        tick: impl Fn(),
    ) -> Result<[Tally; 3], Box<dyn Error>> {
        let (solve, solve_univariate): (SolveStep, fn(&Step<4>) -> Option<f64>) = match set.kind {
            Kind::EdgeEdge => (Workspace::edge_edge, univariate::edge_edge),
            Kind::VertexFace => (Workspace::vertex_face, univariate::vertex_face),
        };
        let mut tallies = [(); 3].map(|()| Tally::default());
        for (path, queries) in &set.files {
            for (index, query) in queries.iter().enumerate() {
                let place = || format!("{} query {index}", path.display());
                let mut answer = |options: &Options| {
                    let (outcome, seconds) = least_time(self.repeat, || {
                        solve(&mut self.workspace, black_box(&query.step), options)
                    });
                    let outcome = outcome.map_err(|error| format!("{}: {error}", place()))?;
                    let name = name(&outcome);
                    let collides = name != "clear";
                    self.exhausted += usize::from(name == "budget");
                    if query.truth == Some(true) && !collides {
                        let mode = if options.exact { ", in exact mode" } else { "" };
                        self.wrong.push(format!("MISSED: {}{mode}", place()));
                    }
                    if query.truth == Some(false) && collides && options.exact {
                        self.wrong.push(format!("NOT A COLLISION: {}", place()));
                    }
                    Ok::<_, String>((outcome, name, collides, seconds))
                };
                let (mut outcome, mut name, collides, mut seconds) = answer(&self.options)?;
                tallies[0].add(query.truth, collides, seconds);
                if let Some(shares) = &mut self.exact {
                    let collides;
                    (outcome, name, collides, seconds) = answer(&Options {
                        exact: true,
                        ..self.options
                    })?;
                    tallies[1].add(query.truth, collides, seconds);
                    shares.add(set.kind, outcome.counters().decision, seconds);
                }
                if let Some(csv) = &mut csv {
                    csv.write_record([
                        path.display().to_string(),
                        index.to_string(),
                        set.kind.to_string(),
                        query.truth.map_or("", |t| if t { "1" } else { "0" }).into(),
                        name.into(),
                        or_empty(outcome.toi()),
                        outcome.counters().boxes.to_string(),
                        format!("{seconds:e}"),
                        format!("{:?}", outcome.counters().decision),
                    ])?;
                }
                let (toi, seconds) =
                    least_time(self.repeat, || solve_univariate(black_box(&query.step)));
                tallies[2].add(query.truth, toi.is_some(), seconds);
                tick();
            }
        }
        Ok(tallies)
    }
}

type SolveStep = fn(&mut Workspace, &Step<4>, &Options) -> Result<Outcome, patch_ccd::Error>;

/// The answer, and the least seconds of so many runs.
fn least_time<T>(repeat: u32, mut solve: impl FnMut() -> T) -> (T, f64) {
    let mut run = || {
        let start = Instant::now();
        let answer = black_box(solve());
        (answer, start.elapsed().as_secs_f64())
    };
    let first = run();
    (1..repeat).fold(first, |(_, least), _| {
        let (answer, seconds) = run();
        (answer, seconds.min(least))
    })
}
