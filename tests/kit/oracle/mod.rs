//! The exact answer to a linear query, in exact arithmetic: whether two simplices whose points go
//! along straight lines meet, and when first.
//!
//! # How it decides
//!
//! *Integers.* Every double is a rational number. In units of 1 over their common denominator the
//! points and displacements of a query are vectors of integers, and whatever is computed from them
//! is a polynomial in t with integer coefficients. (With rational ones it would be the same, but a
//! hundred times as slow where numbers are long.) The motion is start + t (end − start), without
//! any rounding.
//!
//! *One question.* Points of the first simplex minus points of the second: they meet if and only if
//! the origin is in the convex hull of the differences. For a vertex and a face these hulls are
//! triangles, the face seen from the vertex. For two edges they are parallelograms a₀−b₀, a₀−b₁,
//! a₁−b₁, a₁−b₀, and two triangles make one. A vertex and an edge, or two vertices, make triangles
//! with equal corners. So the only question is: when is the origin first in a triangle with corners
//! d₀, d₁, d₂ that move, any of which may coincide or lie on one line?
//!
//! *At one time.* The origin is in the triangle if and only if
//! - it is on a side: dᵢ × dⱼ = 0 and dᵢ · dⱼ ≤ 0. Or
//! - it is inside: det(d₀, d₁, d₂) = 0, and the normals n₂ = d₀ × d₁, n₀ = d₁ × d₂, n₁ = d₂ × d₀
//!   point the same way, that is n₀ · n₁ > 0 and n₁ · n₂ > 0. (In the plane of the triangle,
//!   n₀ d₀ + n₁ d₁ + n₂ d₂ = 0: the normals' lengths are barycentric coordinates of the origin, up
//!   to a factor.)
//!
//! By Carathéodory's theorem nothing is missing: an origin in the hull is a convex combination of
//! affinely independent corners with positive weights. Of one or two of them it is on a side; of
//! three it is inside.
//!
//! *In time.* All of these are signs of polynomials in t, and the set of times of contact is
//! closed. So the first contact is at 0, or at a time at which one of the signs changes:
//! - At a contact the determinant is 0. If it is not identically 0, contacts can only be at its
//!   (three) roots.
//! - If it is, the signs that matter are those of the components of dᵢ × dⱼ and of dᵢ · dⱼ.
//!   (Of nᵢ · nⱼ too, but the normals are parallel now, so where it changes sign one of them is 0.)
//!   Between two neighbouring roots of all those that are not identically 0, contact is everywhere
//!   or nowhere; and if it is everywhere then at the roots around as well. So it is enough to look
//!   at 0 and at the roots.
//!
//! The roots are isolated, and signs at them decided, exactly: see [`Root`]. The first root at
//! which the origin is in a triangle is the answer.

mod distance;
mod polynomial;
mod root;
mod triangle;

use std::array::from_fn;

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use patch_ccd::Step;

use crate::exact;
pub use distance::squared_distance;
use polynomial::Polynomial;
pub use root::Root;
use triangle::{Triangle, Vector};

/// A linear query, taken in exactly.
///
/// ```
/// use kit::oracle::Oracle;
/// use nalgebra::point;
/// // 1 apart, and 3 nearer at the end of the step.
/// let rest = point![0.0, 0.0, 0.0];
/// let step = [[point![0.0, 0.0, 1.0], rest], [point![0.0, 0.0, -2.0], rest]];
/// let mut first = Oracle::vertex_vertex(&step).first_contact().expect("a contact");
/// let [lower, upper] = first.bracket();
/// assert!(lower < 1.0 / 3.0 + f64::EPSILON && upper > 1.0 / 3.0 - f64::EPSILON);
/// ```
#[derive(Clone, Debug)]
pub struct Oracle {
    /// The simplices meet if the origin is in one of these.
    triangles: Vec<Triangle>,
    /// A length of 1 in units of the triangles.
    one: RBig,
}

impl Oracle {
    /// Points in the order of [`patch_ccd::edge_edge`].
    pub fn edge_edge(step: &Step<4>) -> Self {
        let ([a0, a1, b0, b1], one) = motions(step);
        let corners = [(&a0, &b0), (&a0, &b1), (&a1, &b1), (&a1, &b0)];
        let [d0, d1, d2, d3] = corners.map(|(a, b)| a.minus(b));
        let triangles = [[d0.clone(), d1, d2.clone()], [d0, d2, d3]];
        Self {
            triangles: triangles.map(Triangle::new).into(),
            one,
        }
    }

    /// Points in the order of [`patch_ccd::vertex_face`].
    pub fn vertex_face(step: &Step<4>) -> Self {
        let ([v, f0, f1, f2], one) = motions(step);
        let triangle = [f0, f1, f2].map(|f| f.minus(&v));
        Self {
            triangles: vec![Triangle::new(triangle)],
            one,
        }
    }

    /// Points in the order of [`patch_ccd::vertex_edge`].
    pub fn vertex_edge(step: &Step<3>) -> Self {
        Self::vertex_face(&step.map(|[v, a, b]| [v, a, b, b]))
    }

    /// Points in the order of [`patch_ccd::vertex_vertex`].
    pub fn vertex_vertex(step: &Step<2>) -> Self {
        Self::vertex_face(&step.map(|[v, a]| [v, a, a, a]))
    }

    /// The first time of contact in [0, 1].
    pub fn first_contact(&self) -> Option<Root> {
        let changes = self.changes();
        let times = changes.iter().flat_map(Root::all);
        let contacts = times.filter(|time| {
            let mut time = time.clone();
            let mut triangles = self.triangles.iter();
            triangles.any(|triangle| triangle.holds_origin(&mut time))
        });
        contacts.reduce(Root::earlier)
    }

    /// Polynomials at whose roots in [0, 1] contact can begin. All roots are simple.
    fn changes(&self) -> Vec<Polynomial> {
        // The two triangles of a parallelogram have the same determinant.
        let determinant = self.triangles[0].determinant();
        if !determinant.is_zero() {
            return vec![determinant.square_free()];
        }
        let mut changes = vec![Polynomial::new(vec![IBig::ZERO, IBig::ONE])];
        let signs = self.triangles.iter().flat_map(Triangle::side_predicates);
        for polynomial in signs.filter(|polynomial| !polynomial.is_zero()) {
            let polynomial = polynomial.square_free();
            if !changes.contains(&polynomial) {
                changes.push(polynomial);
            }
        }
        changes
    }

    /// Whether the simplices are at this Euclidean distance or closer at t = 0.
    pub fn starts_within(&self, distance: f64) -> bool {
        self.squared_distance_at_start() <= exact(distance).sqr()
    }

    /// The square of the distance of the simplices at t = 0.
    pub fn squared_distance_at_start(&self) -> RBig {
        let triangles = self.triangles.iter();
        let least = triangles.map(Triangle::squared_distance_at_start).min();
        least.expect("a triangle") / self.one.sqr()
    }
}

/// The points as functions of time, and a length of 1 in their unit: they are integers in it, as
/// short as can be with a power of two.
fn motions<const N: usize>([start, end]: &Step<N>) -> ([Vector; N], RBig) {
    let coordinates = start.iter().chain(end).flat_map(|point| point.iter());
    let numbers: Vec<RBig> = coordinates.map(|&x| exact(x)).collect();
    // The denominators are powers of two.
    let denominator = numbers.iter().map(RBig::denominator).max();
    let denominator = denominator.cloned().unwrap_or(UBig::ONE);
    let integer = |x: &RBig| (x * &denominator).into_parts().0;
    let integers: Vec<IBig> = numbers.iter().map(integer).collect();
    let zeros = integers.iter().filter_map(IBig::trailing_zeros).min();
    let zeros = zeros.unwrap_or(0);
    let vector = |i: usize| {
        Vector(from_fn(|c| {
            let [from, to] = [i, N + i].map(|point| &integers[3 * point + c] >> zeros);
            let displacement = to - &from;
            Polynomial::new(vec![from, displacement])
        }))
    };
    let one = RBig::from_parts(denominator.into(), UBig::ONE << zeros);
    (from_fn(vector), one)
}
