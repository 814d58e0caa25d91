//! Which points of a mesh lie so close together that they count as one?

use nalgebra::{Point3, Vector3};
use ordered_float::OrderedFloat;

use super::{MovingBox, VolumeTree};
use crate::Error;
use crate::geometry::check_finite;
use crate::mesh::model::{PatchMesh, Welds, check_points, check_size};

impl PatchMesh {
    /// Makes neighbours of patches with control points that coincide, or differ by at most
    /// `tolerance` in each coordinate, and so on from point to point. `tolerance` is a length; 0
    /// welds points that coincide only.
    ///
    /// The points stay separate and may move apart later; only tests of the mesh against itself
    /// leave the neighbours out. Earlier welds stay.
    ///
    /// # Errors
    /// A wrong number of points, a coordinate that is not finite, a tolerance that is negative or
    /// not finite.
    pub fn weld(&mut self, points: &[Point3<f64>], tolerance: f64) -> Result<(), Error> {
        check_points("points", points.len(), self.point_count())?;
        check_size("points", points.len())?;
        check_finite("point", points.iter().map(|p| &p.coords))?;
        if !(tolerance >= 0.0 && tolerance.is_finite()) {
            return Err(Error::Option {
                option: "tolerance",
                value: tolerance,
                range: "finite and at least 0",
            });
        }
        self.add_welds(|welds| join(welds, points, tolerance));
        Ok(())
    }
}

/// Welds all points that differ by at most `tolerance` in each coordinate.
fn join(welds: &mut Welds, points: &[Point3<f64>], tolerance: f64) {
    let distinct = join_equal(welds, points);
    join_cells(welds, points, &distinct, tolerance);
    let still = Vector3::zeros();
    let boxes = distinct.iter().map(|&point| {
        let moving = (&points[point as usize], &still);
        MovingBox::around(std::iter::once(moving), 0.0, 0.5 * tolerance)
    });
    let mut tree = VolumeTree::default();
    tree.update(&boxes.collect::<Vec<_>>());
    // Where the tolerance is large, most pairs are of points that are welded by now. Pairs of nodes
    // are pruned if all points below them are. Which nodes these are is found out anew after as
    // many pairs as there are points, which takes about as long.
    let mut visited = distinct.len();
    let mut welded = Vec::new();
    let mut stack: Vec<[u32; 2]> = tree.root().map(|root| [root, root]).into_iter().collect();
    while let Some(pair) = stack.pop() {
        visited += 1;
        if visited > distinct.len() {
            visited = 0;
            welded = tree.common(|leaf| welds.root(distinct[leaf as usize]));
        }
        if let [Some(a), Some(b)] = pair.map(|node| welded[node as usize])
            && welds.root(a) == welds.root(b)
        {
            continue;
        }
        let leaves = tree.expand_within(pair, |pair| {
            if tree.overlap(&tree, pair).is_some() {
                stack.push(pair);
            }
        });
        if let Some(leaves) = leaves {
            let pair = leaves.map(|leaf| distinct[leaf as usize]);
            unite_near(welds, points, pair, tolerance);
        }
    }
}

/// Welds points that coincide, of which there may be many at a pole. Returns one of each place.
fn join_equal(welds: &mut Welds, points: &[Point3<f64>]) -> Vec<u32> {
    let place = |&point: &u32| points[point as usize].coords.map(|x| OrderedFloat(x + 0.0));
    let mut sorted: Vec<u32> = (0..points.len() as u32).collect();
    sorted.sort_unstable_by_key(|point| <[_; 3]>::from(place(point)));
    let mut distinct: Vec<u32> = Vec::new();
    for point in sorted {
        match distinct.last() {
            Some(last) if place(last) == place(&point) => welds.unite(*last, point),
            _ => distinct.push(point),
        }
    }
    distinct
}

/// Welds points that lie near each other in the same cell of a grid as wide as the tolerance.
fn join_cells(welds: &mut Welds, points: &[Point3<f64>], distinct: &[u32], tolerance: f64) {
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
            unite_near(welds, points, [pair[0].1, pair[1].1], tolerance);
        }
    }
}

/// Welds two points if they are near enough.
fn unite_near(welds: &mut Welds, points: &[Point3<f64>], [a, b]: [u32; 2], tolerance: f64) {
    if (points[a as usize] - points[b as usize]).amax() <= tolerance {
        welds.unite(a, b);
    }
}
