//! Heights of control points over a plane that the patch touches at a known place and never
//! crosses.

use kit::Random;
use patch_ccd::geometry::Shape;

use super::net::{Place, basis, exponents, multiplicity};

/// Heights, and how fast they rise: at a distance x in parameters the surface is at least `rise` ·
/// x² high. A rise of 0 says nothing.
pub(crate) struct Heights {
    pub(crate) values: Vec<i128>,
    pub(crate) rise: f64,
}

impl Heights {
    pub(crate) fn draw(random: &mut Random, shape: Shape, weights: &[i128], place: Place) -> Self {
        let curved = match shape {
            Shape::TensorProduct { n, m } => n >= 2 || m >= 2,
            Shape::Triangular { n } => n >= 2,
        };
        if curved && !random.chance(3) {
            bowl(random, shape, weights, place)
        } else {
            hull(random, shape, weights, place)
        }
    }
}

/// Rests by its control points: those that the place depends on lie in the plane, all others above
/// or in it. At a corner that is one point, at a side the whole side, in the interior all of the
/// patch.
fn hull(random: &mut Random, shape: Shape, weights: &[i128], place: Place) -> Heights {
    let basis = basis(shape, place);
    let low = if random.chance(4) { 0 } else { 1 };
    let height = |&function: &i128| match function {
        0 => random.integer(low, 255),
        _ => 0,
    };
    let values: Vec<_> = basis.iter().map(height).collect();
    let is_corner = basis.iter().filter(|&&function| function != 0).count() == 1;
    let above = values
        .iter()
        .zip(&basis)
        .filter(|(_, function)| **function == 0);
    let least = above.map(|(&z, _)| z).min().unwrap_or(0);
    // S_z ≥ (w_min / w_max) z_min (1 − B), and 1 − B ≥ max(x, y) ≥ (x² + y²) / 2 at the distances
    // x, y ≤ 1 from the corner. (From the corners (1, 0) and (0, 1) of a triangle, 1 − B ≥ 1 − u ≥
    // v.)
    let rise = if is_corner {
        0.5 * least as f64 * weight_ratio(weights)
    } else {
        0.0
    };
    Heights { values, rise }
}

/// w_min / w_max.
fn weight_ratio(weights: &[i128]) -> f64 {
    let (min, max) = (weights.iter().min(), weights.iter().max());
    *min.expect("a weight") as f64 / *max.expect("a weight") as f64
}

/// A polynomial as a sum of products of powers of (u, 1 − u, v, 1 − v), or of (u, v, 1 − u − v), of
/// one degree: the exponents of u and v, and the factor.
type Terms = Vec<((usize, usize), i128)>;

fn product(a: &Terms, b: &Terms) -> Terms {
    let pairs = a.iter().flat_map(|x| b.iter().map(move |y| (x, y)));
    pairs
        .map(|(((i, j), x), ((k, l), y))| ((i + k, j + l), x * y))
        .collect()
}

/// A polynomial of the degrees of `shape` whose Bernstein coefficients are 1 to 4.
fn positive(random: &mut Random, shape: Shape) -> Terms {
    let term = |e| (e, multiplicity(shape, e) * random.integer(1, 4));
    exponents(shape).into_iter().map(term).collect()
}

/// Rests as a bowl: control points lie below the plane too, only the surface does not.
///
/// The numerator of the rational height is (u − u₀)² g(u, v) + (v − v₀)² h(u, v) with g, h ≥ 1,
/// times 2^(2 bits) so that it has integer coefficients, and times what makes Bernstein
/// coefficients of them.
fn bowl(random: &mut Random, shape: Shape, weights: &[i128], place: Place) -> Heights {
    let Place { a, b, .. } = place;
    let whole = place.whole();
    let mut terms = Terms::new();
    let unique = match shape {
        Shape::TensorProduct { n, m } => {
            if n >= 2 {
                let u = vec![((0, 0), -a), ((1, 0), whole - a)];
                let factor = positive(random, Shape::TensorProduct { n: n - 2, m });
                terms.extend(product(&product(&u, &u), &factor));
            }
            if m >= 2 {
                let v = vec![((0, 0), -b), ((0, 1), whole - b)];
                let factor = positive(random, Shape::TensorProduct { n, m: m - 2 });
                terms.extend(product(&product(&v, &v), &factor));
            }
            n >= 2 && (m >= 2 || m == 0)
        }
        Shape::Triangular { n } => {
            let u = vec![((0, 0), -a), ((1, 0), whole - a), ((0, 1), -a)];
            let v = vec![((0, 0), -b), ((1, 0), -b), ((0, 1), whole - b)];
            for linear in [u, v] {
                let factor = positive(random, Shape::Triangular { n: n - 2 });
                terms.extend(product(&product(&linear, &linear), &factor));
            }
            true
        }
    };
    let exponents = exponents(shape);
    // Both divide what follows: all binomials of degrees up to 5, and all weights up to 6.
    let scale = if matches!(shape, Shape::TensorProduct { .. }) {
        3600
    } else {
        60
    } * 60;
    let height = |(&e, w): (&(usize, usize), &i128)| {
        let sum: i128 = terms.iter().filter(|(f, _)| *f == e).map(|(_, x)| x).sum();
        let divisor = multiplicity(shape, e) * w;
        assert!((sum * scale) % divisor == 0, "{e:?}: {divisor}");
        sum * scale / divisor
    };
    let values = exponents.iter().zip(weights).map(height).collect();
    let largest = *weights.iter().max().expect("a weight") as f64;
    let rise = if unique {
        (whole * whole * scale) as f64 / largest
    } else {
        0.0
    };
    Heights { values, rise }
}
