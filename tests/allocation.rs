//! A workspace that has seen a query answers it again without touching the heap; edges and faces need no workspace for that.

#[allow(dead_code, reason = "shared with other tests")]
mod common;
#[allow(dead_code, reason = "shared with other tests")]
mod simplices;

use kit::{PairKind, RandomPairs};
use nalgebra::point;
use patch_ccd::geometry::{AnyPatch, Patch, Shape};
use patch_ccd::{
    Decision, DistanceOptions, Inclusion, Method, Moving, Options, Outcome, Step, Workspace,
    closest_point_on, time_of_impact,
};

use simplices::Kind;

#[test]
fn a_second_query_allocates_nothing() {
    let mut workspace = Workspace::new();
    for kind in PairKind::TABLE {
        for inclusion in [Inclusion::Aabb, Inclusion::Obb] {
            let options = Options {
                inclusion,
                delta: 1e-3,
                ..Options::default()
            };
            for pair in RandomPairs::new(kind.shape(), 5).take(5) {
                let [a, b] = pair.unwrap();
                let first = workspace.time_of_impact(&a, &b, &options).unwrap();
                let mut second = None;
                let heap = allocation_counter::measure(|| {
                    second = workspace.time_of_impact(&a, &b, &options).ok();
                });
                assert_eq!(second, Some(first));
                assert_eq!(heap.count_total, 0, "{kind} {inclusion}");
            }
        }
    }
}

#[test]
fn a_second_distance_allocates_nothing() {
    let mut workspace = Workspace::new();
    for kind in PairKind::TABLE {
        for inclusion in [Inclusion::Aabb, Inclusion::Obb] {
            let options = DistanceOptions {
                inclusion,
                relative_tolerance: 1e-3,
                ..DistanceOptions::default()
            };
            for pair in RandomPairs::new(kind.shape(), 5).take(5) {
                let [a, b] = pair.unwrap().map(|moving| moving.start().clone());
                let point = b.control_points()[0];
                let first = workspace.closest_points(&a, &b, &options).unwrap();
                let near = workspace.closest_point_on(point, &a, &options).unwrap();
                closest_point_on(point, &a, &options).unwrap();
                let mut again = [None; 3];
                let heap = allocation_counter::measure(|| {
                    again = [
                        workspace.closest_points(&a, &b, &options).ok(),
                        workspace.closest_point_on(point, &a, &options).ok(),
                        closest_point_on(point, &a, &options).ok(),
                    ];
                });
                assert_eq!(again, [Some(first), Some(near), Some(near)]);
                assert_eq!(heap.count_total, 0, "{kind} {inclusion}");
            }
        }
    }
}

/// All these queries are different: a thread has the memory for short ones once it has seen a contact.
#[test]
fn short_linear_queries_allocate_nothing() {
    const FEW_BOXES: u64 = 50;
    for inclusion in [Inclusion::Aabb, Inclusion::Obb] {
        let options = Options {
            inclusion,
            min_separation: 0.1,
            ..Options::default()
        };
        for kind in Kind::ALL {
            let touching = |step: &Step<4>| {
                let outcome = kind.query(step).solve(&options);
                matches!(outcome, Outcome::Impact { .. })
            };
            assert!(random_steps().any(|step| touching(&step)));
            let mut short = 0;
            for step in random_steps() {
                let query = kind.query(&step);
                let mut outcome = None;
                let heap = allocation_counter::measure(|| outcome = query.try_solve(&options).ok());
                let boxes = outcome.expect("an outcome").counters().boxes;
                if boxes <= FEW_BOXES {
                    short += 1;
                    assert_eq!(heap.count_total, 0, "{kind:?}, {boxes} boxes, {inclusion}");
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
    Kind::EdgeEdge.query(&step).solve(&options);
    let mut impacts = 0;
    for kind in [Kind::EdgeEdge, Kind::VertexFace] {
        for step in random_steps() {
            let query = kind.query(&step);
            let mut outcome = None;
            let heap = allocation_counter::measure(|| outcome = query.try_solve(&options).ok());
            let outcome = outcome.expect("an outcome");
            if outcome.counters().decision == Decision::Filter {
                impacts += usize::from(outcome.toi().is_some());
                assert_eq!(heap.count_total, 0, "{kind:?}: {outcome:?}");
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

/// Queries that use up their budget: patches too close to each other to be told apart by so many boxes. What they take without it, the
/// documentation of a workspace calls about 30 MB, and 100 MB at the highest degrees.
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
        let bent = |above: f64| {
            let parameters = common::greville(shape).into_iter();
            let points = parameters.map(|(u, v)| point![u, v, u * u - v * v + u * v * v + above]);
            let patch = AnyPatch::from_shape(shape, &points.collect::<Vec<_>>());
            Moving::resting(patch.expect("a patch"))
        };
        let [a, near] = [bent(0.0), bent(1e-8)];
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
            let mut outcome = None;
            let heap = allocation_counter::measure(|| {
                outcome = time_of_impact(&a, &near, &options).ok();
            });
            assert!(
                matches!(outcome, Some(Outcome::BudgetExhausted { .. })),
                "{shape} {method}: {outcome:?}"
            );
            assert!(
                heap.bytes_max <= tables + 110 * max_boxes,
                "{shape} {method} {inclusion}: {} bytes",
                heap.bytes_max
            );
        }
    }
}
