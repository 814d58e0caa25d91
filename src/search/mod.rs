//! When do two pieces first meet?
//!
//! One best-first search serves every pair of patches. It subdivides only the four parameters (u1, v1, u2, v2), sixteen
//! pairs of children at a time; time is *solved* for by the inclusion test, which cuts each child's interval. The box
//! with the least entry time is always next, so when one is small enough to be accepted, its entry time is a lower bound
//! for every contact. The traditional method it is compared with halves time as well and keeps or drops boxes whole.
//!
//! Inside the search coordinates are scaled by a power of two to about 1 and the horizon to 1, so that neither the
//! size of a scene nor its units of time can over- or underflow anything.

mod arena;
mod queue;

use crate::geometry::{Cell, Shape};
use crate::inclusion::{
    Axis, COORDINATE_AXES, Direction, Directions, Pairs, SiblingNets, SiblingTest, axes_between,
    length_rounded_up, scaled,
};
use crate::motion::MotionView;
use crate::query::{Counters, Inclusion, Method, Options};
use crate::rounding::{UNDERFLOW, UNIT_ROUNDOFF, projection_error, reciprocal_power_of_two};
use arena::{Arena, Node, ROOT};
use queue::{Entry, Queue};

/// Deeper cells have corners that are not exact doubles.
const MAX_LEVEL: u32 = 52;

/// How a search ended. Times are fractions of the horizon.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Verdict {
    /// Proven: no contact within the horizon.
    Clear,
    /// A box too small to be split, with its interval and the two parts of the parameter domains.
    Accepted {
        interval: [f64; 2],
        cells: [Cell; 2],
    },
    /// The budget ended; proven: no contact before this time.
    Exhausted { start: f64 },
}

/// The memory of a search.
#[derive(Debug)]
pub(crate) struct Search {
    arenas: [Arena; 2],
    queue: Queue,
    test: SiblingTest,
    directions: Directions,
    axes: Vec<Axis>,
    /// Per patch, per coordinate: largest start coordinate and largest displacement.
    extents: [[[f64; 3]; 2]; 2],
    min_separation: f64,
    inclusion: Inclusion,
}

impl Search {
    pub(crate) fn new() -> Self {
        Self {
            arenas: [Arena::new(), Arena::new()],
            queue: Queue::new(),
            test: SiblingTest::default(),
            directions: Directions::new(),
            axes: Vec::new(),
            extents: [[[0.0; 3]; 2]; 2],
            min_separation: 0.0,
            inclusion: Inclusion::default(),
        }
    }

    /// Takes in two patches.
    pub(crate) fn load(&mut self, views: &[MotionView<'_>; 2], options: &Options, t_max: f64) {
        let largest = views
            .iter()
            .flat_map(|view| {
                let points = view.points.iter().map(|p| p.coords.amax());
                points.chain(view.velocities.iter().map(|v| v.amax() * t_max))
            })
            .fold(options.min_separation, f64::max);
        let scale = if largest == 0.0 {
            1.0
        } else {
            reciprocal_power_of_two(largest)
        };
        for (arena, view) in self.arenas.iter_mut().zip(views) {
            arena.reset(view, scale, t_max);
        }
        self.extents = [self.arenas[0].extent(), self.arenas[1].extent()];
        self.min_separation = options.min_separation * scale;
        self.inclusion = options.inclusion;
    }

    /// Searches the horizon for the first contact of the patches taken in. With `positive`, a box that starts at 0 is
    /// not accepted but refined on.
    pub(crate) fn run(
        &mut self,
        options: &Options,
        positive: bool,
        counters: &mut Counters,
    ) -> Verdict {
        self.queue.clear();
        self.test.axis_tests = 0;
        let verdict = self.best_first(options, positive, counters);
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

    fn best_first(
        &mut self,
        options: &Options,
        positive: bool,
        counters: &mut Counters,
    ) -> Verdict {
        let delta = options.delta;
        let first_small_level = (0..MAX_LEVEL)
            .find(|&level| 0.5_f64.powi(level as i32) < delta)
            .unwrap_or(MAX_LEVEL);
        let whole = Entry {
            start: 0.0,
            end: 1.0,
            nodes: [ROOT; 2],
            level: 0,
            advanced: true,
        };
        let budget = options.max_boxes;
        self.expand(&whole, 0, [0, 0], 1, options, counters);
        while let Some(entry) = self.queue.pop() {
            counters.popped += 1;
            let small = entry.level >= first_small_level
                && (entry.end - entry.start < delta
                    || options.method == Method::TimeDependent && !entry.advanced);
            let deepest = entry.level == MAX_LEVEL;
            let refine = positive && entry.start == 0.0;
            if deepest && refine {
                return Verdict::Exhausted { start: 0.0 };
            }
            if deepest || small && !refine {
                return Verdict::Accepted {
                    interval: [entry.start, entry.end],
                    cells: [0, 1].map(|side| self.arenas[side].cell(entry.nodes[side])),
                };
            }
            let counts = [0, 1].map(|side| self.arenas[side].shape().children());
            if counters.boxes + (counts[0] * counts[1] * options.method.time_pieces()) as u64
                > budget
            {
                return Verdict::Exhausted { start: entry.start };
            }
            let families = [0, 1].map(|side| {
                self.arenas[side].trim();
                let family = self.arenas[side].children(entry.nodes[side]);
                self.arenas[side].load(family);
                family
            });
            let pairs = all_pairs(counts);
            self.expand(&entry, entry.level + 1, families, pairs, options, counters);
        }
        Verdict::Clear
    }

    /// Tests the pairs of two families, sub-patches of a level, over the interval of their parents' box, and queues those
    /// that may overlap.
    fn expand(
        &mut self,
        parent: &Entry,
        level: u32,
        families: [u32; 2],
        pairs: Pairs,
        options: &Options,
        counters: &mut Counters,
    ) {
        counters.deepest_level = counters.deepest_level.max(level);
        let pieces = if level == 0 {
            1
        } else {
            options.method.time_pieces()
        };
        for piece in 0..pieces {
            let length = (parent.end - parent.start) / pieces as f64;
            let start = parent.start + piece as f64 * length;
            let end = if piece + 1 == pieces {
                parent.end
            } else {
                start + length
            };
            counters.boxes += u64::from(pairs.count_ones());
            self.choose_axes(parent.nodes, families, [start, end]);
            let nets = [0, 1].map(|side| self.arenas[side].nets(families[side]));
            let mut left = match options.method {
                Method::TimeDependent => {
                    self.test
                        .time_dependent(nets, &self.axes, [start, end], pairs)
                }
                Method::Traditional => self.test.swept(nets, &self.axes, [start, end], pairs),
            };
            while left != 0 {
                let pair = left.trailing_zeros();
                left &= left - 1;
                let [from, to] = match options.method {
                    Method::TimeDependent => self.test.remaining[pair as usize],
                    Method::Traditional => [0.0, 1.0],
                };
                let length = end - start;
                let entry = Entry {
                    start: if from > 0.0 {
                        (start + from * length).min(end)
                    } else {
                        start
                    },
                    end: if to < 1.0 {
                        (start + to * length).min(end)
                    } else {
                        end
                    },
                    nodes: [families[0] * 4 + pair / 4, families[1] * 4 + pair % 4],
                    level,
                    advanced: false,
                };
                let advanced = level == 0 || entry.start - parent.start >= 0.5 * options.delta;
                self.queue.push(Entry { advanced, ..entry });
            }
        }
        counters.peak_queue = counters.peak_queue.max(self.queue.len());
    }

    /// The axes for the children of two sub-patches: those of the parents' boxes at the start of the interval.
    fn choose_axes(&mut self, parents: [Node; 2], families: [u32; 2], interval: [f64; 2]) {
        self.directions.clear();
        match self.inclusion {
            Inclusion::Aabb => self.directions.extend(COORDINATE_AXES),
            Inclusion::Obb => {
                let nets = [0, 1].map(|side| {
                    let arena = &self.arenas[side];
                    (arena.nets(parents[side] / 4), parents[side] as usize % 4)
                });
                let shapes = [0, 1].map(|side| self.arenas[side].shape());
                let spans = [0, 1].map(|side| {
                    let sum = |differences| difference_sum(nets[side], differences, interval[0]);
                    shapes[side].spans().map(|span| span.map(sum))
                });
                // Between edges and corners only the line of closest approach separates by the distance.
                let apart = self.min_separation > 0.0;
                let surfaces = shapes.iter().all(Shape::is_surface);
                let offset = if apart || !surfaces {
                    let [one, two] = nets.map(|net| centre(net, interval[0]));
                    std::array::from_fn(|c| one[c] - two[c])
                } else {
                    [0.0; 3]
                };
                axes_between(spans, offset, &mut self.directions);
                if apart {
                    self.directions.extend(scaled(offset));
                }
            }
        }
        let errors: [f64; 2] = std::array::from_fn(|side| {
            let arena = &self.arenas[side];
            let averages = arena.shape().averages_per_level();
            projection_error(averages, arena.level(families[side] * 4))
        });
        // The largest coordinates at both ends of the interval, each times its patch's error.
        let reach: [[f64; 3]; 2] = interval.map(|t| {
            std::array::from_fn(|c| {
                let reach = |side: usize| {
                    let [start, displacement] = self.extents[side];
                    errors[side] * (start[c] + t * displacement[c])
                };
                reach(0) + reach(1)
            })
        });
        self.axes.clear();
        self.axes.extend(self.directions.iter().map(|&direction| {
            let [x, y, z] = direction.map(f64::abs);
            let separation = self.min_separation * length_rounded_up(direction);
            let error = reach.map(|reach| {
                x * reach[0]
                    + y * reach[1]
                    + z * reach[2]
                    + 2.0 * UNIT_ROUNDOFF * separation
                    + UNDERFLOW
            });
            Axis {
                direction,
                margin: error.map(|error| separation + error),
                error,
            }
        }));
    }
}

fn all_pairs(counts: [usize; 2]) -> Pairs {
    let row = (1_u16 << counts[1]) - 1;
    (0..counts[0]).fold(0, |pairs, i| pairs | row << (4 * i))
}

fn difference_sum(
    (net, lane): (SiblingNets<'_>, usize),
    differences: [(usize, usize); 2],
    t: f64,
) -> Direction {
    std::array::from_fn(|c| {
        differences
            .iter()
            .map(|&(from, to)| net.coordinate(lane, to, c, t) - net.coordinate(lane, from, c, t))
            .sum()
    })
}

/// The mean of the control points at time `t`.
fn centre((net, lane): (SiblingNets<'_>, usize), t: f64) -> Direction {
    std::array::from_fn(|c| {
        let sum: f64 = (0..net.count())
            .map(|k| net.coordinate(lane, k, c, t))
            .sum();
        sum / net.count() as f64
    })
}
