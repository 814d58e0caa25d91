//! Steps in time: a coarse cloth on the teapot, and what is known of motion without contact.

use nalgebra::{Point3, Vector3, point, vector};
use patch_ccd::geometry::{AnyPatch, HermiteNode, Shape};

use shell_sim::models::{COTTON, SETTINGS, drape};
use shell_sim::shell::Sheet;
use shell_sim::simulation::{Checker, Contact, Report, Settings, Simulation, Solid};

#[test]
fn a_coarse_cloth_falls_on_the_teapot_without_penetration() {
    let mut simulation = drape(4).unwrap();
    let mut checker = Checker::default();
    let mut energy = simulation.energy().unwrap().total();
    let (mut contacts, mut nearest) = (0, f64::INFINITY);
    for _ in 0..50 {
        let report = simulation.step(2e-3, |_| Vector3::zeros()).unwrap();
        let check = checker.check(&simulation).unwrap();
        assert!(check.free, "at {} s: {check:?}", simulation.time);
        assert_eq!(report.lost, 0.0);
        let now = simulation.energy().unwrap().total();
        assert!(now < energy + 1e-9, "from {energy} to {now}");
        energy = now;
        contacts += report.marks.len();
        nearest = nearest.min(check.distances[0]);
    }
    assert!(contacts > 50 && nearest < 1e-3, "{contacts} {nearest}");
}

#[test]
fn without_contact_momentum_is_force_times_time() {
    let size = [0.4, 0.3];
    let (sheet, nodes) = Sheet::flat([3, 2], size, Point3::origin(), COTTON).unwrap();
    let settings = Settings {
        air_drag: 0.0,
        ..SETTINGS
    };
    let mut simulation =
        Simulation::new(sheet, &nodes, Solid::new(Vec::new(), None), settings).unwrap();
    // It is bent, and swings while it falls.
    for (k, q) in simulation
        .q
        .iter_mut()
        .enumerate()
        .filter(|(k, _)| k % 4 == 0)
    {
        q.z += 0.02 * (k as f64).sin();
    }
    let before = simulation.energy().unwrap();
    for _ in 0..20 {
        simulation.step(2e-3, |_| Vector3::zeros()).unwrap();
    }
    let mass = COTTON.area_density() * size[0] * size[1];
    let expected = SETTINGS.gravity * (mass * 0.04);
    assert!((simulation.momentum() - expected).norm() < 1e-9 * expected.norm());
    let after = simulation.energy().unwrap();
    assert!(after.elastic < before.elastic && after.total() < before.total());
}

#[test]
fn pins_work_is_what_the_energy_grows_by() {
    let (sheet, nodes) = Sheet::flat([2, 2], [0.2, 0.2], Point3::origin(), COTTON).unwrap();
    let settings = Settings {
        gravity: Vector3::zeros(),
        air_drag: 0.0,
        viscosity: 0.0,
        ..SETTINGS
    };
    let mut simulation =
        Simulation::new(sheet, &nodes, Solid::new(Vec::new(), None), settings).unwrap();
    for node in [0, 1, 2, 6, 7, 8] {
        simulation.pin(node);
    }
    // Two opposite sides are pulled apart slowly: energy goes into the stretch, and next to none
    // into inertia.
    let (mut work, dt) = (0.0, 0.1);
    for _ in 0..100 {
        let pull = |node: usize| Vector3::x() * if node < 3 { -1e-3 } else { 1e-3 };
        work += simulation.step(dt, pull).unwrap().pins_work;
    }
    let energy = simulation.energy().unwrap();
    assert!(energy.elastic > 1e-3 && energy.total() <= work);
    // What implicit steps take out is of first order in the step's share of the way.
    assert!(work < 1.02 * energy.total(), "{work} {energy:?}");
}

/// A plate of a metre on z = 0.
fn plate() -> Solid {
    let corners = [(-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)];
    let corners = corners.map(|(x, y)| point![x, y, 0.0]);
    let flat = AnyPatch::from_shape(Shape::TensorProduct { n: 1, m: 1 }, &corners);
    Solid::new(vec![flat.unwrap()], None)
}

/// A flat sheet above the plate, with this velocity.
fn above_the_plate(height: f64, velocity: Vector3<f64>, settings: Settings) -> Simulation {
    let corner = point![-0.2, -0.1, height];
    let (sheet, nodes) = Sheet::flat([3, 2], [0.3, 0.2], corner, COTTON).unwrap();
    let mut simulation = Simulation::new(sheet, &nodes, plate(), settings).unwrap();
    simulation
        .velocity
        .iter_mut()
        .step_by(4)
        .for_each(|v| *v = velocity);
    simulation
}

/// Makes a step that must end free of penetration, without more energy than before.
fn step(simulation: &mut Simulation, dt: f64) -> Report {
    let before = simulation.energy().unwrap().total();
    let report = simulation.step(dt, |_| Vector3::zeros()).unwrap();
    let check = Checker::default().check(simulation).unwrap();
    assert!(check.free, "at {} s: {check:?}", simulation.time);
    let now = simulation.energy().unwrap().total();
    assert!(now < before + 1e-7, "from {before} to {now}");
    report
}

/// Nothing presses but what collision detection finds.
const BARE: Settings = Settings {
    contact: Contact {
        stiffness: 0.0,
        ..SETTINGS.contact
    },
    ..SETTINGS
};

#[test]
fn impacts_alone_keep_a_sheet_off_a_plate() {
    let mut simulation = above_the_plate(5e-3, vector![0.3, 0.1, -5.0], BARE);
    let mut impacts = 0;
    for _ in 0..3 {
        let report = step(&mut simulation, 2e-3);
        assert_eq!(report.lost, 0.0);
        impacts += report.impacts;
    }
    assert!(impacts > 0);
}

#[test]
fn a_single_proposal_goes_as_far_as_it_is_free() {
    let settings = Settings { passes: 1, ..BARE };
    let mut simulation = above_the_plate(5e-3, vector![0.0, 0.0, -5.0], settings);
    let reports = [0; 2].map(|_| step(&mut simulation, 2e-3));
    assert!(
        reports[0].pieces > 1 && reports[0].lost > 0.0,
        "{reports:?}"
    );
    // The last pieces are next to nothing, and what is in front of the plate has its speed still.
    let height = simulation.position(0).z;
    assert!(height > 5e-4 && height < 6e-4, "{height}");
}

#[test]
fn a_sheet_slides_and_sticks_as_coulomb_says() {
    let (friction, gravity) = (SETTINGS.contact.friction, 9.81);
    let settings = Settings {
        air_drag: 0.0,
        ..SETTINGS
    };
    // It lies on the cushion, a little pressed by its weight.
    let mut simulation = above_the_plate(1e-3, vector![1.0, 0.0, 0.0], settings);
    for _ in 0..20 {
        step(&mut simulation, 2e-3);
    }
    let mass = COTTON.area_density() * 0.06;
    let speed = simulation.momentum().x / mass;
    let expected = 1.0 - friction * gravity * 0.04;
    assert!((speed - expected).abs() < 0.02, "{speed} {expected}");

    // On a slope less than the coefficient it creeps at most.
    let (sin, cos) = (0.3_f64).atan().sin_cos();
    let settings = Settings {
        gravity: vector![gravity * sin, 0.0, -gravity * cos],
        ..settings
    };
    let mut simulation = above_the_plate(1e-3, Vector3::zeros(), settings);
    for _ in 0..20 {
        step(&mut simulation, 2e-3);
    }
    let speed = simulation.momentum().x / mass;
    assert!(speed < settings.contact.creep, "{speed}");
}

#[test]
fn a_folded_sheet_does_not_pass_through_itself() {
    // A strip folded like a U, of which the upper leg swings down.
    let (leg, turn) = (0.15, 0.1);
    let radius = turn / std::f64::consts::PI;
    let (sheet, nodes) = Sheet::flat([8, 2], [0.4, 0.1], Point3::origin(), COTTON).unwrap();
    let folded: Vec<_> = nodes
        .iter()
        .map(|node| {
            let s = node.position.x;
            let angle = ((s - leg) / radius).clamp(0.0, std::f64::consts::PI);
            let (sin, cos) = angle.sin_cos();
            let beyond = (s - leg - turn).max(0.0);
            let x = s.min(leg) + radius * sin - beyond;
            HermiteNode {
                position: point![x, node.position.y, radius * (1.0 - cos)],
                along_u: vector![cos, 0.0, sin],
                ..*node
            }
        })
        .collect();
    let settings = Settings {
        gravity: Vector3::zeros(),
        ..SETTINGS
    };
    let solid = Solid::new(Vec::new(), None);
    let mut simulation = Simulation::new(sheet, &folded, solid, settings).unwrap();
    for (k, node) in nodes.iter().enumerate() {
        let beyond = (node.position.x - leg - turn).max(0.0);
        simulation.velocity[4 * k].z = -6.0 * beyond / leg;
    }
    let mut contacts = 0;
    for _ in 0..20 {
        let report = step(&mut simulation, 2e-3);
        assert_eq!(report.lost, 0.0);
        contacts += report.marks.len();
    }
    assert!(contacts > 0);
}

#[test]
fn long_steps_lose_energy_too() {
    // It meets the teapot in the fourth.
    let mut simulation = drape(3).unwrap();
    for _ in 0..6 {
        let report = step(&mut simulation, 0.02);
        assert_eq!(report.lost, 0.0);
    }
}
