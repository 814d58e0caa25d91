//! Why is the answer safe in floating point? Here are forward error bounds of everything that a
//! proof of "no contact" rests on.
//!
//! Each lemma is a named constant with its derivation beside it. Section 5 of `paper-notes.md` puts
//! them together to a proof. The tests of the search (`crate::proofs`) and of the moving boxes
//! check every lemma by itself, and all of them together, against exact arithmetic.
//!
//! # Conventions
//!
//! u = 2⁻⁵³ is the unit roundoff. The rounded value fl(x) of x satisfies |fl(x) − x| ≤ u |x| and
//! |fl(x) − x| ≤ u |fl(x)|, unless x under- or overflows. "c roundings" of numbers of size s stand
//! for an error of at most c u s, to first order.
//!
//! Inside the search, coordinates are relative to a double near the middle of the scene and scaled
//! by a power of two to a size of about 1, and the horizon is scaled to [0, 1] (see
//! [`crate::branch::pair`]). For a patch and a coordinate k, let M₀ₖ be the largest start
//! coordinate and M₁ₖ the largest displacement of its control points, both as computed. For an axis
//! e and the fraction s of the horizon let E(s) = Σₖ |eₖ| (M₀ₖ + s M₁ₖ). Then every projection at s
//! is at most E(s) in size, except for roundings. What is computed of one patch on the way to a gap
//! differs from its exact value by at most
//!
//! | step | roundings of numbers up to E |
//! |---|---|
//! | start coordinates, displacements | max of [`START_ROUNDINGS`], [`DISPLACEMENT_ROUNDINGS`] |
//! | subdivision, for each level | [`split_roundings`] |
//! | p + s v at an end of the interval of time | [`MOVE_ROUNDINGS`] |
//! | projection on e | [`PROJECTION_ROUNDINGS`] |
//! | the gap, a difference | [`DIFFERENCE_ROUNDINGS`] |
//! | a projection between the ends | [`INTERPOLATION_ROUNDINGS`] |
//! | the time that it is found for | [`TIME_ROUNDINGS`] |
//! | products of errors, and the roundings of this bound | [`HIGHER_ORDER`] |
//!
//! The minimum and the maximum over control points are exact, and the bounds of two patches add up.
//! E is linear in s, and so is the bound. A gap minus its bound is therefore concave like the gap
//! itself, and it is enough to know the bound at both ends of an interval.
//!
//! If the compiler fused two operations, a rounding would only be left out: no bound needs that it
//! does not.

#[cfg(feature = "mesh")]
pub(crate) mod boxes;
mod curved;
mod products;
#[cfg(feature = "mesh")]
mod sums;
mod trigonometry;

#[cfg(feature = "mesh")]
pub(crate) use curved::LAYER_ROUNDINGS;
#[cfg(any(feature = "mesh", test))]
pub(crate) use curved::ROTATION_ROUNDINGS;
#[cfg(test)]
pub(crate) use curved::TIME_AVERAGE_ROUNDINGS;
pub(crate) use curved::{BEND_FACTOR, POLYNOMIAL_ROUNDINGS, RIGID_ROUNDINGS, ZERO_ROUNDINGS};
pub(crate) use products::{product_rounded_down, reciprocal_power_of_two, scaled_product};
#[cfg(feature = "mesh")]
pub(crate) use sums::sum_rounded_up;
pub(crate) use trigonometry::{MAX_ANGLE, SIN_COS_ROUNDINGS, sin_cos};

/// The unit roundoff of `f64`: half of the distance from 1 to the next larger number.
pub(crate) const UNIT_ROUNDOFF: f64 = f64::EPSILON / 2.0;

/// Roundings of a start coordinate: its difference from the middle of the scene has one. Scaling it
/// is exact.
///
/// The middle may be any double, since both patches are moved by the same one.
pub(crate) const START_ROUNDINGS: f64 = 1.0;

/// Roundings of a displacement over the horizon: end − start, if the motion is given that way, and
/// the product with t_max.
pub(crate) const DISPLACEMENT_ROUNDINGS: f64 = 2.0;

/// Roundings of an average ½ a + ½ b: the sum has one, of a number up to M. A subdivision takes as
/// many averages one after the other as a blossom has arguments: n + m for a tensor-product patch,
/// n for a triangular one.
pub(crate) const AVERAGE_ROUNDINGS: usize = 1;

/// Roundings of a rational patch at each level besides its averages: the product of a coordinate
/// with its weight, and the quotient.
pub(crate) const HOMOGENEOUS_ROUNDINGS: usize = 2;

/// Roundings of one subdivision, for a shape that takes `averages` of them one after the other.
///
/// For a rational patch they are derived as follows.
/// - The weights are positive, so averages keep their relative errors: at level k a computed weight
///   has k · averages roundings of itself.
/// - A weighted coordinate is at most w M, and an error of c roundings of w M stays one under
///   averages. Product and quotient add one rounding each.
/// - The quotient of a level is multiplied by the same computed weight at the next level. So the
///   quotient counts as a rounding of the weighted coordinate, and an error of the weight does not
///   enter again.
/// - At level k that makes k (averages + 2) roundings of the weighted coordinate, and k averages of
///   the weight by which it is divided at last.
pub(crate) fn split_roundings(averages: usize, rational: bool) -> usize {
    let averages = AVERAGE_ROUNDINGS * averages;
    if rational {
        2 * averages + HOMOGENEOUS_ROUNDINGS
    } else {
        averages
    }
}

/// Roundings of a control point at a time, p + s v: the product and the sum.
pub(crate) const MOVE_ROUNDINGS: f64 = 2.0;

/// Roundings of a projection on an axis: each of its three products has at most one of its own and
/// two of sums.
pub(crate) const PROJECTION_ROUNDINGS: f64 = 3.0;

/// Roundings of the gap, least − largest projection: one, of a number up to E₁ + E₂.
///
/// Whether the gap is above a margin is decided exactly, since the sign of a difference of two
/// doubles is always right.
pub(crate) const DIFFERENCE_ROUNDINGS: f64 = 1.0;

/// Roundings of a projection at the fraction r of an interval [a, b], f(a) + r (f(b) − f(a)): the
/// difference, the product and the sum.
///
/// The exact f(b) − f(a) is at most Σₖ |eₖ| (b − a) M₁ₖ = E(b) − E(a). Both r (E(b) − E(a)) and the
/// sum are at most E at r.
pub(crate) const INTERPOLATION_ROUNDINGS: f64 = 3.0;

/// Roundings of the time of that fraction, a + r (b − a): two of r (b − a), and one of the time.
///
/// In a unit of time a projection moves by at most Σₖ |eₖ| M₁ₖ, and a time s times that is at most
/// E(s).
pub(crate) const TIME_ROUNDINGS: f64 = 3.0;

/// Products of errors with each other, and the twelve roundings of the bound itself relative to it.
/// Together they are far below one rounding, as long as there are no more than a few thousand
/// roundings.
pub(crate) const HIGHER_ORDER: f64 = 1.0;

/// Roundings of one patch's projection that do not depend on the level of subdivision.
///
/// Start coordinates are one part of E and displacements the other one, so the larger of their two
/// numbers of roundings serves for both.
pub(crate) const FIXED_ROUNDINGS: f64 = START_ROUNDINGS.max(DISPLACEMENT_ROUNDINGS)
    + MOVE_ROUNDINGS
    + PROJECTION_ROUNDINGS
    + DIFFERENCE_ROUNDINGS
    + INTERPOLATION_ROUNDINGS
    + TIME_ROUNDINGS
    + HIGHER_ORDER;

/// The error of one patch's projection as a multiple of E, after subdivisions that have this many
/// roundings in all.
pub(crate) fn projection_error(subdivisions: u32) -> f64 {
    (f64::from(subdivisions) + FIXED_ROUNDINGS) * UNIT_ROUNDOFF
}

/// Underflow of a projection. A product or quotient of numbers up to about 1 may lose half of the
/// least double, 2⁻¹⁰⁷⁵, besides its rounding; sums and differences never do. With weights of at
/// least 2⁻⁵² (see [`crate::branch::pair`]) a quotient makes that at most 2⁻¹⁰²³. Averages add up
/// less than a few thousand of these, and an axis of size up to 4 multiplies the sum by 12. All
/// that is less than 2⁻¹⁰⁰⁰, which has the exponent field 1023 − 1000.
pub(crate) const UNDERFLOW: f64 = f64::from_bits((1023 - 1000) << 52);

/// Roundings of the number d |e| that a minimum separation d adds to what a gap must exceed: the
/// product with |e|, the sum with the error bound, the margin between the ends, and one for those
/// of higher order.
pub(crate) const SEPARATION_ROUNDINGS: f64 = 1.0 + 1.0 + 1.0 + 1.0;

/// How far the gap may be below its chord at a cut, in roundings of numbers up to E₁ + E₂ + d |e|.
/// The chord joins h₀ > 0 ≥ h₁, by which the gap exceeds its margin at the two ends of an interval,
/// and the cut is at the chord's root, h₀ / (h₀ − h₁).
///
/// Both h₀ and h₁ have two roundings, since the margin and one more error bound are subtracted. Sum
/// and quotient have two more, relative to the root, which change the chord's value there by two
/// roundings of h₀, whichever end is cut off. A cut subtracts *two* error bounds, so one of them is
/// there for these roundings.
pub(crate) const CHORD_ROUNDINGS: f64 = 4.0;
const _: () = assert!(CHORD_ROUNDINGS < FIXED_ROUNDINGS && CHORD_ROUNDINGS <= SEPARATION_ROUNDINGS);

/// Roundings of the Euclidean length of an axis. Its square has three, of a product and two sums,
/// which the root halves to 3/2; the root and the product with [`LENGTH_FACTOR`] have one each. The
/// half that is left is for those of higher order and for underflow.
pub(crate) const LENGTH_ROUNDINGS: f64 = 4.0;

/// A computed length times this factor is no less than the exact length.
pub(crate) const LENGTH_FACTOR: f64 = 1.0 + LENGTH_ROUNDINGS * UNIT_ROUNDOFF;

/// Roundings of B, the largest row sum of the products |eᵢ · eⱼ| of three axes. Each of three
/// products has three roundings of at most |eᵢ| |eⱼ|, which is no more than the largest |e|², and
/// hence than B. The sums have two, and one is for those of higher order.
pub(crate) const SUM_ROUNDINGS: f64 = 3.0 * 3.0 + 2.0 + 1.0;

/// The computed B times this factor is no less than B. The product adds a rounding, so the factor
/// must be at least 1 + 13u; the next double is 1 + 14u.
pub(crate) const SUM_FACTOR: f64 = 1.0 + (SUM_ROUNDINGS + 2.0) * UNIT_ROUNDOFF;
const _: () = assert!(SUM_FACTOR - 1.0 >= (SUM_ROUNDINGS + 1.0) * UNIT_ROUNDOFF);

/// Roundings of a squared distance (Σ gₖ²) / B: the difference of gap and error bound, squared, has
/// two; the square and the sums have three; the quotient by B and the product with it have two; the
/// square root rounds its result, which counts as two of the square; one is for those of higher
/// order.
pub(crate) const FRAME_ROUNDINGS: f64 = 2.0 + 3.0 + 2.0 + 2.0 + 1.0;

/// This factor divided by B, times the computed Σ gₖ², has a computed square root that is no more
/// than the distance.
pub(crate) const FRAME_FACTOR: f64 = 1.0 - FRAME_ROUNDINGS * UNIT_ROUNDOFF;

/// Roundings of the distance of two boxes. Its gaps are differences of doubles, divided by the
/// largest of them: the difference and the quotient have a rounding each, which squaring makes
/// four. The square and the sums have three. The root halves these seven. The root itself, the
/// product with the largest gap, the product with the factor, and those of higher order have one
/// each.
pub(crate) const BOX_DISTANCE_ROUNDINGS: f64 = (4.0 + 3.0) / 2.0 + 2.0 + 2.0;

/// The computed length of such gaps times this factor is no more than the exact length.
const BOX_DISTANCE_FACTOR: f64 = 1.0 - 8.0 * UNIT_ROUNDOFF;
const _: () = assert!(BOX_DISTANCE_ROUNDINGS <= 8.0);

/// The length of a vector of gaps ≥ 0, each a difference of two doubles, rounded down. There is no
/// over- or underflow on the way.
pub(crate) fn gaps_length_rounded_down(gaps: [f64; 3]) -> f64 {
    let largest = gaps[0].max(gaps[1]).max(gaps[2]).min(f64::MAX);
    if largest < f64::MIN_POSITIVE {
        // The length is no less than the largest gap, which is exact here.
        return largest;
    }
    let [x, y, z] = gaps.map(|gap| gap.min(f64::MAX) / largest);
    let length = largest * (x * x + y * y + z * z).sqrt();
    (length.min(f64::MAX) * BOX_DISTANCE_FACTOR).max(0.0)
}

/// A Euclidean length times this factor, rounded down, is no more than the length in the maximum
/// norm: it is no more than 1/√3 = 0.577 350 269 189 625 76…
pub(crate) const MAXIMUM_NORM_FACTOR: f64 = 0.577_350_269_189_625;

/// Roundings per degree of evaluating a point of a patch. A tensor-product patch has 3: the factor
/// 1 − x, a product and a sum. A triangular one has 5: the third coordinate, which has two
/// roundings of 1, a product and two sums.
pub(crate) const EVALUATION_ROUNDINGS_PER_DEGREE: usize = 5;

/// Other roundings of evaluating a point: the product of two bases, the products with weight,
/// coordinate and time, the quotient of a rational patch and the sum p + s v have one each, and two
/// are for the sums over control points. These sums could have as many roundings as there are
/// points, but each is relative to the part that is summed up so far, and they have either sign.
pub(crate) const EVALUATION_ROUNDINGS: usize = 8;

/// The error that is assumed of an evaluated point of a patch of degrees n and m, relative to the
/// largest coordinate. It decides when a contact or closest points are accurate enough, and how far
/// above the least distance so far pairs of a mesh are still looked at. No lower bound rests on it.
pub(crate) const fn evaluation_error([n, m]: [usize; 2]) -> f64 {
    (EVALUATION_ROUNDINGS_PER_DEGREE * (n + m) + EVALUATION_ROUNDINGS) as f64 * UNIT_ROUNDOFF
}

/// Roundings of a coordinate a b − c d of the cross product of two vectors that were divided by
/// their largest coordinates. Each of the two products, up to 1, has a rounding of both factors and
/// its own; their difference, up to 2, has one, which counts twice.
pub(crate) const CROSS_ROUNDINGS: f64 = 2.0 * 3.0 + 2.0;

/// A computed coordinate of such a cross product that is larger than this is not 0.
pub(crate) const CROSS_ERROR: f64 = CROSS_ROUNDINGS * UNIT_ROUNDOFF;
