//! The points of one element, gathered out of its mesh for a query.

use super::moving_mesh::Chosen;
use super::{Element, MovingMesh};
use crate::geometry::ControlNet;
use crate::motion::MotionView;

/// Scratch for the control points of one element, and how they move.
#[derive(Debug, Default)]
pub(crate) struct ElementNet {
    points: ControlNet,
    motion: Chosen,
}

impl ElementNet {
    /// Copies the points of an element out of its mesh; `None` if the mesh does not have it.
    pub(crate) fn gather<'b>(
        &'b mut self,
        moving: &'b MovingMesh<'b>,
        element: Element,
    ) -> Option<MotionView<'b>> {
        let layout = moving.mesh().layout(element)?;
        let start = moving.start();
        let points = layout.points.iter().map(|&at| at as usize);
        self.points.clear();
        self.points.extend(points.clone().map(|at| start[at]));
        Some(MotionView {
            shape: layout.shape,
            points: &self.points,
            motion: moving.motion_of(points, &mut self.motion),
            weights: layout.weights,
        })
    }
}
