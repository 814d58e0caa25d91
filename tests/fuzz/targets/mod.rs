//! What can be done with arbitrary bytes: every reader, and everything that is computed, each as
//! one function that panics where something is wrong.
//!
//! `cargo test` calls them with random bytes (`../../suite/hostile/fuzz.rs`), `cargo fuzz` with
//! those that reach new code (`../Cargo.toml`).

mod distances;
mod envelopes;
mod files;
mod input;
mod meshes;
mod outcomes;
mod patches;
mod queries;
mod readers;
mod splines;

pub use distances::{distances, mesh_distances};
pub use envelopes::envelopes;
pub use meshes::mesh_queries;
pub use patches::patches;
pub use queries::{linear_queries, patch_queries};
pub use readers::{read_bpt_file, read_bv_file, read_case, read_pairs, read_wang2021};
pub use splines::splines;
