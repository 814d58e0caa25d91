//! The test suite, in rooms by subject. What several of them share is in the kit (`tests/kit`).

mod datasets;
mod distances;
mod exact;
mod files;
mod geometry;
mod hostile;
mod linear;
mod meshes;
mod motion;
mod patches;
mod planted;
