//! The lemmas of motion that is not along straight lines.

use nalgebra::{Point3, Vector3};

use super::fixed::Fixed;
use super::{Dyadic, Random, cases, exact};
use crate::bound::first_zero;
use crate::motion::{RigidMotion, restrict_cubic, restrict_quadratic};
use crate::rounding::{
    MAX_ANGLE, ROTATION_ROUNDINGS, SIN_COS_ROUNDINGS, TIME_AVERAGE_ROUNDINGS, UNIT_ROUNDOFF,
    sin_cos,
};
use crate::vector::{Vector, length};

fn bound(roundings: f64, size: f64) -> Fixed {
    Fixed::of(roundings * UNIT_ROUNDOFF * size * (1.0 + 1e-9))
}

#[test]
fn sine_and_cosine() {
    let mut random = Random::new(40);
    let mut worst = 0.0_f64;
    for _ in 0..cases(4_000) {
        // Near multiples of a quarter turn, and anywhere.
        let quarters = random.below(600_000) as f64;
        let x = match random.below(4) {
            0 => random.sign() * MAX_ANGLE,
            1 => random.sign() * std::f64::consts::PI,
            2 => random.sign() * 0.5_f64.powi(random.below(60) as i32),
            _ => quarters * std::f64::consts::FRAC_PI_2 + random.sign() * 1e-9,
        };
        let (sine, cosine) = Fixed::of(x).sin_cos();
        let found = sin_cos(x);
        for (found, exact) in [(found.0, sine), (found.1, cosine)] {
            let error = (Fixed::of(found) - exact).abs();
            worst = worst.max(error.about() / UNIT_ROUNDOFF);
            assert!(
                error <= bound(SIN_COS_ROUNDINGS, 1.0),
                "{x}: {}",
                error.about()
            );
        }
    }
    assert!(worst > 0.5, "the bound is compared with nothing: {worst}");
}

/// Where a point of a rigid body is, to far more digits than doubles have: c + t v + R(t ω) q.
fn exact_place(
    center: Vector,
    velocity: Vector,
    angular_velocity: Vector,
    q: Vector,
    t: f64,
) -> [Fixed; 3] {
    let all = |x: Vector| x.map(Fixed::of);
    let (w, q, time) = (all(angular_velocity), all(q), Fixed::of(t));
    let dot = |a: &[Fixed; 3], b: &[Fixed; 3]| {
        let products = (0..3).map(|k| a[k].clone() * b[k].clone());
        products.reduce(|a, b| a + b).expect("three")
    };
    let rate = dot(&w, &w).root();
    let (sine, cosine) = (rate.clone() * time.clone()).sin_cos();
    let axis = w.map(|w| w.over(&rate));
    let along = dot(&axis, &q) * (Fixed::of(1.0) - cosine.clone());
    std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        let cross = axis[i].clone() * q[j].clone() - axis[j].clone() * q[i].clone();
        let turned =
            q[k].clone() * cosine.clone() + cross * sine.clone() + axis[k].clone() * along.clone();
        Fixed::of(center[k]) + time.clone() * Fixed::of(velocity[k]) + turned
    })
}

#[test]
fn turned_points() {
    let mut random = Random::new(41);
    let mut worst = 0.0_f64;
    for _ in 0..cases(1_000) {
        let mut vector = |size: f64| Vector3::from([(); 3].map(|()| size * random.sign()));
        let motion = RigidMotion {
            center: vector(1.0).into(),
            velocity: vector(1.0),
            angular_velocity: vector(1.0),
        };
        let q = vector(1.0);
        let power = 10.0_f64.powi(random.below(6) as i32 - 2);
        let motion = RigidMotion {
            angular_velocity: motion.angular_velocity * power,
            ..motion
        };
        let t = random.unit();
        let screw = motion.scaled(Point3::origin(), 1.0, 1.0);
        let found = screw.pose(t).point(q.into());
        let exact = exact_place(
            motion.center.coords.into(),
            motion.velocity.into(),
            motion.angular_velocity.into(),
            q.into(),
            t,
        );
        let angle = motion.angular_velocity.norm() * t;
        for k in 0..3 {
            let size = (1.0 + angle) * length(q.into())
                + (motion.center[k].abs() + 2.0 * motion.velocity[k].abs()) / 32.0;
            let error = (Fixed::of(found[k]) - exact[k].clone()).abs();
            let bound = bound(f64::from(ROTATION_ROUNDINGS), size);
            worst = worst.max(error.about() / bound.about());
            assert!(error <= bound, "{motion:?} at {t}: {}", error.about());
        }
    }
    assert!(worst > 0.01, "the bound is compared with nothing: {worst}");
}

/// The layers over an interval against the blossom, in exact arithmetic.
#[test]
fn layers_over_an_interval() {
    let mut random = Random::new(42);
    let mut worst = 0.0_f64;
    for _ in 0..cases(4_000) {
        let layers = [(); 4].map(|()| random.sign());
        let (x, y) = (random.unit(), random.unit());
        let [a, b] = [x.min(y), x.max(y)];
        let weights = [a, b].map(|t| [1.0 - t, t]);
        for degree in [2, 3] {
            let found: Vec<f64> = if degree == 2 {
                let [x, y, z, _] = layers;
                restrict_quadratic([x, y, z], weights[0], weights[1]).to_vec()
            } else {
                restrict_cubic(layers, weights[0], weights[1]).to_vec()
            };
            for (k, found) in found.into_iter().enumerate() {
                let mut values: Vec<Dyadic> = layers[..=degree].iter().map(|&x| exact(x)).collect();
                for step in 0..degree {
                    let t = exact(if step < degree - k { a } else { b });
                    let next = values.windows(2).map(|pair| {
                        (exact(1.0) - t.clone()) * pair[0].clone() + t.clone() * pair[1].clone()
                    });
                    values = next.collect();
                }
                let error = (exact(found) - values[0].clone()).abs();
                let roundings = degree as u32 * TIME_AVERAGE_ROUNDINGS;
                let size = layers[..=degree]
                    .iter()
                    .fold(0.0_f64, |m, x| m.max(x.abs()));
                let bound = exact(f64::from(roundings) * UNIT_ROUNDOFF * size);
                assert!(error <= bound, "{layers:?} {a} {b}");
                worst = worst.max(error.ratio(&bound));
            }
        }
    }
    assert!(worst > 0.1, "the bound is compared with nothing: {worst}");
}

/// Up to the fraction that is returned, a polynomial with these coefficients is positive.
#[test]
fn polynomials_are_positive_up_to_the_first_zero() {
    let mut random = Random::new(43);
    let mut exact_ones = 0;
    for _ in 0..cases(10_000) {
        let degree = 1 + random.below(3);
        let coefficients = [(); 4].map(|()| {
            let size = 10.0_f64.powi(random.below(20) as i32 - 18);
            random.sign() * if random.chance(3) { size } else { 1.0 }
        });
        let r = first_zero(|k| coefficients[k], degree);
        assert!((0.0..=1.0).contains(&r), "{coefficients:?}");
        if coefficients[0] <= 0.0 {
            assert_eq!(r, 0.0);
            continue;
        }
        // The hull itself: the least value of lines between coefficients on both sides of r.
        let r = exact(r);
        let place = |k: usize| (Dyadic::integer(k), exact(coefficients[k]));
        for i in 0..=degree {
            for j in i + 1..=degree {
                let ((x, a), (y, b)) = (place(i), place(j));
                // r d is between i and j: the line there is positive, times (j − i).
                let at = r.clone() * Dyadic::integer(degree);
                if at < x || at > y {
                    continue;
                }
                let value = (y - at.clone()) * a + (at - x) * b;
                assert!(value.is_positive(), "{coefficients:?} of degree {degree}");
                exact_ones += 1;
            }
        }
    }
    assert!(exact_ones > 0);
}
