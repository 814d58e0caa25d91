//! Minimum separation of vertices, edges and faces, Euclidean and in the maximum norm, where the
//! distance is known in closed form; and random ones, whose distance is computed exactly.

use kit::oracle::squared_distance;
use kit::simplices::{Kind, Query};
use kit::{Random, cases};
use nalgebra::Point3;
use patch_ccd::{Inclusion, Options, Outcome, Step};

use super::{Row, table};

/// One of the simplices goes until they touch: the distance at t is (1 − t) times that at the
/// start. The square of this one stands first, then the distance in the maximum norm. The nearest
/// points are in turn inside of an edge or a face, at ends, and at corners.
const CLOSING: &str = "
    # Vertices; inside of an edge, at its end, and beyond it.
    25 4: vv 0 3 4, 0 0 0 by 0 -3 -4
    25 4: ve 0.3 3 4, -1 0 0, 1 0 0 by 0 -3 -4
    25 4: ve 1 3 4, -1 0 0, 1 0 0 by 0 -3 -4
    25 4: ve 4 4 0, -1 0 0, 1 0 0 by -3 -4 0
    # Parallel edges; their ends; edges on one line and a half; crossing ones.
    25 4: ee 0 3 4, 3 3 4, -1 0 0, 1 0 0 by 0 -3 -4
    25 4: ee 1 3 4, 3 3 4, -1 0 0, 1 0 0 by 0 -3 -4
    25 4: ee 4 4 0, 9 4 0, -1 0 0, 1 0 0 by -3 -4 0
    8 2: ee -1 2 -2, 1 2 -2, 0 -1 -1, 0 1 1 by 0 -2 2
    # A vertex beyond a corner, beyond a side, and over a face with the normal (1, 1, 1).
    25 4: vf 3 4 0, 0 0 0, -1 0 0, 0 -1 0 by -3 -4 0
    25 4: vf 0 3 4, -1 0 0, 1 0 0, 0 -1 0 by 0 -3 -4
    12 2: vf 2 2 2, 2 -1 -1, -1 2 -1, -1 -1 2 by -2 -2 -2
";

/// Each query in both norms: the query, the same step the other way, the norm and the distance.
pub(super) fn closing() -> impl Iterator<Item = (Query, Query, Inclusion, f64)> {
    table(CLOSING)
        .into_iter()
        .flat_map(|Row { name, kind, step }| {
            let (squared, maximum) = name.split_once(' ').expect("two distances");
            let [squared, maximum] =
                [squared, maximum].map(|x| x.parse::<f64>().expect("a number"));
            let [query, parting] = [step, parting(&step)].map(|step| kind.query(&step));
            [
                (query, parting, Inclusion::Obb, squared.sqrt()),
                (query, parting, Inclusion::Aabb, maximum),
            ]
        })
}

fn parting([start, end]: &Step<4>) -> Step<4> {
    let point = |k: usize| -> Point3<f64> { start[k] + (start[k] - end[k]) };
    [*start, std::array::from_fn(point)]
}

fn options(inclusion: Inclusion, min_separation: f64) -> Options {
    Options {
        inclusion,
        min_separation,
        ..Options::default()
    }
}

#[test]
fn reached_in_time() {
    for (query, _, inclusion, distance) in closing() {
        for min_separation in [0.25, 1.0, 1e-3] {
            let outcome = query.solve(&options(inclusion, min_separation));
            let told = format!("{query:?}, {inclusion} at {min_separation}: {outcome:?}");
            let Outcome::Impact { toi, contact, .. } = outcome else {
                panic!("{told}");
            };
            // The right answer itself is known to a rounding.
            let early = 1.0 - min_separation / distance - toi;
            assert!((-1e-15..=1e-5).contains(&early), "{early:e} early: {told}");
            let apart = contact.points[0] - contact.points[1];
            let apart = match inclusion {
                Inclusion::Obb => apart.norm(),
                Inclusion::Aabb => apart.amax(),
            };
            assert!((apart - min_separation).abs() < 1e-4, "{told}");
        }
    }
}

#[test]
fn there_from_the_start() {
    for (closing, parting, inclusion, distance) in closing() {
        for query in [closing, parting] {
            // √12 and √8 are known to a rounding: the next double is not below them.
            let exactly = if distance.fract() == 0.0 {
                distance
            } else {
                distance.next_up()
            };
            for min_separation in [exactly, 1.1 * distance, 2.0 * distance, 1e100] {
                let outcome = query.solve(&options(inclusion, min_separation));
                let is_right = matches!(outcome, Outcome::ContactAtStart { .. });
                assert!(
                    is_right,
                    "{query:?}, {inclusion} at {min_separation}: {outcome:?}"
                );
            }
        }
        let outcome = parting.solve(&options(inclusion, distance * (1.0 - 1e-4)));
        let is_clear = matches!(outcome, Outcome::Clear { .. });
        assert!(is_clear, "{parting:?}, {inclusion}: {outcome:?}");
    }
}

/// The bracket, if a local solve found the contact.
fn closed(outcome: &Outcome) -> Option<[f64; 2]> {
    match outcome {
        Outcome::Impact {
            toi,
            toi_upper,
            contact,
            ..
        } if contact.time == *toi_upper => Some([*toi, *toi_upper]),
        _ => None,
    }
}

/// Edges and faces that turn and stretch: what a local solve finds without a separation it finds
/// with one of any size, in few boxes more.
#[test]
fn contacts_are_found_at_separations_of_all_sizes() {
    for (kind, seed) in [(Kind::EdgeEdge, 60), (Kind::VertexFace, 61)] {
        let mut random = Random::new(seed);
        let (mut steps, mut without) = (Vec::new(), 0);
        while steps.len() < cases(100) {
            let step = [0; 2].map(|_| std::array::from_fn(|_| random.point(1.0)));
            let outcome = kind.query(&step).solve(&Options::default());
            if closed(&outcome).is_some_and(|[toi, _]| toi > 0.01) {
                without += outcome.counters().boxes;
                steps.push(step);
            }
        }
        for separation in [1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2] {
            let options = options(Inclusion::Obb, separation);
            let (mut impacts, mut open, mut boxes) = (0, Vec::new(), 0);
            for [start, end] in &steps {
                let outcome = kind.query(&[*start, *end]).solve(&options);
                let told = format!("{kind:?} {start:?} {end:?} at {separation}: {outcome:?}");
                boxes += outcome.counters().boxes;
                let distance = |t: f64| {
                    let there = std::array::from_fn(|k| start[k] + (end[k] - start[k]) * t);
                    let [one, two] = kind.simplices(&there);
                    squared_distance(one, two).to_f64().value().sqrt()
                };
                if let Outcome::ContactAtStart { .. } = outcome {
                    assert!(distance(0.0) <= separation, "{told}");
                    continue;
                }
                impacts += 1;
                let Some([toi, toi_upper]) = closed(&outcome) else {
                    open.push(told);
                    continue;
                };
                assert!(toi_upper - toi <= options.delta, "{told}");
                // The points here are rounded, three times each; and so are those of the contact.
                assert!(distance(toi) >= separation - 4e-15, "{told}");
                assert!(distance(toi_upper) <= separation + 1e-14, "{told}");
            }
            let told = format!("{kind:?} at {separation}");
            assert!(100 * open.len() <= impacts, "{told}: {open:#?}");
            assert!(boxes <= 2 * without, "{told}: {boxes}, {without}");
        }
    }
}
