//! Patches of the caller's own kind, which only the query can check.

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
