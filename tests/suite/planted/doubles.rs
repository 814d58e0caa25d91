//! From integers to doubles, without a rounding.

use kit::Random;
use nalgebra::{Point3, Vector3};
use patch_ccd::geometry::Shape;

use super::case::{BITS, Plan};
use super::net::Vector;

/// A moving net in doubles.
#[derive(Clone, Debug)]
pub(crate) struct Net {
    pub(crate) shape: Shape,
    pub(crate) weights: Vec<i128>,
    pub(crate) points: Vec<Point3<f64>>,
    pub(crate) velocities: Vec<Vector3<f64>>,
}

/// Matrices of integers that turn, or permute, and the factor by which they lengthen.
pub(crate) const TURNS: [([[i128; 3]; 3], u8); 6] = [
    ([[1, 0, 0], [0, 1, 0], [0, 0, 1]], 1),
    ([[0, 0, 1], [1, 0, 0], [0, 1, 0]], 1),
    ([[0, -1, 0], [0, 0, 1], [-1, 0, 0]], 1),
    ([[2, -1, 2], [2, 2, -1], [-1, 2, 2]], 3),
    ([[2, 3, 6], [3, -6, 2], [6, 2, -3]], 7),
    ([[1, 4, 8], [8, -4, 1], [-4, -7, 4]], 9),
];

/// How integers become doubles.
#[derive(Clone, Copy)]
pub(crate) struct Doubles {
    pub(crate) turn: ([[i128; 3]; 3], u8),
    /// The unit is 2 to this.
    pub(crate) exponent: i32,
    /// The horizon is 2 to this.
    pub(crate) horizon: i32,
    pub(crate) sixteenths: i128,
}

impl Doubles {
    fn turned(&self, vector: Vector) -> Vector {
        self.turn
            .0
            .map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum())
    }

    /// The net at t = 0, if its numbers are doubles.
    pub(crate) fn net(&self, plan: &Plan, offset: Vector) -> Option<Net> {
        let coordinates = |x: Vector, e: i32| {
            let [x, y, z] = x.map(|x| double(x, e));
            Some([x?, y?, z?])
        };
        let mut net = Net {
            shape: plan.shape,
            weights: plan.weights(),
            points: Vec::new(),
            velocities: Vec::new(),
        };
        for (&point, &displacement) in plan.points.iter().zip(&plan.displacements) {
            let (point, displacement) = (self.turned(point), self.turned(displacement));
            let start = [0, 1, 2].map(|c| offset[c] + point[c] - self.sixteenths * displacement[c]);
            net.points.push(coordinates(start, self.exponent)?.into());
            net.velocities
                .push(coordinates(displacement, self.exponent + 4 - self.horizon)?.into());
        }
        Some(net)
    }

    /// A place far from the origin, often as far as doubles can tell; `None` if not even the origin
    /// will do.
    pub(crate) fn offset(&self, random: &mut Random, plans: &[Plan; 2]) -> Option<Vector> {
        let fits = |offset| plans.iter().all(|plan| self.net(plan, offset).is_some());
        let any: Vector = [(); 3].map(|()| random.integer(-255, 255));
        let farthest = if random.chance(2) {
            0
        } else {
            BITS - 8 + random.below(40) as u32
        };
        let mut shifts = (BITS - 8..=farthest).rev();
        let offset = shifts.find_map(|shift| Some(any.map(|x| x << shift)).filter(|&o| fits(o)));
        offset.or_else(|| fits([0; 3]).then_some([0; 3]))
    }
}

/// x · 2^exponent, if that is a double.
fn double(x: i128, exponent: i32) -> Option<f64> {
    let zeros = if x == 0 { 0 } else { x.trailing_zeros() };
    let odd = x >> zeros;
    (odd.unsigned_abs() < 1 << 53).then(|| odd as f64 * 2.0_f64.powi(zeros as i32 + exponent))
}
