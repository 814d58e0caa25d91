//! Queries of all sorts, and what must not change their answers.

use kit::simplices::{Kind, steps};
use kit::{Random, RandomPairs, Unchecked, cases, each_case};
use patch_ccd::geometry::Shape;
use patch_ccd::{Moving, Options, time_of_impact};

use super::{EXACT, case_files, check, compare, reordered};
use crate::linear::found;

fn options(random: &mut Random) -> Options {
    let any_time = random.unit();
    Options {
        t_max: random.pick(&[1.0, 1.0, 1.0, 0.5, 0.0, any_time]),
        delta: random.pick(&[1e-1, 1e-6, 1e-9, 1e-12]),
        no_zero_toi: random.chance(2),
        ..EXACT
    }
}

fn check_all(kind: Kind, count: usize) {
    each_case(cases(count), |_, random| {
        let step = steps::any(random, kind);
        check(kind, &step, &options(random));
    });
}

#[test]
fn pairs_of_edges() {
    check_all(Kind::EdgeEdge, 1500);
}

#[test]
fn vertices_and_faces() {
    check_all(Kind::VertexFace, 1500);
}

#[test]
fn vertices_and_edges() {
    check_all(Kind::VertexEdge, 300);
}

#[test]
fn pairs_of_vertices() {
    check_all(Kind::VertexVertex, 300);
}

#[test]
fn found_before() {
    for (kind, step, Options { delta, t_max, .. }) in found() {
        let options = Options {
            delta,
            t_max,
            ..EXACT
        };
        check(kind, &step, &options);
    }
}

#[test]
fn files() {
    let mut compared = 0;
    for (case, kind, step) in case_files() {
        let options = Options {
            t_max: case.options.t_max,
            ..EXACT
        };
        let query = kind.query(&step);
        let Ok(outcome) = query.try_solve(&options) else {
            continue;
        };
        assert!(options.t_max <= 1.0);
        compare(&query, 1.0, &outcome, &options);
        compared += 1;
    }
    assert!(compared > 60, "{compared}");
}

#[test]
fn no_order_matters() {
    each_case(cases(256), |_, random| {
        let kind = random.pick(&[Kind::EdgeEdge, Kind::VertexFace]);
        let step = steps::any(random, kind);
        let again = reordered(kind, &step, random.below(6));
        let [one, two] = [step, again].map(|step| kind.query(&step).solve(&EXACT));
        let [a, b] = [one, two].map(|outcome| std::mem::discriminant(&outcome));
        assert_eq!(a, b, "{step:?}: {one:?} and {two:?}");
    });
}

/// Beyond the end, on the same lines.
#[test]
fn longer_horizons() {
    each_case(cases(256), |_, random| {
        let kind = random.pick(&Kind::ALL);
        let [start, end] = steps::short(random);
        let any = 1.0 + 2.0 * random.unit();
        let t_max = random.pick(&[any, any, 3.0, 4.0]);
        let beyond = std::array::from_fn(|k| start[k] + 4.0 * (end[k] - start[k]));
        let options = Options { t_max, ..EXACT };
        let outcome = kind.query(&[start, end]).solve(&options);
        compare(&kind.query(&[start, beyond]), 4.0, &outcome, &options);
    });
}

/// Given by velocities, as moving patches, in both orders. The numbers are short: velocities are
/// exact.
#[test]
fn moving_patches() {
    let short = |x: f64| (x * 1e9).round() / (1_u64 << 30) as f64;
    each_case(cases(256), |_, random| {
        let kind = random.pick(&Kind::ALL);
        let sort = random.pick(&steps::Sort::ALL);
        let step = sort.draw(random, kind);
        let step = steps::mapped(step, |p| p.map(short));
        let motion = |side: usize| {
            let [start, end] = [0, 1].map(|time| kind.simplices(&step[time])[side]);
            let shape = match start.len() {
                3 => Shape::Triangular { n: 1 },
                count => Shape::TensorProduct { n: count - 1, m: 0 },
            };
            let [start, end] = [start, end].map(|points| Unchecked::new(shape, points));
            Moving::between(start, &end).expect("a motion")
        };
        let any = random.unit();
        let options = Options {
            t_max: random.pick(&[1.0, any]),
            ..EXACT
        };
        let sides = random.pick(&[[0, 1], [1, 0]]);
        let [one, two] = sides.map(motion);
        let outcome = time_of_impact(&one, &two, &options).expect("an outcome");
        compare(&kind.query(&step), 1.0, &outcome, &options);
    });
}

#[test]
fn minimum_separation_is_as_ever() {
    each_case(cases(256), |_, random| {
        let kind = random.pick(&Kind::ALL);
        let query = kind.query(&steps::any(random, kind));
        let default = Options {
            min_separation: 0.001 + random.unit(),
            max_boxes: 1000,
            ..Options::default()
        };
        let exact = Options {
            exact: true,
            ..default
        };
        assert_eq!(query.solve(&exact), query.solve(&default));
    });
}

#[test]
fn patches_are_as_ever() {
    let default = Options::default();
    let exact = Options {
        exact: true,
        ..default
    };
    for shape in [
        Shape::TensorProduct { n: 1, m: 1 },
        Shape::Triangular { n: 1 },
        Shape::Triangular { n: 3 },
    ] {
        for pair in RandomPairs::new(shape, 7).take(20) {
            let [a, b] = pair.expect("a pair");
            let [one, two] = [exact, default].map(|options| time_of_impact(&a, &b, &options));
            assert_eq!(one, two);
        }
    }
}
