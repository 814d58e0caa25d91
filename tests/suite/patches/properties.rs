//! What must hold for all patches: of geometry, of inclusion, and of the answer to a query.
//!
//! The environment variable `PROPTEST_CASES` makes every property look at that many cases.

use kit::engines;
use kit::scenes::{Motion, mapped, patch};
use nalgebra::{Point3, Rotation3, Vector3};
use patch_ccd::geometry::{Cell, Patch, Shape};
use patch_ccd::inclusion::{Line, overlap_interval};
use patch_ccd::{Inclusion, Method, Moving, Options, Outcome, Workspace};
use proptest::prelude::*;

use super::solve;
use super::strategies::*;

/// The time before which there is proven to be no contact.
fn bound(outcome: &Outcome) -> f64 {
    outcome.toi().unwrap_or(f64::INFINITY)
}

fn kind(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Clear { .. } => "clear",
        Outcome::ContactAtStart { .. } => "contact at the start",
        Outcome::Impact { .. } => "impact",
        Outcome::BudgetExhausted { .. } => "budget exhausted",
    }
}

proptest! {
    // Geometry

    #[test]
    fn sub_patches_cover_the_patch(patch in wild(5), at in parameters()) {
        let whole = patch.start();
        let shape = whole.shape();
        let (u, v) = into_domain(shape, at);
        let point = whole.eval(u, v);
        let mut nested = vec![(whole.clone(), Cell::UNIT)];
        for level in 1..=5 {
            let mut next = Vec::new();
            for (patch, cell) in &nested {
                let children = patch.subdivide().unwrap();
                let areas = children.iter().map(|(_, cell)| cell.width_u * cell.width_v);
                prop_assert_eq!(areas.sum::<f64>(), 1.0);
                let composed = |(child, within)| (child, cell.compose(&within));
                next.extend(children.into_iter().map(composed));
            }
            // Of all parts, go on with those that hold (u, v).
            let local = |cell: &Cell| ((u - cell.u0) / cell.width_u, (v - cell.v0) / cell.width_v);
            next.retain(|(_, cell)| in_domain(shape, local(cell)));
            prop_assert!(!next.is_empty(), "no part of level {level} holds ({u}, {v})");
            for (part, cell) in &next {
                let (u, v) = local(cell);
                prop_assert!((part.eval(u, v) - point).amax() < 1e-13, "level {level}, {cell:?}");
            }
            nested = next;
        }
    }

    #[test]
    fn partial_derivatives_are_limits_of_differences(patch in wild(5), at in parameters()) {
        let patch = patch.start();
        let (u, v) = into_domain(patch.shape(), at);
        let (by_u, by_v) = patch.partials(u, v);
        // h²/6 times the third derivative, at most 60 · 8.
        let h = 1e-5;
        let along_u = (patch.eval(u + h, v) - patch.eval(u - h, v)) / (2.0 * h);
        let along_v = (patch.eval(u, v + h) - patch.eval(u, v - h)) / (2.0 * h);
        prop_assert!((by_u - along_u).amax() < 1e-7);
        prop_assert!((by_v - along_v).amax() < 1e-7);
        if let Some(normal) = patch.normal(u, v) {
            prop_assert!((normal.norm() - 1.0).abs() < 1e-14);
            prop_assert!(normal.dot(&by_u.cross(&by_v)) > 0.0);
            // How much the cross product of nearly parallel derivatives cancels.
            let cancelled = by_u.norm() * by_v.norm() / by_u.cross(&by_v).norm();
            prop_assert!(normal.dot(&by_u).abs() < 1e-12 * cancelled * by_u.norm());
        }
    }

    #[test]
    fn a_moving_patch_is_at_all_times_in_the_hull_of_its_control_points(
        patch in wild(5), at in parameters(), t in 0.0..=2.0_f64, axis in direction(),
    ) {
        let (u, v) = into_domain(patch.start().shape(), at);
        let then = patch.at(t).unwrap();
        let point = patch.eval(u, v, t);
        prop_assert!((then.eval(u, v) - point).amax() < 1e-14);
        let projections = || then.control_points().iter().map(|p| axis.dot(&p.coords));
        let least = projections().fold(f64::INFINITY, f64::min);
        let most = projections().fold(f64::NEG_INFINITY, f64::max);
        let projection = axis.dot(&point.coords);
        prop_assert!(least - 1e-14 <= projection && projection <= most + 1e-14);
    }

    // Inclusion

    #[test]
    fn the_overlap_interval_contains_every_time_of_contact(
        planted in planted(5), axes in prop::collection::vec(direction(), 1..6),
    ) {
        let Planted { patches: [a, b], t } = &planted;
        for inclusion in [Inclusion::Obb, Inclusion::Aabb] {
            let options = Options { inclusion, ..Options::default() };
            let interval = Workspace::new().overlap_interval(a, b, &options).unwrap();
            prop_assert!(
                interval.is_some_and(|[start, end]| start <= *t && *t <= end),
                "{inclusion}: contact at {t}, interval {interval:?}"
            );
        }
        let lines = |motion: &Motion, axis: &Vector3<f64>| -> Vec<Line> {
            let points = motion.start().control_points().iter().zip(motion.velocities().unwrap());
            let line = |(p, v): (&Point3<f64>, &Vector3<f64>)| Line {
                offset: axis.dot(&p.coords),
                slope: axis.dot(v),
            };
            points.map(line).collect()
        };
        let projected: Vec<_> = axes.iter().map(|axis| [lines(a, axis), lines(b, axis)]).collect();
        let textbook = overlap_interval(&projected, [0.0, 1.0]);
        prop_assert!(
            textbook.is_some_and(|[start, end]| start <= t + 1e-12 && t - 1e-12 <= end),
            "textbook: contact at {t}, interval {textbook:?}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    // The answer is safe

    #[test]
    fn no_contact_is_earlier_than_the_time_of_impact(
        planted in planted(5), level in 1..7, max_boxes in 1..3000_u64,
    ) {
        let delta = 0.5_f64.powi(level);
        for options in engines(&Options { delta, max_boxes, ..Options::default() }) {
            let outcome = solve(&planted.patches, &options);
            // Exactly: not even by a rounding.
            prop_assert!(bound(&outcome) <= planted.t, "{outcome:?} with {options:?}");
        }
    }

    #[test]
    fn a_contact_at_the_very_end_is_found(planted in planted(3), level in 1..7) {
        let (t_max, delta) = (planted.t, 0.5_f64.powi(level));
        for options in engines(&Options { delta, t_max, max_boxes: 3000, ..Options::default() }) {
            let outcome = solve(&planted.patches, &options);
            prop_assert!(bound(&outcome) <= t_max, "{outcome:?} with {options:?}");
            if t_max == 0.0 {
                prop_assert_ne!(kind(&outcome), "impact");
            }
        }
    }

    #[test]
    fn a_contact_at_the_start_is_told_as_one(planted in planted(3)) {
        let [a, b] = &planted.patches;
        // The same contact, but at time 0: the motion begins there.
        let from_then = |motion: &Motion| {
            Moving::with_velocities(motion.at(planted.t).unwrap(), motion.velocities().unwrap()).unwrap()
        };
        let patches = [from_then(a), from_then(b)];
        for t_max in [0.0, 1.0] {
            let options = Options { delta: 1e-3, t_max, ..Options::default() };
            let outcome = solve(&patches, &options);
            prop_assert_eq!(kind(&outcome), "contact at the start", "t_max {}", t_max);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_contact_told_is_one(pair in approaching(3)) {
        let options = Options { delta: 1e-4, ..Options::default() };
        let outcome = solve(&pair, &options);
        if let Some(contact) = outcome.contact() {
            let time = contact.time;
            prop_assert!(time >= outcome.toi().unwrap());
            for (side, motion) in pair.iter().enumerate() {
                let (u, v) = contact.parameters[side];
                prop_assert!(in_domain(motion.start().shape(), (u, v)));
                prop_assert_eq!(contact.points[side], motion.eval(u, v, time));
                prop_assert_eq!(contact.normals[side], motion.normal(u, v, time));
            }
            let distance = (contact.points[0] - contact.points[1]).norm();
            prop_assert!((contact.residual - distance).abs() <= 1e-15);
            // The boxes overlap at that time, and are smaller than this.
            prop_assert!(distance < 20.0 * options.delta, "{distance}");
        }
        if let Outcome::Impact { toi, toi_upper, .. } = outcome {
            prop_assert!(0.0 <= toi && toi <= toi_upper && toi_upper <= 1.0);
        }
    }

    // The answer does not depend on how one looks at it

    #[test]
    fn the_order_of_the_patches_does_not_matter(pair in approaching(3)) {
        let [a, b] = &pair;
        let swapped = [b.clone(), a.clone()];
        for (method, inclusion, delta) in [
            (Method::TwoSided, Inclusion::Obb, 1e-4),
            (Method::TwoSided, Inclusion::Aabb, 0.05),
            (Method::TimeDependent, Inclusion::Obb, 1e-4),
            (Method::TimeDependent, Inclusion::Aabb, 0.05),
            (Method::Traditional, Inclusion::Obb, 0.1),
        ] {
            let options = Options { method, inclusion, delta, ..Options::default() };
            let (outcome, other) = (solve(&pair, &options), solve(&swapped, &options).swapped());
            prop_assert_eq!(kind(&outcome), kind(&other), "{:?}", options);
            if let (Some(toi), Some(other)) = (outcome.toi(), other.toi()) {
                prop_assert!((toi - other).abs() <= 2.0 * delta, "{toi}, {other}: {options:?}");
            }
        }
    }

    #[test]
    fn translation_rotation_and_scale_do_not_matter(
        pair in closing(),
        by in prop::array::uniform3(-10.0..10.0_f64).prop_map(Vector3::from),
        axis in direction(),
        angle in 0.0..6.0_f64,
    ) {
        let options = Options { delta: 1e-4, ..Options::default() };
        let outcome = solve(&pair, &options);
        let toi = outcome.toi();
        prop_assert_eq!(kind(&outcome), "impact");
        let rotation = Rotation3::from_axis_angle(&axis, angle);
        for scale in [1e-3, 1.0, 1e3] {
            let place = |p: Point3<f64>| Point3::from((rotation * p.coords + by) * scale);
            let transformed = pair.each_ref().map(|motion| {
                mapped(motion, place, |v| rotation * v * scale)
            });
            let other = solve(&transformed, &options);
            prop_assert_eq!(kind(&other), "impact");
            let difference = (toi.unwrap() - other.toi().unwrap()).abs();
            prop_assert!(difference <= 2.0 * options.delta, "scale {scale}: {toi:?}, {other:?}");
        }
    }

    #[test]
    fn the_unit_of_time_does_not_matter(pair in closing(), t_max in 0.01..100.0_f64) {
        let options = Options { delta: 1e-4, ..Options::default() };
        let toi = solve(&pair, &options).toi().unwrap();
        let slower = pair.each_ref().map(|motion| mapped(motion, |p| p, |v| v / t_max));
        let other = solve(&slower, &Options { t_max, ..options }).toi().unwrap() / t_max;
        prop_assert!((other - toi).abs() <= 2.0 * options.delta, "{other} and {toi}");
    }

    // The answer goes the right way

    #[test]
    fn a_smaller_tolerance_never_lowers_the_time_of_impact(pair in approaching(3)) {
        for (method, inclusion, levels) in [
            (Method::TwoSided, Inclusion::Obb, &[2, 5, 8, 11, 14][..]),
            (Method::TimeDependent, Inclusion::Obb, &[2, 5, 8, 11, 14]),
            (Method::TimeDependent, Inclusion::Aabb, &[2, 3, 4, 5]),
            (Method::Traditional, Inclusion::Obb, &[2, 3, 4]),
        ] {
            let mut least = 0.0;
            for &level in levels {
                let delta = 0.5_f64.powi(level);
                let options = Options { method, inclusion, delta, ..Options::default() };
                let toi = bound(&solve(&pair, &options));
                // A two-sided search ends anywhere within δ below the contact that it found, and
                // its course depends on δ.
                let slack = if method == Method::TwoSided { delta } else { 1e-14 };
                prop_assert!(toi >= least - slack, "{toi} after {least}: {options:?}");
                least = least.max(toi);
            }
        }
    }

    #[test]
    fn the_larger_the_separation_the_earlier_the_contact(
        pair in closing(), separation in 0.0..0.3_f64, more in 0.01..0.3_f64,
    ) {
        // No two points come closer at a higher speed than this.
        let speed = pair.each_ref().map(|motion| {
            motion.velocities().unwrap().iter().map(|v| v.norm()).fold(0.0, f64::max)
        });
        let speed = speed[0] + speed[1];
        for (inclusion, delta) in [(Inclusion::Obb, 1e-3), (Inclusion::Aabb, 1e-2)] {
            let with = |min_separation| {
                solve(&pair, &Options { inclusion, delta, min_separation, ..Options::default() })
            };
            let (near, far) = (with(separation), with(separation + more));
            prop_assert!(
                bound(&far) <= (bound(&near) + 2.0 * delta - more / speed).max(0.0),
                "{inclusion}: {near:?} at {separation}, {far:?} at {more} more"
            );
        }
    }
}

#[test]
fn a_patch_of_any_degree_can_be_an_affine_map() {
    // What the closed-form tests build on: the order of control points, written down a second time.
    let tensors = (1..=5).flat_map(|n| (1..=5).map(move |m| Shape::TensorProduct { n, m }));
    let triangles = (1..=5).map(|n| Shape::Triangular { n });
    for shape in tensors.chain(triangles) {
        let image = |u: f64, v: f64| Point3::new(1.0 + 2.0 * u - v, 3.0 * v, u + v);
        let patch = patch(shape, image);
        for (u, v) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (0.25, 0.5), (0.1, 0.7)] {
            let told = format!("{shape} at ({u}, {v})");
            assert!((patch.eval(u, v) - image(u, v)).amax() < 1e-14, "{told}");
            let (by_u, by_v) = patch.partials(u, v);
            assert!(
                (by_u - Vector3::new(2.0, 0.0, 1.0)).amax() < 1e-13,
                "{told}"
            );
            assert!(
                (by_v - Vector3::new(-1.0, 3.0, 1.0)).amax() < 1e-13,
                "{told}"
            );
        }
    }
}
