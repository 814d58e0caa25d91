//! Motion that is not along straight lines: bodies that turn, and control points that move along
//! polynomials in time.
//!
//! [`boxes`] are whole meshes, against samples; [`families`] have closed forms, [`planted`] contacts are known by construction, and in [`same`]
//! one motion is written in several ways.

mod boxes;
mod families;
mod planted;
mod same;

use kit::{ENGINES, Random};
use nalgebra::{Point3, Vector3};
use patch_ccd::geometry::{AnyPatch, Patch, Shape};
use patch_ccd::{Moving, Options, Outcome, RigidMotion, Workspace};

/// A rigid motion that turns by up to `angle` in a unit of time, about any axis.
fn turning(random: &mut Random, angle: f64) -> RigidMotion {
    let axis = random.vector(1.0);
    RigidMotion {
        center: random.point(1.0),
        velocity: random.vector(1.0),
        angular_velocity: axis / axis.norm().max(1e-3) * (angle * random.signed()),
    }
}

/// A patch in motion of any kind, with control points within about 2 of a center.
fn moving(random: &mut Random, shape: Shape, rational: bool) -> Moving<AnyPatch> {
    let patch = match shape {
        Shape::TensorProduct { n: 0, m: 0 } => kit::scenes::dot(random.point(1.0)),
        _ => kit::scenes::random_patch(shape, random, Vector3::zeros(), rational),
    };
    match random.below(4) {
        0 => Moving::rigid(patch, &turning(random, 0.3)).unwrap(),
        1 => Moving::rigid(patch, &turning(random, 6.0)).unwrap(),
        2 => {
            let count = patch.control_points().len();
            let velocities: Vec<_> = (0..count).map(|_| random.vector(1.0)).collect();
            Moving::with_velocities(patch, &velocities).unwrap()
        }
        _ => {
            let degree = 2 + random.below(2);
            let later = (0..degree).map(|_| {
                let points = patch.control_points().iter();
                let points: Vec<_> = points.map(|p| p + random.vector(1.0)).collect();
                patch.with_net(&points, patch.weights()).unwrap()
            });
            let layers: Vec<_> = std::iter::once(patch.clone()).chain(later).collect();
            Moving::polynomial(&layers).unwrap()
        }
    }
}

/// The same motion, moved aside.
fn aside(moving: &Moving<AnyPatch>, by: Vector3<f64>) -> Moving<AnyPatch> {
    let place = |p: Point3<f64>| p + by;
    match moving.motion() {
        patch_ccd::Motion::Linear { velocities } => {
            Moving::with_velocities(kit::scenes::placed(moving.start(), place), velocities).unwrap()
        }
        patch_ccd::Motion::Rigid(motion) => {
            let motion = RigidMotion {
                center: motion.center + by,
                ..*motion
            };
            Moving::rigid(kit::scenes::placed(moving.start(), place), &motion).unwrap()
        }
        patch_ccd::Motion::Polynomial { layers } => {
            let start = moving.start();
            let count = start.control_points().len();
            let net = |points: &[Point3<f64>]| {
                let points: Vec<_> = points.iter().map(|&p| place(p)).collect();
                start.with_net(&points, start.weights()).unwrap()
            };
            let later = layers.chunks_exact(count).map(net);
            let first = net(start.control_points());
            let layers: Vec<_> = std::iter::once(first).chain(later).collect();
            Moving::polynomial(&layers).unwrap()
        }
        _ => unreachable!("another kind of motion"),
    }
}

/// The answers of all engines; those that are slow get a coarse tolerance.
fn answers(
    [a, b]: [&Moving<AnyPatch>; 2],
    options: &Options,
) -> impl Iterator<Item = (Options, Outcome)> {
    let mut workspace = Workspace::new();
    ENGINES.into_iter().map(move |(method, inclusion)| {
        let options = Options {
            method,
            inclusion,
            ..*options
        };
        let outcome = workspace.time_of_impact(a, b, &options).unwrap();
        (options, outcome)
    })
}
