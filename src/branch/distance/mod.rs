//! How far apart are two patches at rest, and where are they closest?
//!
//! Nodes are pairs of sub-patches with a lower bound on their distance. A local solve
//! ([`super::closest_solve`]) gives two surface points: the closest found so far are the incumbent, and
//! nodes in which nothing closer can be found are pruned. What is proven is the least bound of all
//! nodes, pruned ones included.

mod frames;
mod incumbent;
mod node;

pub(crate) use super::closest_solve::Closest;
use super::driver::{Ending, Fate, Limits, Objective, Queue, Tightening, best_first};
use super::pair::ScaledPair;
use super::splitting::{
    ChildPairs, EVEN_NODES, Projections, SplitCriteria, Splits, is_a_choice, longer_first, split,
};
use super::tree::{ROOT, SubdivisionTree, family_of};
use super::{MAX_LEVEL, Search};
use crate::bound::{Frame, SquaredBounds, scaled, squared_bounds};
use crate::counters::Counters;
use crate::options::{DistanceOptions, Inclusion, LEAST_DELTA};
use crate::rounding::{product_rounded_down, reciprocal_power_of_two};
use incumbent::DistanceIncumbent;
use node::DistanceNode;

/// How many error bounds upper and lower bound may differ by at most to count as equal.
const ROUNDINGS: f64 = 4.0;

/// Squares below this may have lost something to underflow.
const LEAST_SQUARE: f64 = 1e-280;

/// What the search keeps between queries.
#[derive(Debug, Default)]
pub(super) struct DistanceScratch {
    queue: Queue<DistanceNode>,
    frames: Vec<Frame>,
    projections: Projections,
}

/// Up to what distance an answer is of interest, in the unit of the coordinates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DistanceRange {
    /// What is proven to be farther is not looked at.
    pub(crate) limit: f64,
    /// The search ends when it is proven to be farther. It only ends it early: up to there it is
    /// the same for every cutoff.
    pub(crate) cutoff: f64,
}

/// How a search for the distance ended.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Nearest {
    /// Closest points; proven: no two points are closer than `lower`, in the unit of the
    /// coordinates.
    Found { lower: f64, closest: Closest },
    /// Proven: no two points are closer than `lower`, which is above the limit or the cutoff.
    Beyond { lower: f64 },
    /// The budget, or the accuracy of parameters, ended first.
    Exhausted { lower: f64, closest: Closest },
}

impl Search {
    /// Searches the patches taken in, at rest, for their closest points.
    pub(crate) fn nearest(
        &mut self,
        options: &DistanceOptions,
        range: &DistanceRange,
        counters: &mut Counters,
    ) -> Nearest {
        self.pair.trees.iter_mut().for_each(SubdivisionTree::rest);
        let scale = self.pair.scale;
        // Above these in scaled units is above them in the others.
        let [limit, cutoff] = [range.limit, range.cutoff].map(|x| (x * scale).next_up());
        let DistanceScratch {
            queue,
            frames,
            projections,
        } = &mut self.distance;
        queue.clear();
        let mut objective = ClosestPair {
            pair: &mut self.pair,
            frames,
            projections,
            inclusion: options.inclusion,
            limit,
            incumbent: DistanceIncumbent::default(),
            pruned: f64::INFINITY,
            expanded: 0,
        };
        let mut nearest = objective.search(queue, cutoff, options.max_boxes, counters);
        match &mut nearest {
            Nearest::Found { lower, .. }
            | Nearest::Beyond { lower }
            | Nearest::Exhausted { lower, .. } => {
                *lower = product_rounded_down(*lower, 1.0 / scale).min(f64::MAX);
            }
        }
        nearest
    }

    /// The distance of closest points in the unit of the coordinates, and the direction from the
    /// first to the second one, unless they coincide to rounding.
    pub(crate) fn unscaled(&self, closest: &Closest) -> (f64, Option<[f64; 3]>) {
        let length = closest.distance;
        let unit = (length > self.pair.evaluation_error(0.0)).then(|| {
            // Scaled first, so that nothing underflows.
            let by = reciprocal_power_of_two(length);
            closest.difference.map(|x| -(x * by) / (length * by))
        });
        ((length / self.pair.scale).min(f64::MAX), unit)
    }
}

/// The objective: the least distance, with the state of its search.
struct ClosestPair<'a> {
    pair: &'a mut ScaledPair,
    frames: &'a mut Vec<Frame>,
    projections: &'a mut Projections,
    inclusion: Inclusion,
    /// Nothing beyond this is of interest.
    limit: f64,
    /// The closest points found so far.
    incumbent: DistanceIncumbent,
    /// The least bound of all nodes that were pruned.
    pruned: f64,
    /// Nodes that were expanded.
    expanded: u64,
}

impl Objective for ClosestPair<'_> {
    type Node = DistanceNode;
    type Children = ChildPairs;

    fn proven(&self, next: &DistanceNode) -> f64 {
        // A pruned node may be nearer than what is left.
        next.lower.min(self.pruned)
    }

    fn tighten(&mut self, node: &mut DistanceNode, _: &mut Counters) -> Tightening {
        // Two linear pieces are their own hulls, so this bound is their distance.
        let before = node.lower;
        if node.level == 0 && self.inclusion == Inclusion::Obb {
            self.raise_bound(node);
        }
        if node.lower > before {
            Tightening::Raised
        } else {
            Tightening::Kept
        }
    }

    fn improve(&mut self, node: &DistanceNode, counters: &mut Counters) -> bool {
        // Where there is a limit, one look at the children may show that they are beyond it.
        let is_finest = || self.pair.is_finest(node.sub_patches);
        if node.level > 0 || self.limit == f64::INFINITY || is_finest() {
            let first = self.incumbent.closest.is_none();
            self.look_for_closer(node, counters);
            return first && node.level == 0;
        }
        false
    }

    fn fate(&mut self, node: &mut DistanceNode) -> Fate {
        let tolerance = self.tolerance(node.sub_patches.map(family_of));
        if self.is_enough(node.lower, tolerance) {
            Fate::Close
        } else if self.pair.is_finest(node.sub_patches) {
            Fate::Accept
        } else {
            Fate::Expand
        }
    }

    fn split(&mut self, node: &DistanceNode) -> (ChildPairs, u64) {
        self.expanded += 1;
        let splits = self.splits(node);
        let children = split(self.pair, node.sub_patches, splits);
        (children, children.count())
    }

    fn expand(
        &mut self,
        node: &DistanceNode,
        children: ChildPairs,
        queue: &mut Queue<DistanceNode>,
        counters: &mut Counters,
    ) {
        let level = node.level + 1;
        counters.deepest_level = counters.deepest_level.max(level);
        let tolerance = self.tolerance(children.families);
        self.choose_frames(node.sub_patches, children.families);
        let enough = square((self.upper() - tolerance).min(self.limit));
        let bounds = self.bounds(children, enough, counters);
        let mut left = children.pairs;
        while left != 0 {
            let pair = left.trailing_zeros();
            left &= left - 1;
            let squared = bounds[pair as usize / 4][pair as usize % 4];
            let lower = lower_bound(squared).max(node.lower);
            if self.is_enough(lower, tolerance) {
                self.pruned = self.pruned.min(lower);
                continue;
            }
            queue.push(DistanceNode {
                lower,
                sub_patches: children.sub_patches(pair),
                level,
            });
        }
    }
}

impl ClosestPair<'_> {
    /// The answer in scaled units.
    fn search(
        &mut self,
        queue: &mut Queue<DistanceNode>,
        cutoff: f64,
        max_boxes: u64,
        counters: &mut Counters,
    ) -> Nearest {
        counters.boxes += 1;
        self.choose_frames([ROOT; 2], [0; 2]);
        let bounds = self.bounds(ChildPairs::ROOTS, square(self.limit), counters);
        let lower = lower_bound(bounds[0][0]);
        // Two points may be found closer than the bound on their distance, by rounding.
        let cutoff = cutoff + 4.0 * self.pair.evaluation_error(0.0);
        if lower > self.limit || lower > cutoff {
            return Nearest::Beyond { lower };
        }
        queue.push(DistanceNode {
            lower,
            sub_patches: [ROOT; 2],
            level: 0,
        });
        let limits = Limits { cutoff, max_boxes };
        let lower = match best_first(self, queue, &limits, counters) {
            Ending::Beyond(lower) => return Nearest::Beyond { lower },
            Ending::Accepted(node) | Ending::Exhausted(node) => {
                let proven = self.proven(&node);
                let closest = self.incumbent.closest;
                let closest = closest.unwrap_or_else(|| self.first_solve(counters));
                return Nearest::Exhausted {
                    lower: proven.min(closest.distance),
                    closest,
                };
            }
            Ending::Closed(node) => self.proven(&node),
            Ending::Empty => self.pruned,
        };
        match self.incumbent.closest {
            Some(closest) if lower <= self.limit || closest.distance <= self.limit => {
                Nearest::Found {
                    lower: lower.min(closest.distance),
                    closest,
                }
            }
            _ => Nearest::Beyond { lower },
        }
    }

    /// The distance of the closest points found so far.
    fn upper(&self) -> f64 {
        let closest = self.incumbent.closest;
        closest.map_or(f64::INFINITY, |closest| closest.distance)
    }

    /// Whether a node that is at least so far apart need not be searched: nothing in it is closer
    /// than the incumbent, but for the tolerance, or it is beyond the limit.
    fn is_enough(&self, lower: f64, tolerance: f64) -> bool {
        lower >= self.upper() - tolerance || lower > self.limit
    }

    /// Lower bounds on the squared distances of children, on the frames chosen; a bound need not
    /// exceed `enough`.
    fn bounds(&self, children: ChildPairs, enough: f64, counters: &mut Counters) -> SquaredBounds {
        let mut bounds = SquaredBounds::default();
        let nets = self.pair.nets(children.families);
        let pairs = children.pairs;
        counters.axes += squared_bounds(nets, self.frames, pairs, enough, &mut bounds);
        bounds
    }

    /// What a lower bound may be short of the distance: the tolerance, or a few error bounds.
    fn tolerance(&self, families: [u32; 2]) -> f64 {
        let error = self.pair.errors_at_rest(families).of_any_gap();
        self.pair.epsilon.max(ROUNDINGS * error)
    }

    /// How a node is split: the longer sub-patch, or both; in a long search, as is best.
    fn splits(&mut self, node: &DistanceNode) -> Splits {
        let sub_patches = node.sub_patches;
        self.pair.load_nets(sub_patches);
        if let Some(closest) = &self.incumbent.closest
            && (self.expanded > EVEN_NODES || node.level >= MAX_LEVEL)
            && is_a_choice(self.pair)
        {
            let criteria = SplitCriteria {
                normal: scaled(closest.difference),
                time: 0.0,
                separation: closest.distance,
                delta: LEAST_DELTA,
            };
            return criteria.splits(self.pair, sub_patches, self.projections);
        }
        longer_first(self.pair, sub_patches, 0.0)
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

#[cfg(test)]
mod tests;
