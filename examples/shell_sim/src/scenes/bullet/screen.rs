//! On which side of the sheet is a point? Asked of many triangles by counting what a ray crosses,
//! so that nothing of the collision detection is trusted.
//!
//! The sheet and the plane of its border, without what is within the border, divide space into two
//! sides. What changes sides goes through the plane, beside the sheet, or through the sheet.

use nalgebra::Vector3;
use patch_ccd::geometry::{AnyPatch, Patch};

use super::target::within_border;

/// Cells along each side of a patch.
const FINE: usize = 24;

/// Two points far on the side that is above, in directions that meet no edge of a triangle but by
/// chance.
const ABOVE: [Vector3<f64>; 2] = [
    Vector3::new(31.71, 17.39, 1000.0),
    Vector3::new(-23.13, 41.77, 1000.0),
];

/// The sheet as triangles.
pub struct Screen(Vec<[Vector3<f64>; 3]>);

impl Screen {
    pub fn new(patches: &[AnyPatch]) -> Self {
        let mut triangles = Vec::with_capacity(patches.len() * 2 * FINE * FINE);
        let along = |k: usize| k as f64 / FINE as f64;
        for patch in patches {
            let at = |i: usize, j: usize| patch.eval(along(i), along(j)).coords;
            for (i, j) in (0..FINE * FINE).map(|k| (k / FINE, k % FINE)) {
                let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
        Self(triangles)
    }

    /// Whether a point is above; `None` if rays in two directions do not agree.
    pub fn is_above(&self, point: &Vector3<f64>) -> Option<bool> {
        let [one, two] = ABOVE.map(|far| {
            let through = self.0.iter().filter(|of| crosses(of, point, &far));
            (through.count() + usize::from(passes_beside(point, &far))) % 2 == 0
        });
        (one == two).then_some(one)
    }
}

/// Whether a straight way goes through the plane of the border outside of it.
pub fn passes_beside(from: &Vector3<f64>, to: &Vector3<f64>) -> bool {
    if (from.z < 0.0) == (to.z < 0.0) {
        return false;
    }
    let at = from + (to - from) * (from.z / (from.z - to.z));
    !within_border(at.x, at.y)
}

/// Whether a straight way goes through a triangle.
fn crosses([a, b, c]: &[Vector3<f64>; 3], from: &Vector3<f64>, to: &Vector3<f64>) -> bool {
    let volume = |p: &Vector3<f64>, q: &Vector3<f64>, r: &Vector3<f64>, s: &Vector3<f64>| {
        (q - p).cross(&(r - p)).dot(&(s - p)) > 0.0
    };
    let ways = [
        volume(from, to, a, b),
        volume(from, to, b, c),
        volume(from, to, c, a),
    ];
    ways[0] == ways[1] && ways[1] == ways[2] && volume(a, b, c, from) != volume(a, b, c, to)
}
