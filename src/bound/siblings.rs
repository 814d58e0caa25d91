//! The inclusion test of all pairs of children of two sub-patches at once.
//!
//! On an axis the control points of a piece project to lines in t. Let min and max be the least and
//! the largest projection of a piece. Then the gap g(t) = min₁(t) − max₂(t) is concave, and so is
//! min₂(t) − max₁(t). Hence a pair is separated throughout an interval if one of its two gaps is
//! positive at both ends. If a gap is positive at one end only, the interval can be cut there: up
//! to the root of the gap's chord, which lies below the gap, or up to any time at which the gap,
//! when evaluated, is still positive. "Positive" means larger than a bound of all rounding errors,
//! see [`crate::rounding`].
//!
//! The four children of each sub-patch are projected together, one lane for each, on axes that all
//! sixteen pairs share.

use super::curved::CurvedScratch;
use super::gap::{Axis, Gap, Values, chord};
use crate::lanes::Lanes;
use crate::motion::{SiblingNets, thirds};

/// The arguments of [`SiblingTest::separate`], which [`pulp::Arch::dispatch`] calls for the vector
/// unit that the processor has. `SWEPT` selects the test of the traditional method.
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

/// The gaps, minus the margin, of child i of the first sub-patch and all children of the second one
/// (lane j is child j) on one axis, at both ends of the interval.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RowGaps {
    /// [min₁ − max₂, min₂ − max₁], each at [start, end] of the interval.
    pub(crate) gaps: [[Lanes; 2]; 2],
}

/// The scratch space of the test, which is reused, and its results.
#[derive(Debug, Default)]
pub(crate) struct SiblingTest {
    /// The control points of the children, for each patch and for [start, end] of the interval: x
    /// of all control points, then y, then z.
    pub(crate) moved: [[Vec<Lanes>; 2]; 2],
    /// The projections of the control points, for each patch and for [start, end] of the interval:
    /// those on the first axis, then those on the second one, and so on.
    pub(crate) projections: [[Vec<Lanes>; 2]; 2],
    /// The gaps on each axis that was tested, in the order of the axes; element i belongs to child
    /// i of the first sub-patch.
    pub(crate) rows: Vec<[RowGaps; 4]>,
    /// What remains of the interval for the pair 4 i + j, as fractions of the interval. It is
    /// written by [`SiblingTest::time_dependent`], for pairs that no axis separates throughout.
    pub(crate) remaining: [[f64; 2]; 16],
    /// The number of axis tests so far: each axis counts once for every pair that it was tested on.
    pub(crate) axis_tests: u64,
    /// For motion that is not along straight lines.
    pub(crate) curved: CurvedScratch,
}

/// A set of the sixteen pairs. Bit 4 i + j stands for child i of the first and child j of the
/// second sub-patch.
pub(crate) type Pairs = u16;

impl SiblingTest {
    /// Tests the pairs `alive` over an interval of time [a, b] within [0, 1], and returns those
    /// that may overlap in it. What remains of their interval is written to `remaining`.
    pub(crate) fn time_dependent(
        &mut self,
        nets: [SiblingNets<'_>; 2],
        axes: &[Axis],
        interval: [f64; 2],
        alive: Pairs,
    ) -> Pairs {
        if !nets.iter().all(|net| net.track().is_linear()) {
            return self.curved(nets, axes, interval, alive, false);
        }
        pulp::Arch::new().dispatch(Separate::<false> {
            test: self,
            nets,
            axes,
            interval,
            alive,
        })
    }

    /// The same test for the traditional method. It compares the convex hulls of the control points
    /// at both ends of the interval taken together. A pair is kept for the whole interval or
    /// pruned; the interval is never cut.
    pub(crate) fn swept(
        &mut self,
        nets: [SiblingNets<'_>; 2],
        axes: &[Axis],
        interval: [f64; 2],
        alive: Pairs,
    ) -> Pairs {
        if !nets.iter().all(|net| net.track().is_linear()) {
            return self.curved(nets, axes, interval, alive, true);
        }
        pulp::Arch::new().dispatch(Separate::<true> {
            test: self,
            nets,
            axes,
            interval,
            alive,
        })
    }

    /// Projects on one axis after the other, and prunes the pairs that an axis separates throughout
    /// the interval. Returns the others.
    //
    // There are no closures here. The compiler does not always inline those of `array::map`, and
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

        // For each pair, the widest gap that one axis leaves throughout the interval. It is ∞ for
        // the pairs that are not asked for, so that they count as separated.
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

    /// Cuts the interval of each pair in `alive` at both ends, as far as an axis separates the pair
    /// there. Returns the pairs whose interval is not empty then.
    ///
    /// A gap is concave, so it lies above its chord, and the root of the chord is a cut that needs
    /// no evaluation of the gap. On the axis on which that cut goes farthest, [`Gap::crossing`]
    /// then looks for the root of the gap itself.
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

/// The least and the largest projection of each child on one axis, at one end of the interval.
#[derive(Clone, Copy)]
struct Range {
    min: Lanes,
    max: Lanes,
}

impl Range {
    /// The range of child `i`, in all lanes.
    #[inline(always)]
    fn child(self, i: usize) -> Self {
        Self {
            min: Lanes::splat(self.min[i]),
            max: Lanes::splat(self.max[i]),
        }
    }

    /// The smallest ranges that contain both, in each lane.
    #[inline(always)]
    fn hull(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }
}

/// Projects all control points on the axis `e` at both ends of the interval, writes the projections
/// to `projections`, and returns their ranges at [start, end].
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
