//! Motion along straight lines: each control point has a start and a displacement over the horizon.

use crate::vector::{BoundingBox, Vector};

/// How many numbers the trajectory of a control point consists of: three of the start, then three
/// of the displacement.
pub(crate) const COLUMNS: usize = 6;

/// How many of them, from the first on, say where the point is at time 0.
pub(crate) const STILL_COLUMNS: usize = 3;

/// A point that moves along a straight line: start + t · displacement for t in [0, 1].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Trajectory(pub(crate) [f64; COLUMNS]);

impl Trajectory {
    pub(crate) fn new([x, y, z]: Vector, [dx, dy, dz]: Vector) -> Self {
        Self([x, y, z, dx, dy, dz])
    }

    /// The point at t = 0.
    #[inline]
    pub(crate) fn start(&self) -> Vector {
        [self.0[0], self.0[1], self.0[2]]
    }

    /// The change of the point from t = 0 to t = 1.
    #[inline]
    pub(crate) fn displacement(&self) -> Vector {
        [self.0[3], self.0[4], self.0[5]]
    }

    /// The point at time `t`.
    #[inline]
    pub(crate) fn at(&self, t: f64) -> Vector {
        let [x, y, z, dx, dy, dz] = self.0;
        [x + t * dx, y + t * dy, z + t * dz]
    }

    /// The change of the point per unit of time. It is the same at all times.
    #[inline]
    pub(crate) fn velocity(&self) -> Vector {
        self.displacement()
    }

    /// Adds `factor` times another trajectory to this one.
    #[inline]
    pub(crate) fn add(&mut self, factor: f64, other: &Self) {
        for (sum, x) in self.0.iter_mut().zip(&other.0) {
            *sum += factor * x;
        }
    }
}

/// The bounding boxes of the starts and of the displacements of some trajectories.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spread {
    starts: BoundingBox,
    displacements: BoundingBox,
}

impl Spread {
    /// Of no trajectories.
    pub(crate) fn new() -> Self {
        Self {
            starts: BoundingBox::EMPTY,
            displacements: BoundingBox::EMPTY,
        }
    }

    #[inline]
    pub(crate) fn of(trajectories: &[Trajectory]) -> Self {
        let mut spread = Self::new();
        for trajectory in trajectories {
            spread.include(trajectory.start(), trajectory.displacement());
        }
        spread
    }

    /// Takes in a place at the start, and a velocity.
    #[inline]
    pub(crate) fn include(&mut self, start: Vector, velocity: Vector) {
        self.starts.include(start);
        self.displacements.include(velocity);
    }

    /// The bounding boxes of both sets of trajectories together.
    #[inline]
    pub(crate) fn union(&self, other: &Self) -> Self {
        Self {
            starts: self.starts.union(&other.starts),
            displacements: self.displacements.union(&other.displacements),
        }
    }

    /// The largest coordinates of these trajectories. There must be at least one trajectory.
    #[inline]
    pub(crate) fn extent(&self) -> Extent {
        Extent {
            start: self.starts.largest(),
            displacement: self.displacements.largest(),
        }
    }

    /// The longest side of the bounding box of the starts.
    pub(crate) fn size(&self) -> f64 {
        self.starts.longest_side()
    }

    /// A bound on how fast two points approach each other: along each coordinate axis, their
    /// distance shrinks by no more than this in a unit of time.
    pub(crate) fn largest_approach(&self) -> f64 {
        self.displacements.longest_side()
    }
}

/// The largest absolute values that the three coordinates have in some trajectories, separately for
/// starts and for displacements.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Extent {
    pub(crate) start: Vector,
    pub(crate) displacement: Vector,
}

impl Extent {
    /// Bounds on the absolute values of the three coordinates at time t ≥ 0, except for rounding.
    /// They are linear in t.
    #[inline]
    pub(crate) fn at(&self, t: f64) -> Vector {
        std::array::from_fn(|c| self.start[c] + t * self.displacement[c])
    }
}
