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
        self.join_cells(points, &distinct, tolerance);
        // Where a tolerance is large, most pairs are of points that are welded by now: nodes of such are left out whole. Which
        // they are is seen to again after as many pairs as it takes time for.
        let mut visited = distinct.len();
        let mut welded = Vec::new();
        let mut stack: Vec<[u32; 2]> = tree.root().map(|root| [root, root]).into_iter().collect();
        while let Some(pair) = stack.pop() {
            visited += 1;
            if visited > distinct.len() {
                visited = 0;
                welded = tree.common(|leaf| self.root(distinct[leaf as usize]));
            }
            if let [Some(a), Some(b)] = pair.map(|node| welded[node as usize])
                && self.root(a) == self.root(b)
            {
                continue;
            }
            if let Some(pair) = tree.open_within(pair, |pair, _| stack.push(pair)) {
                self.unite_near(points, pair.map(|leaf| distinct[leaf as usize]), tolerance);
            }
        }
        for point in 0..points.len() as u32 {
            self.0[point as usize] = self.root(point);
        }
    }

    /// Welds points within each cell of a grid, as wide as the tolerance, to one of them.
    fn join_cells(&mut self, points: &[Point3<f64>], distinct: &[u32], tolerance: f64) {
        let corner = distinct.iter().map(|&point| points[point as usize].coords);
        let Some(corner) = corner.reduce(|a, b| a.inf(&b)) else {
            return;
        };
        let cell = |&point: &u32| {
            let place = points[point as usize].coords - corner;
            <[_; 3]>::from(place.map(|x| OrderedFloat((x / tolerance).floor())))
        };
        let mut sorted: Vec<([OrderedFloat<f64>; 3], u32)> =
            distinct.iter().map(|point| (cell(point), *point)).collect();
        sorted.sort_unstable();
        for cell in sorted.chunk_by(|(a, _), (b, _)| a == b) {
            for pair in cell.windows(2) {
                self.unite_near(points, [pair[0].1, pair[1].1], tolerance);
            }
        }
    }

    /// Welds two points if they are near enough.
    fn unite_near(&mut self, points: &[Point3<f64>], [a, b]: [u32; 2], tolerance: f64) {
        if (points[a as usize] - points[b as usize]).amax() <= tolerance {
            self.unite(a, b);
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
