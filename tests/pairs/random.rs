//! Random pairs of moving patches, to compare methods on.
//!
//! The distribution is that of the paper's timing table: every control point and every velocity has
//! noise of its own, so the patches deform wildly, and the two patches approach each other on
//! average.

use nalgebra::{Point3, Vector3};
use patch_ccd::geometry::{AnyPatch, Shape};
use patch_ccd::{Error, Moving};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// An endless sequence of pairs of patches of one shape; the same seed gives the same pairs on
/// every machine.
///
/// With noise uniform in [−1, 1]³ and a direction d of unit length for each pair, the control
/// points of the first patch are noise − d with velocities noise + d, those of the second noise + d
/// with velocities noise − d.
///
/// ```
/// use pairs::RandomPairs;
/// use patch_ccd::geometry::Shape;
/// let shape = Shape::Triangular { n: 2 };
/// let pairs: Vec<_> = RandomPairs::new(shape, 7).take(3).collect::<Result<_, _>>()?;
/// assert_eq!(pairs[2], RandomPairs::new(shape, 7).nth(2).unwrap()?);
/// # Ok::<(), patch_ccd::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct RandomPairs {
    shape: Shape,
    rng: Pcg64Mcg,
}

impl RandomPairs {
    /// The pairs of a shape for a seed.
    pub fn new(shape: Shape, seed: u64) -> Self {
        Self {
            shape,
            rng: Pcg64Mcg::seed_from_u64(seed),
        }
    }

    fn noise(&mut self) -> Vector3<f64> {
        Vector3::from_fn(|_, _| self.rng.random_range(-1.0..=1.0))
    }

    fn patch(&mut self, offset: Vector3<f64>) -> Result<Moving<AnyPatch>, Error> {
        self.shape.check_degrees()?;
        let count = self.shape.count();
        let points: Vec<_> = (0..count)
            .map(|_| Point3::from(self.noise() - offset))
            .collect();
        let velocities: Vec<_> = (0..count).map(|_| self.noise() + offset).collect();
        Moving::with_velocities(AnyPatch::from_shape(self.shape, &points)?, &velocities)
    }

    fn pair(&mut self) -> Result<[Moving<AnyPatch>; 2], Error> {
        let direction = self.noise().normalize();
        Ok([self.patch(direction)?, self.patch(-direction)?])
    }
}

impl Iterator for RandomPairs {
    /// An error for a shape whose degree is 0 or too high.
    type Item = Result<[Moving<AnyPatch>; 2], Error>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.pair())
    }
}
