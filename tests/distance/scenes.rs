//! Patches to measure, and what every answer must satisfy.

use nalgebra::{Point3, Vector3, point};
use patch_ccd::geometry::{AnyPatch, Patch, Shape};
use patch_ccd::{Distance, DistanceOptions, closest_points};

/// Pseudo-random numbers in [−1, 1].
pub(crate) fn noise(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1);
    move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

pub(crate) const SHAPES: [Shape; 9] = [
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

/// A bent patch about `centre`; rational if asked for.
pub(crate) fn random_patch(
    shape: Shape,
    next: &mut impl FnMut() -> f64,
    centre: Vector3<f64>,
    rational: bool,
) -> AnyPatch {
    let points: Vec<_> = (0..shape.count())
        .map(|_| Point3::from(centre + Vector3::new(next(), next(), next())))
        .collect();
    if rational {
        let weights: Vec<_> = points.iter().map(|_| 1.5 + next()).collect();
        AnyPatch::rational_from_shape(shape, &points, &weights).unwrap()
    } else {
        AnyPatch::from_shape(shape, &points).unwrap()
    }
}

/// A point as a patch of degree 1 in u whose control points coincide.
pub(crate) fn dot_patch(p: Point3<f64>) -> AnyPatch {
    AnyPatch::from_shape(Shape::TensorProduct { n: 1, m: 0 }, &[p, p]).unwrap()
}

pub(crate) fn segment(a: Point3<f64>, b: Point3<f64>) -> AnyPatch {
    AnyPatch::from_shape(Shape::TensorProduct { n: 1, m: 0 }, &[a, b]).unwrap()
}

/// An octant of the sphere of radius r about c, one pole collapsed, exactly: weights of a quarter circle in both directions. `signs` say which octant.
pub(crate) fn octant(c: Point3<f64>, r: f64, signs: [f64; 3]) -> AnyPatch {
    let w = 0.5_f64.sqrt();
    let arc = [([1.0, 0.0], 1.0), ([1.0, 1.0], w), ([0.0, 1.0], 1.0)];
    let (mut points, mut weights) = (Vec::new(), Vec::new());
    for ([x, y], a) in arc {
        for ([out, up], b) in arc {
            let at = Vector3::new(
                signs[0] * x * out * r,
                signs[1] * y * out * r,
                signs[2] * up * r,
            );
            points.push(c + at);
            weights.push(a * b);
        }
    }
    AnyPatch::rational_from_shape(Shape::TensorProduct { n: 2, m: 2 }, &points, &weights).unwrap()
}

/// The distance, checked: bounds in order, points on the patches at that distance from each other, direction and swapped answer consistent.
pub(crate) fn measured(a: &AnyPatch, b: &AnyPatch, options: &DistanceOptions) -> Distance {
    let distance = closest_points(a, b, options).unwrap();
    consistent(a, b, &distance);
    distance
}

pub(crate) fn consistent(a: &AnyPatch, b: &AnyPatch, distance: &Distance) {
    let size = a
        .control_points()
        .iter()
        .chain(b.control_points())
        .fold(0.0_f64, |size, p| size.max(p.coords.amax()));
    assert!(distance.lower() >= 0.0);
    let Some(closest) = distance.closest() else {
        return;
    };
    assert!(distance.lower() <= closest.distance, "{distance:?}");
    let [(u, v), (s, t)] = closest.parameters;
    assert_eq!(closest.points, [a.eval(u, v), b.eval(s, t)]);
    for (patch, (u, v)) in [(a, (u, v)), (b, (s, t))] {
        let inside = match patch.shape() {
            Shape::TensorProduct { .. } => (0.0..=1.0).contains(&u) && (0.0..=1.0).contains(&v),
            Shape::Triangular { .. } => u >= 0.0 && v >= 0.0 && 1.0 - u - v >= 0.0,
        };
        assert!(inside, "{distance:?}");
    }
    let difference = closest.points[1] - closest.points[0];
    let apart = difference.norm();
    assert!(
        (apart - closest.distance).abs() <= 1e-13 * size,
        "{distance:?}"
    );
    match closest.direction {
        Some(direction) => {
            assert!((direction.norm() - 1.0).abs() < 1e-14);
            assert!((direction * apart - difference).norm() <= 1e-13 * size);
        }
        None => assert!(apart <= 1e-13 * size),
    }
}

/// Options with a tolerance of this part of the size of the scene.
pub(crate) fn within(relative_tolerance: f64) -> DistanceOptions {
    DistanceOptions {
        relative_tolerance,
        ..DistanceOptions::default()
    }
}

/// Asserts that a distance is found, proven from below to `tolerance`, and from above to `accuracy`.
pub(crate) fn assert_is(distance: &Distance, exact: f64, tolerance: f64, accuracy: f64) {
    let Distance::Found { lower, closest, .. } = distance else {
        panic!("{distance:?}, but {exact} was expected");
    };
    assert!(
        *lower <= exact * (1.0 + 1e-15),
        "{lower:e} is above {exact:e}"
    );
    assert!(
        *lower >= exact - tolerance,
        "{lower:e} is far below {exact:e}"
    );
    assert!(
        (closest.distance - exact).abs() <= accuracy,
        "{:e} is not {exact:e}",
        closest.distance
    );
}

pub(crate) fn square(z: f64) -> AnyPatch {
    AnyPatch::from_shape(
        Shape::TensorProduct { n: 1, m: 1 },
        &[
            point![0.0, 0.0, z],
            point![0.0, 1.0, z],
            point![1.0, 0.0, z],
            point![1.0, 1.0, z],
        ],
    )
    .unwrap()
}
