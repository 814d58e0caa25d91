//! Which patches are neighbours once a mesh is welded.

use kit::Random;
use kit::scenes::meshes::{sheet, triangles};
use kit::scenes::nurbs::{sphere, torus};
use kit::scenes::{
    BICUBIC, BILINEAR, BIQUADRATIC, LINEAR, QUADRATIC, arch, level, paraboloid, patch, segment,
    square,
};
use nalgebra::{Point3, Rotation3, Vector3, point};
use patch_ccd::geometry::{AnyPatch, Shape};
use patch_ccd::mesh::{MeshOptions, MovingMesh, PatchMesh, WeldReport, earliest_self_impact};

/// A curve about each of these points, which is its middle control point. The ends of the curves
/// are far away from everything else.
fn bows(middles: &[Point3<f64>]) -> (PatchMesh, Vec<Point3<f64>>) {
    let count = middles.len();
    let mut mesh = PatchMesh::new(3 * count);
    let mut points = middles.to_vec();
    for k in 0..count {
        let at = points.len() as u32;
        points.extend([-1e3, 1e3].map(|x| point![x, 1e2 * k as f64, 1e3]));
        let curve = Shape::TensorProduct { n: 2, m: 0 };
        mesh.add(curve, &[at, k as u32, at + 1], None).unwrap();
    }
    (mesh, points)
}

/// All pairs of points that count as one.
fn welded(points: &[Point3<f64>], tolerance: f64) -> Vec<[usize; 2]> {
    let (mut mesh, all) = bows(points);
    mesh.weld(&all, tolerance).unwrap();
    neighbours(&mesh)
}

fn neighbours(mesh: &PatchMesh) -> Vec<[usize; 2]> {
    let pairs = (0..mesh.len()).flat_map(|b| (0..b).map(move |a| [a, b]));
    pairs
        .filter(|[a, b]| mesh.are_neighbours(*a as u32, *b as u32))
        .collect()
}

/// What is welded to what is the same as by looking at all pairs.
#[test]
fn groups_are_those_of_brute_force() {
    let mut random = Random::new(1);
    let mut point = |_| {
        let [x, y, z] = random.point(0.5).into();
        point![x, y, 0.1 * z]
    };
    let points: Vec<Point3<f64>> = (0..120).map(&mut point).collect();
    for tolerance in [0.0, 0.01, 0.03, 0.05, 0.1, 0.3, 1.0] {
        let apart = |a: usize, b: usize| (points[a] - points[b]).norm();
        let mut sorted: Vec<usize> = (0..points.len()).collect();
        sorted.sort_by(|&a, &b| points[a].x.total_cmp(&points[b].x));
        let mut centres: Vec<usize> = Vec::new();
        for a in sorted {
            if centres.iter().all(|&centre| apart(a, centre) > tolerance) {
                centres.push(a);
            }
        }
        let centre_of = |a: usize| {
            let nearest = |x: &&usize, y: &&usize| apart(a, **x).total_cmp(&apart(a, **y));
            centres.iter().min_by(nearest)
        };
        let pairs = (0..points.len()).flat_map(|b| (0..b).map(move |a| [a, b]));
        let expected = pairs.filter(|&[a, b]| centre_of(a) == centre_of(b));
        assert_eq!(welded(&points, tolerance), expected.collect::<Vec<_>>());
    }
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
        let (mut mesh, all_points) = bows(&points);
        let report = mesh.weld(&all_points, 1.0).unwrap();
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
        let (mut twice, all) = bows(&points);
        let report = twice.weld(&all, tolerance);
        assert_eq!(twice.weld(&all, tolerance), report);
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
        LINEAR,
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

/// The patches welded, all pairs of neighbours, and whether the mesh touches itself while it moves
/// as a whole.
fn joined(patches: &[AnyPatch], tolerance: f64) -> (WeldReport, Vec<[usize; 2]>, bool) {
    let (mut mesh, points) = PatchMesh::from_patches(patches);
    let report = mesh.weld(&points, tolerance).unwrap();
    let velocities = vec![Vector3::new(0.1, -0.2, 0.3); points.len()];
    let moving = MovingMesh::with_velocities(&mesh, &points, &velocities).unwrap();
    let first = earliest_self_impact(&moving, &MeshOptions::default())
        .unwrap()
        .first;
    (report, neighbours(&mesh), first.is_some())
}

/// A rectangle at height 0.
fn rectangle(x: [f64; 2], y: [f64; 2]) -> AnyPatch {
    level(BILINEAR, x, y, 0.0)
}

#[test]
fn a_long_side_along_short_ones_is_welded_to_all_of_them() {
    let long = rectangle([0.0, 3.0], [0.0, 1.0]);
    let short = [0.0, 1.0, 2.0].map(|x| rectangle([x, x + 1.0], [-1.0, 0.0]));
    let [first, middle, last] = short;
    // The middle one shares no point with the long one.
    let (report, pairs, touches) =
        joined(&[long.clone(), first.clone(), middle.clone(), last], 1e-9);
    assert_eq!((report.junctions, touches), (2, false));
    assert_eq!(pairs, [[0, 1], [0, 2], [1, 2], [0, 3], [2, 3]]);
    // It alone, and beside one that is half as long.
    let (report, pairs, touches) = joined(&[long.clone(), middle.clone()], 1e-9);
    assert_eq!((report.junctions, pairs, touches), (2, vec![[0, 1]], false));
    let (report, pairs, touches) = joined(&[long, first, rectangle([1.0, 3.0], [-1.0, 0.0])], 0.0);
    assert_eq!((report.junctions, touches), (1, false));
    assert_eq!(pairs, [[0, 1], [0, 2], [1, 2]]);
}

#[test]
fn a_corner_beside_a_side_is_welded_up_to_the_tolerance() {
    let floor = rectangle([0.0, 3.0], [0.0, 1.0]);
    let beside = |gap: f64| rectangle([1.0, 2.0], [-1.0, -gap]);
    for tolerance in [1e-9, 1e-3, 0.25] {
        for (gap, expected) in [(0.99 * tolerance, 2), (1.01 * tolerance, 0)] {
            let (report, pairs, touches) = joined(&[floor.clone(), beside(gap)], tolerance);
            assert_eq!((report.junctions, touches), (expected, false));
            assert_eq!(pairs.is_empty(), expected == 0);
            // Nothing else is joined.
            assert_eq!((report.points, report.layers.len()), (0, 0));
        }
    }
    // A thorn that touches a patch inside is a contact.
    let thorn = AnyPatch::from_shape(
        LINEAR,
        &[
            point![1.5, 0.5, 0.0],
            point![1.4, 0.5, 1.0],
            point![1.6, 0.5, 1.0],
        ],
    );
    let (report, pairs, touches) = joined(&[floor, thorn.unwrap()], 1e-9);
    assert_eq!(
        (report, pairs, touches),
        (WeldReport::default(), vec![], true)
    );
}

/// Of curved sides, of rational ones, of triangles and of rods.
#[test]
fn sides_and_corners_of_every_kind() {
    // z = x² + y², of degree 2 on every part. Triangles have their right angle at x = y = 0.
    let (quad, tri) = (BIQUADRATIC, QUADRATIC);
    for [long, short] in [[quad, quad], [quad, tri], [tri, quad], [tri, tri]] {
        let long = paraboloid(long, [0.0, 1.0], [0.0, 3.0], 0.5);
        let parts = [[0.0, 0.7], [0.7, 2.2], [2.2, 3.0]];
        let short = parts.map(|y| paraboloid(short, [0.0, -1.0], y, 0.5));
        let all = [&[long.clone()][..], &short].concat();
        let (report, pairs, touches) = joined(&all, 1e-12);
        assert_eq!(
            (report.junctions, touches),
            (2, false),
            "{long:?} {short:?}"
        );
        assert_eq!(pairs, [[0, 1], [0, 2], [1, 2], [0, 3], [2, 3]]);
        assert_eq!(report.layers, [[0; 2]; 0]);
    }
    // Along the slanted side of a triangle.
    let half = AnyPatch::from_shape(
        LINEAR,
        &[
            point![0.0, 0.0, 0.0],
            point![3.0, 0.0, 0.0],
            point![0.0, 3.0, 0.0],
        ],
    );
    let beside = AnyPatch::from_shape(
        LINEAR,
        &[
            point![2.0, 2.0, 1.0],
            point![1.75, 1.25, 0.0],
            point![0.5, 2.5, 0.0],
        ],
    );
    let (report, pairs, touches) = joined(&[half.unwrap(), beside.unwrap()], 0.0);
    assert_eq!((report.junctions, pairs, touches), (2, vec![[0, 1]], false));
    // A quarter of a cylinder about the y axis, and a wing on the arc at y = 1/2.
    let pipe = arch(1.0, Rotation3::identity(), 0.0);
    let on_arc =
        |angle: f64, y: f64, radius: f64| point![radius * angle.sin(), y, radius * angle.cos()];
    let wing = |radius: f64| {
        let net = [
            on_arc(-0.3, 0.5, radius),
            on_arc(-0.3, 1.5, 1.0),
            on_arc(0.2, 0.5, radius),
            on_arc(0.2, 1.5, 1.0),
        ];
        AnyPatch::from_shape(BILINEAR, &net).unwrap()
    };
    assert_eq!(weld(&[pipe.clone(), wing(1.0)], 1e-12).junctions, 2);
    assert_eq!(weld(&[pipe.clone(), wing(1.0 + 2e-9)], 1e-9).junctions, 0);
    // A rod of two pieces along the border of a patch, one that ends there, and one that ends in
    // the middle of another one.
    let rod = |a: [f64; 2], b: [f64; 2]| segment(point![a[0], a[1], 0.0], point![b[0], b[1], 0.0]);
    let patch = rectangle([0.0, 3.0], [0.0, 1.0]);
    let sewn = [
        patch.clone(),
        rod([0.0, 0.0], [1.2, 0.0]),
        rod([1.2, 0.0], [3.0, 0.0]),
    ];
    let (report, pairs, touches) = joined(&sewn, 1e-9);
    assert_eq!((report.junctions, pairs.len(), touches), (1, 3, false));
    let (report, pairs, touches) = joined(&[patch, rod([1.2, 0.0], [1.0, -2.0])], 1e-9);
    assert_eq!((report.junctions, pairs.len(), touches), (1, 1, false));
    let (report, pairs, touches) = joined(
        &[rod([0.0, 0.0], [3.0, 0.0]), rod([1.0, 0.0], [1.0, 5.0])],
        1e-9,
    );
    assert_eq!((report.junctions, pairs.len(), touches), (1, 1, false));
}

/// A bowl cut into pieces again and again, each cut through one piece alone: all pieces that touch
/// are neighbours, and no others.
#[test]
fn a_sheet_cut_at_random_does_not_touch_itself() {
    let mut random = Random::new(3);
    for turn in 0..8 {
        let mut pieces = vec![[[-1.0, 1.0], [-1.0, 1.0]]];
        for _ in 0..30 {
            let at = random.below(pieces.len());
            let [x, y] = pieces.swap_remove(at);
            let share = 0.25 + 0.5 * random.unit();
            let cut = |[a, b]: [f64; 2]| a + share * (b - a);
            pieces.extend(if x[1] - x[0] > y[1] - y[0] {
                [[[x[0], cut(x)], y], [[cut(x), x[1]], y]]
            } else {
                [[x, [y[0], cut(y)]], [x, [cut(y), y[1]]]]
            });
        }
        let bent = turn % 2 == 0;
        let patch = |[x, y]: [[f64; 2]; 2]| {
            if bent {
                paraboloid(BIQUADRATIC, x, y, 0.0)
            } else {
                rectangle(x, y)
            }
        };
        let patches: Vec<_> = pieces.iter().map(|&piece| patch(piece)).collect();
        let (report, pairs, touches) = joined(&patches, 1e-12);
        assert!(
            report.junctions > 10 && report.layers.is_empty() && !touches,
            "{report:?}"
        );
        let meet = |[a, b]: [[f64; 2]; 2]| a[0] <= b[1] && b[0] <= a[1];
        let all = (0..pieces.len()).flat_map(|b| (0..b).map(move |a| [a, b]));
        let expected =
            all.filter(|&[a, b]| (0..2).all(|side| meet([pieces[a][side], pieces[b][side]])));
        assert_eq!(pairs, expected.collect::<Vec<_>>());
    }
}

#[test]
fn junctions_stay_when_the_mesh_moves_on_and_grows() {
    let long = rectangle([0.0, 3.0], [0.0, 1.0]);
    let (mut mesh, points) = PatchMesh::from_patches(&[long, rectangle([1.0, 2.0], [-1.0, 0.0])]);
    mesh.weld(&points, 0.0).unwrap();
    // Nothing is near anything else any more.
    let apart: Vec<_> = (0..8).map(|k| point![f64::from(k * k), 0.0, 0.0]).collect();
    assert_eq!(mesh.weld(&apart, 0.1).unwrap(), WeldReport::default());
    let mut scene = PatchMesh::new(0);
    scene.append(&mesh).unwrap();
    scene.append(&mesh).unwrap();
    assert_eq!(neighbours(&scene), [[0, 1], [2, 3]]);
    // What is added at the corner later is a neighbour of both.
    let first = scene.append(&PatchMesh::new(3)).unwrap().1;
    scene
        .add(BILINEAR, &[5, first, first + 1, first + 2], None)
        .unwrap();
    assert_eq!(neighbours(&scene), [[0, 1], [2, 3], [0, 4], [1, 4]]);
}

/// Layers whose patches are shifted against each other are welded at corners along sides.
#[test]
fn shifted_layers_are_reported() {
    let row = |x: f64, z: f64| {
        [0.0, 1.0, 2.0].map(|k| level(BILINEAR, [x + k, x + k + 1.0], [0.0, 1.0], z))
    };
    let layers = [row(0.0, 0.0), row(0.3, 1e-7)].concat();
    let report = weld(&layers, 1e-6);
    assert!(report.junctions > 8, "{report:?}");
    for patch in 0..6 {
        assert!(report.layers.as_flattened().contains(&patch), "{report:?}");
    }
    assert_eq!(weld(&layers, 1e-8).layers, [[0; 2]; 0]);
}

/// A tolerance far too large does not look at all pairs of a corner and a side.
#[test]
fn a_tolerance_far_too_large_takes_no_time() {
    let (mesh, points) = sheet(3, 40, 0.0, 1.0);
    let patches = torn(&mesh, &points);
    for tolerance in [1e-3, 0.02, 0.1, 0.4, 3.0] {
        let start = std::time::Instant::now();
        let report = weld(&patches, tolerance);
        let taken = start.elapsed();
        assert!(
            report.points > 0 && taken.as_secs() < 20,
            "{tolerance}: {taken:?}"
        );
    }
}
