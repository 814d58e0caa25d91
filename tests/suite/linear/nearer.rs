//! Pairs that start nearer than their separation, which shrinks to a share of their distance: they
//! may recede and slide, and come nearer only so far.

use kit::simplices::{Kind, Query, resolution, steps};
use kit::{ENGINES, cases, each_case, engines};
use nalgebra::{Point3, Vector3};
use patch_ccd::{Inclusion, Method, Options, Outcome, Step};

use super::separation::closing;

/// 1/√3, and a little less: what the maximum norm may be of a length.
const OF_LENGTH: f64 = 0.577;

fn shrinking(engine: Options, min_separation: f64, share: f64) -> Options {
    Options {
        min_separation,
        shrink_separation: Some(share),
        ..engine
    }
}

/// How much of the distance is kept, at least and at most.
fn kept(inclusion: Inclusion, share: f64) -> [f64; 2] {
    // The distance is bounded to a tenth of 1 − share of itself.
    let least = share * (1.0 - 0.1 * (1.0 - share)) * (1.0 - 1e-9);
    match inclusion {
        Inclusion::Obb => [least, share],
        Inclusion::Aabb => [least * OF_LENGTH, share],
    }
}

#[test]
fn coming_nearer_they_meet_at_the_share_of_their_distance() {
    for (query, _, inclusion, distance) in closing() {
        for engine in engines(&Options::default()).filter(|engine| engine.inclusion == inclusion) {
            for share in [0.5, 0.9, 0.99] {
                for asked in [distance / 0.99, 2.0 * distance, 1e9 * distance] {
                    let options = Options {
                        // The traditional method does not get far.
                        delta: [1e-6, 1e-3][usize::from(engine.method == Method::Traditional)],
                        ..shrinking(engine, asked, share)
                    };
                    let outcome = query.solve(&options);
                    let told = format!("{query:?}, {engine:?} at {asked}: {outcome:?}");
                    let Outcome::Impact {
                        toi, separation, ..
                    } = outcome
                    else {
                        panic!("{told}");
                    };
                    let [least, most] = kept(inclusion, share);
                    // The distance in the maximum norm is no more than the length.
                    assert!(separation >= least * distance, "{told}");
                    assert!(separation <= most * distance * (1.0 + 1e-15), "{told}");
                    let early = 1.0 - separation / distance - toi;
                    let is_close = (-1e-15..=10.0 * options.delta).contains(&early);
                    assert!(is_close, "{early:e} early: {told}");
                }
            }
        }
    }
}

#[test]
fn receding_they_are_clear() {
    for (_, parting, inclusion, distance) in closing() {
        for engine in engines(&Options::default()).filter(|engine| engine.inclusion == inclusion) {
            for share in [0.5, 0.9, 0.99] {
                for asked in [distance, distance / 0.99, 1e9 * distance] {
                    let options = shrinking(engine, asked, share);
                    let outcome = parting.solve(&options);
                    let told = format!("{parting:?}, {engine:?} at {asked}: {outcome:?}");
                    assert!(matches!(outcome, Outcome::Clear { .. }), "{told}");
                    assert!(outcome.separation() <= share * distance, "{told}");
                    // At rest they are as they are.
                    let now = parting.solve(&Options {
                        t_max: 0.0,
                        ..options
                    });
                    assert!(matches!(now, Outcome::Clear { .. }), "{told}: {now:?}");
                    assert_eq!(now.separation(), outcome.separation(), "{told}");
                }
            }
        }
    }
}

/// The points at which the two simplices of each query are closest are 1 apart, along z.
fn sliding(by: Vector3<f64>) -> impl Iterator<Item = Query> {
    let flat = [
        // A vertex over a face, over an edge and over a vertex; edges that cross.
        (
            Kind::VertexFace,
            [[0.2, 0.2, 1.0], [0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        ),
        (
            Kind::VertexEdge,
            [[0.2, 0.0, 1.0], [0.0; 3], [1.0, 0.0, 0.0], [0.0; 3]],
        ),
        (
            Kind::VertexVertex,
            [[0.0, 0.0, 1.0], [0.0; 3], [0.0; 3], [0.0; 3]],
        ),
        (
            Kind::EdgeEdge,
            [[0.5, -1.0, 1.0], [0.5, 1.0, 1.0], [0.0; 3], [1.0, 0.0, 0.0]],
        ),
        // Edges one over the other.
        (
            Kind::EdgeEdge,
            [[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0; 3], [1.0, 0.0, 0.0]],
        ),
    ];
    flat.into_iter().map(move |(kind, points)| {
        let start = points.map(Point3::from);
        let moving = kind.simplices(&start)[0].len();
        let end: [_; 4] = std::array::from_fn(|k| match k {
            k if k < moving => start[k] + by,
            k => start[k],
        });
        kind.query(&[start, end])
    })
}

#[test]
fn sliding_they_are_clear() {
    let ways = [
        [0.3, 0.1, 0.0],
        [-2.0, 5.0, 0.0],
        [1e-3, 0.0, 0.0],
        [0.0; 3],
    ];
    for query in ways.map(Vector3::from).into_iter().flat_map(sliding) {
        for engine in engines(&Options::default()) {
            for asked in [1.0, 1.0 / 0.99, 3.0] {
                let as_asked = Options {
                    min_separation: asked,
                    ..engine
                };
                let before = query.solve(&as_asked);
                assert_eq!(before.toi(), Some(0.0), "{query:?}, {as_asked:?}");
                let outcome = query.solve(&shrinking(engine, asked, 0.9));
                let told = format!("{query:?}, {engine:?} at {asked}: {outcome:?}");
                assert!(matches!(outcome, Outcome::Clear { .. }), "{told}");
            }
        }
    }
}

#[test]
fn what_touches_is_in_contact_at_the_start() {
    for (query, parting, inclusion, _) in closing() {
        // From where the first one ends, where they touch, and back.
        for query in [query, parting].map(reversed) {
            let oracle = query.oracle();
            for engine in engines(&Options::default()) {
                if engine.inclusion != inclusion || !oracle.starts_within(1e-15) {
                    continue;
                }
                let outcome = query.solve(&shrinking(engine, 1.0, 0.9));
                let told = format!("{query:?}, {engine:?}: {outcome:?}");
                assert!(matches!(outcome, Outcome::ContactAtStart { .. }), "{told}");
                assert_eq!(outcome.separation(), 1.0, "{told}");
            }
        }
    }
}

fn reversed(query: Query) -> Query {
    fn turned<const N: usize>([start, end]: Step<N>) -> Step<N> {
        [end, start]
    }
    match query {
        Query::EdgeEdge(step) => Query::EdgeEdge(turned(step)),
        Query::VertexFace(step) => Query::VertexFace(turned(step)),
        Query::VertexEdge(step) => Query::VertexEdge(turned(step)),
        Query::VertexVertex(step) => Query::VertexVertex(turned(step)),
    }
}

/// A tolerance in space that is coarse for the separation does not hold up what is far nearer.
#[test]
fn tolerances_in_space_shrink_too() {
    let at = |z: f64| [[0.25, 0.25, z], [0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    for height in [0.99, 0.1, 1e-3, 1e-6] {
        let step = [at(height), at(2.0)].map(|points| points.map(Point3::from));
        let closer = [at(height), at(0.0)].map(|points| points.map(Point3::from));
        for engine in engines(&Options::default()) {
            for (epsilon, relative_epsilon) in [(0.05, 0.0), (0.0, 0.05), (0.5, 0.5)] {
                let options = Options {
                    epsilon,
                    relative_epsilon,
                    ..shrinking(engine, 1.0, 0.9)
                };
                let outcome = Kind::VertexFace.query(&step).solve(&options);
                let told = format!("{height}, {options:?}: {outcome:?}");
                assert!(matches!(outcome, Outcome::Clear { .. }), "{told}");
                let outcome = Kind::VertexFace.query(&closer).solve(&options);
                let told = format!("{height}, {options:?}: {outcome:?}");
                // Early by a quarter of the way at most.
                let least = 0.75 * (1.0 - outcome.separation() / height);
                assert!(outcome.toi().is_some_and(|toi| toi >= least), "{told}");
            }
        }
    }
}

/// What ends a step so little above its separation that the tolerances do not tell goes on in the
/// next one, in which it may come nearer like a pair at the separation.
#[test]
fn hardly_above_the_separation_counts_as_nearer() {
    let at = |z: f64| [[0.25, 0.25, z], [0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    for (above, epsilon, shrinks) in [
        (1e-15, 0.0, true),
        (0.9e-6, 0.0, true),
        (1e-3, 0.0, false),
        (1e-3, 2e-3, true),
        (1e-3, 0.5e-3, false),
    ] {
        let step = [at(1.0 + above), at(above)].map(|points| points.map(Point3::from));
        let options = Options {
            epsilon,
            ..shrinking(Options::default(), 1.0, 0.9)
        };
        let outcome = Kind::VertexFace.query(&step).solve(&options);
        let told = format!("{above}, {epsilon}: {outcome:?}");
        assert_eq!(outcome.separation() < 1.0, shrinks, "{told}");
        let toi = outcome.toi().expect("an impact");
        let exact = 1.0 + above - outcome.separation();
        assert!(toi <= exact && toi >= 0.7 * exact.min(0.1), "{told}");
    }
}

/// Of random queries, against the exact oracle.
#[test]
fn what_is_kept_is_kept() {
    let mut shrunk = [0; 4];
    each_case(cases(600), |_, random| {
        let kind = random.pick(&Kind::ALL);
        let step = steps::short(random);
        let (method, inclusion) = random.pick(&ENGINES);
        let share = random.pick(&[0.5, 0.9, 0.99]);
        let any = 4.0 * random.unit();
        let as_asked = Options {
            method,
            inclusion,
            delta: random.pick(&[1e-1, 1e-3, 1e-6]),
            epsilon: random.pick(&[0.0, 0.0, 0.1]),
            min_separation: random.pick(&[0.5, 1.0, 2.0, any]),
            max_boxes: random.pick(&[1000, 1000, 20]),
            ..Options::default()
        };
        let options = Options {
            shrink_separation: Some(share),
            ..as_asked
        };
        let query = kind.query(&step);
        let [before, outcome] = [as_asked, options].map(|options| query.solve(&options));
        let told = || format!("{query:?}\n{options:?}\n{before:?}\n{outcome:?}");
        let kept = outcome.separation();
        let [earlier, later] = [before, outcome].map(|outcome| outcome.toi().unwrap_or(2.0));
        assert!(
            earlier <= later && kept <= as_asked.min_separation,
            "{}",
            told()
        );
        assert!(
            outcome.counters().boxes <= 3 * options.max_boxes,
            "{}",
            told()
        );
        let oracle = query.oracle();
        if kept < as_asked.min_separation {
            shrunk[kind as usize] += 1;
            assert!(
                !oracle.starts_within(kept / share * (1.0 - 1e-15)),
                "{}",
                told()
            );
            assert!(kept > 0.0 && !matches!(outcome, Outcome::ContactAtStart { .. }));
        }
        if let Outcome::ContactAtStart { .. } = outcome
            && options.max_boxes == 1000
        {
            assert!(oracle.starts_within(1e-13), "{}", told());
        }
        let eighths = (0..=8).map(|k| f64::from(k) / 8.0);
        for t in eighths.take_while(|&t| t < later) {
            let now = kind.query(&[steps::points_at(&step, t); 2]);
            // In the maximum norm distances are less.
            let norm = [OF_LENGTH, 1.0][usize::from(inclusion == Inclusion::Obb)];
            assert!(
                !now.oracle().starts_within(kept * norm),
                "at {t}: {}",
                told()
            );
        }
        if let Some(contact) = outcome.contact() {
            let near = Options {
                min_separation: kept,
                ..options
            };
            let near = resolution(&step, &near) + 3.5 * options.epsilon;
            assert!(contact.residual <= near * 3.0_f64.sqrt(), "{}", told());
        }
    });
    assert!(shrunk.iter().all(|&count| count > 10), "{shrunk:?}");
}

/// One edge over another one is pushed down by its whole distance in every step.
#[test]
fn pushed_step_by_step_they_neither_touch_nor_pass() {
    for method in [Method::TwoSided, Method::TimeDependent] {
        let options = Options {
            method,
            epsilon: 0.05,
            ..shrinking(Options::default(), 1.0, 0.9)
        };
        let (mut height, mut steps) = (3.0_f64, 0);
        while height > 1e-9 {
            let at = |z: f64| [[0.5, -1.0, z], [0.5, 1.0, z], [0.0; 3], [1.0, 0.0, 0.0]];
            let step = [at(height), at(-height)].map(|points| points.map(Point3::from));
            let outcome = Kind::EdgeEdge.query(&step).solve(&options);
            let toi = outcome.toi().expect("they pass each other");
            let next = height * (1.0 - 2.0 * toi);
            let least = [0.89 * height.min(1.0), 0.0][usize::from(toi == 0.0)];
            assert!(next >= least && next < height, "{height}: {outcome:?}");
            (height, steps) = (next, steps + 1);
        }
        // (1 − 0.1 × 0.75) per step at least, from 1 to 1e-9.
        assert!((150..350).contains(&steps), "{method}: {steps}");
    }
}
