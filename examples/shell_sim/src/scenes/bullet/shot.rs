//! Random shots: where from, how fast, and at what.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use nalgebra::{Point3, Rotation3, Unit, Vector3, vector};
use patch_ccd::geometry::{AnyPatch, Patch};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::target::{RADIUS, WAVE, WIDTH};

/// What a shot is aimed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// A point of the sheet.
    Sheet,
    /// Past the border of the sheet, or the top of a wave, less than a tenth of the radius from
    /// just touching it, and often far less.
    Graze,
}

/// A bullet's flight until it hits.
#[derive(Clone, Copy, Debug)]
pub struct Shot {
    pub aim: Aim,
    /// The centre of the bullet at first.
    pub start: Vector3<f64>,
    /// m/s.
    pub velocity: Vector3<f64>,
    /// How the bullet is turned, which only counts where it is made of triangles.
    pub turn: Rotation3<f64>,
    /// Speed of the sheet's middle, m/s.
    pub vibration: f64,
}

/// At right angles to the middle of the resting sheet.
pub fn straight(speed: f64, distance: f64) -> Shot {
    Shot {
        aim: Aim::Sheet,
        start: vector![0.0, 0.0, WAVE + RADIUS + distance],
        velocity: vector![0.0, 0.0, -speed],
        turn: Rotation3::identity(),
        vibration: 0.0,
    }
}

/// Shots that, without a sheet, would be where they are aimed at within a step.
pub struct Shots {
    random: Pcg64Mcg,
    dt: f64,
}

impl Shots {
    pub fn new(seed: u64, dt: f64) -> Self {
        Self {
            random: Pcg64Mcg::seed_from_u64(seed),
            dt,
        }
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.random.random::<f64>()
    }

    /// Downwards, by this angle from the vertical at most.
    fn downwards(&mut self, most: f64) -> Vector3<f64> {
        let (angle, turn) = (self.between(0.0, most), self.between(0.0, TAU));
        vector![
            angle.sin() * turn.cos(),
            angle.sin() * turn.sin(),
            -angle.cos()
        ]
    }

    /// The next one. It may start in contact, which is not looked at here.
    pub fn draw(&mut self, aim: Aim) -> Shot {
        let half = 0.5 * WIDTH;
        let (target, direction) = match aim {
            Aim::Sheet => {
                let (x, y) = (self.between(-half, half), self.between(-half, half));
                let x_wave = (3.0 * PI * x / WIDTH).cos();
                let y_wave = (3.0 * PI * y / WIDTH).cos();
                (vector![x, y, WAVE * x_wave * y_wave], self.downwards(1.0))
            }
            Aim::Graze => self.grazing(half),
        };
        let speed = self.between(200.0, 400.0);
        let way = speed * self.dt * self.between(0.1, 1.0);
        let vibrates = aim == Aim::Sheet && self.random.random::<bool>();
        let [a, b, c] = [0; 3].map(|_| self.between(-PI, PI));
        Shot {
            aim,
            start: target - direction * way,
            velocity: direction * speed,
            turn: Rotation3::from_euler_angles(a, b, c),
            vibration: if vibrates {
                self.between(-5.0, 5.0)
            } else {
                0.0
            },
        }
    }

    /// Where the centre of the bullet is when it is nearest to a border or a top, and which way it
    /// goes.
    fn grazing(&mut self, half: f64) -> (Vector3<f64>, Vector3<f64>) {
        let side = if self.random.random::<bool>() {
            1.0
        } else {
            -1.0
        };
        let distance = RADIUS * (1.0 + side * 10_f64.powf(self.between(-3.5, -1.0)));
        if self.random.random::<bool>() {
            let direction = self.downwards(1.0);
            let along = self.between(-half, half);
            let (at, edge) = if self.random.random::<bool>() {
                (vector![half, along, 0.0], Vector3::y())
            } else {
                (vector![along, half, 0.0], Vector3::x())
            };
            let out = Unit::new_normalize(direction.cross(&edge)).into_inner();
            let out = if out.dot(&at) > 0.0 { out } else { -out };
            (at + out * distance, direction)
        } else {
            // Over a wave at a corner and away from the sheet, nearly along it.
            let step = WIDTH / 3.0;
            let corners = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)];
            let k = self.random.random_range(0..4);
            let (x, y) = corners[k];
            let turn = 0.5 * PI * k as f64 + self.between(0.0, 0.5 * PI);
            let slope = self.between(0.02, 0.1);
            let direction = vector![turn.cos(), turn.sin(), -slope].normalize();
            let flank = vector![direction.x, direction.y, 0.0].normalize();
            let across = Unit::new_normalize(flank.cross(&Vector3::z())).into_inner();
            let lean = self.between(-0.1, 0.1) * FRAC_PI_2;
            let out = Unit::new_normalize(direction.cross(&across)).into_inner();
            let out = if out.z > 0.0 { out } else { -out };
            let out = out * lean.cos() + across * lean.sin();
            (
                vector![x * step, y * step, WAVE] + out * distance,
                direction,
            )
        }
    }
}

/// Puts a bullet about the origin where a shot starts.
pub fn place(patches: &mut [AnyPatch], shot: &Shot) -> Result<(), patch_ccd::Error> {
    let placed = |p: &Point3<f64>| shot.turn * p + shot.start;
    for patch in patches {
        let points: Vec<_> = patch.control_points().iter().map(placed).collect();
        *patch = match patch.weights() {
            Some(weights) => AnyPatch::rational_from_shape(patch.shape(), &points, weights)?,
            None => AnyPatch::from_shape(patch.shape(), &points)?,
        };
    }
    Ok(())
}
