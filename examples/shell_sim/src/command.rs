//! The command line.

use std::process::ExitCode;

use bpaf::{Parser, construct};
use support::arguments::{self, number};

use crate::run::Arguments;
use crate::scenes;

enum Scene {
    Drape { arguments: Arguments, patches: u16 },
    Drag { arguments: Arguments, patches: u16 },
    Bullet { arguments: Arguments, shots: u16 },
    Closing { arguments: Arguments },
}

/// Runs the scene that the command line asks for.
pub fn main() -> ExitCode {
    let patches = |default| {
        let help = "Patches along each side of the cloth";
        number(["patches", "PATCHES", help], 1..=64, default)
    };

    let (arguments, of_drape) = (Arguments::parser(), patches(12));
    let drape = construct!(Scene::Drape { arguments, patches(of_drape) });
    let drape = drape
        .to_options()
        .descr("A cloth falls on the Utah teapot")
        .command("drape");

    let (arguments, of_drag) = (Arguments::parser(), patches(8));
    let drag = construct!(Scene::Drag { arguments, patches(of_drag) });
    let about = "A cloth pinned at one corner is dragged by the opposite one over a torus";
    let drag = drag.to_options().descr(about).command("drag");

    let (arguments, help) = (
        Arguments::parser(),
        "Random shots for each length of a step",
    );
    let shots = number(["shots", "SHOTS", help], 1..=u16::MAX, 200);
    let bullet = construct!(Scene::Bullet { arguments, shots });
    let about = "A small fast ball is shot at a thin sheet in long steps";
    let bullet = bullet.to_options().descr(about).command("bullet");

    let arguments = Arguments::parser();
    let closing = construct!(Scene::Closing { arguments });
    let about = "Two sheets meet at rising speed: what collision detection takes by method";
    let closing = closing.to_options().descr(about).command("closing");

    arguments::run(
        "Simulate thin shells, with collisions on their true surfaces",
        construct!([drape, drag, bullet, closing]),
        |scene| match scene {
            Scene::Drape { arguments, patches } => scenes::drape::scene(&arguments, patches.into()),
            Scene::Drag { arguments, patches } => scenes::drag::scene(&arguments, patches.into()),
            Scene::Bullet { arguments, shots } => scenes::bullet::scene(&arguments, shots.into()),
            Scene::Closing { arguments } => scenes::closing::scene(&arguments),
        },
    )
}
