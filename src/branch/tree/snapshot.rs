//! What a sub-patch looks like at one time: its directions, its size, its projections on an axis.
//! Its nets must be loaded.

use super::{SubPatch, SubdivisionTree};
use crate::bound::{Direction, SpanningDirections, normal_of};
use crate::geometry::SpanningDifference;
use crate::motion::NetsAt;
use crate::vector::{BoundingBox, Vector, dot, minus};

impl SubdivisionTree {
    /// The nets that a sub-patch's is in at time `t`, and its lane there.
    fn net(&self, sub_patch: SubPatch, t: f64) -> (NetsAt<'_>, usize) {
        (self.nets(sub_patch / 4).at(t), sub_patch as usize % 4)
    }

    /// The directions that span a sub-patch at time `t`.
    pub(crate) fn spanning_directions(&self, sub_patch: SubPatch, t: f64) -> SpanningDirections {
        let (net, lane) = self.net(sub_patch, t);
        let difference = |(from, to): (usize, usize)| {
            let (from, to) = (net.point(lane, from), net.point(lane, to));
            minus(to, from)
        };
        let sum = |(first, second): SpanningDifference| {
            let mut sum = difference(first);
            if let Some(second) = second {
                let second = difference(second);
                for c in 0..3 {
                    sum[c] += second[c];
                }
            }
            sum
        };
        let [u, v] = self.spanning_differences;
        [u.map(sum), v.map(sum)]
    }

    /// The control points' projections on an axis at time `t`.
    pub(crate) fn projections(
        &self,
        sub_patch: SubPatch,
        axis: Direction,
        t: f64,
    ) -> impl Iterator<Item = f64> {
        let (net, lane) = self.net(sub_patch, t);
        (0..self.count).map(move |k| dot(axis, net.point(lane, k)))
    }

    /// The control points at time `t`.
    pub(crate) fn points(&self, sub_patch: SubPatch, t: f64) -> impl Iterator<Item = Vector> {
        let (net, lane) = self.net(sub_patch, t);
        (0..self.count).map(move |k| net.point(lane, k))
    }

    /// The middle of the places of those control points of a sub-patch that are lowest along an
    /// axis at time `t`, within a part of the whole net's range.
    pub(crate) fn lowest_parameters(
        &self,
        sub_patch: SubPatch,
        axis: Direction,
        t: f64,
        part: f64,
    ) -> (f64, f64) {
        let heights = || self.projections(sub_patch, axis, t);
        let low = heights().fold(f64::INFINITY, f64::min);
        let high = heights().fold(f64::NEG_INFINITY, f64::max);
        let (mut sum, mut count) = ([0.0; 2], 0.0);
        for (k, height) in heights().enumerate() {
            if height <= low + part * (high - low) {
                let (u, v) = self.shape.greville(k);
                sum = [sum[0] + u, sum[1] + v];
                count += 1.0;
            }
        }
        let [u, v] = sum.map(|x| x / count);
        let place = self.cell(sub_patch).map(u, v);
        self.domain().clamp(place)
    }

    /// The normal of the plane that a sub-patch spans at time `t`.
    pub(crate) fn normal(&self, sub_patch: SubPatch, t: f64) -> Option<Direction> {
        let [u, v] = self.spanning_directions(sub_patch, t);
        normal_of(u?, v?)
    }

    /// The mean of a sub-patch's control points at time `t`.
    pub(crate) fn centre(&self, sub_patch: SubPatch, t: f64) -> Vector {
        let (net, lane) = self.net(sub_patch, t);
        let mut sum = [0.0; 3];
        for k in 0..self.count {
            let point = net.point(lane, k);
            for c in 0..3 {
                sum[c] += point[c];
            }
        }
        sum.map(|x| x / self.count as f64)
    }

    /// The longest side of the box around a sub-patch's net at time `t`.
    pub(crate) fn size(&self, sub_patch: SubPatch, t: f64) -> f64 {
        let (net, lane) = self.net(sub_patch, t);
        BoundingBox::around((0..self.count).map(|k| net.point(lane, k))).longest_side()
    }

    /// How far a sub-patch's net extends along each of its parameters at time `t`.
    pub(crate) fn lengths(&self, sub_patch: SubPatch, t: f64) -> [f64; 2] {
        let (net, lane) = self.net(sub_patch, t);
        self.shape.net_lengths(|k| net.point(lane, k))
    }
}
