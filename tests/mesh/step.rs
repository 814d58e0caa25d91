//! What a simulator asks of meshes: closed forms, options, neighbours, and errors.

use crate::meshes::{cloth, noise};
use nalgebra::{Point3, Vector3, point, vector};
use patch_ccd::geometry::{AnyPatch, Patch, Shape};
use patch_ccd::mesh::{
    Element, Mesh, MeshOptions, MovingMesh, PatchMesh, TriangleMesh, all_impacts, all_self_impacts,
    collision_free_self_step, collision_free_step, earliest_impact, earliest_self_impact,
};
use patch_ccd::{Error, Options, Outcome};

const BILINEAR: Shape = Shape::TensorProduct { n: 1, m: 1 };

/// Unit squares side by side along x, at heights of their own; each with its own points.
fn squares(heights: &[f64]) -> (PatchMesh, Vec<Point3<f64>>) {
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

/// Squares at these heights that fall on squares at height 0 within the step, the last one by 1.
struct Fall {
    above: (PatchMesh, Vec<Point3<f64>>),
    below: (PatchMesh, Vec<Point3<f64>>),
}

impl Fall {
    fn new(heights: &[f64]) -> Self {
        Self {
            above: squares(heights),
            below: squares(&vec![0.0; heights.len()]),
        }
    }

    fn ask<R>(&self, ask: impl Fn(&MovingMesh<'_>, &MovingMesh<'_>) -> R) -> R {
        let down = vec![vector![0.0, 0.0, -1.0]; self.above.1.len()];
        let above = MovingMesh::with_velocities(&self.above.0, &self.above.1, &down).unwrap();
        ask(
            &above,
            &MovingMesh::resting(&self.below.0, &self.below.1).unwrap(),
        )
    }
}

fn with(query: Options) -> MeshOptions<'static> {
    MeshOptions {
        query,
        ..MeshOptions::default()
    }
}

fn close(value: f64, exact: f64) -> bool {
    value <= exact && value > exact - 2e-6
}

#[test]
fn all_impacts_come_in_the_order_of_time() {
    let all = Fall::new(&[0.75, 2.0, 0.25, 0.5])
        .ask(|a, b| all_impacts(a, b, &MeshOptions::default()))
        .unwrap();
    let order: Vec<_> = all.pairs.iter().map(|pair| pair.elements[0]).collect();
    assert_eq!(order, [2, 3, 0].map(Element::Patch));
    for (pair, exact) in all.pairs.iter().zip([0.25, 0.5, 0.75]) {
        assert_eq!(pair.elements[0], Element::Patch(pair.elements[1].index()));
        assert!(close(pair.toi(), exact), "{}", pair.toi());
        let normals = pair.outcome.contact().unwrap().normals;
        assert_eq!(normals[0].unwrap(), vector![0.0, 0.0, 1.0]);
    }
}

#[test]
fn of_equal_times_the_first_pair_wins() {
    let first = Fall::new(&[0.5; 7])
        .ask(|a, b| earliest_impact(a, b, &MeshOptions::default()))
        .unwrap()
        .first
        .unwrap();
    assert_eq!(first.elements, [Element::Patch(0), Element::Patch(0)]);
}

#[test]
fn the_filter_acts_before_the_minimum() {
    let keep = |a: Element, _: Element| a != Element::Patch(2);
    let options = MeshOptions {
        filter: Some(&keep),
        ..MeshOptions::default()
    };
    let fall = Fall::new(&[0.75, 2.0, 0.25, 0.5]);
    let earliest = fall.ask(|a, b| earliest_impact(a, b, &options)).unwrap();
    assert_eq!(earliest.first.unwrap().elements[0], Element::Patch(3));
    assert_eq!(earliest.counters.filtered, 1);
    let all = fall.ask(|a, b| all_impacts(a, b, &options)).unwrap();
    assert_eq!(all.pairs.len(), 2);
}

#[test]
fn the_free_step_is_the_proven_fraction_times_the_factor() {
    let step = |heights: &[f64], options: &MeshOptions<'_>| {
        Fall::new(heights)
            .ask(|a, b| collision_free_step(a, b, options))
            .unwrap()
    };
    let options = MeshOptions::default();
    assert_eq!(step(&[1.5, 7.0], &options), 1.0);
    assert!(close(step(&[1.5, 0.5], &options) / 0.8, 0.5));
    assert_eq!(step(&[1.5, 0.0], &options), 0.0);
    let whole = MeshOptions {
        conservative_rescaling: 1.0,
        ..options
    };
    assert!(close(step(&[0.5], &whole), 0.5));
    // A fraction of the step, not a time.
    let long = with(Options {
        t_max: 2.0,
        ..Options::default()
    });
    assert!(close(step(&[1.0], &long) / 0.8, 0.5));
}

#[test]
fn separation_budget_and_no_zero_toi_reach_every_pair() {
    let fall = Fall::new(&[3.0, 0.5]);
    let first = |query: Options| {
        let answer = fall
            .ask(|a, b| earliest_impact(a, b, &with(query)))
            .unwrap();
        answer.first.unwrap()
    };
    let apart = first(Options {
        min_separation: 0.125,
        ..Options::default()
    });
    assert!(close(apart.toi(), 0.375), "{}", apart.toi());
    let short = first(Options {
        max_boxes: 20,
        ..Options::default()
    });
    assert!(matches!(short.outcome, Outcome::BudgetExhausted { toi, .. } if close(toi, 0.5)));
}

#[test]
fn zero_can_be_ruled_out_where_delta_does_not_tell() {
    // A paraboloid with its apex at (1/3, 1/3), 1e-10 above a square that comes up at speed 1.
    let along = [1.0 / 9.0, -2.0 / 9.0, 4.0 / 9.0];
    let net: Vec<_> = (0..9)
        .map(|k| {
            point![
                0.5 * (k / 3) as f64,
                0.5 * (k % 3) as f64,
                along[k / 3] + along[k % 3] + 1e-10
            ]
        })
        .collect();
    let bowl = AnyPatch::from_shape(Shape::TensorProduct { n: 2, m: 2 }, &net).unwrap();
    let (bowl, net) = PatchMesh::from_patches(&[bowl]);
    let bowl = MovingMesh::resting(&bowl, &net).unwrap();
    let (square, corners) = squares(&[0.0]);
    let square =
        MovingMesh::with_velocities(&square, &corners, &[vector![0.0, 0.0, 1.0]; 4]).unwrap();
    let step = |no_zero_toi| {
        let query = Options {
            delta: 1e-3,
            no_zero_toi,
            ..Options::default()
        };
        collision_free_step(&bowl, &square, &with(query)).unwrap()
    };
    assert_eq!(step(false), 0.0);
    assert!(step(true) > 0.0 && step(true) < 1e-10, "{:e}", step(true));
}

#[test]
fn a_horizon_of_zero_asks_whether_meshes_touch_now() {
    let now = with(Options {
        t_max: 0.0,
        ..Options::default()
    });
    let first = |heights: &[f64]| {
        Fall::new(heights)
            .ask(|a, b| earliest_impact(a, b, &now))
            .unwrap()
            .first
    };
    assert_eq!(first(&[0.5, 0.25]), None);
    assert!(matches!(
        first(&[0.5, 0.0]).unwrap().outcome,
        Outcome::ContactAtStart { .. }
    ));
}

/// A strip of squares that share their edges, folding up: the last square turns over onto the first.
fn folding() -> (PatchMesh, [Vec<Point3<f64>>; 2]) {
    let mut mesh = PatchMesh::new(8);
    for k in 0..3 {
        mesh.add(BILINEAR, &[2 * k, 2 * k + 1, 2 * k + 2, 2 * k + 3], None)
            .unwrap();
    }
    let at = |x: f64, z: f64| [point![x, 0.0, z], point![x, 1.0, z]];
    // A U whose upper end moves down to below the lower one.
    let start = [at(0.0, 0.0), at(1.0, 0.0), at(1.0, 1.0), at(0.25, 1.0)];
    let end = [at(0.0, 0.0), at(1.0, 0.0), at(1.0, 1.0), at(0.25, -1.0)];
    (mesh, [start.concat(), end.concat()])
}

#[test]
fn a_mesh_meets_itself_between_patches_that_share_no_point() {
    let (mesh, [start, end]) = folding();
    let moving = MovingMesh::between(&mesh, &start, &end).unwrap();
    let earliest = earliest_self_impact(&moving, &MeshOptions::default()).unwrap();
    let first = earliest.first.unwrap();
    assert_eq!(first.elements, [Element::Patch(0), Element::Patch(2)]);
    assert!(close(first.toi(), 0.5), "{}", first.toi());
    assert_eq!(earliest.counters.neighbours, 2);
    let step = collision_free_self_step(&moving, &MeshOptions::default()).unwrap();
    assert!(close(step / 0.8, 0.5));
}

#[test]
fn a_triangle_mesh_meets_itself_between_features_that_share_no_vertex() {
    let (quads, [start, end]) = folding();
    let faces: Vec<[u32; 3]> = quads
        .patches()
        .flat_map(|patch| {
            let p = patch.points;
            [[p[0], p[1], p[2]], [p[2], p[1], p[3]]]
        })
        .collect();
    let mesh = TriangleMesh::new(8, &faces).unwrap();
    let moving = MovingMesh::between(&mesh, &start, &end).unwrap();
    let all = all_self_impacts(&moving, &MeshOptions::default()).unwrap();
    assert!(close(all.pairs[0].toi(), 0.5));
    assert!(all.counters.neighbours > 10);
    for pair in &all.pairs {
        let shares = match pair.elements {
            [Element::Vertex(vertex), Element::Face(face)] => {
                mesh.faces()[face as usize].contains(&vertex)
            }
            [Element::Edge(one), Element::Edge(two)] => {
                let two = mesh.edges()[two as usize];
                mesh.edges()[one as usize]
                    .iter()
                    .any(|vertex| two.contains(vertex))
            }
            _ => panic!("{:?}", pair.elements),
        };
        assert!(!shares);
    }
    let resting = MovingMesh::resting(&mesh, &start).unwrap();
    assert_eq!(
        earliest_self_impact(&resting, &MeshOptions::default())
            .unwrap()
            .first,
        None
    );
}

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
    let shaken: Vec<_> = {
        let mut noise = noise(1);
        points
            .iter()
            .map(|p| p + 1e-9 * vector![noise(), noise(), noise()])
            .collect()
    };
    mesh.weld(&shaken, 1e-10).unwrap();
    assert_eq!(first(&mesh, &points).counters.neighbours, 0);
    mesh.weld(&shaken, 1e-8).unwrap();
    let welded = first(&mesh, &points);
    assert_eq!((welded.first, welded.counters.neighbours), (None, 3));
}

#[test]
fn appended_meshes_keep_their_patches_points_and_welds() {
    let (mut scene, mut points) = squares(&[0.0, 0.0]);
    let (mut other, more) = cloth(2, 1.0, 0.0);
    other.weld(&more, 0.0).unwrap();
    let first = scene.append(&other);
    points.extend(&more);
    assert_eq!(first, (2, 8));
    assert_eq!((scene.len(), scene.point_count()), (6, 8 + 49));
    let moving = MovingMesh::resting(&scene, &points).unwrap();
    let patches = moving.patches_at(0.0).unwrap();
    let alone = MovingMesh::resting(&other, &more)
        .unwrap()
        .patches_at(0.0)
        .unwrap();
    assert_eq!(patches[2..], alone);
    assert!(scene.are_neighbours(2, 3) && !scene.are_neighbours(0, 2));
    assert_eq!(patches[3].shape(), Shape::TensorProduct { n: 3, m: 3 });
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
        assert_eq!(
            collision_free_self_step(&empty, &MeshOptions::default()),
            Ok(1.0)
        );
    }
}

#[test]
fn errors_name_the_element_and_the_index() {
    let (mesh, start) = cloth(2, 0.0, 0.0);
    let mut end = start.clone();
    // Point (4, 1) of the global net: row 1 and column 1 of patch (1, 0).
    end[4 * 7 + 1].y = f64::NAN;
    let message = |result: Result<MovingMesh<'_>, Error>| result.unwrap_err().to_string();
    assert_eq!(
        message(MovingMesh::between(&mesh, &start, &end)),
        "patch 2: point at the end 5: coordinate 1 is NaN, not a finite number"
    );
    assert_eq!(
        message(MovingMesh::between(&mesh, &start, &end[1..])),
        "points at the end: 48 given, but a mesh of this size has 49"
    );
    let triangle = TriangleMesh::new(3, &[[0, 1, 2]]).unwrap();
    let mut corners = [Point3::origin(); 3];
    corners[1].z = f64::INFINITY;
    assert_eq!(
        message(MovingMesh::resting(&triangle, &corners)),
        "point 1: coordinate 2 is inf, not a finite number"
    );
    assert_eq!(
        TriangleMesh::new(3, &[[0, 1, 2], [1, 2, 3]])
            .unwrap_err()
            .to_string(),
        "face 1: vertex 2 is point 3, but the mesh has 3 points"
    );
    let mut bad = PatchMesh::new(4);
    let error = bad
        .add(BILINEAR, &[0, 1, 2, 3], Some(&[1.0, 1.0, 0.0, 1.0]))
        .unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("patch 0: weight 2 is 0, but must be"),
        "{error}"
    );
    assert!(bad.is_empty());
    let corners = [Point3::origin(); 3];
    let fast = [Vector3::repeat(1e308); 3];
    let moving = MovingMesh::with_velocities(&triangle, &corners, &fast).unwrap();
    let long = with(Options {
        t_max: 10.0,
        ..Options::default()
    });
    let error = earliest_self_impact(&moving, &long)
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "mesh 1: velocity 0: coordinate 0 is 1e308; within t_max = 10.0 the point leaves the range of doubles"
    );
    let options = MeshOptions {
        conservative_rescaling: 0.0,
        ..MeshOptions::default()
    };
    let error = collision_free_self_step(&moving, &options)
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "option conservative_rescaling is 0.0, but must be above 0 and at most 1"
    );
}
