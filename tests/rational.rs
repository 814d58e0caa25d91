//! Rational patches against the exact quadrics they are.

use nalgebra::{Point3, Vector3, point, vector};
use patch_ccd::geometry::{
    MAX_WEIGHT_RATIO, Patch, Rational, RationalTensorProductPatch, TensorProductPatch,
    TriangularPatch,
};
use patch_ccd::{Error, Inclusion, Moving, Options, Outcome, time_of_impact};
use proptest::prelude::*;

/// An octant of the unit sphere: a quarter circle in the x–z plane, u from the equator to the pole, turned about z by a
/// quarter circle along v. The row u = 1 is collapsed to the pole.
fn octant() -> RationalTensorProductPatch {
    let w = 0.5_f64.sqrt();
    let profile = [(1.0, 0.0, 1.0), (1.0, 1.0, w), (0.0, 1.0, 1.0)];
    let turn = [(1.0, 0.0, 1.0), (1.0, 1.0, w), (0.0, 1.0, 1.0)];
    let (mut points, mut weights) = (Vec::new(), Vec::new());
    for (radius, z, along_u) in profile {
        for (x, y, along_v) in turn {
            points.push(point![radius * x, radius * y, z]);
            weights.push(along_u * along_v);
        }
    }
    let net = TensorProductPatch::new(2, 2, &points).unwrap();
    Rational::new(net, &weights).unwrap()
}

fn square(z: f64, half: f64) -> TensorProductPatch {
    let at = |x: f64, y: f64| point![x * half, y * half, z];
    TensorProductPatch::new(
        1,
        1,
        &[at(-1.0, -1.0), at(-1.0, 1.0), at(1.0, -1.0), at(1.0, 1.0)],
    )
    .unwrap()
}

proptest! {
    #[test]
    fn points_lie_on_the_sphere(u in 0.0..=1.0_f64, v in 0.0..=1.0_f64, path in prop::collection::vec(0..4_usize, 0..12)) {
        let mut patch = octant();
        for child in path {
            patch = patch.subdivide().unwrap().swap_remove(child).0;
        }
        let radius = patch.eval(u, v).coords.norm();
        prop_assert!((radius - 1.0).abs() < 1e-14, "{radius}");
    }

    #[test]
    fn children_are_parts_of_the_patch(u in 0.0..=1.0_f64, v in 0.0..=1.0_f64) {
        let patch = octant();
        for (child, cell) in patch.subdivide().unwrap() {
            let (at_u, at_v) = cell.map(u, v);
            prop_assert!((child.eval(u, v) - patch.eval(at_u, at_v)).norm() < 1e-15);
        }
    }

    /// Weights that are all multiplied by the same factor are the same patch, to the last bit by a power of two.
    #[test]
    fn the_size_of_the_weights_does_not_matter(u in 0.0..=1.0_f64, v in 0.0..=1.0_f64, power in -1020..1020_i32) {
        let net = TensorProductPatch::new(2, 2, octant().control_points()).unwrap();
        let weights = [1.0, 0.75, 0.5, 0.75, 0.25, 0.5, 1.0, 0.5, 0.25];
        let of_size = |size: f64| Rational::new(net.clone(), &weights.map(|w| w * size)).unwrap();
        let (patch, scaled) = (of_size(1.0), of_size(2.0_f64.powi(power)));
        prop_assert_eq!(patch.eval(u, v), scaled.eval(u, v));
        prop_assert_eq!(patch.partials(u, v), scaled.partials(u, v));
        for (one, two) in patch.subdivide().unwrap().iter().zip(scaled.subdivide().unwrap()) {
            prop_assert_eq!(one.0.control_points(), two.0.control_points());
        }
        // Multiples of 2⁻¹⁰⁷⁴ all the same.
        prop_assert_eq!(patch.eval(u, v), of_size(4.0 * f64::from_bits(1)).eval(u, v));
    }

    #[test]
    fn partials_agree_with_differences(u in 0.1..0.9_f64, v in 0.1..0.9_f64) {
        let patch = octant();
        let h = 1e-6;
        let (by_u, by_v) = patch.partials(u, v);
        let slope = |a: Point3<f64>, b: Point3<f64>| (b - a) / (2.0 * h);
        prop_assert!((by_u - slope(patch.eval(u - h, v), patch.eval(u + h, v))).norm() < 1e-8);
        prop_assert!((by_v - slope(patch.eval(u, v - h), patch.eval(u, v + h))).norm() < 1e-8);
        // On a sphere the normal is the point itself.
        let normal = patch.normal(u, v).unwrap();
        prop_assert!((normal - patch.eval(u, v).coords).norm().min((normal + patch.eval(u, v).coords).norm()) < 1e-13);
    }

    /// A point of the octant meets a corner of a square at t = 1/2, wherever it is: toi is not later.
    #[test]
    fn planted_contacts_are_not_missed(u in 0.0..=1.0_f64, v in 0.0..=1.0_f64, velocity in prop::array::uniform3(-1.0..1.0_f64)) {
        let velocity = Vector3::from(velocity);
        let sphere = octant();
        let meeting = sphere.eval(u, v);
        let corner = meeting - velocity * 0.5;
        let net = [corner, corner + vector![0.3, 0.1, 0.2], corner + vector![-0.1, 0.4, 0.2]];
        let triangle = TriangularPatch::new(1, &net).unwrap();
        let weighted = Rational::new(triangle, &[1.0, 2.0, 0.5]).unwrap();
        let (moving, sphere) = (Moving::translating(weighted, velocity).unwrap(), Moving::resting(sphere));
        for inclusion in [Inclusion::Aabb, Inclusion::Obb] {
            let options = Options { delta: 1e-3, inclusion, ..Options::default() };
            let toi = time_of_impact(&moving, &sphere, &options).unwrap().toi();
            // The contact itself is planted to a few roundings only.
            prop_assert!(toi.is_some_and(|toi| toi <= 0.5 + 1e-12), "{toi:?}");
        }
    }
}

#[test]
fn a_sphere_meets_a_plane_at_its_pole() {
    let plane = Moving::resting(square(2.0, 3.0));
    let rising = Moving::translating(octant(), vector![0.0, 0.0, 2.0]).unwrap();
    match time_of_impact(&rising, &plane, &Options::default()).unwrap() {
        Outcome::Impact { toi, contact, .. } => {
            assert!(toi <= 0.5 && toi > 0.5 - 1e-6, "{toi}");
            assert!((contact.points[0] - point![0.0, 0.0, 2.0]).norm() < 1e-5);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn two_spheres_meet_between_their_centres() {
    // Two octants that face each other along (1, 1, 1): |distance of the centres| = 4 - 4 t = 2.
    let mirrored: Vec<_> = octant()
        .control_points()
        .iter()
        .map(|p| Point3::from(-p.coords))
        .collect();
    let other = octant().with_net(&mirrored, None).unwrap();
    let direction = vector![1.0, 1.0, 1.0].normalize();
    let from = |patch: &RationalTensorProductPatch, by: Vector3<f64>| {
        let points: Vec<_> = patch.control_points().iter().map(|p| p + by).collect();
        patch.with_net(&points, None).unwrap()
    };
    let one = Moving::translating(from(&octant(), -2.0 * direction), 2.0 * direction).unwrap();
    let two = Moving::translating(from(&other, 2.0 * direction), -2.0 * direction).unwrap();
    let toi = time_of_impact(&one, &two, &Options::default())
        .unwrap()
        .toi()
        .unwrap();
    assert!(toi <= 0.5 + 1e-15 && toi > 0.5 - 2e-6, "{toi}");
}

#[test]
fn equal_weights_change_nothing() {
    let plain = Moving::translating(square(1.0, 1.0), vector![0.1, 0.2, -1.5]).unwrap();
    let weighted = Rational::new(square(1.0, 1.0), &[3.0; 4]).unwrap();
    let weighted = Moving::translating(weighted, vector![0.1, 0.2, -1.5]).unwrap();
    let sphere = Moving::resting(octant());
    let toi = |outcome: Result<Outcome, Error>| outcome.unwrap().toi().unwrap();
    let options = Options::default();
    let (one, two) = (
        toi(time_of_impact(&plain, &sphere, &options)),
        toi(time_of_impact(&weighted, &sphere, &options)),
    );
    assert!((one - two).abs() <= 2e-6, "{one} {two}");
}

#[test]
fn bad_weights_are_named() {
    for (weight, name) in [
        (0.0, "0.0"),
        (-1.0, "-1.0"),
        (f64::NAN, "NaN"),
        (f64::INFINITY, "inf"),
    ] {
        let error = Rational::new(square(0.0, 1.0), &[1.0, 1.0, weight, 1.0]).unwrap_err();
        assert!(matches!(error, Error::Weight { index: 2, .. }), "{error}");
        assert!(
            error
                .to_string()
                .starts_with(&format!("weight 2 is {name},")),
            "{error}"
        );
    }
    let error = Rational::new(square(0.0, 1.0), &[1.0; 3]).unwrap_err();
    assert!(matches!(
        error,
        Error::Count {
            argument: "weights",
            expected: 4,
            found: 3,
            ..
        }
    ));
    let least = 2.0 / MAX_WEIGHT_RATIO;
    assert!(Rational::new(square(0.0, 1.0), &[1.0, least, 1.0, 1.0]).is_ok());
    assert!(Rational::new(square(0.0, 1.0), &[1.0, 0.25 * least, 1.0, 1.0]).is_err());
}

/// Weighted, the control points of these patches are beyond the range of doubles.
#[test]
fn patches_at_the_end_of_the_range_can_be_split() {
    let far = f64::MAX;
    let net = [
        point![far, -far, 0.0],
        point![0.5 * far, far, 1.0],
        point![-far, far, -far],
        point![0.5 * far, 1.0, far],
    ];
    for weights in [[1.0, 1.9, 0.3, 1.0], [1e308, 1e150, 3e300, 1.7e308]] {
        let patch = TensorProductPatch::new(1, 1, &net).expect("a patch");
        let patch = Rational::new(patch, &weights).expect("a rational patch");
        let children = patch.subdivide().expect("four patches");
        for (child, cell) in &children {
            for (corner, (u, v)) in [(0, (0.0, 0.0)), (1, (0.0, 1.0)), (2, (1.0, 0.0))] {
                let (u, v) = cell.map(u, v);
                let apart = child.control_points()[corner] / far - patch.eval(u, v) / far;
                assert!(apart.amax() < 1e-15, "({u}, {v}): {apart}");
            }
        }
    }
}
