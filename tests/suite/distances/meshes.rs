//! Whole meshes against all of their pairs.

use kit::Random;
use kit::scenes::meshes::{sheet, triangles};
use kit::scenes::{LINEAR, SEGMENT, dot};
use nalgebra::{Point3, Rotation3, Vector3, point, vector};
use patch_ccd::geometry::{AnyPatch, Patch, Shape};
use patch_ccd::mesh::{
    Element, Mesh, MeshDistanceOptions, MeshOptions, MeshWorkspace, MovingMesh, PatchMesh,
    TriangleMesh, all_self_within, all_within, least_distance, least_self_distance,
};
use patch_ccd::{Distance, DistanceOptions, closest_points};

use super::within;

/// The element as a patch.
fn patch_of(mesh: &MovingMesh<'_>, element: Element) -> AnyPatch {
    let corners = mesh.mesh().points_of(element);
    let net: Vec<_> = corners
        .iter()
        .map(|&at| mesh.start()[at as usize])
        .collect();
    let shape = match (mesh.mesh(), element) {
        (Mesh::Patches(mesh), Element::Patch(index)) => mesh.patch(index).unwrap().shape,
        (_, Element::Face(_)) => LINEAR,
        (_, Element::Edge(_)) => SEGMENT,
        _ => return dot(net[0]),
    };
    AnyPatch::from_shape(shape, &net).unwrap()
}

fn options(query: DistanceOptions) -> MeshDistanceOptions<'static> {
    MeshDistanceOptions {
        query,
        filter: None,
    }
}

fn limited(max_distance: f64) -> DistanceOptions {
    DistanceOptions {
        max_distance,
        ..within(1e-6)
    }
}

fn resting<'a, M>((mesh, points): &'a (M, Vec<Point3<f64>>)) -> MovingMesh<'a>
where
    &'a M: Into<Mesh<'a>>,
{
    MovingMesh::resting(mesh, points).unwrap()
}

/// The patches of a mesh, or its faces.
fn surfaces(mesh: &MovingMesh<'_>) -> Vec<Element> {
    match mesh.mesh() {
        Mesh::Patches(mesh) => (0..mesh.len() as u32).map(Element::Patch).collect(),
        Mesh::Triangles(mesh) => (0..mesh.faces().len() as u32).map(Element::Face).collect(),
        _ => unreachable!("two kinds of meshes"),
    }
}

/// The distances of all pairs of surfaces that are within reach, in order.
fn brute(
    [a, b]: [&MovingMesh<'_>; 2],
    query: &DistanceOptions,
) -> Vec<(f64, [Element; 2], Distance)> {
    let (one, two) = (surfaces(a), surfaces(b));
    let pairs = one.iter().flat_map(|&x| two.iter().map(move |&y| [x, y]));
    let mut all: Vec<_> = pairs
        .filter_map(|[x, y]| {
            let distance = closest_points(&patch_of(a, x), &patch_of(b, y), query).unwrap();
            distance.upper().map(|upper| (upper, [x, y], distance))
        })
        .collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    all
}

#[test]
fn two_sheets_of_patches_against_brute_force() {
    for seed in 0..4 {
        let phase = f64::from(seed);
        let (one, two) = (sheet(2, 4, 0.0, phase), sheet(2, 3, 0.3, 2.5 * phase));
        let (a, b) = (resting(&one), resting(&two));
        let all = brute([&a, &b], &within(1e-6));
        let least = least_distance(&a, &b, &options(within(1e-6))).unwrap();
        let first = least.first.unwrap();
        let upper = first.distance.upper().unwrap();
        assert_eq!((upper, first.elements), (all[0].0, all[0].1));
        assert!(least.lower <= upper && least.lower > upper - 1e-5);
        assert!(least.counters.solved < all.len() as u64);
        let reach = limited(all[all.len() / 6].0);
        let near = all_within(&a, &b, &options(reach)).unwrap().pairs;
        let found = near
            .iter()
            .map(|pair| (pair.distance.upper().unwrap(), pair.elements));
        let expected = brute([&a, &b], &reach);
        let expected = expected
            .iter()
            .map(|&(upper, elements, _)| (upper, elements));
        assert!(found.eq(expected));
        assert!(near.len() > all.len() / 8 && near.len() < all.len() / 4);
        let everything = all_within(&a, &b, &options(within(1e-6))).unwrap();
        assert_eq!(everything.pairs.len(), all.len());
        // Proven to be farther than a limit below.
        let far = least_distance(&a, &b, &options(limited(0.9 * least.lower))).unwrap();
        assert!(far.first.is_none() && far.lower == 0.9 * least.lower);
    }
}

#[test]
fn triangle_meshes_against_brute_force_over_whole_faces() {
    for seed in 0..4 {
        let phase = f64::from(seed);
        let (one, two) = (triangles(4, 0.0, phase), triangles(3, 0.3, 2.5 * phase));
        let (a, b) = (resting(&one), resting(&two));
        let exact = brute([&a, &b], &within(1e-6))[0].0;
        let least = least_distance(&a, &b, &options(within(1e-6))).unwrap();
        let first = least.first.unwrap();
        let upper = first.distance.upper().unwrap();
        assert!((upper - exact).abs() < 1e-13, "{upper} {exact}");
        assert!(least.lower <= exact && least.lower > exact - 1e-5);
        // Of the points on the elements, in the order of their corners.
        let [(u, v), (s, t)] = first.distance.closest().unwrap().parameters;
        let on_a = patch_of(&a, first.elements[0]).eval(u, v);
        let on_b = patch_of(&b, first.elements[1]).eval(s, t);
        assert!(((on_a - on_b).norm() - upper).abs() < 1e-13);
        // Patches against triangles.
        let sheet = sheet(2, 3, 0.6, phase);
        let sheet = resting(&sheet);
        let uppers = [[&sheet, &b], [&b, &sheet]].map(|[a, b]| {
            let least = least_distance(a, b, &options(within(1e-6))).unwrap();
            least.first.unwrap().distance.upper().unwrap()
        });
        assert!((uppers[0] - uppers[1]).abs() < 1e-12);
    }
}

#[test]
fn a_mesh_against_itself_leaves_out_neighbours_and_what_is_filtered() {
    let mut both = sheet(2, 3, 0.0, 1.0);
    let (other, more) = sheet(2, 3, 0.25, 2.0);
    both.0.append(&other).unwrap();
    both.1.extend(more);
    let mesh = resting(&both);
    let all = brute([&mesh; 2], &within(1e-6)).into_iter();
    let all: Vec<_> = all
        .filter(|(_, [x, y], _)| x < y && !both.0.are_neighbours(x.index(), y.index()))
        .collect();
    let least = least_self_distance(&mesh, &options(within(1e-6))).unwrap();
    assert_eq!(least.first.unwrap().distance.upper(), Some(all[0].0));
    let reach = all_self_within(&mesh, &options(limited(0.3))).unwrap();
    let near = all
        .iter()
        .filter(|(.., distance)| distance.lower() <= 0.3)
        .count();
    assert!(reach.pairs.len().abs_diff(near) <= 1 && reach.counters.neighbours > 0);
    let keep = |a: Element, b: Element| a != Element::Patch(0) && b != Element::Patch(0);
    let filtered = MeshDistanceOptions {
        query: limited(0.3),
        filter: Some(&keep),
    };
    let kept = all_self_within(&mesh, &filtered).unwrap();
    let mut expected = reach.pairs;
    expected.retain(|pair| keep(pair.elements[0], pair.elements[1]));
    assert_eq!(kept.pairs, expected);
    assert!(kept.counters.filtered > 0);
}

#[test]
fn velocities_do_not_count_and_trees_are_shared_with_impacts() {
    let (one, two) = (sheet(2, 4, 0.0, 3.0), sheet(2, 4, 0.4, 4.0));
    let (a, b) = (resting(&one), resting(&two));
    let down = vec![-Vector3::z(); two.1.len()];
    let falling = MovingMesh::with_velocities(&two.0, &two.1, &down).unwrap();
    let least = least_distance(&a, &b, &options(within(1e-6))).unwrap();
    let near = all_within(&a, &b, &options(limited(0.35))).unwrap();
    let mut workspace = MeshWorkspace::new();
    for _ in 0..3 {
        let impact = workspace.earliest_impact(&a, &falling, &MeshOptions::default());
        assert!(impact.unwrap().first.is_some());
        let again = workspace.least_distance(&a, &falling, &options(within(1e-6)));
        let again = again.unwrap();
        assert_eq!((again.lower, again.first), (least.lower, least.first));
        let again = workspace.all_within(&a, &falling, &options(limited(0.35)));
        assert_eq!(again.unwrap(), near);
    }
}

#[test]
fn the_answer_does_not_depend_on_the_number_of_threads() {
    let (one, mut two) = (sheet(2, 8, 0.0, 5.0), sheet(2, 8, 0.2, 6.0));
    // The same sheet twice: ties.
    two.0.append(&two.0.clone()).unwrap();
    two.1.extend_from_within(..);
    let (a, b) = (resting(&one), resting(&two));
    let mut answers = Vec::new();
    for threads in [1, 2, 3, 7] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().unwrap();
        for _ in 0..4 {
            answers.push(pool.install(|| {
                let least = least_distance(&a, &b, &options(within(1e-6))).unwrap();
                let near = all_within(&a, &b, &options(limited(0.2))).unwrap();
                (least.lower, least.first, near)
            }));
        }
    }
    assert!(answers.iter().all(|answer| answer == &answers[0]));
}

#[test]
fn empty_and_extreme_meshes() {
    let one = triangles(1, 0.0, 8.0);
    let a = resting(&one);
    let nothing = TriangleMesh::new(0, &[]).unwrap();
    let none = MovingMesh::resting(&nothing, &[]).unwrap();
    let least = least_distance(&a, &none, &options(limited(2.0))).unwrap();
    assert!(least.first.is_none() && least.lower == 2.0);
    let near = all_within(&none, &a, &options(within(0.0))).unwrap();
    assert!(near.pairs.is_empty());
    for size in [1e300, f64::MAX / 2.0, 1e-300] {
        let huge: Vec<_> = one.1.iter().map(|p| p * size).collect();
        let moved: Vec<_> = huge.iter().map(|p| p + Vector3::z() * size * 0.5).collect();
        let [a, b] = [&huge, &moved].map(|points| MovingMesh::resting(&one.0, points).unwrap());
        let least = least_distance(&a, &b, &options(within(1e-6))).unwrap();
        assert!(least.lower <= 0.51 * size && least.first.is_some());
        for max_distance in [f64::INFINITY, size, 0.0] {
            let near = all_within(&a, &b, &options(limited(max_distance))).unwrap();
            assert!(max_distance == 0.0 || !near.pairs.is_empty());
        }
    }
}

/// Patches far bent, in which a search may find its closest points late, beside boxes that are
/// farther apart than other pairs.
#[test]
fn pairs_that_end_early_are_really_farther() {
    // In the last ones, and in two of the first, a search that ends too early misses the least.
    let late = [497, 530, 737, 912, 1065, 1073, 1105, 1570];
    for seed in (0..200).chain(late) {
        let mut random = Random::new(seed);
        let n = 2 + (seed % 2) as usize;
        let shape = Shape::TensorProduct { n, m: n };
        let mut patches = || {
            [0; 4].map(|_| {
                let centre = random.vector(4.0);
                kit::scenes::random_patch(shape, &mut random, centre, false)
            })
        };
        let meshes = [patches(), patches()].map(|patches| PatchMesh::from_patches(&patches));
        let query = DistanceOptions {
            max_boxes: 20_000,
            ..within([1e-6, 1e-3, 1e-2, 0.1][(seed / 2 % 4) as usize])
        };
        let [a, b] = meshes.each_ref().map(resting);
        let least = least_distance(&a, &b, &options(query)).unwrap();
        let all = brute([&a, &b], &query);
        let lowest = all.iter().map(|(.., distance)| distance.lower());
        let first = least.first.unwrap();
        assert_eq!(first.distance.upper(), Some(all[0].0), "seed {seed}");
        assert_eq!(
            least.lower,
            lowest.fold(f64::INFINITY, f64::min),
            "seed {seed}"
        );
    }
}

/// The unit cube at a corner, of two triangles a side.
fn cube(corner: Point3<f64>) -> (TriangleMesh, Vec<Point3<f64>>) {
    let at = |k: u32| [0, 1, 2].map(|axis| f64::from(k >> axis & 1));
    let points = (0..8).map(|k| corner + Vector3::from(at(k))).collect();
    let sides = [
        [0, 1, 3, 2],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 3, 7, 6],
        [0, 2, 6, 4],
        [1, 3, 7, 5],
    ];
    let faces: Vec<[u32; 3]> = sides
        .iter()
        .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]])
        .collect();
    (TriangleMesh::new(8, &faces).unwrap(), points)
}

/// Of two boxes many edges are parallel, and nearly as far apart as the nearest ones.
#[test]
fn boxes_hardly_apart() {
    let mut random = Random::new(8);
    for gap in [1e-3, 1e-6, 1e-9, 1e-12] {
        for aside in [[0.0, 0.0], [0.3, -0.2], [0.5, 0.5], [1.0, 0.0], [1.0, 1.0]] {
            for turned in [false, true] {
                let (mesh, one) = cube(Point3::origin());
                let x = 1.0 + gap;
                let (other, two) = cube(point![x, aside[0], aside[1]]);
                let turn = if turned {
                    Rotation3::from_scaled_axis(random.vector(3.0))
                } else {
                    Rotation3::identity()
                };
                let away = if turned {
                    vector![0.3, 0.4, 1.3]
                } else {
                    Vector3::zeros()
                };
                let [one, two] =
                    [one, two].map(|points| points.iter().map(|p| turn * p + away).collect());
                let (one, two) = ((mesh, one), (other, two));
                let (a, b) = (resting(&one), resting(&two));
                let least = least_distance(&a, &b, &options(within(0.0))).unwrap();
                let told = format!("{gap} {aside:?} {turned}: {least:?}");
                let upper = least.first.as_ref().unwrap().distance.upper().unwrap();
                // Turned, the coordinates are rounded.
                let rounding = if turned { 3e-15 } else { 0.0 };
                assert!((upper - (x - 1.0)).abs() <= rounding, "{told}");
                assert!(
                    least.lower <= upper && upper - least.lower <= 1e-13,
                    "{told}"
                );
                assert!(least.counters.boxes <= 1000, "{told}");
            }
        }
    }
}
