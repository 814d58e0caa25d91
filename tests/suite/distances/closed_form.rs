//! Distances that are known in closed form.

use kit::Random;
use kit::scenes::{BICUBIC, BILINEAR, LINEAR, dot, octant, patch, placed, segment, square};
use nalgebra::{Point3, Vector3, point};
use patch_ccd::geometry::{AnyPatch, Patch};
use patch_ccd::{Distance, DistanceOptions, Inclusion, Workspace, closest_point_on};

use super::{assert_is, measured, random_pair, within};

/// A direction in the inside of the first octant.
fn into_octant(random: &mut Random) -> Vector3<f64> {
    (random.vector(1.0).abs() + Vector3::repeat(0.05)).normalize()
}

#[test]
fn a_point_over_a_plane_patch_and_beside_it() {
    for (p, exact, at) in [
        (point![0.25, 0.5, 0.7], 0.7, [0.25, 0.5]),
        (point![0.25, 0.5, -3.0], 3.0, [0.25, 0.5]),
        (point![-3.0, 0.5, 4.0], 5.0, [0.0, 0.5]),
        (point![4.0, 5.0, 0.0], 5.0, [1.0, 1.0]),
        (point![0.5, 0.5, 0.0], 0.0, [0.5, 0.5]),
    ] {
        let distance = closest_point_on(p, &square(0.0), &within(1e-9)).unwrap();
        assert_is(&distance, exact, 1e-7, 1e-15);
        let (u, v) = distance.closest().unwrap().parameters[1];
        let off = f64::abs(u - at[0]).max(f64::abs(v - at[1]));
        assert!(off < 1e-14, "{u} {v}");
        let distance = measured(&dot(p), &square(0.0), &within(1e-9));
        assert_is(&distance, exact, 1e-7, 1e-15);
    }
}

#[test]
fn a_point_outside_and_inside_of_an_octant() {
    let centre = point![1.0, 2.0, 3.0];
    let patch = octant(centre, 2.0, [1.0; 3]);
    let mut random = Random::new(1);
    for _ in 0..100 {
        let direction = into_octant(&mut random);
        for radius in [0.3, 1.9, 2.0 + 1e-6, 2.5, 40.0] {
            let p = centre + direction * radius;
            let distance = closest_point_on(p, &patch, &within(1e-6)).unwrap();
            let exact = (p - centre).norm() - 2.0;
            assert_is(&distance, exact.abs(), 1e-4, 1e-14 * radius.max(4.0));
            let on = centre + direction * 2.0;
            let off = distance.closest().unwrap().points[1] - on;
            assert!(off.norm() < 1e-12, "{radius}: {distance:?}");
        }
    }
}

/// The centre is as far from all points: no budget ends that, but bounds are right.
#[test]
fn the_centre_of_a_sphere_uses_up_the_budget() {
    let patch = octant(Point3::origin(), 1.0, [1.0; 3]);
    let options = DistanceOptions {
        max_boxes: 2000,
        ..within(1e-9)
    };
    let distance = closest_point_on(Point3::origin(), &patch, &options).unwrap();
    assert!(
        matches!(distance, Distance::BudgetExhausted { .. }),
        "{distance:?}"
    );
    let (lower, upper) = (distance.lower(), distance.upper().unwrap());
    assert!(lower <= 1.0 && lower > 0.99, "{lower}");
    assert!((upper - 1.0).abs() < 1e-14 && distance.counters().boxes <= 2000);
}

#[test]
fn two_spheres() {
    let mut random = Random::new(2);
    for _ in 0..30 {
        let direction = into_octant(&mut random);
        for (gap, scale) in [(0.5, 1.0), (1e-3, 1.0), (0.25, 1e3), (0.25, 1e-3)] {
            let a = octant(Point3::origin(), scale, [1.0; 3]);
            let centre = Point3::from(direction * (2.0 + gap) * scale);
            let b = octant(centre, scale, [-1.0; 3]);
            let distance = measured(&a, &b, &within(1e-5));
            assert_is(&distance, gap * scale, 1e-4 * scale, 1e-14 * scale);
            let closest = distance.closest().unwrap();
            let turned = closest.direction.unwrap() - direction;
            assert!(turned.norm() < 1e-11, "{gap} {scale}");
            let off = closest.points[0].coords - direction * scale;
            assert!(off.norm() < 1e-11 * scale, "{gap} {scale}");
        }
    }
}

#[test]
fn parallel_sheets_and_skew_edges() {
    for z in [1.0, 1e-3, 1e-9] {
        let distance = measured(&square(0.0), &square(z), &within(1e-9));
        assert_is(&distance, z, 1e-8, 1e-15);
    }
    let a = segment(point![-1.0, 0.0, 0.0], point![1.0, 0.0, 0.0]);
    let b = segment(point![0.0, -1.0, 0.25], point![0.0, 2.0, 0.25]);
    let distance = measured(&a, &b, &within(1e-9));
    assert_is(&distance, 0.25, 1e-8, 1e-15);
    let [(u, _), (v, _)] = distance.closest().unwrap().parameters;
    assert!((u - 0.5).abs() < 1e-14 && (v - 1.0 / 3.0).abs() < 1e-14);
    // End against end, and parallel.
    let c = segment(point![4.0, 4.0, 0.0], point![5.0, 9.0, 0.0]);
    assert_is(&measured(&a, &c, &within(1e-9)), 5.0, 1e-7, 1e-14);
    let d = segment(point![0.0, 0.0, 2.0], point![7.0, 0.0, 2.0]);
    assert_is(&measured(&a, &d, &within(1e-9)), 2.0, 1e-7, 1e-14);
}

fn point_segment(p: Point3<f64>, a: Point3<f64>, b: Point3<f64>) -> f64 {
    let t = ((p - a).dot(&(b - a)) / (b - a).norm_squared()).clamp(0.0, 1.0);
    (a + (b - a) * t - p).norm()
}

/// Ericson, Real-Time Collision Detection, 5.1.5, by another way: the plane, or the nearest side.
fn point_triangle(p: Point3<f64>, [a, b, c]: [Point3<f64>; 3]) -> f64 {
    let normal = (b - a).cross(&(c - a)).normalize();
    let sides = [(a, b), (b, c), (c, a)];
    let inside =
        |(from, to): (Point3<f64>, Point3<f64>)| normal.dot(&(to - from).cross(&(p - from))) >= 0.0;
    if sides.into_iter().all(inside) {
        return normal.dot(&(p - a)).abs();
    }
    let sides = sides.map(|(from, to)| point_segment(p, from, to));
    sides.into_iter().fold(f64::INFINITY, f64::min)
}

#[test]
fn points_segments_and_triangles_at_random() {
    let mut random = Random::new(3);
    let mut workspace = Workspace::new();
    for _ in 0..500 {
        let [p, a, b, c] = [1.0; 4].map(|size| random.point(size));
        let triangle = AnyPatch::from_shape(LINEAR, &[a, b, c]).unwrap();
        for (patch, exact, accuracy) in [
            (segment(a, b), point_segment(p, a, b), 1e-14),
            (triangle, point_triangle(p, [a, b, c]), 1e-13),
            (dot(a), (p - a).norm(), 1e-15),
        ] {
            let distance = workspace.closest_point_on(p, &patch, &within(1e-8));
            assert_is(&distance.unwrap(), exact, 1e-7, accuracy);
        }
    }
}

/// z = x y over [0, 1]²: the nearest point of (s, s, h) is on the diagonal.
#[test]
fn a_point_over_a_bilinear_saddle() {
    let saddle = patch(BILINEAR, |u, v| point![u, v, u * v]);
    // From the point (r, r, r²) along the normal (−r, −r, 1).
    for (r, by) in [(0.5, 0.2), (0.25, -0.3), (0.7, 0.05)] {
        let foot = point![r, r, r * r];
        let normal = Vector3::new(-r, -r, 1.0).normalize();
        let distance = closest_point_on(foot + normal * by, &saddle, &within(1e-9)).unwrap();
        assert_is(&distance, f64::abs(by), 1e-8, 1e-15);
        assert!((distance.closest().unwrap().points[1] - foot).norm() < 1e-14);
        let across = distance.closest().unwrap().normals[1].unwrap();
        assert!((across.cross(&normal)).norm() < 1e-14);
    }
}

/// Moved, scaled and with another inclusion the answer is the same.
#[test]
fn far_from_the_origin_and_at_all_scales() {
    let mut random = Random::new(4);
    for _ in 0..40 {
        let [a, b] = random_pair(&mut random, 2.5);
        let plain = measured(&a, &b, &within(1e-5)).upper().unwrap();
        for (scale, offset) in [(1e-3, 0.0), (1e3, 0.0), (1e6, 0.0), (1e-3, 1e3), (1.0, 1e6)] {
            let moved = |patch| placed(patch, |p| p * scale + Vector3::repeat(offset));
            let distance = measured(&moved(&a), &moved(&b), &within(1e-5));
            let accuracy = 1e-13 * scale + 1e-15 * offset;
            let off = (distance.upper().unwrap() - plain * scale).abs();
            assert!(
                off <= 8.0 * accuracy + 2e-5 * 8.0 * scale,
                "{distance:?} {plain}"
            );
            assert!(distance.lower() <= plain * scale * (1.0 + 1e-14) + accuracy);
        }
        let boxes = DistanceOptions {
            inclusion: Inclusion::Aabb,
            ..within(1e-2)
        };
        let distance = measured(&a, &b, &boxes);
        assert!(distance.lower() <= plain && distance.lower() > plain - 0.1);
    }
}

#[test]
fn identical_and_crossing_patches_are_at_distance_0() {
    let is_0 = |distance: Distance| {
        let found = matches!(distance, Distance::Found { lower: 0.0, .. });
        assert!(found && distance.upper().unwrap() < 1e-15, "{distance:?}");
        distance.counters().boxes
    };
    let mut random = Random::new(5);
    for shape in super::SHAPES {
        let a = kit::scenes::random_patch(shape, &mut random, Vector3::zeros(), false);
        is_0(measured(&a, &a, &within(1e-6)));
    }
    let upright = patch(BILINEAR, |u, v| {
        point![0.3 + 0.3 * u, 0.3 + 0.5 * u, 2.0 * v - 1.0]
    });
    for options in [within(1e-6), within(0.0)] {
        assert!(is_0(measured(&square(0.0), &upright, &options)) < 50);
    }
}

/// A pole, a needle, and a patch that is one point.
#[test]
fn collapsed_patches() {
    let pole = octant(Point3::origin(), 1.0, [1.0; 3]);
    let needle = patch(BILINEAR, |u, _| point![u, 0.0, 0.0]);
    let one = patch(BICUBIC, |_, _| point![3.0, 4.0, 0.0]);
    for (a, b, exact) in [
        (&pole, dot(point![0.0, 0.0, 3.0]), 2.0),
        (&needle, square(2.0), 2.0),
        (&one, dot(Point3::origin()), 5.0),
    ] {
        assert_is(&measured(a, &b, &within(1e-6)), exact, 1e-5, 1e-14);
    }
    assert_is(&measured(&one, &one.clone(), &within(0.0)), 0.0, 0.0, 0.0);
}

#[test]
fn limits_and_budgets() {
    let limited = |max_distance: f64| {
        let options = DistanceOptions {
            max_distance,
            ..within(1e-6)
        };
        measured(&square(0.0), &square(0.5), &options)
    };
    for limit in [0.0, 0.499] {
        let beyond = limited(limit);
        assert!(matches!(beyond, Distance::Beyond { .. }), "{beyond:?}");
        assert!((limit..=0.5).contains(&beyond.lower()), "{beyond:?}");
    }
    assert_is(&limited(0.5), 0.5, 1e-5, 1e-15);
    assert_is(&limited(0.501), 0.5, 1e-5, 1e-15);
    let mut random = Random::new(6);
    let [a, b] = [Vector3::zeros(), Vector3::x()]
        .map(|centre| kit::scenes::random_patch(BICUBIC, &mut random, centre, false));
    let full = measured(&a, &b, &within(1e-8));
    for max_boxes in [1, 2, 17, 50] {
        let options = DistanceOptions {
            max_boxes,
            ..within(1e-8)
        };
        let distance = measured(&a, &b, &options);
        assert!(distance.counters().boxes <= max_boxes);
        assert!(distance.lower() <= full.upper().unwrap());
        assert!(distance.upper().unwrap() >= full.lower());
    }
    let swapped = measured(&b, &a, &within(1e-8)).swapped();
    assert!((swapped.upper().unwrap() - full.upper().unwrap()).abs() < 1e-12);
}

/// Closest points as a force needs them: they move as smoothly as the point does.
#[test]
fn closest_points_are_those_of_newtons_method() {
    let mut random = Random::new(7);
    for _ in 0..200 {
        let points: Vec<_> = (0..16)
            .map(|k| {
                point![
                    (k / 4) as f64 / 3.0,
                    (k % 4) as f64 / 3.0,
                    0.1 * random.signed()
                ]
            })
            .collect();
        let patch = AnyPatch::from_shape(BICUBIC, &points).unwrap();
        let [u, v] = [0.4; 2].map(|reach| 0.5 + reach * random.signed());
        let p = patch.eval(u, v) + patch.normal(u, v).unwrap() * (0.02 * random.signed());
        let distance = closest_point_on(p, &patch, &within(1e-6)).unwrap();
        let (s, t) = distance.closest().unwrap().parameters[1];
        let off = (s - u).abs().max((t - v).abs());
        assert!(off < 1e-13, "{s} {u}, {t} {v}");
    }
}
