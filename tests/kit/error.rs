//! What can be wrong with a file.

use crate::RowProblem;

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file could not be read at all.
    #[error(transparent)]
    Io(#[from] std::io::Error),
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
    /// The text is not JSON.
    #[error("not JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// A field holds something else than it should, or lacks a field.
    #[error("field {field}: {problem}")]
    Field {
        /// The field, with the fields around it: `query.p1[3][0]`.
        field: String,
        /// What belongs there and what was found, in words, cut short where it is long.
        problem: String,
    },
}
