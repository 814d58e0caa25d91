//! Every bound by itself: what one step of the computation adds to the error, with what came before it taken as exact.

use nalgebra::Point3;

use super::net::{ExactNet, Fraction};
use super::scene::{Scene, Step};
use super::{Tightness, roundings};
use crate::geometry::{Cell, Shape, Split, TensorProductPatch, TriangularPatch};
use crate::inclusion::{Axis, Gap, Lanes, Values, chord};
use crate::motion::{MotionView, Moving};
use crate::options::Options;
use crate::rounding::exact::{Dyadic, Random, cases, exact};
use crate::rounding::{
    CHORD_ROUNDINGS, DIFFERENCE_ROUNDINGS, DISPLACEMENT_ROUNDINGS, INTERPOLATION_ROUNDINGS,
    MOVE_ROUNDINGS, PROJECTION_ROUNDINGS, SEPARATION_ROUNDINGS, START_ROUNDINGS, TIME_ROUNDINGS,
    UNDERFLOW, UNIT_ROUNDOFF, evaluation_error, split_roundings,
};
use crate::search::{Search, time_at};

/// Calls `check` on random steps of the search.
fn for_steps(
    usual: usize,
    seed: u64,
    level: fn(&mut Random) -> u32,
    mut check: impl FnMut(&Scene, &Step, &mut Random),
) {
    let mut random = Random::new(seed);
    for case in 0..cases(usual) {
        // A few of high degree.
        let degrees = if case % 32 == 31 { 9 } else { 5 };
        let scene = Scene::random(&mut random, degrees);
        let level = level(&mut random);
        let step = Step::new(&scene, level, &mut random);
        check(&scene, &step, &mut random);
    }
}

fn whole(_: &mut Random) -> u32 {
    0
}

fn anywhere(random: &mut Random) -> u32 {
    random.below(41) as u32
}

fn shallow(random: &mut Random) -> u32 {
    random.below(4) as u32
}

#[test]
fn start_coordinates() {
    let tightness = Tightness::default();
    for_steps(200, 10, whole, |scene, step, _| {
        for (side, net) in step.nets().iter().enumerate() {
            for k in 0..scene.patches[side].points.len() {
                for c in 0..3 {
                    let computed = net.row(0, k)[c];
                    let bound = roundings(START_ROUNDINGS, exact(computed).abs());
                    let [error, bound] = step.roots[side].coordinate(k, c).error(computed, bound);
                    tightness.check(&error, &bound, || format!("{computed:e}"));
                }
            }
        }
    });
    tightness.report("start coordinate");
}

#[test]
fn displacements() {
    let tightness = Tightness::default();
    for_steps(200, 11, whole, |scene, step, _| {
        for (side, net) in step.nets().iter().enumerate() {
            for k in 0..scene.patches[side].points.len() {
                for c in 3..6 {
                    let computed = net.row(0, k)[c];
                    let bound = roundings(DISPLACEMENT_ROUNDINGS, exact(computed).abs());
                    let [error, bound] = step.roots[side].coordinate(k, c).error(computed, bound);
                    tightness.check(&error, &bound, || format!("{computed:e}"));
                }
            }
        }
    });
    tightness.report("displacement");
}

/// The nets of the children, against exact parts of the net that the arena starts from.
fn subdivision(scene: &Scene, step: &Step, tightness: &Tightness, rational: bool) {
    let nets = step.nets();
    for (side, patch) in scene.patches.iter().enumerate() {
        let arena = &step.search.arenas[side];
        let split = arena.roundings(step.families[side]);
        if split == 0 || patch.weights.is_some() != rational {
            continue;
        }
        let root = arena.nets(0);
        let rows: Vec<_> = (0..patch.points.len())
            .map(|k| root.row(0, k).map(exact))
            .collect();
        let root = ExactNet::new(patch.shape, &rows, patch.weights.as_deref());
        for lane in 0..step.counts()[side] {
            let part = root.part(&arena.cell(4 * step.families[side] + lane as u32));
            for k in 0..patch.points.len() {
                for (c, computed) in nets[side].row(lane, k).into_iter().enumerate() {
                    let size = exact(step.search.extents[side][c / 3][c % 3]);
                    let bound = roundings(f64::from(split), size);
                    let [error, bound] = part.coordinate(k, c).error(computed, bound);
                    let place = || format!("{} after {split} roundings, point {k}", patch.shape);
                    tightness.check(&error, &bound, place);
                }
            }
        }
    }
}

#[test]
fn subdivision_of_polynomial_patches() {
    let tightness = Tightness::default();
    for_steps(60, 12, anywhere, |scene, step, _| {
        subdivision(scene, step, &tightness, false);
    });
    tightness.report("subdivision");
}

#[test]
fn subdivision_of_rational_patches() {
    let tightness = Tightness::default();
    for_steps(60, 13, anywhere, |scene, step, _| {
        subdivision(scene, step, &tightness, true);
    });
    tightness.report("rational subdivision");
}

/// The middle of a rational edge, where few roundings may come together: product, average, average of the weights, quotient.
#[test]
fn one_subdivision_of_a_rational_edge() {
    let tightness = Tightness::default();
    let mut random = Random::new(14);
    let shape = Shape::TensorProduct { n: 1, m: 0 };
    let mut search = Search::new();
    let velocities = [nalgebra::Vector3::zeros(); 2];
    for _ in 0..cases(5000) {
        let weights = [1.0 + random.unit(), 1.0 + random.unit()];
        let mut point = || Point3::from([0; 3].map(|_| 1.0 + 0.01 * random.unit()));
        let edge = [point(), point()];
        let opposite = edge.map(|point| -point);
        let view = |points| MotionView {
            shape,
            points,
            velocities: &velocities,
            weights: Some(&weights),
        };
        // With the opposite edge, so that the middle of the scene is the origin.
        search.load(&[view(&edge), view(&opposite)], &Options::default());
        let arena = &mut search.arenas[0];
        let family = arena.children(0, Split::Even);
        arena.load(family);
        let rows =
            edge.map(|point| std::array::from_fn(|c| exact(if c < 3 { point[c] } else { 0.0 })));
        let half = ExactNet::new(shape, &rows, Some(&weights)).part(&Cell {
            width_u: 0.5,
            ..Cell::UNIT
        });
        for c in 0..3 {
            let size = exact(search.extents[0][0][c]);
            let bound = roundings(split_roundings(1, true) as f64, size);
            let computed = search.arenas[0].nets(family).row(0, 1)[c];
            let [error, bound] = half.coordinate(1, c).error(computed, bound);
            tightness.check(&error, &bound, || format!("{edge:?}, weights {weights:?}"));
        }
    }
    tightness.report("middle of a rational edge");
}

#[test]
fn control_points_at_the_ends_of_an_interval() {
    let tightness = Tightness::default();
    for_steps(100, 15, shallow, |_, step, _| {
        let test = step.projected();
        for (side, net) in step.nets().iter().enumerate() {
            let count = step.search.arenas[side].shape().count();
            for (end, t) in step.interval.map(exact).into_iter().enumerate() {
                for k in 0..count {
                    for c in 0..3 {
                        let row = net.row(0, k);
                        let moved = exact(row[c]) + t.clone() * exact(row[3 + c]);
                        let computed = test.moved[side][end][c * count + k][0];
                        let bound = roundings(MOVE_ROUNDINGS, step.size(side, c, &t));
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
            let count = step.search.arenas[side].shape().count();
            for (end, t) in step.interval.map(exact).into_iter().enumerate() {
                for (a, axis) in step.search.axes.iter().enumerate() {
                    let size = step.reach(side, axis.direction, &t);
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

/// The computed projections of a child on axis `a`.
fn values<'a>(
    step: &Step,
    test: &'a crate::inclusion::SiblingTest,
    side: usize,
    a: usize,
) -> Values<'a> {
    let count = step.search.arenas[side].shape().count();
    let [start, end] = &test.projections[side];
    Values {
        start: &start[a * count..][..count],
        end: &end[a * count..][..count],
        lane: 0,
    }
}

/// What is used of an axis if margins are not asked for.
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
        let mut bare_test = crate::inclusion::SiblingTest::default();
        let axes: Vec<_> = step
            .search
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
                let size = (0..2).map(|side| step.reach(side, axes[a].direction, &t));
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
            for (a, axis) in step.search.axes.iter().enumerate() {
                let values = values(step, &test, side, a);
                let r = random.unit();
                let t = start.clone() + exact(r) * (end.clone() - start.clone());
                let bound = roundings(
                    INTERPOLATION_ROUNDINGS,
                    step.reach(side, axis.direction, &t),
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

/// By how much an exact projection of the computed nets moves between the exact time and the computed one.
#[test]
fn times_of_fractions() {
    let tightness = Tightness::default();
    for_steps(100, 19, whole, |scene, step, random| {
        let [start, end] = step.interval;
        let r = random.unit();
        let computed = exact(time_at(step.interval, r));
        let t = exact(start) + exact(r) * (exact(end) - exact(start));
        for (side, net) in step.nets().iter().enumerate() {
            for axis in &step.search.axes {
                for k in 0..scene.patches[side].points.len() {
                    let slope =
                        (0..3).map(|c| exact(axis.direction[c]) * exact(net.row(0, k)[3 + c]));
                    let slope = slope.reduce(|a, b| a + b).unwrap();
                    let error = (slope * (computed.clone() - t.clone())).abs();
                    let bound = roundings(TIME_ROUNDINGS, step.reach(side, axis.direction, &t));
                    tightness.check(&error, &bound, || format!("{:?} at {r}", step.interval));
                }
            }
        }
    });
    tightness.report("time");
}

/// The margin at both ends and, as `gap.rs` has it, between them, beside the separation as computed and the bound without it.
#[test]
fn margins_of_a_minimum_separation() {
    let tightness = Tightness::default();
    let mut seen = 0;
    for_steps(300, 20, whole, |scene, step, random| {
        if scene.options.min_separation == 0.0 {
            return;
        }
        seen += 1;
        for axis in &step.search.axes {
            let length = exact(crate::inclusion::length_rounded_up(axis.direction));
            let separation = step.min_separation.clone() * length;
            let r = random.unit();
            // The margin at r is the gap of nothing.
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
                    let arena = &step.search.arenas[side];
                    let split = arena.roundings(step.families[side]);
                    let count = crate::rounding::projection_error(split)
                        - crate::rounding::HIGHER_ORDER * UNIT_ROUNDOFF;
                    exact(count) * step.reach(side, axis.direction, &t)
                });
                let needed = errors.fold(separation.clone(), |sum, error| sum + error);
                assert!(exact(margin) >= needed, "at {r}: {margin:e}");
                let spare = exact(margin) - needed;
                let bound = roundings(SEPARATION_ROUNDINGS, separation.clone());
                // Nothing to be tight about where the errors of the patches prevail.
                if spare < bound {
                    tightness.check(&spare, &bound, String::new);
                }
            }
        }
    });
    assert!(seen > 0);
    tightness.report("minimum separation (bound / what was left of it)");
}

/// The exact chord of the margins' heights, at the root as computed.
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
        let (heights, root) = chord(above, error);
        if (heights[0] > 0.0) == (heights[1] > 0.0) {
            continue;
        }
        let exact_heights =
            [0, 1].map(|end| exact(gaps[end]) - exact(margin[end]) - exact(error[end]));
        let line = |[from, to]: [Dyadic; 2]| from.clone() + exact(root) * (to - from);
        let sizes = [0, 1]
            .map(|end| exact(gaps[end]).abs().max(exact(gaps[1 - end]).abs()) + exact(margin[end]));
        let size = sizes[0].clone().max(sizes[1].clone());
        let bound = roundings(CHORD_ROUNDINGS, size);
        tightness.check(&line(exact_heights).abs(), &bound, || {
            format!("{above:?} {error:?}")
        });
    }
    tightness.report("chord's root");
}

/// Points of the whole patches, against the blossom with equal arguments.
#[test]
fn points_of_patches() {
    let tightness = Tightness::default();
    let check = |search: &mut Search,
                 shape: Shape,
                 net: &ExactNet,
                 (u, v): (f64, f64),
                 t: f64,
                 side: usize| {
        let jet = search.arenas[side].jet((u, v));
        let point = net.part(&Cell {
            u0: u,
            v0: v,
            h: 0.0,
        });
        let extents = search.extents[side];
        let largest = (0..3)
            .map(|c| exact(extents[0][c]) + exact(t) * exact(extents[1][c]))
            .max();
        let bound = exact(evaluation_error(shape.degrees())) * largest.unwrap() + exact(UNDERFLOW);
        for c in 0..3 {
            let [start, displacement] = [c, 3 + c].map(|c| point.coordinate(0, c));
            let computed = jet.position(0, c, t);
            let value = Fraction {
                numerator: start.numerator + exact(t) * displacement.numerator,
                denominator: start.denominator,
            };
            let [error, bound] = value.error(computed, bound.clone());
            tightness.check(&error, &bound, || format!("{shape} at ({u}, {v}), {t}"));
        }
    };
    for_steps(60, 22, whole, |scene, step, _| {
        let mut search = Search::new();
        search.load(&scene.views(), &scene.options);
        for side in 0..2 {
            let patch = &scene.patches[side];
            let rows: Vec<_> = (0..patch.points.len())
                .map(|k| step.nets()[side].row(0, k).map(exact))
                .collect();
            let net = ExactNet::new(patch.shape, &rows, patch.weights.as_deref());
            check(
                &mut search,
                patch.shape,
                &net,
                scene.parameters[side],
                scene.time,
                side,
            );
        }
    });
    // The third coordinate of a triangle, u + v near 1, with control points that alternate.
    let mut random = Random::new(23);
    for n in [10, 14] {
        let shape = Shape::Triangular { n };
        let points: Vec<_> = (0..=n)
            .flat_map(|j| (0..=n - j).map(move |i| if (i + j) % 2 == 0 { 1.0 } else { -1.0 }))
            .map(|x| Point3::new(x, 1.0, 1.0))
            .collect();
        let patch = Moving::resting(TriangularPatch::new(n, &points).unwrap());
        let other = Moving::resting(
            TensorProductPatch::new(1, 1, &[Point3::new(-1.0, -1.0, -1.0); 4]).unwrap(),
        );
        let mut search = Search::new();
        search.load(&[patch.view(), other.view()], &Options::default());
        let rows: Vec<_> = points
            .iter()
            .map(|p| std::array::from_fn(|c| exact(if c < 3 { p[c] } else { 0.0 })))
            .collect();
        let net = ExactNet::new(shape, &rows, None);
        for _ in 0..4 {
            let u = random.unit();
            let v = (1.0 - u) * (1.0 - 0.01 * random.unit());
            check(&mut search, shape, &net, (u, v), 0.0, 0);
        }
    }
    tightness.report("point of a patch");
}
