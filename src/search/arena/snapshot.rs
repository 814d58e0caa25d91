//! What a sub-patch looks like at one time: its directions, its size, its heights on an axis. Its nets must be loaded.

use super::{Arena, Node};
use crate::geometry::{Shape, Span};
use crate::inclusion::{Direction, Spans, normal_of};
use crate::vector::{BoundingBox, largest, minus};

impl Arena {
    /// The directions that span a sub-patch at time `t`.
    pub(crate) fn spans(&self, node: Node, t: f64) -> Spans {
        let (net, lane) = (self.nets(node / 4), node as usize % 4);
        let difference = |(from, to): (usize, usize)| {
            let (from, to) = (net.point(lane, from, t), net.point(lane, to, t));
            minus(to, from)
        };
        let sum = |(first, second): Span| {
            let mut sum = difference(first);
            if let Some(second) = second {
                let second = difference(second);
                for c in 0..3 {
                    sum[c] += second[c];
                }
            }
            sum
        };
        let [u, v] = self.spans;
        [u.map(sum), v.map(sum)]
    }

    /// The control points' projections on an axis at time `t`.
    pub(crate) fn heights(&self, node: Node, axis: Direction, t: f64) -> impl Iterator<Item = f64> {
        let (net, lane) = (self.nets(node / 4), node as usize % 4);
        (0..self.count).map(move |k| {
            let [x, y, z] = net.point(lane, k, t);
            axis[0] * x + axis[1] * y + axis[2] * z
        })
    }

    /// The normal of the plane that a sub-patch spans at time `t`.
    pub(crate) fn normal(&self, node: Node, t: f64) -> Option<Direction> {
        let [u, v] = self.spans(node, t);
        normal_of(u?, v?)
    }

    /// The mean of a sub-patch's control points at time `t`.
    pub(crate) fn centre(&self, node: Node, t: f64) -> Direction {
        let (net, lane) = (self.nets(node / 4), node as usize % 4);
        let mut sum = [0.0; 3];
        for k in 0..self.count {
            let point = net.point(lane, k, t);
            for c in 0..3 {
                sum[c] += point[c];
            }
        }
        sum.map(|x| x / self.count as f64)
    }

    /// The longest side of the box around a sub-patch's net at time `t`.
    pub(crate) fn size(&self, node: Node, t: f64) -> f64 {
        let (net, lane) = (self.nets(node / 4), node as usize % 4);
        BoundingBox::around((0..self.count).map(|k| net.point(lane, k, t))).longest_side()
    }

    /// How far a sub-patch's net extends along each of its parameters at time `t`.
    pub(crate) fn lengths(&self, node: Node, t: f64) -> [f64; 2] {
        let (net, lane) = (self.nets(node / 4), node as usize % 4);
        let point = |k: usize| net.point(lane, k, t);
        let apart = |a: Direction, b: Direction| largest(minus(a, b));
        match self.shape {
            Shape::TensorProduct { n, m } => {
                let at = |i: usize, j: usize| point(i * (m + 1) + j);
                let along_u = (0..=m).map(|j| apart(at(0, j), at(n, j)));
                let along_v = (0..=n).map(|i| apart(at(i, 0), at(i, m)));
                [along_u.fold(0.0, f64::max), along_v.fold(0.0, f64::max)]
            }
            Shape::Triangular { .. } => {
                [BoundingBox::around((0..self.count).map(point)).longest_side(); 2]
            }
        }
    }
}
