//! Where do two patches really meet? A local solve for a contact at an early time.
//!
//! Newton's method on the conditions of a first contact: the least t over (u1, v1, u2, v2, t) at
//! which the two surface points coincide, or are at the minimum separation, with the parameters in
//! their domains. These are three equations (or one) in five unknowns; sides of the domains join
//! and leave the active set as the multipliers ask for. The solve proves nothing and may fail. But
//! a contact that it finds bounds the time of impact from above, so that the search need not look
//! any later.

use super::lagrangian::{Apart, Lagrangian, StepKind};
use crate::branch::closest_solve::{Closest, Held, closest_from, closest_held};
use crate::branch::difference::SurfaceDifference;
use crate::branch::pair::ScaledPair;
use crate::vector::{Vector, combine, dot, largest, length};

/// A contact to the accuracy of doubles: an upper bound on the time of impact.
#[derive(Clone, Copy, Debug)]
pub(super) struct FoundContact {
    /// As a fraction of the horizon.
    pub(super) time: f64,
    pub(super) parameters: [(f64, f64); 2],
    /// The multipliers: across the contact.
    pub(super) normal: Option<[f64; 3]>,
    /// With a separation: whether the line between the points is across both patches, too.
    pub(super) accurate: bool,
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

impl Target {
    /// Whether two points are in contact, but for an error of their coordinates.
    fn is_met(&self, difference: Vector, error: f64) -> bool {
        if self.separation > 0.0 {
            length(difference) <= self.separation + error
        } else {
            largest(difference) <= error
        }
    }

    /// Whether the distance of two points in contact is no less than the separation, either.
    fn is_just_met(&self, distance: f64, error: f64) -> bool {
        distance >= self.separation - ACCURATE * self.separation - error
    }
}

/// Where to begin: parameters and time, and how wide the sub-patches around them are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    pub(super) parameters: [(f64, f64); 2],
    pub(super) time: f64,
    pub(super) width: f64,
    /// Whether to begin with closest points and, if Newton's method fails, to follow them.
    pub(super) thorough: bool,
}

/// Steps until a start is given up.
const STEPS: usize = 16;

/// The trust region of a step: so many widths of the sub-patches at most, and no more than this at
/// all.
const TRUST_REGION: (f64, f64) = (4.0, 0.25);

/// A contact at a separation is accurate if its points are off by no more than this part of the
/// separation, and if the line between them is so nearly across both patches.
const ACCURATE: f64 = 1e-8;

/// Curvature, times the width of the sub-patches, of steps down the slope of time: they come out
/// about as long as the sub-patches are wide.
const DESCENT: f64 = 0.3;

/// Looks for a contact, from a start on.
///
/// A contact found before the start's time, which is proven free, is due to rounding. It is taken
/// at that time if the points meet there too, and discarded otherwise.
pub(super) fn find_contact(
    pair: &mut ScaledPair,
    start: &Start,
    target: &Target,
) -> Option<FoundContact> {
    let closest = (target.separation > 0.0 || start.thorough)
        .then(|| closest_from(pair, start.parameters, start.time));
    if closest.is_some_and(|closest| is_out_of_reach(pair, &closest, start.time, target)) {
        return None;
    }
    let solved = solve(pair, start, target, closest.as_ref());
    let found = match (solved, closest) {
        (
            Solved {
                found,
                converged: false,
            },
            Some(closest),
        ) => {
            let followed = follow(pair, start.time, target, closest, Held::None);
            match (found, followed) {
                (Some(one), Some(two)) => Some(if one.time < two.time { one } else { two }),
                (one, two) => one.or(two),
            }
        }
        (Solved { found, .. }, _) => found,
    }?;
    if found.time >= start.time {
        return Some(found);
    }
    let difference = SurfaceDifference::at(pair, found.parameters, start.time);
    let error = pair.evaluation_error(start.time);
    let meets = target.is_met(difference.value, error);
    let just_met = target.is_just_met(length(difference.value), error);
    meets.then_some(FoundContact {
        time: start.time,
        accurate: found.accurate && just_met,
        ..found
    })
}

/// Whether the closest points would need to approach this many times as fast as they do to be in
/// contact in time. Then a solve from there is in vain.
fn is_out_of_reach(pair: &ScaledPair, closest: &Closest, t: f64, target: &Target) -> bool {
    const FASTER: f64 = 2.0;
    // Of points that nearly coincide rounding decides in which direction they are apart.
    const CLEAR: f64 = 16.0;
    let beyond = closest.distance - target.separation;
    let speed = -dot(closest.difference, closest.by_time) / closest.distance;
    target.moves
        && beyond > CLEAR * pair.evaluation_error(t)
        && FASTER * speed * (target.latest - t) < beyond
}

/// What Newton's method came to.
#[derive(Clone, Copy, Debug)]
struct Solved {
    found: Option<FoundContact>,
    /// Whether nothing earlier is near.
    converged: bool,
}

/// Newton's method on the conditions of a first contact.
fn solve(
    pair: &mut ScaledPair,
    start: &Start,
    target: &Target,
    closest: Option<&Closest>,
) -> Solved {
    let domains = pair.domains();
    // Two edges, or a vertex and a triangle: up to two parameters and time are no more unknowns
    // than the three equations, so nothing is left to improve.
    let degrees = pair.trees.iter().flat_map(|tree| tree.shape().degrees());
    let parameters = degrees.filter(|&degree| degree > 0).count();
    let determined = target.separation == 0.0 && parameters <= 2;
    let trust_region = (TRUST_REGION.0 * start.width).min(TRUST_REGION.1);
    let mut at = start.parameters;
    let mut t = start.time;
    let mut found: Option<FoundContact> = None;
    let mut multipliers = None;
    let mut time_is_free = target.moves;
    let mut residuals = [f64::INFINITY; 2];
    let mut converged = false;
    if let Some(closest) = closest {
        at = closest.parameters;
        let error = pair.evaluation_error(t);
        let meets = target.is_met(closest.difference, error);
        if meets || !target.moves {
            return Solved {
                found: meets.then_some(FoundContact {
                    time: t,
                    parameters: at,
                    normal: Some(closest.difference),
                    accurate: target.is_just_met(closest.distance, error),
                }),
                converged: true,
            };
        }
        let approach = -dot(closest.difference, closest.by_time);
        if approach > 0.0 {
            multipliers = Some(closest.difference.map(|x| x / approach));
        }
    }
    for turn in 0..STEPS {
        let difference = SurfaceDifference::at(pair, at, t);
        let apart = Apart::new(target.separation, multipliers);
        let residual = largest(apart.residual(&difference));
        let error = pair.evaluation_error(t);
        let meets = target.is_met(difference.value, error);
        let mut active = [0, 1].map(|side| {
            let slope =
                multipliers.map(|normal| [0, 1].map(|k| dot(normal, difference.by[2 * side + k])));
            domains[side].active_set(at[side], slope)
        });
        let accurate = residual <= ACCURATE * target.separation
            && (0..2).all(|side| {
                let moves = domains[side].moves(at[side], active[side]);
                moves.free().iter().all(|&[u, v]| {
                    let change =
                        combine(u, difference.by[2 * side], v, difference.by[2 * side + 1]);
                    dot(apart.unit(), change).abs() <= ACCURATE * length(change)
                })
            });
        let better = |found: FoundContact| {
            t < found.time || accurate && !found.accurate && t - found.time < target.tolerance
        };
        if meets && t <= target.latest && found.is_none_or(better) {
            found = Some(FoundContact {
                time: t,
                parameters: at,
                normal: multipliers,
                accurate,
            });
        }
        if meets && determined {
            converged = true;
            break;
        }
        // Once it has come near it converges fast, or not at all.
        let halves = residual <= 0.5 * residuals[turn % 2];
        residuals[turn % 2] = residual;
        if turn >= 2 && (!meets && !halves || t > target.latest) {
            break;
        }
        let lagrangian = Lagrangian::new(&difference, apart, multipliers);
        let descent = DESCENT / start.width.max(1e-6);
        let kind = match (time_is_free, turn) {
            (false, _) => StepKind::Nearest,
            // The first multipliers are a guess.
            (true, 0) if multipliers.is_none() => StepKind::Descent(descent),
            (true, _) => StepKind::Newton,
        };
        let Some(step) = lagrangian.step_within(domains, at, &mut active, kind, descent) else {
            break;
        };
        let longest = (0..2).fold(0.0_f64, |longest, side| {
            let [u, v] = step.parameters[side];
            longest.max(u.abs()).max(v.abs())
        });
        let part = if longest > trust_region {
            trust_region / longest
        } else {
            1.0
        };
        let settled = accurate || target.separation == 0.0;
        if meets && settled && (part * step.time).abs() < target.tolerance {
            converged = true;
            break;
        }
        for side in 0..2 {
            let [u, v] = step.parameters[side];
            at[side] = domains[side].clamp((at[side].0 + part * u, at[side].1 + part * v));
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
        if found.is_some_and(|found| found.time == 0.0) {
            break;
        }
    }
    Solved { found, converged }
}

/// The contact again with closest points, if it does not have them; `None` if none are found.
/// `start` is a time at which nothing touches yet.
pub(super) fn sharpen(
    pair: &mut ScaledPair,
    start: f64,
    target: &Target,
    contact: FoundContact,
) -> Option<FoundContact> {
    if contact.accurate || target.separation == 0.0 {
        return Some(contact);
    }
    let target = Target {
        latest: (contact.time + target.tolerance).min(1.0),
        ..*target
    };
    let closest = closest_from(pair, contact.parameters, start);
    let followed = follow(pair, start, &target, closest, Held::None).filter(|found| found.accurate);
    followed.or_else(|| {
        // Closest points a little too near are closest points all the same.
        let closest = closest_from(pair, contact.parameters, contact.time);
        (closest.distance > 0.5 * target.separation).then_some(FoundContact {
            parameters: closest.parameters,
            ..contact
        })
    })
}

/// Times until following is given up.
const TIMES: usize = 32;

/// Follows closest points in time until they are in contact: Newton's method on their distance. It
/// is slower than [`solve`], but it comes to an end where conditions of a contact depend on each
/// other, or hold at a whole line of points.
pub(super) fn follow(
    pair: &mut ScaledPair,
    start: f64,
    target: &Target,
    closest: Closest,
    held: Held,
) -> Option<FoundContact> {
    let (mut t, mut closest) = (start, closest);
    let mut apart = start;
    let mut found: Option<FoundContact> = None;
    for _ in 0..TIMES {
        let error = pair.evaluation_error(t);
        let beyond = closest.distance - target.separation;
        if target.is_met(closest.difference, error) {
            let accurate = target.is_just_met(closest.distance, error);
            found = Some(FoundContact {
                time: t,
                parameters: closest.parameters,
                normal: Some(closest.difference),
                accurate,
            });
            if accurate || t <= apart {
                break;
            }
        } else {
            apart = t;
        }
        let slope = dot(closest.difference, closest.by_time) / closest.distance;
        let latest = found.map_or(target.latest, |found| found.time);
        let mut next = t - beyond / slope;
        if !(next > apart && next < latest && slope < 0.0) {
            // Beyond what was found, or inside of each other, where there is no slope.
            if found.is_none() || latest - apart <= target.tolerance {
                break;
            }
            next = apart + 0.5 * (latest - apart);
        }
        (t, closest) = (next, closest_held(pair, closest.parameters, next, held));
    }
    found
}
