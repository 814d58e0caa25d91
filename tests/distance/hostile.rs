//! Input that is refused, and input at the ends of the range of doubles.

use nalgebra::{Point3, Vector3, point};
use patch_ccd::geometry::{AnyPatch, Patch, Shape};
use patch_ccd::{Distance, DistanceOptions, Error, closest_point_on, closest_points};

use crate::scenes::{dot_patch, noise, random_patch, square, within};

#[test]
fn options_out_of_range_are_named() {
    let refused =
        |options: DistanceOptions| match closest_points(&square(0.0), &square(1.0), &options) {
            Err(Error::Option { option, .. }) => option,
            other => panic!("{other:?}"),
        };
    let plain = DistanceOptions::default();
    for tolerance in [-1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(refused(DistanceOptions { tolerance, ..plain }), "tolerance");
    }
    for relative_tolerance in [-1.0, f64::NAN, 1.5] {
        assert_eq!(
            refused(DistanceOptions {
                relative_tolerance,
                ..plain
            }),
            "relative_tolerance"
        );
    }
    for max_distance in [-1.0, f64::NAN] {
        assert_eq!(
            refused(DistanceOptions {
                max_distance,
                ..plain
            }),
            "max_distance"
        );
    }
    for max_boxes in [0, 1 << 31] {
        assert_eq!(refused(DistanceOptions { max_boxes, ..plain }), "max_boxes");
    }
}

#[test]
fn a_point_that_is_not_finite_is_refused() {
    for bad in [f64::NAN, f64::INFINITY] {
        let error =
            closest_point_on(point![0.0, bad, 0.0], &square(0.0), &within(1e-6)).unwrap_err();
        let Error::Patch { patch: 1, source } = error else {
            panic!("{error:?}");
        };
        assert!(matches!(
            *source,
            Error::NonFinite {
                argument: "point",
                coordinate: 1,
                ..
            }
        ));
    }
}

/// A user's own kind of patch, which nobody has checked.
struct Unchecked(Shape, Vec<Point3<f64>>);

impl Patch for Unchecked {
    fn shape(&self) -> Shape {
        self.0
    }

    fn control_points(&self) -> &[Point3<f64>] {
        &self.1
    }

    fn with_net(&self, points: &[Point3<f64>], _: Option<&[f64]>) -> Result<Self, Error> {
        Ok(Self(self.0, points.to_vec()))
    }
}

#[test]
fn unchecked_patches_are_checked() {
    let shape = Shape::TensorProduct { n: 1, m: 1 };
    let nan = Unchecked(shape, vec![point![0.0, f64::NAN, 0.0]; 4]);
    let short = Unchecked(shape, vec![Point3::origin(); 3]);
    let high = Unchecked(
        Shape::TensorProduct { n: 99, m: 99 },
        vec![Point3::origin(); 10_000],
    );
    let long = Unchecked(shape, vec![Point3::origin(); 10_000]);
    for bad in [nan, short, high, long] {
        let error = closest_points(&square(0.0), &bad, &within(1e-6)).unwrap_err();
        assert!(matches!(error, Error::Patch { patch: 2, .. }), "{error:?}");
        let error = closest_points(&bad, &square(0.0), &within(1e-6)).unwrap_err();
        assert!(matches!(error, Error::Patch { patch: 1, .. }), "{error:?}");
    }
}

#[test]
fn extreme_coordinates_neither_panic_nor_claim_too_much() {
    let mut next = noise(21);
    for size in [1e300, f64::MAX / 4.0, 1e-300, f64::MIN_POSITIVE, 5e-324] {
        for case in 0..30 {
            let shape = crate::scenes::SHAPES[case % 9];
            let scaled = |patch: AnyPatch, by: f64| {
                let points: Vec<_> = patch.control_points().iter().map(|p| p * by).collect();
                patch.with_net(&points, patch.weights()).unwrap()
            };
            let plain_a = random_patch(shape, &mut next, Vector3::zeros(), false);
            let plain_b = random_patch(shape, &mut next, Vector3::x() * 2.0, false);
            let options = DistanceOptions {
                max_boxes: 3000,
                ..within(1e-4)
            };
            let plain = closest_points(&plain_a, &plain_b, &options).unwrap();
            let (a, b) = (scaled(plain_a, size), scaled(plain_b, size));
            let distance = closest_points(&a, &b, &options).unwrap();
            assert!(distance.lower() >= 0.0 && distance.lower() <= f64::MAX);
            if size > 1e-301 {
                assert!(distance.lower() / size <= plain.upper().unwrap() * (1.0 + 1e-12));
            }
            for max_distance in [0.0, 1e-310, 1.0, 1e308] {
                let limited = DistanceOptions {
                    max_distance,
                    ..options
                };
                let limited = closest_points(&a, &b, &limited).unwrap();
                if let Distance::Beyond { lower, .. } = limited {
                    assert!(lower >= max_distance);
                }
            }
        }
    }
    // From one end of the range to the other.
    let far = [-f64::MAX, f64::MAX].map(|x| dot_patch(Point3::from(Vector3::repeat(x))));
    let distance = closest_points(&far[0], &far[1], &within(1e-6)).unwrap();
    assert_eq!(distance.lower(), f64::MAX);
}

/// As near as rounding allows.
#[test]
fn without_tolerance_the_search_ends_at_rounding() {
    let mut next = noise(22);
    for case in 0..40 {
        let shape = crate::scenes::SHAPES[case % 9];
        let a = random_patch(shape, &mut next, Vector3::zeros(), case % 2 == 0);
        let b = random_patch(shape, &mut next, Vector3::x() * 3.0, false);
        let distance = closest_points(&a, &b, &within(0.0)).unwrap();
        match distance {
            Distance::Found { lower, closest, .. } => {
                assert!(closest.distance - lower < 1e-11, "{distance:?}");
            }
            other => panic!("{other:?}"),
        }
    }
}
