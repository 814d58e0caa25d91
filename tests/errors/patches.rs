//! Control nets.

use super::*;

#[test]
fn degree_zero() {
    let points = [Point3::origin(); 2];
    for ((n, m), argument) in [((0, 1), "degree in u"), ((1, 0), "degree in v")] {
        let error = TensorProductPatch::new(n, m, &points).unwrap_err();
        assert_eq!(error, Error::Degree { argument, value: 0 });
    }
    let error = TriangularPatch::new(0, &points[..1]).unwrap_err();
    assert_eq!(
        error,
        Error::Degree {
            argument: "degree",
            value: 0
        }
    );
    assert!(error.to_string().contains("degree is 0"), "{error}");
}

#[test]
fn degree_beyond_counting() {
    for value in [usize::MAX, usize::MAX / 2] {
        let error = TensorProductPatch::new(value, 3, &[]).unwrap_err();
        assert_eq!(
            error,
            Error::Degree {
                argument: "degree in u",
                value
            }
        );
        let error = TriangularPatch::new(value, &[]).unwrap_err();
        assert_eq!(
            error,
            Error::Degree {
                argument: "degree",
                value
            }
        );
    }
}

#[test]
fn wrong_count_of_control_points() {
    for shape in SHAPES {
        let right = flat_net(shape);
        let mut longer = right.clone();
        longer.push(Point3::origin());
        for points in [&right[1..], &longer, &[]] {
            let expected = Error::Count {
                argument: "control points",
                owner: shape.to_string(),
                expected: shape.count(),
                found: points.len(),
            };
            assert_eq!(AnyPatch::from_shape(shape, points).unwrap_err(), expected);
            assert_eq!(
                flat(shape, 0.0).with_net(points, None).unwrap_err(),
                expected
            );
        }
    }
}

#[test]
fn control_points_that_are_not_finite() {
    for shape in SHAPES {
        for index in 0..shape.count() {
            for coordinate in 0..3 {
                for value in NOT_FINITE {
                    let mut points = flat_net(shape);
                    points[index][coordinate] = value;
                    let argument = "control point";
                    let expected = Error::NonFinite {
                        argument,
                        index,
                        coordinate,
                        value,
                    };
                    let error = AnyPatch::from_shape(shape, &points).unwrap_err();
                    assert_error(&error, &expected);
                    let text = format!("control point {index}: coordinate {coordinate} is {value}");
                    assert!(error.to_string().starts_with(&text), "{error}");
                }
            }
        }
    }
}
