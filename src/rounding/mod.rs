//! Why is the answer safe in floating point? Forward error bounds of everything that a proof of "no contact" rests on.
//!
//! One lemma a constant, each with its derivation; section 5 of `paper-notes.md` puts them together to a proof. The tests of
//! the search ([`crate::proofs`]) and of the moving boxes hold every lemma by itself, and all together, against exact arithmetic.
//!
//! # Conventions
//!
//! u = 2⁻⁵³ is the unit roundoff: for the rounded value fl(x) of x, |fl(x) − x| ≤ u |x|, and ≤ u |fl(x)|, unless x
//! under- or overflows. "c roundings" of numbers of size s are an error of at most c u s, in first order.
//!
//! Inside the search coordinates are relative to a double near the middle of the scene and scaled by a power of two to about 1,
//! and the horizon to [0, 1] (see [`crate::search`]). Let M₀ and M₁ be, for each coordinate k, the largest start coordinate and the
//! largest displacement, as computed, of all control points of a patch, and E(s) = Σₖ |eₖ| (M₀ₖ + s M₁ₖ) for an axis e: every
//! projection at the fraction s of the horizon is at most E(s) in size, but for roundings. What is computed of one patch on the
//! way to a gap differs from its exact value by at most
//!
//! | step | roundings of numbers up to E |
//! |---|---|
//! | start coordinates and displacements | [`START_ROUNDINGS`], [`DISPLACEMENT_ROUNDINGS`]: the larger |
//! | subdivision, for each level | [`split_roundings`] |
//! | p + s v at an end of the interval of time | [`MOVE_ROUNDINGS`] |
//! | projection on e | [`PROJECTION_ROUNDINGS`] |
//! | the gap, a difference | [`DIFFERENCE_ROUNDINGS`] |
//! | a projection between the ends | [`INTERPOLATION_ROUNDINGS`] |
//! | the time that it is found for | [`TIME_ROUNDINGS`] |
//! | products of errors, and the roundings of this bound | [`HIGHER_ORDER`] |
//!
//! The minimum and the maximum over control points are exact, and the bounds of two patches add up. E is linear in s, and so
//! is the bound: a gap minus its bound is concave like the gap itself, and it is enough to know the bound at both ends of an
//! interval.
//!
//! An operation that the compiler fused with the next one would only leave out a rounding; no bound needs that it does not.

#[cfg(feature = "mesh")]
pub(crate) mod boxes;
mod products;

pub(crate) use products::{product_rounded_down, reciprocal_power_of_two, scaled_product};

/// Unit roundoff of `f64`: half the distance from 1 to the next number.
pub(crate) const UNIT_ROUNDOFF: f64 = f64::EPSILON / 2.0;

/// A start coordinate: its difference from the middle of the scene. Scaling it is exact.
///
/// The middle is a double, any double: both patches are moved by the same.
pub(crate) const START_ROUNDINGS: f64 = 1.0;

/// A displacement over the horizon: end − start, if a motion is given so, and the product with t_max.
pub(crate) const DISPLACEMENT_ROUNDINGS: f64 = 2.0;

/// An average, ½ a + ½ b: the sum. A subdivision takes as many of them one after the other as a blossom has arguments, n + m
/// for a tensor-product patch and n for a triangular one, each of numbers up to M.
pub(crate) const AVERAGE_ROUNDINGS: usize = 1;

/// What a rational patch takes besides its averages at each level: the product of a coordinate with its weight, and the quotient.
pub(crate) const HOMOGENEOUS_ROUNDINGS: usize = 2;

/// Roundings of one subdivision, for a shape that takes `averages` in a row.
///
/// Rational: the weights are positive, so averages keep their relative errors: at level k a weight w is right to k · averages
/// roundings of itself. A weighted coordinate is at most w M, and an error of so many roundings of w M stays one under averages
/// too; product and quotient add one each. The quotient of a level is multiplied by the same weight, as computed, at the next one: so
/// it counts as a rounding of the weighted coordinate, and an error of the weight does not come in again. At level k that makes
/// k (averages + 2) for the weighted coordinate and k averages for the weight that it is divided by at last.
pub(crate) fn split_roundings(averages: usize, rational: bool) -> usize {
    let averages = AVERAGE_ROUNDINGS * averages;
    if rational {
        2 * averages + HOMOGENEOUS_ROUNDINGS
    } else {
        averages
    }
}

/// A control point at a time: p + s v, product and sum.
pub(crate) const MOVE_ROUNDINGS: f64 = 2.0;

/// The projection on an axis: each of its three products goes through at most one rounding of itself and two of sums.
pub(crate) const PROJECTION_ROUNDINGS: f64 = 3.0;

/// The gap, least − largest projection: one rounding of a number up to E₁ + E₂.
///
/// Whether that is above a margin is decided exactly: the sign of a difference of two doubles is always right.
pub(crate) const DIFFERENCE_ROUNDINGS: f64 = 1.0;

/// A projection at the fraction r of an interval [a, b], f(a) + r (f(b) − f(a)): difference, product and sum.
///
/// The exact f(b) − f(a) is at most Σₖ |eₖ| (b − a) M₁ₖ = E(b) − E(a), and r (E(b) − E(a)) ≤ E at r, as is the sum.
pub(crate) const INTERPOLATION_ROUNDINGS: f64 = 3.0;

/// The time of that fraction, a + r (b − a): two roundings of r (b − a), one of the time.
///
/// A projection moves by at most Σₖ |eₖ| M₁ₖ for a unit of time, and a time s times that is at most E(s).
pub(crate) const TIME_ROUNDINGS: f64 = 3.0;

/// Products of errors with each other, and the roundings of the bound itself, twelve, relative to it: together far below one
/// rounding, as long as there are few thousand.
pub(crate) const HIGHER_ORDER: f64 = 1.0;

/// Roundings of one patch's projection that do not depend on the level.
///
/// Start coordinates are a part of E, displacements the other one: the larger number of roundings serves for both.
pub(crate) const FIXED_ROUNDINGS: f64 = START_ROUNDINGS.max(DISPLACEMENT_ROUNDINGS)
    + MOVE_ROUNDINGS
    + PROJECTION_ROUNDINGS
    + DIFFERENCE_ROUNDINGS
    + INTERPOLATION_ROUNDINGS
    + TIME_ROUNDINGS
    + HIGHER_ORDER;

/// Error of one patch's projection, as a multiple of E, after subdivisions of so many roundings.
pub(crate) fn projection_error(subdivisions: u32) -> f64 {
    (f64::from(subdivisions) + FIXED_ROUNDINGS) * UNIT_ROUNDOFF
}

/// Underflow: an operation on numbers up to about 1 may lose half of the least double, 2⁻¹⁰⁷⁵, besides its rounding; sums and
/// differences never do. With weights ≥ 2⁻⁵² (see [`crate::search`]) a quotient makes that at most 2⁻¹⁰²³, averages add up less than
/// a few thousand of them, and an axis of size up to 4 multiplies that by 12: less than 2⁻¹⁰⁰⁰, which has the exponent field 1023 − 1000.
pub(crate) const UNDERFLOW: f64 = f64::from_bits((1023 - 1000) << 52);

/// A minimum separation d adds d |e| to what a gap must exceed. Roundings of that number: its product with |e|, its sum with
/// the error bound, the margin between the ends; and one for those of higher order.
pub(crate) const SEPARATION_ROUNDINGS: f64 = 1.0 + 1.0 + 1.0 + 1.0;

/// A cut along the chord of a gap above its margin, h₀ > 0 ≥ h₁ at the two ends, at the root h₀ / (h₀ − h₁): how far below the chord
/// the gap may be there, in roundings of numbers up to E₁ + E₂ + d |e|.
///
/// h₀ and h₁ have two, the margin and one error bound more taken away. Sum and quotient have two, relative to the root, which moves the
/// height there by two of h₀, whichever end is cut off. A cut takes *two* error bounds away, so one of them is there for
/// these.
pub(crate) const CHORD_ROUNDINGS: f64 = 4.0;
const _: () = assert!(CHORD_ROUNDINGS < FIXED_ROUNDINGS && CHORD_ROUNDINGS <= SEPARATION_ROUNDINGS);

/// The Euclidean length of an axis: three roundings of its square, by a product and two sums, halve under the root, 3/2; the root
/// and the product with this factor have one each. The half that is left is for those of higher order, and underflow.
pub(crate) const LENGTH_ROUNDINGS: f64 = 4.0;

/// A computed length times this is no less than the length.
pub(crate) const LENGTH_FACTOR: f64 = 1.0 + LENGTH_ROUNDINGS * UNIT_ROUNDOFF;

/// The largest row sum B of the products |eᵢ · eⱼ| of three axes: each product has three roundings of at most |eᵢ| |eⱼ|, which is no more than the
/// largest |e|², hence than B; the sums have two, and one is for those of higher order.
pub(crate) const SUM_ROUNDINGS: f64 = 3.0 * 3.0 + 2.0 + 1.0;

/// B, as computed, times this is no less than B: that product has a rounding too, and an even number of them is a double.
pub(crate) const SUM_FACTOR: f64 = 1.0 + (SUM_ROUNDINGS + 2.0) * UNIT_ROUNDOFF;
const _: () = assert!(SUM_FACTOR - 1.0 >= (SUM_ROUNDINGS + 1.0) * UNIT_ROUNDOFF);

/// A squared distance (Σ gₖ²) / B: what the difference of gap and error bound rounds, squared, two; square and sums, three; the quotient by B and the product
/// with it, two; the square root rounds its result, which is two of the square; and one for those of higher order.
pub(crate) const FRAME_ROUNDINGS: f64 = 2.0 + 3.0 + 2.0 + 2.0 + 1.0;

/// This divided by B, times Σ gₖ² as computed, has a square root that is, as computed, no more than the distance.
pub(crate) const FRAME_FACTOR: f64 = 1.0 - FRAME_ROUNDINGS * UNIT_ROUNDOFF;

/// The distance of two boxes, from gaps that are differences of doubles, by way of their quotients by the largest: a rounding of the difference and one of the quotient,
/// squared, four; square and sums, three; these halve under the root; the root and the product with the largest have one each, and so have the product with the factor
/// and those of higher order.
pub(crate) const BOX_DISTANCE_ROUNDINGS: f64 = (4.0 + 3.0) / 2.0 + 2.0 + 2.0;

/// A length as computed from such differences times this is no more than the length.
const BOX_DISTANCE_FACTOR: f64 = 1.0 - 8.0 * UNIT_ROUNDOFF;
const _: () = assert!(BOX_DISTANCE_ROUNDINGS <= 8.0);

/// The length of a vector of gaps ≥ 0, each a difference of two doubles, rounded down; without over- or underflow on the way.
pub(crate) fn gaps_length_rounded_down(gaps: [f64; 3]) -> f64 {
    let largest = gaps[0].max(gaps[1]).max(gaps[2]).min(f64::MAX);
    if largest < f64::MIN_POSITIVE {
        // No less than the largest of them, which is exact.
        return largest;
    }
    let [x, y, z] = gaps.map(|gap| gap.min(f64::MAX) / largest);
    let length = largest * (x * x + y * y + z * z).sqrt();
    (length.min(f64::MAX) * BOX_DISTANCE_FACTOR).max(0.0)
}

/// A point of a patch, evaluated: for each degree a factor 1 − x, product and sum, 3 for tensor-product patches; in a triangle
/// the third coordinate, to two roundings of 1, a product and two sums, 5.
pub(crate) const EVALUATION_ROUNDINGS_PER_DEGREE: usize = 5;

/// The product of two bases, those with weight, coordinate and time, the quotient of a rational patch and the sum p + s v, one each; and
/// two for the sums over control points. These could come to as many as there are points, but what each adds is relative to
/// the part that is summed up already, and of either sign.
pub(crate) const EVALUATION_ROUNDINGS: usize = 8;

/// By how many units, relative to the largest coordinate, the evaluation of a point of degrees n and m is taken to be off. It
/// says when a witness or closest points are good enough, and by how much more than the least distance so far pairs of a mesh are looked at: no lower bound rests on it.
pub(crate) fn evaluation_error([n, m]: [usize; 2]) -> f64 {
    (EVALUATION_ROUNDINGS_PER_DEGREE * (n + m) + EVALUATION_ROUNDINGS) as f64 * UNIT_ROUNDOFF
}

/// A coordinate a b − c d of the cross product of two vectors that were divided by their largest coordinates: each of two products, up to
/// 1, has a rounding of both factors and its own; their difference, up to 2, one.
pub(crate) const CROSS_ROUNDINGS: f64 = 2.0 * 3.0 + 2.0;

/// A coordinate of such a cross product that is larger is not 0.
pub(crate) const CROSS_ERROR: f64 = CROSS_ROUNDINGS * UNIT_ROUNDOFF;
