//! Patches of which every point is known, how they move, and random ones.
//!
//! [`patch`] makes any of them: its control points are the images of their own parameters, so that
//! an affine image *is* the patch, and one of degree 2 follows from the products of [`square_at`].
//! Meshes, NURBS surfaces and the table of degenerate contacts have modules of their own.

pub mod degenerate;
pub mod meshes;
pub mod nurbs;

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_4};

use nalgebra::{Point3, Rotation3, Vector3, point, vector};
use patch_ccd::Moving;
use patch_ccd::geometry::{AnyPatch, Patch, Shape};

use crate::Random;

/// A moving patch of any kind.
pub type Motion = Moving<AnyPatch>;

/// Tensor product of degree 1.
pub const BILINEAR: Shape = Shape::TensorProduct { n: 1, m: 1 };
/// Tensor product of degree 2.
pub const BIQUADRATIC: Shape = Shape::TensorProduct { n: 2, m: 2 };
/// Tensor product of degree 3.
pub const BICUBIC: Shape = Shape::TensorProduct { n: 3, m: 3 };
/// A triangle.
pub const LINEAR: Shape = Shape::Triangular { n: 1 };
/// Triangular of degree 2.
pub const QUADRATIC: Shape = Shape::Triangular { n: 2 };
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

/// Upwards.
pub const UP: [f64; 3] = [0.0, 0.0, 1.0];

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

/// The motion with its control points and their velocities mapped.
pub fn mapped(
    motion: &Motion,
    place: impl Fn(Point3<f64>) -> Point3<f64>,
    velocity: impl Fn(Vector3<f64>) -> Vector3<f64>,
) -> Motion {
    let velocities = motion.velocities().expect("straight lines");
    let velocities: Vec<_> = velocities.iter().map(|&v| velocity(v)).collect();
    Moving::with_velocities(placed(motion.start(), place), &velocities).expect("finite velocities")
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

/// The coefficients of x² over a range, of degree 2, at the parameters 0, 1/2, 1 of its control
/// points: by the polar form each is the product of two corners.
pub fn square_at([x0, x1]: [f64; 2], parameter: f64) -> f64 {
    match parameter {
        0.0 => x0 * x0,
        1.0 => x1 * x1,
        _ => x0 * x1,
    }
}

/// z = z0 + x² + y² over these ranges, u along x and v along y, of degree 2 in both kinds.
pub fn paraboloid(shape: Shape, x: [f64; 2], y: [f64; 2], z0: f64) -> AnyPatch {
    let at = |[a, b]: [f64; 2], u: f64| a + u * (b - a);
    patch(shape, |u, v| {
        point![at(x, u), at(y, v), z0 + square_at(x, u) + square_at(y, v)]
    })
}

/// A straight line as a patch.
pub fn segment(a: Point3<f64>, b: Point3<f64>) -> AnyPatch {
    AnyPatch::from_shape(SEGMENT, &[a, b]).expect("finite points")
}

/// A point as a patch: a line whose ends coincide.
pub fn dot(p: Point3<f64>) -> AnyPatch {
    segment(p, p)
}

/// A quarter of the unit circle as a rational curve of degree 2: (cos, sin, weight) of its control
/// points.
pub const QUARTER: [(f64, f64, f64); 3] =
    [(1.0, 0.0, 1.0), (1.0, 1.0, FRAC_1_SQRT_2), (0.0, 1.0, 1.0)];

/// A rational tensor-product patch of control points with their weights.
pub fn rational(n: usize, m: usize, net: &[(Point3<f64>, f64)]) -> AnyPatch {
    let (points, weights): (Vec<_>, Vec<_>) = net.iter().copied().unzip();
    AnyPatch::rational_from_shape(Shape::TensorProduct { n, m }, &points, &weights).expect("a net")
}

/// A quarter of a cylinder about an axis along y at height z, its crown up, turned.
pub fn arch(radius: f64, turn: Rotation3<f64>, z: f64) -> AnyPatch {
    let turn = turn * Rotation3::from_euler_angles(0.0, -FRAC_PI_4, 0.0);
    let row = |(x, up, w): (f64, f64, f64)| {
        let at = |y: f64| turn * point![radius * x, y, radius * up] + vector![0.0, 0.0, z];
        [-0.5, 0.5].map(|y| (at(y), w))
    };
    rational(2, 1, &QUARTER.map(row).concat())
}

/// An octant of a sphere, exactly, with a pole at v = 1; `signs` say which octant.
pub fn octant(centre: Point3<f64>, radius: f64, signs: [f64; 3]) -> AnyPatch {
    let signs = Vector3::from(signs) * radius;
    let net = QUARTER.map(|(x, y, w)| {
        QUARTER.map(|(out, up, v)| {
            let at = vector![x * out, y * out, up].component_mul(&signs);
            (centre + at, w * v)
        })
    });
    rational(2, 2, &net.concat())
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
