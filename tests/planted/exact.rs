//! The plant, proven from the doubles that the query is given, by integers of any length.

use std::ops::{Add, Mul, Sub};

use dashu_int::IBig;

use crate::case::Planted;
use crate::doubles::Net;
use crate::net::{Place, weighted_basis};
use crate::oracle::integer_and_exponent;

/// n · 2ᵉ, never rounded.
#[derive(Clone, Debug)]
struct Dyadic(IBig, i32);

impl Dyadic {
    /// The number in units of a smaller power of two.
    fn over(&self, exponent: i32) -> IBig {
        &self.0 << (self.1 - exponent) as usize
    }
}

impl From<f64> for Dyadic {
    fn from(x: f64) -> Self {
        let (integer, exponent) = integer_and_exponent(x);
        Self(integer, exponent)
    }
}

impl From<i128> for Dyadic {
    fn from(x: i128) -> Self {
        Self(x.into(), 0)
    }
}

impl Mul for &Dyadic {
    type Output = Dyadic;

    fn mul(self, other: Self) -> Dyadic {
        Dyadic(&self.0 * &other.0, self.1 + other.1)
    }
}

impl Add for &Dyadic {
    type Output = Dyadic;

    fn add(self, other: Self) -> Dyadic {
        if self.0.is_zero() {
            return other.clone();
        }
        if other.0.is_zero() {
            return self.clone();
        }
        let exponent = self.1.min(other.1);
        Dyadic(self.over(exponent) + other.over(exponent), exponent)
    }
}

impl Sub for &Dyadic {
    type Output = Dyadic;

    fn sub(self, other: Self) -> Dyadic {
        self + &Dyadic(-&other.0, other.1)
    }
}

fn sum(terms: impl Iterator<Item = Dyadic>) -> Dyadic {
    terms.fold(0.into(), |sum, term| &sum + &term)
}

/// W and W · S(place, t).
fn point(net: &Net, place: Place, t: f64) -> (Dyadic, [Dyadic; 3]) {
    let functions = weighted_basis(net.shape, &net.weights, place);
    let functions: Vec<Dyadic> = functions.into_iter().map(Dyadic::from).collect();
    let t = Dyadic::from(t);
    let coordinate = |c: usize| {
        let motions = net.points.iter().zip(&net.velocities);
        let now = motions.map(|(p, v)| &Dyadic::from(p[c]) + &(&t * &Dyadic::from(v[c])));
        sum(functions.iter().zip(now).map(|(f, x)| f * &x))
    };
    let coordinates = [0, 1, 2].map(coordinate);
    (sum(functions.into_iter()), coordinates)
}

/// Proves what is said of a case: its distance at the planted contact; if it is the first, that both patches come towards the plane between
/// them at the speed they are said to, and, at some places, that they are on their sides of it.
pub(crate) fn verify(case: &Planted) {
    let [one, two] = [0, 1].map(|side| point(&case.motions[side], case.places[side], case.time));
    let scale = &one.0 * &two.0;
    let apart = [0, 1, 2].map(|c| &(&one.1[c] * &two.0) - &(&two.1[c] * &one.0));
    let separation = &Dyadic::from(case.min_separation) * &scale;
    let squared = sum(apart.iter().map(|x| x * x));
    assert!(
        (&squared - &(&separation * &separation)).0.is_zero(),
        "the distance"
    );

    let Some(first) = &case.first else { return };
    let along = |vector: &[Dyadic; 3]| {
        sum([0, 1, 2]
            .map(|c| &vector[c] * &Dyadic::from(first.normal[c]))
            .into_iter())
    };
    let mut slowest = Dyadic::from(0);
    for side in 0..2 {
        let towards = Dyadic::from(if side == 0 { -1 } else { 1 });
        let net = &case.motions[side];
        let speeds = net.velocities.iter().map(|v| {
            let speed = along(&[v.x, v.y, v.z].map(Dyadic::from));
            &speed * &towards
        });
        let least = speeds.reduce(|a, b| if (&a - &b).0 > IBig::ZERO { b } else { a });
        let least = least.expect("a velocity");
        assert!(least.0 >= IBig::ZERO, "side {side} goes away");
        slowest = &slowest + &least;
        let (weight, at) = if side == 0 { &one } else { &two };
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
            let (weight_there, there) = point(net, Place { bits: 2, a, b }, case.time);
            let above = [0, 1, 2].map(|c| &(&there[c] * weight) - &(&at[c] * &weight_there));
            let above = &along(&above) * &towards;
            assert!(
                above.0 <= IBig::ZERO,
                "side {side} crosses the plane at ({a}, {b}) / 4"
            );
        }
    }
    // The normal's length is an integer.
    let squares: i128 = first.normal.iter().map(|x| x * x).sum();
    let length = squares.isqrt();
    assert_eq!(length * length, squares);
    let said = &Dyadic::from(first.approach[0]) * &Dyadic::from(length);
    assert!((&slowest - &said).0.is_zero(), "the speed");
}
