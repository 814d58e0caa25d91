//! The boxes of the crate's search.
//!
//! The crate counts its boxes but does not show them. Here the wall is halved by the same rules,
//! and each piece is tested with the crate's own inclusion test, [`Workspace::overlap_interval`],
//! over the time that was left of its parent. The axes of that test are those of the piece, where
//! the search takes its parent's, so the number of boxes may differ.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use nalgebra::{Point3, Vector2};
use ordered_float::OrderedFloat;
use patch_ccd::geometry::{Patch, Shape};
use patch_ccd::{Error, Moving, Options, Workspace};

use crate::scene::{Scene, lift};
use crate::search::{Answer, Search, Tested, halves, width};

/// A vertex (one point) or an edge (two) as a patch.
#[derive(Clone, Debug)]
struct Points(Vec<Point3<f64>>);

impl Patch for Points {
    fn shape(&self) -> Shape {
        Shape::TensorProduct {
            n: self.0.len() - 1,
            m: 0,
        }
    }

    fn control_points(&self) -> &[Point3<f64>] {
        &self.0
    }

    fn with_net(&self, points: &[Point3<f64>], _: Option<&[f64]>) -> Result<Self, Error> {
        Ok(Self(points.to_vec()))
    }
}

/// A piece of the wall that waits to be halved.
#[derive(Clone, Copy)]
struct Piece {
    level: u32,
    t: [f64; 2],
    s: [f64; 2],
    /// Whether the last halving moved the start of its time.
    advanced: bool,
}

/// Searches as the crate does: earliest first, ties deepest first, and accepts by its rule.
pub(crate) fn replay(
    scene: &Scene,
    options: &Options,
    workspace: &mut Workspace,
) -> Result<Search, Error> {
    let mut tested = Vec::new();
    let mut pieces: Vec<Piece> = Vec::new();
    let mut queue = BinaryHeap::new();
    let mut next = vec![(0, [0.0, 1.0], [0.0, 1.0])];
    loop {
        for (level, t, s) in next.drain(..) {
            let left = overlap(scene, t, s, options, workspace)?;
            tested.push(Tested { level, t, s, left });
            if let Some(left) = left {
                let rank = (Reverse(OrderedFloat(left[0])), level);
                queue.push((rank, Reverse(pieces.len())));
                pieces.push(Piece {
                    level,
                    t: left,
                    s,
                    advanced: level == 0 || left[0] - t[0] >= 0.5 * options.delta,
                });
            }
        }
        let Some((_, Reverse(index))) = queue.pop() else {
            let answer = Answer::Clear;
            return Ok(Search { answer, tested });
        };
        let Piece {
            level,
            t,
            s,
            advanced,
        } = pieces[index];
        if width(s) < options.delta && (width(t) < options.delta || !advanced) {
            let answer = Answer::Contact { t, s };
            return Ok(Search { answer, tested });
        }
        if tested.len() as u64 + 2 > options.max_boxes {
            let answer = Answer::Exhausted { toi: t[0] };
            return Ok(Search { answer, tested });
        }
        next.extend(halves(s).map(|s| (level + 1, t, s)));
    }
}

/// The part of the time `t` in which the point and the piece `s` of the wall can meet.
fn overlap(
    scene: &Scene,
    t: [f64; 2],
    s: [f64; 2],
    options: &Options,
    workspace: &mut Workspace,
) -> Result<Option<[f64; 2]>, Error> {
    let moving = |points: Vec<Point3<f64>>, velocity: Vector2<f64>| {
        Moving::translating(Points(points), velocity.push(0.0))
    };
    let bullet = moving(vec![lift(&scene.bullet(t[0]))], scene.velocity())?;
    let ends = s.map(|s| lift(&scene.wall(s, t[0])));
    let wall = moving(ends.to_vec(), scene.drift)?;
    let options = Options {
        t_max: width(t),
        ..*options
    };
    let left = workspace.overlap_interval(&bullet, &wall, &options)?;
    Ok(left.map(|left| left.map(|time| (t[0] + time).min(t[1]))))
}
