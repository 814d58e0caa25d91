//! Single queries, with every engine.

use kit::linear::{EDGE_EDGE, Linear, VERTEX_EDGE, VERTEX_FACE, VERTEX_VERTEX};
use kit::{ENGINES, Unchecked, assert_not_later, check_outcome, engines};
use nalgebra::{Point3, Vector3};
use patch_ccd::geometry::{AnyPatch, Patch, Shape};
use patch_ccd::{
    Contact, Error, Inclusion, Method, Moving, Options, Outcome, Step, Workspace, time_of_impact,
    time_of_impact_batch,
};

use super::input::{Input, Range};
use super::outcomes::{assert_clear_message, distance, witness};

pub(crate) type Motion = Moving<Unchecked>;

type Answer = Result<Outcome, Error>;

/// A moving patch, or none where its constructors say what is wrong.
pub(crate) fn motion(input: &mut Input<'_>) -> Option<Motion> {
    let shape = input.shape();
    let right = shape.count().min(1000);
    let count = input.count(right);
    let start = Unchecked {
        shape,
        points: input.points(count),
        weights: input.chance(3).then(|| {
            let count = input.count(right);
            input.weights(count)
        }),
    };
    let checked = match &start.weights {
        None => AnyPatch::from_shape(shape, &start.points),
        Some(weights) => AnyPatch::rational_from_shape(shape, &start.points, weights),
    };
    let count = input.count(right);
    let velocities = input.vectors(count);
    match (checked, Moving::with_velocities(start, &velocities)) {
        (Ok(patch), Ok(moving)) => {
            assert_eq!(patch.control_points(), moving.start().control_points());
            Some(moving)
        }
        // Also what the constructors of this crate refuse goes on to the query.
        (Err(error), Ok(moving)) => {
            assert_clear_message(&error);
            Some(moving)
        }
        (_, Err(error)) => {
            assert_clear_message(&error);
            None
        }
    }
}

/// The largest coordinate that either patch has within the horizon.
fn extent(pair: [&Motion; 2], t_max: f64) -> f64 {
    let coordinates = pair.into_iter().flat_map(|motion| {
        let points = motion.start().control_points().iter();
        points
            .zip(motion.velocities().expect("straight lines"))
            .map(|(p, v)| p.coords.amax() + v.amax() * t_max)
    });
    coordinates.fold(0.0, f64::max)
}

/// The same motion, its points moved aside.
fn moved(motion: &Motion, by: Vector3<f64>) -> Motion {
    let mut start = motion.start().clone();
    start.points.iter_mut().for_each(|point| *point += by);
    let velocities = motion.velocities().expect("straight lines");
    Moving::with_velocities(start, velocities).expect("as many velocities")
}

/// The same answer; of errors, which may hold NaN, the same text.
#[track_caller]
fn assert_same(a: &Answer, b: &Answer) {
    match (a, b) {
        (Err(a), Err(b)) => assert_eq!(a.to_string(), b.to_string()),
        _ => assert_eq!(a, b),
    }
}

/// Two patches, all methods and inclusions, either order.
pub fn patch_queries(bytes: &[u8]) {
    let mut input = Input::new(bytes);
    let most = if bytes.len() > 1 && bytes[1].is_multiple_of(16) {
        2000
    } else {
        300
    };
    let options = input.options(most);
    let (Some(a), Some(mut b)) = (motion(&mut input), motion(&mut input)) else {
        return;
    };
    let high = [&a, &b]
        .iter()
        .any(|motion| motion.start().shape.count() > 60);
    let options = Options {
        max_boxes: match options.max_boxes {
            boxes @ 1..=2000 if high => boxes.min(40),
            boxes => boxes,
        },
        ..options
    };
    let planted = input.range == Range::Tame && input.chance(2);
    let time = if planted {
        plant(&mut input, &a, &mut b, options.t_max)
    } else {
        None
    };
    let scale = extent([&a, &b], options.t_max).max(options.min_separation);
    let slack = 1e-9 * scale;
    let measured = input.pick(&ENGINES);
    let mut workspace = Workspace::new();
    let mut witnesses = Vec::new();
    for options in engines(&options) {
        let inclusion = options.inclusion;
        if (options.method, inclusion) == measured {
            assert_bounded_memory(&a, &b, &options);
        }
        let Some(outcome) = solve(&mut workspace, &a, &b, &options) else {
            return;
        };
        if let Some(contact) = witness(&outcome, &options)
            && (1e-140..1e140).contains(&scale)
        {
            let apart = distance(contact, inclusion) - options.min_separation;
            assert!(
                apart <= slack,
                "{apart:?} apart: {outcome:?} of {options:?}"
            );
            witnesses.push((inclusion, contact.time));
        }
        if let Some(time) = time {
            let near = Options {
                min_separation: options.min_separation.max(slack),
                ..options
            };
            let near = workspace.time_of_impact(&a, &b, &near);
            assert_not_later(&near.expect("an outcome"), time);
        }
    }
    // What one engine found all others know of, as soon as "contact" is a little farther.
    // (Euclidean distance is not below the largest coordinate difference.)
    let (method, inclusion) = input.pick(&ENGINES);
    for (by, time) in witnesses {
        if by == Inclusion::Obb || by == inclusion {
            let min_separation = options.min_separation + slack;
            let options = Options {
                method,
                inclusion,
                min_separation,
                ..options
            };
            let swapped = workspace.time_of_impact(&b, &a, &options);
            assert_not_later(&swapped.expect("an outcome"), time);
        }
    }
    let batch = time_of_impact_batch(&[(a.clone(), b.clone()), (b.clone(), a.clone())], &options);
    assert_same(&batch[0], &workspace.time_of_impact(&a, &b, &options));
    assert_same(&batch[1], &workspace.time_of_impact(&b, &a, &options));
    let shrinking = Options {
        shrink_separation: Some(input.share()),
        ..options
    };
    let before = workspace.time_of_impact(&a, &b, &options);
    check_shrunk(
        &before,
        &workspace.time_of_impact(&a, &b, &shrinking),
        &shrinking,
    );
}

/// A pair that starts too near is answered for a smaller separation, and no sooner.
#[track_caller]
fn check_shrunk(before: &Answer, after: &Answer, options: &Options) {
    let (before, after) = match (before, after) {
        (Ok(before), Ok(after)) => (before, after),
        (_, Err(error)) => return assert_clear_message(error),
        (Err(_), _) => panic!("{before:?}, but shrunk {after:?}"),
    };
    check_outcome(after, options);
    let told = || format!("{before:?}, but shrunk {after:?}");
    assert!(after.separation() <= before.separation(), "{}", told());
    let [earlier, later] = [before, after].map(|outcome| outcome.toi().unwrap_or(f64::INFINITY));
    assert!(earlier <= later, "{}", told());
}

/// Moves `b` so that the two touch, to rounding; the time at which they do.
fn plant(input: &mut Input<'_>, a: &Motion, b: &mut Motion, t_max: f64) -> Option<f64> {
    let mut parameters = || {
        let [u, v] = [0, 1].map(|_| input.below(9) as f64 / 8.0);
        [u, v]
    };
    let [(u1, v1), (u2, v2)] = [(parameters(), a), (parameters(), &*b)].map(|([u, v], motion)| {
        match motion.start().shape {
            Shape::Triangular { .. } if u + v > 1.0 => (1.0 - u, 1.0 - v),
            _ => (u, v),
        }
    });
    let time = t_max * input.below(9) as f64 / 8.0;
    let aside = a.eval(u1, v1, time) - b.eval(u2, v2, time);
    if !aside.iter().all(|x| x.abs() < 1e3) {
        return None;
    }
    *b = moved(b, aside);
    Some(time)
}

/// The memory of a query is what the documentation says.
fn assert_bounded_memory(a: &Motion, b: &Motion, options: &Options) {
    let heap = allocation_counter::measure(|| drop(time_of_impact(a, b, options)));
    let high = [a, b]
        .iter()
        .any(|motion| motion.start().shape.count() > 256);
    let tables = if high { 100_000_000 } else { 35_000_000 };
    let most = tables + 110 * options.max_boxes.min(1 << 30);
    assert!(
        heap.bytes_max <= most,
        "{} bytes for {options:?}",
        heap.bytes_max
    );
}

/// Solves in both orders.
fn solve(workspace: &mut Workspace, a: &Motion, b: &Motion, options: &Options) -> Option<Outcome> {
    let found = workspace.time_of_impact(a, b, options);
    match (found, workspace.time_of_impact(b, a, options)) {
        (Ok(outcome), Ok(swapped)) => {
            check_outcome(&outcome, options);
            check_outcome(&swapped, options);
            let interval = workspace.overlap_interval(a, b, options).expect("checked");
            match (interval, outcome.toi()) {
                (Some([start, end]), _) => {
                    assert!(0.0 <= start && start <= end && end <= options.t_max);
                }
                // One test is proof enough, but for the traditional method, which has another.
                (None, toi) => assert!(
                    toi.is_none() || options.method == Method::Traditional,
                    "{outcome:?} of {options:?}"
                ),
            }
            Some(outcome)
        }
        (Err(error), Err(swapped)) => {
            assert_clear_message(&error);
            assert_clear_message(&swapped);
            None
        }
        (found, swapped) => panic!("{found:?}, but swapped {swapped:?}"),
    }
}

/// Asks in all forms, which answer the same.
#[track_caller]
fn ask<const N: usize>(query: Linear<N>, step: &Step<N>, options: &Options) -> Answer {
    let mut answers = query.ask(step, options);
    let single = answers.pop().expect("an answer");
    answers.iter().for_each(|other| assert_same(other, &single));
    single
}

fn check_linear<const N: usize>(query: Linear<N>, step: &Step<N>, options: &Options) {
    let scale = step.as_flattened().iter().map(|p| p.coords.amax());
    let scale = (scale.fold(0.0, f64::max) * options.t_max.max(1.0)).max(options.min_separation);
    let slack = 1e-9 * scale;
    let mut contacts: Vec<(Inclusion, Contact)> = Vec::new();
    for options in engines(options) {
        match ask(query, step, &options) {
            Ok(outcome) => {
                check_outcome(&outcome, &options);
                let contact = witness(&outcome, &options);
                contacts.extend(contact.map(|contact| (options.inclusion, *contact)));
            }
            Err(error) => return assert_clear_message(&error),
        }
    }
    check_exact_mode(query, step, options);
    let shrinking = Options {
        shrink_separation: Some(0.9),
        ..*options
    };
    for (before, shrinking) in engines(options).zip(engines(&shrinking)) {
        let answer = ask(query, step, &shrinking);
        check_shrunk(&ask(query, step, &before), &answer, &shrinking);
    }
    if !(1e-140..1e140).contains(&scale) {
        return;
    }
    for (by, contact) in contacts {
        let apart = distance(&contact, by) - options.min_separation;
        assert!(apart <= slack, "{contact:?}");
        let near = Options {
            min_separation: options.min_separation + slack,
            ..*options
        };
        for near in engines(&near) {
            if by == Inclusion::Obb || by == near.inclusion {
                let found = (query.single)(step, &near);
                assert_not_later(&found.expect("an outcome"), contact.time);
            }
        }
    }
}

/// A contact is one for every engine, and none knows of it later.
fn check_exact_mode<const N: usize>(query: Linear<N>, step: &Step<N>, options: &Options) {
    let options = Options {
        min_separation: 0.0,
        ..*options
    };
    let exact = Options {
        exact: true,
        ..options
    };
    let outcome = ask(query, step, &exact).expect("the options are as they were");
    check_outcome(&outcome, &exact);
    let latest = match outcome {
        Outcome::ContactAtStart { .. } => 0.0,
        Outcome::Impact { toi_upper, .. } => toi_upper,
        _ => return,
    };
    for options in engines(&options) {
        let found = (query.single)(step, &options).expect("an outcome");
        assert_not_later(&found, latest);
    }
}

/// Edges, vertices and faces.
pub fn linear_queries(bytes: &[u8]) {
    let mut input = Input::new(bytes);
    let options = input.options(2000);
    let start: [Point3<f64>; 4] = std::array::from_fn(|_| input.vector().into());
    let end: [Point3<f64>; 4] = std::array::from_fn(|_| input.vector().into());
    // A step that ends where it began, now and then.
    let step = [start, if input.chance(4) { start } else { end }];
    match input.below(4) {
        0 => check_linear(EDGE_EDGE, &step, &options),
        1 => check_linear(VERTEX_FACE, &step, &options),
        2 => check_linear(VERTEX_EDGE, &step.map(|[v, a, b, _]| [v, a, b]), &options),
        _ => check_linear(VERTEX_VERTEX, &step.map(|[v, w, ..]| [v, w]), &options),
    }
}
