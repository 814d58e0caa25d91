//! How meshes are put together, and what is refused.

use kit::Random;
use kit::scenes::meshes::{sheet, squares};
use kit::scenes::{BILINEAR, square};
use nalgebra::{Point3, Vector3, point};
use patch_ccd::geometry::{AnyPatch, HermiteGrid, Patch, Shape};
use patch_ccd::mesh::{
    Element, Mesh, MeshOptions, MovingMesh, PatchMesh, TriangleMesh, collision_free_self_step,
    earliest_impact, earliest_self_impact,
};
use patch_ccd::{Error, Options};

use super::with;

#[test]
fn welded_seams_do_not_count_as_contacts() {
    // A triangular prism of three squares, each with points of its own.
    let corner = |k: usize, y: f64| {
        let angle = std::f64::consts::TAU * (k % 3) as f64 / 3.0;
        point![angle.cos(), y, angle.sin()]
    };
    let side = |k: usize| {
        let net = [
            corner(k, 0.0),
            corner(k, 1.0),
            corner(k + 1, 0.0),
            corner(k + 1, 1.0),
        ];
        AnyPatch::from_shape(BILINEAR, &net).unwrap()
    };
    let (mut mesh, points) = PatchMesh::from_patches(&[side(0), side(1), side(2)]);
    let options = MeshOptions::default();
    let first = |mesh: &PatchMesh, points: &[Point3<f64>]| {
        let moving = MovingMesh::resting(mesh, points).unwrap();
        earliest_self_impact(&moving, &options).unwrap()
    };
    assert_eq!(first(&mesh, &points).toi(), Some(0.0));
    let mut random = Random::new(1);
    let shaken: Vec<_> = points.iter().map(|p| p + random.vector(1e-9)).collect();
    mesh.weld(&shaken, 1e-10).unwrap();
    assert_eq!(first(&mesh, &points).counters.neighbours, 0);
    mesh.weld(&shaken, 1e-8).unwrap();
    let welded = first(&mesh, &points);
    assert_eq!((welded.first, welded.counters.neighbours), (None, 3));
}

#[test]
fn appended_meshes_keep_their_patches_points_and_welds() {
    let (mut scene, mut points) = squares(&[0.0, 0.0]);
    let (mut other, more) = sheet(3, 2, 1.0, 0.0);
    other.weld(&more, 0.0).unwrap();
    let first = scene.append(&other).unwrap();
    points.extend(&more);
    assert_eq!(first, (2, 8));
    assert_eq!((scene.len(), scene.point_count()), (6, 8 + 49));
    let moving = MovingMesh::resting(&scene, &points).unwrap();
    let patches = moving.patches_at(0.0).unwrap();
    let alone = MovingMesh::resting(&other, &more).unwrap();
    assert_eq!(patches[2..], alone.patches_at(0.0).unwrap());
    assert!(scene.are_neighbours(2, 3) && !scene.are_neighbours(0, 2));
    assert_eq!(patches[3].shape(), Shape::TensorProduct { n: 3, m: 3 });
}

#[test]
fn welds_add_up_and_survive_being_appended() {
    let (mut pair, points) = squares(&[0.0, 0.0]);
    // The second square's points 1 + 4 and 2 + 4 belong to the first one's, by weld and by weld.
    let mut moved = points.clone();
    moved[5] = points[1];
    pair.weld(&moved, 0.0).unwrap();
    assert!(pair.are_neighbours(0, 1));
    let mut scene = PatchMesh::new(0);
    scene.append(&pair).unwrap();
    scene.append(&pair).unwrap();
    let apart: Vec<_> = (0..16).map(|k| point![f64::from(k), 0.0, 0.0]).collect();
    scene.weld(&apart, 0.5).unwrap();
    assert!(
        scene.are_neighbours(0, 1) && scene.are_neighbours(2, 3) && !scene.are_neighbours(1, 2)
    );
    // A patch that is added later finds them too.
    let far = scene.append(&PatchMesh::new(4)).unwrap().1;
    let index = scene
        .add(BILINEAR, &[5, far, far + 1, far + 2], None)
        .unwrap();
    assert!(scene.are_neighbours(index, 0));
}

#[test]
fn elements_that_are_not_there_have_no_points() {
    let patches = PatchMesh::from_quads(5, &[[4, 3, 2, 1]]).unwrap();
    let triangles = TriangleMesh::with_edges(6, &[[5, 4]], &[[2, 1, 0], [3, 3, 4]]).unwrap();
    let (patches, triangles) = (Mesh::from(&patches), Mesh::from(&triangles));
    for (mesh, element, points) in [
        (patches, Element::Patch(0), &[4, 1, 3, 2][..]),
        (patches, Element::Patch(1), &[]),
        (patches, Element::Vertex(0), &[]),
        (patches, Element::Face(0), &[]),
        (triangles, Element::Vertex(5), &[5]),
        (triangles, Element::Edge(4), &[4, 5]),
        (triangles, Element::Face(1), &[3, 3, 4]),
        (triangles, Element::Patch(0), &[]),
        (triangles, Element::Vertex(6), &[]),
        (triangles, Element::Edge(5), &[]),
        (triangles, Element::Face(u32::MAX), &[]),
    ] {
        assert_eq!(mesh.points_of(element), points, "{element}");
    }
}

#[test]
fn patches_of_several_lists_make_one_mesh() {
    let groups = [vec![square(0.0), square(1.0)], vec![], vec![square(2.0)]];
    let (mesh, points) = PatchMesh::from_patches(groups.iter().flatten());
    assert_eq!((mesh.len(), points.len()), (3, 12));
    assert_eq!(points[8], point![0.0, 0.0, 2.0]);
}

#[test]
fn a_pole_of_many_points_is_welded_in_no_time() {
    let count = 20_000_u32;
    let faces: Vec<[u32; 3]> = (0..count)
        .map(|k| [k, count + k, count + (k + 1) % count])
        .collect();
    let mut fan = PatchMesh::from_triangles(2 * count as usize, &faces).unwrap();
    let pole = (0..count).map(|_| Point3::origin());
    let rim = (0..count).map(|k| {
        let angle = std::f64::consts::TAU * f64::from(k) / f64::from(count);
        point![angle.cos(), angle.sin(), 0.0]
    });
    fan.weld(&pole.chain(rim).collect::<Vec<_>>(), 1e-9)
        .unwrap();
    assert!(fan.are_neighbours(0, 7_000));
}

#[test]
fn sizes_beyond_32_bits_are_refused() {
    assert_said(
        TriangleMesh::new(1 << 32, &[[0, 1, 2]]),
        "vertices: 4294967296 given, but a mesh has at most 4294967295",
    );
    let mut large = PatchMesh::new(1 << 31);
    assert!(large.append(&PatchMesh::new((1 << 31) - 1)).is_ok());
    assert!(large.append(&PatchMesh::new(1)).is_err());
}

#[track_caller]
fn assert_said<T>(result: Result<T, Error>, text: &str) {
    let said = result.err().map(|error| error.to_string());
    assert_eq!(said.as_deref(), Some(text));
}

#[test]
fn errors_name_the_element_and_the_index() {
    let (mesh, start) = sheet(3, 2, 0.0, 0.0);
    let mut end = start.clone();
    // Point (4, 1) of the global net: row 1 and column 1 of patch (1, 0).
    end[4 * 7 + 1].y = f64::NAN;
    assert_said(
        MovingMesh::between(&mesh, &start, &end),
        "patch 2: point at the end 5: coordinate 1 is NaN, not a finite number",
    );
    let (few, still) = (&start[1..], [Vector3::zeros(); 49]);
    for (result, argument) in [
        (MovingMesh::between(&mesh, &start, &end[1..]), "end"),
        (MovingMesh::between(&mesh, few, &start), "start"),
        (MovingMesh::with_velocities(&mesh, few, &still), "start"),
        (
            MovingMesh::with_velocities(&mesh, &start, &still[1..]),
            "velocities",
        ),
        (MovingMesh::resting(&mesh, few), "points"),
    ] {
        assert_said(
            result,
            &format!("{argument}: 48 given, but the mesh has 49"),
        );
    }
    let hermite = HermiteGrid::new(&[1.0], &[1.0]).unwrap();
    assert_said(
        PatchMesh::from_grid(hermite.grid(), Some(&[1.0; 7])),
        "weights: 7 given, but the mesh has 16",
    );
    let mut empty = PatchMesh::new(9);
    for shape in [
        Shape::TensorProduct { n: 0, m: 0 },
        Shape::TensorProduct { n: 0, m: 2 },
        Shape::Triangular { n: 0 },
    ] {
        let added = empty.add(shape, &[0, 1, 2][..shape.count()], None);
        assert_said(added, "patch 0: degree in u is 0, but must be from 1 to 30");
    }
    let weights = [1.0, 1.0, 0.0, 1.0];
    assert_said(
        empty.add(BILINEAR, &[0, 1, 2, 3], Some(&weights)),
        "patch 0: weight 2 is 0.0, but must be positive, finite and at least 1.0 / 1e200",
    );
    assert!(empty.is_empty());
    assert_said(
        TriangleMesh::new(3, &[[0, 1, 2], [1, 2, 3]]),
        "face 1: vertex 2 is point 3, but the mesh has 3 points",
    );
    let triangle = TriangleMesh::new(3, &[[0, 1, 2]]).unwrap();
    let mut corners = [Point3::origin(); 3];
    let fast = [Vector3::repeat(1e308); 3];
    let moving = MovingMesh::with_velocities(&triangle, &corners, &fast).unwrap();
    let long = with(Options {
        t_max: 10.0,
        ..Options::default()
    });
    assert_said(
        earliest_self_impact(&moving, &long),
        "mesh 1: velocity 0: coordinate 0 is 1e308; \
         within t_max = 10.0 the point leaves the range of doubles",
    );
    let options = MeshOptions {
        conservative_rescaling: 0.0,
        ..MeshOptions::default()
    };
    assert_said(
        collision_free_self_step(&moving, &options),
        "option conservative_rescaling is 0.0, but must be above 0 and at most 1",
    );
    corners[1].z = f64::INFINITY;
    assert_said(
        MovingMesh::resting(&triangle, &corners),
        "point 1: coordinate 2 is inf, not a finite number",
    );
}

#[test]
fn empty_meshes_never_touch() {
    let nothing = PatchMesh::new(0);
    let no_triangles = TriangleMesh::new(0, &[]).unwrap();
    let (mesh, points) = squares(&[0.0]);
    let some = MovingMesh::resting(&mesh, &points).unwrap();
    for empty in [Mesh::from(&nothing), Mesh::from(&no_triangles)] {
        let empty = MovingMesh::resting(empty, &[]).unwrap();
        for (a, b) in [(&empty, &some), (&some, &empty), (&empty, &empty)] {
            let answer = earliest_impact(a, b, &MeshOptions::default()).unwrap();
            assert_eq!(answer.first, None);
        }
        let step = collision_free_self_step(&empty, &MeshOptions::default());
        assert_eq!(step, Ok(1.0));
    }
}
