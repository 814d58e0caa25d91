//! Which patches lie on each other?
//!
//! Patches that belong together meet along a side, or at a corner. The layers of a shell meet all
//! over, if the tolerance is larger than the distance between them. They have points in common that
//! do not all lie on one side, and points well inside of one are within reach of the other.

use std::cmp::Ordering;

use smallvec::SmallVec;

use super::is_within;
use crate::geometry::Shape;
use crate::mesh::model::{Element, ElementNet, MeshPatch, MovingMesh, PatchMesh};
use crate::motion::MotionView;
use crate::{DistanceOptions, Workspace};

/// For each patch that lies on another one, such a pair, the lower index first; each pair once.
/// Patches that name a common point are not meant, only those that are welded.
pub(super) fn layers(
    moving: &MovingMesh<'_>,
    mesh: &PatchMesh,
    options: &DistanceOptions,
) -> Vec<[u32; 2]> {
    let members = Members::new(mesh);
    let mut search = LayerSearch {
        moving,
        mesh,
        options,
        workspace: Workspace::new(),
        nets: Default::default(),
    };
    // The patch that has looked at each one last.
    let mut seen_by = vec![u32::MAX; mesh.len()];
    let mut layers = Vec::new();
    for (patch, layout) in (0..).zip(mesh.patches()) {
        let least = least_in_common(&layout);
        let mut met = mesh.meeting_points(patch).to_vec();
        // Others that have so many points in common with this patch have one of these, whichever
        // of its points are left out. At a pole, which is a point of many patches, nearly all of
        // them have no other.
        met.sort_unstable_by_key(|&point| members.of(point).len());
        met.truncate((met.len() + 1).saturating_sub(least));
        let others = met.iter().flat_map(|&point| members.of(point)).copied();
        let other = others
            .filter(|&other| {
                other != patch && std::mem::replace(&mut seen_by[other as usize], patch) != patch
            })
            .find(|&other| search.lies_on(patch, &layout, other));
        layers.extend(other.map(|other| [patch.min(other), patch.max(other)]));
    }
    layers.sort_unstable();
    layers.dedup();
    layers
}

/// How many points two patches have in common if they lie on each other: the corners of a triangle,
/// or the ends of a curve.
fn least_in_common(layout: &MeshPatch<'_>) -> usize {
    if layout.shape.is_curve() { 2 } else { 3 }
}

struct LayerSearch<'a> {
    moving: &'a MovingMesh<'a>,
    mesh: &'a PatchMesh,
    options: &'a DistanceOptions,
    workspace: Workspace,
    nets: [ElementNet; 2],
}

impl LayerSearch<'_> {
    /// Whether a patch lies on another one that it is welded to.
    fn lies_on(&mut self, patch: u32, layout: &MeshPatch<'_>, other: u32) -> bool {
        let Some(second) = self.mesh.patch(other) else {
            return false;
        };
        if layout.shape.is_curve() != second.shape.is_curve() {
            return false;
        }
        let common = common(
            self.mesh.meeting_points(patch),
            self.mesh.meeting_points(other),
        );
        if common.len() < least_in_common(layout) || self.are_on_one_side(layout, &common) {
            return false;
        }
        let mut named = second.points.to_vec();
        named.sort_unstable();
        if layout
            .points
            .iter()
            .any(|point| named.binary_search(point).is_ok())
        {
            return false;
        }
        let [one, two] = &mut self.nets;
        let elements = [patch, other].map(Element::Patch);
        let (Some(one), Some(two)) = (
            one.gather(self.moving, elements[0]),
            two.gather(self.moving, elements[1]),
        ) else {
            return false;
        };
        let inside = inside(&layout.shape).iter();
        inside.clone().any(|&(u, v)| {
            let point = [one.eval(u, v, 0.0)];
            let point = MotionView::resting(Shape::VERTEX, &point, None);
            let distance = self
                .workspace
                .distance(&[point, two], self.options, f64::INFINITY);
            is_within(&distance, self.options)
        })
    }

    /// Whether these points are all control points of one side of a surface.
    fn are_on_one_side(&self, layout: &MeshPatch<'_>, points: &[u32]) -> bool {
        let sides = layout.shape.sides();
        !layout.shape.is_curve()
            && sides.iter().any(|side| {
                let side: SmallVec<[u32; 8]> = side
                    .iter()
                    .map(|&at| self.mesh.representative(layout.points[at]))
                    .collect();
                points.iter().all(|point| side.contains(point))
            })
    }
}

/// The numbers that are in both of two sorted lists.
fn common(mut a: &[u32], mut b: &[u32]) -> SmallVec<[u32; 16]> {
    let mut common = SmallVec::new();
    while let ([x, a_rest @ ..], [y, b_rest @ ..]) = (a, b) {
        match x.cmp(y) {
            Ordering::Less => a = a_rest,
            Ordering::Equal => {
                common.push(*x);
                (a, b) = (a_rest, b_rest);
            }
            Ordering::Greater => b = b_rest,
        }
    }
    common
}

/// Parameters well inside the domain.
fn inside(shape: &Shape) -> &'static [(f64, f64)] {
    match shape {
        Shape::TensorProduct { m: 0, .. } => &[(0.5, 0.0), (0.25, 0.0), (0.75, 0.0)],
        Shape::TensorProduct { .. } => &[
            (0.5, 0.5),
            (0.25, 0.25),
            (0.75, 0.25),
            (0.25, 0.75),
            (0.75, 0.75),
        ],
        Shape::Triangular { .. } => &[(0.25, 0.25), (0.5, 0.25), (0.25, 0.5)],
    }
}

/// For each point the patches that meet others there.
struct Members {
    /// Where the patches of each point begin in the list; one more at the end.
    first: Vec<usize>,
    patches: Vec<u32>,
}

impl Members {
    fn new(mesh: &PatchMesh) -> Self {
        let mut pairs: Vec<[u32; 2]> = (0..mesh.len() as u32)
            .flat_map(|patch| {
                mesh.meeting_points(patch)
                    .iter()
                    .map(move |&point| [point, patch])
            })
            .collect();
        pairs.sort_unstable();
        let mut first = vec![0; mesh.point_count() + 1];
        for [point, _] in &pairs {
            first[*point as usize + 1] += 1;
        }
        for at in 1..first.len() {
            first[at] += first[at - 1];
        }
        Self {
            first,
            patches: pairs.iter().map(|[_, patch]| *patch).collect(),
        }
    }

    fn of(&self, point: u32) -> &[u32] {
        let at = point as usize;
        &self.patches[self.first[at]..self.first[at + 1]]
    }
}
