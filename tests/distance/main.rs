//! Closest points and distances, each held against a truth of its own.

mod closed_form;
#[allow(dead_code, reason = "shared with other tests")]
#[path = "../common/mod.rs"]
mod common;
mod meshes;
mod sampled;
mod scenes;
