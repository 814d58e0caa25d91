//! Edge–edge and vertex–face queries, as a cloth simulator makes them: most are clear, some
//! collide.
//!
//! Each figure is for 1000 random steps of seed 1, one after the other in one workspace.
//!
//! ```text
//! cargo bench --bench linear
//! ```

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use nalgebra::{Point3, Vector3};
use pairs::RandomPairs;
use patch_ccd::geometry::{AnyPatch, Patch, Shape};
use patch_ccd::{Moving, Options, Outcome, Step, Workspace, edge_edge_batch, vertex_face_batch};

/// Random steps of four points, their motions scaled by `speed`.
fn steps(speed: f64) -> Vec<Step<4>> {
    let pairs = RandomPairs::new(Shape::TensorProduct { n: 1, m: 1 }, 1);
    let step = |[a, b]: [Moving<AnyPatch>; 2]| {
        let points = |t: f64| -> [Point3<f64>; 4] {
            std::array::from_fn(|i| {
                let patch = if i < 2 { &a } else { &b };
                let velocity: Vector3<f64> =
                    patch.velocities().expect("straight lines")[i] * (t * speed);
                patch.start().control_points()[i] + velocity
            })
        };
        [points(0.0), points(1.0)]
    };
    pairs.take(1000).filter_map(Result::ok).map(step).collect()
}

fn linear(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("linear");
    let options = Options::default();
    let mut workspace = Workspace::new();
    for (name, speed) in [("clear", 0.1), ("mixed", 2.0)] {
        let steps = steps(speed);
        let hits = |outcomes: Vec<Result<Outcome, _>>| {
            outcomes
                .iter()
                .flatten()
                .filter(|outcome| outcome.toi().is_some())
                .count()
        };
        let share = hits(edge_edge_batch(&steps, &options));
        group.bench_function(
            format!("edge-edge, {name}, {share} of 1000 collide"),
            |bench| {
                bench.iter(|| {
                    for step in &steps {
                        black_box(workspace.edge_edge(step, &options).is_ok());
                    }
                });
            },
        );
        let share = hits(vertex_face_batch(&steps, &options));
        group.bench_function(
            format!("vertex-face, {name}, {share} of 1000 collide"),
            |bench| {
                bench.iter(|| {
                    for step in &steps {
                        black_box(workspace.vertex_face(step, &options).is_ok());
                    }
                });
            },
        );
    }
    group.finish();
}

criterion_group! {
    name = benches;
    // Short, so that all benches together take a few minutes.
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2));
    targets = linear
}
criterion_main!(benches);
