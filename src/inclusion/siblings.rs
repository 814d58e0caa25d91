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

/// [`SiblingTest::separate`] as an operation to be dispatched.
struct Separate<'a, const SWEPT: bool> {
    test: &'a mut SiblingTest,
    nets: [SiblingNets<'a>; 2],
    axes: &'a [Axis],
    interval: [f64; 2],
    alive: Pairs,
}

impl<const SWEPT: bool> pulp::WithSimd for Separate<'_, SWEPT> {
    type Output = Pairs;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) -> Pairs {
        let Self {
            test,
            nets,
            axes,
            interval,
            alive,
        } = self;
        let alive = test.separate::<SWEPT>(nets, axes, interval, alive);
        if SWEPT {
            alive
        } else {
            test.cut(nets, axes, alive)
        }
    }
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
    moved: [Vec<[Lanes; 2]>; 2],
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
        pulp::Arch::new().dispatch(Separate::<false> {
            test: self,
            nets,
            axes,
            interval,
            alive,
        })
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
        pulp::Arch::new().dispatch(Separate::<true> {
            test: self,
            nets,
            axes,
            interval,
            alive,
        })
    }

    /// Projects on each axis in turn and drops the pairs that it separates throughout.
    //
    // Written without closures: the compiler inlines those of `array::map` only when it likes, and what is not inlined
    // is not vectorised.
    #[inline(always)]
    fn separate<const SWEPT: bool>(
        &mut self,
        nets: [SiblingNets<'_>; 2],
        axes: &[Axis],
        interval: [f64; 2],
        mut alive: Pairs,
    ) -> Pairs {
        for side in 0..2 {
            move_net(&nets[side], interval, &mut self.moved[side]);
            self.projections[side].resize(axes.len() * nets[side].count, Projection::default());
        }
        self.rows.clear();

        // The largest gap that some axis leaves throughout the interval, per pair.
        let mut widest = [Lanes::default(); 4];
        for pair in 0..16 {
            let dead = alive >> pair & 1 == 0;
            widest[pair / 4].0[pair % 4] = if dead {
                f64::INFINITY
            } else {
                f64::NEG_INFINITY
            };
        }
        for (a, axis) in axes.iter().enumerate() {
            self.axis_tests += u64::from(alive.count_ones());
            let one = project(
                axis.direction,
                &self.moved[0],
                &mut self.projections[0][a * nets[0].count..][..nets[0].count],
            );
            let two = project(
                axis.direction,
                &self.moved[1],
                &mut self.projections[1][a * nets[1].count..][..nets[1].count],
            );
            let margin = Lanes::splat(axis.margin);
            let mut rows = [RowGaps::default(); 4];
            for i in 0..4 {
                let least = [Lanes::splat(one.min[0][i]), Lanes::splat(one.min[1][i])];
                let most = [Lanes::splat(one.max[0][i]), Lanes::splat(one.max[1][i])];
                let gaps = [
                    [
                        least[0] - two.max[0] - margin,
                        least[1] - two.max[1] - margin,
                    ],
                    [two.min[0] - most[0] - margin, two.min[1] - most[1] - margin],
                ];
                rows[i].gaps = gaps;
                let throughout = if SWEPT {
                    (least[0].min(least[1]) - two.max[0].max(two.max[1]) - margin)
                        .max(two.min[0].min(two.min[1]) - most[0].max(most[1]) - margin)
                } else {
                    gaps[0][0].min(gaps[0][1]).max(gaps[1][0].min(gaps[1][1]))
                };
                widest[i] = widest[i].max(throughout);
            }
            self.rows.push(rows);
            alive = 0;
            for i in 0..4 {
                for j in 0..4 {
                    alive |= u16::from(widest[i].0[j] <= 0.0) << (4 * i + j);
                }
            }
            if alive == 0 {
                break;
            }
        }
        alive
    }

    /// Cuts off both ends of the intervals of the pairs alive, as far as some axis separates them there.
    ///
    /// By concavity the gap lies above its chord, so the chord's root is a cut that costs no evaluation. Of all axes the one
    /// with the farthest such cut is then followed to its own root.
    #[inline(always)]
    fn cut(&mut self, nets: [SiblingNets<'_>; 2], axes: &[Axis], mut alive: Pairs) -> Pairs {
        let mut left = alive;
        while left != 0 {
            let pair = left.trailing_zeros() as usize;
            left &= left - 1;
            let (i, j) = (pair / 4, pair % 4);
            let mut remaining = [0.0, 1.0];
            let mut best = [None; 2];
            for (a, (axis, rows)) in axes.iter().zip(&self.rows).enumerate() {
                for side in 0..2 {
                    let [start, end] = rows[i].gaps[side];
                    let (start, end) = (start[j], end[j]);
                    if start > axis.error {
                        let r = (start - axis.error) / (start - end);
                        if r > remaining[0] {
                            remaining[0] = r;
                            best[0] = Some((a, side));
                        }
                    } else if end > axis.error {
                        let r = 1.0 - (end - axis.error) / (end - start);
                        if r < remaining[1] {
                            remaining[1] = r;
                            best[1] = Some((a, side));
                        }
                    }
                }
            }
            for end in 0..2 {
                if let Some((a, side)) = best[end] {
                    let (one, two) = (nets[0].count, nets[1].count);
                    let one = (&self.projections[0][a * one..][..one], i);
                    let two = (&self.projections[1][a * two..][..two], j);
                    let (above, below) = if side == 0 { (one, two) } else { (two, one) };
                    let gap = Gap {
                        above,
                        below,
                        axis: &axes[a],
                    };
                    remaining[end] = gap.crossing(remaining[end], [1.0, 0.0][end]);
                }
            }
            self.remaining[pair] = remaining;
            if remaining[0] >= remaining[1] {
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

/// Control points of all children at both ends of the interval, coordinate after coordinate.
#[inline(always)]
fn move_net(nets: &SiblingNets<'_>, interval: [f64; 2], moved: &mut Vec<[Lanes; 2]>) {
    let (start, displacement) = nets.coordinates.split_at(3 * nets.count);
    let (t0, t1) = (Lanes::splat(interval[0]), Lanes::splat(interval[1]));
    moved.resize(3 * nets.count, Default::default());
    for ((&p, &v), out) in start.iter().zip(displacement).zip(moved) {
        *out = [p + t0 * v, p + t1 * v];
    }
}

/// Projects all control points, at both ends of the interval.
#[inline(always)]
fn project(direction: [f64; 3], moved: &[[Lanes; 2]], projections: &mut [Projection]) -> Extents {
    let count = projections.len();
    let (xs, rest) = moved.split_at(count);
    let (ys, zs) = rest.split_at(count);
    let (ex, ey, ez) = (
        Lanes::splat(direction[0]),
        Lanes::splat(direction[1]),
        Lanes::splat(direction[2]),
    );
    let mut min = [Lanes::splat(f64::INFINITY); 2];
    let mut max = [Lanes::splat(f64::NEG_INFINITY); 2];
    for (((x, y), z), out) in xs.iter().zip(ys).zip(zs).zip(projections) {
        let start = ex * x[0] + ey * y[0] + ez * z[0];
        let end = ex * x[1] + ey * y[1] + ez * z[1];
        *out = [start, end];
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
    #[inline(always)]
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

    /// The point farthest from `from`, where the gap is positive, towards `to`, where it is not, at which it is verified
    /// to be positive still.
    ///
    /// Newton's method for gap = error: the tangent at `from` overestimates a concave function, so its root lies beyond
    /// the gap's, and from there the iterates come back monotonically, through finitely many pieces.
    #[inline(always)]
    fn crossing(&self, from: f64, to: f64) -> f64 {
        let error = self.axis.error;
        let (low, high) = if from < to { (from, to) } else { (to, from) };
        let (gap, slope) = self.at(from);
        let mut r = from - (gap - error) / slope;
        if !(r > low && r < high) {
            r = to;
        }
        for _ in 0..NEWTON_STEPS {
            let (value, slope) = self.at(r);
            if value > 0.0 {
                return r;
            }
            r -= (value - error) / slope;
            if !(r > low && r < high) {
                break;
            }
        }
        from
    }
}
