//! Random numbers for all tests: one generator, the same numbers on every machine.

use nalgebra::{Point3, Vector3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// How many cases a test looks at: `usual`, or, with the environment variable `PROPTEST_CASES`, so
/// many times as many as that is above 256, the usual number of cases of a property.
pub fn cases(usual: usize) -> usize {
    let asked = std::env::var("PROPTEST_CASES").ok();
    let asked = asked.and_then(|number| number.parse::<usize>().ok());
    asked.map_or(usual, |asked| (usual * asked).div_ceil(256))
}

/// Random numbers; a case is its seed.
///
/// ```
/// use kit::Random;
/// let [mut one, mut two] = [7, 7].map(Random::new);
/// assert_eq!(one.point(2.0), two.point(2.0));
/// ```
#[derive(Clone, Debug)]
pub struct Random(Pcg64);

impl Random {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Self {
        Self(Pcg64::seed_from_u64(seed))
    }

    /// One of 0 … `count` − 1.
    pub fn below(&mut self, count: usize) -> usize {
        self.0.random_range(0..count)
    }

    /// In [0, 1).
    pub fn unit(&mut self) -> f64 {
        self.0.random()
    }

    /// In (−1, 1).
    pub fn signed(&mut self) -> f64 {
        let size = self.unit();
        if self.chance(2) { size } else { -size }
    }

    /// True once in so many times.
    pub fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    /// One of these.
    pub fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    /// One of `low` … `high`.
    pub fn integer(&mut self, low: i128, high: i128) -> i128 {
        self.0.random_range(low..=high)
    }

    /// Any finite double: every sign, exponent and fraction as often, subnormal numbers too.
    pub fn wild(&mut self) -> f64 {
        loop {
            let number = f64::from_bits(self.0.random());
            if number.is_finite() {
                return number;
            }
        }
    }

    /// A point with coordinates in (−`size`, `size`).
    pub fn point(&mut self, size: f64) -> Point3<f64> {
        self.vector(size).into()
    }

    /// A vector with coordinates in (−`size`, `size`).
    pub fn vector(&mut self, size: f64) -> Vector3<f64> {
        Vector3::from_fn(|_, _| size * self.signed())
    }
}
