//! The moving control nets of a family: the children of one sub-patch, side by side.

#[cfg(test)]
use super::Trajectory;
use super::polynomial::{MAX_LAYERS, restrict_cubic, restrict_quadratic, value_and_change};
use super::rigid::{Pose, Screw};
use super::{COLUMNS, STILL_COLUMNS};
use crate::lanes::Lanes;
use crate::vector::Vector;

/// How the control points of a net move, and so what its columns mean.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Track {
    /// Along straight lines: a start and a displacement.
    #[default]
    Linear,
    /// Along polynomials in time: layers, of which there are one more than this degree.
    Polynomial(usize),
    /// With a rigid body: the place in the body.
    Rigid(Screw),
}

impl Track {
    /// How many columns a net has.
    #[inline]
    pub(crate) fn columns(&self) -> usize {
        match self {
            Self::Linear => COLUMNS,
            Self::Polynomial(degree) => 3 * (degree + 1),
            Self::Rigid(_) => STILL_COLUMNS,
        }
    }

    /// How many layers the positions over an interval have.
    #[inline]
    pub(crate) fn layers(&self) -> usize {
        match self {
            Self::Polynomial(degree) => degree + 1,
            Self::Linear | Self::Rigid(_) => 2,
        }
    }

    pub(crate) fn is_linear(&self) -> bool {
        matches!(self, Self::Linear)
    }
}

/// The control nets of the up to four children of a sub-patch, one lane for each child.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SiblingNets<'a> {
    count: usize,
    track: &'a Track,
    /// The columns of the control points: the first number of all control points, then the second
    /// one, and so on. Each column has `count` elements.
    columns: &'a [Lanes],
}

impl<'a> SiblingNets<'a> {
    /// Nets of `count` control points each, from their columns.
    pub(crate) fn new(count: usize, track: &'a Track, columns: &'a [Lanes]) -> Self {
        Self {
            count,
            track,
            columns,
        }
    }

    /// The number of control points of each child.
    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    pub(crate) fn track(&self) -> &'a Track {
        self.track
    }

    /// The trajectory of control point `k` of the child in a lane, which moves along a line.
    #[cfg(test)]
    pub(crate) fn trajectory(&self, lane: usize, k: usize) -> Trajectory {
        Trajectory(std::array::from_fn(|c| {
            self.columns[c * self.count + k][lane]
        }))
    }

    /// The columns x, y and z of all control points, which move along lines or rest, at time 0.
    #[inline(always)]
    pub(crate) fn starts(&self) -> (&'a [Lanes], &'a [Lanes], &'a [Lanes]) {
        thirds(self.columns, self.count)
    }

    /// The nets as they are at time `t`.
    #[inline]
    pub(crate) fn at(self, t: f64) -> NetsAt<'a> {
        let when = match self.track {
            Track::Linear => When::Linear(t),
            Track::Polynomial(degree) => When::Polynomial(*degree, t),
            Track::Rigid(screw) => When::Rigid(screw.pose(t)),
        };
        NetsAt { nets: self, when }
    }

    /// Writes the positions of all control points of all children at the start and at the end of an
    /// interval of time, for points that move along lines. Each holds x of all control points, then
    /// y, then z.
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

    /// Writes the layers of all control points over an interval of time. Each holds x of all
    /// control points, then y, then z. A rigid body has two, where it is at the start and at the
    /// end, and is not on the line between them.
    #[inline(always)]
    pub(crate) fn layers(&self, interval: [f64; 2], layers: &mut [Vec<Lanes>; MAX_LAYERS]) {
        let size = 3 * self.count;
        for layer in layers.iter_mut().take(self.track.layers()) {
            layer.resize(size, Lanes::default());
        }
        let [a, b] = interval.map(|t| [1.0 - t, t].map(Lanes::splat));
        let column = |layer: usize| &self.columns[layer * size..][..size];
        let [first, second, third, fourth] = layers;
        match self.track {
            Track::Linear => {
                let (start, displacement) = (column(0), column(1));
                for k in 0..size {
                    first[k] = start[k] + a[1] * displacement[k];
                    second[k] = start[k] + b[1] * displacement[k];
                }
            }
            Track::Polynomial(2) => {
                let (x, y, z) = (column(0), column(1), column(2));
                for k in 0..size {
                    [first[k], second[k], third[k]] = restrict_quadratic([x[k], y[k], z[k]], a, b);
                }
            }
            Track::Polynomial(_) => {
                let (x, y, z, w) = (column(0), column(1), column(2), column(3));
                for k in 0..size {
                    [first[k], second[k], third[k], fourth[k]] =
                        restrict_cubic([x[k], y[k], z[k], w[k]], a, b);
                }
            }
            Track::Rigid(screw) => {
                let (x, y, z) = self.starts();
                for (t, layer) in interval.into_iter().zip([first, second]) {
                    let Pose { rotation, shift } = screw.pose(t);
                    for c in 0..3 {
                        let [rx, ry, rz] = rotation[c].map(Lanes::splat);
                        let shift = Lanes::splat(shift[c]);
                        for k in 0..self.count {
                            layer[c * self.count + k] = shift + (rx * x[k] + ry * y[k] + rz * z[k]);
                        }
                    }
                }
            }
        }
    }
}

/// Nets at one time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NetsAt<'a> {
    nets: SiblingNets<'a>,
    when: When,
}

#[derive(Clone, Copy, Debug)]
enum When {
    Linear(f64),
    Polynomial(usize, f64),
    Rigid(Pose),
}

impl NetsAt<'_> {
    /// The position of control point `k` of the child in a lane.
    #[inline]
    pub(crate) fn point(&self, lane: usize, k: usize) -> Vector {
        let SiblingNets { count, columns, .. } = self.nets;
        let at = |c: usize| columns[c * count + k][lane];
        match &self.when {
            &When::Linear(t) => [at(0) + t * at(3), at(1) + t * at(4), at(2) + t * at(5)],
            &When::Polynomial(degree, t) => {
                let layers: [Vector; MAX_LAYERS] = std::array::from_fn(|layer| {
                    let layer = layer.min(degree);
                    [at(3 * layer), at(3 * layer + 1), at(3 * layer + 2)]
                });
                value_and_change(&layers[..=degree], t).0
            }
            When::Rigid(pose) => pose.point([at(0), at(1), at(2)]),
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
