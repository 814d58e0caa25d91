//! Pairs that touch in degenerate ways, each with its exact first contact.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

use nalgebra::{Point3, Rotation3, Vector3, point, vector};
use patch_ccd::geometry::{AnyPatch, Shape};
use patch_ccd::{Options, Outcome};

use super::{
    BICUBIC, BILINEAR, BIQUADRATIC, Motion, QUADRATIC, QUARTER, arch, falling, going, level,
    octant, patch, rational, resting, square_at,
};

/// A pair that touches, or nearly.
#[derive(Clone, Debug)]
pub struct Scene {
    /// What touches how.
    pub name: &'static str,
    /// The patches: at most 6 long, and approaching each other at speeds from 0.2 to 4.
    pub pair: [Motion; 2],
    /// The exact first contact, if there is one.
    pub first: Option<f64>,
    /// Whether more boxes stay alive around the contact than any budget allows, at small
    /// tolerances.
    pub endless: bool,
    /// Whether the patches pass each other at a tangent. Their gap grows with the square of time
    /// then, so that one of some roundings is passed in some 1e-7.
    pub grazing: bool,
}

/// Roundings of the coordinates that the scenes are built from.
const ROUNDING: f64 = 1e-14;

impl Scene {
    /// Whether an outcome is safe: never later than the contact, and no contact where there is
    /// none.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn check_sound(&self, outcome: &Outcome) -> Result<(), String> {
        let sound = match (self.first, outcome.toi()) {
            (Some(first), toi) => toi.is_some_and(|toi| toi <= first + ROUNDING),
            (None, _) => outcome.contact().is_none(),
        };
        if sound {
            return Ok(());
        }
        Err(format!(
            "{}: {outcome:?}, but first {:?}",
            self.name, self.first
        ))
    }

    /// Whether an outcome is all that it must be: [sound](Self::check_sound), the end of the search
    /// but where it is endless, and a bound as near as the tolerances say.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn check(&self, outcome: &Outcome, options: &Options) -> Result<(), String> {
        self.check_sound(outcome)?;
        let right = match (self.first, outcome) {
            (None, Outcome::Clear { .. }) | (Some(0.0), Outcome::ContactAtStart { .. }) => true,
            (Some(_), Outcome::BudgetExhausted { .. }) => self.endless,
            (Some(first), Outcome::Impact { toi, .. }) => {
                let grazing = if self.grazing { 1e-6 } else { 0.0 };
                let early = options.delta.max(30.0 * options.relative_epsilon) + grazing;
                *toi >= first - early - ROUNDING
            }
            _ => false,
        };
        if right {
            return Ok(());
        }
        Err(format!(
            "{}: {outcome:?} is wrong for {:?}",
            self.name, self.first
        ))
    }
}

/// All scenes.
pub fn all() -> Vec<Scene> {
    let mut scenes = lines();
    scenes.extend(areas());
    scenes.extend(within_a_plane());
    scenes.extend(poles());
    scenes
}

/// A patch that falls at speed 1 onto a [`plate`] and meets it at t = 1/2, unless more is said.
fn scene(name: &'static str, patch: AnyPatch) -> Scene {
    Scene {
        name,
        pair: [falling(1.0, patch), resting(plate())],
        first: Some(0.5),
        endless: false,
        grazing: false,
    }
}

impl Scene {
    fn on(mut self, other: AnyPatch) -> Self {
        self.pair[1] = resting(other);
        self
    }

    fn going(mut self, velocity: Vector3<f64>) -> Self {
        self.pair[0] = going(velocity.into(), self.pair[0].start().clone());
        self
    }

    fn first(self, first: impl Into<Option<f64>>) -> Self {
        let first = first.into();
        Self { first, ..self }
    }

    fn endless(self) -> Self {
        Self {
            endless: true,
            ..self
        }
    }

    fn grazing(self) -> Self {
        Self {
            grazing: true,
            ..self
        }
    }
}

/// Tangential contacts along a curve.
fn lines() -> Vec<Scene> {
    let arch = |radius: f64, angle: f64, z: f64| {
        arch(radius, Rotation3::from_euler_angles(0.0, angle, 0.0), z)
    };
    let bottom = |z: f64| arch(1.0, PI + 0.1, z);
    vec![
        scene("ridge on a plane, along u = 1/2", ridge(0.5, 0.0)),
        scene("ridge on a plane, along u = 1/3", ridge(1.0 / 3.0, 0.0)),
        scene("the same, turned", ridge(1.0 / 3.0, 0.7)),
        scene("ridge on a plane, across the parameters", oblique_ridge()).endless(),
        scene("triangular ridge on a plane", triangular_ridge()).endless(),
        scene("cylinder on a plane", bottom(1.5)),
        scene("cylinder on a parallel one", bottom(2.5)).on(arch(1.0, 0.2, 0.0)),
        scene("cylinder over a narrower one", arch(1.1, 0.2, 0.4)).on(arch(1.0, 0.1, 0.0)),
        scene(
            "cylinder over one narrower by 0.1 %",
            arch(1.001, 0.2, 0.499),
        )
        .on(arch(1.0, 0.1, 0.0))
        .endless(),
        scene("cylinder rolling past a border", bottom(1.0))
            .on(square(4.0, point![-1.9, 1.0, 0.0]))
            .going(Vector3::y()),
        scene("torus on a plane, along a circle", torus(1.0)),
        scene("needle on a plane", needle()).first(0.5 + 0.1 * (0.16 - 0.49 / 6.0)),
        scene("saddle on a plane", saddle()).first(0.25),
    ]
}

/// Contacts over an area.
fn areas() -> Vec<Scene> {
    let arch = |angle: f64, z: f64| arch(1.0, Rotation3::from_euler_angles(0.0, angle, 0.0), z);
    let whole = |z: f64| wavy([0.0, 1.0], z);
    let rest = Vector3::zeros();
    vec![
        scene(
            "plane on plane, off the midpoints",
            square(1.0, point![0.3333, 0.1, 0.5]),
        )
        .going(vector![0.2, 0.1, -1.0]),
        scene("cylinder into one of the same radius", arch(0.2, 0.5))
            .on(arch(0.1, 0.0))
            .endless(),
        scene("curved copies meeting", whole(0.5))
            .on(whole(0.0))
            .endless(),
        scene("part of a curved copy meeting it", wavy([0.1, 0.7], 0.5))
            .on(whole(0.0))
            .endless(),
        scene("curved copies, coincident", whole(0.0))
            .on(whole(0.0))
            .going(rest)
            .first(0.0),
        scene("curved copies, moving apart", whole(0.0))
            .on(whole(0.0))
            .going(Vector3::z())
            .first(0.0),
        scene("curved copies that keep apart by 0.001", whole(0.001))
            .on(whole(0.0))
            .going(rest)
            .first(None),
        scene("one cylinder sliding along another", arch(0.0, 0.0))
            .on(arch(0.0, 0.0))
            .going(0.3 * Vector3::y())
            .first(0.0),
    ]
}

/// Both patches in the same plane.
fn within_a_plane() -> Vec<Scene> {
    let right = 2.0 * Vector3::x();
    vec![
        scene(
            "square sliding on a square",
            square(1.0, point![0.3333, 0.1, 0.0]),
        )
        .going(vector![0.2, 0.1, 0.0])
        .first(0.0),
        scene(
            "square into a square, in its plane",
            square(1.0, point![-3.9, 0.1, 0.0]),
        )
        .going(right),
        scene("disk into a square, in its plane", disk(-3.9)).going(right),
        scene("disk into a disk, in its plane", disk(-3.0))
            .on(disk(0.0))
            .going(right),
    ]
}

/// Collapsed edges.
fn poles() -> Vec<Scene> {
    let right = Vector3::x();
    let at = |x: f64, z: f64| point![x, 0.0, z];
    let origin = Point3::origin();
    vec![
        scene("sphere on a plane, at its pole", ball(-1.0, at(0.0, 1.5))),
        scene(
            "sphere rolling in at a plate's height",
            ball(-1.0, at(-3.9, 1.0)),
        )
        .going(4.0 * right)
        .grazing(),
        scene("sphere sliding on a plate", ball(-1.0, at(0.0, 1.0)))
            .going(vector![1.0, 0.3, 0.0])
            .first(0.0),
        scene("pole on pole", ball(-1.0, at(0.0, 2.5))).on(ball(1.0, origin)),
        scene("pole sliding over a pole", ball(-1.0, at(-0.5, 2.0)))
            .on(ball(1.0, origin))
            .going(right)
            .grazing(),
        scene("apex on a plane", cone(1.0, at(0.0, 0.5))),
        scene("apex sliding over an apex", cone(1.0, at(-0.5, 0.0)))
            .on(cone(-1.0, origin))
            .going(right),
        scene("apex passing an apex at 1e-9", cone(1.0, at(-0.5, 1e-9)))
            .on(cone(-1.0, origin))
            .going(right)
            .first(None),
    ]
}

/// A large square in the plane z = 0, its sides off all that the others have.
fn plate() -> AnyPatch {
    square(4.0, point![-1.9, -2.2, 0.0])
}

fn square(width: f64, corner: Point3<f64>) -> AnyPatch {
    let side = |from: f64| [from, from + width];
    level(BILINEAR, side(corner.x), side(corner.y), corner.z)
}

/// z = 1/2 + (u − at)², turned about the vertical.
fn ridge(at: f64, turn: f64) -> AnyPatch {
    let rotation = Rotation3::from_euler_angles(0.0, 0.0, turn);
    patch(Shape::TensorProduct { n: 2, m: 1 }, |u, v| {
        rotation * point![u - at, v - 0.5, 0.5 + square_at([-at, 1.0 - at], u)]
    })
}

/// z = 1/2 + (u − v − 1/5)².
fn oblique_ridge() -> AnyPatch {
    let squared = |x: f64| square_at([0.0, 1.0], x);
    patch(BIQUADRATIC, |u, v| {
        let height = squared(u) + squared(v) - 2.0 * u * v - 0.4 * (u - v) + 0.04;
        point![u, v, 0.5 + height]
    })
}

/// z = 1/2 + (u − 1/3)² over a triangle.
fn triangular_ridge() -> AnyPatch {
    patch(QUADRATIC, |u, v| {
        let height = square_at([0.0, 1.0], u) - 2.0 / 3.0 * u + 1.0 / 9.0;
        point![u, v, 0.5 + height]
    })
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
    AnyPatch::from_shape(BICUBIC, &net).expect("a net")
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
fn ball(pole: f64, centre: Point3<f64>) -> AnyPatch {
    octant(centre, 1.0, [1.0, 1.0, pole])
}

/// A quarter of a cone that opens upwards (1) or downwards (−1) from its apex.
fn cone(up: f64, apex: Point3<f64>) -> AnyPatch {
    let row = |(x, y, w): (f64, f64, f64)| [0.0, 1.0].map(|r| (apex + r * vector![x, y, up], w));
    let net: Vec<_> = QUARTER.into_iter().flat_map(row).collect();
    rational(2, 1, &net)
}

/// A patch 1 long and 3e-9 wide.
fn needle() -> AnyPatch {
    patch(BICUBIC, |u, v| {
        point![u, 3e-9 * v, 0.5 + 0.1 * (u - 0.4) * (u - 0.4)]
    })
}

/// z = 1/2 + x² − y².
fn saddle() -> AnyPatch {
    let squared = |x: f64| square_at([-0.5, 0.5], x);
    patch(BIQUADRATIC, |u, v| {
        point![u - 0.5, v - 0.5, 0.5 + squared(u) - squared(v)]
    })
}
