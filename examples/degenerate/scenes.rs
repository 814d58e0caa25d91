//! Pairs that touch in degenerate ways, each with its exact first contact.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

use nalgebra::{Point3, Rotation3, Vector3, point, vector};
use patch_ccd::Moving;
use patch_ccd::geometry::{AnyPatch, Shape};

pub(crate) type Motion = Moving<AnyPatch>;

/// A pair that touches, or nearly.
pub(crate) struct Scene {
    pub(crate) name: &'static str,
    pub(crate) pair: [Motion; 2],
    /// The exact first contact, if there is one.
    pub(crate) first: Option<f64>,
    /// Whether more boxes stay alive around the contact than any budget allows, at small
    /// tolerances.
    pub(crate) endless: bool,
    /// Whether the patches pass each other at a tangent. Their gap grows with the square of time
    /// then, so that one of some roundings is passed in some 1e-7.
    pub(crate) grazing: bool,
}

/// All scenes.
pub(crate) fn all() -> Vec<Scene> {
    let mut scenes = lines();
    scenes.extend(areas());
    scenes.extend(within_a_plane());
    scenes.extend(poles());
    scenes
}

fn scene(
    name: &'static str,
    [one, two]: [AnyPatch; 2],
    velocity: Vector3<f64>,
    first: impl Into<Option<f64>>,
) -> Scene {
    Scene {
        name,
        pair: [moving(one, velocity), Moving::resting(two)],
        first: first.into(),
        endless: false,
        grazing: false,
    }
}

fn endless(scene: Scene) -> Scene {
    Scene {
        endless: true,
        ..scene
    }
}

fn grazing(scene: Scene) -> Scene {
    Scene {
        grazing: true,
        ..scene
    }
}

const DOWN: Vector3<f64> = Vector3::new(0.0, 0.0, -1.0);

/// Tangential contacts along a curve.
fn lines() -> Vec<Scene> {
    let turned = |angle: f64| Rotation3::from_euler_angles(0.0, angle, 0.0);
    let bottom = |z| arch(1.0, turned(PI + 0.1), z);
    vec![
        scene(
            "ridge on a plane, along u = 1/2",
            [ridge(0.5, 0.0), plate()],
            DOWN,
            0.5,
        ),
        scene(
            "ridge on a plane, along u = 1/3",
            [ridge(1.0 / 3.0, 0.0), plate()],
            DOWN,
            0.5,
        ),
        scene(
            "the same, turned",
            [ridge(1.0 / 3.0, 0.7), plate()],
            DOWN,
            0.5,
        ),
        endless(scene(
            "ridge on a plane, across the parameters",
            [oblique_ridge(), plate()],
            DOWN,
            0.5,
        )),
        endless(scene(
            "triangular ridge on a plane",
            [triangular_ridge(), plate()],
            DOWN,
            0.5,
        )),
        scene("cylinder on a plane", [bottom(1.5), plate()], DOWN, 0.5),
        scene(
            "cylinder on a parallel one",
            [bottom(2.5), arch(1.0, turned(0.2), 0.0)],
            DOWN,
            0.5,
        ),
        scene(
            "cylinder over a narrower one",
            [arch(1.1, turned(0.2), 0.4), arch(1.0, turned(0.1), 0.0)],
            DOWN,
            0.5,
        ),
        endless(scene(
            "cylinder over one narrower by 0.1 %",
            [arch(1.001, turned(0.2), 0.499), arch(1.0, turned(0.1), 0.0)],
            DOWN,
            0.5,
        )),
        scene(
            "cylinder rolling past a border",
            [bottom(1.0), square(4.0, point![-1.9, 1.0, 0.0])],
            Vector3::y(),
            0.5,
        ),
        scene(
            "torus on a plane, along a circle",
            [torus(1.0), plate()],
            DOWN,
            0.5,
        ),
        scene(
            "needle on a plane",
            [needle(), plate()],
            DOWN,
            0.5 + 0.1 * (0.16 - 0.49 / 6.0),
        ),
        scene("saddle on a plane", [saddle(), plate()], DOWN, 0.25),
    ]
}

/// Contacts over an area.
fn areas() -> Vec<Scene> {
    let turned = |angle: f64| Rotation3::from_euler_angles(0.0, angle, 0.0);
    let wavy = |z| wavy([0.0, 1.0], z);
    let rest = Vector3::zeros();
    vec![
        scene(
            "plane on plane, off the midpoints",
            [square(1.0, point![0.3333, 0.1, 0.5]), plate()],
            vector![0.2, 0.1, -1.0],
            0.5,
        ),
        endless(scene(
            "cylinder into one of the same radius",
            [arch(1.0, turned(0.2), 0.5), arch(1.0, turned(0.1), 0.0)],
            DOWN,
            0.5,
        )),
        endless(scene(
            "curved copies meeting",
            [wavy(0.5), wavy(0.0)],
            DOWN,
            0.5,
        )),
        endless(scene(
            "part of a curved copy meeting it",
            [self::wavy([0.1, 0.7], 0.5), wavy(0.0)],
            DOWN,
            0.5,
        )),
        scene(
            "curved copies, coincident",
            [wavy(0.0), wavy(0.0)],
            rest,
            0.0,
        ),
        scene(
            "curved copies, moving apart",
            [wavy(0.0), wavy(0.0)],
            -DOWN,
            0.0,
        ),
        scene(
            "curved copies that keep apart by 0.001",
            [wavy(0.001), wavy(0.0)],
            rest,
            None,
        ),
        scene(
            "one cylinder sliding along another",
            [arch(1.0, turned(0.0), 0.0), arch(1.0, turned(0.0), 0.0)],
            0.3 * Vector3::y(),
            0.0,
        ),
    ]
}

/// Both patches in the same plane.
fn within_a_plane() -> Vec<Scene> {
    let right = 2.0 * Vector3::x();
    vec![
        scene(
            "square sliding on a square",
            [square(1.0, point![0.3333, 0.1, 0.0]), plate()],
            vector![0.2, 0.1, 0.0],
            0.0,
        ),
        scene(
            "square into a square, in its plane",
            [square(1.0, point![-3.9, 0.1, 0.0]), plate()],
            right,
            0.5,
        ),
        scene(
            "disk into a square, in its plane",
            [disk(-3.9), plate()],
            right,
            0.5,
        ),
        scene(
            "disk into a disk, in its plane",
            [disk(-3.0), disk(0.0)],
            right,
            0.5,
        ),
    ]
}

/// Collapsed edges.
fn poles() -> Vec<Scene> {
    let right = Vector3::x();
    vec![
        scene(
            "sphere on a plane, at its pole",
            [octant(-1.0, point![0.0, 0.0, 1.5]), plate()],
            DOWN,
            0.5,
        ),
        grazing(scene(
            "sphere rolling in at a plate's height",
            [octant(-1.0, point![-3.9, 0.0, 1.0]), plate()],
            4.0 * right,
            0.5,
        )),
        scene(
            "sphere sliding on a plate",
            [octant(-1.0, point![0.0, 0.0, 1.0]), plate()],
            vector![1.0, 0.3, 0.0],
            0.0,
        ),
        scene(
            "pole on pole",
            [
                octant(-1.0, point![0.0, 0.0, 2.5]),
                octant(1.0, Point3::origin()),
            ],
            DOWN,
            0.5,
        ),
        grazing(scene(
            "pole sliding over a pole",
            [
                octant(-1.0, point![-0.5, 0.0, 2.0]),
                octant(1.0, Point3::origin()),
            ],
            right,
            0.5,
        )),
        scene(
            "apex on a plane",
            [cone(1.0, point![0.0, 0.0, 0.5]), plate()],
            DOWN,
            0.5,
        ),
        scene(
            "apex sliding over an apex",
            [
                cone(1.0, point![-0.5, 0.0, 0.0]),
                cone(-1.0, Point3::origin()),
            ],
            right,
            0.5,
        ),
        scene(
            "apex passing an apex at 1e-9",
            [
                cone(1.0, point![-0.5, 0.0, 1e-9]),
                cone(-1.0, Point3::origin()),
            ],
            right,
            None,
        ),
    ]
}

fn moving(patch: AnyPatch, velocity: Vector3<f64>) -> Motion {
    Moving::translating(patch, velocity).expect("finite")
}

fn tensor(n: usize, m: usize, net: &[Point3<f64>]) -> AnyPatch {
    AnyPatch::from_shape(Shape::TensorProduct { n, m }, net).expect("a net")
}

fn rational(n: usize, m: usize, net: &[(Point3<f64>, f64)]) -> AnyPatch {
    let (points, weights): (Vec<_>, Vec<_>) = net.iter().copied().unzip();
    AnyPatch::rational_from_shape(Shape::TensorProduct { n, m }, &points, &weights).expect("a net")
}

/// A large square in the plane z = 0, its sides off all that the others have.
fn plate() -> AnyPatch {
    square(4.0, point![-1.9, -2.2, 0.0])
}

fn square(width: f64, corner: Point3<f64>) -> AnyPatch {
    let at = |x: f64, y: f64| corner + vector![x * width, y * width, 0.0];
    tensor(
        1,
        1,
        &[at(0.0, 0.0), at(0.0, 1.0), at(1.0, 0.0), at(1.0, 1.0)],
    )
}

/// z = 1/2 + (u − at)², turned about the vertical.
fn ridge(at: f64, turn: f64) -> AnyPatch {
    let rotation = Rotation3::from_euler_angles(0.0, 0.0, turn);
    let heights = [at * at, at * at - at, at * at - 2.0 * at + 1.0];
    let row = |(i, height): (usize, f64)| {
        [-0.5, 0.5].map(|y| rotation * point![0.5 * i as f64 - at, y, 0.5 + height])
    };
    let net: Vec<_> = heights.into_iter().enumerate().flat_map(row).collect();
    tensor(2, 1, &net)
}

/// z = 1/2 + (u − v − 1/5)².
fn oblique_ridge() -> AnyPatch {
    let net: Vec<_> = (0..3)
        .flat_map(|i| (0..3).map(move |j| (i, j)))
        .map(|(i, j)| {
            // Blossoms of u², u v, v², u and v.
            let (x, y) = (0.5 * f64::from(i), 0.5 * f64::from(j));
            let square = |i: i32| f64::from(i / 2);
            let height = square(i) + square(j) - 2.0 * x * y - 0.4 * (x - y) + 0.04;
            point![x, y, 0.5 + height]
        })
        .collect();
    tensor(2, 2, &net)
}

/// The same over a triangle, z = 1/2 + (u − 1/3)².
fn triangular_ridge() -> AnyPatch {
    let net: Vec<_> = (0..3)
        .flat_map(|j| (0..3 - j).map(move |i| (i, j)))
        .map(|(i, j)| {
            let x = 0.5 * f64::from(i);
            let height = f64::from(i / 2) - 2.0 / 3.0 * x + 1.0 / 9.0;
            point![x, 0.5 * f64::from(j), 0.5 + height]
        })
        .collect();
    AnyPatch::from_shape(Shape::Triangular { n: 2 }, &net).expect("a net")
}

/// A quarter circle as a rational curve of degree 2: (cos, sin, weight) of its control points.
const QUARTER: [(f64, f64, f64); 3] = [(1.0, 0.0, 1.0), (1.0, 1.0, FRAC_1_SQRT_2), (0.0, 1.0, 1.0)];

/// A quarter of a cylinder about an axis along y at height z, its crown up, turned.
fn arch(radius: f64, turn: Rotation3<f64>, z: f64) -> AnyPatch {
    let turn = turn * Rotation3::from_euler_angles(0.0, -PI / 4.0, 0.0);
    let row = |(x, z, w): (f64, f64, f64)| {
        [-0.5, 0.5].map(|y| (turn * point![radius * x, y, radius * z], w))
    };
    let mut net: Vec<_> = QUARTER.into_iter().flat_map(row).collect();
    net.iter_mut().for_each(|(point, _)| point.z += z);
    rational(2, 1, &net)
}

/// The lowest part of a quarter of a torus about the vertical, radii 1 and 1/2, that touches the
/// plane z = 0 from `z` − 1/2 above it; off the middle of its tube.
fn torus(z: f64) -> AnyPatch {
    let turn = Rotation3::from_euler_angles(0.0, 3.0 * PI / 4.0 + 0.2, 0.0);
    let mut net = Vec::new();
    for (x, y, w) in QUARTER {
        for (out, up, v) in QUARTER {
            let tube = turn * point![0.5 * out, 0.0, 0.5 * up];
            let radius = 1.0 + tube.x;
            net.push((point![radius * x, radius * y, z + tube.z], w * v));
        }
    }
    rational(2, 2, &net)
}

/// z + x² + x y − y³/2, over x from one number to another and y from 0 to 1: its blossom.
fn wavy([a, b]: [f64; 2], z: f64) -> AnyPatch {
    let along = |[a, b]: [f64; 2], i: usize| [0, 1, 2].map(|k| if k < i { b } else { a });
    let mean = |[x, y, z]: [f64; 3]| (x + y + z) / 3.0;
    let net: Vec<_> = (0..=3)
        .flat_map(|i| (0..=3).map(move |j| (i, j)))
        .map(|(i, j)| {
            let (x, y) = (along([a, b], i), along([0.0, 1.0], j));
            let square = (x[0] * x[1] + x[1] * x[2] + x[0] * x[2]) / 3.0;
            let height = square + mean(x) * mean(y) - 0.5 * y[0] * y[1] * y[2];
            point![mean(x), mean(y), z + height]
        })
        .collect();
    tensor(3, 3, &net)
}

/// A unit disk in the plane z = 0.
fn disk(x: f64) -> AnyPatch {
    let w = FRAC_1_SQRT_2;
    let row = |x: f64, weights: [f64; 3], y: f64| {
        [-y, 0.0, y]
            .map(|y| point![x, y, 0.0])
            .into_iter()
            .zip(weights)
    };
    let net: Vec<_> = (row(x - w, [1.0, w, 1.0], w))
        .chain(row(x, [w, 1.0, w], 2.0 * w))
        .chain(row(x + w, [1.0, w, 1.0], w))
        .enumerate()
        // The middles of its sides are farther out.
        .map(|(k, (point, weight))| match k {
            1 => (point![x - 2.0 * w, 0.0, 0.0], weight),
            7 => (point![x + 2.0 * w, 0.0, 0.0], weight),
            _ => (point, weight),
        })
        .collect();
    rational(2, 2, &net)
}

/// An eighth of the unit sphere, with its pole at ±1 above its centre.
fn octant(pole: f64, centre: Point3<f64>) -> AnyPatch {
    let mut net = Vec::new();
    for (x, y, w) in QUARTER {
        for (out, up, v) in QUARTER {
            net.push((centre + vector![x * out, y * out, pole * up], w * v));
        }
    }
    rational(2, 2, &net)
}

/// A quarter of a cone that opens upwards (1) or downwards (−1) from its apex.
fn cone(up: f64, apex: Point3<f64>) -> AnyPatch {
    let row = |(x, y, w): (f64, f64, f64)| [0.0, 1.0].map(|r| (apex + r * vector![x, y, up], w));
    let net: Vec<_> = QUARTER.into_iter().flat_map(row).collect();
    rational(2, 1, &net)
}

/// A patch 1 long and 3e-9 wide.
fn needle() -> AnyPatch {
    let net: Vec<_> = (0..4)
        .flat_map(|i| (0..4).map(move |j| (f64::from(i), f64::from(j))))
        .map(|(i, j)| {
            let x = i / 3.0;
            point![x, 1e-9 * j, 0.5 + 0.1 * (x - 0.4) * (x - 0.4)]
        })
        .collect();
    tensor(3, 3, &net)
}

/// z = 1/2 + x² − y².
fn saddle() -> AnyPatch {
    let square = [0.25, -0.25, 0.25];
    let net: Vec<_> = (0..3)
        .flat_map(|i| (0..3).map(move |j| (i, j)))
        .map(|(i, j)| {
            let at = |i: usize| 0.5 * i as f64 - 0.5;
            point![at(i), at(j), 0.5 + square[i] - square[j]]
        })
        .collect();
    tensor(2, 2, &net)
}
