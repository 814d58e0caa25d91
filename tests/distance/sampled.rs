//! Against surfaces that are sampled densely, and against queries of collision detection.

use nalgebra::Vector3;
use patch_ccd::geometry::{AnyPatch, Patch, Shape};
use patch_ccd::{
    Distance, DistanceOptions, Moving, Options, Outcome, closest_points, time_of_impact,
};
use proptest::prelude::*;

use crate::scenes::{SHAPES, consistent, measured, noise, random_patch, within};

fn samples(patch: &AnyPatch, count: usize) -> Vec<nalgebra::Point3<f64>> {
    let at = |i: usize| i as f64 / count as f64;
    let mut points = Vec::new();
    for i in 0..=count {
        for j in 0..=count {
            match patch.shape() {
                Shape::TensorProduct { m: 0, .. } if j > 0 => {}
                Shape::TensorProduct { .. } => points.push(patch.eval(at(i), at(j))),
                Shape::Triangular { .. } if i + j <= count => points.push(patch.eval(at(i), at(j))),
                Shape::Triangular { .. } => {}
            }
        }
    }
    points
}

fn pair(seed: u64, shapes: [usize; 2], apart: f64) -> [AnyPatch; 2] {
    let mut next = noise(seed);
    let towards = Vector3::new(next(), next(), next()).normalize() * apart;
    [
        random_patch(
            SHAPES[shapes[0]],
            &mut next,
            Vector3::zeros(),
            seed.is_multiple_of(3),
        ),
        random_patch(
            SHAPES[shapes[1]],
            &mut next,
            towards,
            seed.is_multiple_of(4),
        ),
    ]
}

proptest! {
    #[test]
    fn nothing_sampled_is_closer_than_the_lower_bound(
        seed in 0_u64..1_000_000, one in 0_usize..9, two in 0_usize..9, apart in 0.0..4.0,
        digits in 2_i32..7,
    ) {
        let [a, b] = pair(seed, [one, two], apart);
        let tolerance = 10_f64.powi(-digits);
        let options = DistanceOptions { max_boxes: 200_000, ..within(tolerance) };
        let distance = measured(&a, &b, &options);
        let (first, second) = (samples(&a, 24), samples(&b, 24));
        let least = first.iter().flat_map(|p| second.iter().map(move |q| (p - q).norm()))
            .fold(f64::INFINITY, f64::min);
        prop_assert!(distance.lower() <= least);
        if let Distance::Found { lower, closest, .. } = distance {
            prop_assert!(closest.distance - lower <= tolerance * 8.0);
            prop_assert!(closest.distance <= least + 1e-14 + tolerance * 8.0);
        }
        // A limit at either side of the distance decides it, unless it is within the tolerance.
        let limit = distance.lower() - 8.0 * tolerance;
        let limit = if limit > 0.0 { limit } else { distance.lower() };
        let upper = distance.upper().unwrap();
        let far = closest_points(&a, &b, &DistanceOptions { max_distance: limit, ..options }).unwrap();
        prop_assert!(limit == distance.lower() || matches!(far, Distance::Beyond { .. }), "{far:?}");
        prop_assert!(far.lower() <= least);
        let near = closest_points(&a, &b, &DistanceOptions { max_distance: upper * 1.01, ..options }).unwrap();
        prop_assert!(near.closest().is_some());
        consistent(&a, &b, &near);
    }

    #[test]
    fn collision_detection_at_rest_agrees(
        seed in 0_u64..1_000_000, one in 0_usize..9, two in 0_usize..9, apart in 1.0..4.0,
    ) {
        let [a, b] = pair(seed, [one, two], apart);
        let distance = measured(&a, &b, &DistanceOptions { max_boxes: 200_000, ..within(1e-5) });
        let touches = |min_separation: f64| {
            let options = Options { t_max: 0.0, min_separation, max_boxes: 300_000, ..Options::default() };
            let [a, b] = [a.clone(), b.clone()].map(Moving::resting);
            time_of_impact(&a, &b, &options).unwrap()
        };
        let (lower, upper) = (distance.lower(), distance.upper().unwrap());
        if lower > 1e-3 {
            let clear = touches(0.999 * lower);
            prop_assert!(!matches!(clear, Outcome::ContactAtStart { .. }), "{distance:?} {clear:?}");
        }
        // What is proven clear is really farther.
        for factor in [0.5, 0.99, 1.0, 1.01] {
            let outcome = touches(factor * upper);
            if matches!(outcome, Outcome::Clear { .. }) {
                prop_assert!(factor < 1.0 + 1e-12, "{distance:?} at {factor}");
            }
        }
    }
}

/// Rigidly turned patches have the same distance, to rounding.
#[test]
fn turned_patches_are_as_far_apart() {
    let mut next = noise(11);
    for seed in 0..60 {
        let [a, b] = pair(seed, [seed as usize % 9, seed as usize / 3 % 9], 3.0);
        let turn = nalgebra::Rotation3::new(Vector3::new(next(), next(), next()) * 3.0);
        let turned = |patch: &AnyPatch| {
            let points: Vec<_> = patch.control_points().iter().map(|p| turn * p).collect();
            patch.with_net(&points, patch.weights()).unwrap()
        };
        let plain = measured(&a, &b, &within(1e-6));
        let other = measured(&turned(&a), &turned(&b), &within(1e-6));
        let (one, two) = (plain.upper().unwrap(), other.upper().unwrap());
        assert!((one - two).abs() < 1e-5 && other.lower() <= one + 1e-14);
    }
}
