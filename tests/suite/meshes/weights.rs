//! The weights of points at a place: they sum to 1, they give the place, and the place moves by
//! weight · by if a point does. For all kinds of elements, and for what meshes are made of.

use kit::scenes::{BICUBIC, BILINEAR, QUADRATIC, nurbs::torus, random_patch};
use kit::{Random, cases};
use nalgebra::{Point3, Vector3};
use patch_ccd::Error;
use patch_ccd::geometry::{
    AnyPatch, HermiteGrid, HermiteNode, KnotVector, NurbsCurve, NurbsExtraction, NurbsSurface,
    Patch, PointWeights, Shape,
};
use patch_ccd::mesh::{
    Element, Mesh, MeshOptions, MovingMesh, PatchMesh, TriangleMesh, all_impacts,
};

/// What roundings of numbers up to a few may add up to.
const ROUNDING: f64 = 1e-14;

fn place(random: &mut Random, shape: Shape) -> (f64, f64) {
    let (u, v) = (random.unit(), random.unit());
    let on_border = |x: f64, random: &mut Random| match random.below(6) {
        0 => 0.0,
        1 => 1.0,
        _ => x,
    };
    match shape {
        Shape::TensorProduct { n: 0, .. } => (0.0, 0.0),
        Shape::TensorProduct { m: 0, .. } => (on_border(u, random), 0.0),
        Shape::TensorProduct { .. } => (on_border(u, random), on_border(v, random)),
        Shape::Triangular { .. } if u + v > 1.0 => (1.0 - u, 1.0 - v),
        Shape::Triangular { .. } => (u, v),
    }
}

/// Checks weights against positions, which `eval` computes from the points in another way.
fn check(
    weights: &PointWeights,
    points: &[Vector3<f64>],
    eval: impl Fn(&[Vector3<f64>]) -> Vector3<f64>,
    told: &dyn std::fmt::Debug,
) {
    let here = eval(points);
    let sum = |points: &[Vector3<f64>]| -> Vector3<f64> {
        weights.iter().map(|&(k, weight)| points[k] * weight).sum()
    };
    let off = (sum(points) - here).amax();
    assert!(off < ROUNDING, "{off:e} off: {told:?}");
    // Each point by itself: the place depends on it by its weight, and not on the others.
    let own = |k: usize| weights.iter().filter(move |(other, _)| *other == k);
    for k in 0..points.len() {
        let mut moved = points.to_vec();
        moved[k] += Vector3::x();
        let slope = eval(&moved) - here;
        let expected = own(k).map(|(_, weight)| weight).sum::<f64>();
        assert!(own(k).count() <= 1, "point {k} comes twice: {told:?}");
        let off = (slope - Vector3::x() * expected).amax();
        assert!(off < ROUNDING, "{off:e} off for point {k}: {told:?}");
    }
}

fn assert_sum_is_one(weights: &PointWeights) {
    let sum: f64 = weights.iter().map(|(_, weight)| weight).sum();
    assert!((sum - 1.0).abs() < ROUNDING, "{sum}: {weights:?}");
    assert!(
        weights.iter().all(|&(_, weight)| weight >= 0.0),
        "{weights:?}"
    );
}

/// The position at (u, v) on an element of a mesh with these points.
fn on_element(
    mesh: Mesh<'_>,
    element: Element,
    (u, v): (f64, f64),
    points: &[Vector3<f64>],
) -> Vector3<f64> {
    let corner = |k: usize| points[mesh.points_of(element)[k] as usize];
    match (mesh, element) {
        (Mesh::Patches(mesh), _) => {
            let layout = mesh.patch(element.index()).unwrap();
            let net = layout.points.iter().map(|&at| points[at as usize].into());
            let net: Vec<Point3<f64>> = net.collect();
            let patch = match layout.weights {
                Some(weights) => AnyPatch::rational_from_shape(layout.shape, &net, weights),
                None => AnyPatch::from_shape(layout.shape, &net),
            };
            patch.unwrap().eval(u, v).coords
        }
        (_, Element::Vertex(_)) => corner(0),
        (_, Element::Edge(_)) => corner(0) * (1.0 - u) + corner(1) * u,
        _ => corner(0) * (1.0 - u - v) + corner(1) * u + corner(2) * v,
    }
}

fn check_element(mesh: Mesh<'_>, element: Element, shape: Shape, random: &mut Random) {
    let points: Vec<_> = (0..mesh.point_count())
        .map(|_| random.vector(1.0))
        .collect();
    let at = place(random, shape);
    let weights = mesh.weights_at(element, at).unwrap();
    assert_sum_is_one(&weights);
    let eval = |points: &[Vector3<f64>]| on_element(mesh, element, at, points);
    check(&weights, &points, eval, &(element, at));
    // In the order of the element's points.
    let order = mesh.points_of(element);
    let positions = weights
        .iter()
        .map(|(k, _)| order.iter().position(|&at| at as usize == *k));
    assert!(positions.is_sorted(), "{weights:?} of {order:?}");
}

#[test]
fn patches_of_all_kinds() {
    let shapes = [
        BILINEAR,
        BICUBIC,
        QUADRATIC,
        Shape::TensorProduct { n: 1, m: 4 },
        Shape::TensorProduct { n: 3, m: 0 },
        Shape::Triangular { n: 1 },
        Shape::Triangular { n: 5 },
    ];
    let mut random = Random::new(1);
    for case in 0..cases(400) {
        let patches = [0, 1].map(|_| {
            let shape = random.pick(&shapes);
            random_patch(shape, &mut random, Vector3::zeros(), case % 2 == 0)
        });
        let (mut mesh, mut points) = PatchMesh::from_patches(&patches);
        if case % 3 == 0 {
            // Both begin at the same point: a weld leaves them two points.
            let second = patches[0].control_points().len();
            points[second] = points[0];
            mesh.weld(&points, 0.0).unwrap();
            assert!(mesh.are_neighbours(0, 1));
        }
        for (index, patch) in patches.iter().enumerate() {
            let element = Element::Patch(index as u32);
            check_element(Mesh::from(&mesh), element, patch.shape(), &mut random);
        }
    }
}

/// A patch that names a point more than once, as the pole of a sphere may.
#[test]
fn repeated_points_come_once() {
    let mut random = Random::new(2);
    let mut mesh = PatchMesh::new(7);
    let pole = [0, 1, 2, 0, 3, 4, 0, 5, 6];
    let weights = [1.0, 2.0, 0.5, 1.0, 0.3, 1.0, 2.0, 1.0, 1.0];
    let shape = Shape::TensorProduct { n: 2, m: 2 };
    mesh.add(shape, &pole, None).unwrap();
    mesh.add(shape, &pole, Some(&weights)).unwrap();
    for index in [0, 1] {
        for _ in 0..50 {
            check_element((&mesh).into(), Element::Patch(index), shape, &mut random);
        }
    }
    let weights = Mesh::from(&mesh)
        .weights_at(Element::Patch(0), (0.3, 0.0))
        .unwrap();
    assert_eq!((weights.len(), weights[0].0), (7, 0));
    assert!((weights[0].1 - 1.0).abs() < ROUNDING);
}

#[test]
fn faces_edges_and_vertices() {
    let mut random = Random::new(3);
    // Two faces, one of which names a vertex twice; a rod, and a particle.
    let mesh = TriangleMesh::with_edges(8, &[[6, 4]], &[[2, 0, 1], [3, 1, 3]]).unwrap();
    let mesh = Mesh::from(&mesh);
    for _ in 0..50 {
        for face in 0..2 {
            let shape = Shape::Triangular { n: 1 };
            check_element(mesh, Element::Face(face), shape, &mut random);
        }
        for edge in 0..5 {
            let shape = Shape::TensorProduct { n: 1, m: 0 };
            check_element(mesh, Element::Edge(edge), shape, &mut random);
        }
        for vertex in 0..8 {
            let shape = Shape::TensorProduct { n: 0, m: 0 };
            check_element(mesh, Element::Vertex(vertex), shape, &mut random);
        }
    }
    let weights = |element, at| mesh.weights_at(element, at).unwrap().to_vec();
    assert_eq!(
        weights(Element::Face(0), (0.25, 0.5)),
        [(2, 0.25), (0, 0.25), (1, 0.5)]
    );
    assert_eq!(
        weights(Element::Edge(4), (0.25, 0.0)),
        [(4, 0.75), (6, 0.25)]
    );
    assert_eq!(weights(Element::Vertex(7), (0.0, 0.0)), [(7, 1.0)]);
}

/// Weights of control points of a NURBS, through the Bézier points that they make.
fn check_nurbs(extraction: &NurbsExtraction, count: usize, random: &mut Random) {
    let mesh = PatchMesh::from_nurbs(extraction).unwrap();
    let points: Vec<_> = (0..count).map(|_| random.vector(1.0)).collect();
    for patch in 0..mesh.len() {
        let at = place(random, extraction.grid().shape());
        let weights = extraction.weights_at(patch, at).unwrap();
        assert_sum_is_one(&weights);
        let eval = |points: &[Vector3<f64>]| {
            let net = extraction.velocities(points).unwrap();
            on_element((&mesh).into(), Element::Patch(patch as u32), at, &net)
        };
        check(&weights, &points, eval, &(patch, at));
    }
    let unknown = extraction.weights_at(mesh.len(), (0.0, 0.0)).unwrap_err();
    assert_eq!(
        unknown.to_string(),
        format!("there is no patch {}", mesh.len())
    );
}

#[test]
fn nurbs_of_all_kinds() {
    let mut random = Random::new(4);
    let knots = [
        KnotVector::new(1, &[0.0, 0.0, 1.0, 1.0]),
        KnotVector::new(2, &[0.0, 0.0, 0.0, 1.0, 1.0, 3.0, 3.0, 3.0]),
        // With a gap at 1.
        KnotVector::new(2, &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 3.0, 3.0, 3.0]),
        KnotVector::new(3, &[0.0, 0.1, 0.3, 0.7, 1.1, 1.3, 1.3, 1.9, 2.0, 2.0, 2.5]),
        KnotVector::new(2, &[-2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0]),
    ]
    .map(Result::unwrap);
    for _ in 0..cases(60) {
        let [along, across] = [0; 2].map(|_| random.pick(&knots));
        let count = along.count() * across.count();
        let points: Vec<_> = (0..count).map(|_| random.point(1.0)).collect();
        let weights: Vec<_> = (0..count).map(|_| 1.5 + random.signed()).collect();
        let weights = random.chance(2).then_some(&weights[..]);
        let surface = NurbsSurface::new([along.clone(), across], &points, weights).unwrap();
        let extraction = surface.extraction();
        check_nurbs(&extraction, count, &mut random);
        // In the parameters of the surface they are its basis.
        let patch = random.below(extraction.spans().len());
        let (u, v) = place(&mut random, extraction.grid().shape());
        let (over_u, over_v) = extraction.spans()[patch].map(u, v);
        for (point, weight) in surface.basis(over_u, over_v) {
            let own = extraction.weights_at(patch, (u, v)).unwrap();
            let own = own.iter().find(|(other, _)| *other == point);
            let off = (own.map_or(0.0, |(_, weight)| *weight) - weight).abs();
            assert!(
                off < 1e-12,
                "{off:e} off for point {point} at ({u}, {v}) of {patch}"
            );
        }

        let count = along.count();
        let weights = weights.map(|weights| &weights[..count]);
        let curve = NurbsCurve::new(along, &points[..count], weights).unwrap();
        check_nurbs(&curve.extraction(), count, &mut random);
    }
    let torus = torus(2.0, 1.0);
    let count = torus.control_points().len();
    check_nurbs(&torus.extraction(), count, &mut random);
}

#[test]
fn hermite_grids() {
    let mut random = Random::new(5);
    let grid = HermiteGrid::new(&[1.0, 0.25, 2.0], &[0.5, 1.0]).unwrap();
    let mesh = PatchMesh::from_grid(grid.grid(), None).unwrap();
    let [a, b] = grid.nodes();
    let unknowns: Vec<_> = (0..4 * a * b).map(|_| random.vector(1.0)).collect();
    for _ in 0..cases(50) {
        for patch in 0..mesh.len() {
            let at = place(&mut random, grid.grid().shape());
            let weights = grid.weights_at(patch, at).unwrap();
            let positions = weights.iter().filter(|(unknown, _)| unknown % 4 == 0);
            let sum: f64 = positions.map(|(_, weight)| weight).sum();
            assert!((sum - 1.0).abs() < ROUNDING, "{sum}");
            let eval = |unknowns: &[Vector3<f64>]| {
                let nodes = unknowns.chunks_exact(4).map(|of_node| HermiteNode {
                    position: of_node[0],
                    along_u: of_node[1],
                    along_v: of_node[2],
                    twist: of_node[3],
                });
                let net = grid.velocities(&nodes.collect::<Vec<_>>()).unwrap();
                on_element((&mesh).into(), Element::Patch(patch as u32), at, &net)
            };
            check(&weights, &unknowns, eval, &(patch, at));
        }
    }
    let unknown = grid.weights_at(6, (0.0, 0.0)).unwrap_err();
    assert_eq!(unknown.to_string(), "there is no patch 6");
    let outside = grid.weights_at(0, (0.0, 1.5)).unwrap_err();
    assert_eq!(outside.to_string(), "v is 1.5, but must be from 0 to 1");
}

/// At every contact of two meshes the weighted points are where the contact is.
#[test]
fn contacts() {
    let mut random = Random::new(6);
    let sheets = [(); 2].map(|()| {
        let patches = [(); 3].map(|()| {
            let rational = random.chance(2);
            random_patch(QUADRATIC, &mut random, Vector3::zeros(), rational)
        });
        PatchMesh::from_patches(&patches)
    });
    let triangles = TriangleMesh::with_edges(6, &[[3, 4]], &[[0, 1, 2]]).unwrap();
    let corners: Vec<_> = (0..6).map(|_| random.point(1.0)).collect();
    let meshes: [(Mesh<'_>, &[Point3<f64>]); 3] = [
        ((&sheets[0].0).into(), &sheets[0].1),
        ((&sheets[1].0).into(), &sheets[1].1),
        ((&triangles).into(), &corners),
    ];
    let mut contacts = 0;
    for (one, other) in [(0, 1), (0, 2), (2, 1)] {
        let moving = [(one, 3.0), (other, 0.0)].map(|(k, apart)| {
            let (mesh, points) = meshes[k];
            let start: Vec<_> = points.iter().map(|p| p + Vector3::repeat(apart)).collect();
            let velocities: Vec<_> = points
                .iter()
                .map(|_| Vector3::repeat(-2.0 * apart) + random.vector(0.1))
                .collect();
            (mesh, start, velocities)
        });
        let [a, b] = moving.each_ref().map(|(mesh, start, velocities)| {
            MovingMesh::with_velocities(*mesh, start, velocities).unwrap()
        });
        for pair in all_impacts(&a, &b, &MeshOptions::default()).unwrap().pairs {
            let Some(contact) = pair.outcome.contact() else {
                continue;
            };
            contacts += 1;
            for (side, moving) in [&a, &b].into_iter().enumerate() {
                let points = moving.at(contact.time);
                let mut place = Vector3::zeros();
                let mesh = moving.mesh();
                let weights = mesh.weights_at(pair.elements[side], contact.parameters[side]);
                for (point, weight) in weights.unwrap() {
                    place += weight * points[point].coords;
                }
                let off = (place - contact.points[side].coords).amax();
                assert!(off < ROUNDING, "{off:e} off: {pair:?}");
            }
        }
    }
    assert!(contacts > 10, "{contacts}");
}

#[test]
fn what_is_refused() {
    let triangles = TriangleMesh::new(3, &[[0, 1, 2]]).unwrap();
    let mut patches = PatchMesh::from_quads(4, &[[0, 1, 2, 3]]).unwrap();
    patches
        .add(Shape::TensorProduct { n: 1, m: 0 }, &[0, 1], None)
        .unwrap();
    let (triangles, patches) = (Mesh::from(&triangles), Mesh::from(&patches));
    let nan = f64::NAN;
    let beyond = [
        (triangles, Element::Face(0), (nan, 0.0), "face 0: u is NaN"),
        (triangles, Element::Face(0), (0.0, nan), "face 0: v is NaN"),
        (
            triangles,
            Element::Face(0),
            (0.75, 0.5),
            "face 0: u + v is 1.25",
        ),
        (
            triangles,
            Element::Face(0),
            (-0.5, 0.5),
            "face 0: u is -0.5",
        ),
        (triangles, Element::Edge(2), (1.5, 0.0), "edge 2: u is 1.5"),
        (triangles, Element::Edge(2), (0.5, nan), "edge 2: v is NaN"),
        (
            triangles,
            Element::Vertex(1),
            (nan, 0.0),
            "vertex 1: u is NaN",
        ),
        (
            patches,
            Element::Patch(0),
            (0.5, -1e-11),
            "patch 0: v is -1e-11",
        ),
        (
            patches,
            Element::Patch(0),
            (f64::INFINITY, 0.5),
            "patch 0: u is inf",
        ),
        (patches, Element::Patch(1), (2.0, 0.0), "patch 1: u is 2.0"),
    ];
    for (mesh, element, at, text) in beyond {
        let error = mesh.weights_at(element, at).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("{text}, but must be from 0 to 1")
        );
    }
    for (mesh, element) in [
        (triangles, Element::Face(1)),
        (triangles, Element::Edge(3)),
        (triangles, Element::Vertex(3)),
        (triangles, Element::Patch(0)),
        (patches, Element::Patch(2)),
        (patches, Element::Vertex(u32::MAX)),
    ] {
        let error = mesh.weights_at(element, (0.0, 0.0)).unwrap_err();
        assert!(matches!(error, Error::UnknownElement { .. }), "{error:?}");
        assert_eq!(error.to_string(), format!("there is no {element}"));
    }
    // Roundings are none of it: the place is on the border.
    for (u, v) in [(1.0 + 1e-15, 0.5), (-1e-13, 0.5), (0.5, 1.0 + 5e-13)] {
        let weights = patches.weights_at(Element::Patch(0), (u, v)).unwrap();
        assert_sum_is_one(&weights);
    }
    let weights = triangles
        .weights_at(Element::Face(0), (0.3, 0.7 + 1e-15))
        .unwrap();
    assert_sum_is_one(&weights);
}
