//! One step of a cloth of 20 000 triangles that folds onto itself and onto a sphere of 5 000: where
//! the time goes.
//!
//! All in one mesh, so that edges against edges and vertices against faces are tested within the
//! cloth, and between it and the sphere. Prints medians of several runs on one thread and on two,
//! without and with a minimum separation; ends with an error if an answer depends on the number of
//! threads, or if the step that is returned is not free of contact.
//!
//! A free step is found without a list of all candidates, so it may take less time than the list by
//! itself.
//!
//! ```text
//! cargo bench --bench cloth_step
//! cargo bench --bench cloth_step -- --write DIR
//! ```
//!
//! The second also writes the mesh (`faces.csv`, `start.csv`, `end.csv`) and the figures
//! (`figures.json`) into DIR: `benches/ipctk/cloth_step.py` compares them with the Python package
//! ipctk.

#![allow(clippy::print_stdout)]

use std::error::Error;
use std::f64::consts::{FRAC_1_SQRT_2, PI};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use bpaf::{Parser, construct, long};
use comfy_table::CellAlignment;
use nalgebra::{Point3, Vector3, point, vector};
use patch_ccd::Options;
use patch_ccd::mesh::{Candidate, Element, MeshOptions, MeshWorkspace, MovingMesh, TriangleMesh};
use rayon::ThreadPool;
use serde_json::{Value, json};
use support::arguments::{self, number};
use support::table::markdown;

/// Of the cloth's width, which is 1.
const SEPARATIONS: [f64; 2] = [0.0, 1e-3];

const RADIUS: f64 = 0.25;

/// Between the two layers of the cloth.
const GAP: f64 = 0.02;

struct Arguments {
    write: Option<PathBuf>,
    repeat: usize,
    test: bool,
    bench: bool,
}

fn arguments() -> impl Parser<Arguments> {
    let write = long("write")
        .help("Folder for the mesh and the figures")
        .argument("DIR")
        .optional();
    let repeat = "Runs of everything, but of all impacts three at most; medians count";
    let repeat = number(["repeat", "RUNS", repeat], 1..=usize::MAX, 15);
    let test = long("test").help("A small mesh, once").switch();
    // Given by `cargo bench`; without it the mesh is small too.
    let bench = long("bench").switch().hide();
    construct!(Arguments {
        write,
        repeat,
        test,
        bench
    })
}

fn main() -> ExitCode {
    let about = "Where the time of one step of a cloth goes";
    arguments::run(about, arguments(), |arguments| run(&arguments))
}

fn run(arguments: &Arguments) -> Result<ExitCode, Box<dyn Error>> {
    let quick = arguments.test || !arguments.bench;
    let scene = if quick {
        Scene::new(30, [20, 11])
    } else {
        Scene::new(100, [50, 51])
    };
    let pools = [1, 2].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().expect("a thread pool")
    });
    let repeat = if quick { 1 } else { arguments.repeat };
    let mesh = TriangleMesh::new(scene.start.len(), &scene.faces)?;
    println!(
        "{} vertices, {} edges, {} faces; medians of {repeat} runs",
        mesh.vertex_count(),
        mesh.edges().len(),
        mesh.faces().len()
    );
    let mut figures = Vec::new();
    for min_separation in SEPARATIONS {
        figures.push(block(&scene, &mesh, min_separation, &pools, repeat)?);
    }
    if let Some(folder) = &arguments.write {
        scene.write(folder)?;
        let figures = serde_json::to_string_pretty(&figures)?;
        std::fs::write(folder.join("figures.json"), figures)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The table of one minimum separation, and its figures.
fn block(
    scene: &Scene,
    mesh: &TriangleMesh,
    min_separation: f64,
    pools: &[ThreadPool; 2],
    repeat: usize,
) -> Result<Value, Box<dyn Error>> {
    let moving = MovingMesh::between(mesh, &scene.start, &scene.end)?;
    let options = MeshOptions {
        query: Options {
            min_separation,
            ..Options::default()
        },
        ..MeshOptions::default()
    };
    let runs = [
        measure(&moving, &options, &pools[0], repeat)?,
        measure(&moving, &options, &pools[1], repeat)?,
    ];
    let [one, two] = &runs;
    if one.answers != two.answers {
        return Err("the answers depend on the number of threads".into());
    }
    let answers = &one.answers;
    check_safety(mesh, &moving, &options, answers)?;

    println!(
        "\nMinimum separation {min_separation}: free up to {}, first {} and {}; free step {}\n",
        answers.toi, answers.first[0], answers.first[1], answers.step
    );
    let header = ["phase", "1 thread ms", "2 threads ms", "speed-up", "found"];
    let mut table = markdown(1, header);
    let found = table.column_mut(4).expect("a column of words");
    found.set_cell_alignment(CellAlignment::Left);
    let [edges, faces] = answers.kinds();
    let solved = runs.each_ref().map(|run| run.solved.to_string());
    let found = [
        "3 trees".to_owned(),
        String::new(),
        format!(
            "{edges} edge–edge, {faces} vertex–face, {} neighbours skipped",
            answers.neighbours
        ),
        String::new(),
        format!("{} candidates solved", solved.join(" or ")),
        String::new(),
        format!("{} pairs", answers.impacts.len()),
    ];
    for (phase, (name, found)) in PHASES.into_iter().zip(found).enumerate() {
        let [one, two] = runs.each_ref().map(|run| run.ms[phase]);
        let numbers = [one, two].map(|ms| format!("{ms:.1}"));
        let [one_ms, two_ms] = numbers;
        let speed_up = format!("{:.2}", one / two);
        table.add_row([name.to_owned(), one_ms, two_ms, speed_up, found]);
    }
    println!("{table}");

    let times = |run: &Run| -> Value {
        let times = PHASES.into_iter().zip(run.ms);
        times
            .map(|(name, ms)| (name.to_owned(), Value::from(ms)))
            .collect()
    };
    Ok(json!({
        "min_separation": min_separation,
        "delta": options.query.delta,
        "conservative_rescaling": options.conservative_rescaling,
        "edge_edge": edges,
        "vertex_face": faces,
        "toi": answers.toi,
        "step": answers.step,
        "first": answers.first.map(|element| element.to_string()),
        "impacts": answers.impacts.len(),
        "milliseconds": { "1": times(one), "2": times(two) },
    }))
}

const PHASES: [&str; 7] = [
    "trees, built",
    "trees, refitted",
    "list of candidates, trees built",
    "list of candidates, trees refitted",
    "free step, trees built",
    "free step, trees refitted",
    "all impacts, trees refitted",
];

/// What may not depend on the number of threads.
#[derive(Debug, PartialEq)]
struct Answers {
    candidates: Vec<Candidate>,
    neighbours: u64,
    first: [Element; 2],
    toi: f64,
    step: f64,
    /// By elements and lower bound.
    impacts: Vec<([Element; 2], f64)>,
}

impl Answers {
    /// How many candidates are edges, and how many a vertex and a face.
    fn kinds(&self) -> [usize; 2] {
        let edges = self.candidates.iter();
        let edges = edges.filter(|candidate| matches!(candidate.elements[0], Element::Edge(_)));
        let edges = edges.count();
        [edges, self.candidates.len() - edges]
    }
}

struct Run {
    answers: Answers,
    /// In the order of [`PHASES`].
    ms: [f64; PHASES.len()],
    solved: u64,
}

fn measure(
    moving: &MovingMesh<'_>,
    options: &MeshOptions<'_>,
    pool: &ThreadPool,
    repeat: usize,
) -> Result<Run, patch_ccd::Error> {
    // Against a triangle far away nothing but the trees costs time.
    let alone = TriangleMesh::new(3, &[[0, 1, 2]])?;
    let far = [point![9.0, 9.0, 9.0]; 3];
    let far = MovingMesh::resting(&alone, &far)?;
    let mut kept = MeshWorkspace::new();
    let mut kept_trees = MeshWorkspace::new();
    pool.install(|| {
        let (built, _) = median(repeat, || {
            MeshWorkspace::new().candidates(moving, &far, options)
        })?;
        let (refitted, _) = median(repeat, || kept_trees.candidates(moving, &far, options))?;
        let (list_built, _) = median(repeat, || {
            MeshWorkspace::new().self_candidates(moving, options)
        })?;
        let (list, candidates) = median(repeat, || kept.self_candidates(moving, options))?;
        let (free_built, _) = median(repeat, || {
            MeshWorkspace::new().collision_free_self_step(moving, options)
        })?;
        let (free, step) = median(repeat, || kept.collision_free_self_step(moving, options))?;
        let earliest = kept.earliest_self_impact(moving, options)?;
        let first = earliest.first.expect("a scene with an impact");
        let (all, impacts) = median(repeat.min(3), || kept.all_self_impacts(moving, options))?;
        let impacts = impacts.pairs.iter().map(|pair| (pair.elements, pair.toi()));
        Ok(Run {
            answers: Answers {
                candidates,
                neighbours: earliest.counters.neighbours,
                first: first.elements,
                toi: first.toi(),
                step,
                impacts: impacts.collect(),
            },
            ms: [built, refitted, list_built, list, free_built, free, all]
                .map(|time| 1e3 * time.as_secs_f64()),
            solved: earliest.counters.solved,
        })
    })
}

/// The median time of some runs after a first one that is not counted, and the last answer.
fn median<T>(
    repeat: usize,
    mut ask: impl FnMut() -> Result<T, patch_ccd::Error>,
) -> Result<(Duration, T), patch_ccd::Error> {
    let mut answer = ask()?;
    let mut times = Vec::with_capacity(repeat);
    for _ in 0..repeat {
        let start = Instant::now();
        let next = ask()?;
        times.push(start.elapsed());
        answer = next;
    }
    times.sort_unstable();
    Ok((times[repeat / 2], answer))
}

/// The step must be some, be what the first impact says, and be free of contact, on the way and
/// where it ends.
fn check_safety(
    mesh: &TriangleMesh,
    moving: &MovingMesh<'_>,
    options: &MeshOptions<'_>,
    answers: &Answers,
) -> Result<(), Box<dyn Error>> {
    let Answers { toi, step, .. } = *answers;
    let first = answers.impacts.first().map(|(_, toi)| *toi);
    if !(step > 0.0 && toi < 1.0 && step <= toi && first == Some(toi)) {
        return Err(format!("step {step}, first impact at {toi}, of all at {first:?}").into());
    }
    let mut until = *options;
    until.query.t_max = step;
    let there = moving.at(step);
    let mut now = *options;
    now.query.t_max = 0.0;
    let mut workspace = MeshWorkspace::new();
    for (what, moving, options) in [
        ("the step", moving, &until),
        ("its end", &MovingMesh::resting(mesh, &there)?, &now),
    ] {
        if let Some(first) = workspace.earliest_self_impact(moving, options)?.first {
            return Err(format!("{what} is not free of contact: {first:?}").into());
        }
    }
    Ok(())
}

/// The cloth's vertices and faces first, then those of the sphere.
struct Scene {
    faces: Vec<[u32; 3]>,
    start: Vec<Point3<f64>>,
    end: Vec<Point3<f64>>,
}

impl Scene {
    /// A cloth of `side` by `side` squares, and a sphere of so many meridians and bands.
    fn new(side: u32, [meridians, bands]: [u32; 2]) -> Self {
        let mut faces = Vec::new();
        for (i, j) in (0..side * side).map(|k| (k / side, k % side)) {
            let at = i * (side + 1) + j;
            let [a, b, c, d] = [at, at + 1, at + side + 1, at + side + 2];
            faces.extend([[a, c, d], [a, d, b]]);
        }
        let [start, end] = [0.0, 1.0].map(|t| cloth(side, t));
        faces.extend(sphere_faces(start.len() as u32, meridians, bands));
        let sphere = sphere(meridians, bands);
        let [start, end] = [start, end].map(|cloth| cloth.into_iter().chain(sphere.clone()));
        Self {
            faces,
            start: start.collect(),
            end: end.collect(),
        }
    }

    /// As CSV without a header; coordinates are read back as the same doubles.
    fn write(&self, folder: &Path) -> Result<(), Box<dyn Error>> {
        std::fs::create_dir_all(folder)?;
        let writer = |name: &str| {
            let mut builder = csv::WriterBuilder::new();
            builder.has_headers(false).from_path(folder.join(name))
        };
        let mut faces = writer("faces.csv")?;
        for face in &self.faces {
            faces.write_record(face.map(|index| index.to_string()))?;
        }
        faces.flush()?;
        for (name, points) in [("start.csv", &self.start), ("end.csv", &self.end)] {
            let mut file = writer(name)?;
            for point in points {
                file.write_record(point.coords.iter().map(|x| format!("{x:?}")))?;
            }
            file.flush()?;
        }
        Ok(())
    }
}

/// A wavy square of width 1, folded in two like a U and draped over the sphere, at the start (t =
/// 0) or the end (t = 1) of the step: it sinks into the sphere, and its upper layer swings shut
/// through the lower one.
fn cloth(side: u32, t: f64) -> Vec<Point3<f64>> {
    let bend = 0.5 * PI * GAP;
    let leg = 0.5 * (1.0 - bend);
    let at = |index: u32| {
        let (i, j) = (index / (side + 1), index % (side + 1));
        let [s, w] = [i, j].map(|k| f64::from(k) / f64::from(side));
        // Along the U, and height above the lower layer.
        let (x, height, upper) = if s < leg {
            (s - 0.5 * leg, 0.0, 0.0)
        } else if s < leg + bend {
            let angle = (s - leg) / bend * PI;
            let (sin, cos) = angle.sin_cos();
            let (out, up) = (0.5 * GAP * sin, 0.5 * GAP * (1.0 - cos));
            (0.5 * leg + out, up, 0.0)
        } else {
            let from_bend = s - leg - bend;
            (0.5 * leg - from_bend, GAP, (from_bend / 0.15).min(1.0))
        };
        let y = w - 0.5;
        let lower_wave = 0.002 * (23.0 * x + 11.0 * y + t).sin() * (17.0 * y - 0.3).cos();
        let upper_wave = 0.003 * (19.0 * x - 13.0 * y + 1.0 + 0.5 * t).sin() * (21.0 * y).cos();
        let wave = lower_wave + upper * (upper_wave - lower_wave);
        let clearance = 0.007 - 0.009 * t;
        let drop = 0.028 * upper * t;
        let slip = upper * t * vector![0.004, 0.003, 0.0];
        let offset = clearance + height + wave - drop;
        draped(x, y, offset) + slip
    };
    (0..(side + 1) * (side + 1)).map(at).collect()
}

/// The point at this offset from a surface that follows the sphere, whose top is the origin, and
/// goes on as a cone.
fn draped(x: f64, y: f64, offset: f64) -> Point3<f64> {
    let rim = RADIUS * FRAC_1_SQRT_2;
    let from_top = x.hypot(y);
    let (height, normal) = if from_top < rim {
        let z = (RADIUS * RADIUS - from_top * from_top).sqrt();
        (z, vector![x, y, z] / RADIUS)
    } else {
        let out = vector![x, y, 0.0] / from_top;
        (2.0 * rim - from_top, (out + Vector3::z()) * FRAC_1_SQRT_2)
    };
    point![x, y, height - RADIUS] + normal * offset
}

/// Two poles, and circles of vertices in between.
fn sphere(meridians: u32, bands: u32) -> Vec<Point3<f64>> {
    let at = |band: u32, meridian: u32| {
        let (sin, cos) = (PI * f64::from(band) / f64::from(bands)).sin_cos();
        let (y, x) = (2.0 * PI * f64::from(meridian) / f64::from(meridians)).sin_cos();
        point![0.0, 0.0, -RADIUS] + RADIUS * vector![sin * x, sin * y, cos]
    };
    let circles = (1..bands).flat_map(|band| (0..meridians).map(move |k| at(band, k)));
    let poles = [at(0, 0), at(bands, 0)];
    poles.into_iter().chain(circles).collect()
}

fn sphere_faces(first: u32, meridians: u32, bands: u32) -> Vec<[u32; 3]> {
    let at = |band: u32, meridian: u32| match band {
        0 => first,
        _ if band == bands => first + 1,
        _ => first + 2 + (band - 1) * meridians + meridian % meridians,
    };
    let mut faces = Vec::new();
    for (band, k) in (0..bands).flat_map(|band| (0..meridians).map(move |k| (band, k))) {
        let [a, b] = [at(band, k), at(band, k + 1)];
        let [c, d] = [at(band + 1, k), at(band + 1, k + 1)];
        faces.extend(
            [[a, c, d], [a, d, b]]
                .into_iter()
                .filter(|&[a, b, c]| a != b && b != c && c != a),
        );
    }
    faces
}
