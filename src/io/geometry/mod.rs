//! What of a scene can be exchanged with other programs? Patches are read from BezierView's and
//! Newell's formats, and meshes, Bézier cells and contacts are written for viewers.
//!
//! Readers keep every coordinate as it is in the file. Writers give each number as many digits as
//! it takes to read the same double again. Formats differ in the order of control points and in how
//! they write weights, so each file here says what its format does. On this side everything is in
//! the order of [`Shape`](crate::geometry::Shape), with Euclidean points.

mod bezier_view;
mod bpt;
mod obj;
mod vtu;

pub use bezier_view::{BvGroup, read_bv, write_bv};
pub use bpt::{BptOrder, read_bpt};
pub use obj::{MAX_RESOLUTION, write_contacts_obj, write_obj};
pub use vtu::{write_contacts_vtu, write_vtu};

use crate::Error;
use crate::geometry::{Patch, check_count, check_finite, check_weights};

/// The reason why patches could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The file could not be written to.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The format does not have this kind of patch.
    #[error("patch {patch}: the format has no {kind}")]
    Unsupported {
        /// The number of the patch, from 0, counted through all groups.
        patch: usize,
        /// The kind of patch, in words.
        kind: String,
    },
    /// A control point times its weight leaves the range of doubles.
    #[error(
        "patch {patch}, control point {index}: \
         times its weight {weight:?} it leaves the range of doubles"
    )]
    Overflow {
        /// The number of the patch, from 0, counted through all groups.
        patch: usize,
        /// Index in the order of the control points.
        index: usize,
        /// The weight.
        weight: f64,
    },
    /// The name of a group is not one word, or it begins like a comment. Only the first group may
    /// have an empty name.
    #[error("group {group}: its name can't be {name:?}, only one word that does not begin with #")]
    GroupName {
        /// Number of the group, from 0.
        group: usize,
        /// The name.
        name: String,
    },
    /// A patch of a kind that is not from this crate has a wrong number of points or weights, or
    /// some that are not finite.
    #[error("patch {patch}: {source}")]
    Patch {
        /// Number of the patch, from 0.
        patch: usize,
        /// What is wrong.
        source: Error,
    },
    /// The resolution is out of range.
    #[error("the resolution is {value}, but must be from 1 to {MAX_RESOLUTION}")]
    Resolution {
        /// The resolution given.
        value: usize,
    },
}

/// Refuses a patch that does not keep what [`Patch`] promises.
fn check(number: usize, patch: &impl Patch) -> Result<(), WriteError> {
    let shape = patch.shape();
    let points = patch.control_points();
    let result = shape.check_degrees().and_then(|()| {
        check_count("control points", &shape, shape.count(), points.len())?;
        check_finite("control point", points.iter().map(|p| &p.coords))?;
        patch
            .weights()
            .map_or(Ok(()), |weights| check_weights(shape, weights))
    });
    result.map_err(|source| WriteError::Patch {
        patch: number,
        source,
    })
}
