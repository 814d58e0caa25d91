//! Edges, vertices and faces with known answers: degenerate input, contacts, budgets and batches.

#[allow(dead_code, reason = "shared with other tests")]
#[path = "../common/mod.rs"]
mod common;
#[allow(dead_code, reason = "shared with other tests")]
#[path = "../simplices/mod.rs"]
mod simplices;

mod answers;
mod degenerate;

use common::ENGINES;
use nalgebra::{Point3, Vector3, point, vector};
use patch_ccd::{
    Error, Inclusion, Method, Options, Outcome, Step, Workspace, edge_edge, edge_edge_batch,
    vertex_edge, vertex_edge_batch, vertex_face, vertex_face_batch, vertex_vertex,
    vertex_vertex_batch,
};

use simplices::Query::{self, EdgeEdge, VertexEdge, VertexFace, VertexVertex};
use simplices::{ORIGIN, moving};

/// Solves with every engine: an impact at that time, not later, and not earlier than the tolerance explains.
#[track_caller]
fn assert_impact(name: &str, query: &Query, expected: f64) {
    for (method, inclusion) in ENGINES {
        let delta = match method {
            Method::TwoSided | Method::TimeDependent => 1e-6,
            Method::Traditional => 1e-2,
        };
        let options = Options {
            method,
            inclusion,
            delta,
            ..Options::default()
        };
        let outcome = query.solve(&options);
        let Outcome::Impact { toi, contact, .. } = outcome else {
            panic!("{name}, {method} {inclusion}: {outcome:?}");
        };
        let early = expected - toi;
        assert!(
            (0.0..=4.0 * delta).contains(&early),
            "{name}, {method} {inclusion}: {toi:?} instead of {expected:?}"
        );
        assert!(contact.residual <= 10.0 * delta, "{name}: {outcome:?}");
    }
}

#[track_caller]
fn assert_all(
    name: &str,
    query: &Query,
    options: &Options,
    expected: &str,
    is_right: impl Fn(&Outcome) -> bool,
) {
    for (method, inclusion) in ENGINES {
        let outcome = query.solve(&Options {
            method,
            inclusion,
            ..*options
        });
        assert!(
            is_right(&outcome),
            "{name}, {method} {inclusion}: {outcome:?} instead of {expected}"
        );
    }
}

#[track_caller]
fn assert_contact_at_start(name: &str, query: &Query, options: &Options) {
    assert_all(name, query, options, "contact at the start", |outcome| {
        matches!(outcome, Outcome::ContactAtStart { .. })
    });
}

#[track_caller]
fn assert_clear(name: &str, query: &Query, options: &Options) {
    assert_all(name, query, options, "clear", |outcome| {
        matches!(outcome, Outcome::Clear { .. })
    });
}
