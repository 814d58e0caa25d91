//! The plant, proven from the doubles that the query is given.

use dashu_ratio::RBig;
use kit::exact;
use nalgebra::Vector3;

use super::case::Planted;
use super::doubles::Net;
use super::net::{Place, weighted_basis};

type Exact = [RBig; 3];

fn sum(terms: impl Iterator<Item = RBig>) -> RBig {
    terms.fold(RBig::ZERO, |sum, term| sum + term)
}

/// S(place, t).
fn point(net: &Net, place: Place, t: f64) -> Exact {
    let functions = weighted_basis(net.shape, &net.weights, place);
    let functions: Vec<RBig> = functions.into_iter().map(RBig::from).collect();
    let weight = sum(functions.iter().cloned());
    let t = exact(t);
    [0, 1, 2].map(|c| {
        let motions = net.points.iter().zip(&net.velocities);
        let now = motions.map(|(p, v)| exact(p[c]) + &t * exact(v[c]));
        sum(functions.iter().zip(now).map(|(f, x)| f * x)) / &weight
    })
}

fn difference(a: &Exact, b: &Exact) -> Exact {
    [0, 1, 2].map(|c| &a[c] - &b[c])
}

/// Proves what is said of a case: its distance at the planted contact; if it is the first, that
/// both patches come towards the plane between them at the speed they are said to, and, at some
/// places, that they are on their sides of it.
pub(crate) fn verify(case: &Planted) {
    let ends = [0, 1].map(|side| point(&case.motions[side], case.places[side], case.time));
    let apart = difference(&ends[0], &ends[1]);
    let squared = sum(apart.iter().map(RBig::sqr));
    assert_eq!(squared, exact(case.min_separation).sqr(), "the distance");

    let Some(first) = &case.first else { return };
    let along = |vector: &Exact| {
        let normal = first.normal.map(RBig::from);
        sum(vector.iter().zip(normal).map(|(x, n)| x * n))
    };
    let speed = |v: &Vector3<f64>| along(&[v.x, v.y, v.z].map(exact));
    let mut slowest = RBig::ZERO;
    for (side, (net, end)) in case.motions.iter().zip(&ends).enumerate() {
        let towards = RBig::from(if side == 0 { -1 } else { 1 });
        let speeds = net.velocities.iter().map(|v| speed(v) * &towards);
        let least = speeds.min().expect("a velocity");
        assert!(least >= RBig::ZERO, "side {side} goes away");
        slowest += least;
        for (a, b) in [
            (0, 0),
            (0, 4),
            (4, 0),
            (1, 1),
            (2, 1),
            (1, 2),
            (2, 2),
            (0, 2),
            (2, 0),
        ] {
            let there = point(net, Place { bits: 2, a, b }, case.time);
            let past = along(&difference(&there, end)) * &towards;
            let place = format!("({a}, {b}) / 4");
            assert!(
                past <= RBig::ZERO,
                "side {side} crosses the plane at {place}"
            );
        }
    }
    // The normal's length is an integer.
    let squares: i128 = first.normal.iter().map(|x| x * x).sum();
    let length = squares.isqrt();
    assert_eq!(length * length, squares);
    assert_eq!(
        slowest,
        exact(first.approach[0]) * RBig::from(length),
        "the speed"
    );
}
