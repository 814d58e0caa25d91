//! The same normals in the answers to queries: of contacts, of closest points, of two curves.

use kit::scenes::{BILINEAR, SEGMENT, level, octant, placed, segment};
use kit::{Random, cases};
use nalgebra::{Point3, Vector3, point, vector};
use patch_ccd::geometry::{AnyPatch, Patch, Shape};
use patch_ccd::{
    Contact, DistanceOptions, Moving, Options, closest_point_on, closest_points, time_of_impact,
};

use super::{CLOSE, assert_near, cap, somewhere, turned};

fn first_contact(a: &Moving<AnyPatch>, b: &Moving<AnyPatch>, options: &Options) -> Contact {
    let outcome = time_of_impact(a, b, options).unwrap();
    *outcome.contact().unwrap_or_else(|| panic!("{outcome:?}"))
}

/// A plate falls on the pole of an octant or of a cap along its axis. The place is off by the
/// tolerance, and far from the origin by some 1e-5, but the normal is that of the place.
#[test]
fn plates_on_poles() {
    let mut random = Random::new(20);
    for case in 0..cases(200) {
        let (turn, shift) = somewhere(&mut random);
        let up = turn * Vector3::z();
        let min_separation = random.pick(&[0.0, 0.1]);
        let rounded = case % 2 == 0;
        let pole = if rounded {
            octant(Point3::origin(), 1.0, [1.0; 3])
        } else {
            cap(&mut random, 3, 3)
        };
        let pole = placed(&pole, |p| turn * p + shift);
        let plate = level(BILINEAR, [-4.0, 4.0], [-4.0, 4.0], 3.0);
        let plate = placed(&plate, |p| turn * p + shift);

        let falling = Moving::translating(plate.clone(), -4.0 * up).unwrap();
        let options = Options {
            min_separation,
            ..Options::default()
        };
        let contact = first_contact(&Moving::resting(pole.clone()), &falling, &options);
        let distance = closest_points(&pole, &plate, &DistanceOptions::default()).unwrap();
        let closest = distance.closest().unwrap();
        for (parameters, normals) in [
            (contact.parameters[0], contact.normals),
            (closest.parameters[0], closest.normals),
        ] {
            let (u, v) = parameters;
            let (expected, near) = if rounded {
                let near = if shift.amax() < 40.0 { CLOSE } else { 1e-5 };
                ((pole.eval(u, v).coords - shift).normalize(), near)
            } else {
                // The plate moves by 4e-6 in the tolerance; so far below the tip of a cap with a
                // curvature of about 1, the normal is off by √8e-6.
                (-up, 4e-3)
            };
            let normal = normals[0].unwrap_or_else(|| panic!("({u}, {v}) of {pole:?}"));
            let off = (normal - expected).norm();
            assert!(off < near, "{off} off at ({u}, {v}) of {pole:?}");
            assert_near(normals[1], up, &plate);
        }
    }
}

/// A particle meets the very tip of a cap.
#[test]
fn a_point_over_a_pole() {
    let mut random = Random::new(21);
    for _ in 0..cases(100) {
        let (turn, shift) = somewhere(&mut random);
        let cap = placed(&cap(&mut random, 2, 2), |p| turn * p + shift);
        let above = turn * point![0.0, 0.0, 1.0] + shift;
        let distance = closest_point_on(above, &cap, &DistanceOptions::default()).unwrap();
        let normals = distance.closest().unwrap().normals;
        assert_eq!(normals[0], None);
        assert_near(normals[1], turn * -Vector3::z(), &distance);
    }
}

/// Two curves: the first through the origin along x + z, the second above it along y, and both with
/// their first control points as often as told. They meet at their ends.
fn crossing(repeated: [usize; 2], place: impl Fn(Point3<f64>) -> Point3<f64>) -> [AnyPatch; 2] {
    let ends = [point![1.0, 0.0, 1.0], point![0.0, 1.0, 0.0]];
    [0, 1].map(|side| {
        let mut points = vec![Point3::origin(); repeated[side]];
        points.push(ends[side]);
        points.push(ends[side] + vector![0.0, 0.0, 1.0]);
        let n = points.len() - 1;
        let curve = AnyPatch::from_shape(Shape::TensorProduct { n, m: 0 }, &points).unwrap();
        placed(&curve, &place)
    })
}

/// Where the first control points of a curve coincide its derivative vanishes, but it has a
/// direction.
#[test]
fn ends_of_curves_where_they_stand_still() {
    let mut random = Random::new(22);
    for _ in 0..cases(100) {
        let (turn, shift) = somewhere(&mut random);
        let repeated = [0; 2].map(|_| 1 + random.below(3));
        let [first, second] = crossing(repeated, |p| turn * p + shift);
        let contact = first_contact(
            &Moving::resting(first),
            &Moving::translating(second, turn * vector![-1.0, 0.0, 0.0]).unwrap(),
            &Options::default(),
        );
        assert_eq!(contact.time, 0.0);
        let across = turn * vector![1.0, 0.0, 1.0].cross(&Vector3::y()).normalize();
        for normal in contact.normals {
            // The place is the middle of a box.
            let off = (normal.expect("curves that cross") - across).norm();
            assert!(off < 1e-3, "{off}: {contact:?}");
        }
    }
}

/// Parallel edges have no normal, also where rounding makes them not quite parallel; others do.
#[test]
fn parallel_edges() {
    let mut random = Random::new(23);
    for case in 0..cases(200) {
        let far = random.pick(&[0.0, 1.0, 1000.0, 1e5]);
        let (turn, shift) = (turned(&mut random), random.vector(far));
        let lean = if case % 2 == 0 { 0.0 } else { 0.1 };
        let place = |p: Point3<f64>| turn * p + shift;
        let one = segment(place(Point3::origin()), place(point![1.0, 0.3, 0.0]));
        let other = [point![-0.2, 0.1, 1.0], point![2.1, 0.79 + lean, 1.0]].map(place);
        let other = AnyPatch::from_shape(SEGMENT, &other).unwrap();
        let falling = Moving::translating(other, turn * vector![0.0, 0.0, -2.0]).unwrap();
        let options = Options {
            min_separation: 0.2,
            epsilon: 0.02,
            ..Options::default()
        };
        let contact = first_contact(&Moving::resting(one), &falling, &options);
        if lean == 0.0 {
            assert_eq!(contact.normals, [None; 2], "{contact:?}");
        } else {
            assert_near(contact.normals[0], turn * Vector3::z(), &contact);
            assert_eq!(contact.normals[0], contact.normals[1]);
        }
    }
}
