//! What a simulator asks of meshes: closed forms, options, neighbours.

use kit::scenes::meshes::{squares, stirred, triangles};
use kit::scenes::{BILINEAR, BIQUADRATIC, level, paraboloid};
use nalgebra::{Point3, Vector3, point, vector};
use patch_ccd::mesh::{
    Element, Mesh, MeshOptions, MeshWorkspace, MovingMesh, PairOutcome, PatchMesh, TriangleMesh,
    all_impacts, all_self_impacts, collision_free_self_step, collision_free_step, earliest_impact,
    earliest_self_impact,
};
use patch_ccd::{Options, Outcome};

use super::with;

/// Squares at these heights that fall on squares at height 0 within the step, the last one by 1.
struct Fall {
    above: (PatchMesh, Vec<Point3<f64>>),
    below: (PatchMesh, Vec<Point3<f64>>),
}

impl Fall {
    fn new(heights: &[f64]) -> Self {
        Self {
            above: squares(heights),
            below: squares(&vec![0.0; heights.len()]),
        }
    }

    fn ask<R>(&self, ask: impl Fn(&MovingMesh<'_>, &MovingMesh<'_>) -> R) -> R {
        let down = vec![-Vector3::z(); self.above.1.len()];
        let above = MovingMesh::with_velocities(&self.above.0, &self.above.1, &down).unwrap();
        let below = MovingMesh::resting(&self.below.0, &self.below.1).unwrap();
        ask(&above, &below)
    }

    fn first(&self, options: &MeshOptions<'_>) -> Option<PairOutcome> {
        let answer = self.ask(|a, b| earliest_impact(a, b, options));
        answer.unwrap().first
    }
}

fn close(value: f64, exact: f64) -> bool {
    value <= exact && value > exact - 2e-6
}

#[test]
fn all_impacts_come_in_the_order_of_time() {
    let all = Fall::new(&[0.75, 2.0, 0.25, 0.5])
        .ask(|a, b| all_impacts(a, b, &MeshOptions::default()))
        .unwrap();
    let order: Vec<_> = all.pairs.iter().map(|pair| pair.elements[0]).collect();
    assert_eq!(order, [2, 3, 0].map(Element::Patch));
    for (pair, exact) in all.pairs.iter().zip([0.25, 0.5, 0.75]) {
        assert_eq!(pair.elements[0], Element::Patch(pair.elements[1].index()));
        assert!(close(pair.toi(), exact), "{}", pair.toi());
        let normals = pair.outcome.contact().unwrap().normals;
        assert_eq!(normals[0].unwrap(), vector![0.0, 0.0, 1.0]);
    }
}

#[test]
fn of_equal_times_the_first_pair_wins() {
    let first = Fall::new(&[0.5; 7]).first(&MeshOptions::default());
    assert_eq!(
        first.unwrap().elements,
        [Element::Patch(0), Element::Patch(0)]
    );
}

#[test]
fn the_filter_acts_before_the_minimum() {
    let keep = |a: Element, _: Element| a != Element::Patch(2);
    let options = MeshOptions {
        filter: Some(&keep),
        ..MeshOptions::default()
    };
    let fall = Fall::new(&[0.75, 2.0, 0.25, 0.5]);
    let earliest = fall.ask(|a, b| earliest_impact(a, b, &options)).unwrap();
    assert_eq!(earliest.first.unwrap().elements[0], Element::Patch(3));
    assert_eq!(earliest.counters.filtered, 1);
    let all = fall.ask(|a, b| all_impacts(a, b, &options)).unwrap();
    assert_eq!(all.pairs.len(), 2);
}

#[test]
fn the_free_step_is_the_proven_fraction_times_the_factor() {
    let step = |heights: &[f64], options: &MeshOptions<'_>| {
        Fall::new(heights)
            .ask(|a, b| collision_free_step(a, b, options))
            .unwrap()
    };
    let options = MeshOptions::default();
    assert_eq!(step(&[1.5, 7.0], &options), 1.0);
    assert!(close(step(&[1.5, 0.5], &options) / 0.8, 0.5));
    assert_eq!(step(&[1.5, 0.0], &options), 0.0);
    let whole = MeshOptions {
        conservative_rescaling: 1.0,
        ..options
    };
    assert!(close(step(&[0.5], &whole), 0.5));
    // A fraction of the step, not a time.
    let long = with(Options {
        t_max: 2.0,
        ..Options::default()
    });
    assert!(close(step(&[1.0], &long) / 0.8, 0.5));
}

#[test]
fn separation_and_budget_reach_every_pair() {
    let fall = Fall::new(&[3.0, 0.5]);
    let first = |query: Options| fall.first(&with(query)).unwrap();
    let apart = first(Options {
        min_separation: 0.125,
        ..Options::default()
    });
    assert!(close(apart.toi(), 0.375), "{}", apart.toi());
    let short = first(Options {
        max_boxes: 20,
        ..Options::default()
    });
    assert!(matches!(short.outcome, Outcome::BudgetExhausted { .. }));
    assert!(close(short.toi(), 0.5), "{short:?}");
}

#[test]
fn zero_can_be_ruled_out_where_delta_does_not_tell() {
    // A paraboloid with its apex at u = v = 1/3, 1e-10 above a square that comes up at speed 1.
    let around = [-1.0 / 3.0, 2.0 / 3.0];
    let bowl = paraboloid(BIQUADRATIC, around, around, 1e-10);
    let (bowl, net) = PatchMesh::from_patches(&[bowl]);
    let bowl = MovingMesh::resting(&bowl, &net).unwrap();
    let (square, corners) = PatchMesh::from_patches(&[level(BILINEAR, around, around, 0.0)]);
    let square = MovingMesh::with_velocities(&square, &corners, &[Vector3::z(); 4]).unwrap();
    let step = |no_zero_toi| {
        let query = Options {
            delta: 1e-3,
            no_zero_toi,
            ..Options::default()
        };
        collision_free_step(&bowl, &square, &with(query)).unwrap()
    };
    assert_eq!(step(false), 0.0);
    assert!(step(true) > 0.0 && step(true) < 1e-10, "{:e}", step(true));
}

#[test]
fn a_horizon_of_zero_asks_whether_meshes_touch_now() {
    let now = with(Options {
        t_max: 0.0,
        ..Options::default()
    });
    assert_eq!(Fall::new(&[0.5, 0.25]).first(&now), None);
    let touching = Fall::new(&[0.5, 0.0]).first(&now).unwrap().outcome;
    assert!(matches!(touching, Outcome::ContactAtStart { .. }));
}

/// A strip of squares that share their edges, folding up: the last square turns over onto the
/// first.
fn folding() -> (PatchMesh, [Vec<Point3<f64>>; 2]) {
    let mut mesh = PatchMesh::new(8);
    for k in 0..3 {
        mesh.add(BILINEAR, &[2 * k, 2 * k + 1, 2 * k + 2, 2 * k + 3], None)
            .unwrap();
    }
    let at = |x: f64, z: f64| [point![x, 0.0, z], point![x, 1.0, z]];
    // A U whose upper end moves down to below the lower one.
    let start = [at(0.0, 0.0), at(1.0, 0.0), at(1.0, 1.0), at(0.25, 1.0)];
    let end = [at(0.0, 0.0), at(1.0, 0.0), at(1.0, 1.0), at(0.25, -1.0)];
    (mesh, [start.concat(), end.concat()])
}

#[test]
fn a_mesh_meets_itself_between_patches_that_share_no_point() {
    let (mesh, [start, end]) = folding();
    let moving = MovingMesh::between(&mesh, &start, &end).unwrap();
    let earliest = earliest_self_impact(&moving, &MeshOptions::default()).unwrap();
    let first = earliest.first.unwrap();
    assert_eq!(first.elements, [Element::Patch(0), Element::Patch(2)]);
    assert!(close(first.toi(), 0.5), "{}", first.toi());
    assert_eq!(earliest.counters.neighbours, 2);
    let step = collision_free_self_step(&moving, &MeshOptions::default()).unwrap();
    assert!(close(step / 0.8, 0.5));
}

#[test]
fn a_triangle_mesh_meets_itself_between_features_that_share_no_vertex() {
    let (quads, [start, end]) = folding();
    let faces: Vec<[u32; 3]> = quads
        .patches()
        .flat_map(|patch| {
            let p = patch.points;
            [[p[0], p[1], p[2]], [p[2], p[1], p[3]]]
        })
        .collect();
    let mesh = TriangleMesh::new(8, &faces).unwrap();
    let moving = MovingMesh::between(&mesh, &start, &end).unwrap();
    let all = all_self_impacts(&moving, &MeshOptions::default()).unwrap();
    assert!(close(all.pairs[0].toi(), 0.5));
    assert!(all.counters.neighbours > 10);
    for pair in &all.pairs {
        let shares = match pair.elements {
            [Element::Vertex(vertex), Element::Face(face)] => {
                mesh.faces()[face as usize].contains(&vertex)
            }
            [Element::Edge(one), Element::Edge(two)] => {
                let two = mesh.edges()[two as usize];
                mesh.edges()[one as usize]
                    .iter()
                    .any(|vertex| two.contains(vertex))
            }
            _ => panic!("{:?}", pair.elements),
        };
        assert!(!shares);
    }
    let resting = MovingMesh::resting(&mesh, &start).unwrap();
    let answer = earliest_self_impact(&resting, &MeshOptions::default());
    assert_eq!(answer.unwrap().first, None);
}

/// A rod, a particle and a triangle fall on a square, one after the other.
#[test]
fn rods_and_particles_fall_on_everything() {
    let mesh = TriangleMesh::with_edges(6, &[[3, 4]], &[[0, 1, 2]]).unwrap();
    let points = [
        point![0.1, 0.1, 0.9],
        point![0.4, 0.1, 0.9],
        point![0.1, 0.4, 0.9],
        point![-0.5, 0.6, 0.5],
        point![1.5, 0.6, 0.5],
        point![0.7, 0.2, 0.25],
    ];
    let down = [-Vector3::z(); 6];
    let falling = MovingMesh::with_velocities(&mesh, &points, &down).unwrap();
    let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(|[x, y]| point![x, y, 0.0]);
    let patches = PatchMesh::from_quads(4, &[[0, 1, 2, 3]]).unwrap();
    let triangles = TriangleMesh::new(4, &[[0, 1, 2], [0, 2, 3]]).unwrap();
    for ground in [Mesh::from(&patches), Mesh::from(&triangles)] {
        let ground = MovingMesh::resting(ground, &corners).unwrap();
        for swap in [false, true] {
            let pair = [&falling, &ground];
            let (a, b) = (pair[usize::from(swap)], pair[usize::from(!swap)]);
            let all = all_impacts(a, b, &MeshOptions::default()).unwrap();
            // The rod's index among the edges, which are sorted.
            for (element, exact) in [(Element::Vertex(5), 0.25), (Element::Edge(3), 0.5)] {
                let of = |pair: &&PairOutcome| pair.elements[usize::from(swap)] == element;
                let first = all.pairs.iter().find(of).unwrap();
                assert!(close(first.toi(), exact), "{first:?}");
            }
        }
    }
}

#[test]
fn particles_and_rods_keep_their_distance_from_each_other() {
    let mesh = TriangleMesh::with_edges(4, &[[0, 1]], &[]).unwrap();
    let points = [
        point![-1.0, 0.0, 0.0],
        point![1.0, 0.0, 0.0],
        point![0.0, 0.0, 1.0],
        point![0.0, 0.0, 3.0],
    ];
    // One particle falls on the rod, the other one, faster, on the first.
    let velocities = [0.0, 0.0, -1.0, -3.5].map(|z| vector![0.0, 0.0, z]);
    let moving = MovingMesh::with_velocities(&mesh, &points, &velocities).unwrap();
    let options = with(Options {
        min_separation: 0.25,
        ..Options::default()
    });
    let all = all_self_impacts(&moving, &options).unwrap();
    // 2 − 2.5 t = 1/4, 1 − t = 1/4, 3 − 3.5 t = 1/4.
    let exact = [
        ([Element::Vertex(2), Element::Vertex(3)], 0.7),
        ([Element::Vertex(2), Element::Edge(0)], 0.75),
        ([Element::Vertex(3), Element::Edge(0)], 2.75 / 3.5),
    ];
    assert_eq!(all.pairs.len(), 3, "{all:?}");
    for (pair, (elements, exact)) in all.pairs.iter().zip(exact) {
        assert!(
            pair.elements == elements && close(pair.toi(), exact),
            "{pair:?} {exact}"
        );
    }
}

#[test]
fn boxes_proven_apart_are_clear_at_any_distance() {
    // Two triangles, one above the other by a rounding, at rest.
    let low = [[0.0, 0.0, 0.0], [1.0, 0.3, 0.0], [0.1, 0.2, 1.0]].map(Point3::from);
    let up = 1.0_f64.next_up();
    let high = [[0.1, 0.2, up], [1.0, 0.7, 2.0], [-0.7, 0.9, 2.0]].map(Point3::from);
    let triangle = PatchMesh::from_triangles(3, &[[0, 1, 2]]).unwrap();
    let low = MovingMesh::resting(&triangle, &low).unwrap();
    let high = MovingMesh::resting(&triangle, &high).unwrap();
    for t_max in [0.0, 1.0] {
        let options = with(Options {
            t_max,
            ..Options::default()
        });
        let answer = earliest_impact(&low, &high, &options).unwrap();
        assert_eq!((answer.first, answer.fraction), (None, 1.0));
    }
    // The least distance that there is counts.
    let squares = [squares(&[0.0]), squares(&[f64::from_bits(1)])];
    let [below, above] = squares
        .each_ref()
        .map(|(mesh, points)| MovingMesh::resting(mesh, points).unwrap());
    let options = with(Options {
        min_separation: f64::from_bits(1),
        ..Options::default()
    });
    let answer = earliest_impact(&below, &above, &options).unwrap();
    assert_eq!(answer.fraction, 0.0);
}

#[test]
fn a_step_that_explodes_keeps_no_list_of_pairs() {
    // A cloth whose vertices fly 1000 edges far in all directions: nearly all pairs of boxes meet.
    let (mesh, points) = triangles(40, 0.0, 0.0);
    let velocities = stirred(points.len(), Vector3::zeros(), 25.0, 3);
    let moving = MovingMesh::with_velocities(&mesh, &points, &velocities).unwrap();
    let options = with(Options {
        max_boxes: 10_000,
        ..Options::default()
    });
    let mut workspace = MeshWorkspace::new();
    let earliest = workspace.earliest_self_impact(&moving, &options).unwrap();
    let one = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    let memory = one.install(|| {
        allocation_counter::measure(|| _ = workspace.earliest_self_impact(&moving, &options))
    });
    assert!(earliest.fraction > 0.0 && earliest.fraction < 0.1);
    assert!(memory.bytes_max < 10_000_000, "{}", memory.bytes_max);
}

#[test]
fn of_thousands_of_coincident_triangles_the_first_two_touch() {
    let count = 3000;
    let faces: Vec<[u32; 3]> = (0..count).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let points = corners.map(Point3::from).repeat(count as usize);
    let patches = PatchMesh::from_triangles(points.len(), &faces).unwrap();
    let still = MovingMesh::resting(&patches, &points).unwrap();
    let answer = earliest_self_impact(&still, &MeshOptions::default()).unwrap();
    let first = answer.first.unwrap().elements;
    assert_eq!(first, [Element::Patch(0), Element::Patch(1)]);
    assert!(answer.counters.solved < 1000, "{}", answer.counters.solved);
}

/// Level sheets on top of each other, as far apart as their separation or hardly farther, which
/// fall together.
#[test]
fn stacks_of_sheets_at_their_separation() {
    let (layers, n, gap) = (6, 3, 1e-3);
    let mut patches = Vec::new();
    for k in 0..layers * n * n {
        let [layer, i, j] = [k / (n * n), k / n % n, k % n];
        let side = |i: usize| [i, i + 1].map(|i| i as f64 / n as f64);
        patches.push(level(BILINEAR, side(i), side(j), layer as f64 * gap));
    }
    let (mut mesh, points) = PatchMesh::from_patches(&patches);
    mesh.weld(&points, 1e-9).unwrap();
    let falling = vec![vector![0.0, 0.0, -0.1]; points.len()];
    let moving = MovingMesh::with_velocities(&mesh, &points, &falling).unwrap();
    for (share, clear) in [(1.0, false), (0.9999, true), (0.99, true)] {
        let options = with(Options {
            t_max: 0.01,
            min_separation: share * gap,
            ..Options::default()
        });
        let all = all_self_impacts(&moving, &options).unwrap();
        // Each patch touches itself in the next layer, and all that it has a side or a corner with.
        // A height of five is not exactly five times that of one.
        assert_eq!(all.pairs.is_empty(), clear, "{share}: {}", all.pairs.len());
        for pair in &all.pairs {
            let is_at_start = matches!(pair.outcome, Outcome::ContactAtStart { .. });
            assert!(is_at_start, "{share}: {pair:?}");
        }
        assert!(all.counters.boxes <= 1000 * all.counters.solved, "{all:?}");
    }
}
