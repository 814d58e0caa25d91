//! Control nets of integers, and dyadic parameters at which they are evaluated without rounding.

use kit::Random;
use patch_ccd::geometry::Shape;

pub(crate) type Vector = [i128; 3];

/// The parameters (a, b) / 2^bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) bits: u32,
    pub(crate) a: i128,
    pub(crate) b: i128,
}

impl Place {
    /// A corner, a point on a side or one in the interior of the domain.
    pub(crate) fn draw(random: &mut Random, shape: Shape) -> Self {
        // Triangles have no interior points with one bit.
        let bits = 2 + random.below(2) as u32;
        let whole = 1 << bits;
        let where_to = random.below(3);
        let inner = random.integer(1, whole - 1);
        let end = random.pick(&[0, whole]);
        let (a, b) = match (shape, where_to) {
            (Shape::TensorProduct { .. }, 0) => (end, random.pick(&[0, whole])),
            (Shape::TensorProduct { m: 0, .. }, _) => (inner, 0),
            (Shape::TensorProduct { .. }, 1) if random.chance(2) => (inner, end),
            (Shape::TensorProduct { .. }, 1) => (end, inner),
            (Shape::TensorProduct { .. }, _) => (inner, random.integer(1, whole - 1)),
            (Shape::Triangular { .. }, 0) => random.pick(&[(0, 0), (whole, 0), (0, whole)]),
            (Shape::Triangular { .. }, 1) => {
                random.pick(&[(inner, 0), (0, inner), (inner, whole - inner)])
            }
            (Shape::Triangular { .. }, _) => {
                let a = random.integer(1, whole - 2);
                (a, random.integer(1, whole - 1 - a))
            }
        };
        Self { bits, a, b }
    }

    pub(crate) fn whole(self) -> i128 {
        1 << self.bits
    }

    pub(crate) fn parameters(self) -> (f64, f64) {
        let whole = self.whole() as f64;
        (self.a as f64 / whole, self.b as f64 / whole)
    }
}

/// The exponents of u and v in the basis functions, in the order of the control points.
pub(crate) fn exponents(shape: Shape) -> Vec<(usize, usize)> {
    match shape {
        Shape::TensorProduct { n, m } => {
            (0..=n).flat_map(|i| (0..=m).map(move |j| (i, j))).collect()
        }
        Shape::Triangular { n } => (0..=n)
            .flat_map(|j| (0..=n - j).map(move |i| (i, j)))
            .collect(),
    }
}

fn factorial(n: usize) -> i128 {
    (1..=n as i128).product()
}

fn binomial(n: usize, k: usize) -> i128 {
    factorial(n) / (factorial(k) * factorial(n - k))
}

/// The factor of a basis function: binomials or a trinomial.
pub(crate) fn multiplicity(shape: Shape, (i, j): (usize, usize)) -> i128 {
    match shape {
        Shape::TensorProduct { n, m } => binomial(n, i) * binomial(m, j),
        Shape::Triangular { n } => binomial(n, i) * binomial(n - i, j),
    }
}

/// The basis functions at a place, all times the same power of two.
pub(crate) fn basis(shape: Shape, place: Place) -> Vec<i128> {
    let Place { a, b, .. } = place;
    let whole = place.whole();
    let value = |(i, j): (usize, usize)| {
        let powers = a.pow(i as u32) * b.pow(j as u32);
        let rest = match shape {
            Shape::TensorProduct { n, m } => {
                (whole - a).pow((n - i) as u32) * (whole - b).pow((m - j) as u32)
            }
            Shape::Triangular { n } => (whole - a - b).pow((n - i - j) as u32),
        };
        multiplicity(shape, (i, j)) * powers * rest
    };
    exponents(shape).into_iter().map(value).collect()
}

/// The basis times the weights.
pub(crate) fn weighted_basis(shape: Shape, weights: &[i128], place: Place) -> Vec<i128> {
    let basis = basis(shape, place).into_iter();
    basis.zip(weights).map(|(value, w)| value * w).collect()
}

/// Moves the patch so that its point at `place` is exactly 0, in a unit so much smaller that this
/// takes integers only.
///
/// With W = Σ wⱼ Bⱼ and s = Σ wⱼ Bⱼ rⱼ the points W rᵢ − s do it, since Σ wᵢ Bᵢ (W rᵢ − s) = W s −
/// W s.
pub(crate) fn through_zero(shape: Shape, weights: &[i128], place: Place, r: &[i128]) -> Vec<i128> {
    let functions = weighted_basis(shape, weights, place);
    let sum: i128 = functions.iter().sum();
    let point: i128 = functions.iter().zip(r).map(|(f, r)| f * r).sum();
    r.iter().map(|r| sum * r - point).collect()
}

/// Shifts the numbers so that the largest has `bits` bits; they must have fewer.
pub(crate) fn normalised(numbers: &[i128], bits: u32) -> Vec<i128> {
    let shift = shift_to(numbers, bits);
    numbers.iter().map(|x| x << shift).collect()
}

/// By how much [`normalised`] shifts.
pub(crate) fn shift_to(numbers: &[i128], bits: u32) -> u32 {
    let largest = numbers.iter().map(|x| x.unsigned_abs()).max().unwrap_or(0);
    let length = 128 - largest.leading_zeros();
    assert!(length <= bits, "{length} bits");
    if largest == 0 { 0 } else { bits - length }
}
