//! The trees of the meshes of a query.

use super::{BroadPhase, MovingBox, PairFilter, VolumeTree};
use crate::geometry::ControlNet;
use crate::mesh::model::{Chosen, Element, Group, Mesh, Meshes, MovingMesh};
use crate::mesh::parallel;
use crate::rounding::sum_rounded_up;

/// For each side of a query the trees of all groups of elements; some may be empty.
pub(super) type Trees = [[VolumeTree; Group::COUNT]; 2];

/// How near pairs of elements must come to each other to be looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Within {
    /// So near, whatever their thickness.
    Distance(f64),
    /// So near, and nearer by the half thickness of both.
    Separation(f64),
}

impl Within {
    /// By how much the box of an element is widened. Of two elements these add up to no less than
    /// the distance at which they are looked at.
    fn share_of(self, mesh: Mesh<'_>, element: Element) -> f64 {
        let (Self::Distance(distance) | Self::Separation(distance)) = self;
        // Half of the distance on each side, or all of it where it has no half.
        let half = 0.5 * distance;
        let half = if half < f64::MIN_POSITIVE {
            distance
        } else {
            half
        };
        match self {
            Self::Distance(_) => half,
            Self::Separation(_) => sum_rounded_up(half, mesh.half_thickness_of(element)),
        }
    }
}

/// The trees of the meshes of a query, kept from step to step.
#[derive(Debug, Default)]
pub(crate) struct Forest {
    trees: Trees,
}

impl Forest {
    /// Brings the trees up to date for a query of pairs that come near each other in [0, `t_max`].
    pub(crate) fn update<'a>(
        &'a mut self,
        meshes: Meshes<'a>,
        t_max: f64,
        within: Within,
        filter: Option<&'a PairFilter<'a>>,
    ) -> BroadPhase<'a> {
        let (sides, slots) = (meshes.sides(), slots(meshes));
        let mut updated = [[false; Group::COUNT]; 2];
        for groups in meshes.groups() {
            for side in 0..2 {
                let (slot, group) = (slots[side], groups[side]);
                if !std::mem::replace(&mut updated[slot][group as usize], true) {
                    let boxes = boxes(sides[side], group, t_max, within);
                    self.trees[slot][group as usize].update(&boxes);
                }
            }
        }
        BroadPhase::new(meshes, &self.trees, filter)
    }
}

/// Which trees each side has: within one mesh both sides have those of the first.
pub(super) fn slots(meshes: Meshes<'_>) -> [usize; 2] {
    match meshes {
        Meshes::Between(..) => [0, 1],
        Meshes::Within(_) => [0, 0],
    }
}

/// The moving boxes of all elements of a group, widened on all sides.
fn boxes(moving: &MovingMesh<'_>, group: Group, t_max: f64, within: Within) -> Vec<MovingBox> {
    let (mesh, start) = (moving.mesh(), moving.start());
    parallel::map(mesh.count(group), |index| {
        let element = mesh.element(group, index);
        let points = mesh.points_of(element);
        let points = points.iter().map(|&at| at as usize);
        let distance = within.share_of(mesh, element);
        if let Some(velocities) = moving.velocities() {
            let points = points.map(|at| (&start[at], &velocities[at]));
            return MovingBox::around(points, t_max, distance);
        }
        let mut chosen = Chosen::default();
        let motion = moving.motion_of(points.clone(), &mut chosen);
        let points: ControlNet = points.map(|at| start[at]).collect();
        MovingBox::along(motion, &points, t_max).widened(distance)
    })
}
