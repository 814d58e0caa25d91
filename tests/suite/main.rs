//! The test suite: one binary, in rooms by subject.

mod meshes;
mod patches;
