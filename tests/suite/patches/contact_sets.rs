//! Several contacts of a pair. The other patch is always a floor, so that the time at which a point
//! of the falling one is a separation above it follows by hand.

use kit::scenes::{BILINEAR, Motion, falling, level, patch, resting};
use nalgebra::{point, vector};
use patch_ccd::geometry::{Patch, Shape};
use patch_ccd::mesh::{MeshOptions, MovingMesh, PatchMesh, all_impacts};
use patch_ccd::{ContactSetOptions, Error, Options, contact_set};

/// Falls by 1 within the horizon, on a floor at height 0.
fn scene(shape: Shape, height: impl Fn(f64, f64) -> f64) -> [Motion; 2] {
    let falls = patch(shape, |u, v| point![u, v, height(u, v)]);
    let floor = level(BILINEAR, [-5.0, 5.0], [-5.0, 5.0], 0.0);
    [falling(1.0, falls), resting(floor)]
}

/// Checks each contact against the closed form, and returns their places and times.
#[track_caller]
fn contacts(
    [a, floor]: &[Motion; 2],
    separation: f64,
    set: &ContactSetOptions,
) -> Vec<([f64; 2], f64)> {
    let options = Options {
        min_separation: separation,
        ..Options::default()
    };
    let found = contact_set(a, floor, &options, set).unwrap();
    assert_eq!(found.contacts.first(), found.outcome.contact());
    let toi = found.outcome.toi().unwrap();
    let latest = found.contacts[0].time + set.time_window.min(1.0) + 1e-6;
    let mut places = Vec::new();
    for contact in &found.contacts {
        let (u, v) = contact.parameters[0];
        let start = a.start().eval(u, v);
        assert!(
            (contact.time - (start.z - separation)).abs() < 1e-6,
            "{contact:?}"
        );
        assert!((contact.residual - separation).abs() < 1e-9, "{contact:?}");
        assert!(contact.time >= toi && contact.time <= latest, "{contact:?}");
        if separation > 0.0 {
            let direction = contact.direction.unwrap();
            assert!(
                (direction - vector![0.0, 0.0, -1.0]).norm() < 1e-6,
                "{contact:?}"
            );
        }
        places.push(([start.x, start.y], contact.time));
    }
    assert!(places[1..].is_sorted_by(|a, b| a.1 <= b.1));
    places
}

/// The least distance of two of them.
fn spread(places: &[([f64; 2], f64)]) -> f64 {
    let pairs = places
        .iter()
        .enumerate()
        .flat_map(|(i, a)| places[..i].iter().map(move |b| (a.0, b.0)));
    let distances = pairs.map(|([x, y], [p, q])| (x - p).hypot(y - q));
    distances.fold(f64::INFINITY, f64::min)
}

#[test]
fn what_lands_flat_does_so_in_many_places() {
    let flat = scene(BILINEAR, |_, _| 0.5);
    let edge = scene(BILINEAR, |u, _| 0.5 + u);
    // 1e-4 off from flat.
    let nearly = scene(BILINEAR, |u, _| 0.5 + 1e-4 * u);
    let cylinder = scene(Shape::TensorProduct { n: 2, m: 1 }, |u, _| {
        if u == 0.5 { 0.0 } else { 1.0 }
    });
    for separation in [0.0, 1e-2] {
        for (pair, least) in [
            (&flat, 0.25),
            (&nearly, 0.2),
            (&edge, 0.06),
            (&cylinder, 0.06),
        ] {
            let set = ContactSetOptions {
                time_window: 1e-3,
                ..ContactSetOptions::default()
            };
            let places = contacts(pair, separation, &set);
            assert_eq!(places.len(), 8, "{places:?}");
            assert!(spread(&places) > least, "{places:?}");
        }
    }
}

#[test]
fn each_foot_of_a_table_is_found_with_its_own_time() {
    // Four corners that come down one after the other.
    let table = scene(Shape::TensorProduct { n: 2, m: 2 }, |u, v| {
        let middle = u == 0.5 || v == 0.5;
        if middle { 3.0 } else { 0.5 + 0.1 * u + 0.2 * v }
    });
    for separation in [0.0, 1e-2] {
        let set = ContactSetOptions {
            count: 30,
            ..ContactSetOptions::default()
        };
        let places = contacts(&table, separation, &set);
        for (corner, height) in [([0.0, 0.0], 0.5), ([1.0, 0.0], 0.6), ([0.0, 1.0], 0.7)] {
            let near = |&&(place, time): &&([f64; 2], f64)| {
                let [x, y]: [f64; 2] = std::array::from_fn(|k| place[k] - corner[k]);
                x.hypot(y) < 1e-3 && (time - (height - separation)).abs() < 1e-3
            };
            assert!(places.iter().find(near).is_some(), "{corner:?}: {places:?}");
        }
    }
}

#[test]
fn contacts_are_as_far_apart_and_as_many_as_asked_for() {
    let flat = scene(BILINEAR, |_, _| 0.5);
    for (count, spacing) in [(1, 0.0), (2, 0.0), (5, 0.3), (1000, 0.2)] {
        let set = ContactSetOptions {
            count,
            spacing,
            ..ContactSetOptions::default()
        };
        let places = contacts(&flat, 0.0, &set);
        assert!(places.len() <= count && spread(&places) >= spacing);
        if count < 10 {
            assert_eq!(places.len(), count);
        }
    }
    // A corner comes down alone.
    let corner = scene(BILINEAR, |u, v| 0.5 + u + v);
    let set = ContactSetOptions {
        time_window: 1e-6,
        ..ContactSetOptions::default()
    };
    assert_eq!(contacts(&corner, 1e-2, &set).len(), 1);
    // What never meets has none.
    let far = scene(BILINEAR, |_, _| 5.0);
    let found = contact_set(&far[0], &far[1], &Options::default(), &set).unwrap();
    assert!(found.contacts.is_empty() && found.outcome.toi().is_none());
}

#[test]
fn a_pair_of_a_mesh_lists_its_contacts() {
    let square = PatchMesh::from_quads(4, &[[0, 1, 2, 3]]).unwrap();
    let at = |z: f64, h: f64| {
        [
            point![-h, -h, z],
            point![h, -h, z],
            point![h, h, z],
            point![-h, h, z],
        ]
    };
    let (above, below) = (at(0.5, 1.0), at(0.0, 4.0));
    let down = [vector![0.0, 0.0, -1.0]; 4];
    let falling = MovingMesh::with_velocities(&square, &above, &down).unwrap();
    let floor = MovingMesh::resting(&square, &below).unwrap();
    for count in [None, Some(1), Some(5)] {
        let set = count.map(|count| ContactSetOptions {
            count,
            ..ContactSetOptions::default()
        });
        let options = MeshOptions {
            query: Options {
                min_separation: 0.125,
                ..Options::default()
            },
            contact_set: set,
            ..MeshOptions::default()
        };
        let found = all_impacts(&falling, &floor, &options).unwrap();
        assert_eq!(found.contacts.len(), count.unwrap_or(1));
        assert_eq!(
            Some(&found.contacts[0].contact),
            found.pairs[0].outcome.contact()
        );
        for contact in &found.contacts {
            assert!(contact.pair == 0 && (contact.contact.time - 0.375).abs() < 1e-6);
        }
    }
}

#[test]
fn options_out_of_range_are_refused() {
    let pair = scene(BILINEAR, |_, _| 0.5);
    let default = ContactSetOptions::default();
    let bad = [
        (
            "count",
            ContactSetOptions {
                count: 0,
                ..default
            },
        ),
        (
            "time_window",
            ContactSetOptions {
                time_window: -1.0,
                ..default
            },
        ),
        (
            "time_window",
            ContactSetOptions {
                time_window: f64::NAN,
                ..default
            },
        ),
        (
            "spacing",
            ContactSetOptions {
                spacing: f64::INFINITY,
                ..default
            },
        ),
    ];
    for (name, set) in bad {
        let found = contact_set(&pair[0], &pair[1], &Options::default(), &set);
        assert!(
            matches!(found, Err(Error::Option { option, .. }) if option == name),
            "{found:?}"
        );
    }
}
