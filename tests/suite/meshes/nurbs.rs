//! Whole NURBS surfaces against closed forms.

use kit::scenes::nurbs::{sphere, torus};
use nalgebra::{Point3, Rotation3, Vector3, point, vector};
use patch_ccd::geometry::{HermiteGrid, HermiteNode, KnotVector, NurbsExtraction, NurbsSurface};
use patch_ccd::mesh::{
    EarliestImpact, MeshOptions, MovingMesh, PatchMesh, earliest_impact, earliest_self_impact,
};

/// A surface, where its net is, and what it is made of.
struct Body {
    extraction: NurbsExtraction,
    mesh: PatchMesh,
    net: Vec<Point3<f64>>,
}

impl Body {
    /// The surface turned and then moved away from where it is.
    fn new(surface: &NurbsSurface, turn: Rotation3<f64>, by: Vector3<f64>) -> Self {
        let extraction = surface.extraction();
        let points: Vec<_> = surface
            .control_points()
            .iter()
            .map(|p| turn * p + by)
            .collect();
        Self {
            mesh: PatchMesh::from_nurbs(&extraction).unwrap(),
            net: extraction.points(&points).unwrap(),
            extraction,
        }
    }

    fn at_speed(&self, velocity: Vector3<f64>) -> MovingMesh<'_> {
        MovingMesh::with_velocities(&self.mesh, &self.net, &vec![velocity; self.net.len()]).unwrap()
    }
}

fn some_turn() -> Rotation3<f64> {
    Rotation3::from_euler_angles(0.3, -1.1, 2.2)
}

fn check(answer: &EarliestImpact, exact: f64, point: Point3<f64>) {
    let first = answer.first.unwrap();
    let toi = first.toi();
    assert!(
        toi <= exact && toi > exact - 1e-6,
        "{toi}, but exactly {exact}"
    );
    for found in first.outcome.contact().unwrap().points {
        // Near a tangential contact the gap is quadratic in the distance from it.
        assert!(
            (found - point).norm() < 5e-3,
            "{found}, but exactly {point}"
        );
    }
}

#[test]
fn a_sphere_falls_on_a_plane() {
    let ball = Body::new(&sphere(1.5), some_turn(), vector![0.1, 0.2, 2.5]);
    let corners =
        [[-3.0, -3.0], [3.1, -3.0], [3.0, 3.2], [-3.0, 3.0]].map(|[x, y]| point![x, y, 0.0]);
    let plate = PatchMesh::from_quads(4, &[[0, 1, 2, 3]]).unwrap();
    let plate = MovingMesh::resting(&plate, &corners).unwrap();
    let falling = ball.at_speed(vector![0.3, 0.0, -3.0]);
    let answer = earliest_impact(&falling, &plate, &MeshOptions::default()).unwrap();
    check(&answer, 1.0 / 3.0, point![0.2, 0.2, 0.0]);
}

#[test]
fn two_spheres_meet_at_the_sum_of_their_radii() {
    let one = Body::new(&sphere(1.0), some_turn(), Vector3::zeros());
    let two = Body::new(&sphere(0.5), Rotation3::identity(), vector![3.0, 0.4, -0.2]);
    let velocity = vector![-3.0, 0.0, 0.3];
    let answer = earliest_impact(
        &one.at_speed(Vector3::zeros()),
        &two.at_speed(velocity),
        &MeshOptions::default(),
    )
    .unwrap();
    // |c + t v| = 3/2.
    let c = vector![3.0, 0.4, -0.2];
    let (a, b, k) = (
        velocity.norm_squared(),
        c.dot(&velocity),
        c.norm_squared() - 2.25,
    );
    let exact = (-b - (b * b - a * k).sqrt()) / a;
    check(&answer, exact, Point3::from((c + velocity * exact) / 1.5));
}

#[test]
fn two_tori_meet_at_their_outer_equators() {
    let one = Body::new(&torus(2.0, 1.0), Rotation3::identity(), Vector3::zeros());
    let towards = vector![0.7_f64.cos(), 0.7_f64.sin(), 0.0];
    // Upright, and edge-on to the other one.
    let upright =
        Rotation3::rotation_between(&Vector3::z(), &vector![-towards.y, towards.x, 0.0]).unwrap();
    let spin = Rotation3::from_axis_angle(&Vector3::z_axis(), 0.4);
    let two = Body::new(&torus(1.5, 0.25), upright * spin, 7.0 * towards);
    let answer = earliest_impact(
        &one.at_speed(Vector3::zeros()),
        &two.at_speed(-6.0 * towards),
        &MeshOptions::default(),
    )
    .unwrap();
    check(
        &answer,
        (7.0 - 3.0 - 1.75) / 6.0,
        Point3::from(3.0 * towards),
    );
}

#[test]
fn a_contact_comes_back_in_the_parameters_of_the_surface() {
    let surface = torus(2.0, 1.0);
    let ring = Body::new(&surface, Rotation3::identity(), Vector3::zeros());
    let ball = Body::new(&sphere(0.5), some_turn(), vector![2.0, 2.0, 3.0]);
    let falling = ball.at_speed(vector![0.0, 0.0, -3.0]);
    let answer = earliest_impact(
        &ring.at_speed(Vector3::zeros()),
        &falling,
        &MeshOptions::default(),
    );
    let first = answer.unwrap().first.unwrap();
    let contact = first.outcome.contact().unwrap();
    let span = ring.extraction.spans()[first.elements[0].index() as usize];
    let (u, v) = contact.parameters[0];
    let (u, v) = span.map(u, v);
    assert!((surface.eval(u, v) - contact.points[0]).norm() < 1e-13);
    // It comes down at 45° around the ring.
    assert!(
        (u - 0.5).abs() < 1e-2 && (0.0..=4.0).contains(&v),
        "{u} {v}"
    );
}

#[test]
fn a_closed_surface_does_not_touch_itself_once_it_is_welded() {
    for surface in [sphere(1.0), torus(2.0, 1.0)] {
        let mut body = Body::new(&surface, some_turn(), Vector3::zeros());
        body.mesh.weld(&body.net, 1e-12).unwrap();
        let answer = earliest_self_impact(&body.at_speed(Vector3::x()), &MeshOptions::default());
        assert_eq!(answer.unwrap().first, None);
    }
}

#[test]
fn hermite_sheets_are_meshes_that_share_their_sides() {
    let grid = HermiteGrid::new(&[1.0, 2.0, 1.0], &[1.0, 1.0]).unwrap();
    let nodes = |z: f64| -> Vec<_> {
        let at = |x: f64, y: f64| HermiteNode {
            position: point![x, y, z],
            along_u: Vector3::x(),
            along_v: Vector3::y(),
            twist: Vector3::zeros(),
        };
        [0.0, 1.0, 3.0, 4.0]
            .iter()
            .flat_map(|&x| [0.0, 1.0, 2.0].map(|y| at(x, y)))
            .collect()
    };
    let mesh = PatchMesh::from_grid(grid.grid(), None).unwrap();
    assert_eq!((mesh.len(), mesh.point_count()), (6, 10 * 7));
    let (low, high) = (
        grid.points(&nodes(0.0)).unwrap(),
        grid.points(&nodes(1.0)).unwrap(),
    );
    let floor = MovingMesh::resting(&mesh, &low).unwrap();
    let falling = MovingMesh::between(&mesh, &high, &low).unwrap();
    let own = earliest_self_impact(&falling, &MeshOptions::default()).unwrap();
    assert_eq!((own.first, own.counters.candidates), (None, 0));
    let first = earliest_impact(&falling, &floor, &MeshOptions::default())
        .unwrap()
        .toi()
        .unwrap();
    assert!(first <= 1.0 && first > 1.0 - 1e-6);
}

/// A roof that is open along its ridge: the two sides are not neighbours, and what is narrow enough
/// falls through.
#[test]
fn a_surface_with_a_gap_is_two() {
    let along = KnotVector::new(2, &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0]).unwrap();
    let across = KnotVector::new(1, &[0.0, 0.0, 1.0, 2.0, 2.0]).unwrap();
    // z = 1 − x² on [−1, −1/4] and on [1/4, 1]: by the polar form, products of the ends.
    let profile = [[-1.0, -0.25], [0.25, 1.0]].map(|[a, b]: [f64; 2]| {
        [(a, a), (a, b), (b, b)].map(|(a, b)| (0.5 * (a + b), 1.0 - a * b))
    });
    let row = |&(x, z): &(f64, f64)| [-1.0, 0.0, 1.0].map(|y| point![x, y, z]);
    let points: Vec<_> = profile.as_flattened().iter().flat_map(row).collect();
    let roof = NurbsSurface::new([along, across], &points, None).unwrap();
    let mut body = Body::new(&roof, Rotation3::identity(), Vector3::zeros());
    assert_eq!((body.mesh.len(), body.mesh.point_count()), (4, 18));
    let neighbours = |mesh: &PatchMesh| {
        [(0, 1), (2, 3), (0, 2), (1, 3), (0, 3)].map(|(a, b)| mesh.are_neighbours(a, b))
    };
    assert_eq!(neighbours(&body.mesh), [true, true, false, false, false]);
    let rest = body.at_speed(Vector3::zeros());
    let own = earliest_self_impact(&rest, &MeshOptions::default()).unwrap();
    assert_eq!((own.first, own.counters.neighbours), (None, 2));
    // A plate of this width comes down.
    for (half, expected) in [(0.24, None), (0.5, Some((2.0 - 0.9375) / 2.0))] {
        let plate = PatchMesh::from_quads(4, &[[0, 1, 2, 3]]).unwrap();
        let corners = [(-half, -0.5), (half, -0.5), (half, 0.5), (-half, 0.5)];
        let corners = corners.map(|(x, y)| point![x, y, 2.0]);
        let velocities = [vector![0.0, 0.0, -2.0]; 4];
        let plate = MovingMesh::with_velocities(&plate, &corners, &velocities).unwrap();
        let first = earliest_impact(&plate, &rest, &MeshOptions::default()).unwrap();
        match (expected, first.toi()) {
            (None, None) => {}
            (Some(exact), Some(toi)) => assert!(toi <= exact && toi > exact - 1e-6, "{toi}"),
            other => panic!("{other:?}"),
        }
    }
    // With the gap closed the sides are neighbours once they are welded.
    let ridge = |p: &Point3<f64>| p.x.abs() < 0.3;
    let closed = body
        .net
        .iter()
        .map(|p| if ridge(p) { point![0.0, p.y, 1.0] } else { *p });
    body.net = closed.collect();
    let report = body.mesh.weld(&body.net, 1e-12).unwrap();
    assert_eq!(
        (report.points, report.groups, report.layers.len()),
        (6, 3, 0)
    );
    assert_eq!(neighbours(&body.mesh), [true; 5]);
}
