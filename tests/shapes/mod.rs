//! Moving patches of shapes of all sorts.

use nalgebra::{point, vector};
use patch_ccd::Moving;
use patch_ccd::geometry::{AnyPatch, Shape};

use crate::common::{Motion, patch};

/// Shapes of both kinds, low and high, even and uneven.
pub(crate) const SHAPES: [Shape; 5] = [
    Shape::TensorProduct { n: 1, m: 1 },
    Shape::TensorProduct { n: 2, m: 3 },
    Shape::Triangular { n: 1 },
    Shape::Triangular { n: 3 },
    Shape::TensorProduct { n: 5, m: 1 },
];

/// Part of a plane at height z.
pub(crate) fn flat(shape: Shape, z: f64) -> AnyPatch {
    patch(shape, |u, v| point![u, v, z])
}

/// A patch that falls on another one and hits it at t = 1/2.
pub(crate) fn closing(shape: Shape) -> [Motion; 2] {
    [
        Moving::translating(flat(shape, 1.0), vector![0.0, 0.0, -2.0]).expect("a motion"),
        Moving::resting(flat(shape, 0.0)),
    ]
}
