//! Energies of known shapes, derivatives against differences, and a strip that sags.

use std::f64::consts::PI;

use nalgebra::{DMatrix, DVector, Point3, Rotation3, Vector3, vector};
use patch_ccd::geometry::HermiteNode;
use proptest::prelude::*;

use shell_sim::shell::{KINDS, Material, Matrix, Part, Pattern, Sheet, unknowns};

const MATERIAL: Material = Material {
    thickness: 2e-3,
    young: 3e6,
    poisson: 0.3,
    density: 900.0,
};

/// Of both sheets that follow.
const AREA: f64 = 0.06;

fn flat(elements: [usize; 2], size: [f64; 2]) -> (Sheet, Vec<HermiteNode>) {
    Sheet::flat(elements, size, Point3::origin(), MATERIAL).unwrap()
}

/// A cylindrical shell of radius 0.2 at rest, an arc of it along u.
fn curved() -> (Sheet, Vec<HermiteNode>) {
    let (_, nodes) = flat([3, 2], [0.3, 0.2]);
    let rolled: Vec<_> = nodes.iter().map(|node| rolled_up(node, 5.0)).collect();
    let widths = [vec![0.1; 3], vec![0.1; 2]];
    (Sheet::new(widths, &rolled, MATERIAL).unwrap(), rolled)
}

/// The node of a flat sheet on a cylinder of this curvature about an axis along y.
fn rolled_up(node: &HermiteNode, curvature: f64) -> HermiteNode {
    let angle = node.position.x * curvature;
    let (sin, cos) = angle.sin_cos();
    HermiteNode {
        position: Point3::new(sin / curvature, node.position.y, (1.0 - cos) / curvature),
        along_u: vector![cos, 0.0, sin],
        along_v: Vector3::y(),
        twist: Vector3::zeros(),
    }
}

fn no_motion(sheet: &Sheet, q: &[Vector3<f64>]) -> shell_sim::shell::StepStart {
    sheet.start_step(q, 0.0, 1.0)
}

#[test]
fn rigid_motions_store_no_energy() {
    for (sheet, nodes) in [flat([3, 2], [0.3, 0.2]), curved()] {
        let turn = Rotation3::from_euler_angles(0.4, -1.1, 2.3);
        let move_by = vector![3.0, -2.0, 0.7];
        let moved = nodes.iter().map(|node| HermiteNode {
            position: turn * node.position + move_by,
            along_u: turn * node.along_u,
            along_v: turn * node.along_v,
            twist: turn * node.twist,
        });
        let moved = unknowns(&moved.collect::<Vec<_>>());
        // The energy of a stretch of 1e-12 is the measure.
        let bound = MATERIAL.young * MATERIAL.thickness * AREA * 1e-24;
        let energy = sheet.elastic_energy(&moved);
        assert!((0.0..bound).contains(&energy), "{energy:e} > {bound:e}");
    }
}

#[test]
fn a_uniform_stretch_stores_the_exact_energy() {
    let (sheet, nodes) = flat([3, 2], [0.3, 0.2]);
    for [x, y] in [[1.1, 1.0], [0.93, 1.25], [1.0, 1.4]] {
        let stretched = nodes.iter().map(|node| HermiteNode {
            position: Point3::new(x * node.position.x, y * node.position.y, 0.0),
            along_u: x * node.along_u,
            along_v: y * node.along_v,
            twist: node.twist,
        });
        let energy = sheet.elastic_energy(&unknowns(&stretched.collect::<Vec<_>>()));
        let [e, f] = [x, y].map(|stretch| 0.5 * (stretch * stretch - 1.0));
        let Material {
            young,
            thickness,
            poisson,
            ..
        } = MATERIAL;
        let stiffness = young * thickness / (1.0 - poisson * poisson);
        let exact = 0.06 * 0.5 * stiffness * (e * e + f * f + 2.0 * poisson * e * f);
        assert!((energy / exact - 1.0).abs() < 1e-12, "{energy} {exact}");
    }
}

#[test]
fn rolling_up_converges_to_the_exact_energy_at_fourth_order() {
    // A half cylinder, out of elements of 1/n of it: an arc's Hermite interpolant is off by O(h⁴)
    // and its curvature by O(h²), of which the mean is O(h⁴).
    let curvature = PI / 0.4;
    let stiffness = MATERIAL.young * MATERIAL.thickness.powi(3)
        / (12.0 * (1.0 - MATERIAL.poisson * MATERIAL.poisson));
    let exact = 0.5 * stiffness * curvature * curvature * 0.4 * 0.1;
    let errors = [16, 32, 64, 128].map(|n| {
        let (sheet, nodes) = flat([n, 1], [0.4, 0.1]);
        let rolled: Vec<_> = nodes
            .iter()
            .map(|node| rolled_up(node, curvature))
            .collect();
        sheet.elastic_energy(&unknowns(&rolled)) / exact - 1.0
    });
    let orders: Vec<_> = errors
        .windows(2)
        .map(|e| (e[0] / e[1]).abs().log2())
        .collect();
    assert!(errors[0].abs() < 1e-5, "{errors:?}");
    assert!(
        orders.iter().all(|order| (order - 4.0).abs() < 0.2),
        "{orders:?}"
    );
}

/// The whole gradient, and the Hessian's product with a direction.
fn derivatives(
    sheet: &Sheet,
    q: &[Vector3<f64>],
    start: &shell_sim::shell::StepStart,
    part: Part,
    direction: &[Vector3<f64>],
) -> [Vec<Vector3<f64>>; 2] {
    let pattern = Pattern::new(sheet.node_count(), sheet.groups()).unwrap();
    let mut matrix = Matrix::zeros(&pattern);
    let mut gradient = vec![Vector3::zeros(); q.len()];
    sheet.add_derivatives(q, start, part, &mut gradient, &pattern, &mut matrix);
    let product = matrix.times(&pattern, direction);
    [gradient, product]
}

fn dot(a: &[Vector3<f64>], b: &[Vector3<f64>]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(b)).sum()
}

fn moved(q: &[Vector3<f64>], direction: &[Vector3<f64>], by: f64) -> Vec<Vector3<f64>> {
    q.iter().zip(direction).map(|(q, d)| q + d * by).collect()
}

/// Vectors of a size that fits their kind: positions in element lengths, twists the other way
/// round.
fn vectors(count: usize) -> impl Strategy<Value = Vec<Vector3<f64>>> {
    let one = [-1.0..1.0_f64, -1.0..1.0, -1.0..1.0].prop_map(|[x, y, z]| vector![x, y, z]);
    proptest::collection::vec(one, count).prop_map(|mut all| {
        for (k, vector) in all.iter_mut().enumerate() {
            *vector *= [0.1, 1.0, 1.0, 10.0][k % KINDS];
        }
        all
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn gradient_and_hessian_are_those_of_the_energy(
        noise in vectors(48), direction in vectors(48), before in vectors(48), is_flat: bool,
    ) {
        let (sheet, nodes) = if is_flat { flat([3, 2], [0.3, 0.2]) } else { curved() };
        let rest = unknowns(&nodes);
        let q = moved(&rest, &noise, 0.2);
        let start = sheet.start_step(&moved(&q, &before, 0.05), 0.3, 1.0);
        let [gradient, product] = derivatives(&sheet, &q, &start, Part::Whole, &direction);
        let step = 1e-5;
        let ends = [-step, step].map(|by| moved(&q, &direction, by));
        let [below, above] = ends.each_ref().map(|end| sheet.potential(end, &start));
        let slope = (above - below) / (2.0 * step);
        let scale = MATERIAL.young * MATERIAL.thickness * AREA;
        prop_assert!((slope - dot(&gradient, &direction)).abs() < 1e-6 * scale, "{slope}");
        let [[below, _], [above, _]] =
            ends.each_ref().map(|end| derivatives(&sheet, end, &start, Part::Whole, &direction));
        let slope = |(a, b): (&Vector3<f64>, &Vector3<f64>)| (b - a) / (2.0 * step);
        let difference: Vec<_> = below.iter().zip(&above).map(slope).collect();
        let size = dot(&product, &product).sqrt();
        let off = moved(&difference, &product, -1.0);
        prop_assert!(dot(&off, &off).sqrt() < 1e-5 * size, "{} of {size}", dot(&off, &off).sqrt());
    }
}

#[test]
fn the_positive_part_of_the_hessian_is_positive() {
    // Pressed together in its plane, a little wavy.
    let (sheet, nodes) = flat([3, 2], [0.3, 0.2]);
    let pressed = nodes.iter().enumerate().map(|(k, node)| HermiteNode {
        position: Point3::new(
            0.8 * node.position.x,
            0.9 * node.position.y,
            1e-3 * (k as f64).sin(),
        ),
        along_u: 0.8 * node.along_u,
        along_v: 0.9 * node.along_v,
        twist: node.twist,
    });
    let q = unknowns(&pressed.collect::<Vec<_>>());
    let start = no_motion(&sheet, &q);
    let least = |part: Part| {
        let columns = (0..3 * q.len()).map(|column| {
            let mut unit = vec![Vector3::zeros(); q.len()];
            unit[column / 3][column % 3] = 1.0;
            let [_, product] = derivatives(&sheet, &q, &start, part, &unit);
            let scalars = product
                .iter()
                .flat_map(|vector| [vector.x, vector.y, vector.z]);
            DVector::from_iterator(3 * q.len(), scalars)
        });
        let matrix = DMatrix::from_columns(&columns.collect::<Vec<_>>());
        let values = matrix.symmetric_eigenvalues();
        values.min() / values.max()
    };
    let [whole, positive] = [least(Part::Whole), least(Part::Positive)];
    assert!(whole < -1e-6 && positive > -1e-13, "{whole} {positive}");
}

#[test]
fn a_clamped_strip_sags_as_a_beam_does() {
    // Narrow and without lateral contraction, so that beam and shell agree; small enough a sag that
    // the formula holds.
    let material = Material {
        poisson: 0.0,
        young: 2e9,
        ..MATERIAL
    };
    let (length, width, gravity) = (0.3, 0.02, 9.81);
    for [a, b] in [[4, 1], [8, 2]] {
        let (sheet, nodes) =
            Sheet::flat([a, b], [length, width], Point3::origin(), material).unwrap();
        let pattern = Pattern::new(sheet.node_count(), sheet.groups()).unwrap();
        let mut q = unknowns(&nodes);
        // Position and direction along u are held at x = 0: also all that changes along that edge.
        let fixed: Vec<_> = (0..q.len()).map(|k| k / KINDS <= b).collect();
        let mut weights = vec![0.0; q.len()];
        sheet.add_weights(&mut weights);
        let mut last = f64::INFINITY;
        for _ in 0..20 {
            let mut matrix = Matrix::zeros(&pattern);
            let mut force: Vec<_> = weights
                .iter()
                .map(|m| vector![0.0, 0.0, m * gravity])
                .collect();
            let start = no_motion(&sheet, &q);
            sheet.add_derivatives(&q, &start, Part::Whole, &mut force, &pattern, &mut matrix);
            for (force, _) in force.iter_mut().zip(&fixed).filter(|(_, fixed)| **fixed) {
                *force = Vector3::zeros();
            }
            matrix.fix(&pattern, &fixed);
            let step = matrix.solve(&pattern, &force).unwrap();
            last = dot(&step, &step).sqrt();
            q = moved(&q, &step, -1.0);
        }
        assert!(last < 1e-9, "{last}");
        let sag = -q[(a * (b + 1)) * KINDS].z;
        let inertia = width * material.thickness.powi(3) / 12.0;
        let load = material.area_density() * width * gravity;
        let beam = load * length.powi(4) / (8.0 * material.young * inertia);
        assert!((sag / beam - 1.0).abs() < 0.02, "{sag} {beam}");
    }
}
