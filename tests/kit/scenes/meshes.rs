//! Meshes to collide and to measure, each with its points.

use nalgebra::{Point3, Vector3, point};
use patch_ccd::geometry::{AnyPatch, Shape};
use patch_ccd::mesh::{PatchMesh, TriangleMesh};

use super::{BILINEAR, level};
use crate::Random;

/// A wavy sheet of n × n patches of one degree over [0, 1]², about height `z`.
pub fn sheet(degree: usize, n: usize, z: f64, phase: f64) -> (PatchMesh, Vec<Point3<f64>>) {
    let (side, row) = (degree * n + 1, degree + 1);
    let shape = Shape::TensorProduct {
        n: degree,
        m: degree,
    };
    let mut mesh = PatchMesh::new(side * side);
    for (i, j) in (0..n * n).map(|k| (k / n, k % n)) {
        let net: Vec<u32> = (0..row * row)
            .map(|k| ((degree * i + k / row) * side + degree * j + k % row) as u32)
            .collect();
        mesh.add(shape, &net, None).expect("indices in range");
    }
    (mesh, waves(side, z, phase))
}

/// A wavy sheet of 2 n² triangles over [0, 1]², about height `z`.
pub fn triangles(n: usize, z: f64, phase: f64) -> (TriangleMesh, Vec<Point3<f64>>) {
    let side = n + 1;
    let at = |i: usize, j: usize| (i * side + j) as u32;
    let faces: Vec<[u32; 3]> = (0..n * n)
        .map(|k| (k / n, k % n))
        .flat_map(|(i, j)| {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            [[a, b, c], [a, c, d]]
        })
        .collect();
    let mesh = TriangleMesh::new(side * side, &faces).expect("indices in range");
    (mesh, waves(side, z, phase))
}

fn waves(side: usize, z: f64, phase: f64) -> Vec<Point3<f64>> {
    let step = 1.0 / (side - 1) as f64;
    let place = |k: usize| ((k / side) as f64 * step, (k % side) as f64 * step);
    let wave = |x: f64, y: f64| 0.1 * (7.0 * x + 3.0 * y + phase).sin() * (5.0 * y).cos();
    let places = (0..side * side).map(place);
    places.map(|(x, y)| point![x, y, z + wave(x, y)]).collect()
}

/// Unit squares side by side along x, at heights of their own; each with its own points.
pub fn squares(heights: &[f64]) -> (PatchMesh, Vec<Point3<f64>>) {
    let at = |(k, &z): (usize, &f64)| {
        let x = 2.0 * k as f64;
        level(BILINEAR, [x, x + 1.0], [0.0, 1.0], z)
    };
    let patches: Vec<AnyPatch> = heights.iter().enumerate().map(at).collect();
    PatchMesh::from_patches(&patches)
}

/// For each of so many points `velocity`, and some of its own.
pub fn stirred(count: usize, velocity: Vector3<f64>, by: f64, seed: u64) -> Vec<Vector3<f64>> {
    let mut random = Random::new(seed);
    (0..count).map(|_| velocity + random.vector(by)).collect()
}
