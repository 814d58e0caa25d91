//! Bad input is an error that names the argument, the index and the value.

#[allow(dead_code, reason = "shared with other tests")]
#[path = "../common/mod.rs"]
mod common;
#[path = "../shapes/mod.rs"]
mod shapes;
#[allow(dead_code, reason = "shared with other tests")]
#[path = "../simplices/mod.rs"]
mod simplices;

mod linear_queries;
mod motions;
mod options;
mod own_patches;
mod patches;

use kit::PairKind;
use nalgebra::{Point3, Vector3, point, vector};
use patch_ccd::geometry::{AnyPatch, Patch, Shape, TensorProductPatch, TriangularPatch};
use patch_ccd::{Error, Inclusion, Method, Moving, Options, Step, Workspace, time_of_impact};

use common::{greville, patch};
use shapes::{SHAPES, closing, flat};

const NOT_FINITE: [f64; 3] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

/// The control points of a part of the plane z = 0.
fn flat_net(shape: Shape) -> Vec<Point3<f64>> {
    let points = greville(shape).into_iter();
    points.map(|(u, v)| point![u, v, 0.0]).collect()
}

/// NaN does not equal itself, so errors are compared as text.
#[track_caller]
fn assert_error(found: &impl std::fmt::Debug, expected: &Error) {
    assert_eq!(format!("{found:?}"), format!("{expected:?}"));
}
