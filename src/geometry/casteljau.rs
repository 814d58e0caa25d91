//! Midpoint subdivision of control nets (de Casteljau's algorithm and blossoms).
//!
//! A net is a slice of rows `[f64; K]`: K = 3 for points, K = 6 for points that move (position and
//! velocity), one more for a weight. Every coordinate of a child is reached by averages of two numbers,
//! at most one per degree, so its rounding error is at most (degree × u) of the largest coordinate
//! (u = 2⁻⁵³); see [`crate::rounding`].

use super::bernstein::triangular_index;

#[inline]
fn average<const K: usize>(a: &[f64; K], b: &[f64; K]) -> [f64; K] {
    std::array::from_fn(|c| 0.5 * a[c] + 0.5 * b[c])
}

/// Splits each curve of a bundle at its midpoint.
///
/// `curves` curves of degree `n` lie interleaved in `net`: point `i` of curve `c` is
/// `net[i * step + c * stride]`. The left half goes to `left` and the right half replaces the curve in `net`.
fn split_curves<const K: usize>(
    n: usize,
    step: usize,
    (curves, stride): (usize, usize),
    net: &mut [[f64; K]],
    left: &mut [[f64; K]],
) {
    for c in 0..curves {
        let at = c * stride;
        left[at] = net[at];
        for round in 1..=n {
            for i in 0..=n - round {
                let (here, next) = (at + i * step, at + (i + 1) * step);
                net[here] = average(&net[here], &net[next]);
            }
            left[at + round * step] = net[at];
        }
    }
}

/// Splits a tensor-product net of degree (n, m), index i·(m+1)+j, at the midpoints of both parameters.
///
/// `children` receives the nets of (u, v) halves (low, low), (high, low), (low, high), (high, high), one after
/// the other; a direction of degree 0 is not split. Uses no other memory.
pub(crate) fn split_tensor<const K: usize>(
    n: usize,
    m: usize,
    net: &[[f64; K]],
    children: &mut [[f64; K]],
) {
    let count = (n + 1) * (m + 1);
    let columns = m + 1;
    children[..count].copy_from_slice(net);
    let mut pieces = 1;
    if n > 0 {
        let (low, high) = children.split_at_mut(count);
        high[..count].copy_from_slice(net);
        split_curves(n, columns, (columns, 1), &mut high[..count], low);
        pieces = 2;
    }
    if m > 0 {
        let (first, second) = children.split_at_mut(pieces * count);
        second[..pieces * count].copy_from_slice(first);
        for piece in 0..pieces {
            let range = piece * count..(piece + 1) * count;
            split_curves(
                m,
                1,
                (n + 1, columns),
                &mut second[range.clone()],
                &mut first[range],
            );
        }
    }
}

/// A corner of a triangle, or the midpoint of one of its edges: where a blossom's argument may lie.
#[derive(Clone, Copy)]
enum Place {
    W,
    U,
    V,
    Wu,
    Wv,
    Uv,
}

/// One step of the blossom, in place: a net of degree `n` becomes the net of degree `n − 1` with one argument set
/// to `place`. Every target lies at or before its sources, which come in increasing order.
#[inline]
fn blossom_step<const K: usize>(n: usize, place: Place, net: &mut [[f64; K]]) {
    for j in 0..n {
        let (row, row_above) = (triangular_index(n, 0, j), triangular_index(n, 0, j + 1));
        let target = triangular_index(n - 1, 0, j);
        for i in 0..n - j {
            let (w, u, v) = (net[row + i], net[row + i + 1], net[row_above + i]);
            net[target + i] = match place {
                Place::W => w,
                Place::U => u,
                Place::V => v,
                Place::Wu => average(&w, &u),
                Place::Wv => average(&w, &v),
                Place::Uv => average(&u, &v),
            };
        }
    }
}

/// Corners (w, u, v) of the four children of a triangle: one at each corner, and the middle one turned by 180°.
const TRIANGLE_CHILDREN: [[Place; 3]; 4] = [
    [Place::W, Place::Wu, Place::Wv],
    [Place::Wu, Place::U, Place::Uv],
    [Place::Wv, Place::Uv, Place::V],
    [Place::Uv, Place::Wv, Place::Wu],
];

/// Splits a triangular net of degree `n` (u fastest) at the midpoints of its edges into four.
///
/// Control point (i, j) of the child with corners (A, B, C) is the blossom f(A^(n−i−j), B^i, C^j).
/// `scratch` holds at least three nets of degree `n`.
pub(crate) fn split_triangle<const K: usize>(
    n: usize,
    net: &[[f64; K]],
    children: &mut [[f64; K]],
    scratch: &mut [[f64; K]],
) {
    let count = (n + 1) * (n + 2) / 2;
    let (by_c, rest) = scratch.split_at_mut(count);
    let (by_b, by_a) = rest.split_at_mut(count);
    let size = |degree: usize| (degree + 1) * (degree + 2) / 2;
    for (child, [a, b, c]) in children.chunks_exact_mut(count).zip(TRIANGLE_CHILDREN) {
        by_c.copy_from_slice(net);
        for j in 0..=n {
            by_b[..size(n - j)].copy_from_slice(&by_c[..size(n - j)]);
            for i in 0..=n - j {
                let left = n - j - i;
                by_a[..size(left)].copy_from_slice(&by_b[..size(left)]);
                for degree in (1..=left).rev() {
                    blossom_step(degree, a, by_a);
                }
                child[triangular_index(n, i, j)] = by_a[0];
                if left > 0 {
                    blossom_step(left, b, by_b);
                }
            }
            if j < n {
                blossom_step(n - j, c, by_c);
            }
        }
    }
}
