//! The inclusion test of all pairs of children of two sub-patches at once.
//!
//! On one axis the control points of a piece project to lines in t; with min and max over the
//! points, the gap g(t) = min₁(t) − max₂(t) is concave, and so is min₂(t) − max₁(t). Hence a pair
//! is separated throughout an interval when one of its gaps is positive at both ends, and when it
//! is positive at one end only, the interval can be cut off there up to the root of the gap's
//! chord, which lies below the gap, or up to any point where the gap, evaluated, is still positive.
//! "Positive" means larger than a bound of all rounding errors (see [`crate::rounding`]).
//!
//! The four children of each sub-patch are projected together, one lane each, on axes shared by all
//! sixteen pairs.

use super::gap::{Axis, Gap, Values, chord};
use crate::lanes::Lanes;
use crate::motion::{SiblingNets, thirds};

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

/// What one axis says of the pairs (i, 0..4) of children: the gaps beyond the margin at both ends
/// of the interval.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RowGaps {
    /// [min₁ − max₂, min₂ − max₁], each at [start, end].
    pub(crate) gaps: [[Lanes; 2]; 2],
}

/// Reusable memory and results of the test.
#[derive(Debug, Default)]
pub(crate) struct SiblingTest {
    /// Per patch, at the start and the end of the interval: x of all control points of the
    /// children, then y, then z.
    pub(crate) moved: [[Vec<Lanes>; 2]; 2],
    /// Per patch, at the start and the end of the interval, axis after axis: the control points'
    /// projections.
    pub(crate) projections: [[Vec<Lanes>; 2]; 2],
    pub(crate) rows: Vec<[RowGaps; 4]>,
    /// Per pair (i · 4 + j): what remains of the interval, as fractions of it.
    pub(crate) remaining: [[f64; 2]; 16],
    /// Axis tests done: pairs still alive times axes.
    pub(crate) axis_tests: u64,
}

/// A set of the sixteen pairs; bit 4i + j for child i of the first and child j of the second
/// sub-patch.
pub(crate) type Pairs = u16;

impl SiblingTest {
    /// Tests the `alive` pairs over the times `interval` = [a, b] within [0, 1], and returns those
    /// that may overlap in it; what is left of their interval goes to `remaining`.
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

    /// The same for the traditional method: the control points' convex hull over the whole
    /// interval, start and end taken together, and an interval that is kept or dropped but never
    /// cut.
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
    // Written without closures: the compiler inlines those of `array::map` only when it likes, and
    // what is not inlined is not vectorised.
    #[inline(always)]
    fn separate<const SWEPT: bool>(
        &mut self,
        nets: [SiblingNets<'_>; 2],
        axes: &[Axis],
        interval: [f64; 2],
        mut alive: Pairs,
    ) -> Pairs {
        nets[0].positions(interval, &mut self.moved[0]);
        nets[1].positions(interval, &mut self.moved[1]);
        for (net, projections) in nets.iter().zip(&mut self.projections) {
            for projections in projections {
                projections.resize(axes.len() * net.count(), Lanes::default());
            }
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
            let (n1, n2) = (nets[0].count(), nets[1].count());
            let [[start1, end1], [start2, end2]] = &mut self.projections;
            let slots = [&mut start1[a * n1..][..n1], &mut end1[a * n1..][..n1]];
            let one = project(axis.direction, &self.moved[0], slots);
            let slots = [&mut start2[a * n2..][..n2], &mut end2[a * n2..][..n2]];
            let two = project(axis.direction, &self.moved[1], slots);
            let (margin_start, margin_end) =
                (Lanes::splat(axis.margin[0]), Lanes::splat(axis.margin[1]));
            let mut rows = [RowGaps::default(); 4];
            for (i, (row, widest)) in rows.iter_mut().zip(&mut widest).enumerate() {
                let [start, end] = [one[0].child(i), one[1].child(i)];
                row.gaps = [
                    [
                        start.min - two[0].max - margin_start,
                        end.min - two[1].max - margin_end,
                    ],
                    [
                        two[0].min - start.max - margin_start,
                        two[1].min - end.max - margin_end,
                    ],
                ];
                let throughout = if SWEPT {
                    let (one, two) = (start.hull(end), two[0].hull(two[1]));
                    (one.min - two.max - margin_end).max(two.min - one.max - margin_end)
                } else {
                    let [above, below] = row.gaps;
                    above[0].min(above[1]).max(below[0].min(below[1]))
                };
                *widest = widest.max(throughout);
            }
            self.rows.push(rows);
            alive = 0;
            for (i, row) in widest.iter().enumerate() {
                for (j, &gap) in row.0.iter().enumerate() {
                    let separated = gap > 0.0;
                    alive |= u16::from(!separated) << (4 * i + j);
                }
            }
            if alive == 0 {
                break;
            }
        }
        alive
    }

    /// Cuts off both ends of the intervals of the pairs alive, as far as some axis separates them
    /// there.
    ///
    /// By concavity the gap lies above its chord, so the chord's root is a cut that costs no
    /// evaluation. Of all axes the one with the farthest such cut is then followed to its own root.
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
                    let ([start, end], root) = chord([start[j], end[j]], axis.error);
                    if start > 0.0 && root > remaining[0] {
                        remaining[0] = root;
                        best[0] = Some((a, side));
                    }
                    if end > 0.0 && root < remaining[1] {
                        remaining[1] = root;
                        best[1] = Some((a, side));
                    }
                }
            }
            for end in 0..2 {
                if let Some((a, side)) = best[end] {
                    let (one, two) = (nets[0].count(), nets[1].count());
                    let [first, second] = &self.projections;
                    let one = Values {
                        start: &first[0][a * one..][..one],
                        end: &first[1][a * one..][..one],
                        lane: i,
                    };
                    let two = Values {
                        start: &second[0][a * two..][..two],
                        end: &second[1][a * two..][..two],
                        lane: j,
                    };
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

/// Least and largest projection of each child at one end of the interval.
#[derive(Clone, Copy)]
struct Range {
    min: Lanes,
    max: Lanes,
}

impl Range {
    /// The range of one child, in all lanes.
    #[inline(always)]
    fn child(self, i: usize) -> Self {
        Self {
            min: Lanes::splat(self.min[i]),
            max: Lanes::splat(self.max[i]),
        }
    }

    #[inline(always)]
    fn hull(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }
}

/// Projects all control points at both ends of the interval.
#[inline(always)]
fn project(e: [f64; 3], moved: &[Vec<Lanes>; 2], projections: [&mut [Lanes]; 2]) -> [Range; 2] {
    let [start, end] = projections;
    let count = start.len();
    let end = &mut end[..count];
    let ((x0, y0, z0), (x1, y1, z1)) = (thirds(&moved[0], count), thirds(&moved[1], count));
    let (ex, ey, ez) = (Lanes::splat(e[0]), Lanes::splat(e[1]), Lanes::splat(e[2]));
    let nothing = Range {
        min: Lanes::splat(f64::INFINITY),
        max: Lanes::splat(f64::NEG_INFINITY),
    };
    let (mut at_start, mut at_end) = (nothing, nothing);
    for k in 0..count {
        let value = ex * x0[k] + ey * y0[k] + ez * z0[k];
        start[k] = value;
        at_start.min = at_start.min.min(value);
        at_start.max = at_start.max.max(value);
        let value = ex * x1[k] + ey * y1[k] + ez * z1[k];
        end[k] = value;
        at_end.min = at_end.min.min(value);
        at_end.max = at_end.max.max(value);
    }
    [at_start, at_end]
}

#[cfg(test)]
mod tests;
