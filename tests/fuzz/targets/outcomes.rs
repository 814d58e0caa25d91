//! What can be said of any outcome.

use std::fmt::Display;

use patch_ccd::geometry::Shape;
use patch_ccd::{Contact, Inclusion, Method, Options, Outcome};

/// Errors say what is wrong, and not at length.
#[track_caller]
pub(crate) fn assert_clear_message(error: &impl Display) {
    let message = error.to_string();
    assert!((8..1000).contains(&message.len()), "{message}");
}

/// Looks at every number of an outcome.
#[track_caller]
pub(crate) fn assert_sane(outcome: &Outcome, options: &Options) {
    let t_max = options.t_max;
    if let Some(toi) = outcome.toi() {
        assert!((0.0..=t_max).contains(&toi), "{outcome:?}");
    }
    if let Outcome::Impact {
        toi,
        toi_upper,
        contact,
        ..
    } = *outcome
    {
        assert!((toi..=t_max).contains(&toi_upper), "{outcome:?}");
        assert!(
            contact.time == toi || contact.time == toi_upper,
            "{outcome:?}"
        );
        assert!(toi > 0.0 || !options.no_zero_toi, "{outcome:?}");
    }
    if let Outcome::ContactAtStart { contact, .. } = outcome {
        assert_eq!(contact.time, 0.0, "{outcome:?}");
    }
    if let Some(contact) = outcome.contact() {
        contact_is_sane(contact);
    }
    let counters = outcome.counters();
    assert!(counters.boxes <= options.max_boxes, "{outcome:?}");
}

fn contact_is_sane(contact: &Contact) {
    for (shape, (u, v)) in contact.shapes.iter().zip(contact.parameters) {
        let unit = 0.0..=1.0;
        assert!(unit.contains(&u) && unit.contains(&v), "{contact:?}");
        match *shape {
            Shape::Triangular { .. } => assert!(u + v <= 1.0 + 1e-15, "{contact:?}"),
            Shape::TensorProduct { n, m } => {
                assert!(n > 0 || u == 0.0, "{contact:?}");
                assert!(m > 0 || v == 0.0, "{contact:?}");
            }
        }
    }
    let mut coordinates = contact.points.iter().flat_map(|point| point.iter());
    assert!(coordinates.all(|x| !x.is_nan()), "{contact:?}");
    for normal in contact.normals.into_iter().flatten() {
        assert!((normal.norm() - 1.0).abs() < 1e-12, "{contact:?}");
    }
    // NaN is not ≥ 0.
    assert!(contact.residual >= 0.0, "{contact:?}");
}

/// The contact that a local solve found, if the outcome tells of one.
pub(crate) fn witness<'a>(outcome: &'a Outcome, options: &Options) -> Option<&'a Contact> {
    match outcome {
        Outcome::Impact {
            toi,
            toi_upper,
            contact,
            ..
        } if options.method == Method::TwoSided
            && contact.time == *toi_upper
            && toi < toi_upper =>
        {
            Some(contact)
        }
        _ => None,
    }
}

/// The distance of a contact's points, as the inclusion measures it.
pub(crate) fn distance(contact: &Contact, inclusion: Inclusion) -> f64 {
    match inclusion {
        Inclusion::Obb => contact.residual,
        Inclusion::Aabb => (contact.points[0] - contact.points[1]).amax(),
    }
}

/// There is a contact at `time`, so no outcome says that it is later.
#[track_caller]
pub(crate) fn assert_not_later(outcome: &Outcome, time: f64) {
    assert!(
        outcome.toi().is_some_and(|toi| toi <= time),
        "there is a contact at {time:?}, but {outcome:?}"
    );
}
