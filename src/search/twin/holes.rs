//! Scenes in which an earlier bound was too small.

use nalgebra::Point3;

use crate::geometry::{Rational, TensorProductPatch};
use crate::{Inclusion, Moving, Options, Outcome, time_of_impact};

/// Two patches whose corners coincide. Along y both are so thin that the product of the corner with its weight is subnormal, if
/// the *largest* weight is scaled to 1: the quotient then moved the corner by far more than roundings, and the patches apart.
#[test]
fn a_weighted_coordinate_does_not_underflow() {
    let y = 2.0_f64.powi(-400) * (1.0 + 2.0_f64.powi(-12));
    let below = [
        Point3::new(-1.0, -3.0 * y, -1.0),
        Point3::new(-1.0, -3.0 * y, 0.0),
        Point3::new(0.0, -3.0 * y, -1.0),
        Point3::new(0.0, y, 0.0),
    ];
    let above = [
        Point3::new(0.0, y, 0.0),
        Point3::new(0.0, 2.0 * y, 1.0),
        Point3::new(1.0, 2.0 * y, 0.0),
        Point3::new(1.0, 2.0 * y, 1.0),
    ];
    let weights = [1.0, 1.0, 1.0, 2.0_f64.powi(-664)];
    let below = Rational::new(TensorProductPatch::new(1, 1, &below).unwrap(), &weights).unwrap();
    let above = TensorProductPatch::new(1, 1, &above).unwrap();
    for inclusion in [Inclusion::Aabb, Inclusion::Obb] {
        let options = Options {
            inclusion,
            ..Options::default()
        };
        let (below, above) = (
            Moving::resting(below.clone()),
            Moving::resting(above.clone()),
        );
        let outcome = time_of_impact(&below, &above, &options).unwrap();
        assert!(
            matches!(outcome, Outcome::ContactAtStart { .. }),
            "{inclusion}: {outcome:?}"
        );
    }
}
