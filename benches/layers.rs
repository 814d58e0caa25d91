//! What each layer costs by itself: envelopes, one inclusion test, subdivision.
//!
//! ```text
//! cargo bench --bench layers
//! ```

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use pairs::{PairKind, RandomPairs};
use patch_ccd::geometry::{Patch, Shape};
use patch_ccd::inclusion::{Line, overlap_interval};
use patch_ccd::{Inclusion, Moving, Options, Workspace};

/// x, y and z of both patches' control points as lines in t.
fn coordinate_lines<P: Patch>(a: &Moving<P>, b: &Moving<P>) -> Vec<[Vec<Line>; 2]> {
    let lines = |patch: &Moving<P>, c: usize| -> Vec<Line> {
        let points = patch.start().control_points().iter();
        points
            .zip(patch.velocities().expect("straight lines"))
            .map(|(p, v)| Line {
                offset: p[c],
                slope: v[c],
            })
            .collect()
    };
    (0..3).map(|c| [lines(a, c), lines(b, c)]).collect()
}

fn envelope(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("envelope");
    for n in [1, 3, 10, 30] {
        let shape = Shape::TensorProduct { n, m: n };
        let Some(Ok([a, b])) = RandomPairs::new(shape, 1).next() else {
            continue;
        };
        let axes = coordinate_lines(&a, &b);
        let id = BenchmarkId::new("textbook, 3 axes", shape.count());
        group.bench_function(id, |bench| {
            bench.iter(|| overlap_interval(black_box(&axes), [0.0, 1.0]));
        });
    }
    group.finish();
}

fn inclusion(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("inclusion");
    let mut workspace = Workspace::new();
    for inclusion in [Inclusion::Aabb, Inclusion::Obb] {
        for kind in PairKind::TABLE {
            let Some(Ok([a, b])) = RandomPairs::new(kind.shape(), 1).next() else {
                continue;
            };
            let options = Options {
                inclusion,
                ..Options::default()
            };
            group.bench_function(BenchmarkId::new(inclusion.to_string(), kind), |bench| {
                bench.iter(|| workspace.overlap_interval(black_box(&a), black_box(&b), &options));
            });
        }
    }
    group.finish();
}

fn subdivision(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("subdivision");
    for kind in PairKind::TABLE {
        let Some(Ok([a, _])) = RandomPairs::new(kind.shape(), 1).next() else {
            continue;
        };
        group.bench_function(BenchmarkId::new("into four", kind), |bench| {
            bench.iter(|| black_box(a.start()).subdivide());
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    // Short, so that all benches together take a few minutes.
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2));
    targets = envelope, inclusion, subdivision
}
criterion_main!(benches);
