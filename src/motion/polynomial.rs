//! Motion along polynomials in time, of degree 2 or 3.
//!
//! A control point is given by its Bernstein coefficients over the horizon, its *layers*: layer 0
//! is where it is at the start, the last one where it is at the end, and the others are where it
//! heads for. Values in between are those of the blossom, by averages with weights 1 − t and t.

use std::ops::{Add, Mul};

/// The highest degree in time.
pub(crate) const MAX_MOTION_DEGREE: usize = 3;

/// The most layers of a control point.
pub(crate) const MAX_LAYERS: usize = MAX_MOTION_DEGREE + 1;

/// A time as the weights of an average: 1 − t and t.
pub(crate) type Weights<T> = [T; 2];

/// (1 − t) x + t y.
#[inline(always)]
fn average<T: Copy + Add<Output = T> + Mul<Output = T>>(x: T, y: T, [rest, t]: Weights<T>) -> T {
    rest * x + t * y
}

/// The layers over [a, b] of a polynomial of degree 2.
#[inline(always)]
pub(crate) fn restrict_quadratic<T: Copy + Add<Output = T> + Mul<Output = T>>(
    [x, y, z]: [T; 3],
    a: Weights<T>,
    b: Weights<T>,
) -> [T; 3] {
    let (xa, ya) = (average(x, y, a), average(y, z, a));
    let (xb, yb) = (average(x, y, b), average(y, z, b));
    [average(xa, ya, a), average(xa, ya, b), average(xb, yb, b)]
}

/// The layers over [a, b] of a polynomial of degree 3.
#[inline(always)]
pub(crate) fn restrict_cubic<T: Copy + Add<Output = T> + Mul<Output = T>>(
    [x, y, z, w]: [T; 4],
    a: Weights<T>,
    b: Weights<T>,
) -> [T; 4] {
    let from = [average(x, y, a), average(y, z, a), average(z, w, a)];
    let to = [average(x, y, b), average(y, z, b), average(z, w, b)];
    let [start, second, _] = restrict_quadratic(from, a, b);
    let [_, third, end] = restrict_quadratic(to, a, b);
    [start, second, third, end]
}

/// The value at time `t` and its change in a unit of time, from up to four layers.
pub(crate) fn value_and_change<const N: usize>(
    layers: &[[f64; N]],
    t: f64,
) -> ([f64; N], [f64; N]) {
    let mut rest = [[0.0; N]; MAX_LAYERS];
    let count = layers.len().min(MAX_LAYERS);
    rest[..count].copy_from_slice(&layers[..count]);
    let average = |x: &[f64; N], y: &[f64; N]| std::array::from_fn(|c| (1.0 - t) * x[c] + t * y[c]);
    for left in (2..count).rev() {
        for k in 0..left {
            rest[k] = average(&rest[k], &rest[k + 1]);
        }
    }
    let degree = count.saturating_sub(1) as f64;
    let change = std::array::from_fn(|c| degree * (rest[1][c] - rest[0][c]));
    if count < 2 {
        return (rest[0], [0.0; N]);
    }
    (average(&rest[0], &rest[1]), change)
}
