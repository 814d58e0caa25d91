//! Where else do two patches meet, and when?
//!
//! A search like that for the first contact, but it goes on: a place where the patches meet is
//! remembered, and nodes around it are left out. A node that is smaller than the places are to be
//! apart is looked at once: a local solve finds the first contact near it or, where that leads
//! elsewhere, as along a line or an area of contact, the point in its middle is followed to the
//! other patch. Passes with ever smaller distances spread the places well: wide ones come first.

use super::contact_solve::{FoundContact, Start, Target, find_contact, follow, sharpen};
use super::{FirstContact, ImpactIncumbent, ImpactNode, ImpactScratch, level_below};
use crate::branch::Search;
use crate::branch::closest_solve::{Held, closest_held};
use crate::branch::driver::{Fate, Limits, Objective, Queue, Tightening, best_first};
use crate::branch::splitting::ChildPairs;
use crate::branch::tree::{ROOT, SubPatch};
use crate::counters::Counters;
use crate::motion::MotionView;
use crate::options::Options;
use crate::vector::{Vector, length, minus};

/// Passes at most, each with half the distance of the one before; the first with half the size of
/// the smaller patch.
const PASSES: u32 = 6;

/// Control points of a net that are nearer to the other patch than this part of all, from the
/// nearest to the farthest, are about as near as the nearest.
const NEAR: f64 = 0.05;

/// A place where two patches meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    /// As a fraction of the horizon.
    pub(crate) time: f64,
    pub(crate) parameters: [(f64, f64); 2],
}

/// Which places are asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlaceLimits {
    pub(crate) count: usize,
    /// As a fraction of the horizon.
    pub(crate) latest: f64,
    /// How far apart they are at least, in the unit of the coordinates.
    pub(crate) spacing: f64,
}

impl Search {
    /// Places where two patches meet, the given one first and the others by time. The patches are
    /// taken in anew.
    pub(crate) fn places(
        &mut self,
        views: &[MotionView<'_>; 2],
        options: &Options,
        first: Place,
        limits: &PlaceLimits,
        counters: &mut Counters,
    ) -> Vec<Place> {
        self.pair.load(views, options);
        let budget = counters.boxes + options.max_boxes;
        let size = (0..2)
            .map(|side| self.pair.trees[side].size(ROOT, first.time))
            .filter(|&size| size > 0.0)
            .fold(f64::INFINITY, f64::min);
        let least = limits.spacing * self.pair.scale;
        let mut places = vec![first];
        let mut points = vec![self.pair.point(first.parameters[0], first.time)];
        for pass in 0..PASSES {
            let spacing = size * 0.5_f64.powi(pass as i32 + 1);
            if !spacing.is_finite() || places.len() >= limits.count || counters.boxes >= budget {
                break;
            }
            let pass_limits = Limits {
                cutoff: limits.latest,
                max_boxes: budget,
            };
            self.look_for_places(
                options,
                limits,
                &pass_limits,
                spacing.max(least),
                (&mut places, &mut points),
                counters,
            );
            if spacing <= least {
                break;
            }
        }
        places[1..].sort_by(|a, b| a.time.total_cmp(&b.time));
        places
    }

    fn look_for_places(
        &mut self,
        options: &Options,
        limits: &PlaceLimits,
        pass: &Limits,
        spacing: f64,
        (places, points): (&mut Vec<Place>, &mut Vec<Vector>),
        counters: &mut Counters,
    ) {
        let ImpactScratch { queue, kernel } = &mut self.impact;
        queue.clear();
        kernel.test.axis_tests = 0;
        let start = places
            .iter()
            .fold(limits.latest, |start, place| place.time.min(start));
        let mut objective = Places {
            search: FirstContact {
                incumbent: ImpactIncumbent::new(limits.latest, self.pair.min_separation),
                pair: &mut self.pair,
                kernel,
                options,
                first_small_level: level_below(options.delta),
                positive: false,
                expanded: 0,
                widest: None,
                thorough: true,
                halves_time: false,
            },
            places,
            points,
            spacing,
            count: limits.count,
        };
        let whole = ImpactNode {
            start: start.min(limits.latest),
            end: limits.latest,
            sub_patches: [ROOT; 2],
            level: 0,
            stalled: 0,
            looks: 0,
        };
        counters.boxes += 1;
        objective
            .search
            .expand_to(&whole, 0, ChildPairs::ROOTS, queue, counters);
        best_first(&mut objective, queue, pass, counters);
        counters.axes += self.impact.kernel.test.axis_tests;
    }
}

/// The objective: places that are so far apart on the first patch.
struct Places<'a> {
    search: FirstContact<'a>,
    places: &'a mut Vec<Place>,
    /// Of the first patch, at each place.
    points: &'a mut Vec<Vector>,
    /// Scaled.
    spacing: f64,
    count: usize,
}

impl Objective for Places<'_> {
    type Node = ImpactNode;
    type Children = ChildPairs;

    fn proven(&self, next: &ImpactNode) -> f64 {
        next.start
    }

    fn tighten(&mut self, node: &mut ImpactNode, counters: &mut Counters) -> Tightening {
        if self.is_full() {
            return Tightening::Kept;
        }
        self.search.pair.load_nets(node.sub_patches);
        if self.is_covered(node.sub_patches[0]) {
            return Tightening::Pruned;
        }
        let tightening = self.search.tighten_start(node);
        if tightening == Tightening::Pruned || !self.is_small(node) {
            return tightening;
        }
        counters.solves += 1;
        if let Some((place, point)) = self.look(node) {
            self.places.push(place);
            self.points.push(point);
        }
        Tightening::Pruned
    }

    fn improve(&mut self, _: &ImpactNode, _: &mut Counters) -> bool {
        false
    }

    fn fate(&mut self, node: &mut ImpactNode) -> Fate {
        if self.is_full() {
            return Fate::Close;
        }
        self.search.fate(node)
    }

    fn split(&mut self, node: &ImpactNode) -> (ChildPairs, u64) {
        self.search.split(node)
    }

    fn expand(
        &mut self,
        node: &ImpactNode,
        children: ChildPairs,
        queue: &mut Queue<ImpactNode>,
        counters: &mut Counters,
    ) {
        self.search.expand(node, children, queue, counters);
    }
}

impl Places<'_> {
    fn is_full(&self) -> bool {
        self.places.len() >= self.count
    }

    /// The parameters of a node around which it comes nearest: of the first sub-patch, in the
    /// middle of the control points that are nearest to the second.
    fn nearest_parameters(&self, node: &ImpactNode) -> [(f64, f64); 2] {
        let pair = &self.search.pair;
        let mut parameters = pair.centre_parameters(node.sub_patches);
        if let Some(axis) = self.search.widest {
            let tree = &pair.trees[0];
            parameters[0] = tree.lowest_parameters(node.sub_patches[0], axis, node.start, NEAR);
        }
        parameters
    }

    /// Whether all of a sub-patch of the first patch is near a place that is known.
    fn is_covered(&self, sub_patch: SubPatch) -> bool {
        let tree = &self.search.pair.trees[0];
        self.places
            .iter()
            .zip(&*self.points)
            .any(|(place, &point)| {
                let mut net = tree.points(sub_patch, place.time);
                net.all(|corner| length(minus(corner, point)) < self.spacing)
            })
    }

    fn is_small(&self, node: &ImpactNode) -> bool {
        (0..2).all(|side| {
            let tree = &self.search.pair.trees[side];
            tree.size(node.sub_patches[side], node.start) <= 0.5 * self.spacing
        })
    }

    /// A new place in a node or near it, and its point on the first patch.
    fn look(&mut self, node: &ImpactNode) -> Option<(Place, Vector)> {
        let parameters = self.nearest_parameters(node);
        let target = Target {
            latest: node.end,
            ..self.search.target()
        };
        let pair = &mut *self.search.pair;
        let middle = pair.point(parameters[0], node.start);
        let start = Start {
            parameters,
            time: node.start,
            width: pair.width(node.sub_patches),
            thorough: true,
        };
        let found = find_contact(pair, &start, &target)
            .and_then(|found| sharpen(pair, node.start, &target, found))
            .and_then(|found| self.as_new(found, middle));
        found.or_else(|| {
            let pair = &mut *self.search.pair;
            let closest = closest_held(pair, parameters, node.start, Held::First);
            let found = follow(pair, node.start, &target, closest, Held::First)?;
            self.as_new(found, middle)
        })
    }

    /// A contact as a place, if it is far enough from those known and near a point.
    fn as_new(&mut self, found: FoundContact, near: Vector) -> Option<(Place, Vector)> {
        if self.search.pair.min_separation > 0.0 && !found.accurate {
            return None;
        }
        let point = self.search.pair.point(found.parameters[0], found.time);
        let apart = |other: Vector| length(minus(point, other));
        let new = self
            .points
            .iter()
            .all(|&known| apart(known) >= self.spacing);
        let place = Place {
            time: found.time,
            parameters: found.parameters,
        };
        (new && apart(near) <= self.spacing).then_some((place, point))
    }
}
