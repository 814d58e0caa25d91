//! Two wavy cloths of n bicubic patches each pass through each other: time and memory of the first
//! impact as n grows.
//!
//! `cargo bench --bench mesh_growth`. Prints medians of several runs on one thread and on two, and
//! the time over n log n, which ought to stay about the same.

#![allow(clippy::print_stdout)]

use std::time::{Duration, Instant};

use nalgebra::{Point3, Vector3, point};
use patch_ccd::geometry::Shape;
use patch_ccd::mesh::{EarliestImpact, MeshOptions, MeshWorkspace, MovingMesh, PatchMesh};
use support::table::markdown;

/// Patches along a side.
const SIDES: [usize; 6] = [10, 18, 32, 56, 80, 100];

fn main() {
    // `cargo bench` passes `--bench`; the smallest is enough with `--test` after it, and for `cargo
    // test --benches`, which passes nothing.
    let given = |wanted: &str| std::env::args().any(|argument| argument == wanted);
    let quick = given("--test") || !given("--bench");
    let pools = [1, 2].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().expect("a thread pool")
    });
    let mut table = markdown(
        0,
        [
            "patches a cloth",
            "candidates",
            "solved",
            "toi",
            "1 thread ms",
            "refitted",
            "2 threads ms",
            "speed-up",
            "ms / (n log2 n) · 1e6",
            "peak MB",
            "bytes a patch",
        ],
    );
    for side in if quick { &SIDES[..1] } else { &SIDES[..] } {
        table.add_row(row(*side, &pools));
    }
    println!("{table}");
}

fn row(side: usize, pools: &[rayon::ThreadPool; 2]) -> Vec<String> {
    let patches = side * side;
    let mesh = topology(side);
    let [(upper, upper_end), (lower, lower_end)] = [cloth(side, 1.0), cloth(side, -1.0)];
    let upper = MovingMesh::between(&mesh, &upper, &upper_end).expect("a moving cloth");
    let lower = MovingMesh::between(&mesh, &lower, &lower_end).expect("a moving cloth");
    let options = MeshOptions::default();
    let ask = |workspace: &mut MeshWorkspace| {
        workspace
            .earliest_impact(&upper, &lower, &options)
            .expect("valid options")
    };
    let repeats = (40_000 / patches).clamp(5, 51);
    let fresh = |pool: &rayon::ThreadPool| {
        pool.install(|| median(repeats, || ask(&mut MeshWorkspace::new())))
    };
    let (one, answer) = fresh(&pools[0]);
    let (two, other) = fresh(&pools[1]);
    assert_eq!(
        answer.first, other.first,
        "the answer depends on the threads"
    );
    let mut kept = MeshWorkspace::new();
    let (refitted, _) = pools[0].install(|| median(repeats, || ask(&mut kept)));
    // Counted on the one thread that does all the work.
    let memory =
        pools[0].install(|| allocation_counter::measure(|| _ = ask(&mut MeshWorkspace::new())));
    let n = patches as f64;
    let ms = |time: Duration| 1e3 * time.as_secs_f64();
    vec![
        patches.to_string(),
        answer.counters.candidates.to_string(),
        answer.counters.solved.to_string(),
        answer
            .toi()
            .map_or("none".to_owned(), |toi| format!("{toi:.6}")),
        format!("{:.2}", ms(one)),
        format!("{:.2}", ms(refitted)),
        format!("{:.2}", ms(two)),
        format!("{:.2}", ms(one) / ms(two)),
        format!("{:.0}", 1e6 * ms(one) / (n * n.log2())),
        format!("{:.1}", memory.bytes_max as f64 / 1e6),
        format!("{:.0}", memory.bytes_max as f64 / n),
    ]
}

fn median(repeats: usize, mut ask: impl FnMut() -> EarliestImpact) -> (Duration, EarliestImpact) {
    let mut answer = ask();
    let mut times: Vec<Duration> = (0..repeats)
        .map(|_| {
            let start = Instant::now();
            answer = ask();
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    (times[repeats / 2], answer)
}

/// Bicubic patches over a grid of control points, sharing those of their boundaries.
fn topology(side: usize) -> PatchMesh {
    let row = 3 * side + 1;
    let mut mesh = PatchMesh::new(row * row);
    for (i, j) in (0..side * side).map(|k| (k / side, k % side)) {
        let net: Vec<u32> = (0..16)
            .map(|k| ((3 * i + k / 4) * row + 3 * j + k % 4) as u32)
            .collect();
        mesh.add(Shape::TensorProduct { n: 3, m: 3 }, &net, None)
            .expect("a bicubic patch");
    }
    mesh
}

/// Waves of the same size whatever the number of patches, over [0, 1]² and on `side` of z = 0; at
/// the end on the other one, with the waves moved on.
fn cloth(patches: usize, side: f64) -> (Vec<Point3<f64>>, Vec<Point3<f64>>) {
    let row = 3 * patches + 1;
    let at = |k: usize, z: f64, phase: f64| {
        let (x, y) = ((k / row) as f64 / row as f64, (k % row) as f64 / row as f64);
        let wave = 0.05 * (19.0 * x + side * 5.0 * y + phase).sin() * (17.0 * y - side).cos();
        point![x, y, z + wave]
    };
    let start = (0..row * row).map(|k| at(k, 0.15 * side, 0.0)).collect();
    let end = (0..row * row).map(|k| at(k, -0.15 * side, 1.0) + Vector3::x() * (0.1 * side));
    (start, end.collect())
}
