//! The scenes of `data/scenes`: the time of impact and the direction at a separation.

use kit::{SceneCase, SceneQuery};
use patch_ccd::mesh::{MeshOptions, MovingMesh, earliest_impact};
use patch_ccd::{Method, Options, Outcome, time_of_impact};

fn scenes(file: &str) -> Vec<SceneCase> {
    let path = kit::data("scenes").join(file);
    SceneCase::open(path).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The outcome of a scene that asks for a time of impact, and its options.
fn solved(query: &SceneQuery) -> (Outcome, Options) {
    match query {
        SceneQuery::Impact(patches, options) => {
            let [a, b] = patches.each_ref().map(|patch| patch.build().unwrap());
            (time_of_impact(&a, &b, options).unwrap(), *options)
        }
        SceneQuery::Earliest(bodies, options) => {
            let meshes = bodies.each_ref().map(|body| body.build().unwrap());
            let [a, b] = [0, 1].map(|side| {
                let body = &bodies[side];
                let mesh = &meshes[side];
                MovingMesh::with_velocities(mesh, &body.points, &body.velocities).unwrap()
            });
            let mesh_options = MeshOptions {
                query: *options,
                ..MeshOptions::default()
            };
            let earliest = earliest_impact(&a, &b, &mesh_options).unwrap();
            (earliest.first.expect("an impact").outcome, *options)
        }
        _ => panic!("no time is asked for"),
    }
}

/// Asks every scene of a file, and checks all of the answer.
fn check(file: &str) {
    for SceneCase { id, query, expect } in scenes(file) {
        let (outcome, options) = solved(&query);
        let told = format!("{id}: {outcome:?}");
        let Outcome::Impact {
            toi,
            toi_upper,
            contact,
            counters,
            ..
        } = outcome
        else {
            panic!("{told}");
        };
        let right = expect.toi.expect("a time");
        // The slowest of these scenes closes at a speed of 0.4.
        let tolerance = (options.delta * options.t_max).max(options.epsilon / 0.4);
        let rounding = 1e-14 * options.t_max;
        assert!(toi <= right + rounding, "{told}");
        // The boxes of the method that has no local solves are as small as δ in time and in place.
        let early = match options.method {
            Method::TwoSided => tolerance,
            _ => 3.0 * tolerance,
        };
        assert!(toi >= right - early - rounding, "{told}");
        if options.method == Method::TwoSided {
            assert_eq!(contact.time, toi_upper, "{told}");
            assert!(toi_upper - toi <= tolerance, "{told}");
            // Without a separation any contact in the bracket will do.
            let later = if options.min_separation > 0.0 {
                rounding
            } else {
                tolerance
            };
            assert!((-rounding..=later).contains(&(toi_upper - right)), "{told}");
            assert!(counters.boxes <= 1000, "{told}");
        }
        let Some(direction) = expect.direction else {
            continue;
        };
        let off = (contact.direction.expect(&told) - direction).norm();
        assert!(off <= 1e-6, "{off:e} off: {told}");
    }
}

#[test]
fn thin_separations() {
    check("thin-separations.json");
}

#[test]
fn ends_and_borders_first() {
    check("ends-and-borders-first.json");
}

#[test]
fn a_rod_along_a_wall() {
    check("rod-along-wall.json");
}
