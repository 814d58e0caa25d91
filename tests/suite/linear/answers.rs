//! What an answer holds: contacts, bounds for any budget, horizons, batches.

use kit::simplices::Query;
use kit::{Random, engines};
use nalgebra::{Point3, vector};
use patch_ccd::{
    Error, Inclusion, Options, Outcome, Step, Workspace, edge_edge, edge_edge_batch, vertex_edge,
    vertex_edge_batch, vertex_face, vertex_face_batch, vertex_vertex, vertex_vertex_batch,
};

use super::table;

/// Edges that meet at t = 3/4, at 1/4 of the first and 1/2 of the second; a vertex that meets a
/// face at the same time, at the weights (5/8, 1/4, 1/8).
fn meeting() -> [Query; 2] {
    let rows = "
        edges: ee -0.25 0 0.75, 0.75 0 0.75, 0 -1 0, 0 1 0 by 0 0 -1
        face: vf 0.25 0.125 0.75, 0 0 0, 1 0 0, 0 1 0 by 0 0 -1
    ";
    let rows = table(rows);
    [&rows[0], &rows[2]].map(|row| row.kind.query(&row.step))
}

fn coarse(delta: f64) -> Options {
    Options {
        delta,
        ..Options::default()
    }
}

#[test]
fn contact_of_edges() {
    let [edges, _] = meeting();
    for options in engines(&coarse(1e-3)) {
        let outcome = edges.solve(&options);
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
    let [_, face] = meeting();
    for options in engines(&coarse(1e-3)) {
        let outcome = face.solve(&options);
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
    for query in meeting() {
        for engine in engines(&coarse(1e-3)) {
            let mut least = 0.0;
            for max_boxes in 1..300 {
                let outcome = query.solve(&Options {
                    max_boxes,
                    ..engine
                });
                assert!(outcome.counters().boxes <= max_boxes, "{outcome:?}");
                let toi = outcome.toi().expect("not clear");
                let between = least <= toi && toi <= 0.75;
                assert!(between, "{max_boxes} boxes: {outcome:?} after {least}");
                least = toi;
            }
        }
        for few in engines(&Options {
            max_boxes: 2,
            ..Options::default()
        }) {
            let outcome = query.solve(&few);
            let is_exhausted = matches!(outcome, Outcome::BudgetExhausted { .. });
            assert!(is_exhausted, "{outcome:?}");
        }
    }
}

#[test]
fn any_budget_for_a_contact_at_the_start() {
    let [touching, _] = meeting();
    let Query::EdgeEdge([start, _]) = touching else {
        panic!("{touching:?}");
    };
    let touching = start.map(|p| p + vector![0.0, 0.0, -p.z]);
    let apart = touching.map(|p| p + p.coords);
    for query in [
        Query::EdgeEdge([touching; 2]),
        Query::EdgeEdge([touching, apart]),
        Query::EdgeEdge([[Point3::origin(); 4]; 2]),
        Query::VertexFace([[Point3::origin(); 4]; 2]),
    ] {
        for engine in engines(&coarse(0.1)) {
            for max_boxes in 1..200 {
                let options = Options {
                    max_boxes,
                    ..engine
                };
                let outcome = query.solve(&options);
                assert_eq!(outcome.toi(), Some(0.0), "{outcome:?}");
                let boxes = outcome.counters().boxes;
                assert!(boxes <= max_boxes, "{options:?}: {outcome:?}");
            }
        }
    }
}

/// 1e-5 above a face: at a coarse tolerance there may be contact at once. Refined there is none if
/// the vertex rises; and if it falls, the time of impact is positive.
#[test]
fn no_zero_toi() {
    // The face is z = x / 2 - y / 4.
    let rows = "
        rising: vf 0.25 0.125 0.09376, 0 0 0, 1 0 0.5, 0 1 -0.25 by 0 0 1
        falling: vf 0.25 0.125 0.09376, 0 0 0, 1 0 0.5, 0 1 -0.25 by 0 0 -1
        touching: vf 0.25 0.125 0, 0 0 0, 1 0 0, 0 1 0 by 0 0 -1
    ";
    for row in table(rows) {
        for inclusion in [Inclusion::Aabb, Inclusion::Obb] {
            for max_boxes in [Options::default().max_boxes, 5] {
                let options = Options {
                    inclusion,
                    max_boxes,
                    delta: 0.5,
                    no_zero_toi: true,
                    ..Options::default()
                };
                let few = max_boxes == 5;
                let outcome = row.kind.query(&row.step).solve(&options);
                let is_right = match outcome {
                    Outcome::Clear { .. } => row.name == "rising",
                    Outcome::ContactAtStart { .. } => row.name == "touching",
                    Outcome::Impact { toi, .. } => {
                        row.name == "falling" && toi > 0.0 && toi <= 1.0001e-5
                    }
                    Outcome::BudgetExhausted { toi, .. } => few && toi <= 1.0001e-5,
                };
                assert!(is_right, "{}, {options:?}: {outcome:?}", row.name);
            }
        }
    }
}

#[test]
fn contact_beyond_the_horizon() {
    for query in meeting() {
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
        assert!(matches!(until(10.0), Outcome::Impact { toi, .. } if toi <= 0.75 && toi > 0.7499));
    }
}

/// Steps that collide or not, as they come, with an error among them.
fn many<const N: usize>() -> Vec<Step<N>> {
    let mut random = Random::new(1);
    let mut step = |_| [(); 2].map(|()| [(); N].map(|()| random.point(1.0)));
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
