//! Which points of a mesh count as one.

use nalgebra::{Point3, Vector3};
use ordered_float::OrderedFloat;

use super::boxes::MovingBox;
use super::tree::Tree;

/// For each point the least that it is welded to; empty while there are no welds.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Welds(Vec<u32>);

impl Welds {
    /// The point that stands for all that `point` is welded to.
    pub(super) fn representative(&self, point: u32) -> u32 {
        self.0.get(point as usize).copied().unwrap_or(point)
    }

    /// Welds all points that differ by at most `tolerance` in each coordinate, besides those that are welded already.
    pub(super) fn join(&mut self, points: &[Point3<f64>], tolerance: f64) {
        self.fill(points.len());
        // Those that coincide first, in order: there may be many at a pole.
        let place = |&point: &u32| points[point as usize].coords.map(|x| OrderedFloat(x + 0.0));
        let mut sorted: Vec<u32> = (0..points.len() as u32).collect();
        sorted.sort_unstable_by_key(|point| <[_; 3]>::from(place(point)));
        let mut distinct: Vec<u32> = Vec::new();
        for point in sorted {
            match distinct.last() {
                Some(last) if place(last) == place(&point) => self.unite(*last, point),
                _ => distinct.push(point),
            }
        }
        let still = Vector3::zeros();
        let boxes = distinct.iter().map(|&point| {
            let moving = (&points[point as usize], &still);
            MovingBox::around(std::iter::once(moving), 0.0, 0.5 * tolerance)
        });
        let mut tree = Tree::default();
        tree.update(&boxes.collect::<Vec<_>>());
        tree.self_pairs(|a, b| {
            let [a, b] = [a, b].map(|at| distinct[at as usize]);
            if (points[a as usize] - points[b as usize]).amax() <= tolerance {
                self.unite(a, b);
            }
        });
        for point in 0..points.len() as u32 {
            self.0[point as usize] = self.root(point);
        }
    }

    /// Takes in the welds of `count` points that follow after `own` points.
    pub(super) fn append(&mut self, own: usize, other: &Self, count: usize) {
        if self.0.is_empty() && other.0.is_empty() {
            return;
        }
        self.fill(own);
        let others = (0..count as u32).map(|point| own as u32 + other.representative(point));
        self.0.extend(others);
    }

    fn fill(&mut self, count: usize) {
        let known = self.0.len();
        self.0.extend(known as u32..count as u32);
    }

    fn unite(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b) as usize] = a.min(b);
    }

    fn root(&mut self, mut point: u32) -> u32 {
        while self.0[point as usize] != point {
            let next = self.0[self.0[point as usize] as usize];
            self.0[point as usize] = next;
            point = next;
        }
        point
    }
}
