//! Which points carry a place on a surface, and how much?

use smallvec::SmallVec;

use super::{Domain, Shape};
use crate::Error;

/// Points by their indices, each once, with their weights at a place on a surface. The place is the
/// sum of weight · point, and a force at the place is distributed to the points as weight · force.
///
/// It is what `Mesh::weights_at`,
/// [`NurbsExtraction::weights_at`](super::NurbsExtraction::weights_at) and
/// [`HermiteGrid::weights_at`](super::HermiteGrid::weights_at) return. Up to 16 of them, those of a
/// bicubic patch, take no memory from the heap.
pub type PointWeights = SmallVec<[(usize, f64); 16]>;

/// How far outside the domain parameters may be that are meant to be inside, by rounding.
const OUTSIDE: f64 = 1e-12;

impl Shape {
    /// Parameters in the domain. Some that are outside by rounding are moved onto the border,
    /// others are refused, and so is NaN.
    pub(crate) fn checked_parameters(&self, (u, v): (f64, f64)) -> Result<(f64, f64), Error> {
        let domain = self.domain();
        let within = -OUTSIDE..=1.0 + OUTSIDE;
        for ((parameter, value), varies) in [("u", u), ("v", v)].into_iter().zip(domain.varies()) {
            if value.is_nan() || varies && !within.contains(&value) {
                return Err(Error::Parameter { parameter, value });
            }
        }
        if domain == Domain::Triangle && !within.contains(&(u + v)) {
            return Err(Error::Parameter {
                parameter: "u + v",
                value: u + v,
            });
        }
        Ok(domain.clamp((u, v)))
    }
}
