//! Bad input is an error that names the argument, the index and the value.

#[allow(dead_code, reason = "shared with other tests")]
mod common;
mod shapes;
#[allow(dead_code, reason = "shared with other tests")]
mod simplices;

use nalgebra::{Point3, Vector3, point, vector};
use patch_ccd::geometry::{AnyPatch, Patch, Shape, TensorProductPatch, TriangularPatch};
use patch_ccd::io::PairKind;
use patch_ccd::{Error, Inclusion, Method, Moving, Options, Step, Workspace, time_of_impact};

use common::{greville, patch};
use shapes::{SHAPES, closing, flat};

const NOT_FINITE: [f64; 3] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

/// The control points of a part of the plane z = 0.
fn flat_net(shape: Shape) -> Vec<Point3<f64>> {
    let points = greville(shape).into_iter();
    points.map(|(u, v)| point![u, v, 0.0]).collect()
}

/// NaN does not equal itself, so errors are compared as text.
#[track_caller]
fn assert_error(found: &impl std::fmt::Debug, expected: &Error) {
    assert_eq!(format!("{found:?}"), format!("{expected:?}"));
}

mod patches {
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
                        let text =
                            format!("control point {index}: coordinate {coordinate} is {value}");
                        assert!(error.to_string().starts_with(&text), "{error}");
                    }
                }
            }
        }
    }
}

mod motions {
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
}

mod options {
    use super::*;

    /// All ways to make a query refuse the same options.
    fn refused(options: Options, option: &'static str, value: f64) {
        let [a, b] = closing(SHAPES[0]);
        let mut workspace = Workspace::new();
        let errors = [
            time_of_impact(&a, &b, &options).unwrap_err(),
            workspace.time_of_impact(&a, &b, &options).unwrap_err(),
            workspace.overlap_interval(&a, &b, &options).unwrap_err(),
        ];
        for error in errors {
            let Error::Option {
                option: named,
                value: shown,
                ..
            } = error
            else {
                panic!("{error:?}");
            };
            assert_eq!(named, option);
            assert_eq!(shown.to_bits(), value.to_bits());
            let text = format!("option {option} is {value:?}, but must be ");
            assert!(error.to_string().starts_with(&text), "{error}");
        }
    }

    fn accepted(options: Options) {
        let [a, b] = closing(SHAPES[0]);
        time_of_impact(&a, &b, &options).expect("an outcome");
    }

    #[test]
    fn delta() {
        let least = 2.0_f64.powi(-40);
        for delta in [0.0, -1e-6, 1e-300, least.next_down(), 1.0_f64.next_up()] {
            refused(
                Options {
                    delta,
                    ..Options::default()
                },
                "delta",
                delta,
            );
        }
        for delta in NOT_FINITE {
            refused(
                Options {
                    delta,
                    ..Options::default()
                },
                "delta",
                delta,
            );
        }
        for delta in [least, 1.0] {
            accepted(Options {
                delta,
                ..Options::default()
            });
        }
    }

    #[test]
    fn t_max() {
        for t_max in [-1.0, -f64::MIN_POSITIVE].into_iter().chain(NOT_FINITE) {
            refused(
                Options {
                    t_max,
                    ..Options::default()
                },
                "t_max",
                t_max,
            );
        }
        for t_max in [0.0, -0.0, f64::MIN_POSITIVE, 1e300] {
            accepted(Options {
                t_max,
                ..Options::default()
            });
        }
    }

    #[test]
    fn min_separation() {
        for min_separation in [-0.5, -f64::MIN_POSITIVE].into_iter().chain(NOT_FINITE) {
            let options = Options {
                min_separation,
                ..Options::default()
            };
            refused(options, "min_separation", min_separation);
        }
        for min_separation in [0.0, -0.0, f64::MIN_POSITIVE, f64::MAX] {
            accepted(Options {
                min_separation,
                ..Options::default()
            });
        }
    }

    #[test]
    fn max_boxes() {
        refused(
            Options {
                max_boxes: 0,
                ..Options::default()
            },
            "max_boxes",
            0.0,
        );
    }

    #[test]
    fn motion_out_of_range() {
        for side in 0..2 {
            for shape in SHAPES {
                let index = shape.count() - 1;
                let mut velocities = vec![Vector3::zeros(); shape.count()];
                velocities[index].y = -1e200;
                let fast =
                    Moving::with_velocities(flat(shape, 0.0), &velocities).expect("a motion");
                let rest = Moving::resting(flat(shape, 1.0));
                let options = Options {
                    t_max: 1e200,
                    ..Options::default()
                };
                let error = match side {
                    0 => time_of_impact(&fast, &rest, &options),
                    _ => time_of_impact(&rest, &fast, &options),
                }
                .unwrap_err();
                let source = Error::Overflow {
                    index,
                    coordinate: 1,
                    value: -1e200,
                    t_max: 1e200,
                };
                let source = Box::new(source);
                assert_eq!(
                    error,
                    Error::Patch {
                        patch: side + 1,
                        source
                    }
                );
            }
        }
    }

    #[test]
    fn names() {
        let error = "box".parse::<Inclusion>().unwrap_err();
        assert_eq!(error.to_string(), "\"box\" is none of aabb, obb");
        let error = "newton".parse::<Method>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "\"newton\" is none of two-sided, time-dependent, traditional"
        );
        for name in ["quad4", "Quad3", "quad", "", "tri0"] {
            assert!(
                matches!(name.parse::<PairKind>(), Err(Error::Name { found, .. }) if found == name)
            );
        }
    }
}

mod own_patches {
    use super::*;

    fn in_patch(patch: usize, source: Error) -> Error {
        let source = Box::new(source);
        Error::Patch { patch, source }
    }

    /// A kind of patch whose author forgot to check.
    struct Unchecked {
        shape: Shape,
        points: Vec<Point3<f64>>,
    }

    impl Patch for Unchecked {
        fn shape(&self) -> Shape {
            self.shape
        }

        fn control_points(&self) -> &[Point3<f64>] {
            &self.points
        }

        fn with_net(&self, points: &[Point3<f64>], _: Option<&[f64]>) -> Result<Self, Error> {
            let (shape, points) = (self.shape, points.to_vec());
            Ok(Self { shape, points })
        }
    }

    #[test]
    fn are_checked_by_the_query() {
        for shape in SHAPES {
            let rest = Moving::resting(flat(shape, 1.0));
            let mut points = flat_net(shape);
            points[2].z = f64::NAN;
            let broken = Moving::resting(Unchecked {
                shape,
                points: points.clone(),
            });
            let error = time_of_impact(&broken, &rest, &Options::default()).unwrap_err();
            let expected = Error::NonFinite {
                argument: "control point",
                index: 2,
                coordinate: 2,
                value: f64::NAN,
            };
            assert_error(&error, &in_patch(1, expected));
            points.pop();
            let short = Moving::resting(Unchecked { shape, points });
            let error = time_of_impact(&rest, &short, &Options::default()).unwrap_err();
            let expected = Error::Count {
                argument: "control points",
                owner: shape.to_string(),
                expected: shape.count(),
                found: shape.count() - 1,
            };
            assert_eq!(error, in_patch(2, expected));
        }
    }
}

mod linear_queries {
    use super::*;
    use crate::simplices::{Kind, ORIGIN, Query, moving};

    /// The queries in which the point of this index takes part.
    fn queries(step: &Step<4>, index: usize) -> Vec<Query> {
        let has_it = |kind: &Kind| kind.simplices(&step[0]).concat().len() > index;
        let kinds = Kind::ALL.into_iter().filter(has_it);
        kinds.map(|kind| kind.query(step)).collect()
    }

    fn regular() -> Step<4> {
        moving(
            [ORIGIN, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            2,
            vector![1.0, 1.0, 1.0],
        )
    }

    #[test]
    fn name_the_point() {
        for (time, argument) in ["point at the start", "point at the end"]
            .into_iter()
            .enumerate()
        {
            for index in 0..4 {
                for coordinate in 0..3 {
                    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                        let mut step = regular();
                        step[time][index][coordinate] = value;
                        for query in queries(&step, index) {
                            let error = query.try_solve(&Options::default()).expect_err("an error");
                            let text = format!(
                                "{argument} {index}: coordinate {coordinate} is {value}, not a finite number"
                            );
                            assert_eq!(error.to_string(), text);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn motion_out_of_range() {
        for index in 0..4 {
            let mut step = regular();
            step[0][index].y = f64::MAX;
            step[1][index].y = -f64::MAX;
            for query in queries(&step, index) {
                let error = query.try_solve(&Options::default()).expect_err("an error");
                let text = format!(
                    "end − start of point {index}: coordinate 1 is -inf, not a finite number"
                );
                assert_eq!(error.to_string(), text);
            }
        }
    }

    #[test]
    fn motion_out_of_range_by_the_horizon() {
        let mut step = regular();
        step[1][1].z = 1e200;
        let options = Options {
            t_max: 1e200,
            ..Options::default()
        };
        for (query, patch, index) in [
            (Query::EdgeEdge(step), 1, 1),
            (Query::VertexFace(step), 2, 0),
        ] {
            let error = query.try_solve(&options).expect_err("an error");
            let source = Box::new(Error::Overflow {
                index,
                coordinate: 2,
                value: 1e200,
                t_max: 1e200,
            });
            assert_eq!(error, Error::Patch { patch, source });
        }
    }

    #[test]
    fn options() {
        for query in queries(&regular(), 0) {
            let refused = |options: Options, option: &str| {
                let error = query.try_solve(&options).expect_err("an error");
                assert!(
                    matches!(error, Error::Option { option: named, .. } if named == option),
                    "{error}"
                );
            };
            let default = Options::default();
            refused(
                Options {
                    delta: 0.0,
                    ..default
                },
                "delta",
            );
            refused(
                Options {
                    t_max: -1.0,
                    ..default
                },
                "t_max",
            );
            refused(
                Options {
                    min_separation: f64::NAN,
                    ..default
                },
                "min_separation",
            );
            refused(
                Options {
                    max_boxes: 0,
                    ..default
                },
                "max_boxes",
            );
        }
    }
}
