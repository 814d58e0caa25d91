//! The move in one tick: on to the contact, then along the wall with what is left of the tick.

use nalgebra::{Point2, Vector2};
use patch_ccd::{Error, Outcome, Workspace};

use crate::wall::{Block, Face, nearest, time_of_impact};

/// Metres of overlap at the start from which on a circle counts as inside: more than rounding
/// makes, less than is seen.
const INSIDE: f64 = 1e-9;

/// How far a circle may go in one tick, and how hard that is looked into.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// s
    pub(crate) tick: f64,
    /// Contacts after which it may still go on, along what it touches.
    pub(crate) max_contacts: usize,
    pub(crate) delta: f64,
}

/// Why a move ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum End {
    /// With the tick.
    Done,
    /// Nothing is left of the velocity.
    Stuck,
    /// It overlapped a block at the start, and stays there.
    Inside,
    /// It met one contact more than may be followed up; it waits there for the next tick.
    Cap,
    /// A query ended without an answer; it waits at the last place that is proven free.
    Undecided,
}

#[derive(Clone, Debug)]
pub(crate) struct Move {
    pub(crate) end: End,
    /// Where it ends.
    pub(crate) centre: Point2<f64>,
    /// When it met something, in s from the start of the tick; 0 when it starts inside.
    pub(crate) contacts: Vec<f64>,
    /// What is left of the tick where it ends, in s; 0 when the tick is used up.
    pub(crate) unused: f64,
    /// The deepest overlap at the end, in m.
    pub(crate) penetration: f64,
}

/// Moves a circle among blocks for one tick.
pub(crate) fn advance(
    start: Point2<f64>,
    velocity: Vector2<f64>,
    blocks: &[Block],
    limits: Limits,
    workspace: &mut Workspace,
) -> Result<Move, Error> {
    let penetration = |centre: &Point2<f64>| {
        let depths = blocks.iter().map(|block| block.penetration(centre));
        depths.fold(0.0, f64::max)
    };
    let (mut centre, mut velocity) = (start, velocity);
    let (mut left, mut contacts) = (limits.tick, Vec::new());
    let end = loop {
        if contacts.is_empty() && penetration(&centre) > INSIDE {
            contacts.push(0.0);
            break End::Inside;
        }
        if velocity == Vector2::zeros() {
            break End::Stuck;
        }
        match first_contact(&centre, &velocity, blocks, left, limits.delta, workspace)? {
            None => {
                centre += velocity * left;
                left = 0.0;
                break End::Done;
            }
            Some((toi, face)) => {
                centre += velocity * toi;
                left -= toi;
                let Some(face) = face else {
                    break End::Undecided;
                };
                contacts.push(limits.tick - left);
                if contacts.len() > limits.max_contacts {
                    break End::Cap;
                }
                let normal = (centre - nearest(&face, &centre)).normalize();
                velocity -= normal * velocity.dot(&normal).min(0.0);
            }
        }
    };
    Ok(Move {
        end,
        centre,
        contacts,
        unused: left,
        penetration: penetration(&centre),
    })
}

/// The first face met and when, or no face where a query was not decided.
///
/// Faces that the circle does not approach are left out: the distance from a point that moves
/// straight on to a segment is convex in time, so it never gets less. A circle that slides along a
/// face stays free to do so.
fn first_contact(
    centre: &Point2<f64>,
    velocity: &Vector2<f64>,
    blocks: &[Block],
    seconds: f64,
    delta: f64,
    workspace: &mut Workspace,
) -> Result<Option<(f64, Option<Face>)>, Error> {
    let mut first: Option<(f64, Option<Face>)> = None;
    for face in blocks.iter().flat_map(Block::faces) {
        let away = centre - nearest(&face, centre);
        // What rounding leaves of a velocity along the face is no approach.
        if velocity.dot(&away) >= -1e-12 * velocity.norm() * away.norm() {
            continue;
        }
        let outcome = time_of_impact(centre, velocity, &face, seconds, delta, workspace)?;
        let decided = !matches!(outcome, Outcome::BudgetExhausted { .. });
        if let Some(toi) = outcome.toi().filter(|toi| first.is_none_or(|f| *toi < f.0)) {
            first = Some((toi, decided.then_some(face)));
        }
    }
    Ok(first)
}

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Done => "the tick is used up",
            Self::Stuck => "nothing is left of its velocity",
            Self::Inside => "it starts inside and stays",
            Self::Cap => "CAP REACHED: one contact too many, it waits there",
            Self::Undecided => {
                "UNDECIDED: a query ran out of boxes; it waits where it is proven free"
            }
        })
    }
}
