//! Curves meet curves and surfaces when they should, by closed forms.

use nalgebra::{Point3, Vector3, point, vector};
use patch_ccd::geometry::{
    AnyPatch, BezierCurve, Patch, Rational, RationalBezierCurve, Shape, TensorProductPatch,
};
use patch_ccd::{Moving, Options, time_of_impact};
use proptest::prelude::*;

use super::{assert_impact, moved, translating};

/// The quadratic curve through a, tangent to a–b there and to b–c at c.
fn arc(a: Point3<f64>, b: Point3<f64>, c: Point3<f64>) -> BezierCurve {
    BezierCurve::new(2, &[a, b, c]).unwrap()
}

/// The parabola z = height + curvature x² over x in [-1, 1], turned about z so that x points along
/// `along`.
fn parabola(along: Vector3<f64>, offset: Vector3<f64>, curvature: f64) -> BezierCurve {
    let at = |x: f64, z: f64| Point3::from(along * x + offset + vector![0.0, 0.0, z * curvature]);
    arc(at(-1.0, 1.0), at(0.0, -1.0), at(1.0, 1.0))
}

/// A quarter of the unit circle about the origin, from `a` to `b`.
fn quarter(a: Vector3<f64>, b: Vector3<f64>) -> RationalBezierCurve {
    let net = arc(a.into(), (a + b).into(), b.into());
    Rational::new(net, &[1.0, 0.5_f64.sqrt(), 1.0]).unwrap()
}

#[test]
fn crossing_parabolas_meet_where_their_shadows_cross() {
    // Shadows on the x–y plane: y = 0.3 x, and x = 0.1 + 0.2 y.
    let above = parabola(vector![1.0, 0.3, 0.0], vector![0.0, 0.0, 1.0], 1.0);
    let below = parabola(vector![0.2, 1.0, 0.0], vector![0.1, 0.0, 0.0], -1.0);
    let falling = translating(above, vector![0.0, 0.0, -2.0]);
    let x = 0.1 / (1.0 - 0.2 * 0.3);
    let y = 0.3 * x;
    assert_impact(
        &falling,
        &Moving::resting(below),
        (1.0 + x * x + y * y) / 2.0,
    );
}

#[test]
fn a_deforming_parabola_meets_another_one() {
    // It opens upwards with a curvature that falls from 1 to -1; both contain x = 1/4.
    let along = vector![1.0, 0.0, 0.0];
    let start = parabola(along, vector![0.0, 0.0, 0.0], 1.0);
    let end = parabola(along, vector![0.0, 0.0, 0.0], -1.0);
    let bending = Moving::between(start, &end).unwrap();
    let across = parabola(vector![0.0, 1.0, 0.0], vector![0.25, 0.0, 0.01], -1.0);
    // (1 - 2 t) / 16 = 0.01.
    assert_impact(&bending, &Moving::resting(across), 0.42);
}

#[test]
fn an_arc_falls_on_a_tilted_plane() {
    // z = x² + 1 - t above z = 0.3 x: least distance at x = 0.15.
    let falling = translating(
        parabola(vector![1.0, 0.0, 0.0], vector![0.0, 0.0, 1.0], 1.0),
        vector![0.0, 0.0, -1.0],
    );
    let at = |x: f64, y: f64| point![x, y, 0.3 * x];
    let net = [at(-1.0, -1.0), at(-1.0, 1.0), at(1.0, -1.0), at(1.0, 1.0)];
    let plane = Moving::resting(TensorProductPatch::new(1, 1, &net).unwrap());
    assert_impact(&falling, &plane, 1.0 - 0.15 * 0.15);
}

#[test]
fn rational_quarter_circles_meet() {
    let [x, y, z] = [Vector3::x(), Vector3::y(), Vector3::z()];
    // Coplanar, outside to outside along the diagonal: the centres are 4 apart at the start.
    let diagonal = (x + y).normalize();
    let first = translating(moved(&quarter(x, y), -2.0 * diagonal), 2.0 * diagonal);
    let second = translating(moved(&quarter(-x, -y), 2.0 * diagonal), -2.0 * diagonal);
    assert_impact(&first, &second, 0.5);
    // In planes at right angles, the one's top under the other's: (x, 0, z) and (0, y, z) upside
    // down, at a height of 3 - 2 t over it, shifted so that no parameter is dyadic.
    let upright = Moving::resting(quarter((x + z).normalize(), (z - x).normalize()));
    let hanging = quarter((y - z).normalize(), (-y - z).normalize());
    let offset = vector![0.28, 0.6, 3.0];
    let falling = translating(moved(&hanging, offset), -2.0 * z);
    // Over (0.28, 0) the tops are at 0.96 and 3 - 2 t - 0.8.
    assert_impact(&falling, &upright, (2.2 - 0.96) / 2.0);
}

#[test]
fn a_closed_curve_meets_a_curve() {
    // A loop: its ends coincide, so that end to end it has no direction.
    let loop_ = BezierCurve::new(
        3,
        &[
            point![0.0, 0.0, 0.0],
            point![2.0, 0.0, 2.0],
            point![-2.0, 0.0, 2.0],
            point![0.0, 0.0, 0.0],
        ],
    )
    .unwrap();
    let across = parabola(vector![0.0, 1.0, 0.0], vector![0.0, 0.0, 2.5], 0.5);
    let falling = translating(across, vector![0.0, 0.0, -2.0]);
    // The loop's top is at u = 1/2: z = 6/8 · 2 = 3/2.
    assert_impact(&falling, &Moving::resting(loop_), 0.5);
}

#[test]
fn curves_of_all_kinds() {
    let curve = arc(
        Point3::origin(),
        point![1.0, 0.0, 1.0],
        point![2.0, 0.0, 0.0],
    );
    let shape = Shape::TensorProduct { n: 2, m: 0 };
    assert_eq!(curve.shape(), shape);
    assert_eq!(shape.to_string(), "curve of degree 2");
    assert_eq!(curve.normal(0.5, 0.0), None);
    let net = curve.control_points();
    let any = AnyPatch::from_shape(shape, net).unwrap();
    assert_eq!(any, AnyPatch::Curve(curve.clone()));
    let weights = [1.0, 2.0, 3.0];
    let rational = AnyPatch::rational_from_shape(shape, net, &weights).unwrap();
    let expected = Rational::new(curve.clone(), &weights).unwrap();
    assert_eq!(rational, AnyPatch::RationalCurve(expected));
    assert_eq!(rational.weights(), Some(&weights[..]));
    for patch in [any, rational] {
        let again = patch.with_net(net, patch.weights()).unwrap();
        assert_eq!(again, patch);
        assert_eq!(patch.subdivide().unwrap().len(), 2);
        for (half, cell) in patch.subdivide().unwrap() {
            let (u, _) = cell.map(0.3, 0.0);
            assert!((half.eval(0.3, 0.0) - patch.eval(u, 0.0)).norm() < 1e-15);
        }
    }
}

type Net = Vec<[f64; 3]>;

fn any_triple() -> impl Strategy<Value = [f64; 3]> {
    prop::array::uniform3(-1.0..1.0_f64)
}

proptest! {
    /// Curves of any degree that meet at t = 1/2, wherever on them: toi is not later, and no search
    /// runs away.
    #[test]
    fn planted_contacts_are_not_missed(
        nets in prop::array::uniform2(prop::collection::vec(any_triple(), 3..7)),
        [u, v] in prop::array::uniform2(0.0..=1.0_f64),
        velocity in any_triple(),
    ) {
        let [one, two] = nets.map(|net: Net| {
            let points: Vec<_> = net.into_iter().map(Point3::from).collect();
            BezierCurve::new(points.len() - 1, &points).unwrap()
        });
        let velocity = Vector3::from(velocity);
        let two = moved(&two, one.eval(u, 0.0) - two.eval(v, 0.0) - velocity * 0.5);
        let (one, two) = (Moving::resting(one), translating(two, velocity));
        let outcome = time_of_impact(&one, &two, &Options::default()).unwrap();
        prop_assert!(outcome.toi().is_some_and(|toi| toi <= 0.5 + 1e-12), "{outcome:?}");
        prop_assert!(outcome.counters().boxes < 10_000, "{outcome:?}");
    }
}
