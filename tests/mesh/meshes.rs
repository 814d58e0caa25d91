//! Meshes to collide.

use nalgebra::{Point3, Vector3, point, vector};
use patch_ccd::Options;
use patch_ccd::geometry::{AnyPatch, Shape};
use patch_ccd::mesh::{MeshOptions, PatchMesh, TriangleMesh};

/// Pseudo-random numbers in [−1, 1].
pub(crate) fn noise(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// A wavy cloth of n × n bicubic patches over [0, 1]² about height `z`.
pub(crate) fn cloth(n: usize, z: f64, phase: f64) -> (PatchMesh, Vec<Point3<f64>>) {
    let side = 3 * n + 1;
    let mut mesh = PatchMesh::new(side * side);
    for (i, j) in (0..n * n).map(|k| (k / n, k % n)) {
        let net: Vec<u32> = (0..16)
            .map(|k| ((3 * i + k / 4) * side + 3 * j + k % 4) as u32)
            .collect();
        let shape = Shape::TensorProduct { n: 3, m: 3 };
        mesh.add(shape, &net, None).expect("a bicubic patch");
    }
    (mesh, waves(side, z, phase))
}

/// A wavy cloth of 2 n² triangles over [0, 1]² about height `z`.
pub(crate) fn triangles(n: usize, z: f64, phase: f64) -> (TriangleMesh, Vec<Point3<f64>>) {
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
    (0..side * side)
        .map(place)
        .map(|(x, y)| {
            point![
                x,
                y,
                z + 0.1 * (7.0 * x + 3.0 * y + phase).sin() * (5.0 * y).cos()
            ]
        })
        .collect()
}

/// Every point at `velocity` and some of its own.
pub(crate) fn stirred(
    count: usize,
    velocity: Vector3<f64>,
    by: f64,
    seed: u64,
) -> Vec<Vector3<f64>> {
    let mut noise = noise(seed);
    (0..count)
        .map(|_| velocity + by * vector![noise(), noise(), noise()])
        .collect()
}

pub(crate) const BILINEAR: Shape = Shape::TensorProduct { n: 1, m: 1 };

/// Unit squares side by side along x, at heights of their own; each with its own points.
pub(crate) fn squares(heights: &[f64]) -> (PatchMesh, Vec<Point3<f64>>) {
    let patches: Vec<AnyPatch> = heights
        .iter()
        .enumerate()
        .map(|(k, &z)| {
            let x = 2.0 * k as f64;
            let net = [[x, 0.0], [x, 1.0], [x + 1.0, 0.0], [x + 1.0, 1.0]];
            AnyPatch::from_shape(BILINEAR, &net.map(|[x, y]| point![x, y, z])).unwrap()
        })
        .collect();
    PatchMesh::from_patches(&patches)
}

/// The default options with these for every pair.
pub(crate) fn with(query: Options) -> MeshOptions<'static> {
    MeshOptions {
        query,
        ..MeshOptions::default()
    }
}
