//! The test suite: one binary, in rooms by subject.

mod distances;
mod meshes;
mod patches;
