//! Welding at any tolerance.

use kit::Random;
use nalgebra::{point, vector};
use patch_ccd::mesh::PatchMesh;

#[test]
fn tolerances_of_all_sizes() {
    let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(|[x, y]| point![x, y, 0.0]);
    let [one, two] = [0.0, 10.0].map(|x| corners.map(|p| p + vector![x, 0.0, 0.0]));
    let apart = |tolerance: f64| {
        let mut mesh = PatchMesh::from_quads(4, &[[0, 1, 2, 3]]).unwrap();
        mesh.append(&mesh.clone()).unwrap();
        mesh.weld(&[one, two].concat(), tolerance).unwrap();
        !mesh.are_neighbours(0, 1)
    };
    assert!([0.0, 5e-324, 1e-300, 1.0, 8.9].into_iter().all(apart));
    assert!(![9.0, 1e300, f64::MAX].into_iter().any(apart));
}

/// A tolerance larger than the mesh makes one point of all: not by looking at every pair, which
/// would take minutes.
#[test]
fn of_everything_takes_no_time() {
    let count = 30_000;
    let mut random = Random::new(2);
    let points: Vec<_> = (0..count).map(|_| random.point(0.5)).collect();
    let ends = count as u32 - 3;
    let faces = [[0, 1, 2], [ends, ends + 1, ends + 2]];
    for tolerance in [0.02, 0.2, 2.0, 1e300] {
        let mut mesh = PatchMesh::from_triangles(count, &faces).unwrap();
        let start = std::time::Instant::now();
        mesh.weld(&points, tolerance).unwrap();
        assert!(tolerance < 1.0 || mesh.are_neighbours(0, 1));
        let taken = start.elapsed();
        assert!(taken.as_secs() < 20, "{tolerance}: {taken:?}");
    }
}
