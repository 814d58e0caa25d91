//! Random steps of four points, for all four queries: ordinary ones, and what makes a query hard.

use nalgebra::{Point3, Vector3, point};
use patch_ccd::Step;

use super::Kind;
use crate::Random;

/// What a step is like.
#[derive(Clone, Copy, Debug)]
pub enum Sort {
    /// Every point moves on its own, anyhow.
    Any,
    /// Small integers: exact touches, parallel edges, zero lengths and areas, coplanar motions, no
    /// motion at all.
    Grid,
    /// The same, in a plane.
    Plane,
    /// Numbers of few digits, and points of both simplices that meet exactly at an eighth of the
    /// step.
    Planted,
    /// Points of the two simplices, corners often, brought together at some time, up to roundings.
    Touching,
    /// All in one plane at both ends, or at tiny heights above it.
    Coplanar,
    /// The second pair of points has the direction of the first, but for a little.
    Parallel,
    /// Points of both simplices coincide, or nearly, at the start, at the end, or throughout.
    Shared,
    /// Sides of length 0 and faces of area 0, at one end, at both or in between.
    Degenerate,
    /// Along each other's plane, touching all the time or a hair above.
    Sliding,
    /// An edge that turns away as it comes: the determinant has a double root at t = 1/2.
    Grazing,
    /// All points go through the origin at once, at t = 1/2: a triple root.
    Through,
}

impl Sort {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Any,
        Self::Grid,
        Self::Plane,
        Self::Planted,
        Self::Touching,
        Self::Coplanar,
        Self::Parallel,
        Self::Shared,
        Self::Degenerate,
        Self::Sliding,
        Self::Grazing,
        Self::Through,
    ];

    /// A step of this sort, as it is.
    pub fn draw(self, random: &mut Random, kind: Kind) -> Step<4> {
        match self {
            Self::Any => [(); 2].map(|()| [(); 4].map(|()| random.point(1.0))),
            Self::Grid => on_grid(random),
            Self::Plane => in_plane(random),
            Self::Planted => planted(random, kind).0,
            Self::Touching => touching(random, kind),
            Self::Coplanar => coplanar(random, kind),
            Self::Parallel => parallel(random, kind),
            Self::Shared => shared(random),
            Self::Degenerate => degenerate(random, kind),
            Self::Sliding => sliding(random, kind),
            Self::Grazing => grazing(random, kind),
            Self::Through => {
                let start = points(random);
                [start, start.map(|p| -p)]
            }
        }
    }
}

/// A step of any sort, as it is or nudged, turned, scaled, stretched, moved away, some of it at
/// rest.
pub fn any(random: &mut Random, kind: Kind) -> Step<4> {
    let sort = random.pick(&Sort::ALL);
    let mut step = sort.draw(random, kind);
    if random.chance(3) {
        nudge(random, &mut step);
    }
    step = placed(random, step);
    if random.chance(3) {
        nudge(random, &mut step);
    }
    if random.chance(12) {
        let [start, mut end] = step;
        for (from, to) in start.into_iter().zip(&mut end) {
            if random.chance(2) {
                *to = from;
            }
        }
        step = [start, end];
    }
    step
}

/// A step of small integers, in a plane or not: positions at eighths of it are exact doubles.
pub fn short(random: &mut Random) -> Step<4> {
    if random.chance(2) {
        on_grid(random)
    } else {
        in_plane(random)
    }
}

/// A step with a contact at an eighth of it, and that time: exactly, since no number gets long.
pub fn planted(random: &mut Random, kind: Kind) -> (Step<4>, f64) {
    let step = match random.below(3) {
        0 => [points(random), points(random)],
        _ => short(random),
    };
    let t = match random.below(4) {
        0 => random.pick(&[0.0, 1.0]),
        _ => eighth(random),
    };
    (together(kind, step, t, || eighth(random)), t)
}

/// The points with each mapped.
pub fn mapped(step: Step<4>, map: impl Fn(Point3<f64>) -> Point3<f64>) -> Step<4> {
    step.map(|points| points.map(&map))
}

/// The points at time `t`; exact where the numbers are short.
pub fn points_at([start, end]: &Step<4>, t: f64) -> [Point3<f64>; 4] {
    std::array::from_fn(|i| start[i] + t * (end[i] - start[i]))
}

fn on_grid(random: &mut Random) -> Step<4> {
    let size = random.integer(0, 3);
    let mut coordinate = |_, _| random.integer(-size, size) as f64;
    [(); 2].map(|()| [(); 4].map(|()| Vector3::from_fn(&mut coordinate).into()))
}

fn in_plane(random: &mut Random) -> Step<4> {
    let step = on_grid(random);
    let axis = random.below(3);
    let height = random.integer(-1, 1) as f64;
    mapped(step, |mut point| {
        point[axis] = height * (point[(axis + 1) % 3] + 1.0);
        point
    })
}

/// An eighth from 0 to 1.
fn eighth(random: &mut Random) -> f64 {
    random.below(9) as f64 / 8.0
}

/// An eighth from −2 to 2.
fn coordinate(random: &mut Random) -> f64 {
    random.integer(-16, 16) as f64 / 8.0
}

fn vector(random: &mut Random) -> Vector3<f64> {
    Vector3::from_fn(|_, _| coordinate(random))
}

fn points(random: &mut Random) -> [Point3<f64>; 4] {
    [(); 4].map(|()| vector(random).into())
}

/// A number like 2^-50, of either sign, or 0.
fn tiny(random: &mut Random) -> f64 {
    random.integer(-1, 1) as f64 * 0.5_f64.powi(random.integer(44, 54) as i32)
}

/// Moves the first simplex so that both meet at time `t`, at places drawn for the purpose.
fn together(kind: Kind, mut step: Step<4>, t: f64, mut place: impl FnMut() -> f64) -> Step<4> {
    let now = points_at(&step, t);
    let [one, two] = kind.simplices(&now);
    let [at, from] = [two, one].map(|simplex| point_of(simplex, place(), place()));
    let aside = at - from;
    let count = one.len();
    for points in &mut step {
        points[..count].iter_mut().for_each(|point| *point += aside);
    }
    step
}

fn point_of(simplex: &[Point3<f64>], u: f64, v: f64) -> Point3<f64> {
    match *simplex {
        [a, b] => a + u * (b - a),
        [a, b, c] if u + v <= 1.0 => a + u * (b - a) + v * (c - a),
        [a, b, c] => a + (1.0 - u) * (b - a) + (1.0 - v) * (c - a),
        _ => simplex[0],
    }
}

fn touching(random: &mut Random, kind: Kind) -> Step<4> {
    let sort = random.pick(&[Sort::Any, Sort::Any, Sort::Any, Sort::Grid, Sort::Plane]);
    let step = sort.draw(random, kind);
    let mut place = |exact: usize| match random.below(exact) {
        0 => 0.0,
        1 => 1.0,
        _ => random.unit(),
    };
    let t = place(6);
    together(kind, step, t, || place(3))
}

fn coplanar(random: &mut Random, kind: Kind) -> Step<4> {
    let mut step = [points(random), points(random)];
    let slope = match random.below(3) {
        0 => coordinate(random),
        _ => 0.0,
    };
    for point in step.iter_mut().flatten() {
        point.z = slope * point.x;
        if random.chance(2) {
            point.z += tiny(random);
        }
    }
    if random.chance(2) {
        meeting(random, kind, step)
    } else {
        step
    }
}

/// The step with a contact at an eighth of it.
fn meeting(random: &mut Random, kind: Kind, step: Step<4>) -> Step<4> {
    let t = eighth(random);
    together(kind, step, t, || eighth(random))
}

fn parallel(random: &mut Random, kind: Kind) -> Step<4> {
    let mut step = [points(random), points(random)];
    for points in &mut step {
        let along = random.pick(&[1.0, -1.0, 0.5]) * (points[1] - points[0]);
        points[3] = points[2] + along + Vector3::from_fn(|_, _| tiny(random));
    }
    if random.chance(2) {
        step[1] = step[0].map(|p| p + Vector3::z() * coordinate(random));
    }
    meeting(random, kind, step)
}

/// At which ends of a step something holds: at the start, at the end, or at both.
fn ends(random: &mut Random) -> &'static [usize] {
    random.pick(&[&[0][..], &[1], &[0, 1]])
}

fn shared(random: &mut Random) -> Step<4> {
    let mut step = [points(random), points(random)];
    let (i, j) = random.pick(&[(0, 2), (0, 3), (1, 2), (1, 3)]);
    for &end in ends(random) {
        step[end][j] = step[end][i] + Vector3::from_fn(|_, _| tiny(random));
    }
    step
}

fn degenerate(random: &mut Random, kind: Kind) -> Step<4> {
    let mut step = [points(random), points(random)];
    let (i, j) = random.pick(&[(0, 1), (2, 3), (1, 3), (1, 2)]);
    if random.chance(4) {
        // They change places: equal at t = 1/2.
        step[1][i] = step[0][j];
        step[1][j] = step[0][i];
    } else {
        for &end in ends(random) {
            step[end][j] = step[end][i];
        }
    }
    meeting(random, kind, step)
}

fn sliding(random: &mut Random, kind: Kind) -> Step<4> {
    let mut start = points(random);
    start.iter_mut().for_each(|point| point.z = 0.0);
    let along = Vector3::new(coordinate(random), coordinate(random), 0.0);
    let count = kind.simplices(&start)[0].len();
    let mut step = [start; 2];
    step[1][..count]
        .iter_mut()
        .for_each(|point| *point += along);
    let mut step = meeting(random, kind, step);
    let height = tiny(random);
    let later = if random.chance(2) {
        height
    } else {
        tiny(random)
    };
    for (points, z) in step.iter_mut().zip([height, later]) {
        points[..count].iter_mut().for_each(|point| point.z = z);
    }
    step
}

/// The determinant is −α s² with s = t − 1/2.
fn grazing(random: &mut Random, kind: Kind) -> Step<4> {
    let alpha = random.pick(&[1.0, -1.0, 0.25, 2.0]);
    let [low, high] = [coordinate(random) - 2.0, coordinate(random) + 2.0];
    [-0.5, 0.5].map(|s| {
        let a = point![-1.0, s, 0.0];
        let b = point![1.0 + alpha * s, -s, 0.0];
        let [low, high] = [low, high].map(|z| Vector3::z() * z);
        let origin = Point3::origin();
        match kind {
            Kind::EdgeEdge => [a, b, origin + low, origin + high],
            _ => [origin, a + low, b, a + high],
        }
    })
}

/// Moves some coordinates by a rounding or two.
fn nudge(random: &mut Random, step: &mut Step<4>) {
    let seldom = random.pick(&[2, 8, 24]);
    for x in step.iter_mut().flatten().flat_map(|point| point.iter_mut()) {
        if random.chance(seldom) {
            let to_neighbour = *x != 0.0 || random.chance(8);
            *x = match random.below(3) {
                0 if to_neighbour => x.next_up(),
                1 if to_neighbour => x.next_down(),
                _ => {
                    let ulps = random.integer(-4, 4) as f64;
                    *x + ulps * x.abs().max(0.25) * f64::EPSILON
                }
            };
        }
    }
}

/// Turned, scaled and moved away; the numbers may be rounded by it, and lose most of their digits.
fn placed(random: &mut Random, step: Step<4>) -> Step<4> {
    let step = match random.below(4) {
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
    let scale = match random.below(8) {
        0 => Vector3::repeat(random.pick(&[0.1, 1e-3, 1e-6, 1.0 / 3.0, 1e6])),
        1 => Vector3::repeat(2.0_f64.powi(random.integer(-1060, 900) as i32)),
        2 => {
            let scale = random.pick(&[1e100, 1e-100, 1e150, 1e-150, 1e300, 1e-300, 1e-315]);
            return mapped(step, |p| p * scale);
        }
        // Each axis in its own unit.
        3 => Vector3::from_fn(|_, _| 10.0_f64.powi(random.integer(-12, 12) as i32)),
        _ => Vector3::repeat(1.0),
    };
    // Far from the origin, where the coordinates are coarse.
    let offset = match random.below(8) {
        0 => 2.0_f64.powi(random.integer(0, 53) as i32) * vector(random),
        1 => Vector3::from_fn(|_, _| random.pick(&[0.0, 0.1, -1e3, 1e6, -1e9, 3e15])),
        _ => Vector3::zeros(),
    };
    mapped(step, |p| (p.coords + offset).component_mul(&scale).into())
}
