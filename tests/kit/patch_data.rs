//! Patches as they stand in a case: not checked, the numbers may be NaN and their count wrong.

use nalgebra::{Point3, Vector3};
use patch_ccd::geometry::{AnyPatch, Shape};
use patch_ccd::{Error, Moving, RigidMotion};

/// How control points move, as it stands in a file.
#[derive(Clone, Debug, PartialEq)]
pub enum MotionData {
    /// Along straight lines, with these velocities.
    Velocities(Vec<Vector3<f64>>),
    /// With a rigid body.
    Rigid(RigidMotion),
    /// Along polynomials: the control points of each layer, of which the first one is at t = 0.
    Layers(Vec<Vec<Point3<f64>>>),
}

/// A patch as it stands in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct PatchData {
    /// Kind and degree.
    pub shape: Shape,
    /// Control points at t = 0.
    pub points: Vec<Point3<f64>>,
    /// How they move.
    pub motion: MotionData,
    /// Their weights, of a rational patch.
    pub weights: Option<Vec<f64>>,
}

impl PatchData {
    /// The moving patch of these numbers.
    ///
    /// # Errors
    /// As [`AnyPatch::from_shape`], [`AnyPatch::rational_from_shape`] and those of [`Moving`].
    pub fn build(&self) -> Result<Moving<AnyPatch>, Error> {
        let patch = |points: &[Point3<f64>]| match &self.weights {
            None => AnyPatch::from_shape(self.shape, points),
            Some(weights) => AnyPatch::rational_from_shape(self.shape, points, weights),
        };
        let start = patch(&self.points)?;
        match &self.motion {
            MotionData::Velocities(velocities) => Moving::with_velocities(start, velocities),
            MotionData::Rigid(motion) => Moving::rigid(start, motion),
            MotionData::Layers(layers) => {
                let layers: Result<Vec<_>, _> = layers.iter().map(|layer| patch(layer)).collect();
                Moving::polynomial(&layers?)
            }
        }
    }
}
