//! The Utah teapot: where it is, how its patches meet, which side its normals are on.

use std::collections::{BTreeMap, BTreeSet};

use nalgebra::{Point3, point};
use ordered_float::NotNan;
use patch_ccd::geometry::{AnyPatch, Patch, Shape};

use super::{TEAPOT, bpt};

fn teapot() -> Vec<AnyPatch> {
    bpt(TEAPOT).unwrap()
}

fn all_points(patches: &[AnyPatch]) -> impl Iterator<Item = Point3<f64>> {
    patches
        .iter()
        .flat_map(|patch| patch.control_points().iter().copied())
}

/// Coordinates that can be compared; −0 is 0.
fn key(point: Point3<f64>) -> [NotNan<f64>; 3] {
    <[f64; 3]>::from(point).map(|x| NotNan::new(x + 0.0).unwrap())
}

#[test]
fn patches_and_extents() {
    let patches = teapot();
    assert_eq!(patches.len(), 32);
    for patch in &patches {
        assert_eq!(patch.shape(), Shape::TensorProduct { n: 3, m: 3 });
    }
    let (least, greatest) = all_points(&patches).fold(
        (
            Point3::from([f64::INFINITY; 3]),
            Point3::from([f64::NEG_INFINITY; 3]),
        ),
        |(least, greatest), p| (least.inf(&p), greatest.sup(&p)),
    );
    assert_eq!(least, point![-3.0, -2.0, 0.0]);
    assert_eq!(greatest, point![3.525, 2.0, 3.15]);
    let distinct: BTreeSet<_> = all_points(&patches).map(key).collect();
    assert_eq!(distinct.len(), 290);
}

#[test]
fn u_runs_along_the_rows() {
    // The rim from +x to −y, then up.
    let rim = &teapot()[0];
    assert_eq!(rim.eval(0.0, 0.0), point![1.4, 0.0, 2.4]);
    assert_eq!(rim.eval(1.0, 0.0), point![0.0, -1.4, 2.4]);
    assert_eq!(rim.eval(0.0, 1.0), point![1.5, 0.0, 2.4]);
}

#[test]
fn sides_meet_in_pairs() {
    let mut sides: BTreeMap<Vec<_>, usize> = BTreeMap::new();
    let mut collapsed = 0;
    for patch in teapot() {
        let net = patch.control_points();
        let along_u = [0, 3].map(|j| [0, 1, 2, 3].map(|i| net[4 * i + j]));
        let along_v = [0, 3].map(|i| [0, 1, 2, 3].map(|j| net[4 * i + j]));
        for side in [along_u, along_v].concat() {
            let forth: Vec<_> = side.into_iter().map(key).collect();
            let back: Vec<_> = forth.iter().rev().copied().collect();
            if forth.iter().all(|point| *point == forth[0]) {
                collapsed += 1;
            } else {
                *sides.entry(forth.min(back)).or_default() += 1;
            }
        }
    }
    let count = |times| sides.values().filter(|&&n| n == times).count();
    assert_eq!(sides.values().copied().max(), Some(2));
    // The open ones: inside of the rim 4, border of the lid 4, both ends of handle and spout 2
    // each.
    assert_eq!([count(2), count(1), collapsed], [52, 16, 8]);
}

#[test]
fn normals_look_outwards() {
    let patches = teapot();
    let middle = |patch: &AnyPatch| (patch.eval(0.5, 0.5), patch.normal(0.5, 0.5).unwrap());
    // Body, handle and spout: each patch is on one side of the plane of symmetry.
    for patch in &patches[4..20] {
        let (point, normal) = middle(patch);
        assert!(point.y * normal.y > 0.0, "{point}: {normal}");
    }
    for patch in &patches[24..28] {
        assert!(middle(patch).1.z > 0.0, "lid");
    }
    for patch in &patches[28..] {
        assert!(middle(patch).1.z < 0.0, "bottom");
    }
}
