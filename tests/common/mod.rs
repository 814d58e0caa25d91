//! What the tests share: the engines that every case is run on, and patches of known form.

use nalgebra::{Point3, Vector3};
use patch_ccd::geometry::{AnyPatch, Patch, Shape};
use patch_ccd::{Inclusion, Method, Moving};

/// A moving patch of any kind.
pub(crate) type Motion = Moving<AnyPatch>;

/// All methods with both inclusions, the default first.
pub(crate) const ENGINES: [(Method, Inclusion); 6] = [
    (Method::TwoSided, Inclusion::Obb),
    (Method::TwoSided, Inclusion::Aabb),
    (Method::TimeDependent, Inclusion::Obb),
    (Method::TimeDependent, Inclusion::Aabb),
    (Method::Traditional, Inclusion::Obb),
    (Method::Traditional, Inclusion::Aabb),
];

/// The parameters that belong to each control point (Greville abscissae): control points at their images under an affine
/// map make a patch that *is* this map.
pub(crate) fn greville(shape: Shape) -> Vec<(f64, f64)> {
    let at = |i: usize, n: usize| i as f64 / n as f64;
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
pub(crate) fn patch(shape: Shape, image: impl Fn(f64, f64) -> Point3<f64>) -> AnyPatch {
    let points: Vec<_> = greville(shape)
        .into_iter()
        .map(|(u, v)| image(u, v))
        .collect();
    AnyPatch::from_shape(shape, &points).unwrap()
}

/// The motion with its control points and their velocities mapped.
pub(crate) fn mapped(
    motion: &Motion,
    place: impl Fn(Point3<f64>) -> Point3<f64>,
    velocity: impl Fn(Vector3<f64>) -> Vector3<f64>,
) -> Motion {
    let points: Vec<_> = motion
        .start()
        .control_points()
        .iter()
        .map(|&p| place(p))
        .collect();
    let velocities: Vec<_> = motion.velocities().iter().map(|&v| velocity(v)).collect();
    let start = motion.start().with_net(&points, None).unwrap();
    Moving::with_velocities(start, &velocities).unwrap()
}
