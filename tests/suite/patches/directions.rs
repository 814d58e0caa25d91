//! The direction of a contact at a separation, where it is known by construction.
//!
//! At [`MEETING`] one patch is behind a plane and touches it with a corner, a side, over all of it
//! or with the apex of a bowl, and the other one touches a parallel plane from beyond in the same
//! way, d away. Neither turns. So before that no points are within d, then the two touching points
//! are, and the direction is the normal of the planes.

use kit::scenes::{
    BICUBIC, BILINEAR, BIQUADRATIC, LINEAR, Motion, QUADRATIC, SEGMENT, greville, paraboloid,
    placed,
};
use kit::{Random, cases};
use nalgebra::{Point3, Rotation3, Vector3, point};
use patch_ccd::geometry::AnyPatch;
use patch_ccd::{Method, Moving, Options, Outcome};

use super::solve;

/// With what a patch touches its plane.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Feature {
    Corner,
    Side,
    Face,
    Apex,
}

use Feature::{Apex, Corner, Face, Side};

const MEETING: f64 = 0.5;

/// A patch above the plane z = 0 that touches it with a feature around the origin; a side is along
/// x.
fn above(feature: Feature, random: &mut Random) -> AnyPatch {
    if feature == Apex {
        let shape = random.pick(&[BIQUADRATIC, QUADRATIC]);
        return paraboloid(shape, [-0.4, 0.7], [-0.5, 0.6], 0.0);
    }
    let mut shapes = vec![LINEAR, BILINEAR, BICUBIC, QUADRATIC];
    if feature != Face {
        shapes.push(SEGMENT);
    }
    let shape = random.pick(&shapes);
    let places = greville(shape).into_iter().map(|(u, v)| {
        let high = 0.2 + 0.8 * random.unit();
        let [x, y] = [random.signed(), random.signed()];
        match feature {
            Corner if (u, v) == (0.0, 0.0) => Point3::origin(),
            Side if shape == SEGMENT => point![2.0 * u - 1.2, 0.0, 0.0],
            Side if u == 0.0 => point![2.0 * v - 0.8, 0.0, 0.0],
            // Its corners are (−1, −1), (2, −1) and (−1, 2).
            Face => point![3.0 * u - 1.0, 3.0 * v - 1.0, 0.0],
            _ => point![x, y, high],
        }
    });
    let points: Vec<_> = places.collect();
    if shape == SEGMENT || random.chance(2) {
        return AnyPatch::from_shape(shape, &points).expect("a net");
    }
    let weights: Vec<_> = points.iter().map(|_| 0.5 + 1.5 * random.unit()).collect();
    AnyPatch::rational_from_shape(shape, &points, &weights).expect("a net")
}

/// A pair, and the exact direction at a time a little before [`MEETING`].
struct Planted {
    pair: [Motion; 2],
    /// Directions along which a touching point may be moved.
    free: Vec<Vector3<f64>>,
    /// From the first one to the second one, at [`MEETING`].
    difference: Vector3<f64>,
    closing: Vector3<f64>,
}

impl Planted {
    fn new(features: [Feature; 2], separation: f64, random: &mut Random) -> Self {
        let turn = Rotation3::from_scaled_axis(random.vector(3.0));
        let up = turn * Vector3::z();
        let mut free = Vec::new();
        let signs = [-1.0, 1.0];
        let velocities = signs.map(|sign| up * (-0.75 * sign) + random.vector(0.3));
        let pair = [0, 1].map(|side| {
            let around = 6.0 * random.unit();
            let within = Rotation3::from_axis_angle(&Vector3::z_axis(), around);
            let axes: &[_] = match features[side] {
                Side => &[Vector3::x()],
                Face => &[Vector3::x(), Vector3::y()],
                Corner | Apex => &[],
            };
            free.extend(axes.iter().map(|axis| turn * (within * axis)));
            let there = placed(&above(features[side], random), |p| {
                let mut p = within * p;
                p.z *= signs[side];
                if side == 1 {
                    p.z += separation;
                }
                turn * p - velocities[side] * MEETING
            });
            Moving::translating(there, velocities[side]).expect("a velocity")
        });
        Self {
            pair,
            free,
            difference: up * separation,
            closing: velocities[0] - velocities[1],
        }
    }

    /// The number of dimensions in which the touching points can be moved.
    fn rank(&self) -> usize {
        match &self.free[..] {
            [] => 0,
            [first, rest @ ..] if rest.iter().all(|other| first.cross(other).norm() < 1e-3) => 1,
            _ => 2,
        }
    }

    /// The direction at a time near [`MEETING`] at which the same features are the nearest.
    fn direction(&self, time: f64) -> Vector3<f64> {
        let difference = self.difference + self.closing * (MEETING - time);
        let across = match (self.rank(), &self.free[..]) {
            (2, _) => self.difference,
            (1, [along, ..]) => difference - along * along.dot(&difference),
            _ => difference,
        };
        across.normalize()
    }
}

const SEPARATIONS: [f64; 5] = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7];

#[track_caller]
fn check(planted: &Planted, options: &Options, told: &str) {
    let outcome = solve(&planted.pair, options);
    let told = format!("{told}, {options:?}: {outcome:?}");
    let Outcome::Impact {
        toi,
        toi_upper,
        contact,
        ..
    } = outcome
    else {
        panic!("{told}");
    };
    assert!(toi <= MEETING + 1e-13, "{told}");
    if options.method == Method::TwoSided {
        assert_eq!(contact.time, toi_upper, "{told}");
        assert!(toi_upper - toi <= options.delta, "{told}");
        assert!((toi_upper - MEETING).abs() <= 1e-13, "{told}");
    }
    let direction = contact.direction.expect(&told);
    let off = (direction - planted.direction(contact.time)).norm();
    assert!(off <= 1e-6, "{off:e} off: {told}");
}

const FEATURES: [Feature; 4] = [Corner, Side, Face, Apex];

#[test]
fn of_contacts_that_a_local_solve_found() {
    let mut random = Random::new(50);
    for case in 0..cases(600) {
        let features = [random.pick(&FEATURES), random.pick(&FEATURES)];
        let separation = random.pick(&SEPARATIONS);
        let planted = Planted::new(features, separation, &mut random);
        let options = Options {
            min_separation: separation,
            ..Options::default()
        };
        check(&planted, &options, &format!("case {case}, {features:?}"));
    }
}

/// Without local solves the direction is that of the closest points of small boxes. What touches
/// along a line or over an area takes too many of these.
#[test]
fn of_contacts_that_no_local_solve_found() {
    let mut random = Random::new(51);
    for case in 0..cases(200) {
        let features = random.pick(&[
            [Corner, Corner],
            [Corner, Side],
            [Side, Corner],
            [Side, Side],
            [Corner, Face],
            [Face, Corner],
            [Apex, Face],
            [Face, Apex],
        ]);
        let separation = random.pick(&SEPARATIONS);
        let planted = Planted::new(features, separation, &mut random);
        // Where the direction changes on the way, it must not change by much in δ.
        let delta = if planted.rank() == 2 {
            1e-6
        } else {
            1e-6_f64.min(1e-3 * separation)
        };
        let options = Options {
            min_separation: separation,
            method: Method::TimeDependent,
            delta,
            ..Options::default()
        };
        check(&planted, &options, &format!("case {case}, {features:?}"));
    }
}
