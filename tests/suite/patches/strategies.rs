//! Random patches and pairs of patches, with what shrinks them.

use kit::scenes::{Motion, greville, mapped};
use nalgebra::{Point3, Unit, Vector3};
use patch_ccd::Moving;
use patch_ccd::geometry::{AnyPatch, Patch, Shape};
use proptest::prelude::*;

/// Patches of both kinds, of degrees from 1 to `highest`, equal or not in u and v.
pub(super) fn shape(highest: usize) -> impl Strategy<Value = Shape> {
    prop_oneof![
        2 => (1..=highest, 1..=highest).prop_map(|(n, m)| Shape::TensorProduct { n, m }),
        1 => (1..=highest).prop_map(|n| Shape::Triangular { n }),
    ]
}

fn vectors(
    coordinate: impl Strategy<Value = f64>,
    number: usize,
) -> impl Strategy<Value = Vec<Vector3<f64>>> {
    let vector = prop::array::uniform3(coordinate).prop_map(Vector3::from);
    prop::collection::vec(vector, number)
}

fn motion_from(shape: Shape, points: &[Vector3<f64>], velocities: &[Vector3<f64>]) -> Motion {
    let points: Vec<_> = points.iter().map(|&p| Point3::from(p)).collect();
    let start = AnyPatch::from_shape(shape, &points).unwrap();
    Moving::with_velocities(start, velocities).unwrap()
}

/// Patches whose control points and velocities have random coordinates: they deform wildly.
fn wild_with<C: Strategy<Value = f64>>(
    highest: usize,
    coordinate: impl Fn() -> C,
) -> impl Strategy<Value = Motion> {
    shape(highest).prop_flat_map(move |shape| {
        let noise = || vectors(coordinate(), shape.count());
        (noise(), noise())
            .prop_map(move |(points, velocities)| motion_from(shape, &points, &velocities))
    })
}

/// Patches with all coordinates in [−1, 1], that deform wildly.
pub(super) fn wild(highest: usize) -> impl Strategy<Value = Motion> {
    wild_with(highest, || -1.0..=1.0_f64)
}

/// Multiples of 1/256 in [−1, 1].
fn on_grid() -> impl Strategy<Value = f64> {
    (-256..=256).prop_map(|k| f64::from(k) / 256.0)
}

/// Parameters in a shape's domain.
pub(super) fn into_domain(shape: Shape, (u, v): (f64, f64)) -> (f64, f64) {
    match shape {
        Shape::Triangular { .. } if u + v > 1.0 => (1.0 - v, 1.0 - u),
        _ => (u, v),
    }
}

pub(super) fn in_domain(shape: Shape, (u, v): (f64, f64)) -> bool {
    let unit = -1e-9..=1.0 + 1e-9;
    unit.contains(&u)
        && unit.contains(&v)
        && (matches!(shape, Shape::TensorProduct { .. }) || unit.contains(&(u + v)))
}

pub(super) fn parameters() -> impl Strategy<Value = (f64, f64)> {
    (0.0..=1.0, 0.0..=1.0)
}

fn eighths() -> impl Strategy<Value = f64> {
    (0..=8).prop_map(|k| f64::from(k) / 8.0)
}

pub(super) fn direction() -> impl Strategy<Value = Unit<Vector3<f64>>> {
    prop::array::uniform3(-1.0..=1.0_f64)
        .prop_map(Vector3::from)
        .prop_filter("a direction", |v| v.norm() > 0.1)
        .prop_map(Unit::new_normalize)
}

/// Two patches that deform wildly and approach each other on average, as in the timing table.
pub(super) fn approaching(highest: usize) -> impl Strategy<Value = [Motion; 2]> {
    (wild(highest), wild(highest), direction()).prop_map(|(a, b, d)| {
        let d = d.into_inner();
        [
            mapped(&a, |p| p - d, |v| v + d),
            mapped(&b, |p| p + d, |v| v - d),
        ]
    })
}

/// Two patches that touch at a time and at parameters that are known.
#[derive(Clone, Debug)]
pub(super) struct Planted {
    pub(super) patches: [Motion; 2],
    pub(super) t: f64,
}

/// Patches that touch *exactly*, and rush together: all numbers are multiples of a small power of
/// two, so that placing the second patch does not round. (Degree 5 at multiples of 1/8 in u, v and
/// t on coordinates in 1/256: multiples of 2⁻⁴¹, and below 32.)
pub(super) fn planted(highest: usize) -> impl Strategy<Value = Planted> {
    let rush = prop::array::uniform3(on_grid().prop_map(|x| 4.0 * x)).prop_map(Vector3::from);
    let patch = || (wild_with(highest, on_grid), (eighths(), eighths()));
    (patch(), patch(), (rush, eighths())).prop_map(|((a, in_a), (b, in_b), (rush, t))| {
        let a = mapped(&a, |p| p, |v| v + rush);
        let b = mapped(&b, |p| p, |v| v - rush);
        let (u1, v1) = into_domain(a.start().shape(), in_a);
        let (u2, v2) = into_domain(b.start().shape(), in_b);
        let aside = a.eval(u1, v1, t) - b.eval(u2, v2, t);
        let b = mapped(&b, |p| p + aside, |v| v);
        Planted { patches: [a, b], t }
    })
}

/// Two patches, bent and deforming a little, that close on each other at speeds from 2 to 4:
/// wherever they meet, time is well determined.
pub(super) fn closing() -> impl Strategy<Value = [Motion; 2]> {
    let noisy = |z: f64| {
        shape(3).prop_flat_map(move |shape| {
            let noise = || vectors(-0.1..=0.1_f64, shape.count());
            (noise(), noise(), -2.0..=-1.0_f64).prop_map(move |(places, speeds, closing)| {
                let points: Vec<_> = greville(shape)
                    .into_iter()
                    .zip(places)
                    .map(|((u, v), noise)| Vector3::new(u - 0.3, v - 0.3, z) + noise)
                    .collect();
                let velocities: Vec<_> = speeds
                    .into_iter()
                    .map(|noise| Vector3::z() * closing * z.signum() + noise)
                    .collect();
                motion_from(shape, &points, &velocities)
            })
        })
    };
    (noisy(-0.7), noisy(0.7)).prop_map(|(a, b)| [a, b])
}
