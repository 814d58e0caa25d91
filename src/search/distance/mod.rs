//! How far apart are two pieces at rest, and where are they closest?
//!
//! The same sub-patches, split in the same ways, but a box is a pair of them with a lower bound on its distance, and the one with the least bound is next. A local
//! solve gives two surface points, hence an upper bound; boxes that it leaves nothing to be found in are dropped. What is proven is the least
//! bound of all boxes, dropped ones included.

mod closest;
mod frames;
mod queue;
mod upper;

use super::arena::{Arena, ROOT};
use super::counters::Counters;
use super::local::rounding;
use super::splitting::{Children, EVEN, LEAST_WIDTH, Splits, View, split};
use super::{MAX_LEVEL, Search};
use crate::geometry::Shape;
use crate::inclusion::{Frame, SquaredBounds, scaled, squared_bounds};
use crate::options::LEAST_DELTA;
use crate::rounding::{product_rounded_down, projection_error, reciprocal_power_of_two};
pub(crate) use closest::Closest;
use queue::{Pair, Queue};
use upper::PATIENCE;

/// How many error bounds upper and lower bound may differ by at most to count as equal.
const ROUNDINGS: f64 = 4.0;

/// A sub-patch this many times as long as the other is split alone.
const LONGER: f64 = 2.0;

/// Boxes that are opened before a search counts as long, and splits are chosen.
const EVEN_BOXES: u64 = 64;

/// Squares below this may have lost something to underflow.
const LEAST_SQUARE: f64 = 1e-280;

/// What a search for the distance keeps.
#[derive(Debug, Default)]
pub(super) struct Memory {
    queue: Queue,
    frames: Vec<Frame>,
}

/// Up to what distance an answer is of interest, in the unit of the coordinates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    /// What is proven to be farther is not looked at.
    pub(crate) limit: f64,
    /// The search ends when it is proven to be farther. It only ends it early: up to there it is the same for every cutoff.
    pub(crate) cutoff: f64,
}

/// How a search for the distance ended.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Nearest {
    /// Closest points; proven: no two points are closer than `lower`, in the unit of the coordinates.
    Found { lower: f64, closest: Closest },
    /// Proven: no two points are closer than `lower`, which is above the limit or the cutoff.
    Beyond { lower: f64 },
    /// The budget, or the accuracy of parameters, ended first.
    Exhausted { lower: f64, closest: Closest },
}

/// The search as it goes.
struct State {
    /// The closest points so far.
    found: Option<Closest>,
    /// The least bound of all boxes that were dropped.
    dropped: f64,
    limit: f64,
    opened: u64,
    waited: u64,
    patience: u64,
}

impl State {
    /// No points farther apart than this are of interest.
    fn upper(&self) -> f64 {
        self.found.map_or(f64::INFINITY, |found| found.distance)
    }

    /// Whether a box that is at least so far apart need not be searched: nothing in it is closer than what was found, but for the tolerance, or it is
    /// beyond the limit.
    fn is_enough(&self, lower: f64, tolerance: f64) -> bool {
        lower >= self.upper() - tolerance || lower > self.limit
    }

    /// The square of a bound for which that is so, to rounding.
    fn enough_squared(&self, tolerance: f64) -> f64 {
        square((self.upper() - tolerance).min(self.limit))
    }
}

impl Search {
    /// Searches the patches taken in, at rest, for their closest points.
    pub(crate) fn nearest(&mut self, reach: &Reach, counters: &mut Counters) -> Nearest {
        self.arenas.iter_mut().for_each(Arena::rest);
        let mut memory = std::mem::take(&mut self.nearby);
        memory.queue.clear();
        let (mut nearest, axes) = self.nearest_in(&mut memory, reach, counters);
        counters.axes += axes;
        self.nearby = memory;
        let whole = 1.0 / self.scale;
        match &mut nearest {
            Nearest::Found { lower, .. }
            | Nearest::Beyond { lower }
            | Nearest::Exhausted { lower, .. } => {
                *lower = product_rounded_down(*lower, whole).min(f64::MAX);
            }
        }
        nearest
    }

    fn nearest_in(
        &mut self,
        memory: &mut Memory,
        reach: &Reach,
        counters: &mut Counters,
    ) -> (Nearest, u64) {
        // Above these in scaled units is above them in the others.
        let [limit, cutoff] = [reach.limit, reach.cutoff].map(|x| (x * self.scale).next_up());
        let mut axes = 0;
        counters.boxes += 1;
        let mut root = Pair {
            lower: 0.0,
            nodes: [ROOT; 2],
            level: 0,
        };
        self.frames(memory, &root, [0; 2], None);
        let mut bounds = SquaredBounds::default();
        axes += self.bound(memory, Children::ROOTS, square(limit), &mut bounds);
        root.lower = lower_bound(bounds[0][0]);
        // Two points may be found closer than the bound on their distance, by rounding.
        let shapes = [self.arenas[0].shape(), self.arenas[1].shape()];
        let cutoff = cutoff + 4.0 * rounding(shapes, &self.extents, 0.0);
        if root.lower > limit || root.lower > cutoff {
            return (Nearest::Beyond { lower: root.lower }, axes);
        }
        let mut state = State {
            found: None,
            dropped: f64::INFINITY,
            limit,
            opened: 0,
            waited: 0,
            patience: PATIENCE,
        };
        memory.queue.push(root);
        let mut lower = f64::INFINITY;
        while let Some(pair) = memory.queue.pop() {
            counters.popped += 1;
            // A dropped box may be nearer than what is left.
            let proven = pair.lower.min(state.dropped);
            if proven > cutoff {
                return (Nearest::Beyond { lower: proven }, axes);
            }
            let finest = self.is_finest_pair(&pair);
            // Where there is a limit, one look at the children may show that they are beyond it.
            if pair.level > 0 || finest || limit == f64::INFINITY {
                self.improve(&pair, &mut state, counters);
            }
            let tolerance = self.tolerance(pair.nodes.map(|node| node / 4));
            if state.is_enough(pair.lower, tolerance) {
                lower = pair.lower;
                break;
            }
            if finest {
                return (self.exhausted(proven, &state, counters), axes);
            }
            state.opened += 1;
            let splits = self.splits_of(&pair, &state);
            let children = split(&mut self.arenas, pair.nodes, splits);
            let boxes = u64::from(children.pairs.count_ones());
            if counters.boxes + boxes > self.options.max_boxes {
                return (self.exhausted(proven, &state, counters), axes);
            }
            counters.boxes += boxes;
            axes += self.open(memory, &pair, children, &mut state, counters);
        }
        let lower = lower.min(state.dropped);
        let nearest = match state.found {
            Some(closest) if lower <= limit || closest.distance <= limit => Nearest::Found {
                lower: lower.min(closest.distance),
                closest,
            },
            _ => Nearest::Beyond { lower },
        };
        (nearest, axes)
    }

    /// The answer where this much is proven and no more will be.
    fn exhausted(&mut self, proven: f64, state: &State, counters: &mut Counters) -> Nearest {
        let closest = state.found.unwrap_or_else(|| self.first(counters));
        Nearest::Exhausted {
            lower: proven.min(closest.distance),
            closest,
        }
    }

    /// Bounds the children of a pair, and queues those in which something may be found.
    fn open(
        &mut self,
        memory: &mut Memory,
        parent: &Pair,
        children: Children,
        state: &mut State,
        counters: &mut Counters,
    ) -> u64 {
        let level = parent.level + 1;
        let tolerance = self.tolerance(children.families);
        self.frames(memory, parent, children.families, state.found.as_ref());
        let mut bounds = SquaredBounds::default();
        let axes = self.bound(
            memory,
            children,
            state.enough_squared(tolerance),
            &mut bounds,
        );
        let mut left = children.pairs;
        while left != 0 {
            let pair = left.trailing_zeros();
            left &= left - 1;
            let [i, j] = [pair / 4, pair % 4];
            let lower = lower_bound(bounds[i as usize][j as usize]).max(parent.lower);
            if state.is_enough(lower, tolerance) {
                state.dropped = state.dropped.min(lower);
                continue;
            }
            memory.queue.push(Pair {
                lower,
                nodes: [children.families[0] * 4 + i, children.families[1] * 4 + j],
                level,
            });
        }
        counters.deepest_level = counters.deepest_level.max(level);
        counters.peak_queue = counters.peak_queue.max(memory.queue.len());
        axes
    }

    fn bound(
        &self,
        memory: &Memory,
        children: Children,
        enough: f64,
        bounds: &mut SquaredBounds,
    ) -> u64 {
        let nets = [0, 1].map(|side| self.arenas[side].nets(children.families[side]));
        squared_bounds(nets, &memory.frames, children.pairs, enough, bounds)
    }

    /// What a lower bound may be short of the distance: the tolerance, or a few error bounds.
    fn tolerance(&self, families: [u32; 2]) -> f64 {
        let errors = [0, 1].map(|side| {
            let error = projection_error(self.arenas[side].roundings(families[side]));
            let [x, y, z] = self.extents[side][0];
            error * (x + y + z)
        });
        self.epsilon.max(ROUNDINGS * (errors[0] + errors[1]))
    }

    /// Whether closest points are in a pair of sub-patches.
    fn covers(&self, pair: &Pair, closest: &Closest) -> bool {
        (0..2).all(|side| self.arenas[side].covers(pair.nodes[side], closest.parameters[side]))
    }

    /// How a pair is split: the longer sub-patch, or both; in a long search, as is best.
    fn splits_of(&mut self, pair: &Pair, state: &State) -> Splits {
        for (arena, node) in self.arenas.iter_mut().zip(pair.nodes) {
            arena.trim();
            arena.load(node / 4);
        }
        let uneven =
            |arena: &Arena| matches!(arena.shape(), Shape::TensorProduct { n: 1.., m: 1.. });
        let deep = pair.level >= MAX_LEVEL;
        if let Some(upper) = &state.found
            && (state.opened > EVEN_BOXES || deep)
            && self.arenas.iter().any(uneven)
        {
            let view = View {
                normal: scaled(upper.difference),
                time: 0.0,
                separation: upper.distance,
                delta: LEAST_DELTA,
            };
            return view.splits(&self.arenas, pair.nodes, &mut self.heights);
        }
        let splits = [[EVEN[0], None], [None, EVEN[1]]];
        match [0, 1].map(|side| self.arenas[side].width(pair.nodes[side]) > LEAST_WIDTH) {
            [true, false] => return splits[0],
            [false, true] => return splits[1],
            _ => {}
        }
        let sizes = [0, 1].map(|side| self.arenas[side].size(pair.nodes[side], 0.0));
        if sizes[0] > LONGER * sizes[1] {
            splits[0]
        } else if sizes[1] > LONGER * sizes[0] {
            splits[1]
        } else {
            EVEN
        }
    }

    /// Whether neither sub-patch can be split.
    fn is_finest_pair(&self, pair: &Pair) -> bool {
        (0..2).all(|side| self.arenas[side].width(pair.nodes[side]) <= LEAST_WIDTH)
    }
}

/// A bound from its square.
fn lower_bound(squared: f64) -> f64 {
    if squared < LEAST_SQUARE {
        0.0
    } else {
        squared.sqrt()
    }
}

/// The square of a distance that is asked for; negative if any will do.
fn square(enough: f64) -> f64 {
    if enough < 0.0 { -1.0 } else { enough * enough }
}

impl Search {
    /// The distance of closest points in the unit of the coordinates, and the direction from the first to the second one, unless they coincide to
    /// rounding.
    pub(crate) fn unscaled(&self, closest: &Closest) -> (f64, Option<[f64; 3]>) {
        let shapes = [self.arenas[0].shape(), self.arenas[1].shape()];
        let length = closest.distance;
        let unit = (length > rounding(shapes, &self.extents, 0.0)).then(|| {
            // Scaled first, so that nothing underflows.
            let by = reciprocal_power_of_two(length);
            closest.difference.map(|x| -(x * by) / (length * by))
        });
        ((length / self.scale).min(f64::MAX), unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Moving;
    use crate::geometry::TensorProductPatch;
    use crate::options::DistanceOptions;
    use crate::rounding::exact::{Random, cases};
    use nalgebra::{Point3, Vector3};

    /// Also where the closest points are found late, after boxes that are farther apart than they are have been queued.
    #[test]
    fn a_cutoff_ends_a_search_only_if_all_is_beyond_it() {
        let mut random = Random::new(62);
        let mut search = Search::new();
        let (mut late, mut early) = (0, 0);
        for case in 0..cases(2000) {
            let n = 2 + case % 2;
            let mut patch = |apart: f64| {
                let mut vector =
                    || -> Vector3<f64> { Vector3::from_fn(|_, _| random.sign() * random.unit()) };
                let centre = apart * vector();
                let net: Vec<_> = (0..(n + 1) * (n + 1))
                    .map(|_| Point3::from(centre + vector()))
                    .collect();
                Moving::resting(TensorProductPatch::new(n, n, &net).unwrap())
            };
            let [a, b] = [0.0, 4.0].map(&mut patch);
            let options = DistanceOptions {
                relative_tolerance: [1e-6, 1e-3, 1e-2, 0.1][case / 2 % 4],
                max_boxes: 20_000,
                ..DistanceOptions::default()
            };
            search.load(&[a.view(), b.view()], &options.as_query());
            let mut nearest = |cutoff| {
                let limit = f64::INFINITY;
                let mut counters = Counters::default();
                let nearest = search.nearest(&Reach { limit, cutoff }, &mut counters);
                (nearest, counters.boxes)
            };
            let (Nearest::Found { lower, closest }, all) = nearest(f64::INFINITY) else {
                continue;
            };
            let upper = closest.distance / search.scale;
            let mut nearest = |cutoff| {
                let limit = f64::INFINITY;
                let mut counters = Counters::default();
                let nearest = search.nearest(&Reach { limit, cutoff }, &mut counters);
                (nearest, counters.boxes)
            };
            for factor in [0.5, 0.9, 1.0, 1.01, 1.1, 1.3, 1.7] {
                match nearest(factor * upper) {
                    (Nearest::Beyond { lower }, boxes) => {
                        assert!(factor < 1.0 && lower > factor * upper && lower <= upper);
                        early += u32::from(boxes < all);
                    }
                    (
                        Nearest::Found {
                            lower: other,
                            closest: again,
                        },
                        _,
                    ) => {
                        assert_eq!(other, lower, "case {case} at {factor}");
                        assert_eq!(again.parameters, closest.parameters);
                        late += u32::from(factor > 1.0);
                    }
                    other => panic!("case {case}: {other:?}"),
                }
            }
        }
        assert!(late > 1000 && early > 300, "{late} {early}");
    }
}
