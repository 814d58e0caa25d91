//! Meshes in exact mode.

use nalgebra::{Point3, point};
use patch_ccd::edge_edge;
use patch_ccd::mesh::{Element, Mesh, MeshOptions, MovingMesh, TriangleMesh, all_impacts};

use super::{EXACT, WIDEST};

/// Two slanting strips of triangles, the second of which falls onto the first and just misses, or
/// touches, with its border.
fn strips(overlap: f64) -> [Vec<Point3<f64>>; 3] {
    let strip = |x: f64, z: f64| -> Vec<_> {
        (0..5)
            .flat_map(|k| {
                let (y, slant) = (f64::from(k), 0.25 * f64::from(k));
                [point![x + slant, y, z], point![x + slant + 1.0, y, z]]
            })
            .collect()
    };
    [
        strip(0.0, 0.0),
        strip(1.0 - overlap, 1.0),
        strip(1.0 - overlap, -1.0),
    ]
}

#[test]
fn meshes() {
    let faces: Vec<[u32; 3]> = (0..4)
        .flat_map(|k| {
            [
                [2 * k, 2 * k + 1, 2 * k + 2],
                [2 * k + 1, 2 * k + 3, 2 * k + 2],
            ]
        })
        .collect();
    let triangles = TriangleMesh::new(10, &faces).unwrap();
    let options = MeshOptions {
        query: EXACT,
        ..MeshOptions::default()
    };
    let collisions = |overlap: f64, options: &MeshOptions<'_>| {
        let [floor, above, below] = strips(overlap);
        let floor = MovingMesh::resting(&triangles, &floor).unwrap();
        let falling = MovingMesh::between(&triangles, &above, &below).unwrap();
        all_impacts(&floor, &falling, options).unwrap().pairs
    };
    // Two roundings of the largest coordinates.
    let apart = -4.0 * f64::EPSILON;
    assert!(!collisions(apart, &MeshOptions::default()).is_empty());
    assert_eq!(collisions(apart, &options), []);
    for overlap in [0.0, -apart, 0.25] {
        let pairs = collisions(overlap, &options);
        assert!(!pairs.is_empty());
        for pair in &pairs {
            assert!(pair.toi() <= 0.5 && pair.toi() > 0.5 - WIDEST, "{pair:?}");
        }
        // One by one.
        let [floor, above, below] = strips(overlap);
        let mesh = Mesh::from(&triangles);
        let mut expected = 0;
        for (k, edge) in triangles.edges().iter().enumerate() {
            for (l, other) in triangles.edges().iter().enumerate() {
                let at = |points: &[Point3<f64>]| {
                    let [a, b] = edge.map(|at| floor[at as usize]);
                    let [c, d] = other.map(|at| points[at as usize]);
                    [a, b, c, d]
                };
                let step = [at(&above), at(&below)];
                let elements = [Element::Edge(k as u32), Element::Edge(l as u32)];
                assert_eq!(mesh.points_of(elements[0]), edge);
                let meets = edge_edge(&step, &EXACT).unwrap().toi().is_some();
                let found = pairs.iter().any(|pair| pair.elements == elements);
                assert_eq!(found, meets, "{elements:?} at {overlap:e}");
                expected += usize::from(meets);
            }
        }
        assert!(expected > 0);
    }
}
