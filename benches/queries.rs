//! Whole queries of all six kinds of the timing table by all three methods.
//!
//! Each figure is for the first 20 random pairs of seed 1, one after the other in one workspace; the traditional
//! method at δ = 1e-2, since at the default δ single pairs take it minutes.
//!
//! ```text
//! cargo bench --bench queries
//! ```

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use patch_ccd::io::PairKind;
use patch_ccd::random::RandomPairs;
use patch_ccd::{Method, Options, Workspace};

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

criterion_group! {
    name = benches;
    // Short, so that all benches together take a few minutes.
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_millis(1500));
    targets = queries
}
criterion_main!(benches);
