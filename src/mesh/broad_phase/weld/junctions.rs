//! Where does a corner lie along the side of another patch?
//!
//! Where a long side meets several short ones, the patches have no point in common at the corners
//! between the short sides. If two sides lie along each other, the part that they have in common
//! ends at an end of one of them, so that it is enough to look at corners.

use nalgebra::{Point3, Vector3};

use super::groups::{Groups, around, coordinates};
use super::is_within;
use crate::geometry::{ControlNet, Shape};
use crate::mesh::broad_phase::{MovingBox, VolumeTree};
use crate::mesh::model::{MeshPatch, PatchMesh};
use crate::motion::MotionView;
use crate::{DistanceOptions, Workspace};

/// Patches, each with a corner of others that lies along one of its sides but is none of its own
/// points.
pub(super) fn junctions(
    mesh: &PatchMesh,
    points: &[Point3<f64>],
    groups: &Groups,
    near: &DistanceOptions,
) -> Vec<[u32; 2]> {
    let sides = Sides::new(mesh, points);
    let mut workspace = Workspace::new();
    let mut junctions = Vec::new();
    for corner in corners(mesh, points, groups) {
        let (point, stands_for) = (&points[corner as usize], mesh.representative(corner));
        let vertex = MotionView::resting(Shape::VERTEX, std::slice::from_ref(point), None);
        let mut look_at = |(patch, side): (u32, usize)| {
            let Some(layout) = mesh.patch(patch) else {
                return;
            };
            let mut own = layout.points.iter();
            if own.any(|&point| mesh.representative(point) == stands_for) {
                return;
            }
            let curve = Curve::new(&layout, &layout.shape.sides()[side], points);
            let distance = workspace.distance(&[vertex, curve.view()], near, f64::INFINITY);
            if is_within(&distance, near) {
                junctions.push([patch, corner]);
            }
        };
        let bounds = around(point, near.max_distance);
        let tree = &sides.tree;
        tree.leaves_overlapping(&bounds, |side| look_at(sides.all[side as usize]));
    }
    junctions.sort_unstable();
    junctions.dedup();
    junctions
}

/// Of each group of points that has corners of patches the first of these by coordinates.
fn corners(mesh: &PatchMesh, points: &[Point3<f64>], groups: &Groups) -> Vec<u32> {
    let mut corners: Vec<u32> = mesh
        .patches()
        .flat_map(|layout| {
            let ends = layout.shape.sides().into_iter();
            let ends = ends.flat_map(|side| [side[0], side[side.len() - 1]]);
            ends.map(|at| layout.points[at]).collect::<Vec<_>>()
        })
        .collect();
    corners.sort_unstable();
    corners.dedup();
    corners.sort_unstable_by_key(|&corner| (groups.centre(corner), coordinates(points, corner)));
    corners.dedup_by_key(|corner| groups.centre(*corner));
    corners
}

/// The sides of all patches: each with its patch, and its number there.
struct Sides {
    all: Vec<(u32, usize)>,
    tree: VolumeTree,
}

impl Sides {
    fn new(mesh: &PatchMesh, points: &[Point3<f64>]) -> Self {
        let still = Vector3::zeros();
        let (mut all, mut boxes) = (Vec::new(), Vec::new());
        for (patch, layout) in (0..).zip(mesh.patches()) {
            for (number, side) in layout.shape.sides().iter().enumerate() {
                let net = side.iter().map(|&at| &points[layout.points[at] as usize]);
                boxes.push(MovingBox::around(
                    net.map(|point| (point, &still)),
                    0.0,
                    0.0,
                ));
                all.push((patch, number));
            }
        }
        let mut tree = VolumeTree::default();
        tree.update(&boxes);
        Self { all, tree }
    }
}

/// A side of a patch.
struct Curve {
    net: ControlNet,
    weights: Option<Vec<f64>>,
}

impl Curve {
    fn new(layout: &MeshPatch<'_>, side: &[usize], points: &[Point3<f64>]) -> Self {
        let net = side.iter().map(|&at| points[layout.points[at] as usize]);
        let weights = layout.weights;
        Self {
            net: net.collect(),
            weights: weights.map(|weights| side.iter().map(|&at| weights[at]).collect()),
        }
    }

    fn view(&self) -> MotionView<'_> {
        let shape = Shape::TensorProduct {
            n: self.net.len() - 1,
            m: 0,
        };
        MotionView::resting(shape, &self.net, self.weights.as_deref())
    }
}
