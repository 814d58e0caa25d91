//! The earliest impact is the first of all impacts, and each lies where its boxes overlap: by every
//! method, and with any number of threads.

use kit::scenes::meshes::{sheet, triangles};
use kit::{Random, engines};
use nalgebra::{Point3, Vector3, point, vector};
use patch_ccd::mesh::{AllImpacts, Element, MeshOptions, MeshWorkspace, MovingMesh, TriangleMesh};
use patch_ccd::{Options, Outcome};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::{passing, with};

/// All methods, and exact mode.
fn all_engines(options: &Options) -> Vec<Options> {
    let exact = Options {
        exact: true,
        ..*options
    };
    engines(options).chain([exact]).collect()
}

/// Pools of one thread, of two and of eight.
fn pools() -> [ThreadPool; 3] {
    [1, 2, 8].map(|threads| {
        let pool = ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap()
    })
}

/// Asks for the earliest impact so many times with each number of threads.
fn check(meshes: [&MovingMesh<'_>; 2], options: &MeshOptions<'_>, times: usize) -> AllImpacts {
    let [one, two] = meshes;
    let mut workspace = MeshWorkspace::new();
    let all = workspace.all_impacts(one, two, options).unwrap();
    let candidates = workspace.candidates(one, two, options).unwrap();
    let t_max = options.query.t_max;
    for pair in &all.pairs {
        let candidate = candidates
            .iter()
            .find(|candidate| candidate.elements == pair.elements);
        let [entry, exit] = candidate.expect("a candidate").interval;
        let times = match pair.outcome {
            Outcome::Impact { toi, toi_upper, .. } => [toi, toi_upper],
            _ => [pair.toi(); 2],
        };
        // A lower bound is rounded down once more when it is multiplied by the horizon.
        let [from, to] = [
            (entry * t_max).next_down().next_down(),
            (exit * t_max).next_up(),
        ];
        assert!(
            from <= times[0] && times[0] <= times[1] && times[1] <= to,
            "{pair:?} {candidate:?}"
        );
    }
    for pool in &pools() {
        for _ in 0..times {
            let earliest = pool.install(|| workspace.earliest_impact(one, two, options).unwrap());
            assert_eq!(
                earliest.first,
                all.pairs.first().copied(),
                "{:?}",
                options.query
            );
            assert_eq!(earliest.fraction, all.fraction);
        }
    }
    all
}

/// A vertex and a rod whose exact bounds were before the time at which their boxes meet.
#[test]
fn exact_bounds_are_within_the_time_in_which_boxes_overlap() {
    let falling = TriangleMesh::with_edges(3, &[[1, 2]], &[]).unwrap();
    let places = [
        point![0.05, 0.5, 1.0],
        point![0.025, 0.75, 1.0],
        point![0.025, 0.775, 1.0],
    ];
    let still = TriangleMesh::with_edges(5, &[[3, 4]], &[[0, 1, 2]]).unwrap();
    let corners = [
        point![0.05, 0.5, 0.0],
        point![0.075, 0.475, 0.0],
        point![0.075, 0.5, 0.0],
        point![0.0, 0.8, 0.0],
        point![0.025, 0.775, 0.0],
    ];
    let falling =
        MovingMesh::with_velocities(&falling, &places, &[vector![0.0, 0.0, -1.5]; 3]).unwrap();
    let still = MovingMesh::resting(&still, &corners).unwrap();
    let keep = |a: Element, _: Element| a == Element::Vertex(0) || a == Element::Edge(0);
    let options = MeshOptions {
        query: Options {
            exact: true,
            ..Options::default()
        },
        filter: Some(&keep),
        ..MeshOptions::default()
    };
    let all = check([&falling, &still], &options, 300);
    assert_eq!(all.pairs.len(), 2);
    for pair in all.pairs {
        assert!(
            pair.toi() <= 2.0 / 3.0 && pair.toi() > 2.0 / 3.0 - 1e-14,
            "{pair:?}"
        );
    }
}

/// Level meshes that fall on each other: many pairs touch at the same time, but the computed times
/// differ by roundings.
#[test]
fn many_pairs_that_touch_at_the_same_time() {
    let flat = |points: Vec<Point3<f64>>, z: f64| -> Vec<_> {
        points.iter().map(|p| point![p.x, p.y, z]).collect()
    };
    let (mesh, points) = triangles(3, 0.0, 0.0);
    let [upper, lower] = [0.7, 0.1].map(|z| flat(points.clone(), z));
    let fall = vec![vector![0.0, 0.0, -1.0]; points.len()];
    let upper = MovingMesh::with_velocities(&mesh, &upper, &fall).unwrap();
    let lower = MovingMesh::resting(&mesh, &lower).unwrap();
    for t_max in [1.0, 0.77] {
        let options = Options {
            t_max,
            delta: 1e-3,
            max_boxes: 1_000,
            ..Options::default()
        };
        for query in all_engines(&options) {
            let all = check([&upper, &lower], &with(query), 20);
            assert!(all.pairs.len() > 50, "{}", all.pairs.len());
        }
    }
}

#[test]
fn random_vertices_rods_and_faces() {
    let faces = [[3, 4, 5], [4, 5, 6]];
    let mesh = TriangleMesh::with_edges(8, &[[0, 1], [1, 2]], &faces).unwrap();
    let mut random = Random::new(1);
    for turn in 0..40 {
        // Multiples of a number that is no double, so that many meet at corners and borders, to
        // rounding.
        let unit = 0.1;
        let mut vectors = |size: i32, along_z: f64| -> Vec<Vector3<f64>> {
            let mut number = || unit * random.integer(-i128::from(size), size.into()) as f64;
            let vectors = (0..8).map(|_| Vector3::from_fn(|_, _| number()));
            vectors.map(|v| v + vector![0.0, 0.0, along_z]).collect()
        };
        let mut side = |z: f64| {
            let places = vectors(2, z).into_iter().map(Point3::from);
            (places.collect::<Vec<_>>(), vectors(1, -2.0 * z))
        };
        let sides = [side(0.5), side(-0.5)];
        let [one, two] = sides.each_ref().map(|(start, velocities)| {
            MovingMesh::with_velocities(&mesh, start, velocities).unwrap()
        });
        let options = Options {
            delta: 1e-3,
            max_boxes: 1_000,
            min_separation: [0.0, 0.0, 0.025][turn % 3],
            t_max: [1.0, 0.77][turn / 2 % 2],
            ..Options::default()
        };
        for query in all_engines(&options) {
            check([&one, &two], &with(query), 3);
        }
    }
}

#[test]
fn sheets_that_pass_each_other() {
    let (upper, lower) = (sheet(2, 3, 0.5, 0.0), sheet(2, 3, 0.0, 2.0));
    let (upper, lower) = (passing(&upper, -0.5), passing(&lower, 0.5));
    let (fine, coarse) = (triangles(3, 0.5, 0.0), triangles(2, 0.0, 2.0));
    let (fine, coarse) = (passing(&fine, -0.5), passing(&coarse, 0.5));
    let options = Options {
        delta: 1e-3,
        max_boxes: 1_000,
        ..Options::default()
    };
    for meshes in [[&upper, &lower], [&fine, &coarse], [&upper, &coarse]] {
        for query in all_engines(&options) {
            let all = check(meshes, &with(query), 3);
            assert!(all.pairs.len() > 5, "{}", all.pairs.len());
        }
    }
}
