//! What the answer to a linear query must be, by the exact oracle.

use nalgebra::{Point3, Vector3};
use patch_ccd::{Options, Outcome, Step};
use proptest::prelude::*;

use crate::simplices::Kind;
use crate::steps::oracle;

/// Checks what an answer must be at least: never late, never clear where there is contact; and where it names a contact, there
/// the two are close. Returns it, and whether there is contact within the horizon.
pub(crate) fn check(
    kind: Kind,
    step: &Step<4>,
    options: &Options,
) -> Result<(Outcome, bool), TestCaseError> {
    let exact = oracle(&kind.query(step));
    let outcome = kind.query(step).solve(options);
    prop_assert!(outcome.counters().boxes <= options.max_boxes, "{outcome:?}");
    let first = exact.first_contact();
    let first = first.filter(|first| first.clone().compare(options.t_max).is_le());
    let meets = first.is_some();
    if let Some(mut first) = first {
        let never_later = outcome.toi().is_some_and(|toi| first.compare(toi).is_ge());
        prop_assert!(
            never_later,
            "first contact at {:?}: {outcome:?}",
            first.bracket()
        );
    }
    let near = resolution(step, options);
    if let Outcome::ContactAtStart { .. } = outcome {
        prop_assert!(exact.starts_within(near), "{outcome:?}");
    }
    check_contact(kind, step, &outcome, near)?;
    Ok((outcome, meets))
}

/// The distance at which two simplices may count as in contact: the boxes compared are smaller than δ times the
/// simplices and the way they go, and their gap must exceed the bound on its rounding errors.
pub(crate) fn resolution(step: &Step<4>, options: &Options) -> f64 {
    let points = || step.iter().flatten();
    let largest = points().map(|p| p.coords.amax()).fold(0.0, f64::max);
    let distances = step.iter().flat_map(|points| {
        let others = |p: &Point3<f64>| points.map(|q| (p - q).amax());
        points.iter().flat_map(others).collect::<Vec<_>>()
    });
    let size = distances.fold(0.0, f64::max);
    options.min_separation + 8.0 * options.delta * size + 1e-13 * largest + f64::MIN_POSITIVE
}

/// The contact of an outcome is one of points of the two simplices that are near each other.
pub(crate) fn check_contact(
    kind: Kind,
    [start, end]: &Step<4>,
    outcome: &Outcome,
    near: f64,
) -> Result<(), TestCaseError> {
    let Some(contact) = outcome.contact() else {
        return Ok(());
    };
    prop_assert!(contact.residual <= near, "{outcome:?} beyond {near:e}");
    let [start, end] = [kind.simplices(start), kind.simplices(end)];
    for side in 0..2 {
        let (u, v) = contact.parameters[side];
        let weights = [1.0 - u - v, u, v];
        prop_assert!(
            weights.iter().all(|w| (0.0..=1.0).contains(w)),
            "{outcome:?}"
        );
        let mut point = Vector3::zeros();
        let mut largest = f64::MIN_POSITIVE;
        let motions = start[side].iter().zip(end[side]);
        for (weight, (from, to)) in weights.into_iter().zip(motions) {
            point += weight * (from.coords + contact.time * (to - from));
            largest = largest.max(from.coords.amax()).max(to.coords.amax());
        }
        let error = (contact.points[side].coords - point).amax();
        prop_assert!(
            error <= 1e-14 * largest,
            "side {side} is not at {point}: {outcome:?}"
        );
    }
    for normal in contact.normals.into_iter().flatten() {
        prop_assert!((normal.norm() - 1.0).abs() < 1e-12, "{outcome:?}");
    }
    Ok(())
}
