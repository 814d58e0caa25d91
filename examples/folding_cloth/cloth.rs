//! The cloth: a square of triangles with springs along and across them.

use nalgebra::{Point3, Vector3, point, vector};
use patch_ccd::Error;
use patch_ccd::mesh::TriangleMesh;

/// Sweeps over all springs in a step.
const SWEEPS: usize = 40;
/// What is left of the speed after a step.
const DAMPING: f64 = 0.9995;

pub(crate) struct Cloth {
    pub(crate) mesh: TriangleMesh,
    pub(crate) points: Vec<Point3<f64>>,
    pub(crate) velocities: Vec<Vector3<f64>>,
    springs: Vec<Spring>,
}

struct Spring {
    ends: [usize; 2],
    length: f64,
    stiffness: f64,
}

impl Cloth {
    /// `quads` by `quads` squares of two triangles each, 1 m wide and tall, standing 2 cm over the
    /// floor in a wave across.
    pub(crate) fn new(quads: usize, thickness: f64) -> Result<Self, Error> {
        let side = quads + 1;
        let width = 1.0 / quads as f64;
        let points: Vec<Point3<f64>> = (0..side * side)
            .map(|k| {
                let [x, z] = [k / side, k % side].map(|k| k as f64 * width - 0.5);
                point![x, 0.02 * (9.0 * z).sin() * (1.0 + x), z + 0.52]
            })
            .collect();
        let mut faces = Vec::new();
        for (i, j) in (0..quads * quads).map(|k| (k / quads, k % quads)) {
            let at = |i: usize, j: usize| (i * side + j) as u32;
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            faces.extend(if (i + j) % 2 == 0 {
                [[a, b, c], [a, c, d]]
            } else {
                [[a, b, d], [b, c, d]]
            });
        }
        let mut mesh = TriangleMesh::new(side * side, &faces)?;
        mesh.set_half_thickness(0.5 * thickness)?;
        Ok(Self {
            mesh,
            velocities: vec![Vector3::zeros(); points.len()],
            springs: springs(side, &points),
            points,
        })
    }

    /// The velocities of a step without contacts: gravity, then all springs, one after the other.
    pub(crate) fn fall(&mut self, gravity: f64, dt: f64) {
        let down = vector![0.0, 0.0, -gravity * dt];
        let moved = self.points.iter().zip(&self.velocities);
        let mut target: Vec<_> = moved.map(|(x, v)| x + dt * DAMPING * (v + down)).collect();
        for _ in 0..SWEEPS {
            for &Spring {
                ends: [a, b],
                length,
                stiffness,
            } in &self.springs
            {
                let way = target[b] - target[a];
                let change = way * (0.5 * stiffness * (1.0 - length / way.norm()));
                target[a] += change;
                target[b] -= change;
            }
        }
        for ((v, x), target) in self.velocities.iter_mut().zip(&self.points).zip(&target) {
            *v = (target - x) / dt;
        }
    }

    pub(crate) fn advance(&mut self, t: f64) {
        for (x, v) in self.points.iter_mut().zip(&self.velocities) {
            *x += t * v;
        }
    }
}

/// Along the sides of the squares, along their diagonals, and, weakly, over two squares.
fn springs(side: usize, points: &[Point3<f64>]) -> Vec<Spring> {
    let ways = [
        (1, 0, 1.0),
        (0, 1, 1.0),
        (1, 1, 0.3),
        (1, -1, 0.3),
        (2, 0, 0.02),
        (0, 2, 0.02),
    ];
    let mut springs = Vec::new();
    for (i, j) in (0..side * side).map(|k| (k / side, k % side)) {
        for (along, up, stiffness) in ways {
            let (to, other) = (i + along, j.checked_add_signed(up));
            if let Some(other) = other.filter(|&other| to < side && other < side) {
                let ends = [i * side + j, to * side + other];
                let length = (points[ends[0]] - points[ends[1]]).norm();
                springs.push(Spring {
                    ends,
                    length,
                    stiffness,
                });
            }
        }
    }
    springs
}
