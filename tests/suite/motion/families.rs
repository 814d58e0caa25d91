//! Families of motions with closed forms.

use kit::scenes::{BILINEAR, level, octant, segment};
use kit::{Random, cases, each_case};
use nalgebra::{Point3, Rotation3, Vector3, point, vector};
use patch_ccd::geometry::{AnyPatch, Shape};
use patch_ccd::{Moving, Options, Outcome, RigidMotion};

use super::answers;

type Motion = Moving<AnyPatch>;

/// The first time in [0, 1] at which a function is no longer positive: by samples, then halving.
fn first_root(f: impl Fn(f64) -> f64) -> Option<f64> {
    const SAMPLES: usize = 4_000;
    let time = |k: usize| k as f64 / SAMPLES as f64;
    let after = (0..=SAMPLES).find(|&k| f(time(k)) <= 0.0)?;
    if after == 0 {
        return Some(0.0);
    }
    let (mut low, mut high) = (time(after - 1), time(after));
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if f(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(high)
}

/// Compares the answers with the first root of a gap. A gap that stays near zero without crossing
/// it is no case, since the samples may miss a root there.
#[track_caller]
fn check(pair: [&Motion; 2], gap: impl Fn(f64) -> f64, random: &mut Random) -> bool {
    let Some(exact) = first_root(&gap) else {
        let least = (0..=4_000)
            .map(|k| gap(f64::from(k) / 4e3))
            .fold(f64::INFINITY, f64::min);
        if least < 1e-4 {
            return false;
        }
        let outcome = patch_ccd::time_of_impact(pair[0], pair[1], &Options::default()).unwrap();
        assert!(
            matches!(outcome, Outcome::Clear { .. }),
            "{least}: {outcome:?}"
        );
        return false;
    };
    // Grazing contact: the time is not well defined to δ.
    let slope = (gap(exact) - gap(exact - 1e-4)) / 1e-4;
    if slope > -1e-3 {
        return false;
    }
    let options = Options {
        delta: random.pick(&[1e-6, 1e-8]),
        ..Options::default()
    };
    let coarse = Options {
        delta: 1e-3,
        max_boxes: 300,
        ..options
    };
    for (options, outcome) in answers(pair, &coarse) {
        kit::check_outcome(&outcome, &options);
        kit::assert_not_later(&outcome, exact + 1e-12);
    }
    let outcome = patch_ccd::time_of_impact(pair[0], pair[1], &options).unwrap();
    if exact == 0.0 {
        assert!(outcome.toi() == Some(0.0), "{outcome:?}");
        return true;
    }
    let Outcome::Impact { toi, toi_upper, .. } = outcome else {
        panic!("{exact}: {outcome:?}");
    };
    assert!(toi <= exact + 1e-12, "late: {exact} {outcome:?}");
    assert!(
        toi_upper - toi <= options.delta,
        "wide: {exact} {outcome:?}"
    );
    assert!(
        toi >= exact - options.delta - 1e-12,
        "early: {exact} {outcome:?}"
    );
    true
}

fn ground() -> Motion {
    Moving::resting(level(BILINEAR, [-20.0, 20.0], [-20.0, 20.0], 0.0))
}

/// Above the ground at the start, by up to about 1 in reach.
fn motion(random: &mut Random, angle: f64, falls: bool) -> RigidMotion {
    let axis = random.vector(1.0).normalize();
    let down = if falls { -2.0 * random.unit() } else { 0.0 };
    RigidMotion {
        center: point![random.signed(), random.signed(), 0.5 + random.unit()],
        velocity: vector![random.signed(), random.signed(), down],
        angular_velocity: axis * (angle * random.unit()),
    }
}

/// A body with these corners against the ground.
fn lowest(motion: &RigidMotion, corners: &[Point3<f64>], t: f64) -> f64 {
    let heights = corners.iter().map(|p| {
        let turn = Rotation3::new(motion.angular_velocity * t);
        (motion.center + motion.velocity * t + turn * (p - motion.center)).z
    });
    heights.fold(f64::INFINITY, f64::min)
}

fn on_ground(falls: bool, angle: f64, corners: usize, body: impl Fn(&[Point3<f64>]) -> AnyPatch) {
    let mut contacts = 0;
    each_case(cases(1_000), |_, random| {
        let motion = motion(random, angle, falls);
        let points: Vec<_> = (0..corners)
            .map(|_| motion.center + random.vector(1.0))
            .collect();
        if lowest(&motion, &points, 0.0) <= 0.0 {
            return;
        }
        let moving = Moving::rigid(body(&points), &motion).unwrap();
        let gap = |t: f64| lowest(&motion, &points, t);
        contacts += usize::from(check([&moving, &ground()], gap, random));
    });
    assert!(contacts > 0);
}

#[test]
fn a_swinging_point_meets_the_ground() {
    on_ground(false, 3.0, 1, |p| kit::scenes::dot(p[0]));
}

#[test]
fn a_swinging_edge_meets_the_ground() {
    on_ground(false, 3.0, 2, |p| segment(p[0], p[1]));
}

#[test]
fn a_swinging_blade_meets_the_ground() {
    on_ground(false, 2.0, 3, |p| {
        AnyPatch::from_shape(Shape::Triangular { n: 1 }, p).unwrap()
    });
}

#[test]
fn a_screw_meets_the_ground() {
    on_ground(true, 6.0, 4, |p| AnyPatch::from_shape(BILINEAR, p).unwrap());
}

#[test]
fn a_body_that_turns_many_times_meets_the_ground() {
    on_ground(true, 60.0, 2, |p| segment(p[0], p[1]));
}

/// A ball of rational patches at the end of an arm: its lowest point is that of its center less the
/// radius, if that is on the octant.
#[test]
fn a_ball_on_an_arm_meets_the_ground() {
    let mut contacts = 0;
    each_case(cases(1_000), |_, random| {
        let motion = motion(random, 1.0, true);
        let center = motion.center + random.vector(1.0);
        let radius = 0.1 + 0.3 * random.unit();
        let turn = Rotation3::from_euler_angles(3.0, 0.1 * random.signed(), 0.1 * random.signed());
        let ball = octant(Point3::origin(), radius, [1.0; 3]);
        let to = turn * vector![1.0, 1.0, 1.0].normalize();
        let face = Rotation3::rotation_between(&to, &-Vector3::z()).unwrap() * turn;
        let ball = kit::scenes::placed(&ball, |p| center + face * p.coords);
        // The octant's axis turns with the body, and must stay within 35° of down.
        let axis = -Vector3::z();
        let stays = (0..=100).all(|k| {
            let turn = Rotation3::new(motion.angular_velocity * (f64::from(k) / 100.0));
            (turn * axis).z < -0.9
        });
        let height = |t: f64| lowest(&motion, &[center], t) - radius;
        if !stays || height(0.0) <= 0.0 {
            return;
        }
        let moving = Moving::rigid(ball, &motion).unwrap();
        contacts += usize::from(check([&moving, &ground()], height, random));
    });
    assert!(contacts > 0);
}

/// Two particles, or a particle and an edge's end, never meet by chance; two balls do.
#[test]
fn two_bars_that_turn_against_each_other_meet() {
    let mut contacts = 0;
    each_case(cases(1_000), |_, random| {
        // In the plane z = 0: a bar from the origin along x, and one from (d, 0) back towards it,
        // from angles at which they are apart.
        let d = 1.2 + 0.6 * random.unit();
        let angles = [0.5 + random.unit(), 0.5 + random.unit()];
        let rates = [0.5 + 2.0 * random.unit(), 0.5 + 2.0 * random.unit()];
        let height = |angle: f64| vector![angle.cos(), angle.sin(), 0.0];
        let bar = |from: Point3<f64>, along: Vector3<f64>| {
            let up = vector![0.0, 0.0, 0.2];
            let points = [from - up, from + up, from + along - up, from + along + up];
            AnyPatch::from_shape(BILINEAR, &points).unwrap()
        };
        let centers = [point![0.0, 0.0, 0.0], point![d, 0.0, 0.0]];
        let starts = [height(angles[0]), -height(-angles[1])];
        let turns = [-rates[0], rates[1]];
        let bodies = [0, 1].map(|k| {
            let motion = RigidMotion {
                center: centers[k],
                angular_velocity: Vector3::z() * turns[k],
                ..RigidMotion::default()
            };
            Moving::rigid(bar(centers[k], starts[k]), &motion).unwrap()
        });
        // Both bars are of length 1, and d > 1: first a tip meets the other bar, or its tip.
        let ends = |k: usize, t: f64| {
            let turn = Rotation3::new(Vector3::z() * (turns[k] * t));
            (centers[k], centers[k] + turn * starts[k])
        };
        let side = |(a, b): (Point3<f64>, Point3<f64>), p: Point3<f64>| (b - a).cross(&(p - a)).z;
        let apart = |t: f64| {
            let (one, two) = (ends(0, t), ends(1, t));
            // Crossing if each bar's ends are on both sides of the other one.
            let first = side(one, two.0) * side(one, two.1);
            let second = side(two, one.0) * side(two, one.1);
            first.max(second)
        };
        if apart(0.0) <= 0.0 {
            return;
        }
        let pair = [&bodies[0], &bodies[1]];
        contacts += usize::from(check(pair, apart, random));
    });
    assert!(contacts > 0);
}

/// A flat patch of any shape that goes along a cubic in time, each corner along its own.
#[test]
fn patches_that_drop_along_cubics_meet_the_ground() {
    let mut contacts = 0;
    each_case(cases(1_000), |_, random| {
        let degree = 2 + random.below(2);
        let corners = 1 + random.below(3);
        let shape = [
            Shape::TensorProduct { n: 0, m: 0 },
            Shape::TensorProduct { n: 1, m: 0 },
            Shape::Triangular { n: 1 },
        ][corners - 1];
        let layers: Vec<Vec<Point3<f64>>> = (0..=degree)
            .map(|layer| {
                let height = if layer == 0 { 2.0 } else { 0.5 };
                let corner = |_| random.point(2.0) + vector![0.0, 0.0, height];
                (0..corners).map(corner).collect()
            })
            .collect();
        let patches: Vec<_> = layers
            .iter()
            .map(|points| match points[..] {
                [point] => kit::scenes::dot(point),
                _ => AnyPatch::from_shape(shape, points).unwrap(),
            })
            .collect();
        let moving = Moving::polynomial(&patches).unwrap();
        let gap = |t: f64| {
            let heights = (0..corners).map(|k| {
                let mut z: Vec<_> = layers.iter().map(|layer| layer[k].z).collect();
                while z.len() > 1 {
                    z = z.windows(2).map(|w| (1.0 - t) * w[0] + t * w[1]).collect();
                }
                z[0]
            });
            heights.fold(f64::INFINITY, f64::min)
        };
        if gap(0.0) <= 0.0 {
            return;
        }
        contacts += usize::from(check([&moving, &ground()], gap, random));
    });
    assert!(contacts > 0);
}
