//! A cutoff does not change an answer below it.

use super::*;
use crate::Moving;
use crate::geometry::TensorProductPatch;
use crate::proofs::{Random, cases};
use nalgebra::{Point3, Vector3};

/// Also where the closest points are found late, after boxes that are farther apart than they are
/// have been queued.
#[test]
fn a_cutoff_ends_a_search_only_if_all_is_beyond_it() {
    let mut random = Random::new(62);
    let mut search = Search::new();
    let (mut late, mut early) = (0, 0);
    for case in 0..cases(2000) {
        let n = 2 + case % 2;
        let mut patch = |apart: f64| {
            let mut vector =
                || -> Vector3<f64> { Vector3::from_fn(|_, _| random.sign() * random.unit()) };
            let centre = apart * vector();
            let net: Vec<_> = (0..(n + 1) * (n + 1))
                .map(|_| Point3::from(centre + vector()))
                .collect();
            Moving::resting(TensorProductPatch::new(n, n, &net).unwrap())
        };
        let [a, b] = [0.0, 4.0].map(&mut patch);
        let options = DistanceOptions {
            relative_tolerance: [1e-6, 1e-3, 1e-2, 0.1][case / 2 % 4],
            max_boxes: 20_000,
            ..DistanceOptions::default()
        };
        search.pair.load(&[a.view(), b.view()], &options.as_query());
        let mut nearest = |cutoff| {
            let limit = f64::INFINITY;
            let mut counters = Counters::default();
            let nearest = search.nearest(&options, &DistanceRange { limit, cutoff }, &mut counters);
            (nearest, counters.boxes)
        };
        let (Nearest::Found { lower, closest }, all) = nearest(f64::INFINITY) else {
            continue;
        };
        let upper = closest.distance / search.pair.scale;
        let mut nearest = |cutoff| {
            let limit = f64::INFINITY;
            let mut counters = Counters::default();
            let nearest = search.nearest(&options, &DistanceRange { limit, cutoff }, &mut counters);
            (nearest, counters.boxes)
        };
        for factor in [0.5, 0.9, 1.0, 1.01, 1.1, 1.3, 1.7] {
            match nearest(factor * upper) {
                (Nearest::Beyond { lower }, boxes) => {
                    assert!(factor < 1.0 && lower > factor * upper && lower <= upper);
                    early += u32::from(boxes < all);
                }
                (
                    Nearest::Found {
                        lower: other,
                        closest: again,
                    },
                    _,
                ) => {
                    assert_eq!(other, lower, "case {case} at {factor}");
                    assert_eq!(again.parameters, closest.parameters);
                    late += u32::from(factor > 1.0);
                }
                other => panic!("case {case}: {other:?}"),
            }
        }
    }
    assert!(late > 1000 && early > 300, "{late} {early}");
}
