//! Edges, vertices and faces with known answers: degenerate input, contacts, budgets and batches.

#[allow(dead_code, reason = "shared with other tests")]
mod common;
#[allow(dead_code, reason = "shared with other tests")]
mod simplices;

use common::ENGINES;
use nalgebra::{Point3, Vector3, point, vector};
use patch_ccd::{
    Error, Inclusion, Method, Options, Outcome, Step, Workspace, edge_edge, edge_edge_batch,
    vertex_edge, vertex_edge_batch, vertex_face, vertex_face_batch, vertex_vertex,
    vertex_vertex_batch,
};

use simplices::Query::{self, EdgeEdge, VertexEdge, VertexFace, VertexVertex};
use simplices::{ORIGIN, moving};

/// Solves with every engine: an impact at that time, not later, and not earlier than the tolerance explains.
#[track_caller]
fn assert_impact(name: &str, query: &Query, expected: f64) {
    for (method, inclusion) in ENGINES {
        let delta = match method {
            Method::TwoSided | Method::TimeDependent => 1e-6,
            Method::Traditional => 1e-2,
        };
        let options = Options {
            method,
            inclusion,
            delta,
            ..Options::default()
        };
        let outcome = query.solve(&options);
        let Outcome::Impact { toi, contact, .. } = outcome else {
            panic!("{name}, {method} {inclusion}: {outcome:?}");
        };
        let early = expected - toi;
        assert!(
            (0.0..=4.0 * delta).contains(&early),
            "{name}, {method} {inclusion}: {toi:?} instead of {expected:?}"
        );
        assert!(contact.residual <= 10.0 * delta, "{name}: {outcome:?}");
    }
}

#[track_caller]
fn assert_all(
    name: &str,
    query: &Query,
    options: &Options,
    expected: &str,
    is_right: impl Fn(&Outcome) -> bool,
) {
    for (method, inclusion) in ENGINES {
        let outcome = query.solve(&Options {
            method,
            inclusion,
            ..*options
        });
        assert!(
            is_right(&outcome),
            "{name}, {method} {inclusion}: {outcome:?} instead of {expected}"
        );
    }
}

#[track_caller]
fn assert_contact_at_start(name: &str, query: &Query, options: &Options) {
    assert_all(name, query, options, "contact at the start", |outcome| {
        matches!(outcome, Outcome::ContactAtStart { .. })
    });
}

#[track_caller]
fn assert_clear(name: &str, query: &Query, options: &Options) {
    assert_all(name, query, options, "clear", |outcome| {
        matches!(outcome, Outcome::Clear { .. })
    });
}

mod degenerate {
    use super::*;

    #[test]
    fn edges_of_length_zero() {
        let down = vector![0.0, 0.0, -2.0];
        let point = [0.25, 0.0, 1.0];
        let edge = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
        let [a, b] = edge;
        let impact = |name, points, count, by| {
            assert_impact(name, &EdgeEdge(moving(points, count, by)), 0.5);
        };
        impact("point on edge", [point, point, a, b], 2, down);
        impact("edge on point", [a, b, point, point], 2, -down);
        impact(
            "point on end",
            [[1.0, 0.0, 1.0], [1.0, 0.0, 1.0], a, b],
            2,
            down,
        );
        impact(
            "point on point",
            [point, point, ORIGIN, ORIGIN],
            2,
            vector![-0.5, 0.0, -2.0],
        );
        let along = vector![-4.0, 0.0, 0.0];
        let beside = [3.0, 0.0, 0.0];
        impact("point along the line", [beside, beside, a, b], 2, along);
        let miss = EdgeEdge(moving([beside, beside, a, b], 2, vector![-4.0, 1.0, 0.0]));
        assert_clear("point passes", &miss, &Options::default());
    }

    #[test]
    fn edge_that_shrinks_to_a_point() {
        // The first edge has length |1 - 2 t|, and falls from height 1.
        let start = [
            [0.0, 0.0, 1.0],
            [1.0, 0.0, 1.0],
            [0.5, -1.0, 0.0],
            [0.5, 1.0, 0.0],
        ];
        let end = [
            [1.0, 0.0, -1.0],
            [0.0, 0.0, -1.0],
            [0.5, -1.0, 0.0],
            [0.5, 1.0, 0.0],
        ];
        let step = [start, end].map(|points| points.map(Point3::from));
        assert_impact("shrinking edge", &EdgeEdge(step), 0.5);
    }

    #[test]
    fn faces_of_area_zero() {
        let down = vector![0.0, 0.0, -2.0];
        let vertex = [0.5, 0.0, 1.0];
        let [a, b] = [ORIGIN, [1.0, 0.0, 0.0]];
        let between = [0.25, 0.0, 0.0];
        for (name, face) in [
            ("two equal corners", [a, b, b]),
            ("two equal corners", [b, a, b]),
            ("corner on the side", [a, between, b]),
            ("corner on the side", [between, b, a]),
        ] {
            let [f0, f1, f2] = face;
            assert_impact(
                name,
                &VertexFace(moving([vertex, f0, f1, f2], 1, down)),
                0.5,
            );
            let aside = VertexFace(moving([[0.5, 1e-3, 1.0], f0, f1, f2], 1, down));
            assert_clear(name, &aside, &Options::default());
            let beyond = VertexFace(moving([[1.001, 0.0, 1.0], f0, f1, f2], 1, down));
            assert_clear(name, &beyond, &Options::default());
        }
        let all = [0.5, 0.0, 0.0];
        assert_impact(
            "three equal corners",
            &VertexFace(moving([vertex, all, all, all], 1, down)),
            0.5,
        );
    }

    /// At t = 1/3 the face is a needle, and the vertex is on its line, beyond its end: only the needle's own direction
    /// separates them. At t = 1/2 the vertex is at a corner.
    #[test]
    fn face_that_is_a_needle_for_a_moment() {
        let start = [
            [0.0, 1.0, 0.0],
            [0.0, 0.0, 1.0],
            [0.0, 1.0, 1.0],
            [0.0, 1.0, 1.0],
        ];
        let end = [
            [0.0, -1.0, 0.0],
            [0.0, 1.0, 1.0],
            [0.0, -1.0, 0.0],
            [0.0, -1.0, -1.0],
        ];
        let step = [start, end].map(|points| points.map(Point3::from));
        assert_impact("face", &VertexFace(step), 0.5);
    }

    #[test]
    fn all_points_coincident() {
        let options = Options::default();
        for place in [ORIGIN, [0.1, -0.2, 0.3], [1e150, 1e-150, 1.0]] {
            for by in [Vector3::zeros(), vector![1.0, 2.0, 3.0]] {
                let together = [moving([place; 4], 4, by), moving([place; 4], 1, by)];
                for step in together {
                    assert_contact_at_start("edges", &EdgeEdge(step), &options);
                    assert_contact_at_start("face", &VertexFace(step), &options);
                }
            }
            assert_contact_at_start(
                "edge",
                &VertexEdge(moving([place; 3], 0, Vector3::zeros())),
                &options,
            );
            assert_contact_at_start(
                "vertices",
                &VertexVertex(moving([place; 2], 0, Vector3::zeros())),
                &options,
            );
        }
    }

    #[test]
    fn no_motion() {
        let rest = |points| moving(points, 0, Vector3::zeros());
        for t_max in [1.0, 0.0] {
            let options = Options {
                t_max,
                ..Options::default()
            };
            let cross = |z| {
                EdgeEdge(rest([
                    [0.0, -1.0, z],
                    [0.0, 1.0, z],
                    [-1.0, 0.0, 0.0],
                    [1.0, 0.0, 0.0],
                ]))
            };
            assert_contact_at_start("cross", &cross(0.0), &options);
            assert_clear("cross", &cross(1e-9), &options);
            let above = |z| {
                VertexFace(rest([
                    [0.25, 0.25, z],
                    ORIGIN,
                    [1.0, 0.0, 0.0],
                    [0.0, 1.0, 0.0],
                ]))
            };
            assert_contact_at_start("face", &above(0.0), &options);
            assert_clear("face", &above(1e-9), &options);
            let overlap = EdgeEdge(rest([
                ORIGIN,
                [2.0, 0.0, 0.0],
                [1.0, 0.0, 0.0],
                [3.0, 0.0, 0.0],
            ]));
            assert_contact_at_start("overlap", &overlap, &options);
        }
    }

    #[test]
    fn parallel_edges() {
        let edge = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
        let impact = |name, start: [[f64; 3]; 2], by| {
            let [a, b] = start;
            let [c, d] = edge;
            assert_impact(name, &EdgeEdge(moving([a, b, c, d], 2, by)), 0.5);
            assert_impact(name, &EdgeEdge(moving([c, d, a, b], 2, -by)), 0.5);
        };
        // Along their common line, end to end, from either side and either way round.
        let ahead = [[2.0, 0.0, 0.0], [4.0, 0.0, 0.0]];
        impact("sliding into each other", ahead, vector![-2.0, 0.0, 0.0]);
        impact(
            "sliding into each other",
            [ahead[1], ahead[0]],
            vector![-2.0, 0.0, 0.0],
        );
        // Onto each other, at once along a whole piece.
        let aside = [[-0.5, 1.0, 0.0], [2.0, 1.0, 0.0]];
        impact("meeting along a piece", aside, vector![0.0, -2.0, 0.0]);
        impact("meeting along a piece", aside, vector![1.0, -2.0, 0.0]);
        // Only one end meets the other, sideways.
        impact(
            "meeting at the ends",
            [[1.0, 1.0, 0.0], [3.0, 1.0, 0.0]],
            vector![0.0, -2.0, 0.0],
        );
    }

    #[test]
    fn parallel_edges_that_slide() {
        let options = Options {
            delta: 1e-3,
            ..Options::default()
        };
        let sliding = |y| {
            let points = [
                [-1.0, y, 0.0],
                [1.0, y, 0.0],
                [-1.0, 0.0, 0.0],
                [1.0, 0.0, 0.0],
            ];
            EdgeEdge(moving(points, 2, vector![0.5, 0.0, 0.0]))
        };
        assert_contact_at_start("on each other", &sliding(0.0), &options);
        assert_clear("past each other", &sliding(1e-6), &options);
        assert_clear("past each other", &sliding(-1.0), &options);
    }

    #[test]
    fn sliding_in_the_plane_of_a_face() {
        let face = [ORIGIN, [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]];
        let [a, b, c] = face;
        let by = vector![2.0, 0.0, 0.0];
        assert_impact(
            "onto a side",
            &VertexFace(moving([[-1.0, 0.5, 0.0], a, b, c], 1, by)),
            0.5,
        );
        assert_impact(
            "onto a corner",
            &VertexFace(moving([[-1.0, 1.0, 0.0], a, b, c], 1, by)),
            0.5,
        );
        assert_impact(
            "along a side",
            &VertexFace(moving([[-1.0, 0.0, 0.0], a, b, c], 1, by)),
            0.5,
        );
        let past = VertexFace(moving([[-1.0, 1.001, 0.0], a, b, c], 1, by));
        assert_clear("past a corner", &past, &Options::default());
        let over = VertexFace(moving([[-1.0, 0.5, 1e-6], a, b, c], 1, by));
        assert_clear("over the face", &over, &Options::default());
    }
}

mod answers {
    use super::*;

    fn crossing() -> Step<4> {
        // Meet at t = 3/4, at 1/4 of the first edge and 1/2 of the second.
        let points = [
            [-0.25, 0.0, 0.75],
            [0.75, 0.0, 0.75],
            [0.0, -1.0, 0.0],
            [0.0, 1.0, 0.0],
        ];
        moving(points, 2, vector![0.0, 0.0, -1.0])
    }

    fn falling() -> Step<4> {
        // At t = 3/4, at the weights (5/8, 1/4, 1/8).
        let points = [
            [0.25, 0.125, 0.75],
            ORIGIN,
            [1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
        ];
        moving(points, 1, vector![0.0, 0.0, -1.0])
    }

    #[test]
    fn contact_of_edges() {
        for (method, inclusion) in ENGINES {
            let options = Options {
                method,
                inclusion,
                delta: 1e-3,
                ..Options::default()
            };
            let outcome = EdgeEdge(crossing()).solve(&options);
            let contact = outcome.contact().expect("a contact");
            let [(a, _), (b, _)] = contact.parameters;
            assert!(
                (a - 0.25).abs() < 1e-3 && (b - 0.5).abs() < 1e-3,
                "{outcome:?}"
            );
            for point in contact.points {
                assert!(point.coords.norm() < 1e-2, "{outcome:?}");
            }
            for normal in contact.normals {
                let normal = normal.expect("edges that are not parallel");
                assert!((normal.z.abs() - 1.0).abs() < 1e-12, "{outcome:?}");
            }
        }
    }

    #[test]
    fn contact_with_a_face() {
        for (method, inclusion) in ENGINES {
            let options = Options {
                method,
                inclusion,
                delta: 1e-3,
                ..Options::default()
            };
            let outcome = VertexFace(falling()).solve(&options);
            let contact = outcome.contact().expect("a contact");
            let weights = contact.barycentric(1).expect("weights on the face");
            for (weight, expected) in weights.into_iter().zip([0.625, 0.25, 0.125]) {
                assert!((weight - expected).abs() < 2e-3, "{outcome:?}");
            }
            let normal = contact.normals[1].expect("a face that is not a line");
            assert!((normal.z.abs() - 1.0).abs() < 1e-12, "{outcome:?}");
        }
    }

    #[test]
    fn any_budget() {
        for query in [EdgeEdge(crossing()), VertexFace(falling())] {
            for (method, inclusion) in ENGINES {
                let mut least = 0.0;
                for max_boxes in 1..300 {
                    let options = Options {
                        method,
                        inclusion,
                        max_boxes,
                        delta: 1e-3,
                        ..Options::default()
                    };
                    let outcome = query.solve(&options);
                    assert!(outcome.counters().boxes <= max_boxes, "{outcome:?}");
                    let toi = outcome.toi().expect("not clear");
                    assert!(
                        least <= toi && toi <= 0.75,
                        "{max_boxes} boxes: {outcome:?} after {least}"
                    );
                    least = toi;
                }
                let few = Options {
                    method,
                    inclusion,
                    max_boxes: 2,
                    ..Options::default()
                };
                let outcome = query.solve(&few);
                assert!(
                    matches!(outcome, Outcome::BudgetExhausted { .. }),
                    "{outcome:?}"
                );
            }
        }
    }

    #[test]
    fn any_budget_for_a_contact_at_the_start() {
        let [_, crossed] = crossing();
        let touching = crossed.map(|p| p + vector![0.0, 0.0, -p.z]);
        let apart = touching.map(|p| p + p.coords);
        for query in [
            EdgeEdge([touching; 2]),
            EdgeEdge([touching, apart]),
            EdgeEdge([[Point3::origin(); 4]; 2]),
            VertexFace([[Point3::origin(); 4]; 2]),
        ] {
            for (method, inclusion) in ENGINES {
                for max_boxes in 1..200 {
                    let options = Options {
                        method,
                        inclusion,
                        max_boxes,
                        delta: 0.1,
                        ..Options::default()
                    };
                    let outcome = query.solve(&options);
                    assert_eq!(outcome.toi(), Some(0.0), "{outcome:?}");
                    let boxes = outcome.counters().boxes;
                    assert!(
                        boxes <= max_boxes,
                        "{method} {inclusion}, {max_boxes}: {outcome:?}"
                    );
                }
            }
        }
    }

    /// 1e-5 above a face: at a coarse tolerance there may be contact at once. Refined there is none if the vertex rises; and
    /// if it falls, the time of impact is positive.
    #[test]
    fn no_zero_toi() {
        let height = 1e-5;
        let step = |by: f64| {
            let points = [
                [0.25, 0.125, height],
                ORIGIN,
                [1.0, 0.0, 0.5],
                [0.0, 1.0, -0.25],
            ];
            let lowered = moving(points, 1, vector![0.0, 0.0, by]);
            // The face is z = x / 2 - y / 4.
            lowered.map(|[v, a, b, c]| [v + vector![0.0, 0.0, 0.125 - 0.03125], a, b, c])
        };
        for inclusion in [Inclusion::Aabb, Inclusion::Obb] {
            let options = Options {
                inclusion,
                delta: 0.5,
                no_zero_toi: true,
                ..Options::default()
            };
            let rising = VertexFace(step(1.0)).solve(&options);
            assert!(matches!(rising, Outcome::Clear { .. }), "{rising:?}");
            let falling = VertexFace(step(-1.0)).solve(&options);
            match falling {
                Outcome::Impact { toi, .. } => assert!(toi > 0.0 && toi <= height, "{falling:?}"),
                other => panic!("{other:?}"),
            }
            let few = Options {
                max_boxes: 5,
                ..options
            };
            let unsure = VertexFace(step(-1.0)).solve(&few);
            match unsure {
                Outcome::Impact { toi, .. } => assert!(toi > 0.0 && toi <= height, "{unsure:?}"),
                Outcome::BudgetExhausted { toi, .. } => assert!(toi <= height, "{unsure:?}"),
                other => panic!("{other:?}"),
            }
            let touching = moving(
                [[0.25, 0.125, 0.0], ORIGIN, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
                1,
                vector![0.0, 0.0, -1.0],
            );
            let outcome = VertexFace(touching).solve(&options);
            assert!(
                matches!(outcome, Outcome::ContactAtStart { .. }),
                "{outcome:?}"
            );
        }
    }

    #[test]
    fn contact_beyond_the_horizon() {
        for query in [EdgeEdge(crossing()), VertexFace(falling())] {
            let until = |t_max| {
                query.solve(&Options {
                    t_max,
                    ..Options::default()
                })
            };
            assert!(matches!(until(0.7), Outcome::Clear { .. }));
            assert!(matches!(until(0.75), Outcome::Impact { .. }));
            assert!(matches!(until(0.0), Outcome::Clear { .. }));
            // The motion goes on after the step.
            assert!(
                matches!(until(10.0), Outcome::Impact { toi, .. } if toi <= 0.75 && toi > 0.7499)
            );
        }
    }

    /// Steps that collide or not, as they come, with an error among them.
    fn many<const N: usize>() -> Vec<Step<N>> {
        let mut state = 1_u64;
        let mut coordinate = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / (1_u64 << 23) as f64 - 1.0
        };
        let mut step = |_| {
            [(); 2].map(|()| [(); N].map(|()| point![coordinate(), coordinate(), coordinate()]))
        };
        let mut steps: Vec<Step<N>> = (0..500).map(&mut step).collect();
        steps[77][1][N - 1].y = f64::NAN;
        steps
    }

    fn assert_same<const N: usize>(
        batch: impl Fn(&[Step<N>], &Options) -> Vec<Result<Outcome, Error>>,
        one: impl Fn(&Step<N>, &Options) -> Result<Outcome, Error>,
        in_workspace: impl Fn(&mut Workspace, &Step<N>, &Options) -> Result<Outcome, Error>,
    ) {
        let steps = many::<N>();
        let mut workspace = Workspace::new();
        for inclusion in [Inclusion::Aabb, Inclusion::Obb] {
            let options = Options {
                inclusion,
                delta: 1e-3,
                min_separation: 0.3,
                ..Options::default()
            };
            let together = batch(&steps, &options);
            assert_eq!(together.len(), steps.len());
            let hits = together
                .iter()
                .flatten()
                .filter(|outcome| outcome.toi().is_some());
            assert!(hits.count() > 10);
            for (index, (step, answer)) in steps.iter().zip(&together).enumerate() {
                // NaN in an error does not equal itself.
                let text = format!("{answer:?}");
                assert_eq!(answer.is_err(), index == 77, "{text}");
                assert_eq!(text, format!("{:?}", one(step, &options)));
                assert_eq!(
                    text,
                    format!("{:?}", in_workspace(&mut workspace, step, &options))
                );
            }
        }
        assert_eq!(batch(&[], &Options::default()), []);
    }

    #[test]
    fn batches_answer_as_one_by_one() {
        assert_same(edge_edge_batch, edge_edge, Workspace::edge_edge);
        assert_same(vertex_face_batch, vertex_face, Workspace::vertex_face);
        assert_same(vertex_edge_batch, vertex_edge, Workspace::vertex_edge);
        assert_same(vertex_vertex_batch, vertex_vertex, Workspace::vertex_vertex);
    }
}
