//! Whole queries of all six kinds of the timing table by all three methods, distances, and budgets.
//!
//! Each figure is for the first 20 random pairs of seed 1, one after the other in one workspace;
//! the traditional method at δ = 1e-2, since at the default δ single pairs take it minutes.
//! Distances are of 100 bicubic patches of a wavy sheet, [0, 1]² and up to 0.05 high: from points
//! 0.01 off them, with a limit of 0.1; from points that a limit of 0.1 leaves out; and from other
//! patches 0.3 above. The figure is for all 100.
//!
//! What a spent budget costs is measured on two patches that fit into each other, by degree: boxes
//! a second, and the time for a budget of ten thousand.
//!
//! ```text
//! cargo bench --bench queries
//! ```

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use nalgebra::{point, vector};
use pairs::{PairKind, RandomPairs};
use patch_ccd::geometry::{Patch, TensorProductPatch};
use patch_ccd::{DistanceOptions, Method, Moving, Options, Workspace};

fn queries(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("query");
    group.sample_size(10);
    let mut workspace = Workspace::new();
    for (method, delta) in [
        (Method::TwoSided, 1e-6),
        (Method::TwoSided, 1e-4),
        (Method::TimeDependent, 1e-6),
        (Method::TimeDependent, 1e-4),
        (Method::TimeDependent, 1e-2),
        (Method::Traditional, 1e-2),
    ] {
        let options = Options {
            method,
            delta,
            ..Options::default()
        };
        for kind in PairKind::TABLE {
            let pairs: Vec<_> = RandomPairs::new(kind.shape(), 1)
                .take(20)
                .filter_map(Result::ok)
                .collect();
            let id = BenchmarkId::new(format!("{method}, delta {delta:e}"), kind);
            group.bench_function(id, |bench| {
                bench.iter(|| {
                    for [a, b] in &pairs {
                        black_box(workspace.time_of_impact(a, b, &options).is_ok());
                    }
                });
            });
        }
    }
    group.finish();
}

/// Bicubic patches that are nearly flat, as in a mesh.
fn sheets(lift: f64, seed: u64) -> Vec<TensorProductPatch> {
    let mut state = seed;
    let mut noise = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    let mut sheet = || {
        let points: Vec<_> = (0..16)
            .map(|k| {
                let (x, y) = ((k / 4) as f64 / 3.0, (k % 4) as f64 / 3.0);
                point![
                    x + 0.03 * noise(),
                    y + 0.03 * noise(),
                    lift + 0.05 * noise()
                ]
            })
            .collect();
        TensorProductPatch::new(3, 3, &points).ok()
    };
    (0..100).filter_map(|_| sheet()).collect()
}

fn distances(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("distance");
    group.sample_size(10);
    let mut workspace = Workspace::new();
    let (patches, others) = (sheets(0.0, 1), sheets(0.3, 2));
    let place = |k: usize| {
        let part = |by: f64| (k as f64 * by).fract();
        (part(0.618), part(0.755))
    };
    for relative_tolerance in [1e-3, 1e-6] {
        let options = DistanceOptions {
            relative_tolerance,
            max_distance: 0.1,
            ..DistanceOptions::default()
        };
        let points = |off: f64| -> Vec<_> {
            let off = |(k, patch): (usize, &TensorProductPatch)| {
                let (u, v) = place(k);
                let normal = patch.normal(u, v).unwrap_or_default();
                patch.eval(u, v) + normal * off
            };
            patches.iter().enumerate().map(off).collect()
        };
        for (name, off) in [
            ("point near", 0.01),
            ("point beyond, close", 0.13),
            ("point beyond", 0.5),
        ] {
            let points = points(off);
            let id = BenchmarkId::new(name, format!("{relative_tolerance:e}"));
            group.bench_function(id, |bench| {
                bench.iter(|| {
                    for (&point, patch) in points.iter().zip(&patches) {
                        black_box(workspace.closest_point_on(point, patch, &options).is_ok());
                    }
                });
            });
        }
        let unlimited = DistanceOptions {
            max_distance: f64::INFINITY,
            ..options
        };
        let id = BenchmarkId::new("pair", format!("{relative_tolerance:e}"));
        group.bench_function(id, |bench| {
            bench.iter(|| {
                for (one, two) in patches.iter().zip(&others) {
                    black_box(workspace.closest_points(one, two, &unlimited).is_ok());
                }
            });
        });
    }
    group.finish();
}

/// A patch of degree (n, n) that is curved everywhere: a saddle for n = 1, else a bowl.
fn bowl(n: usize, lift: f64) -> Option<TensorProductPatch> {
    let at = |k: usize| k as f64 / n as f64;
    let points: Vec<_> = (0..(n + 1) * (n + 1))
        .map(|k| {
            let (u, v) = (at(k / (n + 1)), at(k % (n + 1)));
            let height = if n == 1 { u * v } else { u * u + v * v };
            point![u, v, 0.3 * height + lift]
        })
        .collect();
    TensorProductPatch::new(n, n, &points).ok()
}

fn budgets(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("budget");
    group.sample_size(10);
    let options = Options {
        delta: 1e-9,
        max_boxes: 10_000,
        ..Options::default()
    };
    group.throughput(Throughput::Elements(options.max_boxes));
    let mut workspace = Workspace::new();
    for n in [1, 3, 10, 30] {
        let (Some(bowl), Some(lid)) = (bowl(n, 0.0), bowl(n, 0.01)) else {
            continue;
        };
        let Ok(falling) = Moving::translating(lid, vector![0.0, 0.0, -0.02]) else {
            continue;
        };
        let bowl = Moving::resting(bowl);
        group.bench_function(BenchmarkId::new("degree", n), |bench| {
            bench.iter(|| black_box(workspace.time_of_impact(&bowl, &falling, &options).is_ok()));
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    // Short, so that all benches together take a few minutes.
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_millis(1500));
    targets = queries, distances, budgets
}
criterion_main!(benches);
