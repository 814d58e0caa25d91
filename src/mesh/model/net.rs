//! The points of one element, gathered out of its mesh for a query.

use nalgebra::Vector3;
use smallvec::SmallVec;

use super::{Element, MovingMesh};
use crate::geometry::ControlNet;
use crate::motion::{LinearMotion, MotionView};

/// Scratch for the control points and velocities of one element.
#[derive(Debug, Default)]
pub(crate) struct ElementNet {
    points: ControlNet,
    velocities: SmallVec<[Vector3<f64>; 16]>,
}

impl ElementNet {
    /// Copies the points of an element out of its mesh; `None` if the mesh does not have it.
    pub(crate) fn gather<'b>(
        &'b mut self,
        moving: &MovingMesh<'b>,
        element: Element,
    ) -> Option<MotionView<'b>> {
        let layout = moving.mesh().layout(element)?;
        let (start, velocities) = (moving.start(), moving.velocities());
        let points = layout.points.iter().map(|&at| at as usize);
        self.points.clear();
        self.points.extend(points.clone().map(|at| start[at]));
        self.velocities.clear();
        self.velocities.extend(points.map(|at| velocities[at]));
        Some(MotionView {
            shape: layout.shape,
            points: &self.points,
            motion: LinearMotion::with_velocities(&self.velocities),
            weights: layout.weights,
        })
    }
}
