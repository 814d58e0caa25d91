//! Trees against brute force, and their shape where boxes are degenerate or far away.

use super::{VolumeNode, VolumeTree};
use crate::mesh::broad_phase::MovingBox;
use nalgebra::{Point3, Vector3};

/// Boxes of size 1 that move from one random place in a cube of side 10 to another one.
fn boxes(count: usize, seed: u64) -> Vec<MovingBox> {
    let mut state = seed;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as f64 / f64::from(1_u32 << 31) * 10.0
    };
    let mut random = || Point3::new(next(), next(), next());
    (0..count)
        .map(|_| {
            let (p, q) = (random(), random());
            let velocity = q - p;
            let points = [p, p + Vector3::repeat(1.0)];
            MovingBox::around(points.iter().map(|point| (point, &velocity)), 1.0, 0.0)
        })
        .collect()
}

fn brute(one: &[MovingBox], two: &[MovingBox], within: bool) -> Vec<(u32, u32)> {
    let all = (0..one.len()).flat_map(|a| (0..two.len()).map(move |b| (a, b)));
    all.filter(|&(a, b)| (!within || a < b) && one[a].overlap(&two[b]).is_some())
        .map(|(a, b)| (a as u32, b as u32))
        .collect()
}

/// All pairs of leaves that overlap, by going down two trees.
fn pairs(one: &VolumeTree, two: &VolumeTree) -> Vec<(u32, u32)> {
    let roots = one.root().zip(two.root());
    let mut stack: Vec<[u32; 2]> = roots.map(|(a, b)| [a, b]).into_iter().collect();
    stack.retain(|&pair| one.overlap(two, pair).is_some());
    let mut found = Vec::new();
    while let Some(pair) = stack.pop() {
        let leaves = one.expand(two, pair, |pair| {
            if one.overlap(two, pair).is_some() {
                stack.push(pair);
            }
        });
        found.extend(leaves.map(|[a, b]| (a, b)));
    }
    found.sort_unstable();
    found
}

fn own_pairs(tree: &VolumeTree) -> Vec<(u32, u32)> {
    let mut stack: Vec<[u32; 2]> = tree.root().map(|root| [root, root]).into_iter().collect();
    let mut found = Vec::new();
    while let Some(pair) = stack.pop() {
        let leaves = tree.expand_within(pair, |pair| {
            if tree.overlap(tree, pair).is_some() {
                stack.push(pair);
            }
        });
        found.extend(leaves.map(|[a, b]| (a.min(b), a.max(b))));
    }
    found.sort_unstable();
    found
}

#[test]
fn finds_the_pairs_that_brute_force_finds_also_when_refitted() {
    let (mut one, mut two) = (VolumeTree::default(), VolumeTree::default());
    for (seed, count) in [(1, 200), (2, 200), (3, 7), (4, 1), (5, 0)] {
        let (a, b) = (boxes(count, seed), boxes(count, seed + 100));
        one.update(&a);
        two.update(&b);
        assert_eq!(pairs(&one, &two), brute(&a, &b, false));
        assert_eq!(own_pairs(&one), brute(&a, &a, true));
    }
}

#[test]
fn degenerate_boxes_make_a_sound_tree() {
    let zero = Vector3::zeros();
    let line = |k: usize, size: f64| {
        let p = Point3::new(size * 0.5_f64.powi(k as i32), 0.0, 0.0);
        MovingBox::around(std::iter::once((&p, &zero)), 1.0, 0.0)
    };
    for size in [0.0, 1e-320, 1.0, 1e300, f64::MAX] {
        let boxes: Vec<_> = (0..300).map(|k| line(k, size)).collect();
        let mut tree = VolumeTree::default();
        tree.update(&boxes);
        assert_eq!(own_pairs(&tree), brute(&boxes, &boxes, true), "{size}");
    }
}

/// How many nodes there are on the longest way down from a node.
fn depth(tree: &VolumeTree, node: u32) -> usize {
    match tree.nodes[node as usize] {
        VolumeNode::Leaf(_) => 1,
        VolumeNode::Inner(children) => {
            1 + children
                .map(|child| depth(tree, child))
                .into_iter()
                .max()
                .unwrap_or(0)
        }
    }
}

#[test]
fn a_box_far_away_does_not_spoil_the_tree() {
    let near = boxes(2000, 9);
    let still = Vector3::zeros();
    for far in [1e6, 1e12, 1e100, 1e300] {
        let mut boxes = near.clone();
        let away = Point3::new(far, 0.0, 0.0);
        boxes.push(MovingBox::around(
            std::iter::once((&away, &still)),
            1.0,
            0.0,
        ));
        let (mut tree, mut ideal) = (VolumeTree::default(), VolumeTree::default());
        tree.update(&boxes);
        ideal.update(&near);
        // All but the way to the box far away.
        let areas = |tree: &VolumeTree| -> Vec<f64> {
            let areas = tree.boxes.iter().map(|bounds| bounds.area(10.0));
            areas.filter(|&area| area < 1e3).collect()
        };
        let (found, alone) = (areas(&tree), areas(&ideal));
        assert!(found.len() + 60 > alone.len(), "{far}: {}", found.len());
        let sum = |areas: &[f64]| areas.iter().sum::<f64>();
        assert!(
            sum(&found) < 3.0 * sum(&alone),
            "{far}: {} {}",
            sum(&found),
            sum(&alone)
        );
        assert!(depth(&tree, 0) < 60);
    }
}
