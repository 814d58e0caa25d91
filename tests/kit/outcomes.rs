//! What must hold of every answer, whatever was asked.

use patch_ccd::geometry::Shape;
use patch_ccd::{Contact, Distance, DistanceOptions, Options, Outcome};

/// Looks at every number of an outcome.
///
/// # Panics
/// Where one is out of its range, or not a number.
#[track_caller]
pub fn check_outcome(outcome: &Outcome, options: &Options) {
    let t_max = options.t_max;
    if let Some(toi) = outcome.toi() {
        assert!((0.0..=t_max).contains(&toi), "{outcome:?}");
    }
    match *outcome {
        Outcome::Impact {
            toi,
            toi_upper,
            contact,
            ..
        } => {
            assert!((toi..=t_max).contains(&toi_upper), "{outcome:?}");
            assert!([toi, toi_upper].contains(&contact.time), "{outcome:?}");
            assert!(toi > 0.0 || !options.no_zero_toi, "{outcome:?}");
        }
        Outcome::ContactAtStart { contact, .. } => assert_eq!(contact.time, 0.0, "{outcome:?}"),
        _ => {}
    }
    if let Some(contact) = outcome.contact() {
        check_contact(contact);
    }
    let counters = outcome.counters();
    // The search, the distance at the start, and the search with a smaller separation.
    let budgets = options.shrink_separation.map_or(1, |_| 3);
    assert!(counters.boxes <= budgets * options.max_boxes, "{outcome:?}");
}

#[track_caller]
fn check_contact(contact: &Contact) {
    for (&shape, parameters) in contact.shapes.iter().zip(contact.parameters) {
        assert!(is_inside(shape, parameters), "{contact:?}");
    }
    let mut coordinates = contact.points.iter().flat_map(|point| point.iter());
    assert!(coordinates.all(|x| !x.is_nan()), "{contact:?}");
    for normal in contact.normals.into_iter().flatten() {
        assert!((normal.norm() - 1.0).abs() < 1e-12, "{contact:?}");
    }
    // NaN is not ≥ 0.
    assert!(contact.residual >= 0.0, "{contact:?}");
}

/// Whether parameters are in the domain of a shape, to a rounding.
pub fn is_inside(shape: Shape, (u, v): (f64, f64)) -> bool {
    let unit = 0.0..=1.0;
    let within = match shape {
        Shape::Triangular { .. } => u + v <= 1.0 + 1e-15,
        Shape::TensorProduct { n, m } => (n > 0 || u == 0.0) && (m > 0 || v == 0.0),
    };
    unit.contains(&u) && unit.contains(&v) && within
}

/// There is a contact at `time`, so no outcome says that it is later.
///
/// # Panics
/// Where the outcome does.
#[track_caller]
pub fn assert_not_later(outcome: &Outcome, time: f64) {
    assert!(
        outcome.toi().is_some_and(|toi| toi <= time),
        "there is a contact at {time:?}, but {outcome:?}"
    );
}

/// Bounds are in order, and what was found is a pair of points of the two shapes.
///
/// # Panics
/// Where they are not.
#[track_caller]
pub fn check_distance(distance: &Distance, options: &DistanceOptions) {
    let lower = distance.lower();
    assert!((0.0..=f64::MAX).contains(&lower), "{distance:?}");
    let boxes = distance.counters().boxes;
    assert!(boxes <= options.max_boxes, "{distance:?}");
    let Some(closest) = distance.closest() else {
        assert!(lower >= options.max_distance, "{distance:?}");
        return;
    };
    let apart = closest.distance;
    assert!((lower..=f64::MAX).contains(&apart), "{distance:?}");
    for (&shape, (u, v)) in closest.shapes.iter().zip(closest.parameters) {
        assert!(is_inside(shape, (u, v)), "{distance:?}");
        if let Shape::Triangular { .. } = shape {
            assert!(1.0 - u - v >= 0.0, "{distance:?}");
        }
    }
    let mut coordinates = closest.points.iter().flat_map(|point| point.iter());
    assert!(coordinates.all(|x| x.is_finite()), "{distance:?}");
    let normals = closest.normals.into_iter().chain([closest.direction]);
    for normal in normals.flatten() {
        assert!((normal.norm() - 1.0).abs() < 1e-12, "{distance:?}");
    }
}
