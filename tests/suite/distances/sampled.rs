//! Against surfaces that are sampled densely, and against queries of collision detection.

use kit::{Random, cases, each_case};
use nalgebra::{Point3, Rotation3};
use patch_ccd::geometry::{AnyPatch, Patch, Shape};
use patch_ccd::{Distance, DistanceOptions, Moving, Options, Outcome, time_of_impact};

use super::{measured, random_pair, within};

fn samples(patch: &AnyPatch) -> Vec<Point3<f64>> {
    const COUNT: usize = 24;
    let at = |i: usize| i as f64 / COUNT as f64;
    let across = |i: usize| match patch.shape() {
        Shape::TensorProduct { m: 0, .. } => 0,
        Shape::TensorProduct { .. } => COUNT,
        Shape::Triangular { .. } => COUNT - i,
    };
    (0..=COUNT)
        .flat_map(|i| (0..=across(i)).map(move |j| patch.eval(at(i), at(j))))
        .collect()
}

#[test]
fn nothing_sampled_is_closer_than_the_lower_bound() {
    each_case(cases(256), |_, random| {
        let apart = 4.0 * random.unit();
        let [a, b] = random_pair(random, apart);
        let tolerance = 10_f64.powi(-2 - random.below(5) as i32);
        let options = DistanceOptions {
            max_boxes: 200_000,
            ..within(tolerance)
        };
        let distance = measured(&a, &b, &options);
        let told = format!("{distance:?}");
        let (first, second) = (samples(&a), samples(&b));
        let between = |p: &Point3<f64>| {
            let apart = second.iter().map(|q| (p - q).norm());
            apart.fold(f64::INFINITY, f64::min)
        };
        let least = first.iter().map(between).fold(f64::INFINITY, f64::min);
        let (lower, upper) = (distance.lower(), distance.upper().unwrap());
        assert!(lower <= least, "{told}");
        if let Distance::Found { .. } = distance {
            assert!(upper - lower <= tolerance * 8.0, "{told}");
            assert!(upper <= least + 1e-14 + tolerance * 8.0, "{told}");
        }
        // A limit at either side of the distance decides it, unless it is within the tolerance.
        let limited = |max_distance: f64| {
            let options = DistanceOptions {
                max_distance,
                ..options
            };
            measured(&a, &b, &options)
        };
        let limit = lower - 8.0 * tolerance;
        if limit > 0.0 {
            let far = limited(limit);
            assert!(matches!(far, Distance::Beyond { .. }), "{told}: {far:?}");
        }
        let far = limited(if limit > 0.0 { limit } else { lower });
        assert!(far.lower() <= least, "{told}: {far:?}");
        assert!(limited(upper * 1.01).closest().is_some(), "{told}");
    });
}

#[test]
fn collision_detection_at_rest_agrees() {
    each_case(cases(256), |_, random| {
        let apart = 1.0 + 3.0 * random.unit();
        let pair = random_pair(random, apart);
        let options = DistanceOptions {
            max_boxes: 200_000,
            ..within(1e-5)
        };
        let distance = measured(&pair[0], &pair[1], &options);
        let touches = |min_separation: f64| {
            let options = Options {
                t_max: 0.0,
                min_separation,
                max_boxes: 300_000,
                ..Options::default()
            };
            let [a, b] = pair.clone().map(Moving::resting);
            time_of_impact(&a, &b, &options).unwrap()
        };
        let (lower, upper) = (distance.lower(), distance.upper().unwrap());
        if lower > 1e-3 {
            let clear = touches(0.999 * lower);
            let contact = matches!(clear, Outcome::ContactAtStart { .. });
            assert!(!contact, "{distance:?} {clear:?}");
        }
        // What is proven clear is really farther.
        for factor in [0.5, 0.99, 1.0, 1.01] {
            if let Outcome::Clear { .. } = touches(factor * upper) {
                let right = factor < 1.0 + 1e-12;
                assert!(right, "{distance:?} at {factor}");
            }
        }
    });
}

/// Rigidly turned patches have the same distance, to rounding.
#[test]
fn turned_patches_are_as_far_apart() {
    let mut random = Random::new(11);
    for _ in 0..60 {
        let [a, b] = random_pair(&mut random, 3.0);
        let turn = Rotation3::new(random.vector(3.0));
        let turned = |patch| kit::scenes::placed(patch, |p| turn * p);
        let plain = measured(&a, &b, &within(1e-6)).upper().unwrap();
        let other = measured(&turned(&a), &turned(&b), &within(1e-6));
        assert!((plain - other.upper().unwrap()).abs() < 1e-5);
        assert!(other.lower() <= plain + 1e-14);
    }
}
