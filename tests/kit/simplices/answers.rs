//! What the answer to a linear query must be, by the exact oracle.

use nalgebra::{Point3, Vector3};
use patch_ccd::{Options, Outcome, Step};

use super::Kind;

/// Solves a query, and returns its outcome and whether there is contact within the horizon.
///
/// # Panics
/// If the answer is less than it must be at least: never late, never clear where there is contact;
/// and where it names a contact, the two are close there.
#[track_caller]
pub fn check(kind: Kind, step: &Step<4>, options: &Options) -> (Outcome, bool) {
    let query = kind.query(step);
    let outcome = query.solve(options);
    let told = || format!("{query:?}\n{options:?}\n{outcome:?}");
    assert!(outcome.counters().boxes <= options.max_boxes, "{}", told());
    let exact = query.oracle();
    let first = exact.first_contact();
    let first = first.filter(|first| first.clone().compare(options.t_max).is_le());
    let meets = first.is_some();
    if let Some(mut first) = first {
        let never_later = outcome.toi().is_some_and(|toi| first.compare(toi).is_ge());
        let [at, _] = first.bracket();
        assert!(never_later, "first contact at {at}: {}", told());
    }
    let near = resolution(step, options);
    if let Outcome::ContactAtStart { .. } = outcome {
        assert!(exact.starts_within(near), "apart: {}", told());
    }
    check_contact(kind, step, &outcome, near);
    (outcome, meets)
}

/// The distance at which two simplices may count as in contact: the boxes compared are smaller than
/// δ times the simplices and the way they go, and their gap must exceed the bound on its rounding
/// errors.
pub fn resolution(step: &Step<4>, options: &Options) -> f64 {
    let points = || step.iter().flatten();
    let largest = points().map(|p| p.coords.amax()).fold(0.0, f64::max);
    let distances = step.iter().flat_map(|points| {
        let others = |p: &Point3<f64>| points.map(|q| (p - q).amax());
        points.iter().flat_map(others).collect::<Vec<_>>()
    });
    let size = distances.fold(0.0, f64::max);
    options.min_separation + 8.0 * options.delta * size + 1e-13 * largest + f64::MIN_POSITIVE
}

/// Looks at the contact of an outcome, if it has one.
///
/// # Panics
/// If it is not one of points of the two simplices that are as near each other as this.
#[track_caller]
pub fn check_contact(kind: Kind, [start, end]: &Step<4>, outcome: &Outcome, near: f64) {
    let Some(contact) = outcome.contact() else {
        return;
    };
    let told = || format!("{kind:?}, {start:?} to {end:?}: {outcome:?}");
    assert!(contact.residual <= near, "beyond {near:e}: {}", told());
    let [start, end] = [kind.simplices(start), kind.simplices(end)];
    for side in 0..2 {
        let (u, v) = contact.parameters[side];
        let weights = [1.0 - u - v, u, v];
        let is_inside = weights.iter().all(|w| (0.0..=1.0).contains(w));
        assert!(is_inside, "outside: {}", told());
        let mut point = Vector3::zeros();
        let mut largest = f64::MIN_POSITIVE;
        let motions = start[side].iter().zip(end[side]);
        for (weight, (from, to)) in weights.into_iter().zip(motions) {
            point += weight * (from.coords + contact.time * (to - from));
            largest = largest.max(from.coords.amax()).max(to.coords.amax());
        }
        let error = (contact.points[side].coords - point).amax();
        assert!(error <= 1e-14 * largest, "not at {point}: {}", told());
    }
    for normal in contact.normals.into_iter().flatten() {
        assert!((normal.norm() - 1.0).abs() < 1e-12, "{}", told());
    }
}
