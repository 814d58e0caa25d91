//! Where are two patches closest? A local solve for the least distance of two surface points.
//!
//! Newton's method on |S1 − S2|² over (u1, v1, u2, v2), damped where the squared distance does not
//! curve upwards or does not fall, with the sides of the domains that the slope points out of in
//! the active set. It proves nothing; but the distance of any two surface points is an upper bound.

use nalgebra::{Matrix4, Vector4};

use super::difference::SurfaceDifference;
use super::linear::closest_of_primitives;
use super::pair::ScaledPair;
use crate::geometry::{Domain, Moves, solve_within};
use crate::rounding::UNIT_ROUNDOFF;
use crate::vector::{Vector, combine, dot, length};

/// Two surface points: an upper bound on the distance, to rounding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Closest {
    /// In scaled units.
    pub(crate) distance: f64,
    pub(crate) parameters: [(f64, f64); 2],
    /// S1 − S2, in scaled units.
    pub(crate) difference: Vector,
    /// Of the difference, by u1, v1, u2 and v2.
    pub(crate) partials: [Vector; 4],
    /// What the difference changes by in time.
    pub(crate) by_time: Vector,
    /// The part of the difference that is across what the two points can move along. The difference
    /// itself has rounding errors along it, which turn it by much where the points are near.
    pub(crate) across: Vector,
}

/// Steps until a solve is given up.
const STEPS: usize = 40;

/// After a step of this size the solve ends: Newton's method squares it, and after a damped one
/// nothing is gained any more.
const FINE: [f64; 2] = [1e-8, 1e-15];

/// Below this size of a step the distance hardly changes any more: then steps are not damped, and
/// need not lower it, only become shorter.
const NEAR: f64 = 1e-5;

/// A pivot that is less than this part of the largest curvature counts as not curving upwards.
const FLAT: f64 = 1e-11;

/// Damping, as a part of the largest curvature, of the first damped step; and its factor from one
/// step to the next.
const DAMPING: f64 = 1e-3;
const LESS: f64 = 0.1;
const MORE: f64 = 10.0;

/// Damping of steps that leave out what curves downwards.
const LEAST_DAMPING: f64 = 1e-8;

/// By how much the distance may rise by rounding, in scaled units.
const NOISE: f64 = 1e-14;

/// Up to four directions in which the parameters may move.
type NormalSystem = [[f64; 4]; 4];

/// Which point stays where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// Both move.
    None,
    /// That of the first patch.
    First,
}

/// Goes down from some parameters to a local minimum of the distance at time `t`.
pub(super) fn closest_from(pair: &mut ScaledPair, start: [(f64, f64); 2], t: f64) -> Closest {
    closest_held(pair, start, t, Held::None)
}

/// The same with a point held.
pub(super) fn closest_held(
    pair: &mut ScaledPair,
    start: [(f64, f64); 2],
    t: f64,
    held: Held,
) -> Closest {
    let domains = pair.domains();
    if held == Held::None
        && let Some(at) = closest_of_primitives(pair, t)
    {
        let at = [0, 1].map(|side| domains[side].snap(at[side]));
        let difference = SurfaceDifference::at(pair, at, t);
        return Closest::new(&difference, domains, at);
    }
    // 1 − u − v of a start may be below 0 by rounding.
    let mut at = [0, 1].map(|side| domains[side].snap(start[side]));
    let mut difference = SurfaceDifference::at(pair, at, t);
    let mut squared = dot(difference.value, difference.value);
    let mut damping = 0.0;
    let mut last = f64::INFINITY;
    for _ in 0..STEPS {
        let Some((step, newton)) = step_within(&difference, domains, at, damping, held) else {
            break;
        };
        let to = [0, 1].map(|side| {
            let [u, v] = step[side];
            domains[side].snap((at[side].0 + u, at[side].1 + v))
        });
        let size = (0..2).fold(0.0_f64, |longest, side| {
            let (u, v) = (to[side].0 - at[side].0, to[side].1 - at[side].1);
            longest.max(u.abs()).max(v.abs())
        });
        if size == 0.0 {
            break;
        }
        let next = SurfaceDifference::at(pair, to, t);
        let value = dot(next.value, next.value);
        let near = size < NEAR;
        let level = squared.sqrt() + NOISE;
        let polishes = near && size < 0.5 * last && value <= level * level;
        if value < squared || polishes {
            (at, difference, squared) = (to, next, value);
            last = size;
            if size < FINE[usize::from(!newton)] {
                break;
            }
            damping = if near || damping < DAMPING * LESS {
                0.0
            } else {
                damping * LESS
            };
        } else if near && damping == 0.0 {
            break;
        } else if near {
            damping = 0.0;
        } else {
            damping = (damping * MORE).max(DAMPING);
        }
    }
    Closest::new(&difference, domains, at)
}

impl Closest {
    fn new(difference: &SurfaceDifference, domains: [Domain; 2], at: [(f64, f64); 2]) -> Self {
        Self {
            distance: length(difference.value),
            parameters: at,
            difference: difference.value,
            partials: difference.by,
            by_time: difference.by_time,
            across: across(difference, domains, at),
        }
    }
}

/// Tangents count as parallel up to this angle: it is made of rounding errors.
const PARALLEL: f64 = 16.0 * UNIT_ROUNDOFF;

/// The part of S1 − S2 that is across the directions in which the points are free to move.
///
/// Rounding turns a tangent that is shorter than the difference by more than the difference itself.
/// So it would make the difference worse, and may be nothing but rounding errors, as in a face of
/// which two corners nearly coincide.
fn across(difference: &SurfaceDifference, domains: [Domain; 2], at: [(f64, f64); 2]) -> Vector {
    let mut rest = difference.value;
    let apart = length(rest);
    let mut taken: [Option<Vector>; 2] = [None; 2];
    for side in 0..2 {
        let by = [difference.by[2 * side], difference.by[2 * side + 1]];
        let slope = by.map(|by| dot(by, difference.value));
        let active = domains[side].active_set(at[side], Some(slope));
        for &[u, v] in domains[side].moves(at[side], active).free() {
            let tangent = combine(u, by[0], v, by[1]);
            let before = length(tangent);
            if before < apart {
                continue;
            }
            let mut part = taken.iter().flatten().fold(tangent, without);
            part = taken.iter().flatten().fold(part, without);
            let after = length(part);
            // Two directions across each other leave no more than their normal.
            let Some(place) = taken.iter_mut().find(|place| place.is_none()) else {
                continue;
            };
            if after > PARALLEL * before {
                *place = Some(part.map(|x| x / after));
            }
        }
    }
    // Twice, as the first time leaves a rounding error of the whole.
    for _ in 0..2 {
        rest = taken.iter().flatten().fold(rest, without);
    }
    rest
}

/// What is left of a vector when its part along a unit vector is taken away.
fn without(x: Vector, unit: &Vector) -> Vector {
    combine(1.0, x, -dot(x, *unit), *unit)
}

/// The step with this much damping, and whether it is one of Newton's method: sides that it would
/// cross join the active set.
fn step_within(
    difference: &SurfaceDifference,
    domains: [Domain; 2],
    at: [(f64, f64); 2],
    damping: f64,
    held: Held,
) -> Option<([[f64; 2]; 2], bool)> {
    let slope: [f64; 4] = difference.by.map(|by| dot(by, difference.value));
    let mut active = [0, 1].map(|side| {
        let slope = [slope[2 * side], slope[2 * side + 1]];
        domains[side].active_set(at[side], Some(slope))
    });
    let curvatures = difference.curvatures(difference.value);
    let solve = |&[one, two]: &[Moves; 2]| {
        let one = if held == Held::First {
            Moves::default()
        } else {
            one
        };
        step(difference, &curvatures, &[one, two], damping)
    };
    solve_within(domains, at, &mut active, solve, |step| step.0)
}

/// The step along the directions that are free, with the others fixed.
fn step(
    difference: &SurfaceDifference,
    curvatures: &[[f64; 3]; 2],
    moves: &[Moves; 2],
    damping: f64,
) -> Option<([[f64; 2]; 2], bool)> {
    let mut free = [(0, [0.0; 2]); 4];
    let mut count = 0;
    for (side, moves) in moves.iter().enumerate() {
        for &direction in moves.free() {
            free[count] = (side, direction);
            count += 1;
        }
    }
    let free = &free[..count];
    let along = |side: usize, [u, v]: [f64; 2]| -> Vector {
        std::array::from_fn(|c| u * difference.by[2 * side][c] + v * difference.by[2 * side + 1][c])
    };
    let curvature_of = |side: usize, [ua, va]: [f64; 2], [ub, vb]: [f64; 2]| {
        let [uu, uv, vv] = curvatures[side];
        ua * ub * uu + (ua * vb + va * ub) * uv + va * vb * vv
    };
    let mut steps = [moves[0].fixed, moves[1].fixed];
    let shift = [along(0, steps[0]), along(1, steps[1])];
    let shifted: Vector = std::array::from_fn(|c| difference.value[c] + shift[0][c] + shift[1][c]);
    let (mut first, mut second, mut right) = ([[0.0; 4]; 4], [[0.0; 4]; 4], [[0.0; 4]; 2]);
    let mut most = 0.0_f64;
    for (i, &(side, a)) in free.iter().enumerate() {
        let by_a = along(side, a);
        right[1][i] = -dot(by_a, shifted);
        right[0][i] = right[1][i] - curvature_of(side, a, steps[side]);
        for (j, &(other, b)) in free.iter().enumerate().take(i + 1) {
            first[i][j] = dot(by_a, along(other, b));
            if side == other {
                second[i][j] = curvature_of(side, a, b);
            }
        }
        most = most.max(first[i][i]);
    }
    let matrix = |whole: f64, damping: f64| -> NormalSystem {
        std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let damping = if i == j { damping * most } else { 0.0 };
                first[i][j] + whole * second[i][j] + damping
            })
        })
    };
    let newton = solve(matrix(1.0, damping), right[0], count, FLAT * most);
    let is_newton = newton.is_some() && damping == 0.0;
    let solution = newton.or_else(|| {
        // What curves downwards is left out.
        let damping = damping.max(LEAST_DAMPING);
        solve(matrix(0.0, damping), right[1], count, 0.0)
    })?;
    for (&(side, [u, v]), by) in free.iter().zip(solution) {
        steps[side][0] += by * u;
        steps[side][1] += by * v;
    }
    let finite = steps.as_flattened().iter().all(|x| x.is_finite());
    finite.then_some((steps, is_newton))
}

/// Solves a symmetric system, of which the lower half is given, if all pivots are above `least`.
/// Rows from `count` on are not meant.
fn solve(system: NormalSystem, right: [f64; 4], count: usize, least: f64) -> Option<[f64; 4]> {
    let matrix = Matrix4::from_fn(|i, j| {
        if i < count && j < count {
            system[i][j]
        } else {
            f64::from(u8::from(i == j))
        }
    });
    let factors = matrix.cholesky()?;
    let pivots = factors.l_dirty().diagonal();
    let large = pivots.iter().take(count).all(|pivot| pivot * pivot > least);
    large.then(|| factors.solve(&Vector4::from(right)).into())
}
