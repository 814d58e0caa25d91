//! Patches of which every point is known, how they move, and random ones.
//!
//! [`patch`] makes any of them: its control points are the images of their own parameters, so that
//! an affine image *is* the patch.

use nalgebra::{Point3, Vector3};
use patch_ccd::Moving;
use patch_ccd::geometry::{AnyPatch, Patch, Shape};

use crate::Random;

/// A moving patch of any kind.
pub type Motion = Moving<AnyPatch>;

/// Tensor product of degree 1.
pub const BILINEAR: Shape = Shape::TensorProduct { n: 1, m: 1 };
/// A triangle.
pub const LINEAR: Shape = Shape::Triangular { n: 1 };
/// A straight line.
pub const SEGMENT: Shape = Shape::TensorProduct { n: 1, m: 0 };

/// Surfaces of both kinds, low and high, even and uneven.
pub const SHAPES: [Shape; 5] = [
    BILINEAR,
    Shape::TensorProduct { n: 2, m: 3 },
    LINEAR,
    Shape::Triangular { n: 3 },
    Shape::TensorProduct { n: 5, m: 1 },
];

/// The parameters that belong to each control point (Greville abscissae): control points at their
/// images under an affine map make a patch that *is* this map.
pub fn greville(shape: Shape) -> Vec<(f64, f64)> {
    let at = |i: usize, n: usize| i as f64 / n.max(1) as f64;
    match shape {
        Shape::TensorProduct { n, m } => (0..=n)
            .flat_map(|i| (0..=m).map(move |j| (at(i, n), at(j, m))))
            .collect(),
        Shape::Triangular { n } => (0..=n)
            .flat_map(|j| (0..=n - j).map(move |i| (at(i, n), at(j, n))))
            .collect(),
    }
}

/// The patch whose control points are the images of their [`greville`] parameters.
pub fn patch(shape: Shape, image: impl Fn(f64, f64) -> Point3<f64>) -> AnyPatch {
    let parameters = greville(shape).into_iter();
    let points: Vec<_> = parameters.map(|(u, v)| image(u, v)).collect();
    AnyPatch::from_shape(shape, &points).expect("finite points")
}

/// The patch with its control points mapped.
pub fn placed(patch: &AnyPatch, place: impl Fn(Point3<f64>) -> Point3<f64>) -> AnyPatch {
    let points: Vec<_> = patch.control_points().iter().map(|&p| place(p)).collect();
    patch
        .with_net(&points, patch.weights())
        .expect("finite points")
}

/// The affine patch with corner (u, v) = (0, 0) at `corner`, and what it spans.
pub fn affine(shape: Shape, corner: [f64; 3], along_u: [f64; 3], along_v: [f64; 3]) -> AnyPatch {
    let [corner, along_u, along_v] = [corner, along_u, along_v].map(Vector3::from);
    patch(shape, |u, v| {
        Point3::from(corner + along_u * u + along_v * v)
    })
}

/// A horizontal patch over these ranges, u along x and v along y.
pub fn level(shape: Shape, [x0, x1]: [f64; 2], [y0, y1]: [f64; 2], z: f64) -> AnyPatch {
    affine(shape, [x0, y0, z], [x1 - x0, 0.0, 0.0], [0.0, y1 - y0, 0.0])
}

/// A horizontal patch over [0, 1]².
pub fn flat(shape: Shape, z: f64) -> AnyPatch {
    level(shape, [0.0, 1.0], [0.0, 1.0], z)
}

/// A horizontal square over [0, 1]².
pub fn square(z: f64) -> AnyPatch {
    flat(BILINEAR, z)
}

/// A straight line as a patch.
pub fn segment(a: Point3<f64>, b: Point3<f64>) -> AnyPatch {
    AnyPatch::from_shape(SEGMENT, &[a, b]).expect("finite points")
}

/// A point as a patch: a line whose ends coincide.
pub fn dot(p: Point3<f64>) -> AnyPatch {
    segment(p, p)
}

/// A wildly bent patch within 1 of `centre` along each axis; rational if asked for.
pub fn random_patch(
    shape: Shape,
    random: &mut Random,
    centre: Vector3<f64>,
    rational: bool,
) -> AnyPatch {
    let points: Vec<_> = (0..shape.count())
        .map(|_| random.point(1.0) + centre)
        .collect();
    if rational {
        let weights: Vec<_> = points.iter().map(|_| 1.5 + random.signed()).collect();
        AnyPatch::rational_from_shape(shape, &points, &weights).expect("a net")
    } else {
        AnyPatch::from_shape(shape, &points).expect("a net")
    }
}

/// The patch at a constant velocity.
pub fn going(velocity: [f64; 3], patch: AnyPatch) -> Motion {
    Moving::translating(patch, velocity.into()).expect("a finite velocity")
}

/// The patch going down at a constant speed.
pub fn falling(speed: f64, patch: AnyPatch) -> Motion {
    going([0.0, 0.0, -speed], patch)
}

/// The patch where it is.
pub fn resting(patch: AnyPatch) -> Motion {
    Moving::resting(patch)
}

/// A patch that falls on another one and hits it at t = 1/2.
pub fn closing(shape: Shape) -> [Motion; 2] {
    [falling(2.0, flat(shape, 1.0)), resting(flat(shape, 0.0))]
}
