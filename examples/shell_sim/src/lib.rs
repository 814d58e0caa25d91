//! A simulator of thin shells whose collisions are found on the true, curved surfaces.
//!
//! The sheet is made of C¹ bicubic Hermite elements ([`shell`]), steps are implicit
//! ([`simulation`]), every step goes through [`patch_ccd::mesh`] and is checked anew where it ends.
//! What can be run is in `README.md`, beside this package's manifest.

#![allow(
    missing_docs,
    clippy::missing_errors_doc,
    reason = "read by its program and its tests only"
)]

pub mod command;
pub mod models;
mod output;
mod run;
pub mod scenes;
pub mod shell;
pub mod simulation;
