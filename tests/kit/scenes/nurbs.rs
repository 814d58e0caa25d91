//! Spheres and tori as NURBS surfaces.

use nalgebra::point;
use patch_ccd::geometry::{KnotVector, NurbsSurface};

use super::QUARTER;

/// Control points (x, y) in the plane and their weights, of arcs of quarter circles.
pub type Polygon = Vec<(f64, f64, f64)>;

/// The unit circle from angle 0, of so many quarter circles between the knots 0, 1, 2, ….
pub fn circle(quarters: usize) -> (KnotVector, Polygon) {
    let polygon = (0..=2 * quarters).map(|k| {
        let (mut x, mut y, w) = QUARTER[k % 2];
        for _ in 0..k / 2 {
            (x, y) = (-y, x);
        }
        (x, y, w)
    });
    let mut knots = vec![0.0];
    knots.extend((0..=quarters).flat_map(|k| [k as f64; 2]));
    knots.push(quarters as f64);
    let knots = KnotVector::new(2, &knots).expect("knots in order");
    (knots, polygon.collect())
}

/// A curve (ρ, z), turned about the z axis: u goes around, v along the curve.
pub fn turned((along, curve): (KnotVector, Polygon)) -> NurbsSurface {
    let (around, ring) = circle(4);
    let pairs = || ring.iter().flat_map(|c| curve.iter().map(move |p| (c, p)));
    let points = pairs().map(|(c, p)| point![c.0 * p.0, c.1 * p.0, p.1]);
    let weights: Vec<_> = pairs().map(|(c, p)| c.2 * p.2).collect();
    let points: Vec<_> = points.collect();
    NurbsSurface::new([around, along], &points, Some(&weights)).expect("a net")
}

/// A sphere: half a circle from pole to pole, turned.
pub fn sphere(radius: f64) -> NurbsSurface {
    let (along, half) = circle(2);
    // From the angle −90° to 90°.
    let half = half.iter().map(|&(x, y, w)| (radius * y, -radius * x, w));
    turned((along, half.collect()))
}

/// A torus about the z axis.
pub fn torus(large: f64, small: f64) -> NurbsSurface {
    let (along, ring) = circle(4);
    let ring = ring.iter();
    let ring = ring.map(|&(x, y, w)| (large + small * x, small * y, w));
    turned((along, ring.collect()))
}
