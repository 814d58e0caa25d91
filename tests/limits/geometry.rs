//! Patches, curves, shapes, cells, and their motion.

use nalgebra::{Point3, Vector3, point, vector};
use patch_ccd::Moving;
use patch_ccd::geometry::{
    AnyPatch, BezierCurve, Cell, Patch, Rational, Shape, TensorProductPatch, TriangularPatch,
};

use super::{FINITE, NO_DEGREES, NOT_FINITE, assert_text};

fn net(count: usize) -> Vec<Point3<f64>> {
    (0..count)
        .map(|i| point![i as f64, (i * i) as f64, 1.0])
        .collect()
}

/// Patches of all kinds, of degree 1, 2 and 30.
fn patches() -> Vec<AnyPatch> {
    let degrees = [1, 2, 30].into_iter();
    let shapes = degrees.flat_map(|n| {
        [
            Shape::Triangular { n },
            Shape::TensorProduct { n, m: 1 },
            Shape::TensorProduct { n: 1, m: n },
            Shape::TensorProduct { n, m: 0 },
        ]
    });
    let both = shapes.flat_map(|shape| {
        let points = net(shape.count());
        let weights: Vec<_> = (1..=points.len()).map(|i| 1.0 / i as f64).collect();
        [
            AnyPatch::from_shape(shape, &points).unwrap(),
            AnyPatch::rational_from_shape(shape, &points, &weights).unwrap(),
        ]
    });
    both.collect()
}

#[test]
fn degrees() {
    for value in NO_DEGREES {
        let text = |argument: &str| format!("{argument} is {value}, but must be from 1 to 30");
        assert_text(TensorProductPatch::new(value, 1, &[]), &text("degree in u"));
        assert_text(TensorProductPatch::new(1, value, &[]), &text("degree in v"));
        assert_text(TriangularPatch::new(value, &[]), &text("degree"));
        assert_text(BezierCurve::new(value, &[]), &text("degree"));
        assert_text(
            AnyPatch::from_shape(Shape::Triangular { n: value }, &[]),
            &text("degree"),
        );
        let shape = Shape::TensorProduct { n: value, m: 2 };
        assert_text(
            AnyPatch::rational_from_shape(shape, &[], &[]),
            &text("degree in u"),
        );
    }
}

/// The numbers of a shape, which anybody can make, whatever its degrees.
#[test]
fn shapes() {
    let most = usize::MAX;
    assert_eq!(Shape::TensorProduct { n: most, m: most }.count(), most);
    assert_eq!(Shape::TensorProduct { n: most, m: 0 }.count(), most);
    // Saturating, too: half of it.
    assert_eq!(Shape::Triangular { n: most }.count(), most / 2);
    for n in [0, 1, 30, most] {
        for shape in [
            Shape::Triangular { n },
            Shape::TensorProduct { n, m: 0 },
            Shape::TensorProduct { n, m: most },
        ] {
            assert!(shape.degrees().contains(&n));
            assert!((1..=4).contains(&shape.children()));
            assert!(shape.to_string().contains(&n.to_string()));
            for child in [0, 3, 4, most] {
                let cell = shape.child_cell(child);
                assert!([1.0, 0.5, -0.5].contains(&cell.width_u), "{cell:?}");
                let (u, v) = shape.centre(&cell);
                assert!(u.is_finite() && v.is_finite());
            }
        }
    }
}

#[test]
fn cells() {
    for x in NOT_FINITE.into_iter().chain(FINITE) {
        let cell = Cell {
            u0: x,
            v0: 0.5,
            width_u: 0.5,
            width_v: 0.25,
        };
        assert_eq!(cell.map(0.0, 1.0).1, 0.75);
        assert_eq!(cell.compose(&Cell::UNIT).width_v, 0.25);
        assert_eq!(Cell::UNIT.map(x, 1.0).0.is_nan(), x.is_nan());
    }
}

#[test]
fn counts() {
    for patch in patches() {
        let shape = patch.shape();
        for count in [0, 1, shape.count() - 1, shape.count() + 1, 2000] {
            if count == shape.count() {
                continue;
            }
            let text = |argument: &str| {
                format!(
                    "{argument}: {count} given, but the {shape} has {}",
                    shape.count()
                )
            };
            let (points, weights) = (net(count), vec![1.0; count]);
            assert_text(
                AnyPatch::from_shape(shape, &points),
                &text("control points"),
            );
            assert_text(patch.with_net(&points, None), &text("control points"));
            assert_text(
                AnyPatch::rational_from_shape(shape, &net(shape.count()), &weights),
                &text("weights"),
            );
            assert_text(
                Moving::with_velocities(patch.clone(), &vec![Vector3::zeros(); count]),
                &text("velocities"),
            );
        }
    }
}

#[test]
fn weights() {
    let triangle = TriangularPatch::new(1, &net(3)).unwrap();
    for value in NOT_FINITE
        .into_iter()
        .chain([0.0, -0.0, -1.0, -5e-324, f64::MIN])
    {
        for index in 0..3 {
            let mut weights = [2.0; 3];
            weights[index] = value;
            assert_text(
                Rational::new(triangle.clone(), &weights),
                &format!(
                    "weight {index} is {value:?}, but must be positive, finite and at least 2.0 / 1e200"
                ),
            );
        }
    }
    for (weights, index) in [
        ([1.0, 1e-300, 1.0], 1),
        ([1e-100, 1.0, 1e200], 0),
        ([1.0, 5e-324, 1.0], 1),
    ] {
        let error = Rational::new(triangle.clone(), &weights).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with(&format!("weight {index} is ")),
            "{error}"
        );
    }
    assert_text(
        Rational::new(triangle.clone(), &[f64::NAN; 3]),
        "weight 0 is NaN, but must be positive and finite",
    );
    // Together they may be of any size.
    for size in [5e-324, 1e-300, 1e300, f64::MAX] {
        let patch = Rational::new(triangle.clone(), &[size; 3]).unwrap();
        let apart = patch.eval(0.25, 0.5) - triangle.eval(0.25, 0.5);
        assert!(apart.norm() < 1e-14, "{size}: {apart}");
        assert_eq!(patch.subdivide().unwrap().len(), 4);
    }
}

/// Parameters that are no place on a patch still give a point: far away, or none.
#[test]
fn parameters() {
    for patch in patches() {
        let moving = Moving::translating(patch.clone(), Vector3::x()).unwrap();
        for u in NOT_FINITE.into_iter().chain(FINITE) {
            for v in [f64::NAN, f64::INFINITY, 0.0, 1.0, -1e300] {
                patch.eval(u, v);
                patch.partials(u, v);
                for normal in [patch.normal(u, v), moving.normal(u, v, 0.5)]
                    .into_iter()
                    .flatten()
                {
                    assert!((normal.norm() - 1.0).abs() < 1e-12, "({u}, {v}): {normal}");
                }
                moving.eval(u, v, 0.5);
            }
        }
    }
}

#[test]
fn motions() {
    for patch in patches() {
        for value in NOT_FINITE {
            let velocity = vector![0.0, value, 1.0];
            assert_text(
                Moving::translating(patch.clone(), velocity),
                &format!("velocity 0: coordinate 1 is {value}, not a finite number"),
            );
        }
        let moving = Moving::translating(patch.clone(), vector![1.0, -1.0, 0.0]).unwrap();
        for t in NOT_FINITE {
            let error = moving.at(t).unwrap_err().to_string();
            assert!(
                error.starts_with("control point 0: coordinate 0 is "),
                "{error}"
            );
        }
        for t in FINITE {
            let there = moving.at(t).unwrap();
            assert_eq!(there.control_points()[0].x, t);
        }
        let fast = Moving::translating(patch.clone(), Vector3::repeat(f64::MAX)).unwrap();
        assert!(fast.at(2.0).is_err());
        assert!(fast.at(1.0).is_ok());
    }
}
