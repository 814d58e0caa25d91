//! Two wavy sheets that approach each other, each point at a velocity of its own.

use std::f64::consts::TAU;

use nalgebra::{Point3, Vector3, point, vector};
use patch_ccd::Error;
use patch_ccd::geometry::{HermiteGrid, HermiteNode};
use patch_ccd::mesh::{MovingMesh, PatchMesh};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Width of the sheets, m, and patches along a side.
pub(crate) const WIDTH: f64 = 12.0;
pub(crate) const PATCHES: usize = 12;

/// Height of the waves, m.
const WAVE: f64 = 0.36;

/// Of the relative speed, how much of it is sideways and how much differs along a sheet.
const SIDEWAYS: f64 = 0.3;
const UNEVEN: f64 = 0.2;

/// Waves along x and y with phases: height, slopes, mixed derivative.
#[derive(Clone, Copy, Debug)]
struct Waves {
    numbers: [f64; 2],
    phases: [f64; 2],
}

impl Waves {
    fn random(random: &mut Pcg64Mcg) -> Self {
        let mut between = |low: f64, high: f64| low + (high - low) * random.random::<f64>();
        Self {
            numbers: [0; 2].map(|_| TAU * between(1.0, 2.0) / WIDTH),
            phases: [0; 2].map(|_| between(0.0, TAU)),
        }
    }

    fn at(&self, x: f64, y: f64) -> [f64; 4] {
        let [a, b] = self.numbers;
        let (s, c) = (a * x + self.phases[0]).sin_cos();
        let (t, d) = (b * y + self.phases[1]).sin_cos();
        [c * d, -a * s * d, -b * c * t, a * b * s * t]
    }
}

/// Both sheets, and how they move relative to each other at a speed of 1 m/s.
pub(crate) struct Sheets {
    pub(crate) mesh: PatchMesh,
    /// The lower one and the upper one; they touch nowhere.
    pub(crate) start: [Vec<Point3<f64>>; 2],
    velocities: [Vec<Vector3<f64>>; 2],
}

impl Sheets {
    /// Sheets of random waves, the upper one shifted up by this much from where the crests would be
    /// level.
    pub(crate) fn new(seed: u64, gap: f64) -> Result<Self, Error> {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let widths = [WIDTH / PATCHES as f64; PATCHES];
        let grid = HermiteGrid::new(&widths, &widths)?;
        let waves = [0; 2].map(|_| Waves::random(&mut random));
        let swell = [0; 2].map(|_| Waves::random(&mut random));
        let along = |k: usize| WIDTH * (k as f64 / PATCHES as f64 - 0.5);
        let places =
            || (0..=PATCHES).flat_map(|i| (0..=PATCHES).map(move |j| (along(i), along(j))));
        let start = [0, 1].map(|k| {
            let nodes: Vec<_> = places()
                .map(|(x, y)| {
                    let [z, u, v, twist] = waves[k].at(x, y).map(|value| WAVE * value);
                    let lift = k as f64 * (2.0 * WAVE + gap);
                    HermiteNode {
                        position: point![x, y, z + lift],
                        along_u: vector![1.0, 0.0, u],
                        along_v: vector![0.0, 1.0, v],
                        twist: vector![0.0, 0.0, twist],
                    }
                })
                .collect();
            grid.points(&nodes)
        });
        let velocities = [0, 1].map(|k| {
            // Half of the speed each.
            let sign = 0.5 - k as f64;
            let nodes: Vec<_> = places()
                .map(|(x, y)| {
                    let [z, u, v, twist] = swell[k].at(x, y).map(|value| sign * UNEVEN * value);
                    HermiteNode {
                        position: vector![sign * SIDEWAYS, 0.0, sign + z],
                        along_u: vector![0.0, 0.0, u],
                        along_v: vector![0.0, 0.0, v],
                        twist: vector![0.0, 0.0, twist],
                    }
                })
                .collect();
            grid.velocities(&nodes)
        });
        let [lower, upper] = start;
        let [up, down] = velocities;
        Ok(Self {
            mesh: PatchMesh::from_grid(grid.grid(), None)?,
            start: [lower?, upper?],
            velocities: [up?, down?],
        })
    }

    /// Both over a step in which they approach by about this way.
    pub(crate) fn moving(&self, way: f64) -> Result<[MovingMesh<'_>; 2], Error> {
        let of = |k: usize| {
            let velocities: Vec<_> = self.velocities[k].iter().map(|v| v * way).collect();
            MovingMesh::with_velocities(&self.mesh, &self.start[k], &velocities)
        };
        Ok([of(0)?, of(1)?])
    }

    /// The sheets after such a way.
    pub(crate) fn advance(&mut self, way: f64) -> Result<(), Error> {
        let ends = self.moving(way)?.map(|mesh| mesh.at(1.0));
        self.start = ends;
        Ok(())
    }
}
