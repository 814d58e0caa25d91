//! The steps from control points to gaps and times: what each of them adds to the error. What a
//! step starts from is taken as exact.

use super::scene::SearchStep;
use super::{Tightness, for_steps, roundings, shallow, whole};
use crate::bound::{Axis, Gap, SiblingTest, Values, chord, length_rounded_up};
use crate::branch::impact::time_at;
use crate::lanes::Lanes;
use crate::proofs::{Dyadic, Random, cases, exact};
use crate::rounding::{
    CHORD_ROUNDINGS, DIFFERENCE_ROUNDINGS, HIGHER_ORDER, INTERPOLATION_ROUNDINGS, MOVE_ROUNDINGS,
    PROJECTION_ROUNDINGS, SEPARATION_ROUNDINGS, TIME_ROUNDINGS, UNIT_ROUNDOFF, projection_error,
};

#[test]
fn control_points_at_the_ends_of_an_interval() {
    let tightness = Tightness::default();
    for_steps(100, 15, shallow, |_, step, _| {
        let test = step.projected();
        for (side, net) in step.nets().iter().enumerate() {
            let count = step.search.pair.trees[side].shape().count();
            for (end, t) in step.interval.map(exact).into_iter().enumerate() {
                for k in 0..count {
                    for c in 0..3 {
                        let row = net.trajectory(0, k);
                        let [start, displacement] = [row.start(), row.displacement()];
                        let moved = exact(start[c]) + t.clone() * exact(displacement[c]);
                        let computed = test.moved[side][end][c * count + k][0];
                        let bound = roundings(MOVE_ROUNDINGS, step.largest_coordinate(side, c, &t));
                        let error = (exact(computed) - moved).abs();
                        tightness.check(&error, &bound, || format!("{row:?}"));
                    }
                }
            }
        }
    });
    tightness.report("p + s v");
}

#[test]
fn projections_on_an_axis() {
    let tightness = Tightness::default();
    for_steps(60, 16, shallow, |_, step, _| {
        let test = step.projected();
        for side in 0..2 {
            let count = step.search.pair.trees[side].shape().count();
            for (end, t) in step.interval.map(exact).into_iter().enumerate() {
                for (a, axis) in step.search.impact.kernel.axes.iter().enumerate() {
                    let size = step.largest_projection(side, axis.direction, &t);
                    for k in 0..count {
                        let moved = |c: usize| test.moved[side][end][c * count + k][0];
                        let terms = (0..3).map(|c| exact(axis.direction[c]) * exact(moved(c)));
                        let projection = terms.fold(exact(0.0), |sum, term| sum + term);
                        let computed = test.projections[side][end][a * count + k][0];
                        let error = (exact(computed) - projection).abs();
                        let bound = roundings(PROJECTION_ROUNDINGS, size.clone());
                        tightness.check(&error, &bound, || format!("{:?}", axis.direction));
                    }
                }
            }
        }
    });
    tightness.report("projection");
}

/// The computed projections of the first child of a patch on axis `a`.
fn values<'a>(step: &SearchStep, test: &'a SiblingTest, side: usize, a: usize) -> Values<'a> {
    let count = step.search.pair.trees[side].shape().count();
    let [start, end] = &test.projections[side];
    Values {
        start: &start[a * count..][..count],
        end: &end[a * count..][..count],
        lane: 0,
    }
}

/// An axis with margins of 0.
fn bare(direction: [f64; 3]) -> Axis {
    Axis {
        direction,
        margin: [0.0; 2],
        error: [0.0; 2],
    }
}

#[test]
fn gaps_of_projections() {
    let tightness = Tightness::default();
    for_steps(60, 17, shallow, |_, step, _| {
        let test = step.projected();
        let mut bare_test = SiblingTest::default();
        let axes: Vec<_> = step
            .search
            .impact
            .kernel
            .axes
            .iter()
            .map(|axis| bare(axis.direction))
            .collect();
        bare_test.swept(step.nets(), &axes, step.interval, !0);
        for (a, rows) in bare_test.rows.iter().enumerate() {
            let [one, two] = [0, 1].map(|side| values(step, &test, side, a));
            for end in 0..2 {
                let t = exact(step.interval[end]);
                let of = |values: &Values<'_>| {
                    let all: &[Lanes] = [values.start, values.end][end];
                    let all = all.iter().map(|lanes| exact(lanes[0]));
                    (all.clone().min().unwrap(), all.max().unwrap())
                };
                let ((low1, high1), (low2, high2)) = (of(&one), of(&two));
                let size = (0..2).map(|side| step.largest_projection(side, axes[a].direction, &t));
                let size = size.reduce(|a, b| a + b).unwrap();
                for (side, gap) in [low1 - high2, low2 - high1].into_iter().enumerate() {
                    let computed = rows[0].gaps[side][end][0];
                    let bound = roundings(DIFFERENCE_ROUNDINGS, size.clone());
                    tightness.check(&(exact(computed) - gap).abs(), &bound, String::new);
                }
            }
        }
    });
    tightness.report("gap");
}

#[test]
fn projections_between_the_ends() {
    let tightness = Tightness::default();
    for_steps(60, 18, shallow, |_, step, random| {
        let test = step.projected();
        let [start, end] = step.interval.map(exact);
        for side in 0..2 {
            for (a, axis) in step.search.impact.kernel.axes.iter().enumerate() {
                let values = values(step, &test, side, a);
                let r = random.unit();
                let t = start.clone() + exact(r) * (end.clone() - start.clone());
                let bound = roundings(
                    INTERPOLATION_ROUNDINGS,
                    step.largest_projection(side, axis.direction, &t),
                );
                let between = values.start.iter().zip(values.end).map(|(from, to)| {
                    let (from, to) = (exact(from[0]), exact(to[0]));
                    from.clone() + exact(r) * (to - from)
                });
                let between: Vec<_> = between.collect();
                let extremes = [between.iter().min(), between.iter().max()];
                for (extreme, sign) in extremes.into_iter().zip([1.0, -1.0]) {
                    let (computed, _) = values.extreme(r, sign);
                    let error = (exact(computed) - extreme.unwrap().clone()).abs();
                    tightness.check(&error, &bound, || format!("at {r}"));
                }
            }
        }
    });
    tightness.report("between the ends");
}

/// The error is the exact distance by which a projection of the computed nets moves between the
/// exact time of a fraction and the computed one.
#[test]
fn times_of_fractions() {
    let tightness = Tightness::default();
    for_steps(100, 19, whole, |scene, step, random| {
        let [start, end] = step.interval;
        let r = random.unit();
        let computed = exact(time_at(step.interval, r));
        let t = exact(start) + exact(r) * (exact(end) - exact(start));
        for (side, net) in step.nets().iter().enumerate() {
            for axis in &step.search.impact.kernel.axes {
                for k in 0..scene.patches[side].points.len() {
                    let slope = (0..3).map(|c| {
                        let displacement = net.trajectory(0, k).displacement();
                        exact(axis.direction[c]) * exact(displacement[c])
                    });
                    let slope = slope.reduce(|a, b| a + b).unwrap();
                    let error = (slope * (computed.clone() - t.clone())).abs();
                    let bound = roundings(
                        TIME_ROUNDINGS,
                        step.largest_projection(side, axis.direction, &t),
                    );
                    tightness.check(&error, &bound, || format!("{:?} at {r}", step.interval));
                }
            }
        }
    });
    tightness.report("time");
}

/// Checks the margin at both ends of an interval and between them, where `Gap::at` computes it. It
/// must be no less than the separation times the length of the axis, plus the error bound of the
/// patches without the rounding for higher orders.
#[test]
fn margins_of_a_minimum_separation() {
    let tightness = Tightness::default();
    let mut seen = 0;
    for_steps(300, 20, whole, |scene, step, random| {
        if scene.options.min_separation == 0.0 {
            return;
        }
        seen += 1;
        for axis in &step.search.impact.kernel.axes {
            let length = exact(length_rounded_up(axis.direction));
            let separation = step.min_separation.clone() * length;
            let r = random.unit();
            // If all projections are 0, the gap at r is minus the margin there.
            let nothing = [Lanes::splat(0.0)];
            let nothing = Values {
                start: &nothing,
                end: &nothing,
                lane: 0,
            };
            let gap = |r: f64| {
                let (gap, _) = Gap {
                    above: nothing,
                    below: nothing,
                    axis,
                }
                .at(r);
                -gap
            };
            for (r, margin) in [(0.0, axis.margin[0]), (1.0, axis.margin[1]), (r, gap(r))] {
                let [start, end] = step.interval.map(exact);
                let t = start.clone() + exact(r) * (end - start);
                let errors = (0..2).map(|side| {
                    let tree = &step.search.pair.trees[side];
                    let split = tree.roundings(step.families[side]);
                    let count = projection_error(split) - HIGHER_ORDER * UNIT_ROUNDOFF;
                    exact(count) * step.largest_projection(side, axis.direction, &t)
                });
                let needed = errors.fold(separation.clone(), |sum, error| sum + error);
                assert!(exact(margin) >= needed, "at {r}: {margin:e}");
                let spare = exact(margin) - needed;
                let bound = roundings(SEPARATION_ROUNDINGS, separation.clone());
                // If the errors of the patches prevail, this says nothing about the separation.
                if spare < bound {
                    tightness.check(&spare, &bound, String::new);
                }
            }
        }
    });
    assert!(seen > 0);
    tightness.report("minimum separation (bound / what was left of it)");
}

/// The error is the exact value of the lowered chord at its computed root. It would be 0 without
/// rounding.
#[test]
fn roots_of_chords() {
    let tightness = Tightness::default();
    let mut random = Random::new(21);
    for _ in 0..cases(20_000) {
        let small = |random: &mut Random| 0.5_f64.powi(random.below(60) as i32);
        let margin = [0; 2].map(|_| random.unit() * small(&mut random));
        let error = margin.map(|margin| margin * random.unit() * small(&mut random));
        let gaps = [random.unit(), -random.unit()].map(|gap| gap * small(&mut random));
        let gaps = if random.chance(2) {
            [gaps[1], gaps[0]]
        } else {
            gaps
        };
        let above = [gaps[0] - margin[0], gaps[1] - margin[1]];
        let (lowered, root) = chord(above, error);
        if (lowered[0] > 0.0) == (lowered[1] > 0.0) {
            continue;
        }
        let exact_lowered =
            [0, 1].map(|end| exact(gaps[end]) - exact(margin[end]) - exact(error[end]));
        let line = |[from, to]: [Dyadic; 2]| from.clone() + exact(root) * (to - from);
        let sizes = [0, 1]
            .map(|end| exact(gaps[end]).abs().max(exact(gaps[1 - end]).abs()) + exact(margin[end]));
        let size = sizes[0].clone().max(sizes[1].clone());
        let bound = roundings(CHORD_ROUNDINGS, size);
        tightness.check(&line(exact_lowered).abs(), &bound, || {
            format!("{above:?} {error:?}")
        });
    }
    tightness.report("chord's root");
}
