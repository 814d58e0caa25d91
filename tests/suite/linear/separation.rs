//! Minimum separation of vertices, edges and faces, Euclidean and in the maximum norm, where the
//! distance is known in closed form.

use kit::simplices::Query::{self, EdgeEdge, VertexEdge, VertexFace, VertexVertex};
use kit::simplices::{ORIGIN, moving};
use nalgebra::{Vector3, vector};
use patch_ccd::{Inclusion, Options, Outcome, Step};

/// A query whose first simplex goes by −`offset` and then touches the other one, with the distance
/// at the start in both norms: the distance at t is (1 − t) times that.
struct Closing {
    name: &'static str,
    query: Query,
    euclidean: f64,
    maximum: f64,
}

/// The nearest points are in turn inside of an edge or a face, at ends, and at corners.
fn closing() -> Vec<Closing> {
    let away = vector![0.0, 3.0, 4.0];
    let (euclidean, maximum) = (5.0, 4.0);
    let at = |x: f64| [x, away.y, away.z];
    let oblique = vector![3.0, 4.0, 0.0];
    let [a, b] = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
    let case = |name, query| Closing {
        name,
        query,
        euclidean,
        maximum,
    };
    let mut cases = vec![
        case(
            "vertices",
            VertexVertex(moving([at(0.0), ORIGIN], 1, -away)),
        ),
        case(
            "vertex and edge",
            VertexEdge(moving([at(0.3), a, b], 1, -away)),
        ),
        case(
            "vertex and end",
            VertexEdge(moving([at(1.0), a, b], 1, -away)),
        ),
        case(
            "vertex beyond the end",
            VertexEdge(moving([[1.0 + 3.0, 4.0, 0.0], a, b], 1, -oblique)),
        ),
        case(
            "parallel edges",
            EdgeEdge(moving([at(0.0), at(3.0), a, b], 2, -away)),
        ),
        case(
            "ends of edges",
            EdgeEdge(moving([at(1.0), at(3.0), a, b], 2, -away)),
        ),
        case(
            "edges on one line and a half",
            EdgeEdge(moving(
                [[4.0, 4.0, 0.0], [9.0, 4.0, 0.0], a, b],
                2,
                -oblique,
            )),
        ),
        case(
            "vertex beyond a corner",
            VertexFace(moving(
                [[3.0, 4.0, 0.0], ORIGIN, [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]],
                1,
                -oblique,
            )),
        ),
        case(
            "vertex beyond a side",
            VertexFace(moving([at(0.0), a, b, [0.0, -1.0, 0.0]], 1, -away)),
        ),
    ];
    // The normals of these are oblique: along (1, 1, 1), and along (0, 1, -1).
    let high = Vector3::from_element(2.0);
    cases.push(Closing {
        name: "vertex over a face",
        query: VertexFace(moving(
            [
                [2.0; 3],
                [2.0, -1.0, -1.0],
                [-1.0, 2.0, -1.0],
                [-1.0, -1.0, 2.0],
            ],
            1,
            -high,
        )),
        euclidean: 12.0_f64.sqrt(),
        maximum: 2.0,
    });
    let across = vector![0.0, 2.0, -2.0];
    cases.push(Closing {
        name: "crossing edges",
        query: EdgeEdge(moving(
            [
                [-1.0, 2.0, -2.0],
                [1.0, 2.0, -2.0],
                [0.0, -1.0, -1.0],
                [0.0, 1.0, 1.0],
            ],
            2,
            -across,
        )),
        euclidean: 8.0_f64.sqrt(),
        maximum: 2.0,
    });
    cases
}

fn options(inclusion: Inclusion, min_separation: f64) -> Options {
    Options {
        inclusion,
        min_separation,
        ..Options::default()
    }
}

#[test]
fn reached_in_time() {
    for Closing {
        name,
        query,
        euclidean,
        maximum,
    } in closing()
    {
        for (inclusion, distance) in [(Inclusion::Obb, euclidean), (Inclusion::Aabb, maximum)] {
            for min_separation in [0.25, 1.0, 1e-3] {
                let options = options(inclusion, min_separation);
                let outcome = query.solve(&options);
                let Outcome::Impact { toi, contact, .. } = outcome else {
                    panic!("{name}, {inclusion}: {outcome:?}");
                };
                let early = 1.0 - min_separation / distance - toi;
                // The right answer itself is known to a rounding.
                assert!(
                    (-1e-15..=1e-5).contains(&early),
                    "{name}, {inclusion} at {min_separation}: {early:e} too early"
                );
                let apart = contact.points[0] - contact.points[1];
                let apart = match inclusion {
                    Inclusion::Obb => apart.norm(),
                    Inclusion::Aabb => apart.amax(),
                };
                assert!(
                    (apart - min_separation).abs() < 1e-4,
                    "{name}, {inclusion}: {outcome:?}"
                );
            }
        }
    }
}

/// `step` the other way: the two part.
fn parting(query: Query) -> Query {
    fn reversed<const N: usize>([start, end]: Step<N>) -> Step<N> {
        let by: [Vector3<f64>; N] = std::array::from_fn(|i| start[i] - end[i]);
        [start, std::array::from_fn(|i| start[i] + by[i])]
    }
    match query {
        EdgeEdge(step) => EdgeEdge(reversed(step)),
        VertexFace(step) => VertexFace(reversed(step)),
        VertexEdge(step) => VertexEdge(reversed(step)),
        VertexVertex(step) => VertexVertex(reversed(step)),
    }
}

#[test]
fn there_from_the_start() {
    for Closing {
        name,
        query,
        euclidean,
        maximum,
    } in closing()
    {
        let parting = parting(query);
        for (inclusion, distance) in [(Inclusion::Obb, euclidean), (Inclusion::Aabb, maximum)] {
            for query in [query, parting] {
                // √12 and √8 are known to a rounding: the next double is not below them.
                for min_separation in [distance.next_up(), 1.1 * distance, 2.0 * distance, 1e100] {
                    let outcome = query.solve(&options(inclusion, min_separation));
                    assert!(
                        matches!(outcome, Outcome::ContactAtStart { .. }),
                        "{name}, {inclusion} at {min_separation}: {outcome:?}"
                    );
                }
                if distance.fract() == 0.0 {
                    let outcome = query.solve(&options(inclusion, distance));
                    assert!(
                        matches!(outcome, Outcome::ContactAtStart { .. }),
                        "{name}: {outcome:?}"
                    );
                }
            }
            let outcome = parting.solve(&options(inclusion, distance * (1.0 - 1e-4)));
            assert!(
                matches!(outcome, Outcome::Clear { .. }),
                "{name}, {inclusion}: {outcome:?}"
            );
        }
    }
}
