//! Input that is refused, and input at the ends of the range of doubles.

use nalgebra::{Point3, Vector3, point};
use patch_ccd::geometry::{AnyPatch, Patch, Shape};
use patch_ccd::{Distance, DistanceOptions, Error, Inclusion, closest_point_on, closest_points};

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

/// A line that goes on by nearly all of its length from the last double below 1 to 1: no parameters of its middle are doubles.
#[test]
fn what_parameters_cannot_tell_apart_is_not_called_found() {
    let ends = [Point3::origin(), point![1.0, 0.0, 0.0]];
    let shape = Shape::TensorProduct { n: 1, m: 0 };
    let line = AnyPatch::rational_from_shape(shape, &ends, &[1.0, 1e-60]).unwrap();
    for inclusion in [Inclusion::Obb, Inclusion::Aabb] {
        let options = DistanceOptions {
            inclusion,
            ..within(1e-6)
        };
        let distance = closest_point_on(point![0.5, 0.25, 0.0], &line, &options).unwrap();
        let Distance::BudgetExhausted { lower, closest, .. } = distance else {
            panic!("{distance:?}");
        };
        assert!(lower <= 0.25 && closest.distance > 0.5, "{distance:?}");
    }
}

#[test]
fn points_of_the_largest_doubles_are_finite() {
    let shape = Shape::TensorProduct { n: 2, m: 2 };
    let net: Vec<_> = (0..9)
        .map(|k| point![(k / 3) as f64 * 0.5, (k % 3) as f64 * 0.5, f64::MAX])
        .collect();
    let patch = AnyPatch::from_shape(shape, &net).unwrap();
    for k in 0..200 {
        let at = point![k as f64 / 200.0, (k * 37 % 200) as f64 / 200.0, f64::MAX];
        let distance = closest_point_on(at, &patch, &within(1e-6)).unwrap();
        let closest = distance.closest().unwrap();
        assert!(
            closest
                .points
                .iter()
                .flat_map(|p| p.iter())
                .all(|x| x.is_finite())
        );
    }
}

/// A user's own kind of patch, which looks for closest points itself when it is asked for its own.
struct Nested(AnyPatch);

impl Patch for Nested {
    fn shape(&self) -> Shape {
        let distance = closest_point_on(Point3::origin(), &self.0, &within(1e-6));
        assert!(distance.is_ok());
        self.0.shape()
    }

    fn control_points(&self) -> &[Point3<f64>] {
        self.0.control_points()
    }

    fn with_net(&self, points: &[Point3<f64>], weights: Option<&[f64]>) -> Result<Self, Error> {
        Ok(Self(self.0.with_net(points, weights)?))
    }
}

#[test]
fn a_patch_may_look_for_closest_points_when_asked_for_its_own() {
    let at = point![0.5, 0.5, 3.0];
    let plain = closest_point_on(at, &square(0.0), &within(1e-6));
    assert_eq!(
        closest_point_on(at, &Nested(square(0.0)), &within(1e-6)),
        plain
    );
}

/// The one that starts at a control point on the far side, with a weight that leaves nowhere to go, ends there: its parameters may round to a place outside.
#[test]
fn parameters_of_control_points_are_inside() {
    for n in 1..=30 {
        let shape = Shape::Triangular { n };
        let at = |i: usize, j: usize| point![i as f64 / n as f64, j as f64 / n as f64, 0.0];
        let indices = (0..=n).flat_map(|j| (0..=n - j).map(move |i| (i, j)));
        let net: Vec<_> = indices.clone().map(|(i, j)| at(i, j)).collect();
        for i in 0..=n {
            let far = |at: (usize, usize)| if at == (i, n - i) { 1e180 } else { 1.0 };
            let weights: Vec<_> = indices.clone().map(far).collect();
            let patch = AnyPatch::rational_from_shape(shape, &net, &weights).unwrap();
            let beyond = at(i, n - i) + Vector3::new(0.5, 0.5, 0.0);
            let options = DistanceOptions {
                max_boxes: 1,
                ..within(1e-6)
            };
            let distance = closest_point_on(beyond, &patch, &options).unwrap();
            let closest = distance.closest().unwrap();
            let coordinates = closest.barycentric(1).unwrap();
            assert!(coordinates.iter().all(|&x| x >= 0.0), "{distance:?}");
        }
    }
}
