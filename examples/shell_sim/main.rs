//! A simulator of thin shells whose collisions are found on the true, curved surfaces.
//!
//! ```text
//! cargo run --release --example shell_sim -- drape --out out/drape
//! cargo run --release --example shell_sim -- drag --out out/drag
//! cargo run --release --example shell_sim -- bullet --out out/bullet      # some minutes; --shots 20 for fewer shots
//! cargo run --release --example shell_sim -- closing --out out/closing
//! ```
//!
//! The sheet is made of C¹ bicubic Hermite elements (`shell/`), steps are implicit (`simulation/`),
//! every step goes through [`patch_ccd::mesh`] and is checked anew where it ends. With `--out`
//! there are pictures, plots, tables, sequences for ParaView and Blender, and one page with all of
//! it. Exits with 1 when a check fails.

mod models;
mod output;
mod run;
mod scenes;
mod shell;
mod simulation;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use run::Arguments;

#[derive(Parser)]
#[command(about = "Simulate thin shells, with collisions on their true surfaces")]
struct Command {
    #[command(subcommand)]
    scene: Scene,
}

#[derive(Subcommand)]
enum Scene {
    /// A cloth falls on the Utah teapot
    Drape {
        #[command(flatten)]
        arguments: Arguments,
        /// Patches along each side of the cloth
        #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..=64))]
        patches: u16,
    },
    /// A cloth pinned at one corner is dragged by the opposite one over a torus
    Drag {
        #[command(flatten)]
        arguments: Arguments,
        /// Patches along each side of the cloth
        #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=64))]
        patches: u16,
    },
    /// A small fast ball is shot at a thin sheet in long steps
    Bullet {
        #[command(flatten)]
        arguments: Arguments,
        /// Random shots for each length of a step
        #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u16).range(1..))]
        shots: u16,
    },
    /// Two sheets meet at rising speed: what collision detection takes by method
    Closing {
        #[command(flatten)]
        arguments: Arguments,
    },
}

fn main() -> ExitCode {
    let command = Command::parse();
    support::exit(match command.scene {
        Scene::Drape { arguments, patches } => scenes::drape::scene(&arguments, patches.into()),
        Scene::Drag { arguments, patches } => scenes::drag::scene(&arguments, patches.into()),
        Scene::Bullet { arguments, shots } => scenes::bullet::scene(&arguments, shots.into()),
        Scene::Closing { arguments } => scenes::closing::scene(&arguments),
    })
}
