//! Elastic energy per area of the shell's middle surface, and its derivatives.
//!
//! St. Venant–Kirchhoff in membrane strain ε = (a − A)/2 and in change of curvature κ = b − B
//! (Kirchhoff–Love). In coordinates that are orthonormal at rest the energy is a function of five
//! vectors only, the derivatives x₁, x₂, x₁₁, x₂₂, x₁₂ of the middle surface. Its Hessian is 15 ×
//! 15, and the elements' follows by the chain rule.

use nalgebra::{Matrix3, Vector3};

/// What the shell is made of, in SI units.
#[derive(Clone, Copy, Debug)]
pub struct Material {
    /// Thickness, m.
    pub thickness: f64,
    /// Young's modulus, Pa.
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Density, kg/m³.
    pub density: f64,
}

impl Material {
    /// E h / (1 − ν²), N/m.
    pub(super) fn membrane(&self) -> f64 {
        self.young * self.thickness / (1.0 - self.poisson * self.poisson)
    }

    /// E h³ / 12 (1 − ν²), N m.
    pub(super) fn bending(&self) -> f64 {
        self.membrane() * self.thickness * self.thickness / 12.0
    }

    /// Mass per area, kg/m².
    pub fn area_density(&self) -> f64 {
        self.density * self.thickness
    }
}

/// x₁, x₂, x₁₁, x₂₂, x₁₂.
pub(super) type Derivatives = [Vector3<f64>; 5];

/// ε or κ: the components 11, 22 and 12.
pub(super) type Symmetric = [f64; 3];

/// What of the middle surface the energy depends on.
pub(super) struct Fundamental {
    normal: Vector3<f64>,
    /// |x₁ × x₂|.
    area: f64,
    pub(super) metric: Symmetric,
    pub(super) curvature: Symmetric,
}

impl Fundamental {
    pub(super) fn new(x: &Derivatives) -> Self {
        let cross = x[0].cross(&x[1]);
        // Where the surface has collapsed there is no normal. The energy is finite there, and the
        // step is left to the line search.
        let area = cross.norm().max(1e-9);
        let normal = cross / area;
        Self {
            normal,
            area,
            metric: [x[0].dot(&x[0]), x[1].dot(&x[1]), x[0].dot(&x[1])],
            curvature: [2, 3, 4].map(|k| x[k].dot(&normal)),
        }
    }
}

/// ½ [e₁₁² + e₂₂² + 2ν e₁₁ e₂₂ + 2(1 − ν) e₁₂²].
pub(super) fn quadratic(poisson: f64, e: &Symmetric) -> f64 {
    0.5 * (e[0] * e[0] + e[1] * e[1] + 2.0 * poisson * e[0] * e[1]) + (1.0 - poisson) * e[2] * e[2]
}

/// Its derivatives by e₁₁, e₂₂ and 2 e₁₂.
fn stress(poisson: f64, e: &Symmetric) -> Symmetric {
    [
        e[0] + poisson * e[1],
        e[1] + poisson * e[0],
        (1.0 - poisson) * e[2],
    ]
}

/// A symmetric 15 × 15 matrix in blocks of 3.
pub(super) type Hessian = [[Matrix3<f64>; 5]; 5];

/// How much of the second derivative is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All of it.
    Whole,
    /// A part that is positive semidefinite: without compressive stress, and without second
    /// derivatives of curvature.
    Positive,
}

/// First and second derivatives of an energy by the five vectors.
pub(super) struct Response {
    pub(super) gradient: Derivatives,
    pub(super) hessian: Hessian,
}

/// Gradient and Hessian of membrane · Q(ε) + bending · Q(κ), where Q is [`quadratic`]. The strains
/// come with their viscous parts; of the stiffnesses the first is that of forces and moments, the
/// second that of the Hessian's material part, which has its viscous part too.
pub(super) fn respond(
    x: &Derivatives,
    fundamental: &Fundamental,
    poisson: f64,
    [membrane, bending]: [(f64, f64); 2],
    [epsilon, kappa]: [&Symmetric; 2],
    part: Part,
) -> Response {
    let n = stress(poisson, epsilon).map(|s| membrane.0 * s);
    let m = stress(poisson, kappa).map(|s| bending.0 * s);
    let &Fundamental { normal, area, .. } = fundamental;
    let tangential = |y: &Vector3<f64>| (y - normal * normal.dot(y)) / area;
    let by_tangents = |w: &Vector3<f64>| [x[1].cross(w), w.cross(&x[0])];
    let moment = x[2] * m[0] + x[3] * m[1] + x[4] * (2.0 * m[2]);
    let w = tangential(&moment);
    let bend = by_tangents(&w);
    let gradient = [
        x[0] * n[0] + x[1] * n[2] + bend[0],
        x[0] * n[2] + x[1] * n[1] + bend[1],
        normal * m[0],
        normal * m[1],
        normal * (2.0 * m[2]),
    ];

    let mut hessian = [[Matrix3::zeros(); 5]; 5];
    // Material part of the membrane: dε₁₁ = x₁·dx₁, dε₂₂ = x₂·dx₂, 2 dε₁₂ = x₂·dx₁ + x₁·dx₂.
    let zero = Vector3::zeros();
    let rows = [[x[0], zero], [zero, x[1]], [x[1], x[0]]];
    add_material(&mut hessian, &rows, poisson, membrane.1);
    // And of bending: dκ = n·dx_ab + x_ab·dn.
    let rows = [0, 1, 2].map(|k| {
        let twice = if k == 2 { 2.0 } else { 1.0 };
        let [by_1, by_2] = by_tangents(&tangential(&x[2 + k]));
        let mut row = [by_1 * twice, by_2 * twice, zero, zero, zero];
        row[2 + k] = normal * twice;
        row
    });
    add_material(&mut hessian, &rows, poisson, bending.1);
    // Geometric part of the membrane.
    let n = match part {
        Part::Whole => n,
        Part::Positive => positive_part(&n),
    };
    for (a, b, s) in [(0, 0, n[0]), (1, 1, n[1]), (0, 1, n[2]), (1, 0, n[2])] {
        hessian[a][b] += Matrix3::identity() * s;
    }
    if part == Part::Whole {
        add_geometric_bending(&mut hessian, x, fundamental, &m, &moment, &w);
    }
    Response { gradient, hessian }
}

/// Σ C_kl row_k rowₗᵀ with the rows of the strains 11, 22 and 2·12.
fn add_material<const N: usize>(
    hessian: &mut Hessian,
    rows: &[[Vector3<f64>; N]; 3],
    poisson: f64,
    factor: f64,
) {
    let c = [
        [factor, factor * poisson, 0.0],
        [factor * poisson, factor, 0.0],
        [0.0, 0.0, 0.5 * factor * (1.0 - poisson)],
    ];
    for b in 0..N {
        let columns =
            [0, 1, 2].map(|k| rows[0][b] * c[k][0] + rows[1][b] * c[k][1] + rows[2][b] * c[k][2]);
        for a in 0..N {
            for k in 0..3 {
                hessian[a][b] += rows[k][a] * columns[k].transpose();
            }
        }
    }
}

/// Moments times the second derivatives of curvature.
fn add_geometric_bending(
    hessian: &mut Hessian,
    x: &Derivatives,
    &Fundamental { normal, area, .. }: &Fundamental,
    m: &Symmetric,
    moment: &Vector3<f64>,
    w: &Vector3<f64>,
) {
    let projector = Matrix3::identity() - normal * normal.transpose();
    // d(x₁ × x₂) by x₁ and by x₂.
    let cross = [-x[1].cross_matrix(), x[0].cross_matrix()];
    let normal_by = cross.map(|by| projector * by / area);
    for (k, factor) in [m[0], m[1], 2.0 * m[2]].into_iter().enumerate() {
        for (a, by) in normal_by.iter().enumerate() {
            hessian[2 + k][a] += by * factor;
            hessian[a][2 + k] += by.transpose() * factor;
        }
    }
    let mixed = w * normal.transpose() * area;
    let by_cross = -(mixed + mixed.transpose() + projector * moment.dot(&normal)) / (area * area);
    for a in 0..2 {
        for b in 0..2 {
            hessian[a][b] += cross[a].transpose() * by_cross * cross[b];
        }
    }
    let twist = w.cross_matrix();
    hessian[0][1] -= twist;
    hessian[1][0] += twist;
}

/// The positive semidefinite part of a symmetric 2 × 2 matrix.
fn positive_part(s: &Symmetric) -> Symmetric {
    let (middle, difference) = (0.5 * (s[0] + s[1]), 0.5 * (s[0] - s[1]));
    let radius = difference.hypot(s[2]);
    if middle >= radius {
        return *s;
    }
    if middle + radius <= 0.0 {
        return [0.0; 3];
    }
    // One eigenvalue is positive; its direction's projector, times it.
    let factor = 0.5 * (middle + radius) / radius;
    [
        factor * (radius + difference),
        factor * (radius - difference),
        factor * s[2],
    ]
}
