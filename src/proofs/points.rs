//! Control points and points of patches: what each step adds to their error. What a step starts
//! from is taken as exact.

use nalgebra::Point3;

use super::net::{ExactNet, Quotient};
use super::scene::{Scene, SearchStep};
use super::{Tightness, anywhere, for_steps, roundings, whole};
use crate::branch::Search;
use crate::geometry::{Cell, Shape, Split, TensorProductPatch, TriangularPatch};
use crate::motion::{Extent, LinearMotion, MotionOfView, MotionView, Moving};
use crate::options::Options;
use crate::proofs::{Random, cases, exact};
use crate::rounding::{
    DISPLACEMENT_ROUNDINGS, START_ROUNDINGS, UNDERFLOW, evaluation_error, split_roundings,
};

#[test]
fn start_coordinates() {
    let tightness = Tightness::default();
    for_steps(200, 10, whole, |scene, step, _| {
        for (side, net) in step.nets().iter().enumerate() {
            for k in 0..scene.patches[side].points.len() {
                for c in 0..3 {
                    let computed = net.trajectory(0, k).0[c];
                    let bound = roundings(START_ROUNDINGS, exact(computed).abs());
                    let [error, bound] = step.roots[side].coordinate(k, c).error(computed, bound);
                    tightness.check(&error, &bound, || format!("{computed:e}"));
                }
            }
        }
    });
    tightness.report("start coordinate");
}

#[test]
fn displacements() {
    let tightness = Tightness::default();
    for_steps(200, 11, whole, |scene, step, _| {
        for (side, net) in step.nets().iter().enumerate() {
            for k in 0..scene.patches[side].points.len() {
                for c in 3..6 {
                    let computed = net.trajectory(0, k).0[c];
                    let bound = roundings(DISPLACEMENT_ROUNDINGS, exact(computed).abs());
                    let [error, bound] = step.roots[side].coordinate(k, c).error(computed, bound);
                    tightness.check(&error, &bound, || format!("{computed:e}"));
                }
            }
        }
    });
    tightness.report("displacement");
}

/// The largest absolute value in a column of the trajectories: 0 to 2 are starts, 3 to 5
/// displacements.
fn extent_of(extent: Extent, column: usize) -> f64 {
    [extent.start, extent.displacement][column / 3][column % 3]
}

/// Compares the nets of the children with the exact parts of the net that the tree starts from.
fn subdivision(scene: &Scene, step: &SearchStep, tightness: &Tightness, rational: bool) {
    let nets = step.nets();
    for (side, patch) in scene.patches.iter().enumerate() {
        let tree = &step.search.pair.trees[side];
        let split = tree.roundings(step.families[side]);
        if split == 0 || patch.weights.is_some() != rational {
            continue;
        }
        let root = tree.nets(0);
        let rows: Vec<_> = (0..patch.points.len())
            .map(|k| root.trajectory(0, k).0.map(exact))
            .collect();
        let root = ExactNet::new(patch.shape, &rows, patch.weights.as_deref());
        for lane in 0..step.counts()[side] {
            let part = root.part(&tree.cell(4 * step.families[side] + lane as u32));
            for k in 0..patch.points.len() {
                for (c, computed) in nets[side].trajectory(lane, k).0.into_iter().enumerate() {
                    let size = exact(extent_of(step.search.pair.extents[side], c));
                    let bound = roundings(f64::from(split), size);
                    let [error, bound] = part.coordinate(k, c).error(computed, bound);
                    let place = || format!("{} after {split} roundings, point {k}", patch.shape);
                    tightness.check(&error, &bound, place);
                }
            }
        }
    }
}

#[test]
fn subdivision_of_polynomial_patches() {
    let tightness = Tightness::default();
    for_steps(60, 12, anywhere, |scene, step, _| {
        subdivision(scene, step, &tightness, false);
    });
    tightness.report("subdivision");
}

#[test]
fn subdivision_of_rational_patches() {
    let tightness = Tightness::default();
    for_steps(60, 13, anywhere, |scene, step, _| {
        subdivision(scene, step, &tightness, true);
    });
    tightness.report("rational subdivision");
}

/// The middle of a rational edge is computed with few roundings, so that they are likely to add up
/// to nearly the bound: a product, an average, an average of the weights and a quotient.
#[test]
fn one_subdivision_of_a_rational_edge() {
    let tightness = Tightness::default();
    let mut random = Random::new(14);
    let shape = Shape::TensorProduct { n: 1, m: 0 };
    let mut search = Search::new();
    let velocities = [nalgebra::Vector3::zeros(); 2];
    for _ in 0..cases(5000) {
        let weights = [1.0 + random.unit(), 1.0 + random.unit()];
        let mut point = || Point3::from([0; 3].map(|_| 1.0 + 0.01 * random.unit()));
        let edge = [point(), point()];
        let opposite = edge.map(|point| -point);
        let view = |points| MotionView {
            shape,
            points,
            motion: MotionOfView::Linear(LinearMotion::with_velocities(&velocities)),
            weights: Some(&weights),
        };
        // With the opposite edge as the other patch, the middle of the scene is the origin.
        search
            .pair
            .load(&[view(&edge), view(&opposite)], &Options::default());
        let tree = &mut search.pair.trees[0];
        let family = tree.children(0, Split::Even);
        tree.load(family);
        let rows =
            edge.map(|point| std::array::from_fn(|c| exact(if c < 3 { point[c] } else { 0.0 })));
        let half = ExactNet::new(shape, &rows, Some(&weights)).part(&Cell {
            width_u: 0.5,
            ..Cell::UNIT
        });
        for c in 0..3 {
            let size = exact(search.pair.extents[0].start[c]);
            let bound = roundings(split_roundings(1, true) as f64, size);
            let computed = search.pair.trees[0].nets(family).trajectory(0, 1).0[c];
            let [error, bound] = half.coordinate(1, c).error(computed, bound);
            tightness.check(&error, &bound, || format!("{edge:?}, weights {weights:?}"));
        }
    }
    tightness.report("middle of a rational edge");
}

/// Compares points of the whole patches with the blossom at equal arguments.
#[test]
fn points_of_patches() {
    let tightness = Tightness::default();
    let check = |search: &mut Search,
                 shape: Shape,
                 net: &ExactNet,
                 (u, v): (f64, f64),
                 t: f64,
                 side: usize| {
        let jet = search.pair.trees[side].jet((u, v), t);
        let point = net.point((u, v));
        let extents = search.pair.extents[side];
        let largest = (0..3)
            .map(|c| exact(extents.start[c]) + exact(t) * exact(extents.displacement[c]))
            .max();
        let bound = exact(evaluation_error(shape.degrees())) * largest.unwrap() + exact(UNDERFLOW);
        for c in 0..3 {
            let [start, displacement] = [c, 3 + c].map(|c| point.coordinate(0, c));
            let computed = jet.value(0)[c];
            let value = Quotient {
                numerator: start.numerator + exact(t) * displacement.numerator,
                denominator: start.denominator,
            };
            let [error, bound] = value.error(computed, bound.clone());
            tightness.check(&error, &bound, || format!("{shape} at ({u}, {v}), {t}"));
        }
    };
    for_steps(60, 22, whole, |scene, step, _| {
        let mut search = Search::new();
        search.pair.load(&scene.views(), &scene.options);
        for side in 0..2 {
            let patch = &scene.patches[side];
            let rows: Vec<_> = (0..patch.points.len())
                .map(|k| step.nets()[side].trajectory(0, k).0.map(exact))
                .collect();
            let net = ExactNet::new(patch.shape, &rows, patch.weights.as_deref());
            check(
                &mut search,
                patch.shape,
                &net,
                scene.parameters[side],
                scene.time,
                side,
            );
        }
    });
    // If the third coordinate of a triangle, 1 − u − v, is rounded, then the basis does not sum to
    // 1. Take the place out of many at which that rounding is largest.
    let mut random = Random::new(23);
    let off = |(u, v): (f64, f64)| (exact(1.0 - u - v) - (exact(1.0) - exact(u) - exact(v))).abs();
    let parameters = (0..1000).map(|_| (0.3 * random.unit(), 0.3 * random.unit()));
    let worst = parameters.max_by_key(|&at| off(at)).unwrap();
    let n = 24;
    let shape = Shape::Triangular { n };
    let points = vec![Point3::new(1.0, 1.0, 1.0); shape.count()];
    let patch = Moving::resting(TriangularPatch::new(n, &points).unwrap());
    let corner = Point3::new(-1.0, -1.0, -1.0);
    let other = Moving::resting(TensorProductPatch::new(1, 1, &[corner; 4]).unwrap());
    let mut search = Search::new();
    search
        .pair
        .load(&[patch.view(), other.view()], &Options::default());
    let row: [_; 6] = std::array::from_fn(|c| exact(if c < 3 { 1.0 } else { 0.0 }));
    let net = ExactNet::new(shape, &vec![row; points.len()], None);
    check(&mut search, shape, &net, worst, 0.0, 0);
    tightness.report("point of a patch");
}
