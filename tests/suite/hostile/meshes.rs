//! Meshes: points that are not there, patches that are refused, elements that are degenerate, and
//! meshes of nothing.

use kit::scenes::BILINEAR;
use nalgebra::{Point3, point, vector};
use patch_ccd::geometry::AnyPatch;
use patch_ccd::mesh::{
    Element, MeshOptions, MeshWorkspace, MovingMesh, PatchMesh, TriangleMesh, all_impacts,
    all_self_impacts, collision_free_step, earliest_impact, earliest_self_impact,
};

use super::{assert_text, net};

#[test]
fn indices() {
    let text = |element: &str, argument: &str, position: usize, value: u32| {
        format!("{element}: {argument} {position} is point {value}, but the mesh has 4 points")
    };
    for value in [4, 5, u32::MAX - 1, u32::MAX] {
        for position in 0..3 {
            let mut face = [0, 1, 2];
            face[position] = value;
            let of_face = text("face 1", "vertex", position, value);
            assert_text(TriangleMesh::new(4, &[[3, 1, 2], face]), &of_face);
            let of_patch = text("patch 0", "control point", position, value);
            assert_text(PatchMesh::from_triangles(4, &[face]), &of_patch);
            assert_text(
                PatchMesh::new(4).add(BILINEAR, &[face[0], face[1], face[2], 0], None),
                &of_patch,
            );
        }
        for position in 0..2 {
            let mut edge = [1, 2];
            edge[position] = value;
            let of_edge = text("edge 0", "vertex", position, value);
            assert_text(TriangleMesh::with_edges(4, &[edge], &[[0, 1, 2]]), &of_edge);
        }
        // In the order of the patch's control points, the last corner comes second.
        for (corner, position) in [(0, 0), (1, 2), (2, 3), (3, 1)] {
            let mut quad = [0, 1, 2, 3];
            quad[corner] = value;
            let of_quad = text("patch 1", "control point", position, value);
            assert_text(PatchMesh::from_quads(4, &[[0, 1, 2, 3], quad]), &of_quad);
        }
    }
    let text = "face 0: vertex 0 is point 0, but the mesh has 0 points";
    assert_text(TriangleMesh::new(0, &[[0, 0, 0]]), text);
}

#[test]
fn patches_that_are_added() {
    let mut mesh = PatchMesh::new(4);
    for count in [0, 1, 3, 5, 100] {
        let text = format!("patch 0: control points: {count} given, but the {BILINEAR} has 4");
        assert_text(mesh.add(BILINEAR, &vec![0; count], None), &text);
    }
    assert!(
        mesh.add(BILINEAR, &[0; 4], Some(&[1.0, -1.0, 1.0, 1.0]))
            .is_err()
    );
    // What was refused is not there.
    assert_eq!(mesh, PatchMesh::new(4));
    // The same point again and again is a patch, too.
    assert_eq!(mesh.add(BILINEAR, &[2; 4], None), Ok(0));
    assert!(mesh.are_neighbours(0, 0));
    assert!(!mesh.are_neighbours(0, 1) && !mesh.are_neighbours(u32::MAX, u32::MAX));
    assert_eq!(mesh.patch(1), None);
    assert_eq!(mesh.patch(u32::MAX), None);
    assert_eq!(PatchMesh::from_patches(&[] as &[AnyPatch]).0.len(), 0);
}

#[test]
fn faces_and_edges_given_twice_or_collapsed() {
    let edges = [[0, 1], [1, 0], [3, 3], [3, 4], [4, 3]];
    let faces = [[0, 1, 2], [0, 1, 2], [2, 1, 0], [1, 1, 1], [0, 0, 2]];
    let mesh = TriangleMesh::with_edges(5, &edges, &faces).unwrap();
    assert_eq!(mesh.edges(), [[0, 1], [0, 2], [1, 2], [3, 4]]);
    assert_eq!(mesh.faces().len(), 5);
    let points: Vec<_> = (0..5)
        .map(|i| point![f64::from(i), f64::from(i * i), 1.0])
        .collect();
    let falling = [vector![0.0, 0.0, -2.0]; 5];
    let moving = MovingMesh::with_velocities(&mesh, &points, &falling).unwrap();
    let floor = TriangleMesh::new(3, &[[0, 1, 2]]).unwrap();
    let corners = [[-99.0, -99.0, 0.0], [99.0, -99.0, 0.0], [0.0, 99.0, 0.0]].map(Point3::from);
    let floor = MovingMesh::resting(&floor, &corners).unwrap();
    let first = earliest_impact(&moving, &floor, &MeshOptions::default()).unwrap();
    let toi = first.toi().expect("an impact");
    assert!(toi <= 0.5 && toi > 0.5 - 1e-5, "{first:?}");
    // All of its elements that share no vertex stay apart.
    let own = earliest_self_impact(&moving, &MeshOptions::default()).unwrap();
    assert_eq!(own.toi(), None);
}

/// A mesh of points only, and one of nothing.
#[test]
fn meshes_of_nothing() {
    let (none, loose) = (PatchMesh::new(0), PatchMesh::new(3));
    let particles = TriangleMesh::new(3, &[]).unwrap();
    let points = [Point3::origin(), Point3::origin(), point![1.0, 0.0, 0.0]];
    let meshes = [
        MovingMesh::resting(&none, &[]).unwrap(),
        MovingMesh::resting(&loose, &points).unwrap(),
        MovingMesh::resting(&particles, &points).unwrap(),
    ];
    let options = MeshOptions::default();
    let mut workspace = MeshWorkspace::new();
    for (i, a) in meshes.iter().enumerate() {
        for (j, b) in meshes.iter().enumerate() {
            let particles = i == 2 && j == 2;
            let all = all_impacts(a, b, &options).unwrap().pairs.len();
            // Of the particles, four pairs and that of the third with itself.
            assert_eq!(all, if particles { 5 } else { 0 });
            assert_eq!(workspace.candidates(a, b, &options).unwrap().len(), all);
            let free = collision_free_step(a, b, &options).unwrap();
            assert_eq!(free, if particles { 0.0 } else { 1.0 });
        }
        let own = all_self_impacts(a, &options).unwrap().pairs.len();
        assert_eq!(own, usize::from(i == 2));
        assert_eq!(a.patches_at(0.5).unwrap(), []);
        for element in [
            Element::Patch(0),
            Element::Edge(0),
            Element::Face(u32::MAX),
            Element::Vertex(3),
        ] {
            assert!(a.mesh().points_of(element).is_empty());
        }
    }
    let text = "end: 4 given, but the mesh has 3";
    assert_text(MovingMesh::between(&particles, &points, &net(4)), text);
}
