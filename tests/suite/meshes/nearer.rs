//! Meshes that start nearer than their separation, which shrinks to a share of their distance.

use kit::scenes::meshes::{sheet, stirred, triangles};
use nalgebra::{Point3, Vector3, point, vector};
use patch_ccd::mesh::{
    Element, Mesh, MeshDistanceOptions, MeshOptions, MeshWorkspace, MovingMesh, PatchMesh,
    TriangleMesh, all_impacts, collision_free_step, earliest_impact, least_distance,
    least_self_distance,
};
use patch_ccd::{Method, Options, Outcome};

use super::pairs::compare;
use super::{passing, with};

fn shrinking(min_separation: f64) -> Options {
    Options {
        min_separation,
        shrink_separation: Some(0.9),
        ..Options::default()
    }
}

fn square(z: f64) -> [Point3<f64>; 4] {
    [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(|[x, y]| point![x, y, z])
}

/// Plates of a millimetre that are nearer than that recede, slide, and come nearer.
#[test]
fn plates_that_start_too_near_may_part_and_slide() {
    let quads = PatchMesh::from_quads(4, &[[0, 1, 2, 3]]).unwrap();
    let faces = TriangleMesh::new(4, &[[0, 1, 2], [0, 2, 3]]).unwrap();
    let low = square(0.0);
    for gap in [0.5e-3, 0.9e-3, 0.99e-3, 1e-3, 1.04e-3] {
        let high = square(gap);
        for (upper, lower) in [
            (Mesh::from(&quads), Mesh::from(&quads)),
            (Mesh::from(&faces), Mesh::from(&faces)),
            (Mesh::from(&faces), Mesh::from(&quads)),
        ] {
            let below = MovingMesh::resting(lower, &low).unwrap();
            for method in [Method::TwoSided, Method::TimeDependent] {
                let query = Options {
                    method,
                    epsilon: 0.05e-3,
                    max_boxes: 100_000,
                    ..shrinking(1e-3)
                };
                let options = MeshOptions {
                    conservative_rescaling: 1.0,
                    ..with(query)
                };
                let go = |velocity: [f64; 3]| {
                    let velocities = [Vector3::from(velocity); 4];
                    let above = MovingMesh::with_velocities(upper, &high, &velocities).unwrap();
                    collision_free_step(&above, &below, &options).unwrap()
                };
                let told = format!("{gap}, {upper:?} on {lower:?}, {method}");
                assert_eq!(go([0.0, 0.0, 1.0]), 1.0, "{told}");
                assert_eq!(go([0.3, 0.1, 0.0]), 1.0, "{told}");
                assert_eq!(go([0.0, 0.0, -1e-6]), 1.0, "{told}");
                // To nine tenths of the gap, also from the separation and the tolerance above it.
                let way = 0.1 * gap;
                let went = go([0.0, 0.0, -1.0]);
                assert!(went >= 0.6 * way && went <= 1.1 * way, "{told}: {went}");
                let went = go([0.1, -0.1, -10.0 * gap]) * 10.0 * gap;
                assert!(went >= 0.6 * way && went <= 1.1 * way, "{told}: {went}");
            }
        }
    }
}

/// What is told of pairs: how many have shrunk, clear ones included, and what each keeps.
#[test]
fn answers_tell_what_is_kept() {
    let mut faces = TriangleMesh::new(4, &[[0, 1, 2], [0, 2, 3]]).unwrap();
    faces.set_half_thickness(0.25).unwrap();
    let (low, high) = (square(0.0), square(0.4));
    let below = MovingMesh::resting(&faces, &low).unwrap();
    let go = |z: f64, options: &MeshOptions<'_>| {
        let velocities = [vector![0.0, 0.0, z]; 4];
        let above = MovingMesh::with_velocities(&faces, &high, &velocities).unwrap();
        all_impacts(&above, &below, options).unwrap()
    };
    let before = go(1.0, &with(Options::default()));
    assert!(before.fraction == 0.0 && before.counters.shrunk == 0);
    let outcome = before.pairs[0].outcome;
    assert!(matches!(outcome, Outcome::ContactAtStart { .. }) && outcome.separation() == 0.5);

    let after = go(1.0, &with(shrinking(0.0)));
    assert!(after.fraction == 1.0 && after.pairs.is_empty(), "{after:?}");
    assert!(after.counters.shrunk >= 4, "{after:?}");
    let nearer = go(-1.0, &with(shrinking(0.0)));
    let outcome = nearer.pairs[0].outcome;
    assert!(
        outcome.separation() <= 0.36 && outcome.separation() > 0.355,
        "{outcome:?}"
    );
    let early = 0.4 - outcome.separation() - nearer.fraction;
    assert!((-1e-15..1e-5).contains(&early), "{nearer:?}");
}

/// Wavy sheets that nearly touch, thicker than they are apart, and stirred.
#[test]
fn the_earliest_impact_is_the_first_of_all_for_any_number_of_threads() {
    let (mut upper, lower) = (sheet(3, 3, 0.15, 0.0), sheet(2, 4, 0.0, 0.3));
    let (mut above, below) = (triangles(9, 0.15, 0.0), triangles(8, 0.0, 0.3));
    upper.0.set_half_thickness(0.04).unwrap();
    above
        .0
        .set_half_thicknesses(|element| 0.02 * f64::from(element.index() % 5))
        .unwrap();
    let moving = |(mesh, points): (Mesh<'_>, &[Point3<f64>]), z: f64, seed: u64| {
        stirred(
            points.len(),
            vector![0.05, 0.0, z],
            0.1,
            seed + mesh.point_count() as u64,
        )
    };
    for (z, seed) in [(-0.3, 1), (0.1, 2)] {
        let of = [
            moving((Mesh::from(&upper.0), &upper.1), z, seed),
            moving((Mesh::from(&above.0), &above.1), z, seed),
        ];
        let upper = MovingMesh::with_velocities(&upper.0, &upper.1, &of[0]).unwrap();
        let above = MovingMesh::with_velocities(&above.0, &above.1, &of[1]).unwrap();
        let lower = MovingMesh::resting(&lower.0, &lower.1).unwrap();
        let below = MovingMesh::resting(&below.0, &below.1).unwrap();
        for (a, b) in [(&upper, &lower), (&above, &below), (&above, &lower)] {
            for delta in [1e-6, 0.05] {
                let options = with(Options {
                    delta,
                    max_boxes: 5000,
                    ..shrinking(0.08)
                });
                let answers = |threads: usize| {
                    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
                    pool.build().unwrap().install(|| {
                        let mut workspace = MeshWorkspace::new();
                        let earliest = workspace.earliest_impact(a, b, &options).unwrap();
                        let all = workspace.all_impacts(a, b, &options).unwrap();
                        assert_eq!(earliest.first.as_ref(), all.pairs.first());
                        assert_eq!(earliest.fraction, all.fraction);
                        (earliest.first, all)
                    })
                };
                let one = answers(1);
                assert!(one.1.counters.shrunk > 10, "{}", one.1.counters.shrunk);
                assert!(one.1.fraction > 0.0);
                for threads in [2, 8] {
                    assert!(answers(threads) == one, "{threads} threads");
                }
            }
        }
    }
}

/// And its pairs are those that there are.
#[test]
fn meshes_answer_like_all_their_pairs() {
    let (upper, lower) = (triangles(5, 0.25, 0.0), triangles(6, 0.0, 0.3));
    let (above, below) = (sheet(3, 3, 0.25, 0.0), sheet(2, 3, 0.0, 0.3));
    let [a, b] = [passing(&upper, -0.1), passing(&lower, 0.1)];
    let [c, d] = [passing(&above, -0.1), passing(&below, 0.1)];
    for meshes in [[&a, &b], [&c, &d], [&a, &d]] {
        let all = compare(meshes, &shrinking(0.3));
        assert!(
            all.counters.shrunk > 10 && all.fraction > 0.0,
            "{}",
            all.counters.shrunk
        );
    }
}

/// A cloth in the shape of a V over a plate. It goes where a motion wants it that takes no notice of
/// contacts, in every step as far as is free. Returns its distance from the plate and from itself
/// after each step.
fn pushed(steps: usize, to: impl Fn(&Point3<f64>) -> Point3<f64>) -> Vec<[f64; 2]> {
    let (mut cloth, flat) = triangles(6, 0.0, 0.0);
    cloth.set_half_thickness(0.01).unwrap();
    let plate = TriangleMesh::new(4, &[[0, 1, 2], [0, 2, 3]]).unwrap();
    let corners = [[-2.0, -2.0], [2.0, -2.0], [2.0, 2.0], [-2.0, 2.0]];
    let corners = corners.map(|[x, y]| point![x, y, 0.0]);
    let plate = MovingMesh::resting(&plate, &corners).unwrap();
    let folded = flat.iter().map(|p| {
        let s = p.x - 0.5;
        point![0.6 * s + 0.05 * p.z, p.y - 0.5, s.abs() + 0.1]
    });
    let mut x: Vec<_> = folded.collect();
    let options = MeshOptions {
        conservative_rescaling: 1.0,
        ..with(Options {
            epsilon: 0.0005,
            max_boxes: 20_000,
            ..shrinking(0.005)
        })
    };
    let mut workspaces = [MeshWorkspace::new(), MeshWorkspace::new()];
    let mut distances = Vec::new();
    for step in 0..steps {
        let target: Vec<_> = x.iter().map(&to).collect();
        let moving = MovingMesh::between(&cloth, &x, &target).unwrap();
        let [of_plate, of_cloth] = &mut workspaces;
        let free = of_plate
            .collision_free_step(&moving, &plate, &options)
            .unwrap();
        let own = of_cloth
            .collision_free_self_step(&moving, &options)
            .unwrap();
        assert!(free > 0.0 && own > 0.0, "step {step}: {free}, {own}");
        x = moving.at(free.min(own));
        let still = MovingMesh::resting(&cloth, &x).unwrap();
        let near = MeshDistanceOptions::default();
        distances.push([
            least_distance(&still, &plate, &near).unwrap().lower,
            least_self_distance(&still, &near).unwrap().lower,
        ]);
        assert!(x.iter().all(|p| p.z > 0.0), "step {step}");
    }
    distances
}

#[test]
fn pushed_step_by_step_a_cloth_neither_touches_nor_passes() {
    let down = pushed(60, |p| p - vector![0.0, 0.0, 0.05 + 0.01 * p.y]);
    let folding = pushed(60, |p| point![0.7 * p.x, p.y, p.z]);
    for (which, separation, distances) in [(0, 0.015, down), (1, 0.025, folding)] {
        let mut before = f64::INFINITY;
        for (step, now) in distances.iter().map(|now| now[which]).enumerate() {
            let least = 0.88 * before.min(separation);
            assert!(
                now >= least && now > 0.0,
                "step {step}: {now} after {before}"
            );
            before = now;
        }
        assert!(before < 0.1 * separation, "{before}");
    }
}

/// Of two meshes that touch, the first impact is at the start and names a pair that touches.
#[test]
fn meshes_that_touch_are_in_contact_at_the_start() {
    let (mut faces, above) = triangles(3, 0.0, 0.0);
    faces.set_half_thickness(0.1).unwrap();
    let up = vec![Vector3::z(); above.len()];
    let one = MovingMesh::with_velocities(&faces, &above, &up).unwrap();
    // A particle at one of its vertices, and others near it.
    let particles = TriangleMesh::new(3, &[]).unwrap();
    let places = [
        above[0] + vector![0.0, 0.0, 0.05],
        above[5],
        above[9] - vector![0.0, 0.0, 0.01],
    ];
    let two = MovingMesh::resting(&particles, &places).unwrap();
    let earliest = earliest_impact(&one, &two, &with(shrinking(0.0))).unwrap();
    let first = earliest.first.unwrap();
    assert!(
        matches!(first.outcome, Outcome::ContactAtStart { .. }),
        "{first:?}"
    );
    assert_eq!(first.elements[1], Element::Vertex(1));
    let step = collision_free_step(&one, &two, &with(shrinking(0.0))).unwrap();
    assert_eq!(step, 0.0);
}
