//! Pairs of moving patches that touch exactly at a known time: how they are drawn.
//!
//! Everything is an integer until the end: positions at the time of contact, where both patches go through 0 or have the
//! minimum separation there, and displacements in a sixteenth of the horizon. Starts follow from these. A draw whose numbers aren't doubles is
//! drawn anew.

use nalgebra::{Point3, Vector3};
use patch_ccd::geometry::{AnyPatch, Shape};
use patch_ccd::{Moving, Step};

use crate::common::Motion;
use crate::doubles::{Doubles, Net, TURNS};
use crate::heights::Heights;
use crate::net::{Place, Vector, normalised, shift_to, through_zero};
use crate::rng::Rng;
use crate::simplices::Query;

/// What is known of a planted contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Family {
    /// The patches touch at the planted time, maybe earlier too.
    Crossing,
    /// A plane keeps them apart until then.
    First,
    /// A plane keeps them at more than the minimum separation until then.
    Separated,
}

/// What is asked.
#[derive(Clone, Debug)]
pub(crate) enum Pair {
    Patches(Box<[Motion; 2]>),
    Linear(Query),
}

/// Why and how sharply the planted contact is the first one. Lengths are in units of the coordinates.
#[derive(Clone, Debug)]
pub(crate) struct First {
    /// A normal of the plane between the patches, from the second to the first, of integers.
    pub(crate) normal: Vector,
    /// Speed along the normal: at least, and at most.
    pub(crate) approach: [f64; 2],
    /// Above the plane each patch is at least `rise` · x² at a distance x in parameters from the planted contact.
    pub(crate) rise: [f64; 2],
    /// Whether the normal is a coordinate axis.
    pub(crate) aligned: bool,
}

/// A query with a planted contact.
#[derive(Clone, Debug)]
pub(crate) struct Planted {
    pub(crate) pair: Pair,
    pub(crate) motions: [Net; 2],
    pub(crate) places: [Place; 2],
    /// When they touch, or are at the minimum separation.
    pub(crate) time: f64,
    pub(crate) t_max: f64,
    pub(crate) min_separation: f64,
    pub(crate) first: Option<First>,
}

/// Bits of the coordinates of a patch of common size, in the unit of all integers.
pub(crate) const BITS: u32 = 80;

/// The case of this number.
pub(crate) fn draw(family: Family, number: u64) -> Planted {
    let mut rng = Rng::new(number * 3 + family as u64);
    loop {
        if let Some(case) = try_draw(&mut rng, family) {
            return case;
        }
    }
}

/// A patch at the time of contact, and its displacements in a sixteenth of the horizon.
pub(crate) struct Plan {
    pub(crate) shape: Shape,
    pub(crate) weights: Option<Vec<i128>>,
    pub(crate) place: Place,
    pub(crate) points: Vec<Vector>,
    pub(crate) displacements: Vec<Vector>,
}

impl Plan {
    pub(crate) fn weights(&self) -> Vec<i128> {
        let ones = || vec![1; self.shape.count()];
        self.weights.clone().unwrap_or_else(ones)
    }
}

fn try_draw(rng: &mut Rng, family: Family) -> Option<Planted> {
    let linear = rng.once_in(8);
    let sizes = [
        BITS,
        if rng.once_in(4) {
            BITS - 20 + rng.below(40) as u32
        } else {
            BITS
        },
    ];
    let shapes = if linear {
        linear_shapes(rng)
    } else {
        [shape(rng), shape(rng)]
    };
    let mut plans = [0, 1].map(|side| plan(rng, shapes[side], sizes[side], linear));
    let sixteenths = sixteenths(rng);

    // Where a plane keeps them apart: heights in z, the first patch above and coming down.
    let smaller = sizes[0].min(sizes[1]);
    let mut first = None;
    if family != Family::Crossing {
        let flatter = rng.below(6) as u32;
        let heights = [0, 1].map(|side| {
            let plan = &plans[side];
            Heights::draw(rng, plan.shape, &plan.weights(), plan.place)
        });
        let at_rest = sixteenths == 0 && rng.once_in(2);
        let mut approach = [0, 0];
        for (side, heights) in heights.iter().enumerate() {
            let sign = if side == 0 { 1 } else { -1 };
            let bits = sizes[side] - flatter;
            let values = normalised(&heights.values, bits);
            let speeds = speeds(rng, plans[side].shape.count(), smaller, at_rest);
            approach[0] += speeds.iter().min()?;
            approach[1] += speeds.iter().max()?;
            for (i, (z, speed)) in values.iter().zip(speeds).enumerate() {
                plans[side].points[i][2] = sign * z;
                plans[side].displacements[i][2] = -sign * speed;
            }
        }
        let rise = [0, 1].map(|side| {
            let shift = shift_to(&heights[side].values, sizes[side] - flatter);
            heights[side].rise * 2.0_f64.powi(shift as i32)
        });
        first = Some((approach, rise));
    }
    let separation = match family {
        Family::Separated => rng.integer(1, 255) << (smaller - 4 - rng.below(10) as u32),
        _ => 0,
    };
    for point in &mut plans[0].points {
        point[2] += separation;
    }

    let turn = rng.pick(&TURNS);
    let exponent = match rng.below(8) {
        0 => rng.pick(&[-300, 300]),
        1..=3 => 0,
        _ => rng.integer(-20, 20) as i32,
    } - BITS as i32;
    // Linear queries take the points at t = 1.
    let horizon = if linear {
        0
    } else {
        rng.pick(&[0, 0, 1, -1, 10, -10])
    };
    let time = sixteenths as f64 / 16.0 * 2.0_f64.powi(horizon);
    let doubles = Doubles {
        turn,
        exponent,
        horizon,
        sixteenths,
    };
    let offset = doubles.offset(rng, &plans)?;
    let motions = [
        doubles.net(&plans[0], offset)?,
        doubles.net(&plans[1], offset)?,
    ];
    let places = [plans[0].place, plans[1].place];
    let pair = match linear {
        true => Pair::Linear(query(&motions)?),
        false => Pair::Patches(Box::new([
            patch(rng, &motions[0], &plans[0]),
            patch(rng, &motions[1], &plans[1]),
        ])),
    };
    let unit = f64::from(turn.1) * 2.0_f64.powi(exponent);
    let first = first.map(|(approach, rise)| First {
        normal: turn.0.map(|row| row[2]),
        approach: approach.map(|speed| speed as f64 * 16.0 * unit * 2.0_f64.powi(-horizon)),
        rise: rise.map(|rise| rise * unit),
        aligned: turn.1 == 1,
    });
    let t_max = match rng.below(4) {
        // The contact at the very end of the horizon; or the horizon anywhere after it.
        0 if !linear || sixteenths > 0 => time,
        1 => time + rng.fraction() * 2.0_f64.powi(horizon),
        _ => 2.0_f64.powi(horizon),
    };
    let min_separation = separation as f64 * unit;
    Some(Planted {
        pair,
        motions,
        places,
        time,
        t_max,
        min_separation,
        first,
    })
}

fn sixteenths(rng: &mut Rng) -> i128 {
    match rng.below(8) {
        0 => 0,
        1 => 16,
        _ => rng.integer(1, 15),
    }
}

fn shape(rng: &mut Rng) -> Shape {
    let mut degree = || 1 + rng.below(5);
    let (n, m) = (degree(), degree());
    match rng.below(7) {
        0 => Shape::TensorProduct { n, m: 0 },
        1..=3 => Shape::TensorProduct { n, m },
        _ => Shape::Triangular { n },
    }
}

fn linear_shapes(rng: &mut Rng) -> [Shape; 2] {
    let vertex = Shape::TensorProduct { n: 0, m: 0 };
    let edge = Shape::TensorProduct { n: 1, m: 0 };
    let face = Shape::Triangular { n: 1 };
    rng.pick(&[
        [edge, edge],
        [edge, edge],
        [vertex, face],
        [vertex, face],
        [vertex, edge],
        [vertex, vertex],
    ])
}

/// A patch of random control points that move anyhow.
fn plan(rng: &mut Rng, shape: Shape, size: u32, linear: bool) -> Plan {
    let place = Place::draw(rng, shape);
    let count = shape.count();
    let weights =
        (!linear && rng.once_in(3)).then(|| (0..count).map(|_| rng.integer(1, 6)).collect());
    let mut plan = Plan {
        shape,
        weights,
        place,
        points: vec![[0; 3]; count],
        displacements: vec![[0; 3]; count],
    };
    let weights = plan.weights();
    // A patch like a net of equal squares, more or less; any net; one that is collapsed here and there.
    let style = rng.below(4);
    let noise = rng.pick(&[0, 8, 64]);
    let exponents = crate::net::exponents(shape);
    let degrees = [
        exponents.iter().map(|e| e.0).max(),
        exponents.iter().map(|e| e.1).max(),
    ]
    .map(|n| n.unwrap_or(0).max(1) as i128);
    let move_as_one = rng.once_in(3);
    for c in 0..3 {
        let r: Vec<_> = exponents
            .iter()
            .map(|&(i, j)| match (style, c) {
                (0 | 1, 0) => 240 * i as i128 / degrees[0] + rng.integer(-noise, noise),
                (0 | 1, 1) => 240 * j as i128 / degrees[1] + rng.integer(-noise, noise),
                (0 | 1, _) => rng.integer(-noise, noise),
                (2, _) => rng.integer(-240, 240),
                _ => 120 * rng.integer(-1, 1),
            })
            .collect();
        let r = through_zero(shape, &weights, place, &r);
        for (point, x) in plan.points.iter_mut().zip(normalised(&r, size)) {
            point[c] = x;
        }
        let faster = 1 + rng.below(6) as u32;
        let velocity = |rng: &mut Rng| rng.integer(-63, 63) << (size - 12 + faster);
        let together = velocity(rng);
        for displacement in &mut plan.displacements {
            displacement[c] = if move_as_one { together } else { velocity(rng) };
        }
    }
    if rng.once_in(6) {
        plan.displacements.fill([0; 3]);
    }
    plan
}

/// Positive speeds along the normal in a sixteenth of the horizon, together at least a hundredth of the patch's size over the horizon.
fn speeds(rng: &mut Rng, count: usize, size: u32, at_rest: bool) -> Vec<i128> {
    if at_rest {
        return vec![0; count];
    }
    let shift = size - 12 + rng.below(6) as u32;
    let least = rng.integer(4, 63);
    let spread = rng.pick(&[0, 0, 8, 63]);
    (0..count)
        .map(|_| (least + rng.integer(0, spread)) << shift)
        .collect()
}

/// The patch of a net, which is as good with all weights times a power of two.
fn patch(rng: &mut Rng, net: &Net, plan: &Plan) -> Motion {
    let start = match &plan.weights {
        None => AnyPatch::from_shape(net.shape, &net.points),
        Some(weights) => {
            let unit = 2.0_f64.powi(rng.pick(&[0, 0, -1, 30, -200]));
            let weights: Vec<_> = weights.iter().map(|&w| w as f64 * unit).collect();
            AnyPatch::rational_from_shape(net.shape, &net.points, &weights)
        }
    };
    Moving::with_velocities(start.expect("a patch"), &net.velocities).expect("a motion")
}

/// The linear query of two nets, if their ends are doubles.
fn query([one, two]: &[Net; 2]) -> Option<Query> {
    let points: Vec<_> = one.points.iter().chain(&two.points).copied().collect();
    let velocities = one.velocities.iter().chain(&two.velocities);
    let ends: Vec<Point3<f64>> = points
        .iter()
        .zip(velocities.clone())
        .map(|(p, v)| p + v)
        .collect();
    // p + v is exact if and only if the differences are, one with the other: v = end − p and p = end − v.
    let exact = |((p, v), end): ((&Point3<f64>, &Vector3<f64>), &Point3<f64>)| {
        end - p == *v && end - v == *p
    };
    if !points.iter().zip(velocities).zip(&ends).all(exact) {
        return None;
    }
    fn step<const N: usize>(points: &[Point3<f64>], ends: &[Point3<f64>]) -> Step<N> {
        [
            std::array::from_fn(|i| points[i]),
            std::array::from_fn(|i| ends[i]),
        ]
    }
    Some(match (one.points.len(), two.points.len()) {
        (2, 2) => Query::EdgeEdge(step(&points, &ends)),
        (1, 3) => Query::VertexFace(step(&points, &ends)),
        (1, 2) => Query::VertexEdge(step(&points, &ends)),
        _ => Query::VertexVertex(step(&points, &ends)),
    })
}
