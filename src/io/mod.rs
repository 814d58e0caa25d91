//! What can be read and written? Geometry (feature `io`).
//!
//! [`read_bv`] and [`read_bpt`] read patches of modelling programs; [`write_bv`], [`write_obj`] and
//! [`write_vtu`] hand patches to viewers, [`write_contacts_obj`] and [`write_contacts_vtu`]
//! contacts. A file that can't be read is a [`ReadError`].

mod geometry;
mod words;

pub use geometry::{
    BptOrder, BvGroup, MAX_RESOLUTION, WriteError, read_bpt, read_bv, write_bv, write_contacts_obj,
    write_contacts_vtu, write_obj, write_vtu,
};
pub use words::TextProblem;

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file could not be read at all.
    #[error(transparent)]
    Io(#[from] std::io::Error),
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
}
