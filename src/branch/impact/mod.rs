//! When do two patches first meet?
//!
//! Nodes are pairs of sub-patches with an interval of time. The inclusion test does not halve time
//! but cuts the interval of each child, and the start of the interval is the node's lower bound:
//! when a node is small enough to be accepted, no contact is earlier. The default method also looks
//! for contacts by local solves ([`contact_solve`]): the earliest one found is the incumbent,
//! nothing later is looked at, and the search ends when the two bounds are close. The traditional
//! method, with which both are compared, halves time as well and keeps or prunes nodes whole.

mod contact_solve;
mod expansion;
mod incumbent;
mod lagrangian;
mod node;
mod places;
mod tightening;

use super::closest_solve::closest_from;
use super::driver::{Ending, Fate, Limits, Objective, Queue, Tightening, best_first};
use super::pair::ScaledPair;
use super::splitting::{ChildPairs, Projections, split};
use super::tree::ROOT;
use super::{MAX_LEVEL, Search};
use crate::bound::{Axis, Direction, Directions, SiblingTest, scaled};
use crate::counters::Counters;
use crate::motion::MotionView;
use crate::options::{Method, Options};
use crate::rounding::{product_rounded_down, reciprocal_power_of_two};
use crate::vector::Vector;
use contact_solve::{FoundContact, Start, Target, find_contact, sharpen};
#[cfg(test)]
pub(crate) use expansion::time_at;
use incumbent::ImpactIncumbent;
pub(crate) use node::ImpactNode;
pub(crate) use places::{Place, PlaceLimits};

/// A node's start is as good as it gets after so many subdivisions in a row that did not move it.
/// One is not enough: as long as the contact lies in the same child of each part, an axis-aligned
/// box may keep the face that it touches with.
const STALLED: u8 = 3;

/// The answer to a query. Times are fractions of the horizon.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Verdict {
    /// Proven: no contact within the window, up to its cutoff.
    Clear,
    /// In contact at time 0, or not to be told apart from it.
    AtStart { parameters: [(f64, f64); 2] },
    /// Proven: no contact before the interval.
    Accepted(Accepted),
    /// The budget ended, or the accuracy of doubles; proven: no contact before this time.
    Exhausted { start: f64, nearest: Option<Place> },
}

/// A contact in an interval: one that was found, at its end, or what a node too small to be split
/// leaves room for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Accepted {
    pub(crate) interval: [f64; 2],
    pub(crate) parameters: [(f64, f64); 2],
    /// Whether it was found.
    pub(crate) found: bool,
}

/// The part of the horizon to be searched, in fractions of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    /// Known already: no contact outside this interval.
    pub(crate) interval: [f64; 2],
    /// Contacts later than this are of no interest. It only ends the search early: up to there it
    /// is the same for every cutoff.
    pub(crate) cutoff: f64,
}

impl Window {
    pub(crate) const WHOLE: Self = Self {
        interval: [0.0, 1.0],
        cutoff: 1.0,
    };
}

/// How one run of the search ended.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Run {
    Clear,
    Accepted(Accepted),
    Exhausted { start: f64, nearest: Option<Place> },
}

impl From<Run> for Verdict {
    fn from(run: Run) -> Self {
        match run {
            Run::Clear => Self::Clear,
            Run::Accepted(accepted) => Self::Accepted(accepted),
            Run::Exhausted { start, nearest } => Self::Exhausted { start, nearest },
        }
    }
}

/// What the search keeps between queries.
#[derive(Debug, Default)]
pub(crate) struct ImpactScratch {
    queue: Queue<ImpactNode>,
    pub(crate) kernel: InclusionScratch,
}

/// What one inclusion test works in.
#[derive(Debug, Default)]
pub(crate) struct InclusionScratch {
    pub(crate) test: SiblingTest,
    directions: Directions,
    pub(crate) axes: Vec<Axis>,
    projections: Projections,
    /// The control points of a node's two nets at its start.
    hulls: [Vec<Vector>; 2],
}

impl Search {
    /// The first contact of two patches within a window of the horizon.
    ///
    /// A search that cannot tell the start from 0 asks again whether there is contact at time 0,
    /// where nothing moves. If that is not so and `no_zero_toi` is set, it searches once more for a
    /// positive lower bound.
    pub(crate) fn first_contact(
        &mut self,
        views: &[MotionView<'_>; 2],
        options: &Options,
        window: &Window,
        counters: &mut Counters,
    ) -> Verdict {
        self.pair.load(views, options);
        let mut run = self.run(options, window, false, counters);
        if let Run::Accepted(accepted) = run
            && accepted.interval[0] == 0.0
        {
            let at_start = if options.t_max > 0.0 || options.no_zero_toi {
                self.contact_at_start(views, options, counters)
            } else {
                run
            };
            match at_start {
                Run::Accepted(Accepted { parameters, .. }) => {
                    return Verdict::AtStart { parameters };
                }
                Run::Exhausted { nearest, .. } => {
                    return Verdict::Exhausted {
                        start: 0.0,
                        nearest,
                    };
                }
                Run::Clear if options.t_max == 0.0 => return Verdict::Clear,
                Run::Clear if options.no_zero_toi => {
                    self.pair.load(views, options);
                    run = self.run(options, window, true, counters);
                }
                Run::Clear => {}
            }
        }
        if let Run::Accepted(Accepted {
            interval,
            parameters,
            ..
        }) = run
            && options.no_zero_toi
            && product_rounded_down(interval[0], options.t_max) == 0.0
        {
            // As fine as doubles go.
            let [start, time] = interval;
            let nearest = Some(Place { time, parameters });
            return Verdict::Exhausted { start, nearest };
        }
        run.into()
    }

    /// Whether the patches are in contact at time 0, as they are then.
    fn contact_at_start(
        &mut self,
        views: &[MotionView<'_>; 2],
        options: &Options,
        counters: &mut Counters,
    ) -> Run {
        let at_rest = Options {
            t_max: 0.0,
            method: match options.method {
                Method::Traditional => Method::TimeDependent,
                other => other,
            },
            ..*options
        };
        let views = views.each_ref().map(MotionView::at_start);
        self.pair.load(&views, &at_rest);
        self.run(&at_rest, &Window::WHOLE, options.no_zero_toi, counters)
    }

    /// Searches a window of the horizon for the first contact of the patches taken in. With
    /// `positive`, a node that starts at 0 is not accepted but refined on, as far as parameters are
    /// exact.
    pub(crate) fn run(
        &mut self,
        options: &Options,
        window: &Window,
        positive: bool,
        counters: &mut Counters,
    ) -> Run {
        let ImpactScratch { queue, kernel } = &mut self.impact;
        queue.clear();
        kernel.test.axis_tests = 0;
        let [start, end] = window.interval;
        if counters.boxes >= options.max_boxes {
            return Run::Exhausted {
                start,
                nearest: None,
            };
        }
        let mut objective = FirstContact {
            incumbent: ImpactIncumbent::new(end, self.pair.min_separation),
            pair: &mut self.pair,
            kernel,
            options,
            first_small_level: level_below(options.delta),
            positive,
            expanded: 0,
            widest: None,
            thorough: false,
            halves_time: false,
        };
        let limits = Limits {
            cutoff: window.cutoff,
            max_boxes: options.max_boxes,
        };
        let whole = ImpactNode {
            start,
            end,
            sub_patches: [ROOT; 2],
            level: 0,
            stalled: 0,
            looks: 0,
        };
        counters.boxes += 1;
        objective.expand_to(&whole, 0, ChildPairs::ROOTS, queue, counters);
        counters.peak_queue = counters.peak_queue.max(queue.len());
        let ending = best_first(&mut objective, queue, &limits, counters);
        let run = objective.answer(ending);
        counters.axes += self.impact.kernel.test.axis_tests;
        run
    }

    /// The part of the horizon in which the whole patches can overlap, by one inclusion test.
    pub(crate) fn overlap_interval(&mut self, options: &Options) -> Option<[f64; 2]> {
        let whole = [0.0, 1.0];
        let (pair, kernel) = (&self.pair, &mut self.impact.kernel);
        kernel.choose_axes(pair, options.inclusion, [None; 2], [ROOT; 2], [0, 0], whole);
        let test = &mut kernel.test;
        let overlaps = test.time_dependent(pair.nets([0, 0]), &kernel.axes, whole, 1) != 0;
        overlaps.then_some(test.remaining[0])
    }
}

/// The objective: the time of the first contact, with the state of its search.
struct FirstContact<'a> {
    pair: &'a mut ScaledPair,
    kernel: &'a mut InclusionScratch,
    options: &'a Options,
    /// Nodes from this level on are narrower than δ if they were split evenly.
    first_small_level: u32,
    incumbent: ImpactIncumbent,
    /// Whether a lower bound of 0 does not do.
    positive: bool,
    /// Nodes that were expanded.
    expanded: u64,
    /// The axis on which the nets of the node that is next are farthest apart, if it was asked for.
    widest: Option<Direction>,
    /// Whether nodes are looked at by themselves from the first one on.
    thorough: bool,
    /// Whether the node that is split is split in time only.
    halves_time: bool,
}

impl Objective for FirstContact<'_> {
    type Node = ImpactNode;
    type Children = ChildPairs;

    fn proven(&self, next: &ImpactNode) -> f64 {
        // Nodes are cut at the incumbent: only up to there does the queue say what is free.
        next.start.min(self.incumbent.time)
    }

    fn tighten(&mut self, node: &mut ImpactNode, _: &mut Counters) -> Tightening {
        self.tighten_start(node)
    }

    fn improve(&mut self, node: &ImpactNode, counters: &mut Counters) -> bool {
        let apart = self.widest.is_some();
        if self.options.method == Method::TwoSided && self.incumbent.is_due(self.pair, node, apart)
        {
            counters.solves += 1;
            // After time 0 alone was found clear, a contact there is one to rounding only. As the
            // incumbent it would end the search for a positive bound.
            let clear_at_start = self.positive && self.options.t_max > 0.0;
            let found = self.solve_locally(node);
            let found = found.filter(|contact| !clear_at_start || contact.time > 0.0);
            return self.incumbent.improve(found) && self.tightens();
        }
        false
    }

    fn fate(&mut self, node: &mut ImpactNode) -> Fate {
        // A bound of 0 must still rise before it may end a search for a positive one.
        let refine = self.positive && node.start == 0.0;
        let tolerance = self.pair.time_tolerance;
        if self.incumbent.contact.is_some() {
            let latest = self.incumbent.time;
            // From the incumbent on nothing is left; before it, not enough.
            if node.start >= latest || latest - node.start <= tolerance && !refine {
                return Fate::Close;
            }
            node.end = node.end.min(latest);
        }
        let narrow = node.end - node.start < tolerance;
        let stalled = self.options.method != Method::Traditional && node.stalled >= STALLED;
        let small_level = node.level >= self.first_small_level || self.pair.epsilon > 0.0;
        let may_end = (narrow || stalled) && small_level && !refine;
        let delta = self.options.delta;
        if may_end && self.pair.is_small(node.sub_patches, node.start, delta)
            || node.level >= MAX_LEVEL && self.pair.is_finest(node.sub_patches)
        {
            return Fate::Accept;
        }
        Fate::Expand
    }

    fn split(&mut self, node: &ImpactNode) -> (ChildPairs, u64) {
        self.expanded += 1;
        self.halves_time = self.bends(node);
        if self.halves_time {
            self.pair.load_nets(node.sub_patches);
            return (ChildPairs::only(node.sub_patches), 2);
        }
        let splits = self.splits(node);
        let children = split(self.pair, node.sub_patches, splits);
        let time_pieces = self.options.method.time_pieces() as u64;
        (children, children.count() * time_pieces)
    }

    fn expand(
        &mut self,
        node: &ImpactNode,
        children: ChildPairs,
        queue: &mut Queue<ImpactNode>,
        counters: &mut Counters,
    ) {
        let level = node.level + u32::from(!self.halves_time);
        self.expand_to(node, level, children, queue, counters);
    }
}

impl FirstContact<'_> {
    /// Across the incumbent's contact, if there is one.
    fn normal(&self) -> Option<Direction> {
        scaled(self.incumbent.contact?.normal?)
    }

    /// What a local solve looks for: a contact up to the incumbent.
    fn target(&self) -> Target {
        Target {
            separation: self.pair.min_separation,
            latest: self.incumbent.time,
            // Well below what decides.
            tolerance: 1e-3 * self.options.delta,
            moves: self.options.t_max > 0.0,
        }
    }

    /// Looks for a contact near the middle of a node.
    fn solve_locally(&mut self, node: &ImpactNode) -> Option<FoundContact> {
        let start = Start {
            parameters: self.pair.centre_parameters(node.sub_patches),
            time: node.start,
            width: self.pair.width(node.sub_patches),
            thorough: self.incumbent.is_hard(),
        };
        let target = self.target();
        find_contact(self.pair, &start, &target)
    }

    /// A contact that was found, with the proven start.
    fn found(&mut self, start: f64, contact: FoundContact) -> Run {
        let start = start.min(contact.time);
        let sharp = sharpen(self.pair, start, &self.target(), contact);
        let time = sharp.unwrap_or(contact).time;
        Run::Accepted(Accepted {
            interval: [start.min(time), time],
            parameters: match sharp {
                Some(sharp) => sharp.parameters,
                None => self.nearest(contact.parameters, start),
            },
            found: sharp.is_some(),
        })
    }

    /// Where the two patches come nearest around some parameters, at a time. With a minimum
    /// separation the line between the points is a direction to push in.
    fn nearest(&mut self, parameters: [(f64, f64); 2], t: f64) -> [(f64, f64); 2] {
        if self.pair.min_separation == 0.0 {
            return parameters;
        }
        closest_from(self.pair, parameters, t).parameters
    }

    /// The contact found, or where the node that is next comes nearest.
    fn nearest_so_far(&mut self, node: &ImpactNode, contact: Option<FoundContact>) -> Place {
        if let Some(FoundContact {
            time, parameters, ..
        }) = contact
        {
            return Place { time, parameters };
        }
        let centre = self.pair.centre_parameters(node.sub_patches);
        Place {
            time: node.start,
            parameters: closest_from(self.pair, centre, node.start).parameters,
        }
    }

    /// A node that is too small to be looked into.
    fn accepted(&mut self, node: &ImpactNode) -> Run {
        let centre = self.pair.centre_parameters(node.sub_patches);
        Run::Accepted(Accepted {
            interval: [node.start, node.end],
            parameters: self.nearest(centre, node.start),
            found: false,
        })
    }

    /// Looks once more for a contact in a node that is accepted: what is known, if anything, is not
    /// in it. Where paths bend, the tries before began too far away in time.
    fn last_try(&mut self, node: &ImpactNode) -> Option<FoundContact> {
        let clear_at_start = self.positive && self.options.t_max > 0.0;
        if self.options.method != Method::TwoSided || self.pair.is_linear() {
            return None;
        }
        let start = Start {
            parameters: self.pair.centre_parameters(node.sub_patches),
            time: node.start,
            width: self.pair.width(node.sub_patches),
            thorough: true,
        };
        let target = Target {
            latest: node.end,
            ..self.target()
        };
        let found = find_contact(self.pair, &start, &target);
        found.filter(|contact| !clear_at_start || contact.time > 0.0)
    }

    /// What the end of the search means.
    fn answer(&mut self, ending: Ending<ImpactNode>) -> Run {
        match (ending, self.incumbent.contact) {
            (Ending::Beyond(_), _) | (Ending::Empty | Ending::Closed(_), None) => Run::Clear,
            (Ending::Empty, Some(contact)) => self.found(contact.time, contact),
            (Ending::Closed(node), Some(contact)) => self.found(node.start, contact),
            (Ending::Accepted(node), _) => match self.last_try(&node) {
                Some(contact) => self.found(node.start, contact),
                None => self.accepted(&node),
            },
            (Ending::Exhausted(node), contact) => Run::Exhausted {
                start: node.start,
                nearest: Some(self.nearest_so_far(&node, contact)),
            },
        }
    }
}

/// The least level k with 2⁻ᵏ < δ, for δ in [2⁻⁵¹, 1].
fn level_below(delta: f64) -> u32 {
    let power = 1.0 / reciprocal_power_of_two(delta);
    let exponent = 1023 - (power.to_bits() >> 52) as u32;
    if power < delta {
        exponent
    } else {
        exponent + 1
    }
}

#[cfg(test)]
mod tests;
