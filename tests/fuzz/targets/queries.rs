//! Single queries, with every engine.

use nalgebra::{Point3, Vector3};
use patch_ccd::geometry::{AnyPatch, Patch, Shape};
use patch_ccd::{
    Contact, Error, Inclusion, Method, Moving, Options, Outcome, Step, Workspace, edge_edge,
    edge_edge_batch, time_of_impact, time_of_impact_batch, vertex_edge, vertex_edge_batch,
    vertex_face, vertex_face_batch, vertex_vertex, vertex_vertex_batch,
};

use super::input::{ENGINES, Input, Range};
use super::outcomes::{assert_clear_message, assert_not_later, assert_sane, distance, witness};

/// A patch as a user may write it: nothing of it is checked.
#[derive(Clone, Debug)]
pub(crate) struct Unchecked {
    shape: Shape,
    points: Vec<Point3<f64>>,
    weights: Option<Vec<f64>>,
}

impl Patch for Unchecked {
    fn shape(&self) -> Shape {
        self.shape
    }

    fn control_points(&self) -> &[Point3<f64>] {
        &self.points
    }

    fn with_net(&self, points: &[Point3<f64>], weights: Option<&[f64]>) -> Result<Self, Error> {
        Ok(Self {
            shape: self.shape,
            points: points.to_vec(),
            weights: weights.map(<[f64]>::to_vec),
        })
    }

    fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }
}

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
            .zip(motion.velocities())
            .map(|(p, v)| p.coords.amax() + v.amax() * t_max)
    });
    coordinates.fold(0.0, f64::max)
}

/// The same motion, its points moved aside.
fn moved(motion: &Motion, by: Vector3<f64>) -> Motion {
    let mut start = motion.start().clone();
    start.points.iter_mut().for_each(|point| *point += by);
    Moving::with_velocities(start, motion.velocities()).expect("as many velocities")
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
    for (method, inclusion) in ENGINES {
        let options = Options {
            method,
            inclusion,
            ..options
        };
        if (method, inclusion) == measured {
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
    // What one engine found all others know of, as soon as "contact" is a little farther. (Euclidean distance is not below the
    // largest coordinate difference.)
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
            assert_sane(&outcome, options);
            assert_sane(&swapped, options);
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

/// A query of `N` points: by itself, in a batch and in a workspace; and the step that it is asked of.
struct Linear<const N: usize> {
    single: fn(&Step<N>, &Options) -> Answer,
    batch: fn(&[Step<N>], &Options) -> Vec<Answer>,
    kept: fn(&mut Workspace, &Step<N>, &Options) -> Answer,
    step: Step<N>,
}

impl<const N: usize> Linear<N> {
    fn check(&self, options: &Options) {
        let scale = self.step.as_flattened().iter().map(|p| p.coords.amax());
        let scale =
            (scale.fold(0.0, f64::max) * options.t_max.max(1.0)).max(options.min_separation);
        let slack = 1e-9 * scale;
        let mut contacts: Vec<(Inclusion, Contact)> = Vec::new();
        for (method, inclusion) in ENGINES {
            let options = Options {
                method,
                inclusion,
                ..*options
            };
            let found = (self.single)(&self.step, &options);
            for other in (self.batch)(&[self.step; 2], &options) {
                assert_same(&other, &found);
            }
            assert_same(
                &(self.kept)(&mut Workspace::new(), &self.step, &options),
                &found,
            );
            match found {
                Ok(outcome) => {
                    assert_sane(&outcome, &options);
                    contacts
                        .extend(witness(&outcome, &options).map(|contact| (inclusion, *contact)));
                }
                Err(error) => return assert_clear_message(&error),
            }
        }
        self.check_exact_mode(options);
        for (by, contact) in contacts {
            if !(1e-140..1e140).contains(&scale) {
                continue;
            }
            assert!(
                distance(&contact, by) - options.min_separation <= slack,
                "{contact:?}"
            );
            for (method, inclusion) in ENGINES {
                if by == Inclusion::Obb || by == inclusion {
                    let min_separation = options.min_separation + slack;
                    let options = Options {
                        method,
                        inclusion,
                        min_separation,
                        ..*options
                    };
                    let found = (self.single)(&self.step, &options);
                    assert_not_later(&found.expect("an outcome"), contact.time);
                }
            }
        }
    }

    /// A contact is one for every engine, and none knows of it later.
    fn check_exact_mode(&self, options: &Options) {
        let options = Options {
            min_separation: 0.0,
            ..*options
        };
        let exact = Options {
            exact: true,
            ..options
        };
        let found = (self.single)(&self.step, &exact);
        for other in (self.batch)(&[self.step; 2], &exact) {
            assert_same(&other, &found);
        }
        let outcome = found.expect("the options are as they were");
        assert_sane(&outcome, &exact);
        let latest = match outcome {
            Outcome::ContactAtStart { .. } => 0.0,
            Outcome::Impact { toi_upper, .. } => toi_upper,
            _ => return,
        };
        for (method, inclusion) in ENGINES {
            let options = Options {
                method,
                inclusion,
                ..options
            };
            let found = (self.single)(&self.step, &options).expect("an outcome");
            assert_not_later(&found, latest);
        }
    }
}

/// Edges, vertices and faces.
pub fn linear_queries(bytes: &[u8]) {
    let mut input = Input::new(bytes);
    let options = input.options(2000);
    let points = input.points(8);
    // A step that ends where it began, now and then.
    let [start, end] = if input.chance(4) { [0, 0] } else { [0, 4] };
    fn step<const N: usize>(points: &[Point3<f64>], start: usize, end: usize) -> Step<N> {
        [start, end].map(|first| std::array::from_fn(|i| points[first + i]))
    }
    match input.below(4) {
        0 => Linear::<4> {
            single: edge_edge,
            batch: edge_edge_batch,
            kept: Workspace::edge_edge,
            step: step(&points, start, end),
        }
        .check(&options),
        1 => Linear::<4> {
            single: vertex_face,
            batch: vertex_face_batch,
            kept: Workspace::vertex_face,
            step: step(&points, start, end),
        }
        .check(&options),
        2 => Linear::<3> {
            single: vertex_edge,
            batch: vertex_edge_batch,
            kept: Workspace::vertex_edge,
            step: step(&points, start, end),
        }
        .check(&options),
        _ => Linear::<2> {
            single: vertex_vertex,
            batch: vertex_vertex_batch,
            kept: Workspace::vertex_vertex,
            step: step(&points, start, end),
        }
        .check(&options),
    }
}
