//! Triangles of a surface, with what a picture needs at their corners.

use nalgebra::{Point3, Vector3};
use patch_ccd::geometry::{AnyPatch, Patch, Shape};

use super::Surface;
use super::camera::Camera;

/// Pixels along a piece of a side of a patch, about.
const PIECE: f64 = 4.0;
/// How far towards the middle of a patch a normal is looked for where there is none, as a part of
/// the way.
const NEARBY: [f64; 3] = [0.0, 1e-3, 0.05];

pub(crate) struct Corner {
    pub(crate) place: Point3<f64>,
    /// Zero where there is none.
    pub(crate) normal: Vector3<f64>,
    /// About how far it is to the sides u = 0, u = 1, v = 0 and v = 1 of the patch. Linear in the
    /// parameters, so it can be interpolated.
    pub(crate) to_sides: [f64; 4],
}

#[derive(Default)]
pub(crate) struct Tessellation {
    pub(crate) corners: Vec<Corner>,
    pub(crate) triangles: Vec<[usize; 3]>,
}

impl Tessellation {
    /// Triangles fine enough for a picture of this size. Curves and points have none.
    pub(crate) fn new(surface: &Surface, camera: &Camera, size: [usize; 2]) -> Self {
        let across = surface
            .patches
            .iter()
            .map(|patch| pixels_across(patch, camera, size))
            .fold(0.0, f64::max);
        // The same for all, or patches would not meet.
        let pieces = (across / PIECE).clamp(4.0, 48.0) as usize;
        let mut tessellation = Self::default();
        for patch in &surface.patches {
            match patch.shape() {
                Shape::TensorProduct { n: 0, .. } | Shape::TensorProduct { m: 0, .. } => {}
                Shape::TensorProduct { .. } => tessellation.add(patch, pieces, false),
                Shape::Triangular { .. } => tessellation.add(patch, pieces, true),
            }
        }
        tessellation
    }

    fn add(&mut self, patch: &AnyPatch, pieces: usize, triangular: bool) {
        let at = |i: usize| i as f64 / pieces as f64;
        let lengths = side_lengths(patch, triangular);
        let mut row_start = self.corners.len();
        for i in 0..=pieces {
            let row = if triangular { pieces - i } else { pieces };
            for j in 0..=row {
                if i < pieces && j < row {
                    let here = row_start + j;
                    let next = here + row + 1;
                    self.triangles.push([here, next, here + 1]);
                    if !triangular || j + 1 < row {
                        self.triangles.push([here + 1, next, next + 1]);
                    }
                }
                self.corners
                    .push(corner(patch, [at(i), at(j)], lengths, triangular));
            }
            row_start += row + 1;
        }
    }
}

/// The longer side of what the patch covers in the picture; nothing for what is behind the eye.
fn pixels_across(patch: &AnyPatch, camera: &Camera, size: [usize; 2]) -> f64 {
    let (mut least, mut greatest) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for pixel in patch
        .control_points()
        .iter()
        .filter_map(|point| camera.pixel(*point, size))
    {
        for k in 0..2 {
            least[k] = least[k].min(pixel[k]);
            greatest[k] = greatest[k].max(pixel[k]);
        }
    }
    (greatest[0] - least[0]).max(greatest[1] - least[1])
}

/// About how long the patch is along u and along v.
fn side_lengths(patch: &AnyPatch, triangular: bool) -> [f64; 2] {
    let length = |ends: [(f64, f64); 2]| {
        let [a, b] = ends.map(|(u, v)| patch.eval(u, v));
        (b - a).norm()
    };
    let across = if triangular { 0.0 } else { 0.5 };
    [
        length([(0.0, across), (1.0, across)]),
        length([(across, 0.0), (across, 1.0)]),
    ]
}

fn corner(
    patch: &AnyPatch,
    [u, v]: [f64; 2],
    [along_u, along_v]: [f64; 2],
    triangular: bool,
) -> Corner {
    let middle = if triangular { 1.0 / 3.0 } else { 0.5 };
    let normal = NEARBY
        .into_iter()
        .find_map(|part| patch.normal(u + part * (middle - u), v + part * (middle - v)));
    // A triangle has its third side where u = 1 − v.
    let end = if triangular { 1.0 - v } else { 1.0 };
    Corner {
        place: patch.eval(u, v),
        normal: normal.unwrap_or_else(Vector3::zeros),
        to_sides: [
            u * along_u,
            (end - u) * along_u,
            v * along_v,
            (1.0 - v) * along_v,
        ],
    }
}
