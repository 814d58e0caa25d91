//! Which patches are neighbours once a mesh is welded.

use kit::Random;
use kit::scenes::SEGMENT;
use nalgebra::{Point3, point};
use patch_ccd::mesh::PatchMesh;

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
