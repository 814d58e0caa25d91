//! Whole searches in scenes whose contact is known exactly.

use nalgebra::{Point3, Vector3};

use super::scene::Scene;
use crate::branch::Search;
use crate::branch::impact::{Run, Window};
use crate::geometry::{Rational, TensorProductPatch};
use crate::proofs::{Random, cases};
use crate::{Counters, Inclusion, Method, Moving, Options, Outcome, time_of_impact};

/// A corner of one patch meets a corner of the other one at a time that is a multiple of 1/8, while
/// along one axis all other points are farther apart. No search may say that there is no contact up
/// to that time.
#[test]
fn a_contact_is_never_missed() {
    let mut random = Random::new(50);
    let mut search = Search::new();
    let mut near = 0;
    for case in 0..cases(600) {
        let mut scene = Scene::random(&mut random, 4);
        let size = scene.patches[0].points[0].coords.map(|x| {
            let power = x.abs().max(f64::MIN_POSITIVE).log2() as i32;
            2.0_f64.powi(power.clamp(-1000, 900))
        });
        // The numbers have few bits, so that what is computed with them here is exact.
        let mut vector = || {
            Vector3::from_fn(|c, _| {
                size[c] * (random.below(1 << 20) as f64 * 0.5_f64.powi(20) - 0.5)
            })
        };
        let (start, one, two) = (vector(), vector(), vector());
        let time = random.below(9) as f64 / 8.0;
        let axis = random.below(3);
        // If this is 1, the first patch comes from below.
        let from = if one[axis] >= two[axis] { 1.0 } else { -1.0 };
        let sides = [(one, -from), (two, from)];
        for (patch, (velocity, side)) in scene.patches.iter_mut().zip(sides) {
            let at = start - velocity * time;
            let corner = if random.chance(2) {
                0
            } else {
                patch.points.len() - 1
            };
            for (k, (point, v)) in patch
                .points
                .iter_mut()
                .zip(&mut patch.velocities)
                .enumerate()
            {
                if k == corner {
                    (*point, *v) = (Point3::from(at), velocity);
                } else {
                    // Rounding does not change the order of two numbers.
                    point[axis] = at[axis] + side * (point[axis] - at[axis]).abs();
                    v[axis] = velocity[axis] + side * (v[axis] - velocity[axis]).abs();
                }
            }
            patch.ends = None;
        }
        let options = Options {
            method: [Method::TwoSided, Method::TimeDependent, Method::Traditional][case % 3],
            t_max: 1.0,
            min_separation: 0.0,
            max_boxes: 1000,
            ..scene.options
        };
        let in_range = |points: &[Point3<f64>], velocities: &[Vector3<f64>]| {
            crate::motion::check_range(points, velocities, 1.0).is_ok()
        };
        if !scene
            .patches
            .iter()
            .all(|patch| in_range(&patch.points, &patch.velocities))
        {
            continue;
        }
        search.pair.load(&scene.views(), &options);
        let verdict = search.run(&options, &Window::WHOLE, false, &mut Counters::default());
        let free = match verdict {
            Run::Clear => f64::INFINITY,
            Run::Accepted(accepted) => accepted.interval[0],
            Run::Exhausted { start, .. } => start,
        };
        assert!(
            free <= time,
            "case {case}: {verdict:?}, but contact at {time}"
        );
        near += usize::from(free > time - 1e-3);
    }
    // In most of the other cases the contact is at the start, or the budget of boxes runs out.
    assert!(near > 10, "{near}");
}

/// Two patches have a corner in common. Along y both are so thin that the product of the corner
/// with its weight would be subnormal if the *largest* weight were scaled to 1. The quotient would
/// then move the corner by far more than some roundings, and move the patches apart.
#[test]
fn a_weighted_coordinate_does_not_underflow() {
    let y = 2.0_f64.powi(-400) * (1.0 + 2.0_f64.powi(-12));
    let below = [
        Point3::new(-1.0, -3.0 * y, -1.0),
        Point3::new(-1.0, -3.0 * y, 0.0),
        Point3::new(0.0, -3.0 * y, -1.0),
        Point3::new(0.0, y, 0.0),
    ];
    let above = [
        Point3::new(0.0, y, 0.0),
        Point3::new(0.0, 2.0 * y, 1.0),
        Point3::new(1.0, 2.0 * y, 0.0),
        Point3::new(1.0, 2.0 * y, 1.0),
    ];
    let weights = [1.0, 1.0, 1.0, 2.0_f64.powi(-664)];
    let below = Rational::new(TensorProductPatch::new(1, 1, &below).unwrap(), &weights).unwrap();
    let above = TensorProductPatch::new(1, 1, &above).unwrap();
    for inclusion in [Inclusion::Aabb, Inclusion::Obb] {
        let options = Options {
            inclusion,
            ..Options::default()
        };
        let (below, above) = (
            Moving::resting(below.clone()),
            Moving::resting(above.clone()),
        );
        let outcome = time_of_impact(&below, &above, &options).unwrap();
        assert!(
            matches!(outcome, Outcome::ContactAtStart { .. }),
            "{inclusion}: {outcome:?}"
        );
    }
}
