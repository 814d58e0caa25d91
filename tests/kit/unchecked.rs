//! A patch as a user may write one.

use nalgebra::Point3;
use patch_ccd::Error;
use patch_ccd::geometry::{Patch, Shape};

/// A patch that returns whatever shape, points and weights it was given, for hostile input.
#[derive(Clone, Debug, PartialEq)]
pub struct Unchecked {
    /// Its shape.
    pub shape: Shape,
    /// Its control points, of any number and of any size.
    pub points: Vec<Point3<f64>>,
    /// Its weights, if it says to be rational.
    pub weights: Option<Vec<f64>>,
}

impl Unchecked {
    /// A patch of these points without weights.
    pub fn new(shape: Shape, points: impl Into<Vec<Point3<f64>>>) -> Self {
        let points = points.into();
        Self {
            shape,
            points,
            weights: None,
        }
    }
}

impl Patch for Unchecked {
    fn shape(&self) -> Shape {
        self.shape
    }

    fn control_points(&self) -> &[Point3<f64>] {
        &self.points
    }

    fn with_net(&self, points: &[Point3<f64>], weights: Option<&[f64]>) -> Result<Self, Error> {
        Ok(Self {
            shape: self.shape,
            points: points.to_vec(),
            weights: weights.map(<[f64]>::to_vec),
        })
    }

    fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }
}
