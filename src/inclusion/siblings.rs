//! The inclusion test of all pairs of children of two sub-patches at once.
//!
//! On one axis the control points of a piece project to lines in t; with min and max over the points, the gap
//! g(t) = min₁(t) − max₂(t) is concave, and so is min₂(t) − max₁(t). Hence a pair is separated throughout an interval
//! when one of its gaps is positive at both ends, and when it is positive at one end only, the interval can be cut
//! off there up to the gap's root. Both are *verified* by evaluation: "positive" means larger than a bound of all
//! rounding errors (see [`crate::rounding`]), and a cut is made only where the gap, as evaluated at the new end, is.
//!
//! The four children of each sub-patch are projected together, one lane each, on axes shared by all sixteen pairs.

use super::lanes::Lanes;

/// The control nets of the children of a sub-patch, side by side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SiblingNets<'a> {
    count: usize,
    /// x, y, z, then displacement x, y, z; `count` each.
    coordinates: &'a [Lanes],
}

impl<'a> SiblingNets<'a> {
    pub(crate) fn new(count: usize, coordinates: &'a [Lanes]) -> Self {
        Self { count, coordinates }
    }

    /// Number of control points of a child.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Coordinate `c` (0 to 2) of control point `k` of a child at time `t`.
    pub(crate) fn coordinate(&self, lane: usize, k: usize, c: usize, t: f64) -> f64 {
        self.coordinates[c * self.count + k][lane]
            + t * self.coordinates[(3 + c) * self.count + k][lane]
    }

    /// Coordinate `c` of all points of all children at time `t`.
    #[inline(always)]
    fn at(&self, c: usize, t: f64) -> impl Iterator<Item = Lanes> {
        let start = &self.coordinates[c * self.count..][..self.count];
        let displacement = &self.coordinates[(3 + c) * self.count..][..self.count];
        let t = Lanes::splat(t);
        start
            .iter()
            .zip(displacement)
            .map(move |(&p, &v)| p + t * v)
    }
}

/// An axis to project on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    /// Direction, of size about 1.
    pub(crate) direction: [f64; 3],
    /// A gap, as computed, larger than this proves separation: rounding errors and minimum separation.
    pub(crate) margin: f64,
    /// The rounding errors alone.
    pub(crate) error: f64,
}

/// What one axis says of the pairs (i, 0..4) of children: the gaps beyond the margin at both ends of the interval.
#[derive(Clone, Copy, Debug, Default)]
struct RowGaps {
    /// [min₁ − max₂, min₂ − max₁], each at [start, end].
    gaps: [[Lanes; 2]; 2],
}

/// Projections of one family: values of each point at the start and at the end of the interval.
type Projection = [Lanes; 2];

/// Reusable memory and results of the test.
#[derive(Debug, Default)]
pub(crate) struct SiblingTest {
    moved: [[Vec<Lanes>; 2]; 2],
    projections: [Vec<Projection>; 2],
    rows: Vec<[RowGaps; 4]>,
    /// Per pair (i · 4 + j): what remains of the interval, as fractions of it.
    pub(crate) remaining: [[f64; 2]; 16],
    /// Axis tests done: pairs still alive times axes.
    pub(crate) axis_tests: u64,
}

/// A set of the sixteen pairs; bit 4i + j for child i of the first and child j of the second sub-patch.
pub(crate) type Pairs = u16;

impl SiblingTest {
    /// Tests the `alive` pairs over the times `interval` = [a, b] within [0, 1], and returns those that may overlap in
    /// it; what is left of their interval goes to `remaining`.
    pub(crate) fn time_dependent(
        &mut self,
        nets: [SiblingNets<'_>; 2],
        axes: &[Axis],
        interval: [f64; 2],
        alive: Pairs,
    ) -> Pairs {
        let alive = pulp::Arch::new().dispatch(
            #[inline(always)]
            || self.separate(nets, axes, interval, alive, false),
        );
        self.cut(nets, axes, alive)
    }

    /// The same for the traditional method: the control points' convex hull over the whole interval, start and end
    /// taken together, and an interval that is kept or dropped but never cut.
    pub(crate) fn swept(
        &mut self,
        nets: [SiblingNets<'_>; 2],
        axes: &[Axis],
        interval: [f64; 2],
        alive: Pairs,
    ) -> Pairs {
        pulp::Arch::new().dispatch(
            #[inline(always)]
            || self.separate(nets, axes, interval, alive, true),
        )
    }

    /// Projects on each axis in turn and drops the pairs that it separates throughout.
    #[inline(always)]
    fn separate(
        &mut self,
        nets: [SiblingNets<'_>; 2],
        axes: &[Axis],
        interval: [f64; 2],
        mut alive: Pairs,
        swept: bool,
    ) -> Pairs {
        let counts = [nets[0].count, nets[1].count];
        for side in 0..2 {
            for end in 0..2 {
                let moved = &mut self.moved[side][end];
                moved.clear();
                for c in 0..3 {
                    moved.extend(nets[side].at(c, interval[end]));
                }
            }
            self.projections[side].clear();
            self.projections[side].resize(axes.len() * counts[side], Projection::default());
        }
        self.rows.clear();

        // The largest gap that some axis leaves throughout the interval, per pair.
        let mut widest: [Lanes; 4] = std::array::from_fn(|i| {
            Lanes(std::array::from_fn(|j| {
                if alive >> (4 * i + j) & 1 == 1 {
                    f64::NEG_INFINITY
                } else {
                    f64::INFINITY
                }
            }))
        });
        for (a, axis) in axes.iter().enumerate() {
            self.axis_tests += u64::from(alive.count_ones());
            let [one, two] = [0, 1].map(
                #[inline(always)]
                |side| {
                    let count = counts[side];
                    let moved = &self.moved[side];
                    let projections = &mut self.projections[side][a * count..][..count];
                    project(axis.direction, [&moved[0], &moved[1]], projections)
                },
            );
            let margin = Lanes::splat(axis.margin);
            let mut rows = [RowGaps::default(); 4];
            for i in 0..4 {
                let gaps = [
                    [0, 1].map(
                        #[inline(always)]
                        |end| Lanes::splat(one.min[end][i]) - two.max[end] - margin,
                    ),
                    [0, 1].map(
                        #[inline(always)]
                        |end| two.min[end] - Lanes::splat(one.max[end][i]) - margin,
                    ),
                ];
                rows[i].gaps = gaps;
                let throughout = if swept {
                    let [least, most] = [
                        one.min[0][i].min(one.min[1][i]),
                        one.max[0][i].max(one.max[1][i]),
                    ];
                    (Lanes::splat(least) - two.max[0].max(two.max[1]) - margin)
                        .max(two.min[0].min(two.min[1]) - Lanes::splat(most) - margin)
                } else {
                    (gaps[0][0].min(gaps[0][1])).max(gaps[1][0].min(gaps[1][1]))
                };
                widest[i] = widest[i].max(throughout);
            }
            self.rows.push(rows);
            alive = 0;
            for i in 0..4 {
                for j in 0..4 {
                    alive |= u16::from(widest[i][j] <= 0.0) << (4 * i + j);
                }
            }
            if alive == 0 {
                break;
            }
        }
        alive
    }

    /// Cuts off the ends of the intervals of the pairs alive, axis after axis.
    fn cut(&mut self, nets: [SiblingNets<'_>; 2], axes: &[Axis], mut alive: Pairs) -> Pairs {
        let mut left = alive;
        while left != 0 {
            let pair = left.trailing_zeros() as usize;
            left &= left - 1;
            let (i, j) = (pair / 4, pair % 4);
            let mut remaining = [0.0, 1.0];
            let overlaps = axes
                .iter()
                .zip(&self.rows)
                .enumerate()
                .all(|(a, (axis, rows))| {
                    let gaps = rows[i].gaps;
                    (0..2).all(|side| {
                        let ends = gaps[side].map(|end| end[j]);
                        if ends[0] <= 0.0 && ends[1] <= 0.0 {
                            return true;
                        }
                        let project = |family: usize| {
                            let count = nets[family].count;
                            &self.projections[family][a * count..][..count]
                        };
                        let gap = if side == 0 {
                            Gap {
                                above: (project(0), i),
                                below: (project(1), j),
                                axis,
                            }
                        } else {
                            Gap {
                                above: (project(1), j),
                                below: (project(0), i),
                                axis,
                            }
                        };
                        gap.cut(ends, &mut remaining)
                    })
                });
            self.remaining[pair] = remaining;
            if !overlaps {
                alive &= !(1 << pair);
            }
        }
        alive
    }
}

/// Least and largest projection of each child, at the start and at the end of the interval.
struct Extents {
    min: [Lanes; 2],
    max: [Lanes; 2],
}

#[inline(always)]
fn project(direction: [f64; 3], moved: [&[Lanes]; 2], projections: &mut [Projection]) -> Extents {
    let count = projections.len();
    let [x, y, z] = direction.map(
        #[inline(always)]
        |e| Lanes::splat(e),
    );
    let mut min = [Lanes::splat(f64::INFINITY); 2];
    let mut max = [Lanes::splat(f64::NEG_INFINITY); 2];
    let starts = (
        &moved[0][..count],
        &moved[0][count..][..count],
        &moved[0][2 * count..][..count],
    );
    let ends = (
        &moved[1][..count],
        &moved[1][count..][..count],
        &moved[1][2 * count..][..count],
    );
    for k in 0..count {
        let start = x * starts.0[k] + y * starts.1[k] + z * starts.2[k];
        let end = x * ends.0[k] + y * ends.1[k] + z * ends.2[k];
        projections[k] = [start, end];
        min = [min[0].min(start), min[1].min(end)];
        max = [max[0].max(start), max[1].max(end)];
    }
    Extents { min, max }
}

/// The gap of one pair on one side of one axis: the least projection of the piece above minus the largest of
/// the piece below, minus the margin.
struct Gap<'a> {
    above: (&'a [Projection], usize),
    below: (&'a [Projection], usize),
    axis: &'a Axis,
}

/// Newton steps before a cut is given up. On a piecewise linear function each step lands on another piece; more than a
/// few are rare, and giving up only keeps a longer interval.
const NEWTON_STEPS: usize = 16;

impl Gap<'_> {
    /// The gap and its slope at the fraction `r` of the interval.
    fn at(&self, r: f64) -> (f64, f64) {
        let (mut least, mut least_slope) = (f64::INFINITY, 0.0);
        for projection in self.above.0 {
            let (start, end) = (projection[0][self.above.1], projection[1][self.above.1]);
            let slope = end - start;
            let value = start + r * slope;
            if value < least {
                (least, least_slope) = (value, slope);
            }
        }
        let (mut largest, mut largest_slope) = (f64::NEG_INFINITY, 0.0);
        for projection in self.below.0 {
            let (start, end) = (projection[0][self.below.1], projection[1][self.below.1]);
            let slope = end - start;
            let value = start + r * slope;
            if value > largest {
                (largest, largest_slope) = (value, slope);
            }
        }
        (
            least - largest - self.axis.margin,
            least_slope - largest_slope,
        )
    }

    /// Cuts off where the gap is positive at the ends of `remaining`; false when nothing remains.
    ///
    /// `ends` are the gaps at the ends of the whole interval.
    fn cut(&self, ends: [f64; 2], remaining: &mut [f64; 2]) -> bool {
        let [low, high] = *remaining;
        let at_low = if low == 0.0 && ends[0] <= 0.0 {
            None
        } else {
            Some(self.at(low))
        };
        let at_high = if high == 1.0 && ends[1] <= 0.0 {
            None
        } else {
            Some(self.at(high))
        };
        let separated = |end: Option<(f64, f64)>| end.filter(|end| end.0 > 0.0);
        match (separated(at_low), separated(at_high)) {
            (Some(_), Some(_)) => false,
            (Some((gap, slope)), None) => {
                if let Some(r) = self.crossing(low, gap, slope, high) {
                    remaining[0] = r;
                }
                true
            }
            (None, Some((gap, slope))) => {
                if let Some(r) = self.crossing(high, gap, slope, low) {
                    remaining[1] = r;
                }
                true
            }
            (None, None) => true,
        }
    }

    /// The point farthest from `from`, where the gap is positive, towards `to`, where it is not, at which it is verified
    /// to be positive still.
    ///
    /// Newton's method for gap = error: the tangent at `from` overestimates a concave function, so its root lies beyond
    /// the gap's, and from there the iterates come back monotonically, through finitely many pieces.
    fn crossing(&self, from: f64, gap: f64, slope: f64, to: f64) -> Option<f64> {
        let error = self.axis.error;
        if gap <= error {
            return None;
        }
        let beyond = |r: f64| if to > from { r >= to } else { r <= to };
        let mut r = from - (gap - error) / slope;
        if !(if to > from { r > from } else { r < from }) || beyond(r) {
            r = to;
        }
        for _ in 0..NEWTON_STEPS {
            let (value, slope) = self.at(r);
            if value > 0.0 {
                return Some(r);
            }
            r -= (value - error) / slope;
            if !(if to > from {
                r > from && r < to
            } else {
                r < from && r > to
            }) {
                return None;
            }
        }
        None
    }
}
