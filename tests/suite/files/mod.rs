//! Files of geometry: each format's order of control points, round trips, errors that say where,
//! and what viewers are given. Files that are cut, garbled or huge are in the hostile room.

use nalgebra::point;
use patch_ccd::geometry::{AnyPatch, Patch, Shape};
use patch_ccd::io::{BptOrder, BvGroup, ReadError, WriteError, read_bpt, read_bv, write_bv};

mod bezier_view;
mod bpt;
mod obj;
mod teapot;
mod viewers;

pub(crate) const KINDS: &str = include_str!("../../../data/geometry/kinds.bv");
pub(crate) const ASYMMETRIC: &str = include_str!("../../../data/geometry/asymmetric.bpt");
const TEAPOT: &str = include_str!("../../../data/geometry/teapot.bpt");

pub(crate) fn bv(text: impl AsRef<[u8]>) -> Result<Vec<BvGroup>, ReadError> {
    read_bv(text.as_ref(), "a.bv")
}

pub(crate) fn bpt(text: impl AsRef<[u8]>) -> Result<Vec<AnyPatch>, ReadError> {
    read_bpt(text.as_ref(), "a.bpt", BptOrder::default())
}

pub(crate) fn written(groups: &[BvGroup]) -> Result<Vec<u8>, WriteError> {
    let mut text = Vec::new();
    write_bv(&mut text, groups).map(|()| text)
}

/// A group without a name.
fn unnamed(patches: Vec<AnyPatch>) -> [BvGroup; 1] {
    [BvGroup {
        patches,
        ..BvGroup::default()
    }]
}

/// Checks a table of texts, in which \r and \n stand for ends of lines, each with the place and the
/// words of its error.
#[track_caller]
fn assert_errors<T: std::fmt::Debug>(
    table: &str,
    file: &str,
    read: impl Fn(String) -> Result<T, ReadError>,
) {
    for row in table.lines().filter(|row| !row.is_empty()) {
        let columns: Vec<_> = row.split(" | ").collect();
        let [text, place, problem] = columns[..] else {
            panic!("{row}");
        };
        let text = text.replace("\\r", "\r").replace("\\n", "\n");
        let (line, column) = place.split_once(':').expect("line:column");
        let expected = format!("{file}, line {line}, column {column}: {problem}");
        assert_eq!(read(text).unwrap_err().to_string(), expected);
    }
}

/// (2 u, 3 v, 8 · 2 u (1 − u) · 3 v² (1 − v)): only control point (1, 2) of degree (2, 3) leaves
/// the plane.
fn assert_asymmetric(patch: &AnyPatch) {
    assert_eq!(patch.shape(), Shape::TensorProduct { n: 2, m: 3 });
    assert_eq!(patch.eval(1.0, 0.0), point![2.0, 0.0, 0.0]);
    assert_eq!(patch.eval(0.5, 0.5), point![1.0, 1.5, 1.5]);
    assert_eq!(patch.eval(0.25, 0.5), point![0.5, 1.5, 1.125]);
    assert_eq!(patch.eval(0.5, 0.25), point![1.0, 0.75, 0.5625]);
}
