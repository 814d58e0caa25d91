//! The lemmas that need no search: products of errors, lengths and cross products.

use super::{Dyadic, Random, cases, exact};
use crate::bound::length_rounded_up;
use crate::geometry::MAX_DEGREE;
use crate::rounding::*;
use crate::vector::largest;

/// Roundings of the bound itself, which is computed, too: of E for both patches, of its sum over
/// the coordinates, of the margin, and of its value between the ends.
const OF_THE_BOUND: usize = 4 + 4 + 1 + 3;

/// Let ε = (1 + u)ᴺ − 1 for N roundings. The numbers on the way to a gap are up to (1 + ε) E in
/// size and the slopes between two ends up to (1 + 2 ε) E, and c roundings of these come to c u (1
/// + ε).
#[test]
fn one_rounding_covers_all_products_of_errors() {
    let one = || Dyadic::integer(1);
    let u = || exact(UNIT_ROUNDOFF);
    for (rational, level) in [(false, 0), (true, 0), (false, 52), (true, 52)] {
        // The most roundings come about if both parameters are halved one at a time, as often as
        // they can be.
        let split = 2 * split_roundings(MAX_DEGREE, rational) * level;
        let bound = projection_error(split as u32) / UNIT_ROUNDOFF;
        let first_order = (bound - HIGHER_ORDER) as usize;
        let growth = (one() + u()).power(first_order);
        let error =
            Dyadic::integer(first_order) * growth.clone() * (growth.clone() + growth - one());
        let bound = exact(bound) * (one() - u()).power(OF_THE_BOUND);
        assert!(error <= bound, "rational {rational}, level {level}");
    }
}

#[test]
fn lengths_are_never_too_short() {
    let mut random = Random::new(3);
    for _ in 0..cases(20_000) {
        let power = |random: &mut Random| 0.5_f64.powi(random.below(30) as i32);
        let direction = [0; 3].map(|_| random.sign() * power(&mut random));
        let direction = direction.map(|x| x * reciprocal_power_of_two(largest(direction)));
        let squares = direction.map(|x| exact(x) * exact(x));
        let exact_square = squares.into_iter().reduce(|a, b| a + b).unwrap();
        let length = exact(length_rounded_up(direction));
        assert!(length.power(2) >= exact_square, "{direction:?}");
    }
}

/// A vector of length 1 has a coordinate of at least 1/√3.
#[test]
fn the_maximum_norm_is_no_less_than_its_share_of_the_length() {
    let square = exact(MAXIMUM_NORM_FACTOR) * exact(MAXIMUM_NORM_FACTOR);
    assert!(Dyadic::integer(3) * square <= Dyadic::integer(1));
}

/// Checks |computed − exact| for every coordinate of the cross product of two vectors that were
/// divided by their largest coordinates.
#[test]
fn coordinates_of_cross_products_are_right_to_their_bound() {
    let mut random = Random::new(4);
    for case in 0..cases(20_000) {
        let mut vector = || [0; 3].map(|_| random.sign());
        let (a, mut b) = (vector(), vector());
        if case % 2 == 0 {
            // Half of the pairs are nearly parallel.
            b = std::array::from_fn(|c| a[c] * 1.7 + 1e-15 * b[c]);
        }
        let (of_a, of_b) = (largest(a), largest(b));
        let [a1, b1] = [a.map(|x| x / of_a), b.map(|x| x / of_b)];
        for (i, j) in [(0, 1), (1, 2), (2, 0)] {
            let computed = exact(a1[i] * b1[j] - a1[j] * b1[i]) * exact(of_a) * exact(of_b);
            let exact_value = exact(a[i]) * exact(b[j]) - exact(a[j]) * exact(b[i]);
            let bound = exact(CROSS_ERROR) * exact(of_a) * exact(of_b);
            assert!((computed - exact_value).abs() <= bound, "{a:?} × {b:?}");
        }
    }
}
