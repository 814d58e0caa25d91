//! One element: sixteen vectors, sixteen Gauss points.

use nalgebra::{Matrix3, Vector3};

use super::KINDS;
use super::density::{Derivatives, Fundamental, Material, Part, Symmetric, quadratic, respond};
use super::hermite::{GAUSS, weights_at};

/// Membrane strain and change of curvature at a Gauss point.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Strain {
    pub(super) membrane: Symmetric,
    pub(super) bending: Symmetric,
}

/// Strains at the start of a step and, for each strain, the viscous time over the step: the strain
/// counts once more, times that, less what it was.
#[derive(Clone, Copy, Debug)]
pub(super) struct Viscous<'a> {
    pub(super) before: &'a [Strain],
    pub(super) factor: f64,
}

/// A Gauss point.
#[derive(Clone, Debug)]
struct Point {
    /// The shape functions, and their derivatives in coordinates that are orthonormal at rest.
    value: [f64; 16],
    derivatives: [[f64; 5]; 16],
    /// Area at rest.
    area: f64,
    /// Curvature at rest.
    curvature: Symmetric,
}

/// The second derivative of an element's energy, in blocks of 3.
pub(super) type Block = [[Matrix3<f64>; 16]; 16];

#[derive(Clone, Debug)]
pub(super) struct Element {
    pub(super) nodes: [usize; 4],
    points: Vec<Point>,
}

/// Gauss points of an element.
pub(super) const POINTS: usize = GAUSS.len() * GAUSS.len();

impl Element {
    /// An element of these widths that is without stress in this shape.
    pub(super) fn new(nodes: [usize; 4], widths: [f64; 2], rest: &[Vector3<f64>]) -> Self {
        let corners = gather(nodes, rest);
        let points = GAUSS
            .iter()
            .flat_map(|&(u, wu)| GAUSS.iter().map(move |&(v, wv)| ((u, v), wu * wv)));
        let points = points
            .map(|(place, weight)| {
                let weights = weights_at(widths, place);
                let x = differentiate(&weights.derivatives, &corners);
                // Orthonormal coordinates: the first along x_u. Second derivatives change as a
                // tensor does, since what is left out is tangential, and the curvature takes only
                // what is normal.
                let length = x[0].norm();
                let first = x[0] / length;
                let along = first.dot(&x[1]);
                let second = (x[1] - first * along).norm();
                let (a, b, d) = (1.0 / length, -along / (length * second), 1.0 / second);
                let derivatives = weights.derivatives.map(|[u, v, uu, vv, uv]| {
                    [
                        a * u,
                        b * u + d * v,
                        a * a * uu,
                        b * b * uu + 2.0 * b * d * uv + d * d * vv,
                        a * (b * uu + d * uv),
                    ]
                });
                let at_rest = Fundamental::new(&differentiate(&derivatives, &corners));
                Point {
                    value: weights.value,
                    derivatives,
                    area: weight * widths[0] * widths[1] * length * second,
                    curvature: at_rest.curvature,
                }
            })
            .collect();
        Self { nodes, points }
    }

    pub(super) fn strains(&self, q: &[Vector3<f64>]) -> impl Iterator<Item = Strain> {
        let corners = gather(self.nodes, q);
        self.points.iter().map(move |point| {
            let x = differentiate(&point.derivatives, &corners);
            point.strain(&Fundamental::new(&x))
        })
    }

    /// Elastic energy and, if there are any, the viscous potential.
    pub(super) fn energy(
        &self,
        q: &[Vector3<f64>],
        material: &Material,
        viscous: Option<Viscous<'_>>,
    ) -> f64 {
        let density = |point: &Point, strain: &Strain| {
            let membrane = quadratic(material.poisson, &strain.membrane);
            let bending = quadratic(material.poisson, &strain.bending);
            point.area * (material.membrane() * membrane + material.bending() * bending)
        };
        let strains = self.points.iter().zip(self.strains(q)).enumerate();
        strains
            .map(|(k, (point, strain))| {
                let elastic = density(point, &strain);
                let change = viscous.map_or(0.0, |viscous| {
                    let change = strain.minus(&viscous.before[k]);
                    viscous.factor * density(point, &change)
                });
                elastic + change
            })
            .sum()
    }

    /// First and second derivatives of [`Element::energy`]; of the second the blocks (a, b) with b
    /// ≤ a.
    pub(super) fn derivatives(
        &self,
        q: &[Vector3<f64>],
        material: &Material,
        viscous: Viscous<'_>,
        part: Part,
    ) -> ([Vector3<f64>; 16], Box<Block>) {
        let corners = gather(self.nodes, q);
        let mut gradient = [Vector3::zeros(); 16];
        let mut block = Box::new([[Matrix3::zeros(); 16]; 16]);
        let factor = 1.0 + viscous.factor;
        for (k, point) in self.points.iter().enumerate() {
            let x = differentiate(&point.derivatives, &corners);
            let fundamental = Fundamental::new(&x);
            let strain = point.strain(&fundamental);
            let strain = strain.with_rate(&viscous.before[k], viscous.factor);
            let [membrane, bending] =
                [material.membrane(), material.bending()].map(|f| (f, f * factor));
            let response = respond(
                &x,
                &fundamental,
                material.poisson,
                [membrane, bending],
                [&strain.membrane, &strain.bending],
                part,
            );
            for (sum, by) in gradient.iter_mut().zip(&point.derivatives) {
                for (factor, part) in by.iter().zip(&response.gradient) {
                    *sum += part * (factor * point.area);
                }
            }
            for (a, by_a) in point.derivatives.iter().enumerate() {
                let row: [Matrix3<f64>; 5] = std::array::from_fn(|q| {
                    let mut sum = Matrix3::zeros();
                    for (p, factor) in by_a.iter().enumerate() {
                        sum += response.hessian[p][q] * (factor * point.area);
                    }
                    sum
                });
                for (b, by_b) in point.derivatives.iter().enumerate().take(a + 1) {
                    let sum = &mut block[a][b];
                    for (factor, part) in by_b.iter().zip(&row) {
                        *sum += part * *factor;
                    }
                }
            }
        }
        (gradient, block)
    }

    /// ∫ φ_a φ_b over the area at rest.
    pub(super) fn products(&self) -> [[f64; 16]; 16] {
        let mut products = [[0.0; 16]; 16];
        for point in &self.points {
            for (a, row) in products.iter_mut().enumerate() {
                for (b, sum) in row.iter_mut().enumerate() {
                    *sum += point.area * point.value[a] * point.value[b];
                }
            }
        }
        products
    }

    /// ∫ φ_a over the area at rest.
    pub(super) fn integrals(&self) -> [f64; 16] {
        let mut integrals = [0.0; 16];
        for point in &self.points {
            for (sum, value) in integrals.iter_mut().zip(&point.value) {
                *sum += point.area * value;
            }
        }
        integrals
    }
}

impl Point {
    fn strain(&self, at: &Fundamental) -> Strain {
        let [xx, yy, xy] = at.metric;
        Strain {
            membrane: [0.5 * (xx - 1.0), 0.5 * (yy - 1.0), 0.5 * xy],
            bending: std::array::from_fn(|k| at.curvature[k] - self.curvature[k]),
        }
    }
}

impl Strain {
    fn minus(&self, other: &Self) -> Self {
        self.combine(other, |now, before| now - before)
    }

    /// With the viscous part: once more, times a factor, the change.
    fn with_rate(&self, before: &Self, factor: f64) -> Self {
        self.combine(before, |now, before| now + factor * (now - before))
    }

    fn combine(&self, other: &Self, f: impl Fn(f64, f64) -> f64) -> Self {
        Self {
            membrane: std::array::from_fn(|k| f(self.membrane[k], other.membrane[k])),
            bending: std::array::from_fn(|k| f(self.bending[k], other.bending[k])),
        }
    }
}

/// The sixteen vectors of an element.
pub(super) fn gather(nodes: [usize; 4], q: &[Vector3<f64>]) -> [Vector3<f64>; 16] {
    std::array::from_fn(|i| q[nodes[i / KINDS] * KINDS + i % KINDS])
}

fn differentiate(by: &[[f64; 5]; 16], corners: &[Vector3<f64>; 16]) -> Derivatives {
    let mut x = [Vector3::zeros(); 5];
    for (factors, corner) in by.iter().zip(corners) {
        for (sum, factor) in x.iter_mut().zip(factors) {
            *sum += corner * *factor;
        }
    }
    x
}
