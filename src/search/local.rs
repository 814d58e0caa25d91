//! Where do two patches really meet? A local solve for a contact at an early time.
//!
//! Newton's method on the conditions of a first contact: the least t over (u1, v1, u2, v2, t) at which the two surface points coincide, or are
//! at the minimum separation, with the parameters in their domains. Three equations (or one), five unknowns; sides of the
//! domains are held and released as the multipliers ask for. It proves nothing and may fail; but a contact that it finds bounds the time of
//! impact from above, so that the search need not look any later.

use super::arena::Arena;
use super::domain::{clamp, held};
use super::model::{Constraints, Gap, Kind, Model};
use crate::geometry::Shape;
use crate::rounding::evaluation_error;
use crate::vector::{Vector, combine, dot, largest};

/// A contact to the accuracy of doubles: an upper bound on the time of impact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Witness {
    /// As a fraction of the horizon.
    pub(super) time: f64,
    pub(super) parameters: [(f64, f64); 2],
    /// The multipliers: across the contact.
    pub(super) normal: Option<[f64; 3]>,
}

/// What a contact is, and when it is of use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    /// The minimum separation, in scaled units.
    pub(super) separation: f64,
    /// Only contacts up to this time.
    pub(super) latest: f64,
    /// Improvements in time of this size don't matter.
    pub(super) tolerance: f64,
    /// Whether anything moves; otherwise time is 0.
    pub(super) moves: bool,
}

/// Where to begin: parameters and time, and how wide the boxes around them are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    pub(super) parameters: [(f64, f64); 2],
    pub(super) time: f64,
    pub(super) width: f64,
}

/// Steps until a start is given up.
const STEPS: usize = 16;

/// How many widths of its boxes a step goes at most, and how far at all.
const LONGEST_STEP: (f64, f64) = (4.0, 0.25);

/// Curvature, times the width of the boxes, of steps down the slope of time: they come out about as long as the boxes are wide.
const DESCENT: f64 = 0.3;

/// Looks for a contact, from a start on; one that is found too early, by rounding, is moved to the start's time if it is one
/// there too.
pub(super) fn find_contact(
    arenas: &mut [Arena; 2],
    extents: &[[Vector; 2]; 2],
    start: &Start,
    target: &Target,
) -> Option<Witness> {
    let shapes = [arenas[0].shape(), arenas[1].shape()];
    // Two edges, or a vertex and a triangle: as many unknowns as equations, so nothing is left to improve.
    let parameters = shapes
        .iter()
        .flat_map(Shape::degrees)
        .filter(|&degree| degree > 0);
    let determined = target.separation == 0.0 && parameters.count() <= 2;
    let reach = (LONGEST_STEP.0 * start.width).min(LONGEST_STEP.1);
    let mut at = start.parameters;
    let mut t = start.time;
    let mut best: Option<Witness> = None;
    let mut multipliers = None;
    let mut time_is_free = target.moves;
    let mut residuals = [f64::INFINITY; 2];
    for turn in 0..STEPS {
        let gap = Gap::at(arenas, at, t);
        let residual = gap.residual(target.separation);
        let meets = residual <= rounding(shapes, extents, t);
        if meets && t <= target.latest && best.is_none_or(|best| t < best.time) {
            best = Some(Witness {
                time: t,
                parameters: at,
                normal: multipliers,
            });
        }
        if meets && determined {
            break;
        }
        // Once it has come near it converges fast, or not at all.
        let halves = residual <= 0.5 * residuals[turn % 2];
        residuals[turn % 2] = residual;
        if turn >= 2 && (!meets && !halves || t > target.latest) {
            break;
        }
        let constraints = Constraints::new(&gap, target.separation);
        let model = Model::new(&gap, &constraints, multipliers);
        let descent = DESCENT / start.width.max(1e-6);
        let kind = match (time_is_free, turn) {
            (false, _) => Kind::Nearest,
            // The first multipliers are a guess.
            (true, 0) => Kind::Descent(descent),
            (true, _) => Kind::Newton,
        };
        let mut sides = [0, 1].map(|side| {
            let slope = multipliers.map(|normal| [0, 1].map(|k| dot(normal, gap.by[2 * side + k])));
            held(shapes[side], at[side], slope)
        });
        let Some(step) = model.step_within(&constraints, shapes, at, &mut sides, kind, descent)
        else {
            break;
        };
        let longest = (0..2).fold(0.0_f64, |longest, side| {
            let [u, v] = step.parameters[side];
            longest.max(u.abs()).max(v.abs())
        });
        let part = if longest > reach {
            reach / longest
        } else {
            1.0
        };
        if meets && (part * step.time).abs() < target.tolerance {
            break;
        }
        for side in 0..2 {
            let [u, v] = step.parameters[side];
            at[side] = clamp(shapes[side], (at[side].0 + part * u, at[side].1 + part * v));
        }
        multipliers = time_is_free.then_some(step.multipliers);
        let next = t + part * step.time;
        let finite = step
            .multipliers
            .iter()
            .chain(step.parameters.as_flattened());
        if next.is_nan() || !finite.copied().all(f64::is_finite) {
            break;
        }
        if next <= 0.0 && t == 0.0 && time_is_free {
            // They touch at the start, or nowhere near.
            time_is_free = false;
            multipliers = None;
        }
        t = next.clamp(0.0, 1.0);
        if best.is_some_and(|best| best.time == 0.0) {
            break;
        }
    }
    let best = best?;
    if best.time >= start.time {
        return Some(best);
    }
    let residual = Gap::at(arenas, best.parameters, start.time).residual(target.separation);
    (residual <= rounding(shapes, extents, start.time)).then_some(Witness {
        time: start.time,
        ..best
    })
}

/// How far apart two points that coincide may be computed.
///
/// Too much would take near misses for contacts, too little costs a witness.
pub(super) fn rounding(shapes: [Shape; 2], extents: &[[Vector; 2]; 2], t: f64) -> f64 {
    let of_one = shapes
        .iter()
        .zip(extents)
        .map(|(shape, [start, displacement])| {
            evaluation_error(shape.degrees()) * largest(combine(1.0, *start, t, *displacement))
        });
    of_one.sum()
}
