//! Files of geometry: each format's order of control points, round trips, errors that say where; and hostile files of all formats.

use patch_ccd::geometry::AnyPatch;
use patch_ccd::io::{BptOrder, BvGroup, ReadError, WriteError, read_bpt, read_bv, write_bv};

mod any;
mod hostile;

const KINDS: &str = include_str!("../../data/geometry/kinds.bv");
const ASYMMETRIC: &str = include_str!("../../data/geometry/asymmetric.bpt");

fn bv(text: impl AsRef<[u8]>) -> Result<Vec<BvGroup>, ReadError> {
    read_bv(text.as_ref(), "a.bv")
}

fn bpt(text: impl AsRef<[u8]>) -> Result<Vec<AnyPatch>, ReadError> {
    read_bpt(text.as_ref(), "a.bpt", BptOrder::default())
}

fn written(groups: &[BvGroup]) -> Result<Vec<u8>, WriteError> {
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
