//! Shots at a sheet, in steps in which the bullet goes far beyond it.

use nalgebra::{Vector3, vector};

use shell_sim::scenes::bullet::flight::{Ending, fly};
use shell_sim::scenes::bullet::screen::{Screen, passes_beside};
use shell_sim::scenes::bullet::shot::{Aim, Shots, straight};
use shell_sim::scenes::bullet::target::{RADIUS, WAVE, shoot};

#[test]
fn a_bullet_is_stopped_in_steps_of_any_length() {
    for dt in [2e-3, 1e-2] {
        let flight = fly(&straight(300.0, 0.1), dt, 2).unwrap().unwrap();
        assert_eq!(flight.ending, Ending::Stopped, "{dt} s: {flight:?}");
        assert!(flight.too_near == 0 && flight.lost == 0.0, "{flight:?}");
    }
}

#[test]
fn grazing_shots_do_not_tunnel() {
    let mut shots = Shots::new(3, 5e-3);
    for _ in 0..2 {
        let flight = fly(&shots.draw(Aim::Graze), 5e-3, 1).unwrap().unwrap();
        assert_ne!(flight.ending, Ending::Tunnelled, "{flight:?}");
        assert_eq!(flight.too_near, 0, "{flight:?}");
    }
}

#[test]
fn rays_tell_the_sides_of_the_sheet() {
    let simulation = shoot(&straight(300.0, 0.1)).unwrap();
    let [sheet, _] = simulation.surfaces.patches(&simulation.q).unwrap();
    let screen = Screen::new(&sheet);
    let above = |x: f64, y: f64, z: f64| screen.is_above(&vector![x, y, z]);
    // A crest in the middle, hollows beside it; the plane of the border around it all.
    assert_eq!(above(0.003, 0.002, WAVE + 1e-4), Some(true));
    assert_eq!(above(0.003, 0.002, WAVE - 1e-3), Some(false));
    assert_eq!(above(0.101, 0.002, -1e-3), Some(true));
    assert_eq!(above(0.101, 0.002, -WAVE - 1e-3), Some(false));
    assert_eq!(above(0.4, 0.0, 1e-3), Some(true));
    assert_eq!(above(0.4, 0.0, -1e-3), Some(false));
    let way = |from: Vector3<f64>| passes_beside(&from, &(from - 2.0 * Vector3::z()));
    assert!(!way(vector![0.0, 0.0, 1.0]) && way(vector![0.2, 0.0, 1.0]));
    assert!(!way(vector![0.2, 0.0, -RADIUS]));
}
