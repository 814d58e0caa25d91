//! Distances between patches and between meshes, and the closest points of them.

mod closed_form;
mod linear;
mod meshes;
mod sampled;

use kit::Random;
use kit::scenes::{BICUBIC, BILINEAR, LINEAR, QUADRATIC, SEGMENT};
use nalgebra::Vector3;
use patch_ccd::geometry::{AnyPatch, Patch, Shape};
use patch_ccd::{Distance, DistanceOptions, closest_points};

/// Surfaces and curves.
const SHAPES: [Shape; 9] = [
    BICUBIC,
    BILINEAR,
    Shape::TensorProduct { n: 2, m: 1 },
    SEGMENT,
    Shape::TensorProduct { n: 3, m: 0 },
    LINEAR,
    QUADRATIC,
    Shape::Triangular { n: 3 },
    Shape::TensorProduct { n: 5, m: 2 },
];

/// Two wildly bent patches of any shapes, some of them rational, their centres so far apart.
fn random_pair(random: &mut Random, apart: f64) -> [AnyPatch; 2] {
    let towards = random.vector(1.0).normalize() * apart;
    [Vector3::zeros(), towards].map(|centre| {
        let (shape, rational) = (random.pick(&SHAPES), random.chance(3));
        kit::scenes::random_patch(shape, random, centre, rational)
    })
}

/// Options with a tolerance of this part of the size of the scene.
fn within(relative_tolerance: f64) -> DistanceOptions {
    DistanceOptions {
        relative_tolerance,
        ..DistanceOptions::default()
    }
}

/// The distance, checked by [`consistent`].
fn measured(a: &AnyPatch, b: &AnyPatch, options: &DistanceOptions) -> Distance {
    let distance = closest_points(a, b, options).unwrap();
    consistent(a, b, &distance);
    distance
}

/// Bounds are in order, and the closest points are on the patches, at that distance from each other
/// and in that direction.
fn consistent(a: &AnyPatch, b: &AnyPatch, distance: &Distance) {
    assert!(distance.lower() >= 0.0);
    let Some(closest) = distance.closest() else {
        return;
    };
    assert!(distance.lower() <= closest.distance, "{distance:?}");
    for (side, patch) in [a, b].into_iter().enumerate() {
        let (u, v) = closest.parameters[side];
        assert_eq!(closest.points[side], patch.eval(u, v));
        let inside = match patch.shape() {
            Shape::TensorProduct { .. } => u <= 1.0 && v <= 1.0,
            Shape::Triangular { .. } => 1.0 - u - v >= 0.0,
        };
        assert!(inside && u >= 0.0 && v >= 0.0, "{distance:?}");
    }
    let points = a.control_points().iter().chain(b.control_points());
    let small = points.fold(0.0_f64, |size, p| size.max(p.coords.amax())) * 1e-13;
    let difference = closest.points[1] - closest.points[0];
    let apart = difference.norm();
    assert!((apart - closest.distance).abs() <= small, "{distance:?}");
    match closest.direction {
        Some(direction) => {
            assert!((direction.norm() - 1.0).abs() < 1e-14);
            assert!((direction * apart - difference).norm() <= small);
        }
        None => assert!(apart <= small),
    }
}

/// Asserts that a distance is found, proven from below to `tolerance`, and from above to
/// `accuracy`.
#[track_caller]
fn assert_is(distance: &Distance, exact: f64, tolerance: f64, accuracy: f64) {
    let Distance::Found { lower, closest, .. } = distance else {
        panic!("{distance:?}, but {exact} was expected");
    };
    let proven = exact - tolerance..=exact * (1.0 + 1e-15);
    assert!(proven.contains(lower), "{lower:e} bounds {exact:e}");
    let found = closest.distance;
    assert!(
        (found - exact).abs() <= accuracy,
        "{found:e} is not {exact:e}"
    );
}
