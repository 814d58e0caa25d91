//! Tunnelling: a circle of radius 0.25 m starts at x = −1 m and moves for one tick of 1/60 s
//! towards a wall, solid on [0, w]. A check for overlap at the end of the tick misses the wall when
//! the circle is through by then: 22 times in 400 cases, speeds of 5, 10 … 100 m/s against walls
//! 0.05, 0.10 … 1.00 m thick. A continuous query, here [`patch_ccd::vertex_edge`] with the circle's
//! radius as minimum separation, misses none.
//!
//! Then the move that a game or a simulation wants: on to the contact, and along the wall with the
//! rest of the tick.
//!
//! ```text
//! cargo run --release --example tunnelling
//! cargo run --release --example tunnelling -- --max-contacts 2 --from -1 0.1 --velocity 100 40 \
//!     --thickness 0.2 --out out
//! ```
//!
//! Draws the cases as a heat map, `tunnelling.svg`. Checks every figure, and exits with 1 when one
//! does not come out.

mod drawing;
mod sweep;
mod tick;
mod wall;

use std::error::Error;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use bpaf::{Parser, construct};
use nalgebra::{Point2, Vector2, point, vector};
use patch_ccd::Workspace;
use support::arguments::{self, folder_or_out, number, pair};

use support::checks::Checks;
use sweep::{Case, sweep};
use tick::{End, Limits, Move, advance};
use wall::Block;

const TICKS_PER_SECOND: f64 = 60.0;
const TICK: f64 = 1.0 / TICKS_PER_SECOND;
/// Where the circle's centre starts.
const START: f64 = -1.0;

struct Arguments {
    max_contacts: u16,
    delta: f64,
    one_more: Option<OneMore>,
    out: PathBuf,
}

/// A move that is asked for.
struct OneMore {
    from: [f64; 2],
    velocity: [f64; 2],
    thickness: f64,
}

fn main() -> ExitCode {
    let max_contacts = "Contacts in a tick after which the circle may still go on";
    let max_contacts = number(["max-contacts", "N", max_contacts], 1..=u16::MAX, 4);
    let delta = ["delta", "DELTA", "Tolerance of the queries"];
    let delta = number(delta, 1e-12..=1.0, 1e-9);
    let from = "One more move: where it starts, in m [default: -1 0]";
    let from = pair("from", from, -10.0..=10.0).fallback([START, 0.0]);
    let velocity = pair(
        "velocity",
        "One more move: its velocity, in m/s",
        -500.0..=500.0,
    );
    let thickness = [
        "thickness",
        "M",
        "One more move: how thick the wall is, in m",
    ];
    let thickness = number(thickness, 0.0..=10.0, 0.1);
    let one_more = construct!(OneMore {
        from,
        velocity,
        thickness
    })
    .optional();
    let out = folder_or_out("Folder for the picture");
    arguments::run(
        "Count the walls that a fast circle gets through unseen, and move it so that it does not",
        construct!(Arguments {
            max_contacts,
            delta,
            one_more,
            out
        }),
        run,
    )
}

fn run(arguments: Arguments) -> Result<ExitCode, Box<dyn Error>> {
    support::make_folder(&arguments.out)?;
    let mut checks = Checks::new(std::io::stdout());
    let mut workspace = Workspace::new();

    let cases = sweep(arguments.delta, &mut workspace)?;
    report_cases(&cases, &mut checks)?;
    let path = arguments.out.join("tunnelling.svg");
    drawing::figure(&cases).save(&path)?;
    checks.say(format_args!("       Written: {}", path.display()))?;

    let limits = Limits {
        tick: TICK,
        max_contacts: arguments.max_contacts.into(),
        delta: arguments.delta,
    };
    checks.say("\nThe move: on to the contact, then along the wall; the wall is 0.1 m thick")?;
    for expected in &MOVES {
        expected.check(limits, &mut workspace, &mut checks)?;
    }
    corner(limits, &mut workspace, &mut checks)?;
    if let Some(OneMore {
        from,
        velocity,
        thickness,
    }) = arguments.one_more
    {
        let wall = Block::wall(thickness);
        let moved = advance(
            from.into(),
            velocity.into(),
            &[wall],
            limits,
            &mut workspace,
        )?;
        checks.say(format_args!("\nThe move asked for: {}", told(&moved)))?;
    }
    Ok(checks.verdict())
}

fn report_cases(cases: &[Case], checks: &mut Checks<impl Write>) -> std::io::Result<()> {
    checks.say(
        "A circle of radius 0.25 m starts at x = -1 m; one tick of 1/60 s; walls are solid on [0, \
         w]",
    )?;
    let count = |which: fn(&Case) -> bool| cases.iter().filter(|case| which(case)).count();
    let all = cases.len();
    checks.must(
        all == 400,
        format_args!("{all} cases: speeds 5, 10 … 100 m/s, walls 0.05, 0.10 … 1.00 m thick"),
    )?;
    let passing = count(Case::passes);
    let missed_at_end = count(|case| case.passes() && case.overlap_at_end.is_none());
    checks.must(
        missed_at_end == 22,
        format_args!(
            "{missed_at_end} start before the wall, end beyond it, and are missed by a check for \
             overlap at the end of \
             the tick\n       (expected: 22); {passing} end beyond the wall in all"
        ),
    )?;
    let missed = count(|case| case.passes() && case.toi.is_none());
    checks.must(
        missed == 0,
        format_args!("{missed} of these are missed by this crate (expected: 0)"),
    )?;
    let touching = count(|case| case.exact.is_some());
    let differing = count(|case| case.toi.is_some() != case.exact.is_some());
    checks.must(
        differing == 0,
        format_args!(
            "{touching} touch the wall within the tick, and this crate says so of the \
        same cases: {differing} differ"
        ),
    )?;
    let errors = || {
        let both = cases
            .iter()
            .filter_map(|case| Some((case.exact?, case.toi?)));
        both.map(|(exact, toi)| exact - toi)
    };
    let latest = -errors().fold(f64::INFINITY, f64::min);
    let earliest = errors().fold(f64::NEG_INFINITY, f64::max);
    checks.must(
        // The closed form rounds, too.
        latest <= f64::EPSILON * TICK && earliest <= TICK * 1e-6,
        format_args!(
            "its times are not later than those of the closed form, and earlier by at \
        most {earliest:.1e} s"
        ),
    )
}

/// A move whose end is known. Metres and seconds.
struct Expected {
    from: Point2<f64>,
    velocity: Vector2<f64>,
    end: End,
    toi: f64,
    centre: Point2<f64>,
    /// What is left of the tick at the contact.
    remaining: f64,
    /// The overlap at the end, none but for a start inside.
    penetration: f64,
}

const MOVES: [Expected; 3] = [
    Expected {
        from: point![-1.0, 0.0],
        velocity: vector![100.0, 20.0],
        end: End::Done,
        toi: 0.0075,
        centre: point![-0.25, 1.0 / 3.0],
        remaining: 0.009_166_666_666_666_667,
        penetration: 0.0,
    },
    Expected {
        from: point![1.1, 0.0],
        velocity: vector![-100.0, 20.0],
        end: End::Done,
        toi: 0.0075,
        centre: point![0.35, 1.0 / 3.0],
        remaining: 0.009_166_666_666_666_667,
        penetration: 0.0,
    },
    Expected {
        from: point![0.05, 7.0],
        velocity: vector![100.0, 20.0],
        end: End::Inside,
        toi: 0.0,
        centre: point![0.05, 7.0],
        remaining: TICK,
        penetration: 0.3,
    },
];

impl Expected {
    fn check(
        &self,
        limits: Limits,
        workspace: &mut Workspace,
        checks: &mut Checks<impl Write>,
    ) -> Result<(), Box<dyn Error>> {
        const METRES: f64 = 1e-6;
        const SECONDS: f64 = 1e-8;
        let moved = advance(
            self.from,
            self.velocity,
            &[Block::wall(0.1)],
            limits,
            workspace,
        )?;
        let toi = moved.contacts.first().copied().unwrap_or(f64::NAN);
        let no_deeper = if self.penetration == 0.0 {
            moved.penetration == 0.0
        } else {
            (moved.penetration - self.penetration).abs() < METRES
        };
        let holds = moved.end == self.end
            && moved.contacts.len() == 1
            && (toi - self.toi).abs() < SECONDS
            && (TICK - toi - self.remaining).abs() < SECONDS
            && (moved.centre - self.centre).norm() < METRES
            && no_deeper;
        let text = format!(
            "from ({}, {}) with ({}, {}): {}\n       expected: toi {:.7} s, {:.7} s of the tick \
             remaining there; end \
             ({:.6}, {:.6}), penetration {}",
            self.from.x,
            self.from.y,
            self.velocity.x,
            self.velocity.y,
            told(&moved),
            self.toi,
            self.remaining,
            self.centre.x,
            self.centre.y,
            self.penetration,
        );
        Ok(checks.must(holds, text)?)
    }
}

/// Wall and ceiling: the second contact is one too many for a cap of 1.
fn corner(
    limits: Limits,
    workspace: &mut Workspace,
    checks: &mut Checks<impl Write>,
) -> Result<(), Box<dyn Error>> {
    checks.say(
        "\nInto a corner: the wall, and a ceiling at y = 0.5 m before it; from (-1, 0) \
    with (100, 20)",
    )?;
    let ceiling = Block {
        least: point![-3.0, 0.5],
        greatest: point![0.0, 1.0],
    };
    for (max_contacts, end) in [(1, End::Cap), (limits.max_contacts.max(2), End::Stuck)] {
        let limits = Limits {
            max_contacts,
            ..limits
        };
        let blocks = [Block::wall(0.1), ceiling];
        let moved = advance(
            point![START, 0.0],
            vector![100.0, 20.0],
            &blocks,
            limits,
            workspace,
        )?;
        let holds = moved.end == end
            && moved.contacts.len() == 2
            && (moved.centre - point![-0.25, 0.25]).norm() < 1e-6
            && moved.penetration == 0.0;
        checks.must(
            holds,
            format_args!("may go on after {max_contacts}: {}", told(&moved)),
        )?;
    }
    Ok(())
}

fn told(moved: &Move) -> String {
    let contacts = match moved.contacts[..] {
        [] => "no contact".to_owned(),
        [toi] => format!(
            "toi {toi:.7} s, {:.7} s of the tick remaining there",
            TICK - toi
        ),
        _ => {
            let times: Vec<String> = moved.contacts.iter().map(|t| format!("{t:.7}")).collect();
            format!("contacts at {} s", times.join(", "))
        }
    };
    let unused = match moved.end {
        End::Done => String::new(),
        _ => format!(", {:.7} s unused", moved.unused),
    };
    format!(
        "{contacts};\n       end ({:.6}, {:.6}), penetration {}; {}{unused}",
        moved.centre.x, moved.centre.y, moved.penetration, moved.end
    )
}
