//! Bad knots, control points and weights of NURBS are errors that say where.

use nalgebra::{Point3, Vector3, Vector4, point, vector};
use patch_ccd::Error;
use patch_ccd::geometry::{KnotVector, NurbsCurve, NurbsSurface};
use proptest::prelude::*;

fn clamped() -> KnotVector {
    KnotVector::new(2, &[0.0, 0.0, 0.0, 1.0, 2.0, 2.0, 2.0]).unwrap()
}

fn linear() -> KnotVector {
    KnotVector::new(1, &[0.0, 0.0, 1.0, 1.0]).unwrap()
}

fn points() -> Vec<Point3<f64>> {
    (0..8)
        .map(|i| point![f64::from(i / 2), f64::from(i % 2), 0.0])
        .collect()
}

fn surface() -> NurbsSurface {
    NurbsSurface::new([clamped(), linear()], &points(), None).unwrap()
}

#[track_caller]
fn assert_text<T: std::fmt::Debug>(result: Result<T, Error>, text: &str) {
    assert_eq!(result.unwrap_err().to_string(), text);
}

#[test]
fn knots_that_are_none() {
    for (degree, knots, text) in [
        (0, &[0.0, 1.0][..], "degree is 0, but must be from 1 to 30"),
        (31, &[0.0; 70], "degree is 31, but must be from 1 to 30"),
        (
            2,
            &[0.0, 0.0, 0.0, 1.0, 1.0],
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
            &[0.0, 0.0, 0.0, 0.5, 0.5, 0.5, 1.0, 1.0, 1.0],
            "knot 3 is 0.5 and is given 3 times, but may be at most 2 times there",
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
    let error = KnotVector::new(1, &[0.0, 0.0, 1.0, 1.0, 1.0]).unwrap_err();
    let (index, value, found, most) = (2, 1.0, 3, 2);
    assert_eq!(
        error,
        Error::KnotMultiplicity {
            index,
            value,
            found,
            most
        }
    );
}

#[test]
fn knots_without_the_superfluous_ones() {
    for (degree, knots, text) in [
        (0, &[0.0, 1.0][..], "degree is 0, but must be from 1 to 30"),
        (
            2,
            &[0.0, 0.0, 1.0],
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
            &[0.0, 0.0, 0.5, 0.5, 0.5, 1.0, 1.0],
            "knot 2 is 0.5 and is given 3 times, but may be at most 2 times there",
        ),
        (
            2,
            &[0.0, 1.0, 1.0, 2.0],
            "the domain is empty: knots 1 to 2 are all 1.0",
        ),
    ] {
        assert_text(KnotVector::from_opennurbs(degree, knots), text);
    }
    // What is added at the ends changes nothing.
    let full = [-2.0, -1.5, -0.5, 0.25, 1.0, 1.0, 3.0, 3.5];
    let (one, other) = (
        KnotVector::new(2, &full).unwrap(),
        KnotVector::from_opennurbs(2, &full[1..7]).unwrap(),
    );
    assert_eq!((one.count(), one.domain()), (5, [-0.5, 1.0]));
    assert_eq!((other.count(), other.domain()), (5, [-0.5, 1.0]));
    assert_eq!(other.knots(), [-1.5, -1.5, -0.5, 0.25, 1.0, 1.0, 3.0, 3.0]);
    let curves = [one, other].map(|knots| {
        NurbsCurve::new(knots, &points()[..5], Some(&[1.0, 2.0, 3.0, 2.0, 1.0])).unwrap()
    });
    assert_eq!(curves[0].split(), curves[1].split());
    assert_eq!(curves[0].eval(0.7), curves[1].eval(0.7));
}

#[test]
fn control_points_and_weights() {
    let surface = |points: &[Point3<f64>], weights: &[f64]| {
        NurbsSurface::new([clamped(), linear()], points, Some(weights))
    };
    let kind = "the NURBS surface of degree (2, 1) with 7 × 4 knots has 8";
    assert_text(
        surface(&points()[1..], &[1.0; 8]),
        &format!("control points: 7 given, but {kind}"),
    );
    assert_text(
        surface(&points(), &[1.0; 9]),
        &format!("weights: 9 given, but {kind}"),
    );
    let mut bad = points();
    bad[5].z = f64::NAN;
    assert_text(
        surface(&bad, &[1.0; 8]),
        "control point 5: coordinate 2 is NaN, not a finite number",
    );
    for value in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-201] {
        let mut weights = [1.0; 8];
        weights[6] = value;
        let text =
            format!("weight 6 is {value:?}, but must be positive, finite and at least 1.0 / 1e200");
        assert_text(surface(&points(), &weights), &text);
        let homogeneous: Vec<_> = weights.iter().map(|&w| vector![w, 0.0, 0.0, w]).collect();
        let found = NurbsSurface::from_homogeneous([clamped(), linear()], &homogeneous);
        if value.is_finite() {
            assert_text(found, &text);
        } else {
            let text = format!(
                "homogeneous control point 6: coordinate 0 is {value}, not a finite number"
            );
            assert_text(found, &text);
        }
    }
    for none in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_text(
            surface(&points(), &[none; 8]),
            &format!("weight 0 is {none:?}, but must be positive and finite"),
        );
    }
    let points = &points()[..4];
    assert_text(
        NurbsCurve::new(clamped(), points, Some(&[1.0; 3])),
        "weights: 3 given, but the NURBS curve of degree 2 with 7 knots has 4",
    );
    assert_text(
        NurbsCurve::from_homogeneous(clamped(), &[Vector4::repeat(1.0); 3]),
        "control points: 3 given, but the NURBS curve of degree 2 with 7 knots has 4",
    );
    let far = vector![1e300, 0.0, 0.0, 1e-100];
    assert_text(
        NurbsCurve::from_homogeneous(clamped(), &[far; 4]),
        "control point 0: coordinate 0 is inf, not a finite number",
    );
}

#[test]
fn motions() {
    let surface = surface();
    let kind = "the NURBS surface of degree (2, 1) with 7 × 4 knots has 8";
    let mut bad = [Vector3::zeros(); 8];
    bad[3].y = f64::INFINITY;
    let text = "velocity 3: coordinate 1 is inf, not a finite number";
    assert_text(surface.split_moving(&bad), text);
    assert_text(
        surface.split_moving(&bad[..5]),
        &format!("velocities: 5 given, but {kind}"),
    );
    assert_text(surface.extraction().velocities(&bad), text);
    assert_text(
        surface.split_between(&points()[2..]),
        &format!("end points: 6 given, but {kind}"),
    );
    let mut end = points();
    end[2].x = f64::NAN;
    assert_text(
        surface.split_between(&end),
        "end point 2: coordinate 0 is NaN, not a finite number",
    );
    assert_text(
        surface.extraction().points(&end),
        "control point 2: coordinate 0 is NaN, not a finite number",
    );
    let [far, end] = [-1.5e308, 1.5e308].map(|x| {
        points()
            .iter()
            .map(|p| point![x, p.y, p.z])
            .collect::<Vec<_>>()
    });
    let surface = NurbsSurface::new([clamped(), linear()], &far, None).unwrap();
    assert_text(
        surface.split_between(&end),
        "end − start of control point 0: coordinate 0 is inf, not a finite number",
    );
}

#[test]
fn parameters_outside_count_as_the_nearest_inside() {
    let surface = surface();
    assert_eq!(surface.eval(-7.0, 0.5), surface.eval(0.0, 0.5));
    assert_eq!(surface.eval(2.0, 1.0), points()[7]);
    assert_eq!(surface.eval(f64::INFINITY, 3.0), points()[7]);
    assert_eq!(surface.partials(9.0, 9.0), surface.partials(2.0, 1.0));
    assert!(surface.eval(f64::NAN, 0.0).x.is_nan());
    assert_eq!(surface.normal(f64::NAN, 0.0), None);
    assert_eq!(surface.normal(0.5, 0.5), Some(Vector3::z()));
}

proptest! {
    /// Whatever the knots, an error or a vector with the numbers that belong together; never a panic.
    #[test]
    fn any_list_of_numbers(degree in 0..5_usize, mut knots in prop::collection::vec(prop_oneof![-3..3_i32], 0..14), sorted: bool, opennurbs: bool) {
        if sorted {
            knots.sort_unstable();
        }
        let knots: Vec<_> = knots.into_iter().map(f64::from).collect();
        let made = if opennurbs { KnotVector::from_opennurbs(degree, &knots) } else { KnotVector::new(degree, &knots) };
        if let Ok(made) = made {
            let dropped = if opennurbs { 2 } else { 0 };
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
            for piece in curve.split().unwrap() {
                use patch_ccd::geometry::Patch;
                prop_assert!((piece.patch.eval(0.5, 0.0) - curve.eval(piece.span.map(0.5, 0.0).0)).norm() < 1e-14);
            }
        }
    }
}
