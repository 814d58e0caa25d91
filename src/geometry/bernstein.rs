//! Bernstein polynomials: values and derivatives of the basis.

use smallvec::SmallVec;

/// A row of basis values, inline up to degree 15.
pub(crate) type Basis = SmallVec<[f64; 16]>;

/// The `n + 1` Bernstein polynomials of degree `n` at `x` in [0, 1].
///
/// Built degree by degree (every step a convex combination), so the values are accurate to a few
/// roundings and sum to one (Farin, *Curves and Surfaces for CAGD*, section 5.1).
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

/// The bivariate Bernstein polynomials of degree `n` at barycentric (u, v, 1 − u − v), u fastest:
/// exponents (0, 0, n), (1, 0, n − 1), …, (0, n, 0).
pub(crate) fn triangular_bernstein(n: usize, u: f64, v: f64) -> Basis {
    // B^n_ijk(u, v, w) = B^n_j(v) · B^(n-j)_i(u / (u + w)) · …: built degree by degree instead, which
    // needs no division and stays accurate at the corners.
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

/// Position of the control point with exponents (i, j, n − i − j) in a triangular net of degree `n`,
/// u fastest.
#[inline]
pub(crate) fn triangular_index(n: usize, i: usize, j: usize) -> usize {
    // Rows j = 0, 1, … hold n + 1, n, … points.
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
}
