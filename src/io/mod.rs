//! What can be read? Sets of patch pairs and single hard cases (feature `io`).

mod pairs;

pub use pairs::{PairKind, PairReader};

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
}
