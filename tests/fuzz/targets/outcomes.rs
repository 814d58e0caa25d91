//! What can be said of errors, and of contacts that a local solve found.

use std::fmt::Display;

use patch_ccd::{Contact, Inclusion, Method, Options, Outcome};

/// Errors say what is wrong, and not at length.
#[track_caller]
pub(crate) fn assert_clear_message(error: &impl Display) {
    let message = error.to_string();
    assert!((8..1000).contains(&message.len()), "{message}");
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
