//! The two shells.

use std::f64::consts::FRAC_1_SQRT_2;

use nalgebra::{Vector3, point, vector};
use patch_ccd::Error;
use patch_ccd::geometry::{KnotVector, NurbsSurface};

/// A NURBS surface and how its control points move over the step.
pub(crate) struct Shell {
    pub(crate) name: &'static str,
    pub(crate) surface: NurbsSurface,
    pub(crate) velocities: Vec<Vector3<f64>>,
}

/// A quarter of a torus, R = 2 and r = 0.8: half a circle about the tube, its crown up, along a
/// quarter of the ring. It falls, its middle first.
pub(crate) fn quarter_torus() -> Result<Shell, Error> {
    let w = FRAC_1_SQRT_2;
    let along_ring = [(1.0, 0.0, 1.0), (1.0, 1.0, w), (0.0, 1.0, 1.0)];
    // (ρ, z) from the outer side over the bottom to the inner side.
    let about_tube = [
        (1.0, 0.0, 1.0),
        (1.0, -1.0, w),
        (0.0, -1.0, 1.0),
        (-1.0, -1.0, w),
        (-1.0, 0.0, 1.0),
    ];
    let (large, small) = (2.0, 0.8);
    let mut points = Vec::new();
    let mut weights = Vec::new();
    for (c, s, ring) in along_ring {
        for (x, z, tube) in about_tube {
            let radius = large + small * x;
            points.push(point![radius * c, radius * s, 1.6 + small * z]);
            weights.push(ring * tube);
        }
    }
    let knots = [
        KnotVector::new(2, &[0.0, 0.0, 0.0, 90.0, 90.0, 90.0])?,
        KnotVector::new(2, &[0.0, 0.0, 0.0, 90.0, 90.0, 180.0, 180.0, 180.0])?,
    ];
    let velocities = points
        .iter()
        .map(|p| vector![0.05, -0.1 * p.x, -0.9 - 0.2 * p.x * p.y]);
    Ok(Shell {
        name: "quarter torus",
        velocities: velocities.collect(),
        surface: NurbsSurface::new(knots, &points, Some(&weights))?,
    })
}

/// A bicubic sheet over [−0.6, 3]² with waves of height 0.35, four spans each way, of uneven
/// length; it comes up, and its waves run on.
pub(crate) fn wavy_sheet() -> Result<Shell, Error> {
    let knots = KnotVector::new(3, &[0.0, 0.0, 0.0, 0.0, 0.8, 1.4, 2.2, 3.0, 3.0, 3.0, 3.0])?;
    let wave =
        |x: f64, y: f64, phase: f64| 0.35 * (2.4 * x + phase).sin() * (1.9 * y - phase).cos();
    let count = knots.count();
    let place = |k: usize| {
        let at = |i: usize| -0.6 + 3.6 * i as f64 / (count - 1) as f64;
        (at(k / count), at(k % count))
    };
    let points: Vec<_> = (0..count * count)
        .map(place)
        .map(|(x, y)| point![x, y, wave(x, y, 0.0)])
        .collect();
    let velocities = (0..count * count)
        .map(place)
        .map(|(x, y)| vector![0.0, 0.0, 0.2 + wave(x, y, 0.9) - wave(x, y, 0.0)]);
    Ok(Shell {
        name: "wavy sheet",
        velocities: velocities.collect(),
        surface: NurbsSurface::new([knots.clone(), knots], &points, None)?,
    })
}
