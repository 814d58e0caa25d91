//! A cloth falls on its side, folds onto itself and is struck by a ball: a small simulator of
//! triangles in which no step is lost.
//!
//! ```text
//! cargo run --release --example folding_cloth
//! cargo run --release --example folding_cloth -- --quads 20 --steps 100 --out out
//! ```
//!
//! 3200 triangles, 2 mm thick, over 1.2 s in steps of 2 ms. In each step the springs say where the
//! vertices want to go; `all_impacts` says what stands in the way, on the ball, on the floor and in
//! the cloth itself; impulses take the contacts into account; and so on until the whole step is
//! free. Pairs that start nearer than their separation do not stop it: they keep nine tenths of
//! their distance (`Options::shrink_separation`). Every 20 steps it prints how it goes, in the end
//! how many steps went less than the whole way, and where the time went. `--out` writes the cloth
//! every 10 steps as OBJ.
//!
//! Checks: all steps go the whole way; in the end, and in every frame, the proven least distance of
//! the cloth from itself and from floor and ball is above 0.

mod ball;
mod cloth;
mod contacts;

use std::error::Error;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use bpaf::{Parser, construct};
use nalgebra::{Point3, Vector3, point};
use patch_ccd::Options;
use patch_ccd::mesh::{
    AllImpacts, Mesh, MeshDistanceOptions, MeshOptions, MeshWorkspace, MovingMesh, TriangleMesh,
};
use support::arguments::{self, folder, number};
use support::checks::Checks;

use ball::Ball;
use cloth::Cloth;
use contacts::{Contact, respond};

const DT: f64 = 2e-3;
const GRAVITY: f64 = 9.81;
const THICKNESS: f64 = 2e-3;
/// Passes of contacts and responses in a step, at most.
const PASSES: usize = 40;

struct Arguments {
    quads: usize,
    steps: usize,
    share: f64,
    out: Option<PathBuf>,
}

fn main() -> ExitCode {
    let quads = number(
        ["quads", "QUADS", "Squares along a side of the cloth"],
        2..=200,
        40,
    );
    let steps = number(["steps", "STEPS", "Steps of 2 ms"], 1..=100_000, 600);
    let share = number(
        [
            "share",
            "SHARE",
            "How much of a distance too small is kept; 0: such pairs stop the cloth",
        ],
        0.0..=1.0,
        0.9,
    );
    let out = folder("Folder for OBJ files of the cloth").optional();
    arguments::run(
        "A cloth that folds onto itself, a floor and a ball",
        construct!(Arguments {
            quads,
            steps,
            share,
            out
        }),
        run,
    )
}

/// What the cloth collides with.
#[derive(Clone, Copy)]
enum With {
    Ball,
    Floor,
    Itself,
}

/// How a step went.
struct Step {
    /// How much of it is free.
    fraction: f64,
    passes: usize,
    contacts: usize,
    shrunk: u64,
}

struct Simulation {
    cloth: Cloth,
    ball: Ball,
    floor: TriangleMesh,
    options: MeshOptions<'static>,
    workspaces: [MeshWorkspace; 3],
    /// For collision detection, by what the cloth collides with; and for the cloth.
    times: [Duration; 4],
    time: f64,
}

fn run(arguments: Arguments) -> Result<ExitCode, Box<dyn Error>> {
    if let Some(out) = &arguments.out {
        support::make_folder(out)?;
    }
    let query = Options {
        t_max: DT,
        shrink_separation: (arguments.share > 0.0).then_some(arguments.share),
        // Pairs that lie on each other are told apart to some per cent of their separation.
        epsilon: 0.05 * THICKNESS,
        max_boxes: 100_000,
        ..Options::default()
    };
    let mut simulation = Simulation {
        cloth: Cloth::new(arguments.quads, THICKNESS)?,
        ball: Ball::new(0.25, point![0.0, 0.9, 0.26])?,
        floor: TriangleMesh::new(4, &[[0, 1, 2], [0, 2, 3]])?,
        options: MeshOptions {
            query,
            ..MeshOptions::default()
        },
        workspaces: Default::default(),
        times: [Duration::ZERO; 4],
        time: 0.0,
    };
    let mut checks = Checks::new(std::io::stdout().lock());
    let (mut lost, mut least, mut shortest) = (0, f64::INFINITY, 1.0_f64);
    for number in 1..=arguments.steps {
        let step = simulation.step()?;
        lost += usize::from(step.fraction < 1.0);
        shortest = shortest.min(step.fraction);
        if step.fraction < 1.0 || number % 20 == 0 {
            checks.say(format_args!(
                "{number:4}: {:.4} s, {:2} passes, {:5} contacts, {:5} nearer than their separation, \
                 went {:.6}",
                simulation.time, step.passes, step.contacts, step.shrunk, step.fraction
            ))?;
        }
        if number % 10 == 0 || number == arguments.steps {
            least = least.min(simulation.least_distance()?);
            if let Some(out) = &arguments.out {
                let path = out.join(format!("cloth_{number:04}.obj"));
                simulation.write(&mut support::make_file(&path)?)?;
            }
        }
    }
    let [ball, floor, itself, springs] = simulation.times.map(|time| time.as_secs_f64());
    checks.say(format_args!(
        "reached {:.4} s; {lost} steps went less than the whole way, {shortest:e} at least\n\
         collisions with the ball {ball:.1} s, the floor {floor:.1} s, itself {itself:.1} s; \
         springs and impulses {springs:.1} s; {}",
        simulation.time,
        support::machine()
    ))?;
    checks.must(lost == 0, "every step went the whole way")?;
    checks.must(
        least > 0.0,
        format_args!(
            "nothing touches: the least distance is {:.3} mm",
            1e3 * least
        ),
    )?;
    Ok(checks.verdict())
}

impl Simulation {
    fn step(&mut self) -> Result<Step, Box<dyn Error>> {
        let start = Instant::now();
        self.cloth.fall(GRAVITY, DT);
        self.times[3] += start.elapsed();
        let velocity = self.ball.velocity(self.time);
        let mut contacts = Vec::new();
        for pass in 1.. {
            let impacts = self.impacts(velocity)?;
            let all = impacts.iter().map(|(_, impacts)| impacts);
            let fraction = all.clone().map(|all| all.fraction).fold(1.0, f64::min);
            let shrunk = all.map(|all| all.counters.shrunk).sum();
            if fraction == 1.0 || pass == PASSES {
                self.cloth.advance(fraction * DT);
                self.ball.advance(fraction * DT, velocity);
                self.time += fraction * DT;
                return Ok(Step {
                    fraction,
                    passes: pass,
                    contacts: contacts.len(),
                    shrunk,
                });
            }
            let start = Instant::now();
            for (with, impacts) in impacts {
                let (other, separation) = match with {
                    With::Ball => (Some(velocity), 0.5 * THICKNESS),
                    With::Floor => (Some(Vector3::zeros()), 0.5 * THICKNESS),
                    With::Itself => (None, THICKNESS),
                };
                let mesh = Mesh::from(&self.cloth.mesh);
                let points = &self.cloth.points;
                contacts.extend(
                    impacts
                        .pairs
                        .iter()
                        .filter_map(|pair| Contact::new(pair, mesh, points, other, separation, DT)),
                );
            }
            respond(&mut contacts, &mut self.cloth.velocities);
            self.times[3] += start.elapsed();
        }
        unreachable!("the passes are counted")
    }

    /// All impacts of the cloth as it moves now.
    fn impacts(&mut self, ball: Vector3<f64>) -> Result<[(With, AllImpacts); 3], Box<dyn Error>> {
        let moving = MovingMesh::with_velocities(
            &self.cloth.mesh,
            &self.cloth.points,
            &self.cloth.velocities,
        )?;
        let [of_ball, of_floor, of_itself] = &mut self.workspaces;
        let (net, velocities) = self.ball.net(ball)?;
        let ball = MovingMesh::with_velocities(&self.ball.mesh, &net, &velocities)?;
        let corners = floor_corners();
        let floor = MovingMesh::resting(&self.floor, &corners)?;
        let start = Instant::now();
        let with_ball = of_ball.all_impacts(&moving, &ball, &self.options)?;
        self.times[0] += start.elapsed();
        let start = Instant::now();
        let with_floor = of_floor.all_impacts(&moving, &floor, &self.options)?;
        self.times[1] += start.elapsed();
        let start = Instant::now();
        let with_itself = of_itself.all_self_impacts(&moving, &self.options)?;
        self.times[2] += start.elapsed();
        Ok([
            (With::Ball, with_ball),
            (With::Floor, with_floor),
            (With::Itself, with_itself),
        ])
    }

    /// A proven lower bound on the distance of the cloth from itself, the floor and the ball.
    fn least_distance(&mut self) -> Result<f64, Box<dyn Error>> {
        let still = MovingMesh::resting(&self.cloth.mesh, &self.cloth.points)?;
        let (net, _) = self.ball.net(Vector3::zeros())?;
        let ball = MovingMesh::resting(&self.ball.mesh, &net)?;
        let corners = floor_corners();
        let floor = MovingMesh::resting(&self.floor, &corners)?;
        let [of_ball, of_floor, of_itself] = &mut self.workspaces;
        let options = MeshDistanceOptions::default();
        let distances = [
            of_ball.least_distance(&still, &ball, &options)?,
            of_floor.least_distance(&still, &floor, &options)?,
            of_itself.least_self_distance(&still, &options)?,
        ];
        Ok(distances
            .iter()
            .map(|distance| distance.lower)
            .fold(f64::INFINITY, f64::min))
    }

    fn write(&self, file: &mut impl Write) -> Result<(), Box<dyn Error>> {
        for point in &self.cloth.points {
            writeln!(file, "v {:?} {:?} {:?}", point.x, point.y, point.z)?;
        }
        for [a, b, c] in self.cloth.mesh.faces() {
            writeln!(file, "f {} {} {}", a + 1, b + 1, c + 1)?;
        }
        Ok(())
    }
}

fn floor_corners() -> [Point3<f64>; 4] {
    [[-9.0, -9.0], [9.0, -9.0], [9.0, 9.0], [-9.0, 9.0]].map(|[x, y]| point![x, y, 0.0])
}
