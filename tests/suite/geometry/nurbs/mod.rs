//! NURBS and their Bézier patches against exact surfaces, the definition of B-splines, and SciPy.

mod definition;

use nalgebra::{Point3, Vector3, point, vector};
use patch_ccd::geometry::{
    AnyPatch, KnotVector, NurbsCurve, NurbsPatch, NurbsSurface, Patch, Shape,
};
use patch_ccd::{Moving, Options, time_of_impact};

/// The unit circle as four arcs: knots, and control points (x, y) with their weights.
fn arcs() -> (KnotVector, Vec<[f64; 3]>) {
    let w = 0.5_f64.sqrt();
    let (xs, ys) = (
        [1.0, 1.0, 0.0, -1.0, -1.0, -1.0, 0.0, 1.0, 1.0],
        [0.0, 1.0, 1.0, 1.0, 0.0, -1.0, -1.0, -1.0, 0.0],
    );
    let knots = [
        0.0, 0.0, 0.0, 0.25, 0.25, 0.5, 0.5, 0.75, 0.75, 1.0, 1.0, 1.0,
    ];
    let weight = |k: usize| if k.is_multiple_of(2) { 1.0 } else { w };
    let points = (0..9).map(|k| [xs[k], ys[k], weight(k)]).collect();
    (KnotVector::new(2, &knots).unwrap(), points)
}

/// The surface of revolution about z of a curve in the x–z plane, and a curve in the x–y plane to
/// turn it along.
fn revolved(
    (along_u, profile): (KnotVector, &[[f64; 3]]),
    (along_v, circle): (KnotVector, &[[f64; 3]]),
) -> NurbsSurface {
    let (mut points, mut weights) = (Vec::new(), Vec::new());
    for [radius, z, w_u] in profile {
        for [x, y, w_v] in circle {
            points.push(point![radius * x, radius * y, *z]);
            weights.push(w_u * w_v);
        }
    }
    NurbsSurface::new([along_u, along_v], &points, Some(&weights)).unwrap()
}

/// Radii 2 and 1: 9 × 9 control points.
fn torus() -> NurbsSurface {
    let (knots, circle) = arcs();
    let profile: Vec<_> = circle.iter().map(|[x, z, w]| [2.0 + x, *z, *w]).collect();
    revolved((knots.clone(), &profile), (knots, &circle))
}

/// Asserts that all points of a raster on all patches are where they should be.
#[track_caller]
fn assert_on(patches: &[NurbsPatch], error: impl Fn(Point3<f64>) -> f64) {
    for NurbsPatch { patch, .. } in patches {
        for (i, j) in (0..=16).flat_map(|i| (0..=16).map(move |j| (i, j))) {
            let point = patch.eval(f64::from(i) / 16.0, f64::from(j) / 16.0);
            assert!(error(point).abs() < 1e-14, "{point}");
        }
    }
}

#[test]
fn a_circle_is_split_into_quarters() {
    let (knots, points) = arcs();
    let weights: Vec<_> = points.iter().map(|[.., w]| *w).collect();
    let points: Vec<_> = points.iter().map(|[x, y, _]| point![*x, *y, 0.0]).collect();
    let patches = NurbsCurve::new(knots, &points, Some(&weights))
        .unwrap()
        .split()
        .unwrap();
    assert_eq!(patches.len(), 4);
    for (k, NurbsPatch { patch, span }) in patches.iter().enumerate() {
        // Knots of multiplicity p: the control points themselves.
        assert_eq!(patch.control_points(), &points[2 * k..][..3]);
        assert_eq!(patch.weights(), Some(&weights[2 * k..][..3]));
        assert!(matches!(patch, AnyPatch::RationalCurve(_)));
        assert_eq!(span.u, [k as f64 / 4.0, (k + 1) as f64 / 4.0]);
    }
    assert_on(&patches, |p| p.coords.norm() - 1.0);
}

/// A quarter of the unit circle with a knot at `a`: no control point of its pieces is one of its
/// own but the ends.
fn quarter_with_knot(a: f64) -> (KnotVector, Vec<[f64; 3]>) {
    let w = 0.5_f64.sqrt();
    let [b0, b1, b2] = [
        vector![1.0, 0.0, 1.0],
        vector![w, w, w],
        vector![0.0, 1.0, 1.0],
    ];
    let homogeneous = [b0, b0.lerp(&b1, a), b1.lerp(&b2, a), b2];
    let knots = KnotVector::new(2, &[0.0, 0.0, 0.0, a, 1.0, 1.0, 1.0]).unwrap();
    let points = homogeneous.map(|p| [p.x / p.z, p.y / p.z, p.z]);
    (knots, points.to_vec())
}

#[test]
fn an_octant_lies_on_the_sphere() {
    let (along_u, profile) = quarter_with_knot(0.3);
    let (along_v, circle) = quarter_with_knot(0.6);
    let octant = revolved((along_u, &profile), (along_v, &circle));
    let patches = octant.split().unwrap();
    assert_eq!(patches.len(), 4);
    assert_on(&patches, |p| p.coords.norm() - 1.0);
}

#[test]
fn a_torus_is_split_into_sixteen_patches_on_it() {
    let torus = torus();
    let patches = torus.split().unwrap();
    assert_eq!(patches.len(), 16);
    assert_on(&patches, |p| (p.x.hypot(p.y) - 2.0).hypot(p.z) - 1.0);
    for (u, v) in [(0.1, 0.2), (0.25, 0.5), (0.6, 0.9), (1.0, 1.0)] {
        let p = torus.eval(u, v);
        let centre = 2.0 * vector![p.x, p.y, 0.0].normalize();
        let exact = p.coords - centre;
        let normal = torus.normal(u, v).unwrap();
        // u turns from outside to up, v from x to y: their product points inwards.
        assert!((normal + exact).norm() < 1e-14, "{normal} at {u}, {v}");
    }
}

#[test]
fn a_tilted_torus_falls_on_a_plane() {
    // Its lowest point is at -(2 sin + 1).
    let (sin, cos) = (0.28, 0.96);
    let tilt = |p: &Point3<f64>| point![cos * p.x + sin * p.z, p.y, cos * p.z - sin * p.x + 3.0];
    let upright = torus();
    let points: Vec<_> = upright.control_points().iter().map(tilt).collect();
    let knots = upright.knots().clone();
    let start = NurbsSurface::new(knots, &points, upright.weights()).unwrap();
    let end: Vec<_> = points.iter().map(|p| p - vector![0.0, 0.0, 2.0]).collect();
    let plane =
        [(-4.0, -4.0), (-4.0, 4.0), (4.0, -4.0), (4.0, 4.0)].map(|(x, y)| point![x, y, 0.0]);
    let plane = AnyPatch::from_shape(Shape::TensorProduct { n: 1, m: 1 }, &plane);
    let plane = Moving::resting(plane.unwrap());
    let mut first = f64::INFINITY;
    for NurbsPatch { patch, span } in start.split_between(&end).unwrap() {
        let outcome = time_of_impact(&patch, &plane, &Options::default()).unwrap();
        if let (Some(toi), Some(contact)) = (outcome.toi(), outcome.contact()) {
            first = first.min(toi);
            // The contact's parameters lead back to the NURBS.
            let (u, v) = contact.parameters[0];
            let (u, v) = span.map(u, v);
            let p = start.eval(u, v) - vector![0.0, 0.0, 2.0 * contact.time];
            assert!((p - contact.points[0]).norm() < 1e-14);
        }
    }
    let exact = (3.0 - (2.0 * sin + 1.0)) / 2.0;
    assert!(
        first <= exact + 1e-15 && first > exact - 2e-6,
        "{first} of {exact}"
    );
}

#[test]
fn equal_weights_are_none() {
    let (knots, points) = arcs();
    let points: Vec<_> = points.iter().map(|[x, y, _]| point![*x, *y, 0.0]).collect();
    let curve = |weights| NurbsCurve::new(knots.clone(), &points, weights).unwrap();
    let spline = curve(None);
    assert_eq!(spline.weights(), None);
    assert_eq!(curve(Some(&[3.0; 9])), spline);
    let some = [1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0];
    let rational = curve(Some(&some));
    assert_eq!(rational.weights(), Some(&some[..]));
    assert_eq!(curve(rational.weights()), rational);
    // In the middle of the second arc: weights 1, 2, 1 times 1/4, 1/2, 1/4.
    assert_eq!(
        rational.basis(0.375),
        [(2, 1.0 / 6.0), (3, 2.0 / 3.0), (4, 1.0 / 6.0)]
    );
    assert_eq!(spline.basis(0.375), [(2, 0.25), (3, 0.5), (4, 0.25)]);
}

/// The knots at both ends that count for nothing may be missing, and may be anything.
#[test]
fn superfluous_knots() {
    let full = [-2.0, -1.5, -0.5, 0.25, 1.0, 1.0, 3.0, 3.5];
    let (one, other) = (
        KnotVector::new(2, &full).unwrap(),
        KnotVector::from_opennurbs(2, &full[1..7]).unwrap(),
    );
    assert_eq!((one.count(), one.domain()), (5, [-0.5, 1.0]));
    assert_eq!((other.count(), other.domain()), (5, [-0.5, 1.0]));
    assert_eq!(other.knots(), [-1.5, -1.5, -0.5, 0.25, 1.0, 1.0, 3.0, 3.0]);
    let points: Vec<_> = (0..5)
        .map(|i| point![f64::from(i / 2), f64::from(i % 2), 0.0])
        .collect();
    let curves = [one, other]
        .map(|knots| NurbsCurve::new(knots, &points, Some(&[1.0, 2.0, 3.0, 2.0, 1.0])).unwrap());
    assert_eq!(curves[0].split(), curves[1].split());
    assert_eq!(curves[0].eval(0.7), curves[1].eval(0.7));
}

#[test]
fn parameters_outside_count_as_the_nearest_inside() {
    let clamped = KnotVector::new(2, &[0.0, 0.0, 0.0, 1.0, 2.0, 2.0, 2.0]).unwrap();
    let linear = KnotVector::new(1, &[0.0, 0.0, 1.0, 1.0]).unwrap();
    let points: Vec<_> = (0..8)
        .map(|i| point![f64::from(i / 2), f64::from(i % 2), 0.0])
        .collect();
    let surface = NurbsSurface::new([clamped, linear], &points, None).unwrap();
    assert_eq!(surface.eval(-7.0, 0.5), surface.eval(0.0, 0.5));
    assert_eq!(surface.eval(2.0, 1.0), points[7]);
    assert_eq!(surface.eval(f64::INFINITY, 3.0), points[7]);
    assert_eq!(surface.partials(9.0, 9.0), surface.partials(2.0, 1.0));
    assert!(surface.eval(f64::NAN, 0.0).x.is_nan());
    assert_eq!(surface.normal(f64::NAN, 0.0), None);
    assert_eq!(surface.normal(0.5, 0.5), Some(Vector3::z()));
}

#[test]
fn extraction_of_high_degrees_takes_little_memory() {
    let degree = 20;
    let knots: Vec<f64> = (0..degree + 17 + degree).map(|k| k as f64).collect();
    let knots = KnotVector::new(degree, &knots).unwrap();
    let count = knots.count();
    let points: Vec<_> = (0..count * count)
        .map(|k| point![(k / count) as f64, (k % count) as f64, 0.0])
        .collect();
    let surface = NurbsSurface::new([knots.clone(), knots], &points, None).unwrap();
    let mut net = 0;
    let memory = allocation_counter::measure(|| {
        net = surface.extraction().points(&points).unwrap().len();
    });
    assert!(
        memory.bytes_max < 100 * net as u64 + 1_000_000,
        "{} {net}",
        memory.bytes_max
    );
}

/// Two pieces of a curve, with control points between them that act nowhere.
#[test]
fn a_knot_given_more_often_than_the_degree_splits_a_curve_in_two() {
    let points: Vec<_> = (0..8)
        .map(|i| point![f64::from(i), f64::from(i * i), 0.0])
        .collect();
    for (repeated, split) in [(2, [3, 3]), (3, [3, 3]), (4, [3, 4]), (5, [3, 5])] {
        let knots = [vec![0.0; 3], vec![0.5; repeated], vec![1.0; 3]].concat();
        let knots = KnotVector::new(2, &knots).unwrap();
        let points = &points[..knots.count()];
        let curve = NurbsCurve::new(knots, points, None).unwrap();
        let extraction = curve.extraction();
        let gaps: &[usize] = if repeated > 2 { &[1] } else { &[] };
        assert_eq!(extraction.grid().gaps(), [gaps, &[]]);
        let net = extraction.points(points).unwrap();
        let [end, start] = split;
        assert_eq!(net, [&points[..end], &points[start..]].concat());
        let patches = curve.split().unwrap();
        assert_eq!(patches[0].patch.control_points(), &points[..3]);
        assert_eq!(
            patches[1].patch.control_points(),
            &points[points.len() - 3..]
        );
        // At the knot the curve is the later piece.
        assert_eq!(curve.eval(0.5), points[points.len() - 3]);
    }
}
