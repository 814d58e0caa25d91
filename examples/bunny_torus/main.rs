//! A mesh of linear triangles and a torus of rational patches fly at each other, turning: the scene
//! of the paper.
//!
//! ```text
//! cargo run --release --example bunny_torus
//! cargo run --release --example bunny_torus -- --obj bunny.obj --out out
//! ```
//!
//! 50 frames of 0.02 s, each one step of both meshes. Without `--obj` a bumpy ball of 288 triangles
//! takes the bunny's place. Prints for each frame the pairs that the broad phase leaves, the time,
//! and the time of impact within the frame; then the first contact and the total. `--out` writes
//! both bodies at the start, at the first contact and at the end as OBJ.
//!
//! Checks: the first contact is what a query of every pair, one by one, finds; until then every
//! frame is free. A mesh of your own may miss the torus: then every pair of the frame for which the
//! broad phase leaves the most must be free, too.

mod scene;

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use bpaf::{Parser, construct, long};
use nalgebra::Point3;
use patch_ccd::geometry::{Patch, Shape};
use patch_ccd::io::write_obj;
use patch_ccd::mesh::{EarliestImpact, MeshOptions, MeshWorkspace, MovingMesh};
use patch_ccd::{Moving, Options, Outcome, Workspace};

use scene::{Body, FRAME_SECONDS, FRAMES};
use support::arguments::{self, folder, number};
use support::checks::Checks;
use support::table::{Table, markdown};

struct Arguments {
    obj: Option<PathBuf>,
    out: Option<PathBuf>,
    threads: usize,
}

/// One frame: both bodies at its start and at its end, and the answer.
struct Frame {
    bodies: [[Vec<Point3<f64>>; 2]; 2],
    answer: EarliestImpact,
    /// Left by the broad phase.
    pairs: usize,
    time: Duration,
}

fn main() -> ExitCode {
    let obj = long("obj").help("Triangle mesh that takes the place of the built-in one");
    let obj = obj.argument("FILE").optional();
    let out = folder("Folder for OBJ files of start, contact and end").optional();
    let threads = number(
        ["threads", "THREADS", "Threads to work with"],
        0..=usize::MAX,
        1,
    );
    arguments::run(
        "A mesh of triangles and a torus of rational patches: first contact over 50 frames",
        construct!(Arguments { obj, out, threads }),
        run,
    )
}

fn run(arguments: Arguments) -> Result<ExitCode, Box<dyn Error>> {
    if let Some(out) = &arguments.out {
        support::make_folder(out)?;
    }
    rayon::ThreadPoolBuilder::new()
        .num_threads(arguments.threads)
        .build_global()?;
    let mut bodies = [scene::flyer(arguments.obj.as_deref())?, scene::torus()?];
    let mut checks = Checks::new(std::io::stdout().lock());
    checks.say(format_args!(
        "{} linear triangles against {} rational biquadratic patches; {}; {} thread(s)\n",
        bodies[0].mesh.len(),
        bodies[1].mesh.len(),
        support::machine(),
        arguments.threads
    ))?;
    let frames = fly(&mut bodies)?;
    checks.say(table(&frames))?;

    let total: Duration = frames.iter().map(|frame| frame.time).sum();
    let worst = frames
        .iter()
        .map(|frame| frame.time)
        .max()
        .unwrap_or_default();
    let first = frames.iter().position(|frame| frame.answer.first.is_some());
    let moment = |frame: usize| {
        let toi = frames[frame].answer.toi().unwrap_or(1.0);
        (frame as f64 + toi) * FRAME_SECONDS
    };
    match first {
        Some(frame) => checks.found(format_args!("first contact at {:.6} s", moment(frame)))?,
        None => checks.found("the bodies miss each other: no contact in any frame")?,
    }
    if arguments.obj.is_none() {
        checks.must(first.is_some(), "the built-in ball meets the torus")?;
    }
    checks.say(format_args!(
        "       all {FRAMES} frames in {:.4} s, the worst in {:.4} s",
        total.as_secs_f64(),
        worst.as_secs_f64()
    ))?;
    // Where there is no contact, the frame in which the bodies are nearest to one.
    let nearest = || (0..FRAMES).max_by_key(|&frame| frames[frame].pairs);
    if let Some(frame) = first.or_else(nearest) {
        let brute = brute_force(&bodies, &frames[frame])?;
        match frames[frame].answer.toi() {
            Some(toi) => checks.must(
                brute.is_some_and(|brute| (brute - toi).abs() < 2e-6),
                "every pair of that frame, one by one: the same time of impact",
            )?,
            None => checks.must(
                brute.is_none(),
                format_args!("every pair of frame {frame}, one by one: no contact either"),
            )?,
        }
    }
    if let Some(out) = &arguments.out {
        let contact = first.map(|frame| (frame, frames[frame].answer.toi().unwrap_or(0.0)));
        let moments = [
            ("start", Some((0, 0.0))),
            ("contact", contact),
            ("end", Some((FRAMES - 1, 1.0))),
        ];
        for (name, (frame, t)) in moments
            .into_iter()
            .filter_map(|(name, at)| Some((name, at?)))
        {
            for (body, which) in bodies.iter().zip([0, 1]) {
                let file = ["flyer", "torus"][which];
                let path = out.join(format!("bunny_torus-{name}-{file}.obj"));
                draw(body, &frames[frame].bodies[which], t, &path)?;
                checks.say(format_args!("       {}", path.display()))?;
            }
        }
    }
    Ok(checks.verdict())
}

/// All frames, one after the other.
fn fly(bodies: &mut [Body; 2]) -> Result<Vec<Frame>, Box<dyn Error>> {
    let mut workspace = MeshWorkspace::new();
    let options = MeshOptions::default();
    let progress = support::progress_bar(FRAMES as u64)?.with_message("frames");
    let frames = (0..FRAMES).map(|frame| {
        let starts = [0, 1].map(|which| bodies[which].points.clone());
        bodies.iter_mut().for_each(|body| body.advance(frame));
        let begin = Instant::now();
        let one = MovingMesh::between(&bodies[0].mesh, &starts[0], &bodies[0].points)?;
        let two = MovingMesh::between(&bodies[1].mesh, &starts[1], &bodies[1].points)?;
        let answer = workspace.earliest_impact(&one, &two, &options)?;
        let time = begin.elapsed();
        // The query itself keeps no such list.
        let pairs = workspace.candidates(&one, &two, &options)?.len();
        progress.inc(1);
        let [start_one, start_two] = starts;
        Ok(Frame {
            bodies: [
                [start_one, bodies[0].points.clone()],
                [start_two, bodies[1].points.clone()],
            ],
            answer,
            pairs,
            time,
        })
    });
    let frames = frames.collect();
    progress.finish_and_clear();
    frames
}

fn table(frames: &[Frame]) -> Table {
    let (toi, moment) = ("toi in the frame", "contact at s");
    let mut table = markdown(0, ["frame", "pairs", "solved", "ms", toi, moment]);
    for (number, frame) in frames.iter().enumerate() {
        let counters = &frame.answer.counters;
        let (toi, moment) = match frame.answer.first.map(|first| first.outcome) {
            None => ("free".to_owned(), String::new()),
            Some(Outcome::ContactAtStart { .. }) => ("in contact".to_owned(), String::new()),
            Some(outcome) => {
                let toi = outcome.toi().unwrap_or(0.0);
                let moment = (number as f64 + toi) * FRAME_SECONDS;
                (format!("{toi:.6}"), format!("{moment:.6}"))
            }
        };
        table.add_row([
            number.to_string(),
            frame.pairs.to_string(),
            counters.solved.to_string(),
            format!("{:.3}", 1e3 * frame.time.as_secs_f64()),
            toi,
            moment,
        ]);
    }
    table
}

/// The first impact of all pairs of patches, each solved by itself.
fn brute_force(bodies: &[Body; 2], frame: &Frame) -> Result<Option<f64>, Box<dyn Error>> {
    let mut moving = [Vec::new(), Vec::new()];
    for (which, moving) in moving.iter_mut().enumerate() {
        let [start, end] = &frame.bodies[which];
        let at = |points| MovingMesh::resting(&bodies[which].mesh, points)?.patches_at(0.0);
        for (start, end) in at(start)?.into_iter().zip(at(end)?) {
            moving.push(Moving::between(start, &end)?);
        }
    }
    let mut workspace = Workspace::new();
    let mut first: Option<f64> = None;
    for (a, b) in moving[0]
        .iter()
        .flat_map(|a| moving[1].iter().map(move |b| (a, b)))
    {
        let outcome = workspace.time_of_impact(a, b, &Options::default())?;
        first = first
            .into_iter()
            .chain(outcome.toi())
            .min_by(f64::total_cmp);
    }
    Ok(first)
}

/// A body on its way through a frame, as OBJ; what is flat as it is, what is curved in pieces.
fn draw(
    body: &Body,
    [start, end]: &[Vec<Point3<f64>>; 2],
    t: f64,
    path: &Path,
) -> Result<(), Box<dyn Error>> {
    let patches = MovingMesh::between(&body.mesh, start, end)?.patches_at(t)?;
    let flat = patches
        .iter()
        .all(|patch| patch.shape() == Shape::Triangular { n: 1 });
    let mut file = support::make_file(path)?;
    write_obj(&mut file, &patches, if flat { 1 } else { 8 })?;
    Ok(file.flush()?)
}
