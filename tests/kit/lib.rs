//! What the test suite, the examples and the benches share.

use std::path::{Path, PathBuf};

/// A path within `data/`.
pub fn data(path: impl AsRef<Path>) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../data")
        .join(path)
}
