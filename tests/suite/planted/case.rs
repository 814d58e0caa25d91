//! Pairs of moving patches that touch exactly at a known time: how they are drawn.
//!
//! Everything is an integer until the end: positions at the time of contact, where both patches go
//! through 0 or have the minimum separation there, and displacements in a sixteenth of the horizon.
//! Starts follow from these. A draw whose numbers aren't doubles is drawn anew.

use kit::simplices::{Kind, Query};
use kit::{Random, exact};
use patch_ccd::geometry::{AnyPatch, Shape};
use patch_ccd::{Moving, Step};

use super::doubles::{Doubles, Net, TURNS};
use super::heights::Heights;
use super::net::{Place, Vector, exponents, normalised, shift_to, through_zero};

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
    Patches(Box<[Moving<AnyPatch>; 2]>),
    Linear(Query),
}

/// Why and how sharply the planted contact is the first one. Lengths are in units of the
/// coordinates.
#[derive(Clone, Debug)]
pub(crate) struct First {
    /// A normal of the plane between the patches, from the second to the first, of integers.
    pub(crate) normal: Vector,
    /// Speed along the normal: at least, and at most.
    pub(crate) approach: [f64; 2],
    /// Above the plane each patch is at least `rise` · x² at a distance x in parameters from the
    /// planted contact.
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
    let mut random = Random::new(number * 3 + family as u64);
    loop {
        if let Some(case) = try_draw(&mut random, family) {
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

fn try_draw(random: &mut Random, family: Family) -> Option<Planted> {
    let linear = random.chance(8);
    let sizes = [
        BITS,
        if random.chance(4) {
            BITS - 20 + random.below(40) as u32
        } else {
            BITS
        },
    ];
    let shapes = if linear {
        linear_shapes(random)
    } else {
        [shape(random), shape(random)]
    };
    let mut plans = [0, 1].map(|side| plan(random, shapes[side], sizes[side], linear));
    let sixteenths = sixteenths(random);

    // Where a plane keeps them apart: heights in z, the first patch above and coming down.
    let smaller = sizes[0].min(sizes[1]);
    let mut first = None;
    if family != Family::Crossing {
        let flatter = random.below(6) as u32;
        let heights = [0, 1].map(|side| {
            let plan = &plans[side];
            Heights::draw(random, plan.shape, &plan.weights(), plan.place)
        });
        let at_rest = sixteenths == 0 && random.chance(2);
        let mut approach = [0, 0];
        for (side, heights) in heights.iter().enumerate() {
            let sign = if side == 0 { 1 } else { -1 };
            let bits = sizes[side] - flatter;
            let values = normalised(&heights.values, bits);
            let speeds = speeds(random, plans[side].shape.count(), smaller, at_rest);
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
        Family::Separated => random.integer(1, 255) << (smaller - 4 - random.below(10) as u32),
        _ => 0,
    };
    for point in &mut plans[0].points {
        point[2] += separation;
    }

    let turn = random.pick(&TURNS);
    let exponent = match random.below(8) {
        0 => random.pick(&[-300, 300]),
        1..=3 => 0,
        _ => random.integer(-20, 20) as i32,
    } - BITS as i32;
    // Linear queries take the points at t = 1.
    let horizon = if linear {
        0
    } else {
        random.pick(&[0, 0, 1, -1, 10, -10])
    };
    let time = sixteenths as f64 / 16.0 * 2.0_f64.powi(horizon);
    let doubles = Doubles {
        turn,
        exponent,
        horizon,
        sixteenths,
    };
    let offset = doubles.offset(random, &plans)?;
    let motions = [
        doubles.net(&plans[0], offset)?,
        doubles.net(&plans[1], offset)?,
    ];
    let places = [plans[0].place, plans[1].place];
    let pair = match linear {
        true => Pair::Linear(query(&motions)?),
        false => Pair::Patches(Box::new([
            patch(random, &motions[0], &plans[0]),
            patch(random, &motions[1], &plans[1]),
        ])),
    };
    let unit = f64::from(turn.1) * 2.0_f64.powi(exponent);
    let first = first.map(|(approach, rise)| First {
        normal: turn.0.map(|row| row[2]),
        approach: approach.map(|speed| speed as f64 * 16.0 * unit * 2.0_f64.powi(-horizon)),
        rise: rise.map(|rise| rise * unit),
        aligned: turn.1 == 1,
    });
    let t_max = match random.below(4) {
        // The contact at the very end of the horizon; or the horizon anywhere after it.
        0 if !linear || sixteenths > 0 => time,
        1 => time + random.unit() * 2.0_f64.powi(horizon),
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

fn sixteenths(random: &mut Random) -> i128 {
    match random.below(8) {
        0 => 0,
        1 => 16,
        _ => random.integer(1, 15),
    }
}

fn shape(random: &mut Random) -> Shape {
    let mut degree = || 1 + random.below(5);
    let (n, m) = (degree(), degree());
    match random.below(7) {
        0 => Shape::TensorProduct { n, m: 0 },
        1..=3 => Shape::TensorProduct { n, m },
        _ => Shape::Triangular { n },
    }
}

fn linear_shapes(random: &mut Random) -> [Shape; 2] {
    let vertex = Shape::TensorProduct { n: 0, m: 0 };
    let edge = Shape::TensorProduct { n: 1, m: 0 };
    let face = Shape::Triangular { n: 1 };
    random.pick(&[
        [edge, edge],
        [edge, edge],
        [vertex, face],
        [vertex, face],
        [vertex, edge],
        [vertex, vertex],
    ])
}

/// A patch of random control points that move anyhow.
fn plan(random: &mut Random, shape: Shape, size: u32, linear: bool) -> Plan {
    let place = Place::draw(random, shape);
    let count = shape.count();
    let weights =
        (!linear && random.chance(3)).then(|| (0..count).map(|_| random.integer(1, 6)).collect());
    let mut plan = Plan {
        shape,
        weights,
        place,
        points: vec![[0; 3]; count],
        displacements: vec![[0; 3]; count],
    };
    let weights = plan.weights();
    // A patch like a net of equal squares, more or less; any net; one that is collapsed here and
    // there.
    let style = random.below(4);
    let noise = random.pick(&[0, 8, 64]);
    let exponents = exponents(shape);
    let degrees = [
        exponents.iter().map(|e| e.0).max(),
        exponents.iter().map(|e| e.1).max(),
    ]
    .map(|n| n.unwrap_or(0).max(1) as i128);
    let move_as_one = random.chance(3);
    for c in 0..3 {
        let r: Vec<_> = exponents
            .iter()
            .map(|&(i, j)| match (style, c) {
                (0 | 1, 0) => 240 * i as i128 / degrees[0] + random.integer(-noise, noise),
                (0 | 1, 1) => 240 * j as i128 / degrees[1] + random.integer(-noise, noise),
                (0 | 1, _) => random.integer(-noise, noise),
                (2, _) => random.integer(-240, 240),
                _ => 120 * random.integer(-1, 1),
            })
            .collect();
        let r = through_zero(shape, &weights, place, &r);
        for (point, x) in plan.points.iter_mut().zip(normalised(&r, size)) {
            point[c] = x;
        }
        let faster = 1 + random.below(6) as u32;
        let velocity = |random: &mut Random| random.integer(-63, 63) << (size - 12 + faster);
        let together = velocity(random);
        for displacement in &mut plan.displacements {
            displacement[c] = if move_as_one {
                together
            } else {
                velocity(random)
            };
        }
    }
    if random.chance(6) {
        plan.displacements.fill([0; 3]);
    }
    plan
}

/// Positive speeds along the normal in a sixteenth of the horizon, together at least a hundredth of
/// the patch's size over the horizon.
fn speeds(random: &mut Random, count: usize, size: u32, at_rest: bool) -> Vec<i128> {
    if at_rest {
        return vec![0; count];
    }
    let shift = size - 12 + random.below(6) as u32;
    let least = random.integer(4, 63);
    let spread = random.pick(&[0, 0, 8, 63]);
    (0..count)
        .map(|_| (least + random.integer(0, spread)) << shift)
        .collect()
}

/// The patch of a net, which is as good with all weights times a power of two.
fn patch(random: &mut Random, net: &Net, plan: &Plan) -> Moving<AnyPatch> {
    let start = match &plan.weights {
        None => AnyPatch::from_shape(net.shape, &net.points),
        Some(weights) => {
            let unit = 2.0_f64.powi(random.pick(&[0, 0, -1, 30, -200]));
            let weights: Vec<_> = weights.iter().map(|&w| w as f64 * unit).collect();
            AnyPatch::rational_from_shape(net.shape, &net.points, &weights)
        }
    };
    Moving::with_velocities(start.expect("a patch"), &net.velocities).expect("a motion")
}

/// The linear query of two nets, if their ends are doubles.
fn query(nets: &[Net; 2]) -> Option<Query> {
    let mut step: Step<4> = Step::default();
    let motions = nets
        .iter()
        .flat_map(|net| net.points.iter().zip(&net.velocities));
    for (k, (&start, velocity)) in motions.enumerate() {
        let end = start + velocity;
        for c in 0..3 {
            if exact(start[c]) + exact(velocity[c]) != exact(end[c]) {
                return None;
            }
        }
        [step[0][k], step[1][k]] = [start, end];
    }
    let kind = match nets.each_ref().map(|net| net.points.len()) {
        [2, 2] => Kind::EdgeEdge,
        [1, 3] => Kind::VertexFace,
        [1, 2] => Kind::VertexEdge,
        _ => Kind::VertexVertex,
    };
    Some(kind.query(&step))
}
