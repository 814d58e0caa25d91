//! Hermite patches and their Bézier form.

use nalgebra::{Point3, Vector3, point, vector};
use patch_ccd::Moving;
use patch_ccd::geometry::{HermiteGrid, HermiteNode, HermitePatch, Patch, TensorProductPatch};
use proptest::prelude::*;

type Rate = HermiteNode<Vector3<f64>>;

fn any_vector() -> impl Strategy<Value = Vector3<f64>> {
    prop::array::uniform3(-1.0..1.0_f64).prop_map(Vector3::from)
}

fn any_rate() -> impl Strategy<Value = Rate> {
    let parts = prop::array::uniform4(any_vector());
    parts.prop_map(|[position, along_u, along_v, twist]| HermiteNode {
        position,
        along_u,
        along_v,
        twist,
    })
}

fn any_node() -> impl Strategy<Value = HermiteNode> {
    any_rate().prop_map(|node| HermiteNode {
        position: Point3::from(node.position),
        along_u: node.along_u,
        along_v: node.along_v,
        twist: node.twist,
    })
}

/// ∂²S/∂u∂v at a corner: the mixed differences of the control points of a polynomial patch, times
/// its degrees.
fn twist(patch: &TensorProductPatch, (u, v): (usize, usize)) -> Vector3<f64> {
    let at = |i: usize, j: usize| patch.control_points()[i * 4 + j];
    let (i, j) = (2 * u, 2 * v);
    9.0 * ((at(i + 1, j + 1) - at(i, j + 1)) - (at(i + 1, j) - at(i, j)))
}

/// A cubic function of two parameters, and its derivatives: position, by u, by v, by both.
fn bicubic(u: f64, v: f64) -> HermiteNode {
    let [p, p1] = [1.0 - u + 0.5 * u * u * u, -1.0 + 1.5 * u * u];
    let [q, q1] = [v * v - 0.25 * v * v * v, 2.0 * v - 0.75 * v * v];
    HermiteNode {
        position: point![u, v, p * q],
        along_u: vector![1.0, 0.0, p1 * q],
        along_v: vector![0.0, 1.0, p * q1],
        twist: vector![0.0, 0.0, p1 * q1],
    }
}

const WIDTHS: [&[f64]; 2] = [&[0.5, 1.25, 0.125], &[2.0, 0.3]];

fn grid() -> HermiteGrid {
    HermiteGrid::new(WIDTHS[0], WIDTHS[1]).unwrap()
}

/// The nodes of that grid on the bicubic surface.
fn nodes() -> Vec<HermiteNode> {
    let [along_u, along_v] = WIDTHS.map(|widths| {
        let end = |count| widths[..count].iter().sum();
        (0..=widths.len()).map(end).collect::<Vec<f64>>()
    });
    let rows = along_u.iter();
    rows.flat_map(|&u| along_v.iter().map(move |&v| bicubic(u, v)))
        .collect()
}

/// The Bézier patches of a net.
fn patches(grid: &HermiteGrid, net: &[Point3<f64>]) -> Vec<TensorProductPatch> {
    assert_eq!(net.len(), grid.grid().count());
    let patch = |indices: Vec<u32>| {
        let points: Vec<_> = indices.iter().map(|&i| net[i as usize]).collect();
        TensorProductPatch::new(3, 3, &points).unwrap()
    };
    grid.grid().all_indices().map(patch).collect()
}

fn patches_of(grid: &HermiteGrid, nodes: &[HermiteNode]) -> Vec<TensorProductPatch> {
    patches(grid, &grid.points(nodes).unwrap())
}

proptest! {
    #[test]
    fn the_shape_functions_give_the_points_of_the_patches(
        widths in prop::array::uniform2(prop::array::uniform3(0.1..4.0_f64)),
        nodes in prop::collection::vec(any_node(), 16),
        patch in 0..9_usize,
        [u, v] in prop::array::uniform2(0.0..=1.0_f64),
    ) {
        let grid = HermiteGrid::new(&widths[0], &widths[1]).unwrap();
        let expected = patches_of(&grid, &nodes)[patch].eval(u, v);
        let mut found = Vector3::zeros();
        for (node, factors) in grid.basis(patch, u, v).unwrap() {
            let node = nodes[node];
            let vectors = [node.position.coords, node.along_u, node.along_v, node.twist];
            let terms = factors.iter().zip(vectors).map(|(factor, vector)| vector * *factor);
            found += terms.sum::<Vector3<f64>>();
        }
        prop_assert!((found - expected.coords).norm() < 1e-13, "{found} {expected}");
        prop_assert_eq!(grid.basis(9, u, v), None);
        prop_assert_eq!(grid.widths_of(9), None);
        prop_assert_eq!(grid.basis(patch, f64::NAN, v), grid.basis(patch, 0.0, v));
        let expected = [widths[0][patch / 3], widths[1][patch % 3]];
        prop_assert_eq!(grid.widths_of(patch), Some(expected));
    }

    #[test]
    fn forces_do_to_nodes_what_nodes_do_to_the_surface(
        rates in prop::collection::vec(any_rate(), 12),
        force in any_vector(),
        patch in 0..6_usize,
        [u, v] in prop::array::uniform2(0.0..=1.0_f64),
    ) {
        let grid = grid();
        let mut pushed = vec![Rate::default(); 12];
        let mut velocity = Vector3::zeros();
        for (node, factors) in grid.basis(patch, u, v).unwrap() {
            velocity += rates[node].combine(&factors);
            pushed[node].add(&factors, &force);
        }
        let net: Vec<_> = grid.velocities(&rates).unwrap().into_iter().map(Point3::from).collect();
        let expected = patches(&grid, &net)[patch].eval(u, v).coords;
        prop_assert!((velocity - expected).norm() < 1e-13, "{velocity} {expected}");
        // The power is the same at the nodes.
        let power = |(f, v): (&Rate, &Rate)| {
            let tangents = f.along_u.dot(&v.along_u) + f.along_v.dot(&v.along_v);
            f.position.dot(&v.position) + tangents + f.twist.dot(&v.twist)
        };
        let power: f64 = pushed.iter().zip(&rates).map(power).sum();
        prop_assert!((power - force.dot(&expected)).abs() < 1e-13);
    }

    #[test]
    fn corners_have_the_derivatives_given(nodes in prop::array::uniform4(any_node())) {
        let patch = HermitePatch { nodes }.to_bezier().unwrap();
        let back = HermitePatch::from_bezier(&patch).unwrap();
        let corners = [(0, 0), (0, 1), (1, 0), (1, 1)];
        for ((node, back), (u, v)) in nodes.iter().zip(back.nodes).zip(corners) {
            let (x, y) = (u as f64, v as f64);
            prop_assert_eq!(patch.eval(x, y), node.position);
            let (by_u, by_v) = patch.partials(x, y);
            prop_assert!((by_u - node.along_u).norm() < 1e-14);
            prop_assert!((by_v - node.along_v).norm() < 1e-14);
            prop_assert!((twist(&patch, (u, v)) - node.twist).norm() < 1e-13);
            // And by differences.
            let h = 1e-4;
            let slope = |u| (patch.eval(u, y + h) - patch.eval(u, y - h)) / (2.0 * h);
            let mixed = (slope(x + h) - slope(x - h)) / (2.0 * h);
            prop_assert!((mixed - node.twist).norm() < 1e-5, "{mixed} {}", node.twist);
            prop_assert!((back.position - node.position).norm() < 1e-15);
            prop_assert!((back.along_u - node.along_u).norm() < 1e-14);
            prop_assert!((back.along_v - node.along_v).norm() < 1e-14);
            prop_assert!((back.twist - node.twist).norm() < 1e-13);
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

    /// Elements of unequal width, whatever their nodes: the derivatives agree across the sides that
    /// they share.
    #[test]
    fn grids_are_continuously_differentiable(
        nodes in prop::collection::vec(any_node(), 12),
        x in 0.0..=1.0_f64,
    ) {
        let grid = grid();
        prop_assert_eq!((grid.nodes(), grid.grid().patches()), ([4, 3], [3, 2]));
        let patches = patches_of(&grid, &nodes);
        let jet = |k: usize, l: usize, (u, v)| {
            let patch = &patches[k * 2 + l];
            let (by_u, by_v) = patch.partials(u, v);
            (patch.eval(u, v), [by_u / WIDTHS[0][k], by_v / WIDTHS[1][l]])
        };
        let across_u = [0, 1].map(|k| [0, 1].map(|l| [
            jet(k, l, (1.0, x)),
            jet(k + 1, l, (0.0, x)),
        ]));
        let across_v = [0, 1, 2].map(|k| [jet(k, 0, (x, 1.0)), jet(k, 1, (x, 0.0))]);
        for [(here, partials), (there, others)] in across_u.into_iter().flatten().chain(across_v) {
            prop_assert_eq!(here, there);
            for (one, two) in partials.iter().zip(&others) {
                let apart = (one - two).norm();
                prop_assert!(apart < 1e-13 * (1.0 + one.norm()), "{one} {two}");
            }
        }
    }

    /// A bicubic surface is what its nodes say, wherever it is cut into elements.
    #[test]
    fn bicubic_surfaces_are_reproduced([u, v] in prop::array::uniform2(0.0..=1.0_f64)) {
        let patches = patches_of(&grid(), &nodes());
        for (number, patch) in patches.iter().enumerate() {
            let [k, l] = [number / 2, number % 2];
            let at = |widths: &[f64], k: usize, u| widths[..k].iter().sum::<f64>() + u * widths[k];
            let exact = bicubic(at(WIDTHS[0], k, u), at(WIDTHS[1], l, v)).position;
            prop_assert!((patch.eval(u, v) - exact).norm() < 1e-14);
        }
    }

    #[test]
    fn velocities_are_those_of_the_nodes(
        rates in prop::collection::vec(any_rate(), 12),
        [u, v, t] in prop::array::uniform3(0.0..=1.0_f64),
    ) {
        let (grid, start) = (grid(), nodes());
        let moved = start.iter().zip(&rates).map(|(node, rate)| node.advanced(rate, t));
        let (first, later) = (patches_of(&grid, &start), patches_of(&grid, &Vec::from_iter(moved)));
        let net = grid.velocities(&rates).unwrap();
        for ((first, later), indices) in first.into_iter().zip(later).zip(grid.grid().all_indices())
        {
            let velocities: Vec<_> = indices.iter().map(|&i| net[i as usize]).collect();
            let moving = Moving::with_velocities(first, &velocities).unwrap();
            prop_assert!((moving.eval(u, v, t) - later.eval(u, v)).norm() < 1e-14);
        }
    }
}

#[test]
fn patches_have_their_nodes_at_their_corners() {
    let (grid, nodes) = (grid(), nodes());
    for (number, patch) in patches_of(&grid, &nodes).iter().enumerate() {
        let corners = grid.nodes_of(number).unwrap();
        let [k, l] = grid.grid().position(number).unwrap();
        assert_eq!(k * grid.grid().patches()[1] + l, number);
        let parameters = [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)];
        let expected = parameters.map(|(u, v)| patch.eval(u, v));
        assert_eq!(corners.map(|node| nodes[node].position), expected);
    }
}
