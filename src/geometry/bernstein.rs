//! Bernstein polynomials: values and derivatives of the basis.

use smallvec::SmallVec;

/// Values of basis functions, stored inline up to degree 15.
pub(crate) type Basis = SmallVec<[f64; 16]>;

/// The `n + 1` Bernstein polynomials of degree `n` at `x` in [0, 1].
///
/// They are built degree by degree, each step a convex combination. So the values are accurate to a
/// few roundings and sum to one (Farin, *Curves and Surfaces for CAGD*, section 5.1).
pub(crate) fn bernstein(n: usize, x: f64) -> Basis {
    let mut basis = Basis::with_capacity(n + 1);
    basis.push(1.0);
    for _ in 0..n {
        let mut carried = 0.0;
        for value in &mut basis {
            let stays = *value * (1.0 - x);
            let moves = *value * x;
            *value = carried + stays;
            carried = moves;
        }
        basis.push(carried);
    }
    basis
}

/// The derivatives of the `n + 1` Bernstein polynomials of degree `n` at `x`.
pub(crate) fn bernstein_derivatives(n: usize, x: f64) -> Basis {
    if n == 0 {
        return Basis::from_slice(&[0.0]);
    }
    let lower = bernstein(n - 1, x);
    (0..=n)
        .map(|i| {
            let left = if i > 0 { lower[i - 1] } else { 0.0 };
            let right = if i < n { lower[i] } else { 0.0 };
            n as f64 * (left - right)
        })
        .collect()
}

/// The bivariate Bernstein polynomials of degree `n` at barycentric coordinates (u, v, 1 − u − v),
/// with u fastest: exponents (0, 0, n), (1, 0, n − 1), …, (0, n, 0).
pub(crate) fn triangular_bernstein(n: usize, u: f64, v: f64) -> Basis {
    // They are also products B^n_j(v) · B^(n-j)_i(u / (u + w)). Building them degree by degree
    // instead needs no division and stays accurate at the corners.
    let w = 1.0 - u - v;
    let mut basis = Basis::from_slice(&[1.0]);
    for degree in 1..=n {
        let mut next: Basis = SmallVec::from_elem(0.0, (degree + 1) * (degree + 2) / 2);
        let mut source = 0;
        for j in 0..degree {
            for i in 0..degree - j {
                let value = basis[source];
                source += 1;
                next[triangular_index(degree, i, j)] += value * w;
                next[triangular_index(degree, i + 1, j)] += value * u;
                next[triangular_index(degree, i, j + 1)] += value * v;
            }
        }
        basis = next;
    }
    basis
}

/// Value, first and second derivative of a basis function.
pub(crate) type BernsteinJet = [f64; 3];

/// The `n + 1` Bernstein polynomials of degree `n` at `x`, each with its first two derivatives.
pub(crate) fn bernstein_jets(n: usize, x: f64, jets: &mut Vec<BernsteinJet>) {
    jets.clear();
    jets.resize(n + 1, [0.0; 3]);
    jets[0] = [1.0, 0.0, 0.0];
    // B_i of the next degree is (1 − x) B_i + x B_(i−1); the product rule gives its derivatives.
    for degree in 1..=n {
        let mut before: BernsteinJet = [0.0; 3];
        for jet in &mut jets[..=degree] {
            let here = *jet;
            *jet = [
                (1.0 - x) * here[0] + x * before[0],
                (1.0 - x) * here[1] + x * before[1] + (before[0] - here[0]),
                (1.0 - x) * here[2] + x * before[2] + 2.0 * (before[1] - here[1]),
            ];
            before = here;
        }
    }
}

/// How a derivative of a Bézier triangle is a difference of control points. The first number tells
/// which derivative: 0 to 5 for the value and those by u, v, uu, uv and vv. Each control point
/// follows with its offsets along u and v and its factor. The difference is multiplied by the basis
/// whose degree is lower by the derivative's order.
type DerivativeStencil = (usize, &'static [(usize, usize, f64)]);

const STENCILS: [&[DerivativeStencil]; 3] = [
    &[(0, &[(0, 0, 1.0)])],
    &[
        (1, &[(1, 0, 1.0), (0, 0, -1.0)]),
        (2, &[(0, 1, 1.0), (0, 0, -1.0)]),
    ],
    &[
        (3, &[(2, 0, 1.0), (1, 0, -2.0), (0, 0, 1.0)]),
        (4, &[(1, 1, 1.0), (1, 0, -1.0), (0, 1, -1.0), (0, 0, 1.0)]),
        (5, &[(0, 2, 1.0), (0, 1, -2.0), (0, 0, 1.0)]),
    ],
];

/// The bivariate Bernstein polynomials of degree `n` in the order of [`triangular_bernstein`], each
/// with its derivatives: value, by u, by v, by uu, by uv, by vv.
pub(crate) fn triangular_jets(n: usize, u: f64, v: f64, jets: &mut Vec<[f64; 6]>) {
    jets.clear();
    jets.resize((n + 1) * (n + 2) / 2, [0.0; 6]);
    let mut factor = 1.0;
    for (order, stencils) in STENCILS.iter().enumerate().take(n + 1) {
        let lower = triangular_bernstein(n - order, u, v);
        let mut source = lower.iter();
        for j in 0..=n - order {
            for (i, &value) in (0..=n - order - j).zip(&mut source) {
                for &(which, points) in *stencils {
                    for &(di, dj, by) in points {
                        jets[triangular_index(n, i + di, j + dj)][which] += factor * by * value;
                    }
                }
            }
        }
        factor *= (n - order) as f64;
    }
}

/// Position of the control point with exponents (i, j, n − i − j) in a triangular net of degree
/// `n`, whose index runs fastest along u.
#[inline]
pub(crate) fn triangular_index(n: usize, i: usize, j: usize) -> usize {
    // The rows j = 0, 1, … have n + 1, n, … points.
    j * (2 * n + 3 - j) / 2 + i
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_triangular_net_follow_each_other() {
        for n in 0..6 {
            let mut expected = 0;
            for j in 0..=n {
                for i in 0..=n - j {
                    assert_eq!(triangular_index(n, i, j), expected);
                    expected += 1;
                }
            }
        }
    }

    #[test]
    fn values_agree_with_binomials() {
        let (n, x) = (5, 0.3_f64);
        let binomials = [1.0, 5.0, 10.0, 10.0, 5.0, 1.0];
        for (i, value) in bernstein(n, x).iter().enumerate() {
            let exact = binomials[i] * x.powi(i as i32) * (1.0 - x).powi((n - i) as i32);
            assert!((value - exact).abs() < 1e-15);
        }
    }

    #[test]
    fn triangular_values_agree_with_trinomials() {
        let (u, v) = (0.2_f64, 0.5_f64);
        let w = 1.0 - u - v;
        let basis = triangular_bernstein(3, u, v);
        let exact = [
            w * w * w,
            3.0 * u * w * w,
            3.0 * u * u * w,
            u * u * u,
            3.0 * v * w * w,
            6.0 * u * v * w,
            3.0 * u * u * v,
            3.0 * v * v * w,
            3.0 * u * v * v,
            v * v * v,
        ];
        for (value, exact) in basis.iter().zip(exact) {
            assert!((value - exact).abs() < 1e-15);
        }
    }

    #[test]
    fn jets_agree_with_derivatives_and_their_differences() {
        let (x, h) = (0.3, 1e-5);
        let mut jets = Vec::new();
        for n in 0..6 {
            bernstein_jets(n, x, &mut jets);
            let (values, slopes) = (bernstein(n, x), bernstein_derivatives(n, x));
            let [low, high] = [x - h, x + h].map(|x| bernstein_derivatives(n, x));
            for (i, jet) in jets.iter().enumerate() {
                assert!((jet[0] - values[i]).abs() < 1e-15);
                assert!((jet[1] - slopes[i]).abs() < 1e-14);
                assert!(
                    (jet[2] - (high[i] - low[i]) / (2.0 * h)).abs() < 1e-8,
                    "{n} {i}"
                );
            }
        }
    }

    #[test]
    fn triangular_jets_agree_with_differences() {
        let (u, v, h) = (0.2, 0.5, 1e-4);
        let mut jets = Vec::new();
        for n in 0..6 {
            triangular_jets(n, u, v, &mut jets);
            let at = |i: f64, j: f64| triangular_bernstein(n, u + i * h, v + j * h);
            let (here, around) = (
                at(0.0, 0.0),
                [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)],
            );
            let [east, west, north, south] = around.map(|(i, j)| at(i, j));
            let corners = [(1.0, 1.0), (-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0)];
            let [one, two, three, four] = corners.map(|(i, j)| at(i, j));
            for (k, jet) in jets.iter().enumerate() {
                let expected = [
                    here[k],
                    (east[k] - west[k]) / (2.0 * h),
                    (north[k] - south[k]) / (2.0 * h),
                    (east[k] - 2.0 * here[k] + west[k]) / (h * h),
                    (one[k] + two[k] - three[k] - four[k]) / (4.0 * h * h),
                    (north[k] - 2.0 * here[k] + south[k]) / (h * h),
                ];
                for (found, expected) in jet.iter().zip(expected) {
                    assert!(
                        (found - expected).abs() < 1e-5,
                        "{n} {k}: {jet:?} {expected:?}"
                    );
                }
            }
        }
    }
}
