//! Elements with a thickness, which adds to the separation.

use kit::exact;
use kit::scenes::LINEAR;
use kit::scenes::meshes::{sheet, squares, stirred, triangles};
use kit::{Random, each_case};
use nalgebra::{Point3, Vector3, point, vector};
use patch_ccd::mesh::{
    Element, Mesh, MeshDistanceOptions, MeshOptions, MeshWorkspace, MovingMesh, PatchMesh,
    TriangleMesh, all_impacts, all_self_impacts, all_within, collision_free_self_step,
    collision_free_step, earliest_impact, earliest_self_impact, least_distance,
};
use patch_ccd::{DistanceOptions, Error, Options, Outcome};

use super::pairs::compare;
use super::passing;
use super::with;

/// A mesh of either kind, with its points.
enum Body {
    Patches(PatchMesh, Vec<Point3<f64>>),
    Triangles(TriangleMesh, Vec<Point3<f64>>),
}

impl Body {
    fn points(&self) -> &[Point3<f64>] {
        let (Self::Patches(_, points) | Self::Triangles(_, points)) = self;
        points
    }

    fn mesh(&self) -> Mesh<'_> {
        match self {
            Self::Patches(mesh, _) => mesh.into(),
            Self::Triangles(mesh, _) => mesh.into(),
        }
    }

    fn moving(&self, z: f64) -> MovingMesh<'_> {
        let velocities = vec![vector![0.0, 0.0, z]; self.points().len()];
        MovingMesh::with_velocities(self.mesh(), self.points(), &velocities).unwrap()
    }
}

const KINDS: [&str; 4] = ["particle", "rod", "face", "patch"];

/// A body of one element through (0, 0, z), with half a thickness. Rods go along x, or across.
fn body(kind: &str, z: f64, across: bool, half_thickness: f64) -> Body {
    let triangle = [[-1.0, -1.0], [2.0, -0.5], [-0.5, 2.0]].map(|[x, y]| point![x, y, z]);
    let mut mesh = match kind {
        "particle" => TriangleMesh::new(1, &[]),
        "rod" => TriangleMesh::with_edges(2, &[[0, 1]], &[]),
        "face" => TriangleMesh::new(3, &[[0, 1, 2]]),
        _ => {
            let mut mesh = PatchMesh::from_quads(4, &[[0, 1, 2, 3]]).unwrap();
            mesh.set_half_thickness(half_thickness).unwrap();
            let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
            let corners = corners.map(|[x, y]| point![x, y, z]);
            return Body::Patches(mesh, corners.into());
        }
    }
    .unwrap();
    mesh.set_half_thickness(half_thickness).unwrap();
    let points = match kind {
        "particle" => vec![point![0.0, 0.0, z]],
        "rod" if across => vec![point![0.0, -1.0, z], point![0.0, 1.0, z]],
        "rod" => vec![point![-1.0, 0.0, z], point![1.0, 0.0, z]],
        _ => triangle.into(),
    };
    Body::Triangles(mesh, points)
}

fn close(value: f64, exact: f64) -> bool {
    value <= exact + 1e-15 && value > exact - 2e-6
}

/// One body falls on another one from height 1 at speed 1: they meet when what is left is the sum.
#[test]
fn every_kind_of_element_keeps_the_sum_of_all_three() {
    for upper in KINDS {
        for lower in KINDS {
            for (asked, halves) in [
                (0.0, [0.25, 0.0]),
                (0.0, [0.0, 0.25]),
                (0.125, [0.25, 0.0625]),
                (0.25, [0.0, 0.0]),
            ] {
                let bodies = [
                    body(upper, 1.0, false, halves[0]),
                    body(lower, 0.0, true, halves[1]),
                ];
                let (above, below) = (bodies[0].moving(-1.0), bodies[1].moving(0.0));
                let options = with(Options {
                    min_separation: asked,
                    ..Options::default()
                });
                let sum = asked + halves[0] + halves[1];
                for (a, b) in [(&above, &below), (&below, &above)] {
                    let told = format!("{upper} on {lower}, {asked} and {halves:?}");
                    let all = all_impacts(a, b, &options).unwrap();
                    assert!(close(all.fraction, 1.0 - sum), "{told}: {all:?}");
                    for pair in &all.pairs {
                        assert_eq!(pair.outcome.separation(), sum, "{told}");
                    }
                    let earliest = earliest_impact(a, b, &options).unwrap();
                    assert_eq!(earliest.first.as_ref(), all.pairs.first(), "{told}");
                    let free = collision_free_step(a, b, &options).unwrap();
                    assert_eq!(free, 0.8 * all.fraction, "{told}");
                    let candidates = MeshWorkspace::new().candidates(a, b, &options).unwrap();
                    let entry = candidates[0].interval[0];
                    assert!(entry <= 1.0 - sum && entry > 0.99 - sum, "{told}");
                }
            }
        }
    }
}

/// Of one mesh: a particle, a rod and a face, and patches.
#[test]
fn elements_of_one_mesh_keep_their_sum() {
    let mut mesh = TriangleMesh::with_edges(7, &[[1, 2]], &[[4, 5, 6]]).unwrap();
    let radius = |element: Element| match element {
        Element::Vertex(0) => 0.1,
        Element::Edge(_) => 0.2,
        Element::Vertex(_) => 0.3,
        _ => 0.05,
    };
    mesh.set_half_thicknesses(radius).unwrap();
    let points = [
        [0.0, 0.0, 4.0],
        [-1.0, 0.0, 2.0],
        [1.0, 0.0, 2.0],
        [0.0, 0.0, 8.0],
        [-1.0, -1.0, 0.0],
        [2.0, -0.5, 0.0],
        [-0.5, 2.0, 0.0],
    ]
    .map(Point3::from);
    // The face comes up, the upper particle falls.
    let velocities = [0.0, 0.0, 0.0, -4.0, 1.5, 1.5, 1.5].map(|z| vector![0.0, 0.0, z]);
    let moving = MovingMesh::with_velocities(&mesh, &points, &velocities).unwrap();
    let long = with(Options {
        t_max: 1.5,
        ..Options::default()
    });
    let all = all_self_impacts(&moving, &long).unwrap();
    assert_eq!(mesh.edges()[..2], [[1, 2], [4, 5]]);
    for (elements, exact) in [
        ([Element::Vertex(0), Element::Vertex(3)], (4.0 - 0.4) / 4.0),
        ([Element::Vertex(3), Element::Edge(0)], (6.0 - 0.5) / 4.0),
        ([Element::Vertex(3), Element::Face(0)], (8.0 - 0.35) / 5.5),
        // An end of the rod is over the face, and a side of the face under the rod.
        ([Element::Vertex(2), Element::Face(0)], (2.0 - 0.25) / 1.5),
        ([Element::Edge(0), Element::Edge(2)], (2.0 - 0.25) / 1.5),
    ] {
        let pair = all.pairs.iter().find(|pair| pair.elements == elements);
        let pair = pair.unwrap_or_else(|| panic!("{elements:?}: {all:?}"));
        assert!(close(pair.toi(), exact), "{exact}: {pair:?}");
    }
    assert_eq!(
        all.pairs[0].elements,
        [Element::Vertex(0), Element::Vertex(3)]
    );
    let first = earliest_self_impact(&moving, &long).unwrap().first;
    assert_eq!(first.as_ref(), all.pairs.first());

    let (mut squares, points) = squares(&[0.0, 1.0]);
    squares
        .set_half_thicknesses(|element| [0.125, 0.25][element.index() as usize])
        .unwrap();
    // Bring the second one over the first.
    let points: Vec<_> = (0..8)
        .map(|k| points[k] - vector![[0.0, 2.0][k / 4], 0.0, 0.0])
        .collect();
    let velocities: Vec<_> = (0..8)
        .map(|k| vector![0.0, 0.0, [1.0, 0.0][k / 4]])
        .collect();
    let moving = MovingMesh::with_velocities(&squares, &points, &velocities).unwrap();
    let first = earliest_self_impact(&moving, &MeshOptions::default()).unwrap();
    assert!(close(first.fraction, 1.0 - 0.375), "{first:?}");
    let free = collision_free_self_step(&moving, &MeshOptions::default()).unwrap();
    assert_eq!(free, 0.8 * first.fraction);
}

/// Squares of three thicknesses at one height: the thickest is first, and each has its own time.
#[test]
fn every_element_has_its_own_thickness() {
    let (mut above, points) = squares(&[1.0; 4]);
    let halves = [0.125, 0.0, 0.5, 0.25];
    above
        .set_half_thicknesses(|element| halves[element.index() as usize])
        .unwrap();
    let (mut below, corners) = squares(&[0.0; 4]);
    below.set_half_thickness(0.0625).unwrap();
    let down = vec![-Vector3::z(); points.len()];
    let falling = MovingMesh::with_velocities(&above, &points, &down).unwrap();
    let resting = MovingMesh::resting(&below, &corners).unwrap();
    let all = all_impacts(&falling, &resting, &MeshOptions::default()).unwrap();
    let found: Vec<u32> = all
        .pairs
        .iter()
        .map(|pair| pair.elements[0].index())
        .collect();
    assert_eq!(found, [2, 3, 0, 1]);
    for pair in &all.pairs {
        let sum = halves[pair.elements[0].index() as usize] + 0.0625;
        assert!(close(pair.toi(), 1.0 - sum), "{pair:?}");
        assert_eq!(pair.outcome.separation(), sum);
    }
}

/// A thin and a thick face share a side: the side and its ends are thick.
#[test]
fn what_belongs_to_several_is_as_thick_as_the_thickest() {
    let faces = [[0, 1, 2], [2, 1, 3], [3, 3, 4]];
    let mut mesh = TriangleMesh::with_edges(7, &[[4, 5]], &faces).unwrap();
    mesh.set_half_thickness(9.0).unwrap();
    mesh.set_half_thicknesses(|element| match element {
        Element::Face(face) => [0.5, 0.25, 0.125][face as usize],
        Element::Edge(_) => 0.375,
        Element::Vertex(_) => 2.0,
        Element::Patch(_) => unreachable!("a mesh of triangles"),
    })
    .unwrap();
    let of = |element| Mesh::from(&mesh).half_thickness_of(element);
    let vertices: Vec<f64> = (0..7).map(|k| of(Element::Vertex(k))).collect();
    assert_eq!(vertices, [0.5, 0.5, 0.5, 0.25, 0.375, 0.375, 2.0]);
    let edges: Vec<_> = (0..mesh.edges().len())
        .map(|k| (mesh.edges()[k], of(Element::Edge(k as u32))))
        .collect();
    let exact = [
        ([0, 1], 0.5),
        ([0, 2], 0.5),
        ([1, 2], 0.5),
        ([1, 3], 0.25),
        ([2, 3], 0.25),
        ([3, 4], 0.125),
        ([4, 5], 0.375),
    ];
    assert_eq!(edges, exact);
    let faces = [0, 1, 2].map(|k| of(Element::Face(k)));
    assert_eq!(faces, [0.5, 0.25, 0.125]);
    for absent in [
        Element::Face(3),
        Element::Vertex(7),
        Element::Edge(7),
        Element::Patch(0),
    ] {
        assert_eq!(of(absent), 0.0);
    }
}

#[test]
fn patches_that_come_later_have_a_thickness_too() {
    let of = |mesh: &PatchMesh| -> Vec<f64> {
        let patches = (0..mesh.len() as u32).map(Element::Patch);
        patches
            .map(|patch| Mesh::from(mesh).half_thickness_of(patch))
            .collect()
    };
    let mut mesh = PatchMesh::new(4);
    mesh.set_half_thickness(0.5).unwrap();
    let add = |mesh: &mut PatchMesh| mesh.add(LINEAR, &[0, 1, 2], None);
    add(&mut mesh).unwrap();
    assert_eq!(of(&mesh), [0.5]);
    mesh.set_half_thicknesses(|_| 0.25).unwrap();
    add(&mut mesh).unwrap();
    assert_eq!(of(&mesh), [0.25, 0.5]);

    let thin = PatchMesh::from_triangles(3, &[[0, 1, 2]]).unwrap();
    let mut both = thin.clone();
    both.append(&thin).unwrap();
    assert_eq!(of(&both), [0.0, 0.0]);
    both.append(&mesh).unwrap();
    assert_eq!(of(&both), [0.0, 0.0, 0.25, 0.5]);
    mesh.append(&thin).unwrap();
    assert_eq!(of(&mesh), [0.25, 0.5, 0.0]);
    add(&mut mesh).unwrap();
    assert_eq!(of(&mesh), [0.25, 0.5, 0.0, 0.5]);
    mesh.set_half_thickness(1.0).unwrap();
    assert_eq!(of(&mesh), [1.0; 4]);
    assert_ne!(mesh, {
        let mut other = mesh.clone();
        other.set_half_thickness(2.0).unwrap();
        other
    });
}

/// The separation of a pair is no less than the exact sum, and no double is between them.
#[test]
fn sums_are_rounded_up() {
    let mut rounded = 0;
    each_case(200, |_, random| {
        let mut any = || random.unit() * 0.5_f64.powi(random.below(60) as i32);
        let (asked, halves) = (any(), [any(), any()]);
        let bodies = [
            body("particle", 0.0, false, halves[0]),
            body("particle", 0.0, false, halves[1]),
        ];
        let [one, two] = bodies.each_ref().map(|body| body.moving(0.0));
        let options = with(Options {
            min_separation: asked,
            ..Options::default()
        });
        let first = earliest_impact(&one, &two, &options)
            .unwrap()
            .first
            .unwrap();
        let sum = exact(asked) + exact(halves[0]) + exact(halves[1]);
        let separation = first.outcome.separation();
        assert!(exact(separation) >= sum, "{asked} {halves:?}");
        // Two sums are rounded.
        assert!(
            exact(separation.next_down().next_down()) < sum,
            "{asked} {halves:?}"
        );
        rounded += usize::from(exact(separation) > sum);
    });
    assert!(rounded > 50, "{rounded}");
}

fn random_thickness(seed: u64, most: f64) -> impl Fn(Element) -> f64 {
    move |element| {
        let mut random = Random::new(seed + u64::from(element.index()));
        random.pick(&[0.0, 0.5, 1.0]) * most * random.unit()
    }
}

/// The broad phase leaves out no pair: the answers are those of all pairs one by one.
#[test]
fn thick_meshes_answer_like_all_their_pairs() {
    let (upper, lower) = (sheet(3, 3, 0.5, 0.0), sheet(3, 4, 0.0, 2.0));
    let (above, below) = (triangles(5, 0.5, 0.0), triangles(6, 0.0, 2.0));
    for (seed, most, min_separation, shrink_separation) in [
        (1, 0.1, 0.0, None),
        (2, 0.02, 0.01, None),
        (3, 0.4, 0.0, None),
        (4, 0.4, 0.02, Some(0.9)),
    ] {
        let options = Options {
            min_separation,
            shrink_separation,
            delta: 1e-4,
            max_boxes: 100_000,
            ..Options::default()
        };
        let [mut upper, mut lower] = [upper.clone(), lower.clone()];
        let [mut above, mut below] = [above.clone(), below.clone()];
        upper
            .0
            .set_half_thicknesses(random_thickness(seed, most))
            .unwrap();
        lower
            .0
            .set_half_thicknesses(random_thickness(seed + 9, most))
            .unwrap();
        above
            .0
            .set_half_thicknesses(random_thickness(seed, most))
            .unwrap();
        below
            .0
            .set_half_thicknesses(random_thickness(seed + 9, most))
            .unwrap();
        let [a, b] = [passing(&upper, -0.5), passing(&lower, 0.5)];
        let [c, d] = [passing(&above, -0.5), passing(&below, 0.5)];
        for meshes in [[&a, &b], [&c, &d], [&a, &d], [&c, &b]] {
            let all = compare(meshes, &options);
            assert!(all.pairs.len() > 10, "{}", all.pairs.len());
            assert_eq!(
                all.counters.shrunk > 0,
                shrink_separation.is_some(),
                "{seed}"
            );
        }
    }
}

#[test]
fn distances_are_those_of_the_surfaces() {
    let (mut upper, lower) = (triangles(4, 0.5, 0.0), sheet(2, 3, 0.0, 2.0));
    let near = MeshDistanceOptions {
        query: DistanceOptions {
            max_distance: 0.5,
            ..DistanceOptions::default()
        },
        filter: None,
    };
    let ask = |upper: &(TriangleMesh, Vec<Point3<f64>>)| {
        let above = MovingMesh::resting(&upper.0, &upper.1).unwrap();
        let below = MovingMesh::resting(&lower.0, &lower.1).unwrap();
        let least = least_distance(&above, &below, &near).unwrap();
        (
            least.lower,
            least.first,
            all_within(&above, &below, &near).unwrap().pairs,
        )
    };
    let before = ask(&upper);
    upper.0.set_half_thickness(0.125).unwrap();
    assert_eq!(ask(&upper), before);
}

#[test]
fn what_is_no_thickness_is_refused() {
    let (mut patches, points) = squares(&[0.0, 1.0]);
    let mut mesh = TriangleMesh::with_edges(6, &[[3, 4]], &[[0, 1, 2]]).unwrap();
    patches.set_half_thickness(0.25).unwrap();
    mesh.set_half_thickness(0.25).unwrap();
    let before = (patches.clone(), mesh.clone());
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, -5e-324] {
        let text = format!("option half_thickness is {bad:?}, but must be finite and at least 0");
        assert_eq!(
            patches.set_half_thickness(bad).unwrap_err().to_string(),
            text
        );
        assert_eq!(mesh.set_half_thickness(bad).unwrap_err().to_string(), text);
        let second = |element: Element| if element.index() == 1 { bad } else { 0.0 };
        let error = patches.set_half_thicknesses(second).unwrap_err();
        assert_eq!(error.to_string(), format!("patch 1: {text}"));
        for (which, name) in [
            (Element::Face(0), "face 0"),
            (Element::Edge(3), "edge 3"),
            (Element::Vertex(5), "vertex 5"),
        ] {
            let only = |element: Element| if element == which { bad } else { 0.0 };
            let error = mesh.set_half_thicknesses(only).unwrap_err();
            assert_eq!(error.to_string(), format!("{name}: {text}"));
        }
    }
    assert_eq!((&patches, &mesh), (&before.0, &before.1));

    // A sum beyond the range of doubles.
    patches.set_half_thickness(f64::MAX).unwrap();
    let still = MovingMesh::resting(&patches, &points).unwrap();
    let mut workspace = MeshWorkspace::new();
    for (asked, fits) in [(0.0, false), (1e300, false)] {
        let options = with(Options {
            min_separation: asked,
            ..Options::default()
        });
        let answers = [
            earliest_self_impact(&still, &options).map(|_| ()),
            all_impacts(&still, &still, &options).map(|_| ()),
            collision_free_step(&still, &still, &options).map(|_| ()),
            workspace.self_candidates(&still, &options).map(|_| ()),
        ];
        for answer in answers {
            assert_eq!(answer.is_ok(), fits);
            let refused = matches!(
                answer,
                Err(Error::Option { option: "min_separation", value, .. }) if value == asked
            );
            assert!(refused, "{answer:?}");
        }
    }
    // As large as can be.
    patches.set_half_thickness(0.5 * f64::MAX).unwrap();
    let still = MovingMesh::resting(&patches, &points).unwrap();
    let first = earliest_self_impact(&still, &MeshOptions::default()).unwrap();
    let outcome = first.first.unwrap().outcome;
    assert!(
        matches!(outcome, Outcome::ContactAtStart { .. }),
        "{outcome:?}"
    );
    assert_eq!(outcome.separation(), f64::MAX);
}

/// Trees that are kept follow the thickness from query to query.
#[test]
fn a_kept_workspace_follows_the_thickness() {
    let ((mut mesh, points), (lower, below)) = (triangles(6, 0.6, 0.0), triangles(7, 0.0, 2.0));
    let lower = MovingMesh::resting(&lower, &below).unwrap();
    let velocities = stirred(points.len(), vector![0.2, 0.0, -0.1], 0.1, 3);
    let mut workspace = MeshWorkspace::new();
    let options = MeshOptions::default();
    let mut found = Vec::new();
    for half_thickness in [0.0, 0.3, 0.1, 0.0, 1.0] {
        mesh.set_half_thickness(half_thickness).unwrap();
        let moving = MovingMesh::with_velocities(&mesh, &points, &velocities).unwrap();
        let kept = workspace
            .earliest_impact(&moving, &lower, &options)
            .unwrap();
        let fresh = earliest_impact(&moving, &lower, &options).unwrap();
        assert_eq!(kept.first, fresh.first);
        found.push(kept.fraction);
    }
    assert!(
        found[0] == 1.0 && found[1] < 1.0 && found[4] == 0.0,
        "{found:?}"
    );
}
