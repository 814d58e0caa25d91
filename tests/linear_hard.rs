//! Two edges, or a vertex and a face, that are hard to tell apart, against an exact oracle: nearly coplanar, nearly parallel, an ulp from a contact,
//! far away, tiny, degenerate, sliding. No contact is missed, no time of impact is too late, and "clear" is true.
//!
//! The environment variable `LINEAR_CASES` sets the number of queries, `LINEAR_CASE` runs that one alone.
#![allow(clippy::print_stdout, reason = "figures, with --nocapture")]

#[allow(dead_code, reason = "shared with other tests")]
mod answers;
#[allow(dead_code, reason = "shared with other tests")]
mod common;
#[allow(dead_code, reason = "shared with other tests")]
mod oracle;
#[allow(dead_code, reason = "shared with other tests")]
mod rng;
#[allow(dead_code, reason = "shared with other tests")]
mod simplices;
#[allow(dead_code, reason = "shared with other tests")]
mod steps;

use std::collections::BTreeMap;

use common::ENGINES;
use nalgebra::{Point3, Vector3, point};
use patch_ccd::{Options, Outcome, Step};

use rng::Rng;
use simplices::Kind;
use steps::{mapped, point_of, points_at};

/// Queries without the environment variable.
const CASES: u64 = 10_000;

/// What makes a query hard.
#[derive(Clone, Copy, Debug)]
enum Trait {
    Coplanar,
    Parallel,
    Shared,
    AtTheEnds,
    Almost,
    Degenerate,
    Sliding,
    Grazing,
    Through,
}

const TRAITS: [Trait; 9] = [
    Trait::Coplanar,
    Trait::Parallel,
    Trait::Shared,
    Trait::AtTheEnds,
    Trait::Almost,
    Trait::Degenerate,
    Trait::Sliding,
    Trait::Grazing,
    Trait::Through,
];

type Points = [Point3<f64>; 4];

/// Eighths from −2 to 2.
fn coordinate(rng: &mut Rng) -> f64 {
    rng.integer(-16, 16) as f64 / 8.0
}

fn vector(rng: &mut Rng) -> Vector3<f64> {
    Vector3::from_fn(|_, _| coordinate(rng))
}

fn points(rng: &mut Rng) -> Points {
    [(); 4].map(|()| vector(rng).into())
}

/// A number like 2^-50, of either sign, or 0.
fn tiny(rng: &mut Rng) -> f64 {
    rng.integer(-1, 1) as f64 * 0.5_f64.powi(rng.integer(44, 54) as i32)
}

/// Moves the first simplex so that both meet at time `t`; exactly, since no number gets long.
fn plant(rng: &mut Rng, kind: Kind, step: Step<4>, t: f64) -> Step<4> {
    let now = points_at(&step, t);
    let [one, two] = kind.simplices(&now);
    let mut eighth = || rng.below(9) as f64 / 8.0;
    let at = point_of(two, eighth(), eighth());
    let aside = at - point_of(one, eighth(), eighth());
    let count = one.len();
    step.map(|mut points| {
        points[..count].iter_mut().for_each(|point| *point += aside);
        points
    })
}

fn eighth(rng: &mut Rng) -> f64 {
    rng.below(9) as f64 / 8.0
}

fn draw(rng: &mut Rng, kind: Kind, hard: Trait) -> Step<4> {
    let mut step = [points(rng), points(rng)];
    match hard {
        // All in one plane at both ends, or tiny heights above it.
        Trait::Coplanar => {
            let lifted = rng.once_in(3);
            let slope = coordinate(rng);
            for point in step.iter_mut().flatten() {
                let z = if lifted { slope * point.x } else { 0.0 };
                point.z = z + if rng.once_in(2) { tiny(rng) } else { 0.0 };
            }
            if rng.once_in(2) {
                let t = eighth(rng);
                plant(rng, kind, step, t)
            } else {
                step
            }
        }
        // The second pair of points has the direction of the first, but for a little.
        Trait::Parallel => {
            for points in &mut step {
                let along = rng.pick(&[1.0, -1.0, 0.5]) * (points[1] - points[0]);
                points[3] = points[2] + along + Vector3::from_fn(|_, _| tiny(rng));
            }
            let t = eighth(rng);
            if rng.once_in(2) {
                step[1] = step[0].map(|p| p + Vector3::z() * coordinate(rng));
            }
            plant(rng, kind, step, t)
        }
        // Points of both simplices coincide, or nearly, at the start, at the end, or throughout.
        Trait::Shared => {
            let (i, j) = rng.pick(&[(0, 2), (0, 3), (1, 2), (1, 3)]);
            let ends = 1 + rng.below(3);
            for (end, points) in step.iter_mut().enumerate() {
                if ends & (1 << end) != 0 {
                    points[j] = points[i] + Vector3::from_fn(|_, _| tiny(rng));
                }
            }
            step
        }
        Trait::AtTheEnds => {
            let t = rng.pick(&[0.0, 1.0]);
            plant(rng, kind, step, t)
        }
        Trait::Almost => {
            let t = eighth(rng);
            plant(rng, kind, step, t)
        }
        // Sides of length 0 and faces of area 0, at one end, at both or in between.
        Trait::Degenerate => {
            let (i, j) = rng.pick(&[(0, 1), (2, 3), (1, 3), (1, 2)]);
            let ends = 1 + rng.below(3);
            for (end, points) in step.iter_mut().enumerate() {
                if ends & (1 << end) != 0 {
                    points[j] = points[i];
                }
            }
            if rng.once_in(4) {
                // They change places: equal at t = 1/2.
                step[1][i] = step[0][j];
                step[1][j] = step[0][i];
            }
            let t = eighth(rng);
            plant(rng, kind, step, t)
        }
        // Along each other's plane, touching all the time or a hair above.
        Trait::Sliding => {
            let along = Vector3::new(coordinate(rng), coordinate(rng), 0.0);
            let height = tiny(rng);
            let count = kind.simplices(&step[0])[0].len();
            for point in &mut step[0] {
                point.z = 0.0;
            }
            step[1] = step[0];
            step[1][..count]
                .iter_mut()
                .for_each(|point| *point += along);
            let t = eighth(rng);
            let mut step = plant(rng, kind, step, t);
            let later = if rng.once_in(2) { height } else { tiny(rng) };
            for (points, z) in step.iter_mut().zip([height, later]) {
                points[..count].iter_mut().for_each(|point| point.z = z);
            }
            step
        }
        // An edge that turns away as it comes: the determinant has a double root, −α s² with s = t − 1/2.
        Trait::Grazing => {
            let alpha = rng.pick(&[1.0, -1.0, 0.25, 2.0]);
            let [low, high] = [coordinate(rng) - 2.0, coordinate(rng) + 2.0];
            for (points, s) in step.iter_mut().zip([-0.5, 0.5]) {
                let a = point![-1.0, s, 0.0];
                let b = point![1.0 + alpha * s, -s, 0.0];
                *points = match kind {
                    Kind::EdgeEdge => [a, b, point![0.0, 0.0, low], point![0.0, 0.0, high]],
                    _ => [
                        point![0.0, 0.0, 0.0],
                        a + Vector3::z() * low,
                        b,
                        a + Vector3::z() * high,
                    ],
                };
            }
            step
        }
        // All points go through the origin at once, at t = 1/2: a triple root; or a little beside it.
        Trait::Through => {
            step[1] = step[0].map(|p| -p);
            step
        }
    }
}

/// Nudges some coordinates to a neighbouring double.
fn nudge(rng: &mut Rng, step: &mut Step<4>) {
    let seldom = rng.pick(&[2, 8, 24]);
    for x in step.iter_mut().flatten().flat_map(|point| point.iter_mut()) {
        if rng.once_in(seldom) {
            *x = if rng.once_in(2) {
                x.next_up()
            } else {
                x.next_down()
            };
        }
    }
}

/// Turned, scaled and moved away; the numbers may be rounded by it.
fn placed(rng: &mut Rng, step: Step<4>) -> Step<4> {
    let step = match rng.below(4) {
        0 => mapped(step, |p| point![p.y, -p.z, p.x]),
        1 => mapped(step, |p| {
            point![
                2.0 * p.x - p.y + 2.0 * p.z,
                2.0 * p.x + 2.0 * p.y - p.z,
                2.0 * p.y + 2.0 * p.z - p.x
            ]
        }),
        _ => step,
    };
    let scale = match rng.below(6) {
        0 => rng.pick(&[0.1, 1e-3, 1.0 / 3.0, 1e6]),
        1 => 2.0_f64.powi(rng.integer(-1060, 900) as i32),
        _ => 1.0,
    };
    let step = mapped(step, |p| p * scale);
    if rng.once_in(4) {
        let far = 2.0_f64.powi(rng.integer(0, 53) as i32) * scale;
        let offset = far * vector(rng);
        return mapped(step, |p| p + offset);
    }
    step
}

fn options_of(rng: &mut Rng) -> Options {
    let (method, inclusion) = if rng.once_in(2) {
        ENGINES[0]
    } else {
        rng.pick(&ENGINES)
    };
    Options {
        method,
        inclusion,
        delta: rng.pick(&[1e-1, 1e-3, 1e-6, 1e-9]),
        t_max: rng.pick(&[1.0, 1.0, 1.0, 0.5, 0.3, 0.0]),
        max_boxes: rng.pick(&[1000, 300, 20]),
        no_zero_toi: rng.once_in(8),
        ..Options::default()
    }
}

fn run(kind: Kind) {
    let variable = |name| {
        let value = std::env::var(name).ok();
        value.map(|value| value.parse::<u64>().expect(name))
    };
    let numbers = match variable("LINEAR_CASE") {
        Some(number) => number..number + 1,
        None => 0..variable("LINEAR_CASES").unwrap_or(CASES) / 2,
    };
    let mut figures = BTreeMap::<String, u64>::new();
    let mut failures = 0;
    for number in numbers {
        let mut rng = Rng::new(number);
        let hard = TRAITS[number as usize % TRAITS.len()];
        let mut step = draw(&mut rng, kind, hard);
        if rng.once_in(3) {
            nudge(&mut rng, &mut step);
        }
        step = placed(&mut rng, step);
        if rng.once_in(3) {
            nudge(&mut rng, &mut step);
        }
        let options = options_of(&mut rng);
        match answers::check(kind, &step, &options) {
            Ok((outcome, meets)) => {
                let name = match outcome {
                    Outcome::Clear { .. } => "clear",
                    Outcome::ContactAtStart { .. } => "contact at the start",
                    Outcome::Impact { .. } => "impact",
                    Outcome::BudgetExhausted { .. } => "budget exhausted",
                };
                let truth = if meets { "contact" } else { "no contact" };
                *figures.entry(format!("{truth}: {name}")).or_default() += 1;
            }
            Err(fault) => {
                failures += 1;
                if failures <= 10 {
                    println!(
                        "case {number}, {hard:?} {kind:?}: {fault}\n  {step:?}\n  {options:?}"
                    );
                }
            }
        }
    }
    println!("{kind:?}:");
    for (name, count) in figures {
        println!("  {count:>8} {name}");
    }
    assert!(
        failures == 0,
        "{failures} answers are wrong; LINEAR_CASE=number shows one"
    );
}

#[test]
fn hard_pairs_of_edges() {
    run(Kind::EdgeEdge);
}

#[test]
fn hard_vertices_and_faces() {
    run(Kind::VertexFace);
}
