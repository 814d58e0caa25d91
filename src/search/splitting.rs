//! How is a box split?
//!
//! Evenly, as long as a search is short: every parameter of both sub-patches is halved, which needs no thought. But what keeps two
//! sub-patches from being told apart is how far their control nets reach beyond the surfaces, which comes from their
//! bend; and where a long front of boxes stays alive they often bend one way only. Along a ruling, along a contact line in a plane or
//! around a collapsed edge even splits make ever more pieces, none of which is any flatter than the whole. There,
//! halves across the bend alone lead to the same bound with a number of boxes that does not grow.

use super::arena::{Arena, Node};
use crate::geometry::{Shape, Split, triangular_index};
use crate::inclusion::{Direction, Pairs, length_rounded_up};
use crate::rounding::UNIT_ROUNDOFF;

/// Cells of this width are not split: the corners of their halves are not exact doubles.
pub(super) const LEAST_WIDTH: f64 = 1.0 / (1_u64 << 52) as f64;

/// A parameter that a sub-patch bends along by less than this part of the most, of both sub-patches, is left whole.
const SHARE: f64 = 0.125;

/// A sub-patch so many times as long as the other is split first: next to the border of a large one, no axis of its box may separate
/// it from a small one.
const OUTGROWN: f64 = 8.0;

/// Bends below this are made of rounding errors, for coordinates of size about 1. Only the number of boxes depends on it.
const NOISE: f64 = 512.0 * UNIT_ROUNDOFF;

/// How each side of a box is split; `None` leaves it whole.
pub(super) type Splits = [Option<Split>; 2];

pub(super) const EVEN: Splits = [Some(Split::Even); 2];

/// How a box is looked at to choose its splits.
pub(super) struct View {
    /// Of a known contact; otherwise that of each sub-patch counts.
    pub(super) normal: Option<Direction>,
    pub(super) time: f64,
    /// The minimum separation.
    pub(super) separation: f64,
    /// Parameters below this are only halved when there is nothing else left.
    pub(super) delta: f64,
}

impl View {
    /// The splits across the bend of two sub-patches, if that may be what keeps them from being told apart: if, seen along a normal, they do
    /// not reach into each other by more. Otherwise those along which they extend most. Of a sub-patch that is much longer than the other, the latter
    /// as well.
    pub(super) fn splits(
        &self,
        arenas: &[Arena; 2],
        nodes: [Node; 2],
        heights: &mut Heights,
    ) -> Splits {
        let widths = [0, 1].map(|side| arenas[side].widths(nodes[side]));
        let wide = |side: usize, k: usize| widths[side][k] >= self.delta;
        let lengths = || [0, 1].map(|side| arenas[side].lengths(nodes[side], self.time));
        let sizes = [0, 1].map(|side| arenas[side].size(nodes[side], self.time));
        let mut measures = if sizes[0] > OUTGROWN * sizes[1] {
            [lengths()[0], [0.0; 2]]
        } else if sizes[1] > OUTGROWN * sizes[0] {
            [[0.0; 2], lengths()[1]]
        } else {
            let bends = self.bends(arenas, nodes, heights);
            bends.unwrap_or_else(lengths)
        };
        let mut most = 0.0;
        for (measure, width) in measures
            .as_flattened_mut()
            .iter_mut()
            .zip(widths.as_flattened())
        {
            if *width < self.delta {
                *measure = 0.0;
            }
            if *measure > most {
                most = *measure;
            }
        }
        let threshold = (SHARE * most).max(NOISE);
        choose(&|side, k| measures[side][k] > threshold)
            .or_else(|| choose(&wide))
            .or_else(|| choose(&|side, k| widths[side][k] > LEAST_WIDTH))
            .unwrap_or(EVEN)
    }

    /// How much each sub-patch bends along each parameter; `None` if they reach into each other by more than that.
    fn bends(
        &self,
        arenas: &[Arena; 2],
        nodes: [Node; 2],
        heights: &mut Heights,
    ) -> Option<[[f64; 2]; 2]> {
        let mut found = [[0.0; 2]; 2];
        let mut depth = f64::INFINITY;
        let sides: &[usize] = if self.normal.is_some() { &[0] } else { &[0, 1] };
        for &seen in sides {
            let normal = self
                .normal
                .or_else(|| arenas[seen].normal(nodes[seen], self.time));
            let axis = normal.unwrap_or([1.0; 3]);
            for side in 0..2 {
                heights[side].clear();
                heights[side].extend(arenas[side].heights(nodes[side], axis, self.time));
            }
            let [one, two] = heights.each_ref().map(|heights| range(heights));
            let reach = self.separation * length_rounded_up(axis);
            depth = depth.min((one[1] - two[0]).min(two[1] - one[0]) + reach);
            for side in 0..2 {
                if self.normal.is_some() || side == seen {
                    found[side] = bends(arenas[side].shape(), &heights[side]);
                }
            }
        }
        let most = found.map(|[u, v]| u.max(v));
        (depth <= most[0] + most[1]).then_some(found)
    }
}

/// Memory for the projections of both nets.
pub(super) type Heights = [Vec<f64>; 2];

fn range(heights: &[f64]) -> [f64; 2] {
    let start = [f64::INFINITY, f64::NEG_INFINITY];
    heights
        .iter()
        .fold(start, |[low, high], &x| [low.min(x), high.max(x)])
}

/// Splits of the parameters that are asked for; `None` if no parameter is.
fn choose(asked: &dyn Fn(usize, usize) -> bool) -> Option<Splits> {
    let splits = [0, 1].map(|side| match [0, 1].map(|k| asked(side, k)) {
        [true, true] => Some(Split::Even),
        [true, false] => Some(Split::AlongU),
        [false, true] => Some(Split::AlongV),
        [false, false] => None,
    });
    (splits != [None; 2]).then_some(splits)
}

/// The children of a box: families of sub-patches, loaded, and those pairs of their members that make up the box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Children {
    pub(super) families: [u32; 2],
    pub(super) pairs: Pairs,
}

impl Children {
    /// The two whole patches.
    pub(super) const ROOTS: Self = Self {
        families: [0, 0],
        pairs: 1,
    };
}

/// Splits two sub-patches.
pub(super) fn split(arenas: &mut [Arena; 2], nodes: [Node; 2], splits: Splits) -> Children {
    let mut lanes = [0..1, 0..1];
    let families = [0, 1].map(|side| {
        let (arena, node) = (&mut arenas[side], nodes[side]);
        arena.trim();
        let family = match splits[side] {
            Some(split) => {
                let family = arena.children(node, split);
                lanes[side] = 0..arena.members(family);
                family
            }
            None => {
                let lane = node % 4;
                lanes[side] = lane..lane + 1;
                node / 4
            }
        };
        arena.load(family);
        family
    });
    let [rows, columns] = lanes;
    let mut pairs = 0;
    for i in rows {
        for j in columns.clone() {
            pairs |= 1 << (4 * i + j);
        }
    }
    Children { families, pairs }
}

/// How much a sub-patch bends along each of its parameters, seen along an axis: the second differences of its net, as bounds on second
/// derivatives, with the twist counted for both.
fn bends(shape: Shape, heights: &[f64]) -> [f64; 2] {
    let bend = |a: f64, b: f64, c: f64| ((c - b) - (b - a)).abs();
    let (mut along_u, mut along_v, mut twist) = (0.0_f64, 0.0_f64, 0.0_f64);
    match shape {
        Shape::TensorProduct { n, m } => {
            let rows = || heights.chunks_exact(m + 1);
            for row in rows() {
                for three in row.windows(3) {
                    along_v = along_v.max(bend(three[0], three[1], three[2]));
                }
            }
            for (first, second) in rows().zip(rows().skip(1)) {
                for (one, two) in first.windows(2).zip(second.windows(2)) {
                    twist = twist.max(((two[1] - one[1]) - (two[0] - one[0])).abs());
                }
            }
            for ((first, second), third) in rows().zip(rows().skip(1)).zip(rows().skip(2)) {
                for ((&a, &b), &c) in first.iter().zip(second).zip(third) {
                    along_u = along_u.max(bend(a, b, c));
                }
            }
            let [n, m] = [n as f64, m as f64];
            let twist = n * m * twist;
            [
                n * (n - 1.0) * along_u + twist,
                m * (m - 1.0) * along_v + twist,
            ]
        }
        Shape::Triangular { n } => {
            let at = |i: usize, j: usize| heights[triangular_index(n, i, j)];
            for j in 1..n {
                for i in 1..=n - j {
                    // Three points each: along u, along v, and the twist of the two.
                    let [w, u, v] = [at(i - 1, j - 1), at(i, j - 1), at(i - 1, j)];
                    along_u = along_u.max(bend(w, u, at(i + 1, j - 1)));
                    along_v = along_v.max(bend(w, v, at(i - 1, j + 1)));
                    twist = twist.max(((at(i, j) - v) - (u - w)).abs());
                }
            }
            // Only all of its parameters can be halved.
            [(n * n) as f64 * along_u.max(along_v).max(twist); 2]
        }
    }
}
