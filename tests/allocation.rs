//! A workspace that has seen a query answers it again without touching the heap; edges and faces
//! need no workspace for that.

use allocation_counter::{AllocationInfo, measure};
use kit::scenes::patch;
use kit::{PairKind, RandomPairs};
use nalgebra::point;
use patch_ccd::geometry::{Patch, Shape};
use patch_ccd::{
    Decision, DistanceOptions, Error, Inclusion, Method, Moving, Options, Outcome, Step, Workspace,
    closest_point_on, edge_edge, time_of_impact, vertex_edge, vertex_face, vertex_vertex,
};

const INCLUSIONS: [Inclusion; 2] = [Inclusion::Aabb, Inclusion::Obb];

/// What a call returns, and what it took from the heap.
fn measured<T>(call: impl FnOnce() -> T) -> (T, AllocationInfo) {
    let mut result = None;
    let heap = measure(|| result = Some(call()));
    (result.expect("a result"), heap)
}

#[test]
fn a_second_query_allocates_nothing() {
    let mut workspace = Workspace::new();
    for kind in PairKind::TABLE {
        for inclusion in INCLUSIONS {
            let options = Options {
                inclusion,
                delta: 1e-3,
                ..Options::default()
            };
            for pair in RandomPairs::new(kind.shape(), 5).take(5) {
                let [a, b] = pair.unwrap();
                let mut solve = || workspace.time_of_impact(&a, &b, &options).unwrap();
                let first = solve();
                let (second, heap) = measured(solve);
                assert_eq!(second, first);
                assert_eq!(heap.count_total, 0, "{kind} {inclusion}");
            }
        }
    }
}

/// Nor does a pair that starts nearer than its separation, for which there are two queries.
#[test]
fn a_second_query_of_a_near_pair_allocates_nothing() {
    let mut workspace = Workspace::new();
    let mut near = 0;
    for kind in PairKind::TABLE {
        for pair in RandomPairs::new(kind.shape(), 5).take(10) {
            let [a, b] = pair.unwrap();
            let options = Options {
                delta: 1e-3,
                min_separation: 10.0,
                shrink_separation: Some(0.9),
                max_boxes: 10_000,
                ..Options::default()
            };
            let mut solve = || workspace.time_of_impact(&a, &b, &options).unwrap();
            let first = solve();
            let (second, heap) = measured(solve);
            assert_eq!(second, first);
            assert_eq!(heap.count_total, 0, "{kind}");
            near += usize::from(second.separation() < 10.0);
        }
    }
    assert!(near > 10, "{near}");
}

#[test]
fn a_second_distance_allocates_nothing() {
    let mut workspace = Workspace::new();
    for kind in PairKind::TABLE {
        for inclusion in INCLUSIONS {
            let options = DistanceOptions {
                inclusion,
                relative_tolerance: 1e-3,
                ..DistanceOptions::default()
            };
            for pair in RandomPairs::new(kind.shape(), 5).take(5) {
                let [a, b] = pair.unwrap().map(|moving| moving.start().clone());
                let point = b.control_points()[0];
                let mut all = || {
                    [
                        workspace.closest_points(&a, &b, &options),
                        workspace.closest_point_on(point, &a, &options),
                        closest_point_on(point, &a, &options),
                    ]
                    .map(Result::unwrap)
                };
                let first = all();
                let (second, heap) = measured(all);
                assert_eq!(second, first);
                assert_eq!(second[1], second[2]);
                assert_eq!(heap.count_total, 0, "{kind} {inclusion}");
            }
        }
    }
}

/// The queries of edges, vertices and faces, each on the first of four points.
type Query = fn(&Step<4>, &Options) -> Result<Outcome, Error>;
const QUERIES: [Query; 4] = [
    edge_edge,
    vertex_face,
    |step, options| vertex_edge(&step.map(|[v, a, b, _]| [v, a, b]), options),
    |step, options| vertex_vertex(&step.map(|[a, b, ..]| [a, b]), options),
];

/// All these queries are different: a thread has the memory for short ones once it has seen a
/// contact.
#[test]
fn short_linear_queries_allocate_nothing() {
    const FEW_BOXES: u64 = 50;
    for inclusion in INCLUSIONS {
        let options = Options {
            inclusion,
            min_separation: 0.1,
            ..Options::default()
        };
        for (kind, query) in QUERIES.iter().enumerate() {
            let touching = |step| matches!(query(&step, &options), Ok(Outcome::Impact { .. }));
            assert!(random_steps().any(touching));
            let mut short = 0;
            for step in random_steps() {
                let (outcome, heap) = measured(|| query(&step, &options));
                if outcome.unwrap().counters().boxes <= FEW_BOXES {
                    short += 1;
                    assert_eq!(heap.count_total, 0, "query {kind}, {inclusion}: {step:?}");
                }
            }
            assert!(short > 100, "{short} short queries");
        }
    }
}

/// In exact mode only what is left to integers allocates.
#[test]
fn exact_queries_that_need_no_integers_allocate_nothing() {
    let options = Options {
        exact: true,
        ..Options::default()
    };
    // The thread's workspace is made with its first query.
    let step = random_steps().next().expect("a step");
    edge_edge(&step, &options).unwrap();
    let mut impacts = 0;
    for query in &QUERIES[..2] {
        for step in random_steps() {
            let (outcome, heap) = measured(|| query(&step, &options));
            let outcome = outcome.unwrap();
            if outcome.counters().decision == Decision::Filter {
                impacts += usize::from(outcome.toi().is_some());
                assert_eq!(heap.count_total, 0, "{outcome:?}");
            }
        }
    }
    assert!(impacts > 10, "{impacts}");
}

/// Steps of four points that move at random.
fn random_steps() -> impl Iterator<Item = Step<4>> {
    let pairs = RandomPairs::new(Shape::TensorProduct { n: 1, m: 1 }, 5);
    pairs.take(200).map(|pair| {
        let patch = &pair.expect("a pair")[0];
        [0.0, 1.0].map(|t| {
            let now = patch.at(t).expect("a patch");
            std::array::from_fn(|i| now.control_points()[i])
        })
    })
}

/// Queries that use up their budget: patches too close to each other to be told apart by so many
/// boxes. What they take without it, the documentation of a workspace calls about 30 MB, and 100 MB
/// at the highest degrees.
#[test]
fn a_budget_bounds_the_memory() {
    for (shape, max_boxes, tables) in [
        (Shape::Triangular { n: 2 }, 100_000, 35_000_000),
        (Shape::TensorProduct { n: 3, m: 3 }, 100_000, 35_000_000),
        (Shape::TensorProduct { n: 9, m: 9 }, 20_000, 35_000_000),
        (Shape::Triangular { n: 30 }, 2_000, 100_000_000),
        (Shape::TensorProduct { n: 30, m: 30 }, 2_000, 100_000_000),
    ] {
        // Graphs over the same domain, bent, one above the other.
        let [a, near] = [0.0, 1e-8].map(|above| {
            let bent = |u: f64, v: f64| point![u, v, u * u - v * v + u * v * v + above];
            Moving::resting(patch(shape, bent))
        });
        for (method, inclusion) in [
            (Method::TwoSided, Inclusion::Obb),
            (Method::TimeDependent, Inclusion::Aabb),
            (Method::Traditional, Inclusion::Obb),
        ] {
            let options = Options {
                method,
                inclusion,
                delta: 1e-10,
                max_boxes,
                ..Options::default()
            };
            let (outcome, heap) = measured(|| time_of_impact(&a, &near, &options).unwrap());
            let told = format!("{shape} {method} {inclusion}: {outcome:?}");
            assert!(matches!(outcome, Outcome::BudgetExhausted { .. }), "{told}");
            let most = tables + 110 * max_boxes;
            assert!(heap.bytes_max <= most, "{told}: {} bytes", heap.bytes_max);
        }
    }
}
