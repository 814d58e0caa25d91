//! Rational patches against the exact quadrics they are.

use nalgebra::{Point3, Vector3, point, vector};
use patch_ccd::geometry::{
    Patch, Rational, RationalTensorProductPatch, TensorProductPatch, TriangularPatch,
};
use patch_ccd::{Error, Inclusion, Moving, Options, Outcome, time_of_impact};
use proptest::prelude::*;

use super::{assert_impact, moved, translating};

/// An octant of the unit sphere: a quarter circle in the x–z plane, u from the equator to the pole,
/// turned about z by a quarter circle along v. The row u = 1 is collapsed to the pole.
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

fn any_parameters() -> impl Strategy<Value = [f64; 2]> {
    prop::array::uniform2(0.0..=1.0_f64)
}

proptest! {
    #[test]
    fn points_lie_on_the_sphere(
        [u, v] in any_parameters(),
        path in prop::collection::vec(0..4_usize, 0..12),
    ) {
        let mut patch = octant();
        for child in path {
            patch = patch.subdivide().unwrap().swap_remove(child).0;
        }
        let radius = patch.eval(u, v).coords.norm();
        prop_assert!((radius - 1.0).abs() < 1e-14, "{radius}");
    }

    #[test]
    fn children_are_parts_of_the_patch([u, v] in any_parameters()) {
        let patch = octant();
        for (child, cell) in patch.subdivide().unwrap() {
            let (at_u, at_v) = cell.map(u, v);
            prop_assert!((child.eval(u, v) - patch.eval(at_u, at_v)).norm() < 1e-15);
        }
    }

    /// Weights that are all multiplied by the same factor are the same patch, to the last bit by a
    /// power of two.
    #[test]
    fn the_size_of_the_weights_does_not_matter(
        [u, v] in any_parameters(),
        power in -1020..1020_i32,
    ) {
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
        // On a sphere the normal is the point itself; u × v points inwards.
        let normal = patch.normal(u, v).unwrap();
        prop_assert!((normal + patch.eval(u, v).coords).norm() < 1e-13, "{normal}");
    }

    /// A point of the octant meets a corner of a triangle at t = 1/2, wherever it is: toi is not
    /// later.
    #[test]
    fn planted_contacts_are_not_missed(
        [u, v] in any_parameters(),
        velocity in prop::array::uniform3(-1.0..1.0_f64),
    ) {
        let velocity = Vector3::from(velocity);
        let sphere = octant();
        let meeting = sphere.eval(u, v);
        let corner = meeting - velocity * 0.5;
        let net = [[0.0, 0.0, 0.0], [0.3, 0.1, 0.2], [-0.1, 0.4, 0.2]];
        let net = net.map(|side| corner + Vector3::from(side));
        let triangle = TriangularPatch::new(1, &net).unwrap();
        let weighted = Rational::new(triangle, &[1.0, 2.0, 0.5]).unwrap();
        let (moving, sphere) = (translating(weighted, velocity), Moving::resting(sphere));
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
    let rising = translating(octant(), vector![0.0, 0.0, 2.0]);
    let contact = assert_impact(&rising, &plane, 0.5);
    assert!((contact.points[0] - point![0.0, 0.0, 2.0]).norm() < 1e-5);
}

#[test]
fn two_spheres_meet_between_their_centres() {
    // Two octants that face each other along (1, 1, 1): |distance of the centres| = 4 - 4 t = 2.
    let sphere = octant();
    let net = sphere.control_points().iter();
    let mirrored: Vec<_> = net.map(|p| Point3::from(-p.coords)).collect();
    let other = sphere.with_net(&mirrored, None).unwrap();
    let direction = vector![1.0, 1.0, 1.0].normalize();
    let towards = |patch, by: Vector3<f64>| translating(moved(&patch, -by), by);
    let one = towards(sphere, 2.0 * direction);
    let two = towards(other, -2.0 * direction);
    // To a rounding of the direction.
    assert_impact(&one, &two, 0.5 + 1e-15);
}

#[test]
fn equal_weights_change_nothing() {
    let plain = translating(square(1.0, 1.0), vector![0.1, 0.2, -1.5]);
    let weighted = Rational::new(square(1.0, 1.0), &[3.0; 4]).unwrap();
    let weighted = translating(weighted, vector![0.1, 0.2, -1.5]);
    let sphere = Moving::resting(octant());
    let toi = |outcome: Result<Outcome, Error>| outcome.unwrap().toi().unwrap();
    let options = Options::default();
    let (one, two) = (
        toi(time_of_impact(&plain, &sphere, &options)),
        toi(time_of_impact(&weighted, &sphere, &options)),
    );
    assert!((one - two).abs() <= 2e-6, "{one} {two}");
}
