//! Whatever bytes come in, nothing panics, and what comes out is right as far as it can be told:
//! every reader and everything that is computed, for random bytes.
//!
//! The same functions serve `cargo fuzz` (`tests/fuzz`), which looks for bytes that reach new code,
//! on a stable compiler too:
//!
//! ```sh
//! cargo install cargo-fuzz
//! cargo fuzz run --fuzz-dir tests/fuzz --sanitizer none patch_queries -- \
//!     -len_control=0 -max_total_time=600
//! ```
//!
//! (`-len_control=0`: with long inputs from the start, as a query takes some hundred bytes.
//! `--no-trace-compares` makes everything but the readers more than twice as fast.)

#[path = "../../fuzz/targets/mod.rs"]
#[allow(unreachable_pub, reason = "a library of its own for cargo fuzz")]
mod targets;

use proptest::prelude::*;

/// A test for each target, of so many inputs.
macro_rules! random_bytes {
    ($($target:ident: $cases:literal,)+) => {
        $(
            #[test]
            fn $target() {
                let bytes = prop::collection::vec(any::<u8>(), 0..400);
                proptest!(ProptestConfig::with_cases($cases), |(bytes in bytes)| {
                    targets::$target(&bytes);
                });
            }
        )+
    };
}

random_bytes! {
    distances: 500,
    envelopes: 1000,
    linear_queries: 1000,
    mesh_distances: 300,
    mesh_queries: 200,
    patch_queries: 200,
    patches: 1000,
    read_bpt_file: 1000,
    read_bv_file: 1000,
    read_case: 1000,
    read_pairs: 1000,
    read_wang2021: 1000,
    splines: 1000,
}
