//! Velocities and ends of a step.

use super::*;

#[test]
fn wrong_count_of_velocities() {
    for shape in SHAPES {
        for found in [0, shape.count() - 1, shape.count() + 1] {
            let velocities = vec![Vector3::zeros(); found];
            let error = Moving::with_velocities(flat(shape, 0.0), &velocities).unwrap_err();
            let expected = Error::Count {
                argument: "velocities",
                owner: shape.to_string(),
                expected: shape.count(),
                found,
            };
            assert_eq!(error, expected);
        }
    }
}

#[test]
fn velocities_that_are_not_finite() {
    for shape in SHAPES {
        for index in 0..shape.count() {
            for coordinate in 0..3 {
                for value in NOT_FINITE {
                    let mut velocities = vec![Vector3::zeros(); shape.count()];
                    velocities[index][coordinate] = value;
                    let error = Moving::with_velocities(flat(shape, 0.0), &velocities);
                    let argument = "velocity";
                    let expected = Error::NonFinite {
                        argument,
                        index,
                        coordinate,
                        value,
                    };
                    assert_error(&error.unwrap_err(), &expected);
                }
            }
        }
    }
    let error = Moving::translating(flat(SHAPES[0], 0.0), vector![0.0, f64::NAN, 0.0]);
    let expected = Error::NonFinite {
        argument: "velocity",
        index: 0,
        coordinate: 1,
        value: f64::NAN,
    };
    assert_error(&error.unwrap_err(), &expected);
}

#[test]
fn end_of_another_shape() {
    for start in SHAPES {
        for end in SHAPES.into_iter().filter(|&end| end != start) {
            let error = Moving::between(flat(start, 0.0), &flat(end, 0.0)).unwrap_err();
            let (expected, found) = (start.to_string(), end.to_string());
            assert_eq!(error, Error::ShapeMismatch { expected, found });
        }
    }
}

#[test]
fn end_too_far_away() {
    let corner_at = |y| {
        patch(SHAPES[0], move |u, v| {
            point![u, if u * v == 1.0 { y } else { 0.0 }, 0.0]
        })
    };
    let (start, end) = (corner_at(-f64::MAX), corner_at(f64::MAX));
    let expected = Error::NonFinite {
        argument: "end − start of control point",
        index: 3,
        coordinate: 1,
        value: f64::INFINITY,
    };
    assert_eq!(Moving::between(start, &end).unwrap_err(), expected);
}

#[test]
fn shape_at_a_time_out_of_range() {
    let [falling, _] = closing(SHAPES[0]);
    let error = falling.at(f64::MAX).unwrap_err();
    let expected = Error::NonFinite {
        argument: "control point",
        index: 0,
        coordinate: 2,
        value: f64::NEG_INFINITY,
    };
    assert_eq!(error, expected);
    assert!(matches!(falling.at(f64::NAN), Err(Error::NonFinite { .. })));
}
