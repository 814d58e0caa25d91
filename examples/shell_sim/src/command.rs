//! The command line.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::run::Arguments;
use crate::scenes;

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

/// Runs the scene that the command line asks for.
pub fn main() -> ExitCode {
    let command = Command::parse();
    support::exit(match command.scene {
        Scene::Drape { arguments, patches } => scenes::drape::scene(&arguments, patches.into()),
        Scene::Drag { arguments, patches } => scenes::drag::scene(&arguments, patches.into()),
        Scene::Bullet { arguments, shots } => scenes::bullet::scene(&arguments, shots.into()),
        Scene::Closing { arguments } => scenes::closing::scene(&arguments),
    })
}
