//! Hostile input: whatever is given, there is an error that names the argument, the place and the
//! value, or a sound answer; nothing panics, runs on or takes more memory than it says.
//!
//! Tables of what can be wrong with an argument are run against every call that takes one: lists of
//! points and weights, degrees, options, motions, splines and meshes. Then come extreme numbers
//! that are right ([`scenes`], [`distances`]), files, and random bytes ([`fuzz`]).

mod degrees;
mod distances;
mod files;
mod found;
mod fuzz;
mod geometry;
mod json;
mod lists;
mod meshes;
mod motions;
mod options;
mod scenes;
mod splines;
mod weights;
mod welds;

use std::fmt::{Debug, Display};

use kit::Unchecked;
use kit::scenes::BILINEAR;
use nalgebra::{Point3, point};
use patch_ccd::geometry::Shape;
use patch_ccd::io::{write_obj, write_vtu};
use patch_ccd::{
    DistanceOptions, Error, Moving, Options, Workspace, closest_point_on, closest_points,
    time_of_impact, time_of_impact_batch,
};

/// Numbers that are not finite.
const NOT_FINITE: [f64; 3] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

/// Numbers of all sizes, to the ends of the range.
const FINITE: [f64; 14] = [
    0.0,
    -0.0,
    5e-324,
    -5e-324,
    f64::MIN_POSITIVE,
    1e-300,
    -1e-16,
    0.5,
    1.0,
    -1.0,
    1e16,
    1e300,
    f64::MAX,
    f64::MIN,
];

/// Shapes of all kinds, of low degree and of the highest.
const SHAPES: [Shape; 9] = [
    Shape::TensorProduct { n: 1, m: 0 },
    Shape::TensorProduct { n: 30, m: 0 },
    Shape::TensorProduct { n: 1, m: 1 },
    Shape::TensorProduct { n: 2, m: 3 },
    Shape::TensorProduct { n: 30, m: 1 },
    Shape::TensorProduct { n: 1, m: 30 },
    Shape::Triangular { n: 1 },
    Shape::Triangular { n: 3 },
    Shape::Triangular { n: 30 },
];

#[track_caller]
fn assert_text<T: Debug>(result: Result<T, Error>, text: &str) {
    assert_eq!(result.unwrap_err().to_string(), text);
}

/// What an answer says of the input: nothing, or what is wrong.
type Told = Result<(), String>;

/// What several calls say, each after what an error of it begins with: of which patch it is.
type AllTold = Vec<(&'static str, Told)>;

/// The calls that take the same list.
type Calls<T> = Box<dyn Fn(&[T]) -> AllTold>;

fn told<T, E: Display>(result: Result<T, E>) -> Told {
    match result {
        Ok(_) => Ok(()),
        Err(error) => Err(error.to_string()),
    }
}

/// So many points, no two alike.
fn net(count: usize) -> Vec<Point3<f64>> {
    let x = |i: usize| i as f64;
    (0..count)
        .map(|i| point![x(i), x(i % 7) * x(i), 1.0])
        .collect()
}

/// Gives a patch of the user's own kind to all that takes one.
fn asked_of(patch: &Unchecked) -> AllTold {
    let good = Unchecked::new(BILINEAR, net(4));
    let (one, two) = (
        Moving::resting(good.clone()),
        Moving::resting(patch.clone()),
    );
    let options = Options {
        max_boxes: 5,
        ..Options::default()
    };
    let distance = DistanceOptions {
        max_boxes: 5,
        ..DistanceOptions::default()
    };
    let mut workspace = Workspace::new();
    let batch = time_of_impact_batch(&[(two.clone(), one.clone())], &options);
    // Writers number patches from 0.
    let pair = [good.clone(), patch.clone()];
    let first = [
        told(time_of_impact(&two, &one, &options)),
        told(batch.into_iter().collect::<Result<Vec<_>, _>>()),
        told(closest_points(patch, &good, &distance)),
        told(write_obj(Vec::new(), &pair, 1)),
        told(write_vtu(Vec::new(), &pair)),
    ];
    let second = [
        told(time_of_impact(&one, &two, &options)),
        told(workspace.overlap_interval(&one, &two, &options)),
        told(closest_points(&good, patch, &distance)),
        told(closest_point_on(Point3::origin(), patch, &distance)),
    ];
    let first = first.map(|told| ("patch 1: ", told)).into_iter();
    first
        .chain(second.map(|told| ("patch 2: ", told)))
        .collect()
}
