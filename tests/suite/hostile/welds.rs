//! Welding at any tolerance.

use kit::Random;
use kit::scenes::SEGMENT;
use nalgebra::{Point3, point, vector};
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
    // Up to the distance of two opposite corners each square has a centre of its own.
    assert!([0.0, 5e-324, 1e-300, 1.0, 9.0, 11.0].into_iter().all(apart));
    assert!(![11.1, 1e300, f64::MAX].into_iter().any(apart));
}

/// What is welded to what is the same as by looking at all pairs.
#[test]
fn as_by_all_pairs() {
    let mut random = Random::new(1);
    let mut point = |_| {
        let [x, y, z] = random.point(0.5).into();
        point![x, y, 0.1 * z]
    };
    let points: Vec<Point3<f64>> = (0..120).map(&mut point).collect();
    for tolerance in [0.0, 0.01, 0.03, 0.05, 0.1, 0.3, 1.0, 1e300] {
        let mut mesh = PatchMesh::new(points.len());
        for point in 0..points.len() as u32 {
            mesh.add(SEGMENT, &[point; 2], None).unwrap();
        }
        mesh.weld(&points, tolerance).unwrap();
        let apart = |a: usize, b: usize| (points[a] - points[b]).norm();
        let mut sorted: Vec<usize> = (0..points.len()).collect();
        sorted.sort_by(|&a, &b| points[a].x.total_cmp(&points[b].x));
        let mut centres: Vec<usize> = Vec::new();
        for a in sorted {
            if centres.iter().all(|&centre| apart(a, centre) > tolerance) {
                centres.push(a);
            }
        }
        let centre_of = |a: usize| {
            let nearest = |x: &&usize, y: &&usize| apart(a, **x).total_cmp(&apart(a, **y));
            centres.iter().min_by(nearest)
        };
        for (a, b) in (0..points.len()).flat_map(|a| (0..a).map(move |b| (a, b))) {
            let welded = mesh.are_neighbours(a as u32, b as u32);
            let expected = centre_of(a) == centre_of(b);
            assert_eq!(welded, expected, "{a} and {b} at {tolerance}");
        }
    }
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
