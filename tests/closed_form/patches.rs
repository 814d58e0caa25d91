//! Patches of which every point is known by hand, and how they move.

use super::*;

pub(crate) const BILINEAR: Shape = Shape::TensorProduct { n: 1, m: 1 };
pub(crate) const BIQUADRATIC: Shape = Shape::TensorProduct { n: 2, m: 2 };
pub(crate) const LINEAR: Shape = Shape::Triangular { n: 1 };
pub(crate) const QUADRATIC: Shape = Shape::Triangular { n: 2 };

pub(crate) const THIRD: f64 = 1.0 / 3.0;
pub(crate) const UP: [f64; 3] = [0.0, 0.0, 1.0];

/// The affine patch with corner (u, v) = (0, 0) at `corner`, and what it spans.
pub(crate) fn flat(
    shape: Shape,
    corner: [f64; 3],
    along_u: [f64; 3],
    along_v: [f64; 3],
) -> AnyPatch {
    let [corner, along_u, along_v] = [corner, along_u, along_v].map(Vector3::from);
    patch(shape, |u, v| {
        Point3::from(corner + along_u * u + along_v * v)
    })
}

/// A horizontal patch over these ranges, u along x and v along y.
pub(crate) fn level(shape: Shape, [x0, x1]: [f64; 2], [y0, y1]: [f64; 2], z: f64) -> AnyPatch {
    flat(shape, [x0, y0, z], [x1 - x0, 0.0, 0.0], [0.0, y1 - y0, 0.0])
}

/// A horizontal square over [0, 1]².
pub(crate) fn square(z: f64) -> AnyPatch {
    level(BILINEAR, [0.0, 1.0], [0.0, 1.0], z)
}

/// Vertical, on its corner (u, v) = (0, 0).
pub(crate) fn on_corner(foot: [f64; 3]) -> AnyPatch {
    flat(BILINEAR, foot, [1.0, 0.0, 1.0], [-1.0, 0.0, 1.0])
}

/// Vertical, on its edge v = 0, one unit from `foot` along `edge`.
pub(crate) fn on_edge(foot: [f64; 3], edge: [f64; 3]) -> AnyPatch {
    flat(BILINEAR, foot, edge, UP)
}

/// z = z0 + x² + y² over these ranges, u along x and v along y, of degree 2 in both kinds.
///
/// By the polar form a control point of degree 2 stands for two corners: its x is their mean, and what it has of x² their product.
pub(crate) fn paraboloid(shape: Shape, x: [f64; 2], y: [f64; 2], z0: f64) -> AnyPatch {
    patch(shape, |u, v| {
        let z = z0 + square_at(x, u) + square_at(y, v);
        point![x[0] + u * (x[1] - x[0]), y[0] + v * (y[1] - y[0]), z]
    })
}

/// The quadratic coefficients of x², x over a range, at the parameters 0, 1/2, 1 of its control points.
pub(crate) fn square_at([x0, x1]: [f64; 2], parameter: f64) -> f64 {
    match parameter {
        0.0 => x0 * x0,
        1.0 => x1 * x1,
        _ => x0 * x1,
    }
}

/// The vertex of this paraboloid is at (u, v) = (1/3, 1/5), where x = y = 0.
pub(crate) fn bowl(shape: Shape, z0: f64) -> AnyPatch {
    paraboloid(shape, [-0.2, 0.4], [-0.2, 0.8], z0)
}

/// A floor in which x = y = 0 is at (u, v) = (2/5, 1/3).
pub(crate) fn floor(shape: Shape) -> Motion {
    Moving::resting(level(shape, [-0.4, 0.6], [-0.4, 0.8], 0.0))
}

pub(crate) fn going(velocity: [f64; 3], patch: AnyPatch) -> Motion {
    Moving::translating(patch, velocity.into()).unwrap()
}

pub(crate) fn falling(speed: f64, patch: AnyPatch) -> Motion {
    going([0.0, 0.0, -speed], patch)
}

pub(crate) fn resting(patch: AnyPatch) -> Motion {
    Moving::resting(patch)
}
