//! Which patches are neighbours once a mesh is welded.

use kit::Random;
use kit::scenes::meshes::{sheet, triangles};
use kit::scenes::nurbs::{sphere, torus};
use kit::scenes::{BICUBIC, BILINEAR, SEGMENT, level, patch, segment, square};
use nalgebra::{Point3, Rotation3, Vector3, point};
use patch_ccd::geometry::AnyPatch;
use patch_ccd::mesh::{MovingMesh, PatchMesh, WeldReport};

/// A line from each point to itself, so that patches are neighbours if their points count as one.
fn dots(points: &[Point3<f64>]) -> PatchMesh {
    let mut mesh = PatchMesh::new(points.len());
    for point in 0..points.len() as u32 {
        mesh.add(SEGMENT, &[point; 2], None).unwrap();
    }
    mesh
}

/// All pairs of points that count as one.
fn welded(points: &[Point3<f64>], tolerance: f64) -> Vec<[usize; 2]> {
    let mut mesh = dots(points);
    mesh.weld(points, tolerance).unwrap();
    neighbours(&mesh)
}

fn neighbours(mesh: &PatchMesh) -> Vec<[usize; 2]> {
    let pairs = (0..mesh.len()).flat_map(|b| (0..b).map(move |a| [a, b]));
    pairs
        .filter(|[a, b]| mesh.are_neighbours(*a as u32, *b as u32))
        .collect()
}

/// However dense they lie, points are not joined over more than twice the tolerance.
#[test]
fn a_row_of_points_does_not_become_one() {
    for spacing in [0.9, 0.3, 0.01] {
        let row: Vec<_> = (0..200)
            .map(|k| point![0.0, spacing * f64::from(k), 0.0])
            .collect();
        let pairs = welded(&row, 1.0);
        assert!(!pairs.is_empty());
        for [a, b] in pairs {
            assert!((row[a] - row[b]).norm() <= 2.0, "{a} {b}");
        }
    }
    let few: Vec<_> = [0.0, 0.9, 1.8].map(|x| point![x, 0.0, 0.0]).into();
    assert_eq!(welded(&few, 1.0), [[0, 1]]);
    // A point belongs to the nearest centre.
    let few: Vec<_> = [0.0, 0.9, 1.1].map(|x| point![x, 0.0, 0.0]).into();
    assert_eq!(welded(&few, 1.0), [[1, 2]]);
}

/// Clusters no wider than the tolerance, farther than that from each other.
#[test]
fn what_belongs_together_is_joined_in_any_order() {
    let mut random = Random::new(1);
    for _ in 0..50 {
        let clusters = 1 + random.below(6);
        let mut all: Vec<(usize, Point3<f64>)> = Vec::new();
        for cluster in 0..clusters {
            // A ball of diameter 1, in a cell of a grid of width 2.1.
            let middle = point![(cluster % 2) as f64, (cluster / 2) as f64, 0.0] * 2.1;
            for _ in 0..=random.below(5) {
                let offset = loop {
                    let offset = random.vector(0.5);
                    if offset.norm() < 0.5 {
                        break offset;
                    }
                };
                all.insert(random.below(all.len() + 1), (cluster, middle + offset));
            }
        }
        let points: Vec<_> = all.iter().map(|(_, point)| *point).collect();
        let pairs = (0..all.len()).flat_map(|b| (0..b).map(move |a| [a, b]));
        let expected: Vec<_> = pairs.filter(|[a, b]| all[*a].0 == all[*b].0).collect();
        let mut mesh = dots(&points);
        let report = mesh.weld(&points, 1.0).unwrap();
        assert_eq!(neighbours(&mesh), expected);
        let size = |cluster| all.iter().filter(|(of, _)| *of == cluster).count();
        let several: Vec<_> = (0..clusters).map(size).filter(|&size| size > 1).collect();
        assert_eq!(
            (report.points, report.groups),
            (several.iter().sum(), several.len())
        );
        let apart = expected
            .iter()
            .map(|&[a, b]| (points[a] - points[b]).norm());
        let apart: Vec<_> = apart.collect();
        let largest = report.largest_distance;
        let is_it = |distance: &f64| (distance - largest).abs() < 1e-15;
        let is_one = largest == 0.0 && apart.is_empty() || apart.iter().any(is_it);
        assert!(is_one, "{report:?} {apart:?}");
    }
}

#[test]
fn neither_the_order_of_points_nor_a_second_weld_changes_anything() {
    let mut random = Random::new(2);
    for tolerance in [0.2, 0.4, 0.8] {
        let points: Vec<_> = (0..80).map(|_| random.point(1.0)).collect();
        let mut order: Vec<usize> = (0..points.len()).collect();
        for at in (1..order.len()).rev() {
            order.swap(at, random.below(at + 1));
        }
        let shuffled: Vec<_> = order.iter().map(|&at| points[at]).collect();
        let pairs = welded(&shuffled, tolerance).into_iter();
        let mut back: Vec<_> = pairs
            .map(|pair| {
                let [a, b] = pair.map(|at| order[at]);
                [a.min(b), a.max(b)]
            })
            .collect();
        back.sort_unstable_by_key(|&[a, b]| [b, a]);
        let expected = welded(&points, tolerance);
        assert!(!expected.is_empty());
        assert_eq!(back, expected);
        let mut twice = dots(&points);
        let report = twice.weld(&points, tolerance);
        assert_eq!(twice.weld(&points, tolerance), report);
        assert_eq!(neighbours(&twice), expected);
    }
}

/// The report of a weld of patches with points of their own.
fn weld(patches: &[AnyPatch], tolerance: f64) -> WeldReport {
    let (mut mesh, points) = PatchMesh::from_patches(patches);
    mesh.weld(&points, tolerance).unwrap()
}

/// The patches of a mesh, each with points of its own.
fn torn(mesh: &PatchMesh, points: &[Point3<f64>]) -> Vec<AnyPatch> {
    let moving = MovingMesh::resting(mesh, points).unwrap();
    moving.patches_at(0.0).unwrap()
}

fn lifted(patches: &[AnyPatch], by: f64) -> Vec<AnyPatch> {
    let lift = |patch: &AnyPatch| kit::scenes::placed(patch, |p| p + Vector3::z() * by);
    patches.iter().map(lift).collect()
}

#[test]
fn layers_closer_than_the_tolerance_are_reported() {
    // Two squares.
    let two = [square(0.0), square(1e-7)];
    assert_eq!(weld(&two, 1e-6).layers, [[0, 1]]);
    assert_eq!(weld(&two, 1e-8), WeldReport::default());
    // The same patch twice.
    let twice = [
        square(0.0),
        level(BILINEAR, [5.0, 6.0], [0.0, 1.0], 0.0),
        square(0.0),
    ];
    assert_eq!(weld(&twice, 0.0).layers, [[0, 2]]);
    // Whole sheets, of patches and of triangles: each patch lies on that of the other layer.
    let (mesh, points) = sheet(3, 4, 0.0, 1.0);
    let (flat, corners) = triangles(4, 0.0, 1.0);
    let flat = PatchMesh::from_triangles(corners.len(), flat.faces()).unwrap();
    for (mesh, points) in [(mesh, points), (flat, corners)] {
        let lower = torn(&mesh, &points);
        let count = lower.len() as u32;
        let both = [lower.clone(), lifted(&lower, 1e-5)].concat();
        let expected: Vec<_> = (0..count).map(|k| [k, k + count]).collect();
        assert_eq!(weld(&both, 2e-5).layers, expected);
        assert_eq!(weld(&both, 5e-6).layers, [[0; 2]; 0]);
        // Layers that are each one mesh, and each welded before they are joined.
        let mut layers = mesh.clone();
        layers.append(&mesh).unwrap();
        let above: Vec<_> = points.iter().map(|p| p + Vector3::z() * 1e-5).collect();
        let all = [points, above].concat();
        assert_eq!(layers.weld(&all, 1e-6).unwrap(), WeldReport::default());
        assert_eq!(layers.weld(&all, 2e-5).unwrap().layers, expected);
    }
    // Rods.
    let rods = [0.0, 1e-7].map(|z| segment(point![0.0, 0.0, z], point![1.0, 0.0, z]));
    assert_eq!(weld(&rods, 1e-6).layers, [[0, 1]]);
    // A triangle that lies on half of a square.
    let half = AnyPatch::from_shape(
        kit::scenes::LINEAR,
        &[
            point![0.0, 0.0, 0.0],
            point![1.0, 0.0, 0.0],
            point![0.0, 1.0, 0.0],
        ],
    );
    assert_eq!(weld(&[half.unwrap(), square(0.0)], 0.0).layers, [[0, 1]]);
}

#[test]
fn patches_that_meet_along_sides_are_no_layers() {
    let none = [[0; 2]; 0];
    for surface in [sphere(1.0), torus(2.0, 1.0)] {
        let patches: Vec<_> = surface
            .split()
            .unwrap()
            .into_iter()
            .map(|piece| piece.patch)
            .collect();
        let report = weld(&patches, 1e-9);
        assert!(report.groups > 10 && report.layers == none, "{report:?}");
    }
    let (mesh, points) = sheet(3, 5, 0.0, 1.0);
    assert_eq!(weld(&torn(&mesh, &points), 1e-9).layers, none);
    let (mesh, points) = triangles(5, 0.0, 1.0);
    let mesh = PatchMesh::from_triangles(points.len(), mesh.faces()).unwrap();
    assert_eq!(weld(&torn(&mesh, &points), 1e-9).layers, none);
    // A cushion: two patches with all four sides in common.
    let cushion = [-0.1, 0.1].map(|height| {
        patch(BICUBIC, |u, v| {
            let inside = u * (1.0 - u) * v * (1.0 - v) > 0.0;
            point![u, v, if inside { height } else { 0.0 }]
        })
    });
    let report = weld(&cushion, 1e-9);
    assert_eq!((report.groups, report.layers.len()), (12, 0));
    // A rod that is sewn on a border.
    let sewn = [
        square(0.0),
        segment(point![0.0, 0.0, 0.0], point![1.0, 0.0, 0.0]),
    ];
    assert_eq!(weld(&sewn, 0.0).layers, none);
}

/// The pages of a book, which have a whole side in common, and the slices of a ball, which have
/// both poles.
#[test]
fn many_patches_around_a_side_or_two_poles_take_no_time() {
    let turned =
        |angle: f64, p: Point3<f64>| Rotation3::from_axis_angle(&Vector3::y_axis(), angle) * p;
    let count = 2_000;
    let angle = |k: i32| std::f64::consts::TAU * f64::from(k) / f64::from(count);
    let page = |k: i32| patch(BICUBIC, |u, v| turned(angle(k), point![u, v, 0.1 * u * u]));
    let slice = |k: i32| {
        patch(BICUBIC, |u, v| {
            turned(angle(k) + u * angle(1), point![v * (1.0 - v), v, 0.0])
        })
    };
    for patches in [
        (0..count).map(page).collect::<Vec<_>>(),
        (0..count).map(slice).collect(),
    ] {
        let start = std::time::Instant::now();
        let report = weld(&patches, 1e-9);
        let taken = start.elapsed();
        assert!(
            report.layers.is_empty() && report.points >= 4 * count as usize,
            "{report:?}"
        );
        assert!(taken.as_secs() < 20, "{taken:?}");
    }
}
