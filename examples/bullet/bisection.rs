//! The classical bisection (Snyder 1992): time is a parameter like any other, and is halved like
//! any other.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use ordered_float::OrderedFloat;

use crate::scene::Scene;
use crate::search::{Answer, Search, Tested, halves, width};

/// Which of two boxes with the same start of time comes first.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ties {
    /// The one that ends first, then the lower one: what a heap of tuples (t, s) does.
    Tuple,
    Oldest,
    Newest,
}

#[derive(Clone, Copy, Debug)]
struct Box2 {
    level: u32,
    t: [f64; 2],
    s: [f64; 2],
}

type Rank = [OrderedFloat<f64>; 4];

/// Best first by t. A box is tested when it is its turn, dropped unless the difference point − wall
/// can be zero in it (or as short as the radius), accepted when both widths are below δ, else
/// halved in its wider side, in t on a tie.
pub(crate) fn bisect(scene: &Scene, delta: f64, max_boxes: usize, ties: Ties) -> Search {
    let mut boxes = vec![Box2 {
        level: 0,
        t: [0.0, 1.0],
        s: [0.0, 1.0],
    }];
    let mut queue = BinaryHeap::from([(Reverse(rank(&boxes[0], 0, ties)), 0)]);
    let mut tested = Vec::new();
    while let Some((_, index)) = queue.pop() {
        let Box2 { level, t, s } = boxes[index];
        if tested.len() == max_boxes {
            let answer = Answer::Exhausted { toi: t[0] };
            return Search { answer, tested };
        }
        let kept = may_touch(scene, t, s);
        tested.push(Tested {
            level,
            t,
            s,
            left: kept.then_some(t),
        });
        if !kept {
            continue;
        }
        if width(t) < delta && width(s) < delta {
            let answer = Answer::Contact { t, s };
            return Search { answer, tested };
        }
        let children = if width(t) >= width(s) {
            halves(t).map(|t| (t, s))
        } else {
            halves(s).map(|s| (t, s))
        };
        for (t, s) in children {
            let child = Box2 {
                level: level + 1,
                t,
                s,
            };
            queue.push((Reverse(rank(&child, boxes.len(), ties)), boxes.len()));
            boxes.push(child);
        }
    }
    Search {
        answer: Answer::Clear,
        tested,
    }
}

/// Boxes of lower rank come first.
fn rank(b: &Box2, age: usize, ties: Ties) -> Rank {
    let tail = match ties {
        Ties::Tuple => [b.t[1], b.s[0], b.s[1]],
        Ties::Oldest => [age as f64, 0.0, 0.0],
        Ties::Newest => [-(age as f64), 0.0, 0.0],
    };
    [b.t[0], tail[0], tail[1], tail[2]].map(OrderedFloat)
}

/// The inclusion test: the difference is linear in t and in s, so its range in x and in y is that
/// of the box's corners.
fn may_touch(scene: &Scene, t: [f64; 2], s: [f64; 2]) -> bool {
    let corners = [(t[0], s[0]), (t[0], s[1]), (t[1], s[0]), (t[1], s[1])]
        .map(|(t, s)| scene.bullet(t) - scene.wall(s, t));
    let gap = |coordinate: usize| {
        let values = corners.map(|corner| corner[coordinate]);
        let low = values.into_iter().fold(f64::INFINITY, f64::min);
        let high = values.into_iter().fold(f64::NEG_INFINITY, f64::max);
        low.max(-high).max(0.0)
    };
    gap(0).hypot(gap(1)) <= scene.radius
}
