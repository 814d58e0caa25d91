//! Graphs z = F(x, y) over plane maps that may fold, collapse or stand still: whatever the map
//! does, where it keeps its orientation the normal is that of the graph.

use std::collections::BTreeMap;

use kit::Random;
use nalgebra::{Point3, Vector3, vector};
use patch_ccd::geometry::{AnyPatch, Shape};

/// A polynomial in u and v, by the exponents of its monomials.
#[derive(Clone, Debug, Default)]
pub(super) struct Polynomial(BTreeMap<(usize, usize), f64>);

impl Polynomial {
    pub(super) fn new(terms: &[((usize, usize), f64)]) -> Self {
        Self(terms.iter().copied().collect())
    }

    pub(super) fn constant(value: f64) -> Self {
        Self::new(&[((0, 0), value)])
    }

    pub(super) fn u() -> Self {
        Self::new(&[((1, 0), 1.0)])
    }

    pub(super) fn v() -> Self {
        Self::new(&[((0, 1), 1.0)])
    }

    pub(super) fn plus(&self, factor: f64, other: &Self) -> Self {
        let mut sum = self.clone();
        for (&exponents, term) in &other.0 {
            *sum.0.entry(exponents).or_default() += factor * term;
        }
        sum
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        let mut product = Self::default();
        for (&(i, j), a) in &self.0 {
            for (&(k, l), b) in &other.0 {
                *product.0.entry((i + k, j + l)).or_default() += a * b;
            }
        }
        product
    }

    pub(super) fn power(&self, exponent: usize) -> Self {
        (0..exponent).fold(Self::constant(1.0), |power, _| power.times(self))
    }

    fn at(&self, u: f64, v: f64) -> f64 {
        let terms = self.0.iter();
        terms
            .map(|(&(i, j), term)| term * u.powi(i as i32) * v.powi(j as i32))
            .sum()
    }

    /// The least degrees of a tensor-product net, or the least degree of a triangular one.
    fn shape(&self, triangular: bool) -> Shape {
        let most = |of: fn(&(usize, usize)) -> usize| self.0.keys().map(of).max().unwrap_or(0);
        if triangular {
            let n = most(|&(i, j)| i + j).max(1);
            return Shape::Triangular { n };
        }
        let (n, m) = (most(|&(i, _)| i).max(1), most(|&(_, j)| j).max(1));
        Shape::TensorProduct { n, m }
    }

    /// The Bézier coefficients, in the order of a shape. Of u^a they are the products of a of the
    /// n arguments of the blossom, i of which are 1 and the others 0, on average over all choices.
    fn bezier(&self, shape: Shape) -> Vec<f64> {
        let choose = |n: usize, k: usize| -> f64 {
            (0..k)
                .map(|i| (n as f64 - i as f64) / (i + 1) as f64)
                .product()
        };
        let falling = |n: usize, k: usize| -> f64 { (0..k).map(|i| n as f64 - i as f64).product() };
        let sum = |term: &dyn Fn(usize, usize) -> f64| -> f64 {
            self.0
                .iter()
                .map(|(&(a, b), factor)| factor * term(a, b))
                .sum()
        };
        match shape {
            Shape::TensorProduct { n, m } => (0..=n)
                .flat_map(|i| (0..=m).map(move |j| (i, j)))
                .map(|(i, j)| {
                    let part = |i, n, a| choose(i, a) / choose(n, a);
                    sum(&|a, b| part(i, n, a) * part(j, m, b))
                })
                .collect(),
            Shape::Triangular { n } => (0..=n)
                .flat_map(|j| (0..=n - j).map(move |i| (i, j)))
                .map(|(i, j)| sum(&|a, b| falling(i, a) * falling(j, b) / falling(n, a + b)))
                .collect(),
        }
    }
}

/// z = F(x, y) = f₀ + f₁ x + f₂ y + f₃ x² + f₄ x y + f₅ y² over (x, y)(u, v).
pub(super) struct Graph {
    pub(super) map: [Polynomial; 2],
    pub(super) height: [f64; 6],
    /// What the homogeneous form is multiplied by: the patch is rational if it is there.
    pub(super) weight: Option<Polynomial>,
}

impl Graph {
    pub(super) fn new(map: [Polynomial; 2], random: &mut Random, rational: bool) -> Self {
        let term = |random: &mut Random| 0.4 * random.signed();
        Self {
            map,
            height: [0; 6].map(|_| random.signed()),
            weight: rational.then(|| {
                let [constant, u, v] = [1.0, term(random), term(random)];
                Polynomial::new(&[((0, 0), constant), ((1, 0), u), ((0, 1), v)])
            }),
        }
    }

    /// The patch, with its control points mapped.
    pub(super) fn patch(
        &self,
        triangular: bool,
        place: impl Fn(Point3<f64>) -> Point3<f64>,
    ) -> AnyPatch {
        let [x, y] = &self.map;
        let one = Polynomial::constant(1.0);
        let monomials = [
            one.clone(),
            x.clone(),
            y.clone(),
            x.times(x),
            x.times(y),
            y.times(y),
        ];
        let terms = self.height.iter().zip(&monomials);
        let z = terms.fold(Polynomial::default(), |sum, (&factor, term)| {
            sum.plus(factor, term)
        });
        let weight = self.weight.as_ref().unwrap_or(&one);
        let weighted = [x, y, &z].map(|coordinate| coordinate.times(weight));
        let all = weighted
            .iter()
            .fold(weight.clone(), |sum, c| sum.plus(1.0, c));
        let shape = all.shape(triangular);
        let [x, y, z] = weighted.map(|coordinate| coordinate.bezier(shape));
        let weights = weight.bezier(shape);
        let points = (0..weights.len()).map(|k| Vector3::new(x[k], y[k], z[k]) / weights[k]);
        let points: Vec<_> = points.map(|point| place(point.into())).collect();
        match self.weight {
            Some(_) => AnyPatch::rational_from_shape(shape, &points, &weights),
            None => AnyPatch::from_shape(shape, &points),
        }
        .expect("a net")
    }

    /// The upper unit normal over (x, y)(u, v).
    pub(super) fn normal(&self, u: f64, v: f64) -> Vector3<f64> {
        let [x, y] = self.map.each_ref().map(|coordinate| coordinate.at(u, v));
        let [_, f1, f2, f3, f4, f5] = self.height;
        vector![
            -f1 - 2.0 * f3 * x - f4 * y,
            -f2 - f4 * x - 2.0 * f5 * y,
            1.0
        ]
        .normalize()
    }
}
