//! The test suite, in rooms by subject. What several of them share is in the kit (`tests/kit`).

mod files;
mod geometry;
mod hostile;
