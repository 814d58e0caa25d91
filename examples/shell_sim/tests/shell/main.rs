//! The simulator of shells: its elements against closed forms, and steps of it.

mod bullet;
mod statics;
mod steps;
