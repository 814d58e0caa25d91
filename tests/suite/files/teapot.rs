//! The Utah teapot: where it is, how its patches meet, which side its normals are on.

use std::collections::{BTreeMap, BTreeSet};

use nalgebra::{Point3, point, vector};
use ordered_float::NotNan;
use patch_ccd::geometry::{AnyPatch, Patch, Shape};
use patch_ccd::mesh::{
    MeshDistanceOptions, MeshOptions, MovingMesh, PatchMesh, TriangleMesh, earliest_impact,
    least_distance,
};

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

/// The tip of the lid and the middle of the bottom are collapsed sides of four patches each.
#[test]
fn normals_where_sides_are_collapsed() {
    let up = vector![0.0, 0.0, 1.0];
    let mut found = [0; 2];
    for patch in &teapot() {
        for v in [0.0, 1.0] {
            let [from, middle, to] = [0.0, 0.5, 1.0].map(|u| patch.eval(u, v));
            if (middle - from).norm() + (to - from).norm() > 1e-14 {
                continue;
            }
            let lid = from.z > 3.0;
            found[usize::from(lid)] += 1;
            for u in (0..=20).map(|k| f64::from(k) / 20.0) {
                let normal = patch.normal(u, v).expect("a smooth surface");
                let expected = if lid { up } else { -up };
                assert!((normal - expected).norm() < 1e-15, "{u} {v} {normal}");
            }
        }
    }
    assert_eq!(found, [4; 2]);
}

/// A particle and a plate that fall on the tip of the lid.
#[test]
fn contacts_at_the_tip_of_the_lid() {
    let (mesh, points) = PatchMesh::from_patches(&teapot());
    let pot = MovingMesh::resting(&mesh, &points).unwrap();
    let particle = TriangleMesh::new(1, &[]).unwrap();
    let plate = PatchMesh::from_quads(4, &[[0, 1, 2, 3]]).unwrap();
    let above = [
        [0.0, 0.0],
        [-4.0, -4.1],
        [-4.0, 4.3],
        [4.2, 4.3],
        [4.2, -4.1],
    ];
    let above = above.map(|[x, y]| point![x, y, 4.15]);
    let down = [vector![0.0, 0.0, -2.0]; 4];
    for falling in [
        MovingMesh::with_velocities(&particle, &above[..1], &down[..1]).unwrap(),
        MovingMesh::with_velocities(&plate, &above[1..], &down).unwrap(),
    ] {
        let impact = earliest_impact(&pot, &falling, &MeshOptions::default()).unwrap();
        assert!(impact.fraction <= 0.5 && impact.fraction > 0.5 - 2e-6);
        let contact = *impact.first.unwrap().outcome.contact().unwrap();
        let least = least_distance(&pot, &falling, &MeshDistanceOptions::default()).unwrap();
        let closest = *least.first.unwrap().distance.closest().unwrap();
        assert!((closest.distance - 1.0).abs() < 1e-15 && least.lower > 1.0 - 1e-5);
        for normals in [contact.normals, closest.normals] {
            let off = normals[0].unwrap() - vector![0.0, 0.0, 1.0];
            assert!(off.norm() < 1e-6, "{normals:?}");
        }
    }
}
