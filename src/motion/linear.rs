//! Motion along straight lines: a start and a displacement over the horizon.

use crate::vector::{BoundingBox, Vector};

/// The numbers that a control point's trajectory consists of: three of the start, three of the
/// displacement.
pub(crate) const COLUMNS: usize = 6;

/// The first of them, which are enough at time 0.
pub(crate) const STILL_COLUMNS: usize = 3;

/// A point that moves along a straight line: start + t · displacement for t in [0, 1].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Trajectory(pub(crate) [f64; COLUMNS]);

impl Trajectory {
    pub(crate) fn new([x, y, z]: Vector, [dx, dy, dz]: Vector) -> Self {
        Self([x, y, z, dx, dy, dz])
    }

    #[inline]
    pub(crate) fn start(&self) -> Vector {
        [self.0[0], self.0[1], self.0[2]]
    }

    #[inline]
    pub(crate) fn displacement(&self) -> Vector {
        [self.0[3], self.0[4], self.0[5]]
    }

    #[inline]
    pub(crate) fn at(&self, t: f64) -> Vector {
        let [x, y, z, dx, dy, dz] = self.0;
        [x + t * dx, y + t * dy, z + t * dz]
    }

    /// The change of the point in a unit of time, at any time.
    #[inline]
    pub(crate) fn velocity(&self) -> Vector {
        self.displacement()
    }

    /// Adds `factor` times another trajectory.
    #[inline]
    pub(crate) fn add(&mut self, factor: f64, other: &Self) {
        for (sum, x) in self.0.iter_mut().zip(&other.0) {
            *sum += factor * x;
        }
    }
}

/// Boxes around what some trajectories consist of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spread {
    starts: BoundingBox,
    displacements: BoundingBox,
}

impl Spread {
    #[inline]
    pub(crate) fn of(trajectories: &[Trajectory]) -> Self {
        let mut spread = Self {
            starts: BoundingBox::EMPTY,
            displacements: BoundingBox::EMPTY,
        };
        for trajectory in trajectories {
            spread.starts.include(trajectory.start());
            spread.displacements.include(trajectory.displacement());
        }
        spread
    }

    #[inline]
    pub(crate) fn union(&self, other: &Self) -> Self {
        Self {
            starts: self.starts.union(&other.starts),
            displacements: self.displacements.union(&other.displacements),
        }
    }

    #[inline]
    pub(crate) fn extent(&self) -> Extent {
        Extent {
            start: self.starts.largest(),
            displacement: self.displacements.largest(),
        }
    }

    /// The longest side of the box around the starts.
    pub(crate) fn size(&self) -> f64 {
        self.starts.longest_side()
    }

    /// No two points come nearer to each other by more than this in a unit of time, along any
    /// coordinate axis.
    pub(crate) fn largest_approach(&self) -> f64 {
        self.displacements.longest_side()
    }
}

/// Along each axis the largest coordinate, in size, that some trajectories reach: of starts and of
/// displacements.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Extent {
    pub(crate) start: Vector,
    pub(crate) displacement: Vector,
}

impl Extent {
    /// No coordinate is larger than this at time t, but for rounding. It is linear in t.
    #[inline]
    pub(crate) fn at(&self, t: f64) -> Vector {
        std::array::from_fn(|c| self.start[c] + t * self.displacement[c])
    }
}
