//! The simulator of shells among the examples: its elements against closed forms, and steps of it.

#[path = "../../examples/shell_sim/models.rs"]
#[allow(dead_code)]
mod models;
#[path = "../../examples/shell_sim/shell/mod.rs"]
#[allow(dead_code, unused_imports)]
mod shell;
#[path = "../../examples/shell_sim/simulation/mod.rs"]
#[allow(dead_code, unused_imports)]
mod simulation;

mod bullet;
mod statics;
mod steps;
