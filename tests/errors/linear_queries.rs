//! Edges, vertices and faces.

use super::*;
use crate::simplices::{Kind, ORIGIN, Query, moving};

/// The queries in which the point of this index takes part.
fn queries(step: &Step<4>, index: usize) -> Vec<Query> {
    let has_it = |kind: &Kind| kind.simplices(&step[0]).concat().len() > index;
    let kinds = Kind::ALL.into_iter().filter(has_it);
    kinds.map(|kind| kind.query(step)).collect()
}

fn regular() -> Step<4> {
    moving(
        [ORIGIN, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        2,
        vector![1.0, 1.0, 1.0],
    )
}

#[test]
fn name_the_point() {
    for (time, argument) in ["point at the start", "point at the end"]
        .into_iter()
        .enumerate()
    {
        for index in 0..4 {
            for coordinate in 0..3 {
                for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                    let mut step = regular();
                    step[time][index][coordinate] = value;
                    for query in queries(&step, index) {
                        let error = query.try_solve(&Options::default()).expect_err("an error");
                        let text = format!(
                            "{argument} {index}: coordinate {coordinate} is {value}, not a finite number"
                        );
                        assert_eq!(error.to_string(), text);
                    }
                }
            }
        }
    }
}

#[test]
fn motion_out_of_range() {
    for index in 0..4 {
        let mut step = regular();
        step[0][index].y = f64::MAX;
        step[1][index].y = -f64::MAX;
        for query in queries(&step, index) {
            let error = query.try_solve(&Options::default()).expect_err("an error");
            let text =
                format!("end − start of point {index}: coordinate 1 is -inf, not a finite number");
            assert_eq!(error.to_string(), text);
        }
    }
}

#[test]
fn motion_out_of_range_by_the_horizon() {
    let mut step = regular();
    step[1][1].z = 1e200;
    let options = Options {
        t_max: 1e200,
        ..Options::default()
    };
    for (query, patch, index) in [
        (Query::EdgeEdge(step), 1, 1),
        (Query::VertexFace(step), 2, 0),
    ] {
        let error = query.try_solve(&options).expect_err("an error");
        let source = Box::new(Error::Overflow {
            index,
            coordinate: 2,
            value: 1e200,
            t_max: 1e200,
        });
        assert_eq!(error, Error::Patch { patch, source });
    }
}

#[test]
fn options() {
    for query in queries(&regular(), 0) {
        let refused = |options: Options, option: &str| {
            let error = query.try_solve(&options).expect_err("an error");
            assert!(
                matches!(error, Error::Option { option: named, .. } if named == option),
                "{error}"
            );
        };
        let default = Options::default();
        refused(
            Options {
                delta: 0.0,
                ..default
            },
            "delta",
        );
        refused(
            Options {
                t_max: -1.0,
                ..default
            },
            "t_max",
        );
        refused(
            Options {
                min_separation: f64::NAN,
                ..default
            },
            "min_separation",
        );
        refused(
            Options {
                max_boxes: 0,
                ..default
            },
            "max_boxes",
        );
    }
}
