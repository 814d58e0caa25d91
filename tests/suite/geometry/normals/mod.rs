//! Normals, above all where the product of the derivatives vanishes: at poles, collapsed sides and
//! straight corners they are the limits that are known in closed form, and where there is no limit
//! there is no normal.

mod graph;
mod queries;

use kit::scenes::{octant, patch, placed};
use kit::{Random, cases};
use nalgebra::{Point3, Rotation3, Vector3, point, vector};
use patch_ccd::Moving;
use patch_ccd::geometry::{AnyPatch, KnotVector, NurbsSurface, Patch, Shape};

use graph::{Graph, Polynomial};

/// How far off a normal may be, in radians, also where the patch is 1000 from the origin.
const CLOSE: f64 = 1e-6;

fn turned(random: &mut Random) -> Rotation3<f64> {
    Rotation3::from_scaled_axis(random.vector(3.0))
}

/// A turn, and a shift of one of several sizes.
fn somewhere(random: &mut Random) -> (Rotation3<f64>, Vector3<f64>) {
    let far = random.pick(&[0.0, 1.0, 30.0, 1000.0]);
    (turned(random), random.vector(far))
}

#[track_caller]
fn assert_near(found: Option<Vector3<f64>>, expected: Vector3<f64>, told: &dyn std::fmt::Debug) {
    let Some(found) = found else {
        panic!("no normal: {told:?}");
    };
    let off = (found - expected).norm();
    assert!(off < CLOSE, "{off:e} off: {told:?}");
}

/// Places along u from end to end, both ends among them.
fn along(random: &mut Random) -> [f64; 5] {
    [0.0, 1.0, 0.5, random.unit(), random.unit()]
}

#[test]
fn poles_of_octants() {
    let mut random = Random::new(1);
    for _ in 0..cases(400) {
        let (turn, shift) = somewhere(&mut random);
        let signs = [0; 3].map(|_| random.pick(&[-1.0, 1.0]));
        let whole = octant(Point3::origin(), 0.1 + 3.0 * random.unit(), signs);
        let whole = placed(&whole, |p| turn * p + shift);
        // Outwards, or inwards where an odd number of signs mirrors the octant.
        let side = signs.iter().product::<f64>();
        let axis = turn * Vector3::z() * signs[2] * side;
        for u in along(&mut random) {
            assert_near(whole.normal(u, 1.0), axis, &(u, &whole));
        }
    }
}

/// Near a pole normals are those of the sphere, whichever way they are found.
#[test]
fn octants_near_their_poles() {
    let mut random = Random::new(2);
    for _ in 0..cases(200) {
        let (turn, shift) = (turned(&mut random), random.vector(2.0));
        let whole = placed(&octant(Point3::origin(), 1.0, [1.0; 3]), |p| {
            turn * p + shift
        });
        for power in 1..17 {
            let (u, v) = (random.unit(), 1.0 - 0.1_f64.powi(power));
            let expected = whole.eval(u, v).coords - shift;
            assert_near(whole.normal(u, v), expected.normalize(), &(u, v, &whole));
        }
    }
}

/// Rotating by large displacements, an octant's control points are as accurate as those.
#[test]
fn moving_poles() {
    let mut random = Random::new(3);
    for _ in 0..cases(200) {
        let [(turn, shift), (later, then)] = [0; 2].map(|_| somewhere(&mut random));
        let whole = octant(Point3::origin(), 1.0, [1.0; 3]);
        let start = placed(&whole, |p| turn * p + shift);
        let moving = Moving::between(start, &placed(&whole, |p| later * p + then)).unwrap();
        for u in along(&mut random) {
            let axis = later * Vector3::z();
            assert_near(moving.normal(u, 1.0, 1.0), axis, &(u, &moving));
        }
    }
}

/// A patch whose first column is one point, and whose second lies in a plane with it.
fn cap(random: &mut Random, n: usize, m: usize) -> AnyPatch {
    let radius = [1.0, 1.0 + random.unit()];
    let drop = random.unit();
    patch(Shape::TensorProduct { n, m }, |u, v| {
        let angle = 1.5 * u;
        let out = radius[usize::from(u > 0.5)] * v;
        let down = if v > 1.5 / m as f64 { drop * v } else { 0.0 };
        point![out * angle.cos(), out * angle.sin(), -down]
    })
}

#[test]
fn tops_of_caps() {
    let mut random = Random::new(4);
    for _ in 0..cases(400) {
        let (turn, shift) = somewhere(&mut random);
        let (n, m) = (1 + random.below(4), 2 + random.below(3));
        let cap = placed(&cap(&mut random, n, m), |p| turn * p + shift);
        for u in along(&mut random) {
            assert_near(cap.normal(u, 0.0), turn * -Vector3::z(), &(u, &cap));
        }
    }
    // As a report has it: there was a normal at u = 0.1, of rounding noise.
    let net = [
        [
            point![0.0, 0.0, 0.1],
            point![1.0, 0.0, 0.1],
            point![1.0, 0.0, 0.0],
        ],
        [
            point![0.0, 0.0, 0.1],
            point![1.0, 1.0, 0.1],
            point![1.0, 1.0, 0.0],
        ],
        [
            point![0.0, 0.0, 0.1],
            point![0.0, 1.0, 0.1],
            point![0.0, 1.0, 0.0],
        ],
    ];
    let cap = AnyPatch::from_shape(Shape::TensorProduct { n: 2, m: 2 }, &net.concat()).unwrap();
    for u in (0..=10).map(|k| f64::from(k) / 10.0) {
        assert_eq!(cap.normal(u, 0.0), Some(-Vector3::z()), "{u}");
    }
}

/// A cone is no surface at its tip, but a fan of a plane is.
#[test]
fn tips_of_cones() {
    let mut random = Random::new(5);
    for _ in 0..cases(400) {
        let (turn, shift) = somewhere(&mut random);
        let (n, m) = (2 + random.below(3), 1 + random.below(3));
        let height = random.pick(&[0.0, 0.01, 1.0, 30.0]);
        let cone = patch(Shape::TensorProduct { n, m }, |u, v| {
            let angle = 2.0 * u;
            point![v * angle.cos(), v * angle.sin(), -height * v]
        });
        let cone = placed(&cone, |p| turn * p + shift);
        for u in along(&mut random) {
            if height == 0.0 {
                assert_near(cone.normal(u, 0.0), turn * -Vector3::z(), &(u, &cone));
            } else {
                assert_eq!(cone.normal(u, 0.0), None, "{u} {cone:?}");
            }
        }
    }
}

/// Maps of the square or the triangle onto a part of the plane, and places where they keep their
/// orientation around, though not their extent. The last number is that orientation.
fn singular(random: &mut Random) -> ([Polynomial; 2], bool, Vec<(f64, f64)>, f64) {
    let (u, v, one) = (Polynomial::u(), Polynomial::v(), Polynomial::constant(1.0));
    let w = one.plus(-1.0, &u).plus(-1.0, &v);
    let small = |random: &mut Random| 0.2 * random.signed();
    // Two functions whose quotient falls along a side.
    let fan = |along: &Polynomial, random: &mut Random| {
        let first = one
            .plus(-1.0, along)
            .plus(small(random), &along.times(along));
        let second = along.plus(small(random), &along.power(3));
        [first, second]
    };
    let inside = [random.unit(), random.unit()];
    let side = [(0.0, 0.0), (1.0, 0.0), (inside[0], 0.0), (inside[1], 0.0)];
    match random.below(7) {
        // A side that is one point, approached by a power.
        0 => {
            let power = 1 + random.below(2);
            let [x, y] = fan(&u, random).map(|part| part.times(&v.power(power)));
            ([x, y], random.chance(2), side.to_vec(), -1.0)
        }
        // The slanted side of a triangle is one point.
        1 => {
            let [x, y] = fan(&u, random).map(|part| part.times(&w));
            let places = [0.0, 1.0, inside[0]].map(|u| (u, 1.0 - u));
            ([x, y], true, places.to_vec(), 1.0)
        }
        // Two sides of a corner make a straight line.
        2 => {
            let x = u.plus(-1.0, &v).plus(small(random), &u.power(2));
            let y = u.times(&v).plus(0.3, &u.power(2)).plus(0.4, &v.power(2));
            ([x, y], random.chance(2), vec![(0.0, 0.0)], 1.0)
        }
        // The control points at a side or a corner coincide in rows.
        3 => {
            let powers = [0; 2].map(|_| 1 + random.below(3));
            let map = [u.power(powers[0]), v.power(powers[1])];
            let places = [(0.0, 0.0), (inside[0], 0.0), (0.0, inside[1])];
            (map, random.chance(2), places.to_vec(), 1.0)
        }
        // A line inside, across which the map stands still.
        4 => {
            let from = u.plus(-0.5, &one);
            let map = [from.power(3), v.clone()];
            (map, false, vec![(0.5, 0.0), (0.5, inside[0])], 1.0)
        }
        // A point inside.
        5 => {
            let [from_u, from_v] = [u.plus(-0.5, &one), v.plus(-0.25, &one)];
            let map = [from_u.power(3), from_v.power(3)];
            (map, false, vec![(0.5, 0.25)], 1.0)
        }
        // A regular map.
        _ => {
            let map = [
                u.plus(small(random), &v),
                v.plus(small(random), &u.times(&v)),
            ];
            let places = side.into_iter().chain([(inside[0], 1.0 - inside[0])]);
            (map, random.chance(2), places.collect(), 1.0)
        }
    }
}

#[test]
fn graphs_over_singular_maps() {
    let mut random = Random::new(6);
    for _ in 0..cases(3000) {
        let (map, triangular, places, orientation) = singular(&mut random);
        let rational = random.chance(2);
        let graph = Graph::new(map, &mut random, rational);
        let (turn, shift) = somewhere(&mut random);
        let patch = graph.patch(triangular, |p| turn * p + shift);
        for (u, v) in places {
            let expected = turn * graph.normal(u, v) * orientation;
            assert_near(patch.normal(u, v), expected, &(u, v, &patch));
        }
    }
}

/// Close to singular places normals may be less accurate, and a few are missing, but none is just
/// any direction.
#[test]
fn graphs_near_singular_places() {
    let mut random = Random::new(11);
    let (mut all, mut missing) = (0, 0);
    for _ in 0..cases(3000) {
        let (map, triangular, places, orientation) = singular(&mut random);
        let rational = random.chance(2);
        let graph = Graph::new(map, &mut random, rational);
        let (turn, shift) = somewhere(&mut random);
        let patch = graph.patch(triangular, |p| turn * p + shift);
        for (u, v) in places {
            let by = 0.1_f64.powf(16.0 * random.unit());
            let (u, v) = (u + by * (0.3 - u), v + by * (0.4 - v));
            let expected = turn * graph.normal(u, v) * orientation;
            all += 1;
            match patch.normal(u, v) {
                None => missing += 1,
                Some(normal) => {
                    let off = (normal - expected).norm();
                    assert!(off < 1e-3, "{off:e} off at ({u}, {v}): {patch:?}");
                }
            }
        }
    }
    assert!(missing * 100 < all, "{missing} of {all}");
}

/// Where a map folds, the normals of both sides are opposite.
#[test]
fn folds_have_no_normal() {
    let (u, v, one) = (Polynomial::u(), Polynomial::v(), Polynomial::constant(1.0));
    let mut random = Random::new(7);
    for case in 0..cases(300) {
        let from = u.plus(-0.5, &one);
        let (map, at) = match case % 3 {
            // A fold across the patch.
            0 => ([from.power(2), v.clone()], (0.5, random.unit())),
            // A double cone, flattened: its tip is a whole line.
            1 => ([from.clone(), from.times(&v)], (0.5, random.unit())),
            // A straight corner whose neighbour is not convex: det = u − v / 2.
            _ => {
                let y = u.times(&v).plus(-0.75, &v.power(2));
                ([u.plus(-1.0, &v), y], (0.0, 0.0))
            }
        };
        let rational = random.chance(2);
        let graph = Graph::new(map, &mut random, rational);
        let (turn, shift) = somewhere(&mut random);
        let patch = graph.patch(false, |p| turn * p + shift);
        assert_eq!(patch.normal(at.0, at.1), None, "{at:?} {patch:?}");
    }
}

/// A flat quadrilateral with a straight corner, turned, and far from the origin.
#[test]
fn straight_corners_of_flat_quadrilaterals() {
    let mut random = Random::new(8);
    let corners = [(0.0, 0.0), (0.0, 2.0), (1.0, 1.0), (2.0, 2.0)];
    for _ in 0..cases(1000) {
        let far = random.pick(&[0.0, 1.0, 1000.0, 1e5]);
        let (turn, shift) = (turned(&mut random), random.vector(far));
        let net = corners.map(|(x, y)| turn * point![x, y, 0.0] + shift);
        let quad = AnyPatch::from_shape(Shape::TensorProduct { n: 1, m: 1 }, &net).unwrap();
        let up = turn * Vector3::z();
        for (u, v) in [
            (1.0, 0.0),
            (0.0, 0.0),
            (1.0, 1.0),
            (0.5, 0.5),
            (1.0 - 1e-9, 0.0),
        ] {
            assert_near(quad.normal(u, v), up, &(u, v, far, &quad));
        }
    }
    // As a report has it, about 2000 from the origin: there the normal was noise.
    let net = [
        point![1566.5487746995207, -96.43216015562055, 680.3784532741462],
        point![1568.4131030654848, -96.76908099229486, 679.737544471214],
        point![1567.5057911294882, -95.68778791060953, 679.6504220154563],
        point![1568.4628075594555, -94.9434156655985, 678.9223907567664],
    ];
    let quad = AnyPatch::from_shape(Shape::TensorProduct { n: 1, m: 1 }, &net).unwrap();
    let normal = vector![-0.3611818126443947, -0.3719645361836648, -0.855096533753108];
    for (u, v) in [(1.0, 0.0), (0.5, 0.5), (0.999999999, 0.0)] {
        assert_near(quad.normal(u, v), normal, &(u, v));
    }
}

/// Patches that are a line or a point, to rounding, have no normal at all.
#[test]
fn patches_without_extent() {
    let mut random = Random::new(9);
    let shapes = [
        Shape::TensorProduct { n: 1, m: 1 },
        Shape::TensorProduct { n: 3, m: 2 },
        Shape::Triangular { n: 1 },
        Shape::Triangular { n: 3 },
    ];
    for _ in 0..cases(300) {
        let shape = random.pick(&shapes);
        let (turn, shift) = somewhere(&mut random);
        let straight = random.chance(2);
        let size = if straight { 1.0 } else { 0.0 };
        let points: Vec<_> = (0..shape.count())
            .map(|_| turn * point![size * random.signed(), 0.0, 0.0] + shift)
            .collect();
        let patch = AnyPatch::from_shape(shape, &points).unwrap();
        for u in along(&mut random) {
            let v = random.unit() * (1.0 - u);
            assert_eq!(patch.normal(u, v), None, "({u}, {v}) {patch:?}");
        }
    }
}

/// The size of everything does not matter, up to the ends of the range of doubles.
#[test]
fn all_scales() {
    for exponent in [-1020, -300, -20, 0, 20, 300, 1020] {
        let scale = 2.0_f64.powi(exponent);
        let whole = placed(&octant(Point3::origin(), 1.0, [1.0; 3]), |p| p * scale);
        assert_near(whole.normal(0.3, 1.0), Vector3::z(), &scale);
        assert_near(whole.normal(0.0, 0.0), Vector3::x(), &scale);
    }
}

#[test]
fn poles_of_nurbs_spheres() {
    let w = 0.5_f64.sqrt();
    // From pole to pole, and once around.
    let half = [
        (0.0, 1.0, 1.0),
        (1.0, 1.0, w),
        (1.0, 0.0, 1.0),
        (1.0, -1.0, w),
        (0.0, -1.0, 1.0),
    ];
    let around = [(1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (-1.0, 1.0), (-1.0, 0.0)];
    let knots = || KnotVector::new(2, &[0.0, 0.0, 0.0, 1.0, 1.0, 3.0, 3.0, 3.0]).unwrap();
    let mut random = Random::new(10);
    for _ in 0..cases(100) {
        let (turn, shift) = somewhere(&mut random);
        let (mut points, mut weights) = (Vec::new(), Vec::new());
        for (out, up, of_meridian) in half {
            for (k, (x, y)) in around.into_iter().enumerate() {
                points.push(turn * point![out * x, out * y, up] + shift);
                weights.push(of_meridian * if k % 2 == 1 { w } else { 1.0 });
            }
        }
        let sphere = NurbsSurface::new([knots(), knots()], &points, Some(&weights)).unwrap();
        for v in along(&mut random).map(|part| 3.0 * part) {
            for (u, up) in [(0.0, 1.0), (3.0, -1.0)] {
                let axis = turn * Vector3::z() * up;
                assert_near(sphere.normal(u, v), axis, &(u, v, &points));
            }
            let u = 3.0 * random.unit();
            let outwards = (sphere.eval(u, v).coords - shift).normalize();
            assert_near(sphere.normal(u, v), outwards, &(u, v, &points));
        }
    }
}
