//! Knots, NURBS, their spans and nets, Hermite patches and grids.

use nalgebra::{Point3, Vector3, Vector4, point};
use patch_ccd::geometry::{
    HermiteGrid, HermiteNode, HermitePatch, KnotVector, NurbsCurve, NurbsSpan, NurbsSurface,
    TensorProductPatch,
};
use patch_ccd::mesh::PatchMesh;

use super::{FINITE, NO_DEGREES, NOT_FINITE, assert_text};

#[test]
fn degrees() {
    for value in NO_DEGREES {
        let text = format!("degree is {value}, but must be from 1 to 30");
        assert_text(KnotVector::new(value, &[0.0, 0.0, 1.0, 1.0]), &text);
        assert_text(KnotVector::from_opennurbs(value, &[0.0, 1.0]), &text);
    }
    let knots: Vec<f64> = (0..62).map(|i| f64::from(i / 31)).collect();
    assert_eq!(KnotVector::new(30, &knots).unwrap().count(), 31);
}

/// Knots of any size, and as close as doubles can be.
#[test]
fn knots() {
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
    let many: Vec<f64> = std::iter::once(-1.0)
        .chain([0.0; 1000])
        .chain([1.0, 2.0])
        .collect();
    assert_text(
        KnotVector::new(2, &many),
        "the domain is empty: knots 2 to 1000 are all 0.0",
    );
    let mut long = vec![0.0; 100_000];
    long.iter_mut()
        .enumerate()
        .for_each(|(i, knot)| *knot = i as f64);
    assert_eq!(
        KnotVector::new(3, &long).unwrap().spans().len(),
        100_000 - 7
    );
    long[50_000] = f64::NAN;
    assert_text(
        KnotVector::new(3, &long),
        "knot 50000 is NaN, not a finite number",
    );
}

fn bilinear() -> [KnotVector; 2] {
    let linear = KnotVector::new(1, &[0.0, 0.0, 1.0, 1.0]).unwrap();
    [linear.clone(), linear]
}

#[test]
fn nets() {
    let owner = "NURBS surface of degree (1, 1) with 4 × 4 knots has 4";
    for count in [0, 1, 3, 5, 1000] {
        let points = vec![Point3::origin(); count];
        let text = |argument: &str| format!("{argument}: {count} given, but the {owner}");
        assert_text(
            NurbsSurface::new(bilinear(), &points, None),
            &text("control points"),
        );
        let weights = vec![1.0; count];
        assert_text(
            NurbsSurface::new(bilinear(), &[Point3::origin(); 4], Some(&weights)),
            &text("weights"),
        );
        let homogeneous = vec![Vector4::new(0.0, 0.0, 0.0, 1.0); count];
        assert_text(
            NurbsSurface::from_homogeneous(bilinear(), &homogeneous),
            &text("control points"),
        );
        let surface = NurbsSurface::new(bilinear(), &[Point3::origin(); 4], None).unwrap();
        let extraction = surface.extraction();
        assert_text(extraction.points(&points), &text("control points"));
        let velocities = vec![Vector3::zeros(); count];
        assert_text(extraction.velocities(&velocities), &text("velocities"));
        assert_text(surface.split_moving(&velocities), &text("velocities"));
        assert_text(surface.split_between(&points), &text("end points"));
    }
}

#[test]
fn weights() {
    for value in NOT_FINITE.into_iter().chain([0.0, -0.0, -1.0, 1e-300]) {
        for index in 0..4 {
            let mut weights = [1.0; 4];
            weights[index] = value;
            let text = format!(
                "weight {index} is {value:?}, but must be positive, finite and at least 1.0 / 1e200"
            );
            let points = [Point3::origin(); 4];
            assert_text(
                NurbsSurface::new(bilinear(), &points, Some(&weights)),
                &text,
            );
            let homogeneous = weights.map(|w| Vector4::new(0.0, 0.0, 0.0, w));
            assert_text(
                NurbsSurface::from_homogeneous(bilinear(), &homogeneous),
                &text,
            );
        }
    }
    // A point that its weight takes out of the range.
    let mut homogeneous = [Vector4::new(0.0, 0.0, 0.0, 1.0); 4];
    homogeneous[2] = Vector4::new(0.0, 1e300, 0.0, 1e-10);
    assert_text(
        NurbsSurface::from_homogeneous(bilinear(), &homogeneous),
        "control point 2: coordinate 1 is inf, not a finite number",
    );
    // Weights of any size together, and as far apart as they may be.
    let points: Vec<_> = (0..4)
        .map(|i| point![f64::from(i), 0.0, f64::MAX])
        .collect();
    for weights in [
        [5e-324; 4],
        [f64::MAX; 4],
        [1e-200, 1.0, 1.0, 1e-200],
        [1e300, 1e101, 1e200, 1e150],
    ] {
        let surface = NurbsSurface::new(bilinear(), &points, Some(&weights)).unwrap();
        for (u, v) in [(0.0, 0.0), (0.25, 0.5), (1.0, 1.0), (f64::INFINITY, -1e300)] {
            let sum: f64 = surface.basis(u, v).iter().map(|(_, value)| value).sum();
            assert!((sum - 1.0).abs() < 1e-15, "{weights:?}");
        }
        assert_eq!(
            PatchMesh::from_nurbs(&surface.extraction()).unwrap().len(),
            1
        );
    }
}

#[test]
fn spans() {
    for [a, b] in FINITE.iter().flat_map(|&a| FINITE.map(|b| [a, b])) {
        let span = NurbsSpan {
            u: [a, b],
            v: [b, a],
        };
        assert_eq!(span.map(0.0, 1.0), (a, a));
        assert_eq!(span.map(1.0, 0.0), (b, b));
        assert!(span.map(0.5, 0.25).0.is_finite());
        assert!(span.map(f64::NAN, 0.5).0.is_nan());
    }
}

fn node(value: f64) -> HermiteNode {
    HermiteNode {
        position: Point3::origin(),
        along_u: Vector3::x(),
        along_v: Vector3::new(0.0, value, 0.0),
        twist: Vector3::zeros(),
    }
}

#[test]
fn hermite() {
    for value in NOT_FINITE.into_iter().chain([0.0, -0.0, -1.0, -5e-324]) {
        let text =
            |argument: &str| format!("{argument} is {value:?}, but must be positive and finite");
        assert_text(
            HermiteGrid::new(&[1.0, value], &[1.0]),
            &text("width along u 1"),
        );
        assert_text(
            HermiteGrid::new(&[1.0], &[value, value]),
            &text("width along v 0"),
        );
    }
    let grid = HermiteGrid::new(&[1.0], &[1.0]).unwrap();
    for count in [0, 3, 5] {
        assert_text(
            grid.points(&vec![node(1.0); count]),
            &format!("nodes: {count} given, but the grid of 1 × 1 Hermite elements has 4"),
        );
    }
    for value in NOT_FINITE {
        let nodes = [node(1.0), node(1.0), node(value), node(1.0)];
        let text =
            format!("tangent along v of node 2: coordinate 1 is {value}, not a finite number");
        assert_text(grid.points(&nodes), &text);
        assert_text(HermitePatch { nodes }.to_bezier(), &text);
    }
    for number in [4, 5, usize::MAX] {
        assert_eq!(grid.nodes_of(number), None);
        assert_eq!(grid.grid().position(number), None);
        assert_eq!(grid.grid().indices(number), None);
    }
    // Widths of any size, as long as the products with the derivatives are in range.
    for width in [5e-324, 1e-300, 1.0, 1e100] {
        let grid = HermiteGrid::new(&[width], &[width]).unwrap();
        assert_eq!(grid.points(&[node(1.0); 4]).unwrap().len(), 16);
    }
    let wide = HermiteGrid::new(&[f64::MAX], &[f64::MAX]).unwrap();
    let error = wide.points(&[node(1e10); 4]).unwrap_err().to_string();
    assert!(
        error.starts_with("control point of the Bézier net "),
        "{error}"
    );
    let bilinear = TensorProductPatch::new(1, 1, &[Point3::origin(); 4]).unwrap();
    assert_text(
        HermitePatch::from_bezier(&bilinear),
        "a tensor-product patch of degree (1, 1) is given where a tensor-product patch of degree (3, 3) belongs",
    );
}

/// Grids without elements, and with more control points than a mesh can have.
#[test]
fn grids() {
    for [a, b] in [[0, 0], [0, 3], [3, 0]] {
        let grid = HermiteGrid::new(&vec![1.0; a], &vec![1.0; b]).unwrap();
        assert_eq!(grid.grid().all_indices().count(), 0);
        assert_eq!(grid.grid().count(), (3 * a + 1) * (3 * b + 1));
        assert_eq!(PatchMesh::from_grid(grid.grid(), None).unwrap().len(), 0);
    }
    let many = vec![1.0; 1 << 20];
    let heap = allocation_counter::measure(|| {
        let grid = HermiteGrid::new(&many, &many).unwrap();
        assert_eq!(grid.grid().indices(1 << 40), None);
        let error = PatchMesh::from_grid(grid.grid(), None)
            .unwrap_err()
            .to_string();
        assert!(error.starts_with("control points: "), "{error}");
        assert!(grid.points(&[node(1.0); 4]).is_err());
    });
    // The distances of its rows from their nodes, and no net.
    assert!(heap.bytes_max < 200 << 20, "{}", heap.bytes_max);
}
