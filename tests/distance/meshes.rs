//! Whole meshes against all of their pairs.

use nalgebra::{Point3, Vector3, point};
use patch_ccd::geometry::{AnyPatch, Patch, Shape};
use patch_ccd::mesh::{
    Element, Mesh, MeshDistanceOptions, MeshOptions, MeshWorkspace, MovingMesh, PatchMesh,
    TriangleMesh, all_self_within, all_within, least_distance, least_self_distance,
};
use patch_ccd::{Distance, DistanceOptions, closest_points};

use crate::scenes::{noise, within};

/// A sheet of n × n biquadratic patches over [0, 1]², bent at random.
fn sheet(n: usize, z: f64, seed: u64) -> (PatchMesh, Vec<Point3<f64>>) {
    let side = 2 * n + 1;
    let mut mesh = PatchMesh::new(side * side);
    for (i, j) in (0..n * n).map(|k| (k / n, k % n)) {
        let net: Vec<u32> = (0..9)
            .map(|k| ((2 * i + k / 3) * side + 2 * j + k % 3) as u32)
            .collect();
        mesh.add(Shape::TensorProduct { n: 2, m: 2 }, &net, None)
            .unwrap();
    }
    let mut next = noise(seed);
    let step = 1.0 / (side - 1) as f64;
    let points = (0..side * side)
        .map(|k| {
            point![
                (k / side) as f64 * step,
                (k % side) as f64 * step,
                z + 0.05 * next()
            ]
        })
        .collect();
    (mesh, points)
}

fn triangles(n: usize, z: f64, seed: u64) -> (TriangleMesh, Vec<Point3<f64>>) {
    let side = n + 1;
    let at = |i: usize, j: usize| (i * side + j) as u32;
    let faces: Vec<[u32; 3]> = (0..n * n)
        .map(|k| (k / n, k % n))
        .flat_map(|(i, j)| {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            [[a, b, c], [a, c, d]]
        })
        .collect();
    let mut next = noise(seed);
    let points = (0..side * side)
        .map(|k| {
            point![
                (k / side) as f64 / n as f64,
                (k % side) as f64 / n as f64,
                z + 0.05 * next()
            ]
        })
        .collect();
    (TriangleMesh::new(side * side, &faces).unwrap(), points)
}

fn patch_of(mesh: Mesh<'_>, points: &[Point3<f64>], element: Element) -> AnyPatch {
    let net: Vec<_> = mesh
        .points_of(element)
        .iter()
        .map(|&at| points[at as usize])
        .collect();
    let shape = match (mesh, element) {
        (Mesh::Patches(mesh), Element::Patch(index)) => mesh.patch(index).unwrap().shape,
        (_, Element::Face(_)) => Shape::Triangular { n: 1 },
        (_, Element::Edge(_)) => Shape::TensorProduct { n: 1, m: 0 },
        _ => return crate::scenes::dot_patch(net[0]),
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

fn patches(mesh: &PatchMesh) -> Vec<Element> {
    (0..mesh.len() as u32).map(Element::Patch).collect()
}

#[test]
fn two_sheets_of_patches_against_brute_force() {
    for seed in 0..4 {
        let (one, p) = sheet(4, 0.0, seed);
        let (two, q) = sheet(3, 0.3, seed + 50);
        let (a, b) = (
            MovingMesh::resting(&one, &p).unwrap(),
            MovingMesh::resting(&two, &q).unwrap(),
        );
        let brute = |query: &DistanceOptions| {
            let mut all = Vec::new();
            for x in patches(&one) {
                for y in patches(&two) {
                    let pair = [patch_of(a.mesh(), &p, x), patch_of(b.mesh(), &q, y)];
                    let distance = closest_points(&pair[0], &pair[1], query).unwrap();
                    all.extend(distance.upper().map(|upper| (upper, [x, y])));
                }
            }
            all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            all
        };
        let all = brute(&within(1e-6));
        let least = least_distance(&a, &b, &options(within(1e-6))).unwrap();
        let first = least.first.unwrap();
        assert_eq!((first.distance.upper().unwrap(), first.elements), all[0]);
        assert!(least.lower <= all[0].0 && least.lower > all[0].0 - 1e-5);
        assert!(least.counters.solved < all.len() as u64);
        let reach = all[all.len() / 6].0;
        let near = all_within(&a, &b, &options(limited(reach))).unwrap();
        let found: Vec<_> = near
            .pairs
            .iter()
            .map(|pair| (pair.distance.upper().unwrap(), pair.elements))
            .collect();
        assert_eq!(found, brute(&limited(reach)));
        assert!(found.len() > all.len() / 8 && found.len() < all.len() / 4);
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
        let (one, p) = triangles(4, 0.0, seed);
        let (two, q) = triangles(3, 0.3, seed + 50);
        let (a, b) = (
            MovingMesh::resting(&one, &p).unwrap(),
            MovingMesh::resting(&two, &q).unwrap(),
        );
        let mut exact = f64::INFINITY;
        for x in 0..one.faces().len() as u32 {
            for y in 0..two.faces().len() as u32 {
                let pair = [
                    patch_of(a.mesh(), &p, Element::Face(x)),
                    patch_of(b.mesh(), &q, Element::Face(y)),
                ];
                let distance = closest_points(&pair[0], &pair[1], &within(1e-6)).unwrap();
                exact = exact.min(distance.upper().unwrap());
            }
        }
        let least = least_distance(&a, &b, &options(within(1e-6))).unwrap();
        let upper = least.first.unwrap().distance.upper().unwrap();
        assert!((upper - exact).abs() < 1e-13, "{upper} {exact}");
        assert!(least.lower <= exact && least.lower > exact - 1e-5);
        // Of the points on the elements, in the order of their corners.
        let PairOf(points) = PairOf::of(
            &a,
            &b,
            &p,
            &q,
            least.first.unwrap().elements,
            &least.first.unwrap().distance,
        );
        assert!((points[0] - points[1]).norm() - upper < 1e-13);
        // Patches against triangles.
        let (sheet, s) = sheet(3, 0.6, seed);
        let sheet = MovingMesh::resting(&sheet, &s).unwrap();
        let least = least_distance(&sheet, &b, &options(within(1e-6))).unwrap();
        let same = least_distance(&b, &sheet, &options(within(1e-6))).unwrap();
        let uppers = [least, same].map(|least| least.first.unwrap().distance.upper().unwrap());
        assert!((uppers[0] - uppers[1]).abs() < 1e-12);
    }
}

/// The closest points again, from the parameters.
struct PairOf([Point3<f64>; 2]);

impl PairOf {
    fn of(
        a: &MovingMesh<'_>,
        b: &MovingMesh<'_>,
        p: &[Point3<f64>],
        q: &[Point3<f64>],
        elements: [Element; 2],
        distance: &Distance,
    ) -> Self {
        let [(u, v), (s, t)] = distance.closest().unwrap().parameters;
        Self([
            patch_of(a.mesh(), p, elements[0]).eval(u, v),
            patch_of(b.mesh(), q, elements[1]).eval(s, t),
        ])
    }
}

#[test]
fn a_mesh_against_itself_leaves_out_neighbours_and_what_is_filtered() {
    let (mut both, mut points) = sheet(3, 0.0, 1);
    let (other, more) = sheet(3, 0.25, 2);
    both.append(&other).unwrap();
    points.extend(more);
    let mesh = MovingMesh::resting(&both, &points).unwrap();
    let mut exact = f64::INFINITY;
    let mut near = 0;
    for x in 0..both.len() as u32 {
        for y in x + 1..both.len() as u32 {
            if both.are_neighbours(x, y) {
                continue;
            }
            let pair = [x, y].map(|index| patch_of(mesh.mesh(), &points, Element::Patch(index)));
            let distance = closest_points(&pair[0], &pair[1], &within(1e-6)).unwrap();
            exact = exact.min(distance.upper().unwrap());
            near += usize::from(distance.lower() <= 0.3);
        }
    }
    let least = least_self_distance(&mesh, &options(within(1e-6))).unwrap();
    assert_eq!(least.first.unwrap().distance.upper(), Some(exact));
    let within_reach = all_self_within(&mesh, &options(limited(0.3))).unwrap();
    assert!(within_reach.pairs.len().abs_diff(near) <= 1 && within_reach.counters.neighbours > 0);
    let keep = |a: Element, b: Element| a != Element::Patch(0) && b != Element::Patch(0);
    let filtered = MeshDistanceOptions {
        query: limited(0.3),
        filter: Some(&keep),
    };
    let kept = all_self_within(&mesh, &filtered).unwrap();
    let expected: Vec<_> = within_reach
        .pairs
        .iter()
        .filter(|pair| keep(pair.elements[0], pair.elements[1]))
        .copied()
        .collect();
    assert_eq!(kept.pairs, expected);
    assert!(kept.counters.filtered > 0);
}

#[test]
fn velocities_do_not_count_and_trees_are_shared_with_impacts() {
    let (one, p) = sheet(4, 0.0, 3);
    let (two, q) = sheet(4, 0.4, 4);
    let still = [
        MovingMesh::resting(&one, &p).unwrap(),
        MovingMesh::resting(&two, &q).unwrap(),
    ];
    let expected = least_distance(&still[0], &still[1], &options(within(1e-6))).unwrap();
    let down = vec![-Vector3::z(); q.len()];
    let falling = MovingMesh::with_velocities(&two, &q, &down).unwrap();
    let mut workspace = MeshWorkspace::new();
    for _ in 0..3 {
        let impact = workspace
            .earliest_impact(&still[0], &falling, &MeshOptions::default())
            .unwrap();
        assert!(impact.first.is_some());
        let least = workspace
            .least_distance(&still[0], &falling, &options(within(1e-6)))
            .unwrap();
        assert_eq!((least.lower, least.first), (expected.lower, expected.first));
        let near = workspace
            .all_within(&still[0], &falling, &options(limited(0.35)))
            .unwrap();
        assert_eq!(
            near,
            all_within(&still[0], &still[1], &options(limited(0.35))).unwrap()
        );
    }
}

#[test]
fn the_answer_does_not_depend_on_the_number_of_threads() {
    let (one, p) = sheet(8, 0.0, 5);
    // The same sheet twice, far apart: ties.
    let (mut two, mut q) = sheet(8, 0.2, 6);
    two.append(&two.clone()).unwrap();
    q.extend(q.clone());
    let (a, b) = (
        MovingMesh::resting(&one, &p).unwrap(),
        MovingMesh::resting(&two, &q).unwrap(),
    );
    let mut answers = Vec::new();
    for threads in [1, 2, 3, 7] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
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
    let (one, p) = triangles(1, 0.0, 8);
    let a = MovingMesh::resting(&one, &p).unwrap();
    let nothing = TriangleMesh::new(0, &[]).unwrap();
    let none = MovingMesh::resting(&nothing, &[]).unwrap();
    let least = least_distance(&a, &none, &options(limited(2.0))).unwrap();
    assert!(least.first.is_none() && least.lower == 2.0);
    assert!(
        all_within(&none, &a, &options(within(0.0)))
            .unwrap()
            .pairs
            .is_empty()
    );
    for size in [1e300, f64::MAX / 2.0, 1e-300] {
        let huge: Vec<_> = p.iter().map(|p| p * size).collect();
        let moved: Vec<_> = huge.iter().map(|p| p + Vector3::z() * size * 0.5).collect();
        let [a, b] = [&huge, &moved].map(|points| MovingMesh::resting(&one, points).unwrap());
        let least = least_distance(&a, &b, &options(within(1e-6))).unwrap();
        assert!(least.lower <= 0.51 * size && least.first.is_some());
        for max_distance in [f64::INFINITY, size, 0.0] {
            let near = all_within(&a, &b, &options(limited(max_distance))).unwrap();
            assert!(max_distance == 0.0 || !near.pairs.is_empty());
        }
    }
}

/// Patches far bent, in which a search may find its closest points late, beside boxes that are farther apart than other pairs.
#[test]
fn pairs_that_end_early_are_really_farther() {
    for seed in (0..200).chain([809, 912, 1179, 1437, 1490, 1505, 1525, 1755]) {
        let mut next = noise(seed);
        let n = 2 + (seed % 2) as usize;
        let shape = Shape::TensorProduct { n, m: n };
        let meshes = [0, 1].map(|_| {
            let mut mesh = PatchMesh::new(4 * shape.count());
            let mut points = Vec::new();
            for _ in 0..4 {
                let mut vector = || Vector3::new(next(), next(), next());
                let centre = 4.0 * vector();
                let first = points.len();
                points.extend((0..shape.count()).map(|_| Point3::from(centre + vector())));
                let net: Vec<u32> = (first..points.len()).map(|k| k as u32).collect();
                mesh.add(shape, &net, None).unwrap();
            }
            (mesh, points)
        });
        let query = DistanceOptions {
            max_boxes: 20_000,
            ..within([1e-6, 1e-3, 1e-2, 0.1][(seed / 2 % 4) as usize])
        };
        let [a, b] = meshes
            .each_ref()
            .map(|(mesh, points)| MovingMesh::resting(mesh, points).unwrap());
        let least = least_distance(&a, &b, &options(query)).unwrap();
        let (mut lower, mut upper) = (f64::INFINITY, f64::INFINITY);
        for (i, j) in (0..16).map(|k| (k / 4, k % 4)) {
            let [(one, first), (two, second)] = &meshes;
            let one = patch_of(one.into(), first, Element::Patch(i));
            let two = patch_of(two.into(), second, Element::Patch(j));
            let distance = closest_points(&one, &two, &query).unwrap();
            lower = lower.min(distance.lower());
            upper = upper.min(distance.upper().unwrap());
        }
        let first = least.first.unwrap();
        assert_eq!(first.distance.upper(), Some(upper), "seed {seed}");
        assert_eq!(least.lower, lower, "seed {seed}");
    }
}
