//! Edges, vertices and faces: known answers, degenerate input, contacts, budgets and batches, and
//! hard queries of all sorts against the exact oracle.

mod answers;
mod degenerate;
mod oracle;
mod separation;

use kit::engines;
use kit::simplices::Query;
pub(crate) use oracle::found;
use patch_ccd::{Method, Options, Outcome};

/// Solves with every engine: an impact at that time, not later, and not earlier than the tolerance
/// explains.
#[track_caller]
fn assert_impact(name: &str, query: &Query, expected: f64) {
    for mut options in engines(&Options::default()) {
        if options.method == Method::Traditional {
            options.delta = 1e-2;
        }
        let delta = options.delta;
        let outcome = query.solve(&options);
        let Outcome::Impact { toi, contact, .. } = outcome else {
            panic!("{name}, {options:?}: {outcome:?}");
        };
        let early = expected - toi;
        assert!(
            (0.0..=4.0 * delta).contains(&early),
            "{name}, {options:?}: {toi:?} instead of {expected:?}"
        );
        assert!(contact.residual <= 10.0 * delta, "{name}: {outcome:?}");
    }
}

#[track_caller]
fn assert_contact_at_start(name: &str, query: &Query, options: &Options) {
    for options in engines(options) {
        let outcome = query.solve(&options);
        let is_right = matches!(outcome, Outcome::ContactAtStart { .. });
        assert!(is_right, "{name}, {options:?}: {outcome:?}");
    }
}

#[track_caller]
fn assert_clear(name: &str, query: &Query, options: &Options) {
    for options in engines(options) {
        let outcome = query.solve(&options);
        let is_right = matches!(outcome, Outcome::Clear { .. });
        assert!(is_right, "{name}, {options:?}: {outcome:?}");
    }
}
