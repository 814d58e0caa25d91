//! The exact distance of vertices, edges and faces at rest.

use nalgebra::Point3;

use dashu_ratio::RBig;

use super::Oracle;
use crate::exact;

type Exact = [RBig; 3];

/// The square of the distance of two simplices of one to three corners each, exactly.
///
/// They are nearest at features of theirs: a vertex and a face, or two edges. Or one of them goes
/// through the inside of the other one, and the distance is 0.
///
/// ```
/// use kit::{exact, oracle::squared_distance};
/// use nalgebra::point;
/// let face = [point![0.0, 0.0, 0.0], point![1.0, 0.0, 0.0], point![0.0, 1.0, 0.0]];
/// let edge = |z: f64| [point![0.25, 0.25, z], point![0.25, 0.25, 5.0]];
/// assert_eq!(squared_distance(&face, &edge(3.0)), exact(9.0));
/// assert_eq!(squared_distance(&face, &edge(-3.0)), exact(0.0));
/// ```
pub fn squared_distance(one: &[Point3<f64>], two: &[Point3<f64>]) -> RBig {
    let mut oracles = Vec::new();
    for (vertices, corners) in [(one, two), (two, one)] {
        let last = corners.len() - 1;
        let [a, b, c] = [0, 1, 2].map(|k: usize| corners[k.min(last)]);
        let oracle = |&v| Oracle::vertex_face(&[[v, a, b, c]; 2]);
        oracles.extend(vertices.iter().map(oracle));
    }
    for [a, b] in edges(one) {
        let oracle = |[c, d]: [_; 2]| Oracle::edge_edge(&[[a, b, c, d]; 2]);
        oracles.extend(edges(two).into_iter().map(oracle));
    }
    let least = oracles.iter().map(Oracle::squared_distance_at_start).min();
    let pierced = |edges_of: &[Point3<f64>], face: &[Point3<f64>]| {
        <[_; 3]>::try_from(face).is_ok_and(|face| {
            let edges = edges(edges_of);
            edges.into_iter().any(|edge| pierces(edge, face))
        })
    };
    if pierced(one, two) || pierced(two, one) {
        return RBig::ZERO;
    }
    least.expect("a pair of features")
}

fn edges(corners: &[Point3<f64>]) -> Vec<[Point3<f64>; 2]> {
    match *corners {
        [a, b] => vec![[a, b]],
        [a, b, c] => vec![[a, b], [b, c], [c, a]],
        _ => Vec::new(),
    }
}

/// Whether the ends of an edge are on opposite sides of a face's plane, and its line goes through
/// the face.
fn pierces(edge: [Point3<f64>; 2], face: [Point3<f64>; 3]) -> bool {
    let [p, q] = edge.map(taken);
    let [a, b, c] = face.map(taken);
    let sides = [&p, &q].map(|end| volume([&a, &b, &c, end]));
    if &sides[0] * &sides[1] >= RBig::ZERO {
        return false;
    }
    let around = [[&a, &b], [&b, &c], [&c, &a]].map(|[s, t]| volume([&p, &q, s, t]));
    around.iter().all(|volume| *volume >= RBig::ZERO)
        || around.iter().all(|volume| *volume <= RBig::ZERO)
}

fn taken(point: Point3<f64>) -> Exact {
    [point.x, point.y, point.z].map(exact)
}

/// Six times the volume of a tetrahedron, positive or negative.
fn volume([a, b, c, d]: [&Exact; 4]) -> RBig {
    let [u, v, w] = [b, c, d].map(|p| -> Exact { std::array::from_fn(|k| &p[k] - &a[k]) });
    let minor = |i: usize, j: usize| &v[i] * &w[j] - &v[j] * &w[i];
    &u[0] * minor(1, 2) + &u[1] * minor(2, 0) + &u[2] * minor(0, 1)
}
