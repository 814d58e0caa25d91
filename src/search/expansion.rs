//! From a box to its children: how it is split, on which axes they are tested, which of them are queued.

use super::arena::{Arena, Node};
use super::counters::Counters;
use super::queue::Entry;
use super::splitting::{Children, EVEN, Splits, View};
use super::{MAX_LEVEL, Search};
use crate::geometry::Shape;
use crate::inclusion::{Axis, Pairs, axes_between, length_rounded_up, scaled};
use crate::options::{Inclusion, Method};
use crate::rounding::{SEPARATION_ROUNDINGS, UNDERFLOW, UNIT_ROUNDOFF, projection_error};
use crate::vector::minus;

/// Boxes that are split evenly before a search counts as long: choosing how to split takes time, which most searches do not repay.
const EVEN_BOXES: u64 = 64;

impl Search {
    /// Queues those pairs of children that may overlap within a box's interval.
    pub(super) fn expand(
        &mut self,
        parent: &Entry,
        level: u32,
        children: Children,
        counters: &mut Counters,
    ) {
        counters.deepest_level = counters.deepest_level.max(level);
        let method = self.options.method;
        let pieces = if level == 0 { 1 } else { method.time_pieces() };
        for piece in 0..pieces {
            let length = (parent.end - parent.start) / pieces as f64;
            let start = parent.start + piece as f64 * length;
            let end = if piece + 1 == pieces {
                parent.end
            } else {
                start + length
            };
            let left = self.test(parent.nodes, children, [start, end], counters);
            self.enqueue(parent, level, children.families, [start, end], left);
        }
        counters.peak_queue = counters.peak_queue.max(self.queue.len());
    }

    /// How a box is split: evenly or, in a search that has become long, across its bend.
    pub(super) fn splits(&mut self, entry: &Entry, opened: u64) -> Splits {
        let normal = self.normal.and_then(scaled);
        // Without a contact's normal nothing says along what line two sub-patches at a distance come apart.
        let seen = normal.is_some() || self.min_separation == 0.0;
        let long = self.options.method == Method::TwoSided && opened > EVEN_BOXES;
        // Triangles and curves can only be split evenly.
        let uneven =
            |arena: &Arena| matches!(arena.shape(), Shape::TensorProduct { n: 1.., m: 1.. });
        if !self.arenas.iter().any(uneven) {
            return EVEN;
        }
        // As deep as that a parameter may have been halved as often as can be.
        if !long || !seen && entry.level < MAX_LEVEL {
            return EVEN;
        }
        self.load_nets(entry);
        let view = View {
            normal,
            time: if normal.is_some() {
                entry.end
            } else {
                entry.start
            },
            separation: self.min_separation,
            delta: self.options.delta,
        };
        view.splits(&self.arenas, entry.nodes, &mut self.heights)
    }

    /// The pairs of children that may overlap in an interval; what is left of it goes to the test's `remaining`.
    fn test(
        &mut self,
        parents: [Node; 2],
        Children { families, pairs }: Children,
        interval: [f64; 2],
        counters: &mut Counters,
    ) -> Pairs {
        counters.boxes += u64::from(pairs.count_ones());
        self.choose_axes(parents, families, interval);
        let nets = [0, 1].map(|side| self.arenas[side].nets(families[side]));
        let (test, axes) = (&mut self.test, self.axes.as_slice());
        match self.options.method {
            Method::TwoSided | Method::TimeDependent => {
                test.time_dependent(nets, axes, interval, pairs)
            }
            Method::Traditional => test.swept(nets, axes, interval, pairs),
        }
    }

    fn enqueue(
        &mut self,
        parent: &Entry,
        level: u32,
        families: [u32; 2],
        [start, end]: [f64; 2],
        mut left: Pairs,
    ) {
        while left != 0 {
            let pair = left.trailing_zeros();
            left &= left - 1;
            let mut interval = [start, end];
            if self.options.method != Method::Traditional {
                let [from, to] = self.test.remaining[pair as usize];
                if from > 0.0 {
                    interval[0] = time_at([start, end], from);
                }
                if to < 1.0 {
                    interval[1] = time_at([start, end], to);
                }
            }
            self.queue.push(Entry {
                start: interval[0],
                end: interval[1],
                nodes: [families[0] * 4 + pair / 4, families[1] * 4 + pair % 4],
                level,
                stalled: if level == 0 || interval[0] - parent.start >= 0.5 * self.time_tolerance {
                    0
                } else {
                    parent.stalled.saturating_add(1)
                },
            });
        }
    }

    /// The axes for the children of two sub-patches: those of the parents' boxes at the start of the interval.
    pub(super) fn choose_axes(
        &mut self,
        parents: [Node; 2],
        families: [u32; 2],
        interval: [f64; 2],
    ) {
        self.directions.clear();
        match self.options.inclusion {
            Inclusion::Aabb => self.directions.push_coordinate_axes(),
            Inclusion::Obb => self.choose_box_axes(parents, interval[0]),
        }
        // The largest coordinates at both ends of the interval, each times its patch's error.
        let mut reach = [[0.0; 3]; 2];
        for (side, arena) in self.arenas.iter().enumerate() {
            let error = projection_error(arena.roundings(families[side]));
            let [start, displacement] = &self.extents[side];
            for (reach, t) in reach.iter_mut().zip(interval) {
                for c in 0..3 {
                    reach[c] += error * (start[c] + t * displacement[c]);
                }
            }
        }
        self.axes.clear();
        for &direction in self.directions.as_slice() {
            let separation = match self.min_separation {
                0.0 => 0.0,
                distance => distance * length_rounded_up(direction),
            };
            let rounding = SEPARATION_ROUNDINGS * UNIT_ROUNDOFF * separation;
            let mut error = [rounding + UNDERFLOW; 2];
            for (error, reach) in error.iter_mut().zip(&reach) {
                for c in 0..3 {
                    *error += direction[c].abs() * reach[c];
                }
            }
            self.axes.push(Axis {
                direction,
                margin: [separation + error[0], separation + error[1]],
                error,
            });
        }
    }

    /// The axes of the boxes of two sub-patches at time `t`.
    fn choose_box_axes(&mut self, [one, two]: [Node; 2], t: f64) {
        let spans = [self.arenas[0].spans(one, t), self.arenas[1].spans(two, t)];
        let arenas = &self.arenas;
        let offset = || {
            let (one, two) = (arenas[0].centre(one, t), arenas[1].centre(two, t));
            minus(one, two)
        };
        self.directions.push(self.normal.and_then(scaled));
        axes_between(spans, offset, &mut self.directions);
        if self.min_separation > 0.0 {
            // Between edges and corners only the line of closest approach separates by the distance.
            self.directions.push(scaled(offset()));
        }
    }
}

/// The time of a fraction of an interval; see [`crate::rounding`].
pub(super) fn time_at([start, end]: [f64; 2], fraction: f64) -> f64 {
    (start + fraction * (end - start)).min(end)
}
