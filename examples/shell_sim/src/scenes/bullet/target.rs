//! What is shot at: a thin, tough sheet with the waves of an egg box, clamped along its straight
//! border.

use nalgebra::{Vector3, point, vector};
use patch_ccd::geometry::HermiteNode;

use crate::models::sphere;
use crate::shell::{KINDS, Material, Sheet};
use crate::simulation::{Contact, Settings, Simulation, Solid};

use super::shot::Shot;

/// Of aramid cloth in resin, roughly: it never tears here.
const ARAMID: Material = Material {
    thickness: THICKNESS,
    young: 5e9,
    poisson: 0.3,
    density: 1400.0,
};

/// Width of the sheet, m, from the origin half of it each way; patches along a side; height of its
/// waves, three half ones along a side.
pub const WIDTH: f64 = 0.3;
pub const PATCHES: usize = 4;
pub const WAVE: f64 = 0.01;

pub const THICKNESS: f64 = 1e-3;

/// Radius and mass of the bullet, m and kg: like nylon.
pub const RADIUS: f64 = 0.01;
pub const MASS: f64 = 4e-3;

/// No weight and no air in so short a time. A step of 10 ms stops 1.6 kg m/s with 160 N, one of 2
/// ms with 800 N, of which half the cushion must not be used up.
const SETTINGS: Settings = Settings {
    gravity: Vector3::new(0.0, 0.0, 0.0),
    air_drag: 0.0,
    viscosity: 1e-4,
    contact: Contact {
        cushion: 5e-4,
        stiffness: 1e5,
        reach: 5e-3,
        impact_stiffness: 1e8,
        friction: 0.3,
        creep: 1e-2,
    },
    passes: 10,
    // One piece to a call, so that a shot is looked at between them.
    cuts: 1,
    flight: 5e-3,
};

/// A function of x or y, and its derivative.
type Profile = fn(f64) -> (f64, f64);

/// Vectors of a node from the product of profiles along x and y.
fn along_z(x: f64, y: f64, height: f64, profile: Profile) -> [Vector3<f64>; KINDS] {
    let ((f, df), (g, dg)) = (profile(x), profile(y));
    [f * g, df * g, f * dg, df * dg].map(|value| vector![0.0, 0.0, height * value])
}

/// Three half waves, zero at the border.
fn waves(x: f64) -> (f64, f64) {
    let number = 3.0 * std::f64::consts::PI / WIDTH;
    let (sin, cos) = (number * x).sin_cos();
    (cos, -number * sin)
}

/// Zero at the border, and of no slope there.
fn drum(x: f64) -> (f64, f64) {
    let number = std::f64::consts::PI / WIDTH;
    let (sin, cos) = (number * x).sin_cos();
    (cos * cos, -2.0 * number * sin * cos)
}

/// The sheet at rest.
pub fn sheet() -> Result<(Sheet, Vec<HermiteNode>), patch_ccd::Error> {
    let corner = point![-0.5 * WIDTH, -0.5 * WIDTH, 0.0];
    let (flat, nodes) = Sheet::flat([PATCHES; 2], [WIDTH; 2], corner, ARAMID)?;
    let wavy: Vec<_> = nodes
        .iter()
        .map(|node| {
            let at = node.position;
            let [position, along_u, along_v, twist] = along_z(at.x, at.y, WAVE, waves);
            HermiteNode {
                position: at + position,
                along_u: node.along_u + along_u,
                along_v: node.along_v + along_v,
                twist,
            }
        })
        .collect();
    let widths = vec![WIDTH / PATCHES as f64; PATCHES];
    let sheet = Sheet::new([widths.clone(), widths], &wavy, flat.material)?;
    Ok((sheet, wavy))
}

/// Velocities of the unknowns of a sheet that vibrates with this speed in its middle.
pub fn vibration(nodes: &[HermiteNode], speed: f64) -> Vec<Vector3<f64>> {
    let of = |node: &HermiteNode| along_z(node.position.x, node.position.y, speed, drum);
    nodes.iter().flat_map(of).collect()
}

/// Whether a point of the plane of the border is within the border.
pub fn within_border(x: f64, y: f64) -> bool {
    x.abs() <= 0.5 * WIDTH && y.abs() <= 0.5 * WIDTH
}

/// The sheet, and the bullet where it is shot from.
pub fn shoot(shot: &Shot) -> Result<Simulation, Box<dyn std::error::Error>> {
    let (sheet, nodes) = sheet()?;
    let mut bullet = sphere(RADIUS)?;
    super::shot::place(&mut bullet, shot)?;
    let solid = Solid::new(bullet, Some(MASS));
    let mut simulation = Simulation::new(sheet, &nodes, solid, SETTINGS)?;
    let side = PATCHES + 1;
    for node in 0..side * side {
        let border = |k: usize| k == 0 || k == PATCHES;
        if border(node / side) || border(node % side) {
            simulation.clamp(node);
        }
    }
    let vibration = vibration(&nodes, shot.vibration);
    simulation.velocity[..vibration.len()].copy_from_slice(&vibration);
    simulation.shoot(shot.velocity);
    Ok(simulation)
}
