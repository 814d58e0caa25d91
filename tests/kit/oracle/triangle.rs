//! Triangles with moving corners, and the origin.

use std::array::from_fn;

use dashu_ratio::RBig;

use super::polynomial::Polynomial;
use super::root::Root;

/// x, y, z as functions of time.
#[derive(Clone, Debug)]
pub(super) struct Vector(pub(super) [Polynomial; 3]);

impl Vector {
    pub(super) fn minus(&self, other: &Self) -> Self {
        Self(from_fn(|c| &self.0[c] - &other.0[c]))
    }

    fn dot(&self, other: &Self) -> Polynomial {
        let [x, y, z] = from_fn(|c| &self.0[c] * &other.0[c]);
        &(&x + &y) + &z
    }

    fn cross(&self, other: &Self) -> Self {
        Self(from_fn(|c| {
            let (i, j) = ((c + 1) % 3, (c + 2) % 3);
            &(&self.0[i] * &other.0[j]) - &(&self.0[j] * &other.0[i])
        }))
    }

    /// Where it is at t = 0, for good.
    fn at_start(&self) -> Self {
        Self(from_fn(|c| Polynomial::new(vec![self.0[c].at_zero()])))
    }
}

/// A triangle, with all that is asked about it. Side k is the one opposite of corner k.
#[derive(Clone, Debug)]
pub(super) struct Triangle {
    corners: [Vector; 3],
    /// The cross product of the two corners of each side.
    normals: [Vector; 3],
    /// Their scalar product.
    dots: [Polynomial; 3],
}

impl Triangle {
    pub(super) fn new(corners: [Vector; 3]) -> Self {
        let side = |k: usize| (&corners[(k + 1) % 3], &corners[(k + 2) % 3]);
        Self {
            normals: from_fn(|k| side(k).0.cross(side(k).1)),
            dots: from_fn(|k| side(k).0.dot(side(k).1)),
            corners,
        }
    }

    /// Six times the volume that the triangle spans with the origin.
    pub(super) fn determinant(&self) -> Polynomial {
        self.corners[0].dot(&self.normals[0])
    }

    /// What decides whether the origin is on a side, apart from the determinant.
    pub(super) fn side_predicates(&self) -> impl Iterator<Item = &Polynomial> {
        let normals = self.normals.iter().flat_map(|normal| &normal.0);
        normals.chain(&self.dots)
    }

    /// Whether the origin is in the triangle at a time at which the determinant is 0.
    pub(super) fn holds_origin(&self, time: &mut Root) -> bool {
        let [n0, n1, n2] = &self.normals;
        let inside = time.sign(&n0.dot(n1)).is_gt() && time.sign(&n1.dot(n2)).is_gt();
        inside
            || self.normals.iter().zip(&self.dots).any(|(normal, dot)| {
                normal.0.iter().all(|n| time.sign(n).is_eq()) && time.sign(dot).is_le()
            })
    }

    /// The square of the distance of the origin at t = 0.
    pub(super) fn squared_distance_at_start(&self) -> RBig {
        let Self {
            corners, normals, ..
        } = Self::new(from_fn(|k| self.corners[k].at_start()));
        let value = |a: &Vector, b: &Vector| RBig::from(a.dot(b).at_zero());
        let normal = corners[1]
            .minus(&corners[0])
            .cross(&corners[2].minus(&corners[0]));
        let area = value(&normal, &normal);
        // The foot of the perpendicular on the plane has barycentric coordinates in proportion to
        // these.
        let mut weights = normals.iter().map(|n| value(n, &normal));
        if area > RBig::ZERO && weights.all(|weight| weight >= RBig::ZERO) {
            return value(&normal, &corners[0]).sqr() / area;
        }
        let to_side = |k: usize| {
            let (p, q) = (&corners[(k + 1) % 3], &corners[(k + 2) % 3]);
            let side = q.minus(p);
            let (along, length) = (-value(p, &side), value(&side, &side));
            if along <= RBig::ZERO {
                value(p, p)
            } else if along >= length {
                value(q, q)
            } else {
                value(&normals[k], &normals[k]) / length
            }
        };
        let sides = [0, 1, 2].map(to_side).into_iter();
        sides.min().expect("three sides")
    }
}
