//! The scenes: what is in them, how long they run, and what must come out.

pub mod bullet;
pub(crate) mod closing;
pub(crate) mod drag;
pub(crate) mod drape;
mod report;
mod table;
