//! The test suite, in rooms by subject. What several of them share is in the kit (`tests/kit`).

mod datasets;
mod exact;
mod linear;
mod planted;
