//! Distances that are known in closed form.

use nalgebra::{Point3, Vector3, point};
use patch_ccd::geometry::{AnyPatch, Patch, Shape};
use patch_ccd::{Distance, DistanceOptions, Inclusion, Workspace, closest_point_on};

use crate::scenes::{
    assert_is, dot_patch, measured, noise, octant, random_patch, segment, square, within,
};

#[test]
fn a_point_over_a_plane_patch_and_beside_it() {
    for (p, exact, at) in [
        (point![0.25, 0.5, 0.7], 0.7, (0.25, 0.5)),
        (point![0.25, 0.5, -3.0], 3.0, (0.25, 0.5)),
        (point![-3.0, 0.5, 4.0], 5.0, (0.0, 0.5)),
        (point![4.0, 5.0, 0.0], 5.0, (1.0, 1.0)),
        (point![0.5, 0.5, 0.0], 0.0, (0.5, 0.5)),
    ] {
        let distance = closest_point_on(p, &square(0.0), &within(1e-9)).unwrap();
        assert_is(&distance, exact, 1e-7, 1e-15);
        let (u, v) = distance.closest().unwrap().parameters[1];
        assert!(
            (u - at.0).abs() < 1e-14 && (v - at.1).abs() < 1e-14,
            "{u} {v}"
        );
        assert_is(
            &measured(&dot_patch(p), &square(0.0), &within(1e-9)),
            exact,
            1e-7,
            1e-15,
        );
    }
}

#[test]
fn a_point_outside_and_inside_of_an_octant() {
    let centre = point![1.0, 2.0, 3.0];
    let patch = octant(centre, 2.0, [1.0; 3]);
    let mut next = noise(1);
    for _ in 0..100 {
        let direction =
            Vector3::new(next().abs(), next().abs(), next().abs()) + Vector3::repeat(0.05);
        let direction = direction.normalize();
        for radius in [0.3, 1.9, 2.0 + 1e-6, 2.5, 40.0] {
            let p = centre + direction * radius;
            let distance = closest_point_on(p, &patch, &within(1e-6)).unwrap();
            let exact = (p - centre).norm() - 2.0;
            assert_is(&distance, exact.abs(), 1e-4, 1e-14 * radius.max(4.0));
            let closest = distance.closest().unwrap();
            let on = centre + direction * 2.0;
            // The nearer to the centre, the less a distance says of where it is.
            assert!(
                (closest.points[1] - on).norm() < 1e-12,
                "{radius}: {distance:?}"
            );
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
    let Distance::BudgetExhausted {
        lower,
        closest,
        counters,
    } = distance
    else {
        panic!("{distance:?}");
    };
    assert!(lower <= 1.0 && lower > 0.99, "{lower}");
    assert!((closest.distance - 1.0).abs() < 1e-14 && counters.boxes <= 2000);
}

#[test]
fn two_spheres() {
    let mut next = noise(2);
    for _ in 0..30 {
        let direction =
            Vector3::new(next().abs(), next().abs(), next().abs()) + Vector3::repeat(0.05);
        let direction = direction.normalize();
        for (gap, scale) in [(0.5, 1.0), (1e-3, 1.0), (0.25, 1e3), (0.25, 1e-3)] {
            let a = octant(Point3::origin(), scale, [1.0; 3]);
            let b = octant(
                Point3::from(direction * (2.0 + gap) * scale),
                scale,
                [-1.0; 3],
            );
            let distance = measured(&a, &b, &within(1e-5));
            assert_is(&distance, gap * scale, 1e-4 * scale, 1e-14 * scale);
            let closest = distance.closest().unwrap();
            assert!(
                (closest.direction.unwrap() - direction).norm() < 1e-11,
                "{gap} {scale}"
            );
            assert!((closest.points[0].coords - direction * scale).norm() < 1e-11 * scale);
        }
    }
}

#[test]
fn parallel_sheets_and_skew_edges() {
    for z in [1.0, 1e-3, 1e-9] {
        assert_is(
            &measured(&square(0.0), &square(z), &within(1e-9)),
            z,
            1e-8,
            1e-15,
        );
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
    let inside = [(a, b), (b, c), (c, a)]
        .iter()
        .all(|(from, to)| normal.dot(&(to - from).cross(&(p - from))) >= 0.0);
    if inside {
        return normal.dot(&(p - a)).abs();
    }
    let sides = [(a, b), (b, c), (c, a)].map(|(from, to)| point_segment(p, from, to));
    sides.into_iter().fold(f64::INFINITY, f64::min)
}

#[test]
fn points_segments_and_triangles_at_random() {
    let mut next = noise(3);
    let mut random = || point![next(), next(), next()];
    let mut workspace = Workspace::new();
    for _ in 0..500 {
        let (p, a, b, c) = (random(), random(), random(), random());
        let options = within(1e-8);
        let distance = workspace
            .closest_point_on(p, &segment(a, b), &options)
            .unwrap();
        assert_is(&distance, point_segment(p, a, b), 1e-7, 1e-14);
        let triangle = AnyPatch::from_shape(Shape::Triangular { n: 1 }, &[a, b, c]).unwrap();
        let distance = workspace.closest_point_on(p, &triangle, &options).unwrap();
        assert_is(&distance, point_triangle(p, [a, b, c]), 1e-7, 1e-13);
        // Two points.
        let distance = workspace
            .closest_point_on(p, &dot_patch(a), &options)
            .unwrap();
        assert_is(&distance, (p - a).norm(), 1e-7, 1e-15);
    }
}

/// z = x y over [0, 1]²: the nearest point of (s, s, h) is on the diagonal.
#[test]
fn a_point_over_a_bilinear_saddle() {
    let corners = [
        point![0.0, 0.0, 0.0],
        point![0.0, 1.0, 0.0],
        point![1.0, 0.0, 0.0],
        point![1.0, 1.0, 1.0],
    ];
    let saddle = AnyPatch::from_shape(Shape::TensorProduct { n: 1, m: 1 }, &corners).unwrap();
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
    let mut next = noise(4);
    for case in 0..40 {
        let shape = crate::scenes::SHAPES[case % 9];
        let a = random_patch(shape, &mut next, Vector3::zeros(), case % 2 == 1);
        let b = random_patch(shape, &mut next, Vector3::new(2.5, 0.5, 0.0), case % 3 == 1);
        let plain = measured(&a, &b, &within(1e-5)).upper().unwrap();
        for (scale, offset) in [(1e-3, 0.0), (1e3, 0.0), (1e6, 0.0), (1e-3, 1e3), (1.0, 1e6)] {
            let moved = |patch: &AnyPatch| {
                let points: Vec<_> = patch
                    .control_points()
                    .iter()
                    .map(|p| p * scale + Vector3::repeat(offset))
                    .collect();
                patch.with_net(&points, patch.weights()).unwrap()
            };
            let distance = measured(&moved(&a), &moved(&b), &within(1e-5));
            let accuracy = 1e-13 * scale + 1e-15 * offset;
            let found = distance.upper().unwrap();
            assert!(
                (found - plain * scale).abs() <= 8.0 * accuracy + 2e-5 * 8.0 * scale,
                "{found} {plain}"
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
    let mut next = noise(5);
    for shape in crate::scenes::SHAPES {
        let a = random_patch(shape, &mut next, Vector3::zeros(), false);
        let distance = measured(&a, &a, &within(1e-6));
        assert!(
            matches!(distance, Distance::Found { lower: 0.0, .. }),
            "{distance:?}"
        );
        assert!(distance.upper().unwrap() < 1e-15);
    }
    let upright = AnyPatch::from_shape(
        Shape::TensorProduct { n: 1, m: 1 },
        &[
            point![0.3, 0.3, -1.0],
            point![0.3, 0.3, 1.0],
            point![0.6, 0.8, -1.0],
            point![0.6, 0.8, 1.0],
        ],
    )
    .unwrap();
    for options in [within(1e-6), within(0.0)] {
        let distance = measured(&square(0.0), &upright, &options);
        assert!(
            matches!(distance, Distance::Found { lower: 0.0, .. }),
            "{distance:?}"
        );
        assert!(distance.upper().unwrap() < 1e-15 && distance.counters().boxes < 50);
    }
}

#[test]
fn collapsed_patches() {
    // A pole, a needle, and a patch that is one point.
    let pole = octant(Point3::origin(), 1.0, [1.0; 3]);
    assert_is(
        &measured(&pole, &dot_patch(point![0.0, 0.0, 3.0]), &within(1e-6)),
        2.0,
        1e-5,
        1e-14,
    );
    let needle = AnyPatch::from_shape(
        Shape::TensorProduct { n: 1, m: 1 },
        &[point![0.0, 0.0, 0.0]; 4]
            .map(|p| p)
            .iter()
            .enumerate()
            .map(|(i, p)| p + Vector3::x() * (i / 2) as f64)
            .collect::<Vec<_>>(),
    )
    .unwrap();
    assert_is(
        &measured(&needle, &square(2.0), &within(1e-6)),
        2.0,
        1e-5,
        1e-14,
    );
    let one = AnyPatch::from_shape(
        Shape::TensorProduct { n: 3, m: 3 },
        &[point![3.0, 4.0, 0.0]; 16],
    )
    .unwrap();
    let same = one.clone();
    assert_is(
        &measured(&one, &dot_patch(Point3::origin()), &within(1e-6)),
        5.0,
        1e-5,
        1e-14,
    );
    assert_is(&measured(&one, &same, &within(0.0)), 0.0, 0.0, 0.0);
}

#[test]
fn limits_and_budgets() {
    let (a, b) = (square(0.0), square(0.5));
    let limited = |max_distance: f64| DistanceOptions {
        max_distance,
        ..within(1e-6)
    };
    assert!(matches!(
        measured(&a, &b, &limited(0.499)),
        Distance::Beyond { lower, .. } if (0.499..=0.5).contains(&lower)
    ));
    assert_is(&measured(&a, &b, &limited(0.5)), 0.5, 1e-5, 1e-15);
    assert_is(&measured(&a, &b, &limited(0.501)), 0.5, 1e-5, 1e-15);
    assert!(matches!(
        measured(&a, &b, &limited(0.0)),
        Distance::Beyond { .. }
    ));
    let mut next = noise(6);
    let a = random_patch(
        Shape::TensorProduct { n: 3, m: 3 },
        &mut next,
        Vector3::zeros(),
        false,
    );
    let b = random_patch(
        Shape::TensorProduct { n: 3, m: 3 },
        &mut next,
        Vector3::x(),
        false,
    );
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
    let mut next = noise(7);
    for _ in 0..200 {
        let shape = Shape::TensorProduct { n: 3, m: 3 };
        let points: Vec<_> = (0..16)
            .map(|k| point![(k / 4) as f64 / 3.0, (k % 4) as f64 / 3.0, 0.1 * next()])
            .collect();
        let patch = AnyPatch::from_shape(shape, &points).unwrap();
        let (u, v) = (0.5 + 0.4 * next(), 0.5 + 0.4 * next());
        let p = patch.eval(u, v) + patch.normal(u, v).unwrap() * (0.02 * next());
        let distance = closest_point_on(p, &patch, &within(1e-6)).unwrap();
        let (s, t) = distance.closest().unwrap().parameters[1];
        assert!(
            (s - u).abs() < 1e-13 && (t - v).abs() < 1e-13,
            "{s} {u}, {t} {v}"
        );
    }
}
