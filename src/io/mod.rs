//! What can be read and written? Sets of patch pairs, sets of linear queries, single hard cases and geometry (feature `io`).
//!
//! [`PairReader`] reads raw sets of random pairs, [`Wang2021Reader`] edge–edge and vertex–face queries with their exact
//! answers, [`Case`] one case of JSON with the answer that is [`Expect`]ed. [`read_bv`] and [`read_bpt`] read patches of
//! modelling programs; [`write_bv`], [`write_obj`] and [`write_vtu`] hand patches to viewers, [`write_contacts_obj`] and
//! [`write_contacts_vtu`] contacts.
//! Reading and solving are separate: a file that can't be read is a [`ReadError`], a case that can't be solved,
//! because of a control point that is NaN, say, a [`CaseError`], and may be just what the file expects.

mod case;
mod expect;
mod geometry;
mod json;
mod nurbs_data;
mod pairs;
mod patch_data;
mod query;
mod wang2021;
mod words;

pub use case::{Case, CaseError, CaseKind};
pub use expect::{Collides, Expect};
pub use geometry::{
    BptOrder, BvGroup, MAX_RESOLUTION, WriteError, read_bpt, read_bv, write_bv, write_contacts_obj,
    write_contacts_vtu, write_obj, write_vtu,
};
pub use nurbs_data::NurbsData;
pub use pairs::{PairKind, PairReader};
pub use patch_data::PatchData;
pub use query::CaseQuery;
pub use wang2021::{RowProblem, Wang2021Query, Wang2021Reader};
pub use words::TextProblem;

use crate::Error;

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file could not be read at all.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The file ends inside a case.
    #[error("case {case}: {expected} bytes expected, but the file ends after {found}")]
    Truncated {
        /// Number of the case, from 0.
        case: usize,
        /// Bytes a case takes.
        expected: usize,
        /// Bytes there were.
        found: usize,
    },
    /// A case holds something that is not a moving patch.
    #[error("case {case}, patch {patch}: {source}")]
    Case {
        /// Number of the case, from 0.
        case: usize,
        /// 1 or 2.
        patch: usize,
        /// What is wrong.
        source: Error,
    },
    /// A row of a text file is not what it should be.
    #[error("{file}, line {line}, column {column}: {problem}")]
    Row {
        /// The name given to the reader.
        file: String,
        /// Number of the line, from 1.
        line: u64,
        /// Number of the column, from 1.
        column: usize,
        /// What is wrong.
        problem: RowProblem,
    },
    /// A text file of geometry is not what it should be.
    #[error("{file}, line {line}, column {column}: {problem}")]
    Text {
        /// The name given to the reader.
        file: String,
        /// Number of the line, from 1.
        line: u64,
        /// Number of the column, from 1, in bytes.
        column: usize,
        /// What is wrong.
        problem: TextProblem,
    },
    /// The text is not JSON.
    #[error("not JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// A field that must be there is not.
    #[error("field {field} is missing")]
    Missing {
        /// The field, with the fields around it: `query.p1`.
        field: String,
    },
    /// A field holds something else than it should.
    #[error("field {field}: {expected} expected, but it is {found}")]
    Field {
        /// The field, with the fields around it: `query.p1[3][0]`.
        field: String,
        /// What belongs there, in words.
        expected: &'static str,
        /// The JSON found, cut short where it is long.
        found: String,
    },
}
