//! When do two pieces first meet?
//!
//! One best-first search serves every pair of patches. It subdivides only the four parameters (u1, v1, u2, v2), sixteen
//! pairs of children at a time; time is *solved* for by the inclusion test, which cuts each child's interval. The box
//! with the least entry time is always next, so when one is small enough to be accepted, its entry time is a lower bound
//! for every contact. The default method also looks for contacts by local solves (`local.rs`): the earliest found bounds the time of
//! impact from above, nothing later is looked at, and the search ends when the two bounds are close. The traditional method that
//! both are compared with halves time as well and keeps or drops boxes whole.
//!
//! Inside the search coordinates are relative to the middle of the two patches and scaled by a power of two to about 1,
//! and the horizon to 1, so that neither the place and the size of a scene nor its units of time can lose accuracy, over- or
//! underflow.

mod arena;
mod counters;
mod distance;
mod domain;
mod expansion;
mod local;
mod model;
mod queue;
mod splitting;
#[cfg(test)]
mod twin;
mod upper;

use nalgebra::Point3;

use crate::inclusion::{Axis, Directions, SiblingTest};
use crate::motion::MotionView;
use crate::options::{Method, Options};
use crate::rounding::reciprocal_power_of_two;
use crate::vector::BoundingBox;
use arena::{Arena, ROOT};
pub use counters::{Counters, Decision};
pub(crate) use distance::{Closest, Nearest, Reach};
use local::{Start, Target, Witness, find_contact};
use queue::{Entry, Queue};
use splitting::{Children, Heights, LEAST_WIDTH, split};
use upper::UpperBound;

/// Halvings of a parameter, at most, down to [`LEAST_WIDTH`]; and subdivisions of a pair of vertices, which have no parameters.
const MAX_LEVEL: u32 = 52;

/// A box's start is as good as it gets after so many subdivisions in a row that did not move it. One is not enough: as long
/// as the contact lies in the same child of each part, an axis-aligned box may keep the face that it touches with.
const STALLED: u8 = 3;

/// How a search ended. Times are fractions of the horizon.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Verdict {
    /// Proven: no contact within the window, up to its cutoff.
    Clear,
    /// Proven: no contact before the interval. A contact in it: one that was found, at its end, or what a box too small
    /// to be split leaves room for.
    Accepted {
        interval: [f64; 2],
        parameters: [(f64, f64); 2],
        /// Whether it was found.
        witnessed: bool,
    },
    /// The budget ended; proven: no contact before this time.
    Exhausted { start: f64 },
}

/// The part of the horizon to be searched, in fractions of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    /// Known already: no contact outside this interval.
    pub(crate) interval: [f64; 2],
    /// Contacts later than this are of no interest. It only ends the search early: up to there it is the same for
    /// every cutoff.
    pub(crate) cutoff: f64,
}

impl Window {
    pub(crate) const WHOLE: Self = Self {
        interval: [0.0, 1.0],
        cutoff: 1.0,
    };
}

/// The memory of a search.
#[derive(Debug)]
pub(crate) struct Search {
    arenas: [Arena; 2],
    queue: Queue,
    test: SiblingTest,
    directions: Directions,
    axes: Vec<Axis>,
    heights: Heights,
    /// Per patch, per coordinate: largest start coordinate and largest displacement.
    extents: [[[f64; 3]; 2]; 2],
    options: Options,
    /// Across the contact that was found, if there is one.
    normal: Option<[f64; 3]>,
    /// In scaled units.
    min_separation: f64,
    /// The tolerance in space, in scaled units.
    epsilon: f64,
    /// The tolerance in time, as a fraction of the horizon.
    time_tolerance: f64,
    /// What coordinates are multiplied by.
    scale: f64,
    nearby: distance::Memory,
}

impl Search {
    pub(crate) fn new() -> Self {
        Self {
            arenas: [Arena::new(), Arena::new()],
            queue: Queue::new(),
            test: SiblingTest::default(),
            directions: Directions::default(),
            axes: Vec::new(),
            heights: Heights::default(),
            extents: [[[0.0; 3]; 2]; 2],
            options: Options::default(),
            normal: None,
            min_separation: 0.0,
            epsilon: 0.0,
            time_tolerance: 0.0,
            scale: 1.0,
            nearby: distance::Memory::default(),
        }
    }

    /// Takes in two patches and what is to be found out of them.
    pub(crate) fn load(&mut self, views: &[MotionView<'_>; 2], options: &Options) {
        let t_max = options.t_max;
        let origin = middle(views);
        let mut largest = options.min_separation;
        for view in views {
            for (p, v) in view.points.iter().zip(view.velocities) {
                largest = largest.max((p - origin).amax()).max(v.amax() * t_max);
            }
        }
        let scale = if largest == 0.0 {
            1.0
        } else {
            reciprocal_power_of_two(largest)
        };
        for (arena, view) in self.arenas.iter_mut().zip(views) {
            arena.reset(view, origin, scale, t_max);
        }
        self.scale = scale;
        self.extents = [self.arenas[0].extent(), self.arenas[1].extent()];
        self.min_separation = options.min_separation * scale;
        let [size, approach] = spread(&self.arenas);
        self.epsilon = (options.epsilon * scale).max(options.relative_epsilon * size);
        // In ε / approach no two points come nearer to each other by more than ε along an axis. Where nothing moves that is ∞ or, without ε,
        // NaN, which `max` passes over.
        self.time_tolerance = options.delta.max(self.epsilon / approach);
        self.options = *options;
    }

    /// Searches a window of the horizon for the first contact of the patches taken in. With `positive`, a box that
    /// starts at 0 is not accepted but refined on, as far as parameters are exact.
    pub(crate) fn run(
        &mut self,
        window: &Window,
        positive: bool,
        counters: &mut Counters,
    ) -> Verdict {
        self.queue.clear();
        self.normal = None;
        self.test.axis_tests = 0;
        let verdict = self.best_first(window, positive, counters);
        counters.axes += self.test.axis_tests;
        verdict
    }

    /// The part of the horizon in which the whole patches can overlap, by one inclusion test.
    pub(crate) fn overlap_interval(&mut self) -> Option<[f64; 2]> {
        let whole = [0.0, 1.0];
        self.choose_axes([ROOT; 2], [0, 0], whole);
        let nets = [0, 1].map(|side| self.arenas[side].nets(0));
        let overlaps = self.test.time_dependent(nets, &self.axes, whole, 1) != 0;
        overlaps.then_some(self.test.remaining[0])
    }

    fn best_first(&mut self, window: &Window, positive: bool, counters: &mut Counters) -> Verdict {
        let Options {
            delta,
            method,
            max_boxes,
            ..
        } = self.options;
        let first_small_level = level_below(delta);
        let whole = Entry {
            start: window.interval[0],
            end: window.interval[1],
            nodes: [ROOT; 2],
            level: 0,
            stalled: 0,
        };
        if counters.boxes >= max_boxes {
            return Verdict::Exhausted { start: whole.start };
        }
        self.expand(&whole, 0, Children::ROOTS, counters);
        let mut upper = UpperBound::new(whole.end);
        let mut opened = 0;
        while let Some(mut entry) = self.queue.pop() {
            // Boxes are cut at the upper bound: only up to there does the queue say what is free.
            if entry.start.min(upper.time) > window.cutoff {
                return Verdict::Clear;
            }
            counters.popped += 1;
            if method == Method::TwoSided && upper.is_due(&self.arenas, &entry) {
                counters.solves += 1;
                upper.offer(self.solve_locally(&entry, upper.time));
                self.normal = upper.witness.and_then(|witness| witness.normal);
            }
            let refine = positive && entry.start == 0.0;
            if let Some(witness) = upper.witness {
                if entry.start >= upper.time {
                    // So are all others: nothing is left before the witness.
                    break;
                }
                if upper.time - entry.start <= self.time_tolerance && !refine {
                    return accepted([entry.start, upper.time], witness);
                }
                entry.end = entry.end.min(upper.time);
            }
            let ends = entry.end - entry.start < self.time_tolerance
                || method != Method::Traditional && entry.stalled >= STALLED;
            let may_end = ends && (entry.level >= first_small_level || self.epsilon > 0.0);
            if may_end && !refine && self.is_small(&entry)
                || entry.level >= MAX_LEVEL && self.is_finest(&entry)
            {
                return Verdict::Accepted {
                    interval: [entry.start, entry.end],
                    parameters: self.centres(&entry),
                    witnessed: false,
                };
            }
            opened += 1;
            let splits = self.splits(&entry, opened);
            let children = split(&mut self.arenas, entry.nodes, splits);
            let boxes = children.pairs.count_ones() as usize * method.time_pieces();
            if counters.boxes + boxes as u64 > max_boxes {
                return Verdict::Exhausted { start: entry.start };
            }
            self.expand(&entry, entry.level + 1, children, counters);
        }
        match upper.witness {
            Some(witness) => accepted([upper.time; 2], witness),
            None => Verdict::Clear,
        }
    }

    /// Makes sure that the nets of a box's sub-patches are there.
    fn load_nets(&mut self, entry: &Entry) {
        for (arena, node) in self.arenas.iter_mut().zip(entry.nodes) {
            arena.trim();
            arena.load(node / 4);
        }
    }

    /// Whether both sub-patches of a box are small enough to be accepted.
    fn is_small(&mut self, entry: &Entry) -> bool {
        let (delta, epsilon, t) = (self.options.delta, self.epsilon, entry.start);
        (0..2).all(|side| {
            let (arena, node) = (&mut self.arenas[side], entry.nodes[side]);
            if arena.width(node) < delta {
                return true;
            }
            arena.trim();
            arena.load(node / 4);
            let size = arena.size(node, t);
            size <= epsilon || size < delta * arena.size(ROOT, t)
        })
    }

    /// Whether neither sub-patch of a box can be split.
    fn is_finest(&self, entry: &Entry) -> bool {
        (0..2).all(|side| self.arenas[side].width(entry.nodes[side]) <= LEAST_WIDTH)
    }

    /// Looks for a contact near the middle of a box, up to a time.
    fn solve_locally(&mut self, entry: &Entry, latest: f64) -> Option<Witness> {
        let start = Start {
            parameters: self.centres(entry),
            time: entry.start,
            width: (0..2).fold(0.0, |widest, side| {
                self.arenas[side].width(entry.nodes[side]).max(widest)
            }),
        };
        let target = Target {
            separation: self.min_separation,
            latest,
            // Well below what decides.
            tolerance: 1e-3 * self.options.delta,
            moves: self.options.t_max > 0.0,
        };
        find_contact(&mut self.arenas, &self.extents, &start, &target)
    }

    /// The parameters in the middle of a box.
    fn centres(&self, entry: &Entry) -> [(f64, f64); 2] {
        [0, 1].map(|side| {
            let arena = &self.arenas[side];
            arena.shape().centre(&arena.cell(entry.nodes[side]))
        })
    }
}

/// The longest sides of the boxes around the control points of both patches: at the start, and of their displacements, hence how
/// much they can approach each other.
fn spread(arenas: &[Arena; 2]) -> [f64; 2] {
    [0, 3].map(|first| {
        let rows = arenas.iter().flat_map(|arena| arena.rows());
        let points = rows.map(|row| [row[first], row[first + 1], row[first + 2]]);
        BoundingBox::around(points).longest_side()
    })
}

/// The middle of all control points at the start. Coordinates are taken relative to it, so that errors do not grow with
/// the distance from the origin.
fn middle(views: &[MotionView<'_>; 2]) -> Point3<f64> {
    let points = views.iter().flat_map(|view| view.points);
    Point3::from(BoundingBox::around(points.map(|point| point.coords.into())).middle())
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

fn accepted(interval: [f64; 2], witness: Witness) -> Verdict {
    Verdict::Accepted {
        interval,
        parameters: witness.parameters,
        witnessed: true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_the_level_are_below_delta() {
        for delta in [
            1.0,
            0.75,
            0.5,
            0.1,
            1e-2,
            1e-6,
            2.0_f64.powi(-20),
            2.0_f64.powi(-40),
        ] {
            let level = level_below(delta) as i32;
            assert!(
                0.5_f64.powi(level) < delta && 0.5_f64.powi(level - 1) >= delta,
                "{delta}"
            );
        }
    }

    /// Patches that meet nearly parallel, where a witness and the error bounds tell contact apart differently.
    #[test]
    fn a_cutoff_at_the_answer_does_not_change_it() {
        use crate::Moving;
        use crate::geometry::TensorProductPatch;
        use nalgebra::{Point3, Vector3};

        let mut search = Search::new();
        for case in 0..400 {
            let n = [1, 3, 8, 12][case % 4];
            let sheet = |z: f64, wiggle: f64| {
                let net: Vec<_> = (0..(n + 1) * (n + 1))
                    .map(|k| {
                        let (i, j) = ((k / (n + 1)) as f64, (k % (n + 1)) as f64);
                        let bump = (1.3 * k as f64 + case as f64).sin();
                        Point3::new(i / n as f64, j / n as f64, z + wiggle * bump)
                    })
                    .collect();
                TensorProductPatch::new(n, n, &net).unwrap()
            };
            let wiggle = 1e-14 * (1 + case % 7) as f64;
            let falling = Moving::translating(sheet(1.0, wiggle), Vector3::z() * -1.5).unwrap();
            let floor = Moving::resting(sheet(0.0, 0.0));
            search.load(&[falling.view(), floor.view()], &Options::default());
            let mut counters = Counters::default();
            let mut start = |cutoff| {
                let window = Window {
                    cutoff,
                    ..Window::WHOLE
                };
                match search.run(&window, false, &mut counters) {
                    Verdict::Accepted { interval, .. } => Some(interval),
                    _ => None,
                }
            };
            let answer = start(1.0).unwrap();
            assert_eq!(start(answer[0]), Some(answer), "case {case}");
            assert_eq!(start(answer[0].next_down()), None, "case {case}");
        }
    }
}
