//! Meshes: what they are made of, how they move, what is asked of them.

use nalgebra::{Point3, Vector3, point, vector};
use patch_ccd::Options;
use patch_ccd::geometry::{AnyPatch, Shape};
use patch_ccd::mesh::{
    Element, Mesh, MeshOptions, MeshWorkspace, MovingMesh, PatchMesh, TriangleMesh, all_impacts,
    all_self_impacts, collision_free_self_step, collision_free_step, earliest_impact,
    earliest_self_impact,
};

use super::{FINITE, NO_DEGREES, NOT_FINITE, assert_text};

#[test]
fn indices() {
    let text = |element: &str, argument: &str, position: usize, value: u32| {
        format!("{element}: {argument} {position} is point {value}, but the mesh has 4 points")
    };
    for value in [4, 5, u32::MAX - 1, u32::MAX] {
        assert_text(
            TriangleMesh::new(4, &[[0, 1, 2], [3, 1, value]]),
            &text("face 1", "vertex", 2, value),
        );
        assert_text(
            TriangleMesh::with_edges(4, &[[value, 0]], &[[0, 1, 2]]),
            &text("edge 0", "vertex", 0, value),
        );
        assert_text(
            PatchMesh::from_triangles(4, &[[0, value, 1]]),
            &text("patch 0", "control point", 1, value),
        );
        // In the order of the patch's control points, the last corner comes second.
        assert_text(
            PatchMesh::from_quads(4, &[[0, 1, 2, 3], [0, 1, 2, value]]),
            &text("patch 1", "control point", 1, value),
        );
    }
    assert_text(
        TriangleMesh::new(0, &[[0, 0, 0]]),
        "face 0: vertex 0 is point 0, but the mesh has 0 points",
    );
}

#[test]
fn patches_that_are_added() {
    let mut mesh = PatchMesh::new(4);
    for value in NO_DEGREES {
        for (shape, argument) in [
            (
                Shape::Triangular { n: value },
                if value == 0 { "degree in u" } else { "degree" },
            ),
            (
                Shape::TensorProduct { n: value, m: 1 },
                if value == 0 { "degree in u" } else { "degree" },
            ),
        ] {
            assert_text(
                mesh.add(shape, &[0, 1], None),
                &format!("patch 0: {argument} is {value}, but must be from 1 to 30"),
            );
        }
    }
    let bilinear = Shape::TensorProduct { n: 1, m: 1 };
    for count in [0, 1, 3, 5, 100] {
        assert_text(
            mesh.add(bilinear, &vec![0; count], None),
            &format!(
                "patch 0: control points: {count} given, but the tensor-product patch of degree (1, 1) has 4"
            ),
        );
        assert_text(
            mesh.add(bilinear, &[0; 4], Some(&vec![1.0; count])),
            &format!(
                "patch 0: weights: {count} given, but the tensor-product patch of degree (1, 1) has 4"
            ),
        );
    }
    for value in NOT_FINITE.into_iter().chain([0.0, -1.0]) {
        let error = mesh
            .add(bilinear, &[0; 4], Some(&[1.0, 1.0, 1.0, value]))
            .unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with(&format!("patch 0: weight 3 is {value:?}")),
            "{error}"
        );
    }
    // What was refused is not there.
    assert_eq!(mesh, PatchMesh::new(4));
    // The same point again and again is a patch, too.
    assert_eq!(mesh.add(bilinear, &[2; 4], None), Ok(0));
    assert!(mesh.are_neighbours(0, 0));
    assert!(!mesh.are_neighbours(0, 1) && !mesh.are_neighbours(u32::MAX, u32::MAX));
    assert_eq!(mesh.patch(1), None);
    assert_eq!(mesh.patch(u32::MAX), None);
    assert_eq!(PatchMesh::from_patches(&[] as &[AnyPatch]).0.len(), 0);
}

#[test]
fn faces_and_edges_given_twice_or_collapsed() {
    let mesh = TriangleMesh::with_edges(
        5,
        &[[0, 1], [1, 0], [3, 3], [3, 4], [4, 3]],
        &[[0, 1, 2], [0, 1, 2], [2, 1, 0], [1, 1, 1], [0, 0, 2]],
    )
    .unwrap();
    assert_eq!(mesh.edges(), [[0, 1], [0, 2], [1, 2], [3, 4]]);
    assert_eq!(mesh.faces().len(), 5);
    let points: Vec<Point3<f64>> = (0..5)
        .map(|i| point![f64::from(i), f64::from(i * i), 1.0])
        .collect();
    let falling = vec![vector![0.0, 0.0, -2.0]; 5];
    let moving = MovingMesh::with_velocities(&mesh, &points, &falling).unwrap();
    let floor = TriangleMesh::new(3, &[[0, 1, 2]]).unwrap();
    let corners = [
        point![-99.0, -99.0, 0.0],
        point![99.0, -99.0, 0.0],
        point![0.0, 99.0, 0.0],
    ];
    let floor = MovingMesh::resting(&floor, &corners).unwrap();
    let first = earliest_impact(&moving, &floor, &MeshOptions::default()).unwrap();
    assert!(
        first
            .toi()
            .is_some_and(|toi| toi <= 0.5 && toi > 0.5 - 1e-5),
        "{first:?}"
    );
    // All of its elements that share no vertex stay apart.
    assert_eq!(
        earliest_self_impact(&moving, &MeshOptions::default())
            .unwrap()
            .toi(),
        None
    );
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
            let all = all_impacts(a, b, &options).unwrap();
            // Of the particles, four pairs and that of the third with itself.
            assert_eq!(all.pairs.len(), if particles { 5 } else { 0 });
            assert_eq!(
                workspace.candidates(a, b, &options).unwrap().len(),
                all.pairs.len()
            );
            let free = collision_free_step(a, b, &options).unwrap();
            assert_eq!(free, if particles { 0.0 } else { 1.0 });
        }
        assert_eq!(
            all_self_impacts(a, &options).unwrap().pairs.len(),
            usize::from(i == 2)
        );
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
}

#[test]
fn motions() {
    let mesh = TriangleMesh::new(3, &[[0, 1, 2]]).unwrap();
    let patches = PatchMesh::from_triangles(3, &[[2, 1, 0]]).unwrap();
    let corners = [
        Point3::origin(),
        point![1.0, 0.0, 0.0],
        point![0.0, 1.0, 0.0],
    ];
    for value in NOT_FINITE {
        for index in 0..3 {
            let mut bad = corners;
            bad[index].y = value;
            let velocities = bad.map(|p| p.coords);
            let is = format!("coordinate 1 is {value}, not a finite number");
            // Of a patch by its control points, which are in another order here.
            for (mesh, place) in [
                (Mesh::from(&mesh), format!("{index}: {is}")),
                (Mesh::from(&patches), format!("{}: {is}", 2 - index)),
            ] {
                let of = if matches!(mesh, Mesh::Patches(_)) {
                    "patch 0: "
                } else {
                    ""
                };
                let text = |argument: &str| format!("{of}{argument} {place}");
                assert_text(MovingMesh::resting(mesh, &bad), &text("point"));
                assert_text(MovingMesh::between(mesh, &bad, &corners), &text("point"));
                assert_text(
                    MovingMesh::between(mesh, &corners, &bad),
                    &text("point at the end"),
                );
                assert_text(
                    MovingMesh::with_velocities(mesh, &corners, &velocities),
                    &text("velocity"),
                );
            }
        }
    }
    let far = corners.map(|p| p + Vector3::repeat(1e308));
    let back = corners.map(|p| p - Vector3::repeat(1e308));
    assert_text(
        MovingMesh::between(&mesh, &far, &back),
        "end − start of point 0: coordinate 0 is -inf, not a finite number",
    );
    // The last three numbers of which are so large that the points leave the range.
    let moving = MovingMesh::with_velocities(&mesh, &corners, &[Vector3::x(); 3]).unwrap();
    for t in FINITE {
        assert_eq!(moving.at(t)[0].x, t);
        assert!(moving.patches_at(t).is_ok());
    }
    for t in NOT_FINITE {
        assert!(moving.patches_at(t).is_err());
    }
}

#[test]
fn options() {
    let mesh = TriangleMesh::new(3, &[[0, 1, 2]]).unwrap();
    let corners = [
        Point3::origin(),
        point![1.0, 0.0, 0.0],
        point![0.0, 1.0, 0.0],
    ];
    let moving = MovingMesh::resting(&mesh, &corners).unwrap();
    let refused = |options: &MeshOptions<'_>, text: &str| {
        let mut workspace = MeshWorkspace::new();
        assert_text(earliest_impact(&moving, &moving, options), text);
        assert_text(all_impacts(&moving, &moving, options), text);
        assert_text(collision_free_step(&moving, &moving, options), text);
        assert_text(earliest_self_impact(&moving, options), text);
        assert_text(all_self_impacts(&moving, options), text);
        assert_text(collision_free_self_step(&moving, options), text);
        assert_text(workspace.candidates(&moving, &moving, options), text);
        assert_text(workspace.self_candidates(&moving, options), text);
    };
    for value in NOT_FINITE
        .into_iter()
        .chain([0.0, -0.0, -0.5, 1.0_f64.next_up(), f64::MAX])
    {
        let options = MeshOptions {
            conservative_rescaling: value,
            ..MeshOptions::default()
        };
        refused(
            &options,
            &format!(
                "option conservative_rescaling is {value:?}, but must be above 0 and at most 1"
            ),
        );
    }
    for value in NOT_FINITE.into_iter().chain([-1.0, -5e-324]) {
        let query = Options {
            t_max: value,
            ..Options::default()
        };
        let options = MeshOptions {
            query,
            ..MeshOptions::default()
        };
        refused(
            &options,
            &format!("option t_max is {value:?}, but must be finite and at least 0"),
        );
        let query = Options {
            min_separation: value,
            ..Options::default()
        };
        let options = MeshOptions {
            query,
            ..MeshOptions::default()
        };
        refused(
            &options,
            &format!("option min_separation is {value:?}, but must be finite and at least 0"),
        );
    }
    for conservative_rescaling in [5e-324, 1e-300, 1.0] {
        let options = MeshOptions {
            conservative_rescaling,
            ..MeshOptions::default()
        };
        assert_eq!(collision_free_step(&moving, &moving, &options), Ok(0.0));
    }
}

#[test]
fn welds() {
    let quads = || PatchMesh::from_quads(4, &[[0, 1, 2, 3]]).unwrap();
    let corners = [
        Point3::origin(),
        point![1.0, 0.0, 0.0],
        point![1.0, 1.0, 0.0],
        point![0.0, 1.0, 0.0],
    ];
    for value in NOT_FINITE.into_iter().chain([-1.0, -5e-324]) {
        assert_text(
            quads().weld(&corners, value),
            &format!("option tolerance is {value:?}, but must be finite and at least 0"),
        );
    }
    for value in NOT_FINITE {
        let mut bad = corners;
        bad[3].z = value;
        assert_text(
            quads().weld(&bad, 0.0),
            &format!("point 3: coordinate 2 is {value}, not a finite number"),
        );
    }
    for count in [0, 3, 5] {
        assert_text(
            quads().weld(&vec![Point3::origin(); count], 0.0),
            &format!("points: {count} given, but the mesh has 4"),
        );
    }
    let [one, two] = [0.0, 10.0].map(|x| corners.map(|p| p + vector![x, 0.0, 0.0]));
    let apart = |tolerance: f64| {
        let mut mesh = quads();
        mesh.append(&quads()).unwrap();
        mesh.weld(&[one, two].concat(), tolerance).unwrap();
        !mesh.are_neighbours(0, 1)
    };
    assert!([0.0, 5e-324, 1e-300, 1.0, 8.9].into_iter().all(apart));
    assert!(![9.0, 1e300, f64::MAX].into_iter().any(apart));
}

/// What is welded to what is the same as by looking at all pairs again and again, at every tolerance.
#[test]
fn welds_of_all_pairs() {
    let mut noise = noise();
    let points: Vec<_> = (0..120)
        .map(|_| point![noise(), noise(), 0.1 * noise()])
        .collect();
    for tolerance in [0.0, 0.01, 0.03, 0.05, 0.1, 0.3, 1.0, 1e300] {
        let mut mesh = PatchMesh::new(points.len());
        for point in 0..points.len() as u32 {
            mesh.add(Shape::TensorProduct { n: 1, m: 0 }, &[point; 2], None)
                .unwrap();
        }
        mesh.weld(&points, tolerance).unwrap();
        let near = |a: usize, b: usize| (points[a] - points[b]).amax() <= tolerance;
        let mut cluster: Vec<usize> = (0..points.len()).collect();
        for (a, b) in pairs(points.len()).filter(|&(a, b)| near(a, b)) {
            let (from, to) = (cluster[a], cluster[b]);
            cluster
                .iter_mut()
                .filter(|of| **of == from)
                .for_each(|of| *of = to);
        }
        for (a, b) in pairs(points.len()) {
            let welded = mesh.are_neighbours(a as u32, b as u32);
            assert_eq!(
                welded,
                cluster[a] == cluster[b],
                "{a} and {b} at {tolerance}"
            );
        }
    }
}

fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(|a| (0..a).map(move |b| (a, b)))
}

/// Numbers from 0 to 1.
fn noise() -> impl FnMut() -> f64 {
    let mut state = 1_u32;
    move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / f64::from(1 << 24)
    }
}

/// A tolerance larger than the mesh makes one point of all: not by looking at every pair, which would take minutes.
#[test]
fn welding_everything_takes_no_time() {
    let count = 30_000;
    let mut noise = noise();
    let points: Vec<_> = (0..count)
        .map(|_| point![noise(), noise(), noise()])
        .collect();
    let ends = count as u32 - 3;
    for tolerance in [0.2, 1.0, 1e300] {
        let mut mesh =
            PatchMesh::from_triangles(count, &[[0, 1, 2], [ends, ends + 1, ends + 2]]).unwrap();
        let start = std::time::Instant::now();
        mesh.weld(&points, tolerance).unwrap();
        assert!(mesh.are_neighbours(0, 1));
        assert!(
            start.elapsed().as_secs() < 20,
            "{tolerance}: {:?}",
            start.elapsed()
        );
    }
}
