//! Patches as they stand in a case: not checked, the numbers may be NaN and their count wrong.

use nalgebra::{Point3, Vector3};
use patch_ccd::geometry::{AnyPatch, Shape};
use patch_ccd::{Error, Moving};

/// A patch as it stands in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct PatchData {
    /// Kind and degree.
    pub shape: Shape,
    /// Control points at t = 0.
    pub points: Vec<Point3<f64>>,
    /// Their velocities.
    pub velocities: Vec<Vector3<f64>>,
    /// Their weights, of a rational patch.
    pub weights: Option<Vec<f64>>,
}

impl PatchData {
    /// The moving patch of these numbers.
    ///
    /// # Errors
    /// As [`AnyPatch::from_shape`], [`AnyPatch::rational_from_shape`] and
    /// [`Moving::with_velocities`].
    pub fn build(&self) -> Result<Moving<AnyPatch>, Error> {
        let start = match &self.weights {
            None => AnyPatch::from_shape(self.shape, &self.points)?,
            Some(weights) => AnyPatch::rational_from_shape(self.shape, &self.points, weights)?,
        };
        Moving::with_velocities(start, &self.velocities)
    }
}
