//! The moving control nets of a family: the children of one sub-patch, side by side.

use super::COLUMNS;
#[cfg(test)]
use super::Trajectory;
use crate::lanes::Lanes;
use crate::vector::Vector;

/// The control nets of the up to four children of a sub-patch, one lane for each child.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SiblingNets<'a> {
    count: usize,
    /// The trajectories of the control points, column by column: the first number of all control
    /// points, then the second one, and so on. Each column has `count` elements.
    columns: &'a [Lanes],
}

impl<'a> SiblingNets<'a> {
    /// How many elements `columns` has for nets of so many control points.
    pub(crate) fn size(count: usize) -> usize {
        COLUMNS * count
    }

    /// Nets of `count` control points each, from their columns.
    pub(crate) fn new(count: usize, columns: &'a [Lanes]) -> Self {
        Self { count, columns }
    }

    /// The number of control points of each child.
    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The trajectory of control point `k` of the child in a lane.
    #[cfg(test)]
    pub(crate) fn trajectory(&self, lane: usize, k: usize) -> Trajectory {
        Trajectory(std::array::from_fn(|c| {
            self.columns[c * self.count + k][lane]
        }))
    }

    /// The columns x, y and z of all control points at time 0.
    #[inline(always)]
    pub(crate) fn starts(&self) -> (&'a [Lanes], &'a [Lanes], &'a [Lanes]) {
        thirds(self.columns, self.count)
    }

    /// The position at time `t` of control point `k` of the child in a lane.
    #[inline]
    pub(crate) fn point(&self, lane: usize, k: usize, t: f64) -> Vector {
        let at = |c: usize| self.columns[c * self.count + k][lane];
        [at(0) + t * at(3), at(1) + t * at(4), at(2) + t * at(5)]
    }

    /// Writes the positions of all control points of all children at the start and at the end of an
    /// interval of time. Each holds x of all control points, then y, then z.
    #[inline(always)]
    pub(crate) fn positions(&self, interval: [f64; 2], positions: &mut [Vec<Lanes>; 2]) {
        let (start, displacement) = self.columns.split_at(3 * self.count);
        for (t, positions) in interval.into_iter().zip(positions) {
            let t = Lanes::splat(t);
            positions.resize(3 * self.count, Lanes::default());
            for ((&p, &v), out) in start.iter().zip(displacement).zip(positions) {
                *out = p + t * v;
            }
        }
    }
}

/// The columns x, y and z of `count` control points.
#[inline(always)]
pub(crate) fn thirds(columns: &[Lanes], count: usize) -> (&[Lanes], &[Lanes], &[Lanes]) {
    (
        &columns[..count],
        &columns[count..][..count],
        &columns[2 * count..][..count],
    )
}
