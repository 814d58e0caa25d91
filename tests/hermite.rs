//! Hermite patches and their Bézier form.

use nalgebra::{Point3, Vector3, point, vector};
use patch_ccd::geometry::{
    HermiteGrid, HermiteNode, HermitePatch, Patch, Shape, TensorProductPatch,
};
use patch_ccd::{Error, Moving};
use proptest::prelude::*;

fn any_vector() -> impl Strategy<Value = Vector3<f64>> {
    prop::array::uniform3(-1.0..1.0_f64).prop_map(Vector3::from)
}

fn any_node() -> impl Strategy<Value = HermiteNode> {
    [any_vector(), any_vector(), any_vector(), any_vector()].prop_map(
        |[position, along_u, along_v, twist]| {
            let position = Point3::from(position);
            HermiteNode {
                position,
                along_u,
                along_v,
                twist,
            }
        },
    )
}

/// ∂²S/∂u∂v at a corner: the mixed differences of the control points of a polynomial patch, times its degrees.
fn twist(patch: &TensorProductPatch, (u, v): (usize, usize)) -> Vector3<f64> {
    let at = |i: usize, j: usize| patch.control_points()[i * 4 + j];
    let (i, j) = (2 * u, 2 * v);
    9.0 * ((at(i + 1, j + 1) - at(i, j + 1)) - (at(i + 1, j) - at(i, j)))
}

fn assert_near(found: Vector3<f64>, expected: Vector3<f64>, tolerance: f64) {
    assert!((found - expected).norm() < tolerance, "{found} {expected}");
}

/// A cubic function of two parameters, and its derivatives: position, by u, by v, by both.
fn bicubic(u: f64, v: f64) -> HermiteNode {
    let ([p, p1], [q, q1]) = (
        [1.0 - u + 0.5 * u * u * u, -1.0 + 1.5 * u * u],
        [v * v - 0.25 * v * v * v, 2.0 * v - 0.75 * v * v],
    );
    HermiteNode {
        position: point![u, v, p * q],
        along_u: vector![1.0, 0.0, p1 * q],
        along_v: vector![0.0, 1.0, p * q1],
        twist: vector![0.0, 0.0, p1 * q1],
    }
}

/// The nodes of a grid of elements of these widths on that surface, and where they are.
fn nodes_on(surface: impl Fn(f64, f64) -> HermiteNode, widths: [&[f64]; 2]) -> Vec<HermiteNode> {
    let places = widths.map(|widths| {
        let ends = widths.iter().scan(0.0, |end, width| {
            *end += width;
            Some(*end)
        });
        [0.0].into_iter().chain(ends).collect::<Vec<_>>()
    });
    let rows = places[0].iter();
    rows.flat_map(|&u| places[1].iter().map(|&v| surface(u, v)).collect::<Vec<_>>())
        .collect()
}

fn patches(grid: &HermiteGrid, nodes: &[HermiteNode]) -> Vec<TensorProductPatch> {
    let net = grid.points(nodes).unwrap();
    assert_eq!(net.len(), grid.grid().count());
    let patch = |indices: Vec<u32>| {
        let points: Vec<_> = indices.iter().map(|&i| net[i as usize]).collect();
        TensorProductPatch::new(3, 3, &points).unwrap()
    };
    grid.grid().all_indices().map(patch).collect()
}

const WIDTHS: [&[f64]; 2] = [&[0.5, 1.25, 0.125], &[2.0, 0.3]];

proptest! {
    #[test]
    fn the_shape_functions_give_the_points_of_the_patches(
        widths in prop::array::uniform2(prop::array::uniform3(0.1..4.0_f64)),
        nodes in prop::collection::vec(any_node(), 16),
        patch in 0..9_usize, u in 0.0..=1.0_f64, v in 0.0..=1.0_f64,
    ) {
        let grid = HermiteGrid::new(&widths[0], &widths[1]).unwrap();
        let net = grid.points(&nodes).unwrap();
        let indices = grid.grid().indices(patch).unwrap();
        let points: Vec<_> = indices.iter().map(|&index| net[index as usize]).collect();
        let expected = TensorProductPatch::new(3, 3, &points).unwrap().eval(u, v);
        let mut found = Vector3::zeros();
        for (node, factors) in grid.basis(patch, u, v).unwrap() {
            let node = nodes[node];
            let vectors = [node.position.coords, node.along_u, node.along_v, node.twist];
            found += factors.iter().zip(vectors).map(|(factor, vector)| vector * *factor).sum::<Vector3<f64>>();
        }
        assert_near(found, expected.coords, 1e-13);
        prop_assert_eq!(grid.basis(9, u, v), None);
        prop_assert_eq!(grid.widths_of(9), None);
        prop_assert_eq!(grid.basis(patch, f64::NAN, v), grid.basis(patch, 0.0, v));
        prop_assert_eq!(grid.widths_of(patch), Some([widths[0][patch / 3], widths[1][patch % 3]]));
    }
}

proptest! {
    #[test]
    fn forces_do_to_nodes_what_nodes_do_to_the_surface(
        nodes in prop::collection::vec(any_node(), 9), force in any_vector(),
        patch in 0..4_usize, u in 0.0..=1.0_f64, v in 0.0..=1.0_f64,
    ) {
        let grid = HermiteGrid::new(&[0.5, 2.0], &[1.0, 0.3]).unwrap();
        let as_velocity = |node: &HermiteNode| HermiteNode {
            position: node.position.coords,
            along_u: node.along_u,
            along_v: node.along_v,
            twist: node.twist,
        };
        let velocities: Vec<_> = nodes.iter().map(as_velocity).collect();
        let mut pushed = vec![HermiteNode::<Vector3<f64>>::default(); 9];
        let mut velocity = Vector3::zeros();
        for (node, factors) in grid.basis(patch, u, v).unwrap() {
            velocity += velocities[node].combine(&factors);
            pushed[node].add(&factors, &force);
        }
        let net = grid.velocities(&velocities).unwrap();
        let points: Vec<_> = grid.grid().indices(patch).unwrap().iter().map(|&at| Point3::from(net[at as usize])).collect();
        let expected = TensorProductPatch::new(3, 3, &points).unwrap().eval(u, v).coords;
        assert_near(velocity, expected, 1e-13);
        // The power is the same at the nodes.
        let power: f64 = pushed.iter().zip(&velocities).map(|(f, v)| {
            f.position.dot(&v.position) + f.along_u.dot(&v.along_u) + f.along_v.dot(&v.along_v) + f.twist.dot(&v.twist)
        }).sum();
        prop_assert!((power - force.dot(&expected)).abs() < 1e-13);
    }

    #[test]
    fn corners_have_the_derivatives_given(nodes in [any_node(), any_node(), any_node(), any_node()]) {
        let hermite = HermitePatch { nodes };
        let patch = hermite.to_bezier().unwrap();
        for (node, (u, v)) in nodes.iter().zip([(0, 0), (0, 1), (1, 0), (1, 1)]) {
            let (x, y) = (u as f64, v as f64);
            prop_assert_eq!(patch.eval(x, y), node.position);
            let (by_u, by_v) = patch.partials(x, y);
            prop_assert!((by_u - node.along_u).norm() < 1e-14 && (by_v - node.along_v).norm() < 1e-14);
            prop_assert!((twist(&patch, (u, v)) - node.twist).norm() < 1e-13);
            // And by differences.
            let h = 1e-4;
            let slope = |u| (patch.eval(u, y + h) - patch.eval(u, y - h)) / (2.0 * h);
            let mixed = (slope(x + h) - slope(x - h)) / (2.0 * h);
            prop_assert!((mixed - node.twist).norm() < 1e-5, "{mixed} {}", node.twist);
        }
        let back = HermitePatch::from_bezier(&patch).unwrap();
        for (found, given) in back.nodes.iter().zip(&nodes) {
            prop_assert!((found.position - given.position).norm() < 1e-15);
            prop_assert!((found.along_u - given.along_u).norm() < 1e-14);
            prop_assert!((found.along_v - given.along_v).norm() < 1e-14);
            prop_assert!((found.twist - given.twist).norm() < 1e-13);
        }
    }

    #[test]
    fn bezier_patches_come_back(points in prop::collection::vec(any_vector(), 16)) {
        let points: Vec<_> = points.into_iter().map(Point3::from).collect();
        let patch = TensorProductPatch::new(3, 3, &points).unwrap();
        let back = HermitePatch::from_bezier(&patch).unwrap().to_bezier().unwrap();
        for (found, given) in back.control_points().iter().zip(&points) {
            prop_assert!((found - given).norm() < 2e-15);
        }
    }

    /// Elements of unequal width, whatever their nodes: the derivatives agree across the sides that they share.
    #[test]
    fn grids_are_continuously_differentiable(nodes in prop::collection::vec(any_node(), 12), x in 0.0..=1.0_f64) {
        let grid = HermiteGrid::new(WIDTHS[0], WIDTHS[1]).unwrap();
        prop_assert_eq!((grid.nodes(), grid.grid().patches()), ([4, 3], [3, 2]));
        let patches = patches(&grid, &nodes);
        let partials = |k: usize, l: usize, u, v| {
            let (by_u, by_v) = patches[k * 2 + l].partials(u, v);
            [by_u / WIDTHS[0][k], by_v / WIDTHS[1][l]]
        };
        for k in 0..3 {
            for l in 0..2 {
                if k < 2 {
                    prop_assert_eq!(patches[k * 2 + l].eval(1.0, x), patches[k * 2 + 2 + l].eval(0.0, x));
                    for (one, two) in partials(k, l, 1.0, x).iter().zip(&partials(k + 1, l, 0.0, x)) {
                        prop_assert!((one - two).norm() < 1e-13 * (1.0 + one.norm()), "{one} {two}");
                    }
                }
                if l < 1 {
                    prop_assert_eq!(patches[k * 2 + l].eval(x, 1.0), patches[k * 2 + l + 1].eval(x, 0.0));
                    for (one, two) in partials(k, l, x, 1.0).iter().zip(&partials(k, l + 1, x, 0.0)) {
                        prop_assert!((one - two).norm() < 1e-13 * (1.0 + one.norm()), "{one} {two}");
                    }
                }
            }
        }
    }

    /// A bicubic surface is what its nodes say, wherever it is cut into elements.
    #[test]
    fn bicubic_surfaces_are_reproduced(u in 0.0..=1.0_f64, v in 0.0..=1.0_f64) {
        let grid = HermiteGrid::new(WIDTHS[0], WIDTHS[1]).unwrap();
        let patches = patches(&grid, &nodes_on(bicubic, WIDTHS));
        let (mut start_u, mut worst) = (0.0, 0.0_f64);
        for (k, width_u) in WIDTHS[0].iter().enumerate() {
            let mut start_v = 0.0;
            for (l, width_v) in WIDTHS[1].iter().enumerate() {
                let exact = bicubic(start_u + u * width_u, start_v + v * width_v).position;
                worst = worst.max((patches[k * 2 + l].eval(u, v) - exact).norm());
                start_v += width_v;
            }
            start_u += width_u;
        }
        prop_assert!(worst < 1e-14, "{worst}");
    }
}

#[test]
fn velocities_are_those_of_the_nodes() {
    let grid = HermiteGrid::new(WIDTHS[0], WIDTHS[1]).unwrap();
    let start = nodes_on(bicubic, WIDTHS);
    let wave =
        |i: usize, k: f64| vector![(i as f64 + k).sin(), (2.0 * i as f64 + k).cos(), k / 9.0];
    let velocities: Vec<_> = (0..start.len())
        .map(|i| HermiteNode {
            position: wave(i, 1.0),
            along_u: wave(i, 2.0),
            along_v: wave(i, 3.0),
            twist: wave(i, 4.0),
        })
        .collect();
    let after = |t: f64| -> Vec<_> {
        let nodes = start.iter().zip(&velocities);
        nodes
            .map(|(node, velocity)| node.advanced(velocity, t))
            .collect()
    };
    let net = grid.velocities(&velocities).unwrap();
    let (first, later) = (patches(&grid, &start), patches(&grid, &after(0.75)));
    for ((patch, later), indices) in first.into_iter().zip(&later).zip(grid.grid().all_indices()) {
        let velocities: Vec<_> = indices.iter().map(|&i| net[i as usize]).collect();
        let moving = Moving::with_velocities(patch, &velocities).unwrap();
        let (found, exact) = (moving.eval(0.3, 0.8, 0.75), later.eval(0.3, 0.8));
        assert_near(found.coords, exact.coords, 1e-14);
    }
}

#[test]
fn patches_have_their_nodes_at_their_corners() {
    let grid = HermiteGrid::new(WIDTHS[0], WIDTHS[1]).unwrap();
    let nodes = nodes_on(bicubic, WIDTHS);
    for (number, patch) in patches(&grid, &nodes).iter().enumerate() {
        let corners = grid
            .nodes_of(number)
            .unwrap()
            .map(|node| nodes[node].position);
        let [k, l] = grid.grid().position(number).unwrap();
        assert_eq!(k * grid.grid().patches()[1] + l, number);
        let parameters = [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)];
        assert_eq!(corners, parameters.map(|(u, v)| patch.eval(u, v)));
    }
    for beyond in [6, usize::MAX] {
        assert_eq!(
            (grid.nodes_of(beyond), grid.grid().position(beyond)),
            (None, None)
        );
    }
}

#[test]
fn grids_without_elements_have_no_patches() {
    let grid = HermiteGrid::new(&[], &[1.0, 1.0]).unwrap();
    assert_eq!((grid.nodes(), grid.grid().net()), ([1, 3], [1, 7]));
    assert_eq!(grid.grid().all_indices().count(), 0);
    let nodes = nodes_on(bicubic, [&[], &[1.0, 1.0]]);
    assert_eq!(grid.points(&nodes).unwrap().len(), 7);
    let grid = *HermiteGrid::new(&[1.0], &[]).unwrap().grid();
    for patch in [0, 1, usize::MAX] {
        assert_eq!((grid.indices(patch), grid.position(patch)), (None, None));
    }
}

#[test]
fn errors_name_node_and_value() {
    for (value, text) in [
        (
            0.0,
            "width along v 1 is 0.0, but must be positive and finite",
        ),
        (
            -0.5,
            "width along v 1 is -0.5, but must be positive and finite",
        ),
        (
            f64::INFINITY,
            "width along v 1 is inf, but must be positive and finite",
        ),
        (
            f64::NAN,
            "width along v 1 is NaN, but must be positive and finite",
        ),
    ] {
        let error = HermiteGrid::new(&[1.0], &[1.0, value, 1.0]).unwrap_err();
        assert_eq!(error.to_string(), text);
    }
    let error = HermiteGrid::new(&[-1.0], &[0.0]).unwrap_err();
    assert!(matches!(
        error,
        Error::Width {
            argument: "width along u",
            index: 0,
            ..
        }
    ));

    let grid = HermiteGrid::new(&[1.0, 2.0], &[1.0]).unwrap();
    let nodes = nodes_on(bicubic, [&[1.0, 2.0], &[1.0]]);
    let error = grid.points(&nodes[1..]).unwrap_err();
    let text = "nodes: 5 given, but the grid of 2 × 1 Hermite elements has 6";
    assert_eq!(error.to_string(), text);

    let texts = [
        "position of node 4: coordinate 1 is NaN, not a finite number",
        "tangent along u of node 4: coordinate 1 is NaN, not a finite number",
        "tangent along v of node 4: coordinate 1 is NaN, not a finite number",
        "twist of node 4: coordinate 1 is NaN, not a finite number",
    ];
    for (part, text) in texts.into_iter().enumerate() {
        let mut nodes = nodes.clone();
        let node = &mut nodes[4];
        let parts = [
            &mut node.position.coords,
            &mut node.along_u,
            &mut node.along_v,
            &mut node.twist,
        ];
        parts.into_iter().nth(part).unwrap().y = f64::NAN;
        assert_eq!(grid.points(&nodes).unwrap_err().to_string(), text);
    }
    let zero = HermiteNode {
        position: Vector3::zeros(),
        along_u: Vector3::zeros(),
        along_v: vector![0.0, 0.0, f64::INFINITY],
        twist: Vector3::zeros(),
    };
    let error = grid.velocities(&[zero; 6]).unwrap_err();
    let text =
        "velocity of the tangent along v of node 0: coordinate 2 is inf, not a finite number";
    assert_eq!(error.to_string(), text);

    let huge = HermiteNode {
        along_u: Vector3::repeat(f64::MAX),
        along_v: Vector3::repeat(f64::MAX),
        twist: Vector3::repeat(f64::MAX),
        ..HermiteNode {
            position: Point3::from(Vector3::repeat(f64::MAX)),
            ..nodes[0]
        }
    };
    let error = HermitePatch { nodes: [huge; 4] }.to_bezier().unwrap_err();
    let text = "control point of the Bézier net 1: coordinate 0 is inf, not a finite number";
    assert_eq!(error.to_string(), text);
}

#[test]
fn only_bicubic_patches_have_a_hermite_form() {
    let (n, m) = (3, 2);
    let patch = TensorProductPatch::new(n, m, &[Point3::origin(); 12]).unwrap();
    let error = HermitePatch::from_bezier(&patch).unwrap_err();
    let expected = Shape::TensorProduct { n: 3, m: 3 }.to_string();
    let found = Shape::TensorProduct { n, m }.to_string();
    assert_eq!(error, Error::Shape { expected, found });
    let text = "a tensor-product patch of degree (3, 2) is given where a tensor-product patch of degree (3, 3) belongs";
    assert_eq!(error.to_string(), text);
}

#[test]
fn derivatives_beyond_the_range_of_doubles_are_refused() {
    let points: Vec<_> = (0..16)
        .map(|k| point![if k % 2 == 0 { 1e308 } else { -1e308 }, f64::from(k), 0.0])
        .collect();
    let patch = TensorProductPatch::new(3, 3, &points).unwrap();
    let error = HermitePatch::from_bezier(&patch).unwrap_err().to_string();
    assert!(
        error.starts_with("tangent along v of node 0: coordinate 0 is -inf"),
        "{error}"
    );
    // Widths that cancel do not overflow on the way.
    let grid = HermiteGrid::new(&[1e200], &[1e-200]).unwrap();
    let node = HermiteNode {
        position: Point3::origin(),
        along_u: Vector3::zeros(),
        along_v: Vector3::zeros(),
        twist: vector![1e150, 0.0, 0.0],
    };
    let net = grid.points(&[node; 4]).unwrap();
    assert!((net[5].x - 1e150 / 9.0).abs() < 1e136);
    let steep = HermiteNode {
        along_u: vector![1e200, 0.0, 0.0],
        ..node
    };
    let error = grid.points(&[steep; 4]).unwrap_err().to_string();
    assert!(
        error.starts_with("control point of the Bézier net 4: coordinate 0 is inf"),
        "{error}"
    );
}
