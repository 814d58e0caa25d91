//! What the scenes are made of.

use std::error::Error;

use nalgebra::{Point3, Vector3, point};
use patch_ccd::geometry::{AnyPatch, Patch, Shape};
use patch_ccd::io::{BptOrder, read_bpt};

use crate::shell::{Material, Sheet};
use crate::simulation::{Contact, Settings, Simulation, Solid};

/// Like cotton, as far as a homogeneous sheet can be: 0.3 kg/m², a bending stiffness of 9e-5 N m,
/// and stretchier than fabric is along its threads.
pub const COTTON: Material = Material {
    thickness: 1e-3,
    young: 1e6,
    poisson: 0.3,
    density: 300.0,
};

/// Under gravity, in air that stops a fall at some five metres per second.
pub const SETTINGS: Settings = Settings {
    gravity: Vector3::new(0.0, 0.0, -9.81),
    air_drag: 2.0,
    viscosity: 2e-3,
    contact: Contact {
        cushion: 5e-4,
        stiffness: 1e4,
        reach: 0.03,
        impact_stiffness: 1e6,
        friction: 0.4,
        creep: 1e-3,
    },
    passes: 10,
    cuts: 8,
    flight: f64::INFINITY,
};

/// Newell's teapot, of 0.3 m from handle to spout, upright on z = 0.
pub fn teapot() -> Result<Vec<AnyPatch>, Box<dyn Error>> {
    let text = include_bytes!("../../../data/geometry/teapot.bpt");
    let patches = read_bpt(&text[..], "teapot.bpt", BptOrder::default())?;
    let points = patches.iter().flat_map(|patch| patch.control_points());
    let (low, high) = points.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), point| {
        (low.min(point.x), high.max(point.x))
    });
    let scale = 0.3 / (high - low);
    let middle = point![0.5 * (low + high), 0.0, 0.0];
    mapped(&patches, |p| Point3::from((p - middle) * scale))
}

/// These patches with their control points somewhere else.
fn mapped(
    patches: &[AnyPatch],
    place: impl Fn(&Point3<f64>) -> Point3<f64>,
) -> Result<Vec<AnyPatch>, Box<dyn Error>> {
    let moved = patches.iter().map(|patch| {
        let points: Vec<_> = patch.control_points().iter().map(&place).collect();
        match patch.weights() {
            Some(weights) => AnyPatch::rational_from_shape(patch.shape(), &points, weights),
            None => AnyPatch::from_shape(patch.shape(), &points),
        }
    });
    Ok(moved.collect::<Result<_, _>>()?)
}

/// Control points and weights of a circle in four quarters: every second point is on it.
fn ring(k: usize) -> ((f64, f64), f64) {
    let (x, y) = [(1.0, 0.0), (1.0, 1.0)][k % 2];
    let weight = [1.0, 0.5_f64.sqrt()][k % 2];
    let turned = [(x, y), (-y, x), (-x, -y), (y, -x)];
    (turned[k / 2 % 4], weight)
}

/// A surface of revolution about z out of arcs that go from `first` to `last` in steps of an eighth
/// of a circle.
fn revolved(
    arcs: std::ops::Range<usize>,
    profile: impl Fn((f64, f64)) -> (f64, f64),
) -> Result<Vec<AnyPatch>, Box<dyn Error>> {
    let shape = Shape::TensorProduct { n: 2, m: 2 };
    let patches = (0..4).flat_map(|quarter| arcs.clone().map(move |arc| (quarter, arc)));
    let patches = patches.map(|(quarter, arc)| {
        let rows = (0..9).map(|k| {
            let ((c, s), w) = ring(2 * quarter + k / 3);
            let (on_arc, weight) = ring(2 * arc + k % 3);
            let (radius, z) = profile(on_arc);
            (point![radius * c, radius * s, z], w * weight)
        });
        let (points, weights): (Vec<_>, Vec<_>) = rows.unzip();
        AnyPatch::rational_from_shape(shape, &points, &weights)
    });
    Ok(patches.collect::<Result<_, _>>()?)
}

/// A torus of sixteen rational patches about the z axis.
pub fn torus(large: f64, small: f64) -> Result<Vec<AnyPatch>, Box<dyn Error>> {
    revolved(0..4, |(x, z)| (large + small * x, small * z))
}

/// A sphere of eight rational patches.
pub fn sphere(radius: f64) -> Result<Vec<AnyPatch>, Box<dyn Error>> {
    // From the south pole to the north pole.
    revolved(3..5, |(x, z)| (radius * x, radius * z))
}

/// A cloth of n × n patches, 0.8 m wide, 2 cm above the teapot.
pub fn drape(n: usize) -> Result<Simulation, Box<dyn Error>> {
    let teapot = teapot()?;
    let points = teapot.iter().flat_map(|patch| patch.control_points());
    let top = points.map(|point| point.z).fold(0.0, f64::max);
    let corner = point![-0.4, -0.4, top + 0.02];
    let (sheet, nodes) = Sheet::flat([n, n], [0.8, 0.8], corner, COTTON)?;
    let solid = Solid::new(teapot, None);
    Ok(Simulation::new(sheet, &nodes, solid, SETTINGS)?)
}
