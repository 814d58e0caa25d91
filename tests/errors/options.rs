//! Options out of range, and their names.

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
            let fast = Moving::with_velocities(flat(shape, 0.0), &velocities).expect("a motion");
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
