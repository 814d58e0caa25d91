//! What an answer to a planted case must be.

use nalgebra::Vector3;
use patch_ccd::geometry::Shape;
use patch_ccd::{Contact, Inclusion, Method, Options, Outcome, Workspace};

use super::case::{First, Pair, Planted};
use super::doubles::Net;

/// The largest error bound of a gap over the size of the scene: three axes of two patches, each at
/// level 40 with some twenty roundings a level.
const GAP_ROUNDING: f64 = 6.0 * (40.0 * 22.0 + 18.0) * f64::EPSILON / 2.0;

/// The roundings of the points of a witness.
const WITNESS_ROUNDING: f64 = 128.0 * f64::EPSILON;

/// How far apart the patches of an accepted box may be, over the sum of the sub-patches' diameters:
/// a box along a patch is up to √3 times as wide as it, and two boxes that no axis separates touch,
/// more or less.
const BOXES: f64 = 4.0;

/// The outcome's name, or what is wrong with it.
pub(crate) fn check(
    case: &Planted,
    options: &Options,
    workspace: &mut Workspace,
) -> Result<&'static str, String> {
    let outcome = match &case.pair {
        Pair::Patches(pair) => workspace.time_of_impact(&pair[0], &pair[1], options),
        Pair::Linear(query) => query.try_solve(options),
    };
    let outcome = outcome.map_err(|error| error.to_string())?;
    let told = |fault| format!("{fault}, planted at {:?}: {outcome:?}", case.time);
    judge(case, options, &outcome).map_err(told)
}

fn judge(case: &Planted, options: &Options, outcome: &Outcome) -> Result<&'static str, String> {
    if outcome.counters().boxes > options.max_boxes {
        return Err("beyond the budget".into());
    }
    let Some(toi) = outcome.toi() else {
        return Err("clear".into());
    };
    if !(0.0..=case.time).contains(&toi) {
        return Err("too late".into());
    }
    let (name, witness) = match outcome {
        Outcome::BudgetExhausted { .. } => return Ok("budget exhausted"),
        Outcome::Impact {
            toi_upper, contact, ..
        } => {
            if !(toi..=options.t_max).contains(toi_upper) {
                return Err("not a bracket".into());
            }
            let found = options.method == Method::TwoSided
                && contact.time == *toi_upper
                && *toi_upper > toi;
            match found {
                true => ("impact, found", Some(contact)),
                false => ("impact", None),
            }
        }
        _ => ("contact at the start", None),
    };
    let Some(first) = &case.first else {
        return Ok(name);
    };
    // In the maximum norm patches may be closer than in the Euclidean one.
    let same_norm = options.inclusion == Inclusion::Obb || first.aligned;
    if first.approach[0] > 0.0 && (same_norm || case.min_separation == 0.0) {
        check_first(case, first, options, toi, witness)?;
    }
    Ok(name)
}

/// The planted contact is the first one: the answer must not be early by more than the tolerance.
fn check_first(
    case: &Planted,
    first: &First,
    options: &Options,
    toi: f64,
    witness: Option<&Contact>,
) -> Result<(), String> {
    let size = size(case) + case.min_separation;
    let approach = first.approach[0];
    let early = case.time - toi;
    let tolerance = options.delta * options.t_max;
    let rounding = GAP_ROUNDING * size / approach + 1e-14 * options.t_max;
    let Some(contact) = witness else {
        // The accepted box's sub-patches may touch for all that is known, and were that far from
        // the plane.
        let reach: f64 = case.motions.iter().map(|net| reach(net, options)).sum();
        let allowed = BOXES * reach / approach + 4.0 * tolerance + rounding;
        return match early <= allowed {
            true => Ok(()),
            false => Err(format!("early by {early:e}, not {allowed:e}")),
        };
    };
    if early > tolerance + rounding {
        return Err(format!("early by {early:e}"));
    }
    let found_early = case.time - contact.time;
    let rounding = WITNESS_ROUNDING * size;
    if found_early > rounding / approach + 1e-14 * options.t_max {
        return Err(format!("found a contact that is early by {found_early:e}"));
    }
    // Until then the patches went past the plane by no more than this.
    let past = first.approach[1] * (-found_early).max(0.0) + rounding;
    for side in 0..2 {
        let (u, v) = contact.parameters[side];
        let (u0, v0) = case.places[side].parameters();
        let along_v = match contact.shapes[side] {
            Shape::TensorProduct { m: 0, .. } => 0.0,
            _ => v - v0,
        };
        let above = first.rise[side] * ((u - u0).powi(2) + along_v.powi(2));
        if above > past {
            return Err(format!("not at {:?} on side {side}", (u0, v0)));
        }
    }
    Ok(())
}

/// The largest coordinate relative to the middle, at any time in the horizon.
fn size(case: &Planted) -> f64 {
    let points = || case.motions.iter().flat_map(|net| &net.points);
    let low = points().map(|p| p.coords).reduce(|a, b| a.inf(&b));
    let high = points().map(|p| p.coords).reduce(|a, b| a.sup(&b));
    let extent = high.zip(low).map_or(0.0, |(high, low)| (high - low).amax());
    let velocities = case.motions.iter().flat_map(|net| &net.velocities);
    let speed = velocities.map(Vector3::amax).fold(0.0, f64::max);
    extent + speed * case.t_max
}

/// The diameter of a sub-patch as wide in parameters as δ, at any time in the horizon.
fn reach(net: &Net, options: &Options) -> f64 {
    let diameter = |t: f64| {
        let points = || {
            net.points
                .iter()
                .zip(&net.velocities)
                .map(|(p, v)| p.coords + v * t)
        };
        let low = points().reduce(|a, b| a.inf(&b));
        let high = points().reduce(|a, b| a.sup(&b));
        high.zip(low).map_or(0.0, |(high, low)| (high - low).norm())
    };
    let (least, largest) = (net.weights.iter().min(), net.weights.iter().max());
    let ratio = largest
        .zip(least)
        .map_or(1.0, |(a, b)| *a as f64 / *b as f64);
    let degrees = match net.shape {
        Shape::TensorProduct { n, m } => n + m,
        Shape::Triangular { n } => 2 * n,
    };
    let diameter = diameter(0.0).max(diameter(options.t_max));
    options.delta * degrees as f64 * ratio * ratio * diameter
}
