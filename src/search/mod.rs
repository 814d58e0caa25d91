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

use crate::geometry::Cell;
use crate::inclusion::{
    Axis, COORDINATE_AXES, Direction, Directions, Pairs, SiblingNets, SiblingTest, box_axes,
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
    pub(crate) fn load(&mut self, views: [&MotionView<'_>; 2], options: &Options, t_max: f64) {
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

    /// Searches the horizon for the first contact of the patches taken in.
    pub(crate) fn run(&mut self, options: &Options, counters: &mut Counters) -> Verdict {
        self.queue.clear();
        self.test.axis_tests = 0;
        let verdict = self.best_first(options, counters);
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

    fn best_first(&mut self, options: &Options, counters: &mut Counters) -> Verdict {
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
        self.expand(&whole, [0, 0], 1, options, counters);
        while let Some(entry) = self.queue.pop() {
            counters.popped += 1;
            let small = entry.level >= first_small_level
                && (entry.end - entry.start < delta
                    || options.method == Method::TimeDependent && !entry.advanced);
            if small || entry.level == MAX_LEVEL {
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
            self.expand(&entry, families, pairs, options, counters);
        }
        Verdict::Clear
    }

    /// Tests the pairs of two families over the interval of their parents' box, and queues those that may overlap.
    fn expand(
        &mut self,
        parent: &Entry,
        families: [u32; 2],
        pairs: Pairs,
        options: &Options,
        counters: &mut Counters,
    ) {
        let level = if families == [0, 0] {
            0
        } else {
            parent.level + 1
        };
        counters.deepest_level = counters.deepest_level.max(level);
        let pieces = options.method.time_pieces();
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
                let spans = [0, 1].map(|side| {
                    self.arenas[side].shape().spans().map(|span| {
                        span.map_or([0.0; 3], |differences| {
                            difference_sum(nets[side], differences, interval[0])
                        })
                    })
                });
                box_axes(spans, &mut self.directions);
                if self.min_separation > 0.0 {
                    // Between edges and corners only the line of closest approach separates by the distance.
                    let [one, two] = nets.map(|net| centre(net, interval[0]));
                    self.directions
                        .extend(scaled(std::array::from_fn(|c| one[c] - two[c])));
                }
            }
        }
        let errors: [f64; 2] = std::array::from_fn(|side| {
            let arena = &self.arenas[side];
            let averages = arena.shape().averages_per_level();
            projection_error(averages, arena.level(families[side] * 4))
        });
        let reach: [f64; 3] = std::array::from_fn(|c| {
            (0..2)
                .map(|side| {
                    let [start, displacement] = self.extents[side];
                    errors[side] * (start[c] + interval[1] * displacement[c])
                })
                .sum()
        });
        self.axes.clear();
        self.axes.extend(self.directions.iter().map(|&direction| {
            let separation = self.min_separation * length_rounded_up(direction);
            let error = (0..3).map(|c| direction[c].abs() * reach[c]).sum::<f64>()
                + 2.0 * UNIT_ROUNDOFF * separation
                + UNDERFLOW;
            Axis {
                direction,
                margin: separation + error,
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
