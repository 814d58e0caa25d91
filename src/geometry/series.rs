//! Vectors along a path, as series with error bounds, and the directions that they begin with.

use nalgebra::Vector3;

use crate::rounding::CROSS_ERROR;

/// A direction with a larger error than this, in radians, is unknown. Bounds are about ten times as
/// large as errors are.
const LARGEST_ERROR: f64 = 1e-3;

/// Directions agree if they differ by no more than this, in radians, besides their errors. A cone
/// as flat as that counts as a plane.
const AGREEMENT: f64 = 1e-7;

/// How often the errors of two directions may lie between them. The error of a limit is only the
/// order of the distance from its singular place; how much a normal turns on the way depends on how
/// curved the patch is.
const AGREEMENT_FACTOR: f64 = 8.0;

/// A vector along a path, by its first N powers of s from 0 to 1, and bounds on the errors of their
/// coordinates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Series<const N: usize> {
    pub(super) values: [Vector3<f64>; N],
    pub(super) errors: [f64; N],
}

impl<const N: usize> Default for Series<N> {
    fn default() -> Self {
        Self {
            values: [Vector3::zeros(); N],
            errors: [0.0; N],
        }
    }
}

impl<const N: usize> Series<N> {
    pub(super) fn cross(&self, other: &Self) -> Self {
        let mut product = Self::default();
        for k in 0..N {
            for (i, j) in (0..=k).map(|i| (i, k - i)) {
                let (a, b) = (self.values[i], other.values[j]);
                let (of_a, of_b) = (self.errors[i], other.errors[j]);
                let (size_a, size_b) = (a.amax(), b.amax());
                product.values[k] += a.cross(&b);
                // A coordinate is the difference of two products.
                product.errors[k] += 2.0 * (of_a * size_b + size_a * of_b + of_a * of_b)
                    + CROSS_ERROR * size_a * size_b;
            }
        }
        product
    }

    /// The direction for s → 0: that of the first coefficient that does not vanish, up to the
    /// errors.
    ///
    /// All coefficients are tried, and the one is taken whose direction is known best. The
    /// direction of the first one, N₀, is off by its own error. Any other counts where Nₖ sᵏ is the
    /// largest term. Before that come the terms that it ignores: the s where it exceeds them is
    /// about how far the path's start is from the singular place. Beyond its reach come the later
    /// terms.
    pub(super) fn direction(&self) -> Option<Direction> {
        let sizes = self.values.map(|value| value.amax());
        let mut best: Option<Direction> = None;
        for (k, (value, size)) in self.values.iter().zip(sizes).enumerate() {
            if !(size.is_finite() && self.errors[k] < size) {
                continue;
            }
            // Where Nₖ sᵏ and the term of another power are of the same size.
            let meets = |j: usize| (sizes[j] / size).powf(1.0 / (k as f64 - j as f64));
            let reach = (k + 1..N).map(meets).fold(1.0, f64::min);
            let mut error = self.errors[k] / size;
            for (j, (&before, noise)) in sizes[..k].iter().zip(self.errors).enumerate() {
                // What counts as zero may be as large as its error bound.
                error = error.max(noise / (size * reach.powi((k - j) as i32)));
                if before > noise {
                    error = error.max(meets(j) / reach);
                }
            }
            if error < best.map_or(LARGEST_ERROR, |best| best.error) {
                let unit = (value / size).normalize();
                if unit.iter().all(|x| x.is_finite()) {
                    best = Some(Direction { unit, error });
                }
            }
        }
        best
    }
}

/// A unit vector, and how far it may be off, in radians.
#[derive(Clone, Copy, Debug)]
pub(super) struct Direction {
    pub(super) unit: Vector3<f64>,
    pub(super) error: f64,
}

impl Direction {
    /// Whether two directions are the same, as far as their errors tell.
    pub(super) fn agrees(&self, other: &Self) -> bool {
        let room = AGREEMENT + AGREEMENT_FACTOR * (self.error + other.error);
        (self.unit - other.unit).amax() <= room
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of coefficients along z, x, y and so on, with the same error.
    fn series(sizes: [f64; 4], error: f64) -> Series<4> {
        let axes = [Vector3::z(), Vector3::x(), Vector3::y(), -Vector3::z()];
        Series {
            values: std::array::from_fn(|k| axes[k] * sizes[k]),
            errors: [error; 4],
        }
    }

    #[test]
    fn the_first_coefficient_above_its_error_has_the_direction() {
        let direction = |sizes| series(sizes, 1e-15).direction().map(|found| found.unit);
        assert_eq!(direction([1.0, 1.0, 1.0, 1.0]), Some(Vector3::z()));
        assert_eq!(direction([1e-15, 1.0, 1.0, 1.0]), Some(Vector3::x()));
        assert_eq!(direction([0.0, 1e-15, 0.1, 0.1]), Some(Vector3::y()));
        assert_eq!(direction([1e-16, 1e-15, 1e-15, 0.3]), Some(-Vector3::z()));
        assert_eq!(direction([1e-15; 4]), None);
        assert_eq!(direction([f64::NAN; 4]), None);
        assert_eq!(direction([f64::INFINITY; 4]), None);
    }

    /// N₀ + s N₁ with a small N₀: its own direction is off by its error, and that of N₁ by the s at
    /// which N₁ is as large.
    #[test]
    fn the_better_of_two_directions_is_taken() {
        let found = |first| series([first, 1.0, 0.0, 0.0], 1e-15).direction().unwrap();
        for (first, unit, error) in [
            (1e-5, Vector3::z(), 1e-10),
            (1e-7, Vector3::z(), 1e-8),
            (1e-8, Vector3::x(), 1e-8),
            (1e-12, Vector3::x(), 1e-12),
        ] {
            let found = found(first);
            assert_eq!(found.unit, unit, "{first}");
            assert!(
                (found.error / error - 1.0).abs() < 1e-6,
                "{first} {found:?}"
            );
        }
    }

    /// (s − r)² changes its direction nowhere, though its second coefficient points back.
    #[test]
    fn a_coefficient_that_is_never_the_largest_has_no_say() {
        for r in [1e-3, 1e-5, 1e-7] {
            let powers = [r * r, -2.0 * r, 1.0];
            let series = Series::<3> {
                values: powers.map(|factor| Vector3::z() * factor),
                errors: [1e-14; 3],
            };
            if let Some(direction) = series.direction() {
                assert_eq!(direction.unit, Vector3::z(), "{r}");
            }
        }
    }
}
