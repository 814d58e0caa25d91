//! Knots, and the widths and nodes of Hermite grids.

use nalgebra::{Point3, Vector3, point, vector};
use patch_ccd::Error;
use patch_ccd::geometry::{
    HermiteGrid, HermiteNode, HermitePatch, KnotVector, NurbsCurve, Patch, Shape,
    TensorProductPatch,
};
use patch_ccd::mesh::PatchMesh;
use proptest::prelude::*;

use super::{FINITE, NOT_FINITE, assert_text, told};

#[test]
fn knots_that_are_none() {
    for (degree, knots, text) in [
        (
            2,
            &[0.0, 0.0, 0.0, 1.0, 1.0][..],
            "knots: 5 given, but degree 2 takes 6 at least",
        ),
        (1, &[], "knots: 0 given, but degree 1 takes 4 at least"),
        (
            1,
            &[0.0, 0.0, f64::NAN, 1.0, 1.0],
            "knot 2 is NaN, not a finite number",
        ),
        (
            1,
            &[f64::NEG_INFINITY, 0.0, 1.0, 1.0],
            "knot 0 is -inf, not a finite number",
        ),
        (
            1,
            &[0.0, 0.0, 0.75, 0.5, 1.0, 1.0],
            "knot 3 is 0.5, but the one before it is 0.75",
        ),
        (
            2,
            &[0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0],
            "knot 0 is 0.0 and is given 4 times, but may be at most 3 times there",
        ),
        (
            1,
            &[0.0, 0.0, 1.0, 1.0, 1.0],
            "knot 2 is 1.0 and is given 3 times, but may be at most 2 times there",
        ),
        (
            1,
            &[0.0, 0.5, 0.5, 1.0],
            "the domain is empty: knots 1 to 2 are all 0.5",
        ),
        (
            3,
            &[2.0; 9],
            "the domain is empty: knots 3 to 5 are all 2.0",
        ),
    ] {
        assert_text(KnotVector::new(degree, knots), text);
    }
    for (degree, knots, text) in [
        (
            2,
            &[0.0, 0.0, 1.0][..],
            "knots: 3 given, but degree 2 takes 4 at least",
        ),
        (1, &[], "knots: 0 given, but degree 1 takes 2 at least"),
        (
            1,
            &[0.0, f64::INFINITY],
            "knot 1 is inf, not a finite number",
        ),
        (
            1,
            &[0.0, 1.0, 0.5],
            "knot 2 is 0.5, but the one before it is 1.0",
        ),
        // The other form given by mistake.
        (
            2,
            &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0],
            "knot 0 is 0.0 and is given 3 times, but may be at most 2 times there",
        ),
        (
            2,
            &[0.0, 0.0, 0.5, 1.0, 1.0, 1.0],
            "knot 3 is 1.0 and is given 3 times, but may be at most 2 times there",
        ),
        (
            2,
            &[0.0, 1.0, 1.0, 2.0],
            "the domain is empty: knots 1 to 2 are all 1.0",
        ),
    ] {
        assert_text(KnotVector::from_opennurbs(degree, knots), text);
    }
    let many = [&[-1.0][..], &[0.0; 1000], &[1.0, 2.0]].concat();
    let text = "the domain is empty: knots 2 to 1000 are all 0.0";
    assert_text(KnotVector::new(2, &many), text);
    let mut long: Vec<f64> = (0..100_000).map(f64::from).collect();
    let spans = KnotVector::new(3, &long).unwrap();
    assert_eq!(spans.spans().len(), 100_000 - 7);
    long[50_000] = f64::NAN;
    let text = "knot 50000 is NaN, not a finite number";
    assert_text(KnotVector::new(3, &long), text);
}

/// Knots of any size, and as close as doubles can be.
#[test]
fn knots_of_all_sizes() {
    for [a, b] in FINITE.iter().flat_map(|&a| FINITE.map(|b| [a, b])) {
        let made = KnotVector::new(1, &[a, a, b, b]);
        if a >= b {
            assert!(made.is_err(), "{a:?} {b:?}");
            continue;
        }
        let made = made.unwrap();
        assert_eq!(made.domain(), [a, b]);
        let points = [Point3::origin(), point![1.0, 1.0, 1.0]];
        let curve = NurbsCurve::new(made, &points, None).unwrap();
        for u in NOT_FINITE.into_iter().chain(FINITE) {
            assert_eq!(curve.knots().span_at(u), 0);
            let x = curve.eval(u).x;
            assert!(
                u.is_nan() || (0.0..=1.0).contains(&x),
                "{x} at {u:?} in [{a:?}, {b:?}]"
            );
            curve.derivative(u);
        }
        assert_eq!((curve.eval(a).x, curve.eval(b).x), (0.0, 1.0));
    }
}

proptest! {
    /// Whatever the knots, an error or a vector with the numbers that belong together.
    #[test]
    fn any_list_of_knots(
        degree in 0..5_usize,
        mut knots in prop::collection::vec(-3..3_i32, 0..14),
        sorted: bool,
        opennurbs: bool,
    ) {
        if sorted {
            knots.sort_unstable();
        }
        let knots: Vec<_> = knots.into_iter().map(f64::from).collect();
        let (made, dropped) = match opennurbs {
            true => (KnotVector::from_opennurbs(degree, &knots), 2),
            false => (KnotVector::new(degree, &knots), 0),
        };
        if let Ok(made) = made {
            prop_assert_eq!(made.count() + degree + 1, knots.len() + dropped);
            let spans: Vec<_> = made.spans().collect();
            prop_assert_eq!([spans[0][0], spans[spans.len() - 1][1]], made.domain());
            prop_assert!(spans.windows(2).all(|pair| pair[0][1] == pair[1][0]));
            for (number, [start, end]) in spans.into_iter().enumerate() {
                prop_assert!(start < end);
                prop_assert_eq!(made.span_at(0.5 * (start + end)), number);
            }
            let points: Vec<_> = (0..made.count()).map(|i| point![i as f64, 1.0, 2.0]).collect();
            let curve = NurbsCurve::new(made, &points, None).unwrap();
            let grid = curve.extraction().grid().clone();
            let pieces = curve.split().unwrap();
            prop_assert_eq!(grid.count(), pieces.len() * degree + 1 + grid.gaps()[0].len());
            for piece in pieces {
                let (u, _) = piece.span.map(0.5, 0.0);
                let apart = piece.patch.eval(0.5, 0.0) - curve.eval(u);
                prop_assert!(apart.norm() < 1e-14);
            }
        }
    }
}

fn node(along_v: f64) -> HermiteNode {
    HermiteNode {
        position: Point3::origin(),
        along_u: Vector3::x(),
        along_v: vector![0.0, along_v, 0.0],
        twist: Vector3::zeros(),
    }
}

#[test]
fn widths() {
    let none = [0.0, -0.0, -0.5, -1.0, -5e-324, f64::MIN];
    for value in NOT_FINITE.into_iter().chain(none) {
        for index in 0..3 {
            let mut widths = [1.0; 3];
            widths[index] = value;
            let is = format!("{index} is {value:?}, but must be positive and finite");
            let [u, v] = ["u", "v"].map(|side| format!("width along {side} {is}"));
            assert_text(HermiteGrid::new(&widths, &[1.0]), &u);
            assert_text(HermiteGrid::new(&widths, &[value]), &u);
            assert_text(HermiteGrid::new(&[1.0], &widths), &v);
        }
    }
    // Of any size, as long as the products with the derivatives are in range.
    for width in [5e-324, 1e-300, 1.0, 1e100] {
        let grid = HermiteGrid::new(&[width], &[width]).unwrap();
        assert_eq!(grid.points(&[node(1.0); 4]).unwrap().len(), 16);
    }
    let wide = HermiteGrid::new(&[f64::MAX], &[f64::MAX]).unwrap();
    let text = told(wide.points(&[node(1e10); 4])).unwrap_err();
    assert!(
        text.starts_with("control point of the Bézier net "),
        "{text}"
    );
    // Widths that cancel do not overflow on the way.
    let grid = HermiteGrid::new(&[1e200], &[1e-200]).unwrap();
    let flat = HermiteNode {
        along_u: Vector3::zeros(),
        twist: vector![1e150, 0.0, 0.0],
        ..node(0.0)
    };
    let net = grid.points(&[flat; 4]).unwrap();
    assert!((net[5].x - 1e150 / 9.0).abs() < 1e136);
    let steep = HermiteNode {
        along_u: vector![1e200, 0.0, 0.0],
        ..flat
    };
    assert_text(
        grid.points(&[steep; 4]),
        "control point of the Bézier net 4: coordinate 0 is inf, not a finite number",
    );
}

#[test]
fn between_hermite_and_bezier() {
    let most = Vector3::repeat(f64::MAX);
    let huge = HermiteNode {
        position: most.into(),
        along_u: most,
        along_v: most,
        twist: most,
    };
    assert_text(
        HermitePatch { nodes: [huge; 4] }.to_bezier(),
        "control point of the Bézier net 1: coordinate 0 is inf, not a finite number",
    );
    let x = |k: u8| if k.is_multiple_of(2) { 1e308 } else { -1e308 };
    let points: Vec<_> = (0..16).map(|k| point![x(k), f64::from(k), 0.0]).collect();
    let steep = TensorProductPatch::new(3, 3, &points).unwrap();
    assert_text(
        HermitePatch::from_bezier(&steep),
        "tangent along v of node 0: coordinate 0 is -inf, not a finite number",
    );
    let expected = Shape::TensorProduct { n: 3, m: 3 };
    for (n, m) in [(1, 1), (3, 2), (2, 3)] {
        let found = Shape::TensorProduct { n, m };
        let net = vec![Point3::origin(); found.count()];
        let patch = TensorProductPatch::new(n, m, &net).unwrap();
        let error = HermitePatch::from_bezier(&patch).unwrap_err();
        assert_eq!(
            error,
            Error::Shape {
                expected: expected.to_string(),
                found: found.to_string(),
            }
        );
        let text = format!("a {found} is given where a {expected} belongs");
        assert_eq!(error.to_string(), text);
    }
}

/// Grids without elements, and with more control points than a mesh can have.
#[test]
fn grids() {
    for [a, b] in [[0, 0], [0, 2], [3, 0], [1, 1]] {
        let made = HermiteGrid::new(&vec![1.0; a], &vec![1.0; b]).unwrap();
        let grid = made.grid();
        assert_eq!(made.nodes(), [a + 1, b + 1]);
        assert_eq!(grid.net(), [3 * a + 1, 3 * b + 1]);
        assert_eq!(grid.all_indices().count(), a * b);
        let nodes = vec![node(1.0); (a + 1) * (b + 1)];
        assert_eq!(made.points(&nodes).unwrap().len(), grid.count());
        assert_eq!(PatchMesh::from_grid(grid, None).unwrap().len(), a * b);
        for number in [a * b, 4, 5, usize::MAX] {
            assert_eq!((made.nodes_of(number), grid.position(number)), (None, None));
            assert_eq!(grid.indices(number), None);
        }
    }
    let many = vec![1.0; 1 << 20];
    let heap = allocation_counter::measure(|| {
        let grid = HermiteGrid::new(&many, &many).unwrap();
        assert_eq!(grid.grid().indices(1 << 40), None);
        let text = told(PatchMesh::from_grid(grid.grid(), None)).unwrap_err();
        assert!(text.starts_with("control points: "), "{text}");
        assert!(grid.points(&[node(1.0); 4]).is_err());
    });
    // The distances of its rows from their nodes, and no net.
    assert!(heap.bytes_max < 200 << 20, "{}", heap.bytes_max);
}
