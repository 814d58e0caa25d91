//! Distances at the ends of the range of doubles, and where parameters end.

use kit::scenes::{dot, placed, random_patch};
use kit::{Random, check_distance};
use nalgebra::{Point3, Vector3, point};
use patch_ccd::geometry::{AnyPatch, Shape};
use patch_ccd::{Distance, DistanceOptions, Inclusion, closest_point_on, closest_points};

const SHAPES: [Shape; 9] = [
    Shape::TensorProduct { n: 3, m: 3 },
    Shape::TensorProduct { n: 1, m: 1 },
    Shape::TensorProduct { n: 2, m: 1 },
    Shape::TensorProduct { n: 1, m: 0 },
    Shape::TensorProduct { n: 3, m: 0 },
    Shape::Triangular { n: 1 },
    Shape::Triangular { n: 2 },
    Shape::Triangular { n: 3 },
    Shape::TensorProduct { n: 5, m: 2 },
];

fn within(relative_tolerance: f64) -> DistanceOptions {
    DistanceOptions {
        relative_tolerance,
        ..DistanceOptions::default()
    }
}

#[test]
fn extreme_coordinates_neither_panic_nor_claim_too_much() {
    let mut random = Random::new(21);
    for size in [1e300, f64::MAX / 4.0, 1e-300, f64::MIN_POSITIVE, 5e-324] {
        for case in 0..30 {
            let shape = SHAPES[case % 9];
            let mut next =
                |x: f64| random_patch(shape, &mut random, Vector3::new(x, 0.0, 0.0), false);
            let plain = [next(0.0), next(2.0)];
            let options = DistanceOptions {
                max_boxes: 3000,
                ..within(1e-4)
            };
            let measure = |[a, b]: &[AnyPatch; 2], max_distance| {
                let options = DistanceOptions {
                    max_distance,
                    ..options
                };
                let distance = closest_points(a, b, &options).unwrap();
                check_distance(&distance, &options);
                distance
            };
            let scaled = plain.each_ref().map(|patch| placed(patch, |p| p * size));
            let lower = measure(&scaled, f64::INFINITY).lower();
            if size > 1e-301 {
                let upper = measure(&plain, f64::INFINITY).upper().unwrap();
                assert!(lower / size <= upper * (1.0 + 1e-12));
            }
            for max_distance in [0.0, 1e-310, 1.0, 1e308] {
                measure(&scaled, max_distance);
            }
        }
    }
    // From one end of the range to the other.
    let far = [-f64::MAX, f64::MAX].map(|x| dot(Point3::from([x; 3])));
    let distance = closest_points(&far[0], &far[1], &within(1e-6)).unwrap();
    assert_eq!(distance.lower(), f64::MAX);
}

/// As near as rounding allows.
#[test]
fn without_tolerance_the_search_ends_at_rounding() {
    let mut random = Random::new(22);
    for case in 0..40 {
        let mut next = |x, rational| random_patch(SHAPES[case % 9], &mut random, x, rational);
        let (a, b) = (
            next(Vector3::zeros(), case % 2 == 0),
            next(Vector3::x() * 3.0, false),
        );
        let distance = closest_points(&a, &b, &within(0.0)).unwrap();
        let Distance::Found { lower, closest, .. } = distance else {
            panic!("{distance:?}");
        };
        assert!(closest.distance - lower < 1e-11, "{distance:?}");
    }
}

/// A line that goes on by nearly all of its length from the last double below 1 to 1: no parameters
/// of its middle are doubles.
#[test]
fn what_parameters_cannot_tell_apart_is_not_called_found() {
    let ends = [Point3::origin(), point![1.0, 0.0, 0.0]];
    let line = AnyPatch::rational_from_shape(SHAPES[3], &ends, &[1.0, 1e-60]).unwrap();
    for inclusion in [Inclusion::Obb, Inclusion::Aabb] {
        let options = DistanceOptions {
            inclusion,
            ..within(1e-6)
        };
        let distance = closest_point_on(point![0.5, 0.25, 0.0], &line, &options).unwrap();
        let Distance::BudgetExhausted { lower, closest, .. } = distance else {
            panic!("{distance:?}");
        };
        assert!(lower <= 0.25 && closest.distance > 0.5, "{distance:?}");
    }
}

#[test]
fn points_of_the_largest_doubles_are_finite() {
    let at = |x: i32, y: i32, n: f64| point![f64::from(x) / n, f64::from(y) / n, f64::MAX];
    let net: Vec<_> = (0..9).map(|k| at(k / 3, k % 3, 2.0)).collect();
    let patch = AnyPatch::from_shape(Shape::TensorProduct { n: 2, m: 2 }, &net).unwrap();
    for k in 0..200 {
        let distance = closest_point_on(at(k, k * 37 % 200, 200.0), &patch, &within(1e-6)).unwrap();
        check_distance(&distance, &within(1e-6));
    }
}

/// The search that starts at a control point on the far side, with a weight that leaves nowhere to
/// go, ends there: its parameters may round to a place outside.
#[test]
fn parameters_of_control_points_are_inside() {
    let options = DistanceOptions {
        max_boxes: 1,
        ..within(1e-6)
    };
    for n in 1..=30 {
        let shape = Shape::Triangular { n };
        let at = |i: usize, j: usize| point![i as f64 / n as f64, j as f64 / n as f64, 0.0];
        let indices = (0..=n).flat_map(|j| (0..=n - j).map(move |i| (i, j)));
        let net: Vec<_> = indices.clone().map(|(i, j)| at(i, j)).collect();
        for i in 0..=n {
            let far = |at: (usize, usize)| if at == (i, n - i) { 1e180 } else { 1.0 };
            let weights: Vec<_> = indices.clone().map(far).collect();
            let patch = AnyPatch::rational_from_shape(shape, &net, &weights).unwrap();
            let beyond = at(i, n - i) + Vector3::new(0.5, 0.5, 0.0);
            let distance = closest_point_on(beyond, &patch, &options).unwrap();
            check_distance(&distance, &options);
            let closest = distance.closest().unwrap();
            let coordinates = closest.barycentric(1).unwrap();
            assert!(coordinates.iter().all(|&x| x >= 0.0), "{distance:?}");
        }
    }
}
