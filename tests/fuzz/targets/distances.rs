//! Distances of single patches and of meshes.

use kit::{Unchecked, check_distance};
use nalgebra::Point3;
use patch_ccd::geometry::{AnyPatch, Patch, Shape};
use patch_ccd::mesh::{
    AllWithin, Element, LeastDistance, MeshDistanceOptions, MeshWorkspace, all_self_within,
    all_within, least_distance, least_self_distance,
};
use patch_ccd::{
    Distance, DistanceOptions, Error, Moving, Options, Outcome, Workspace, closest_point_on,
    time_of_impact,
};

use super::input::{Input, Range};
use super::meshes::{build, moving};
use super::outcomes::assert_clear_message;
use super::queries::motion;

/// The longest side of the box around both patches.
fn size([a, b]: [&Unchecked; 2]) -> f64 {
    let points = || a.control_points().iter().chain(b.control_points());
    let sides = (0..3).map(|c| {
        let low = points().fold(f64::INFINITY, |low, p| low.min(p[c]));
        points().fold(f64::NEG_INFINITY, |high, p| high.max(p[c])) - low
    });
    sides.fold(0.0, f64::max)
}

/// Some surface points.
fn samples(patch: &AnyPatch) -> Vec<Point3<f64>> {
    let steps = if patch.shape().count() > 60 { 2 } else { 4 };
    let grid = (0..=steps).flat_map(|i| (0..=steps).map(move |j| [i, j]));
    let inside = grid.filter(|[i, j]| match patch.shape() {
        Shape::Triangular { .. } => i + j <= steps,
        Shape::TensorProduct { n, m } => (n > 0 || *i == 0) && (m > 0 || *j == 0),
    });
    let at = |i: usize| i as f64 / steps as f64;
    inside.map(|[i, j]| patch.eval(at(i), at(j))).collect()
}

fn checked(patch: &Unchecked) -> Option<AnyPatch> {
    let (shape, points) = (patch.shape(), patch.control_points());
    match patch.weights() {
        None => AnyPatch::from_shape(shape, points).ok(),
        Some(weights) => AnyPatch::rational_from_shape(shape, points, weights).ok(),
    }
}

/// Two patches in either order, with other limits, by their samples and by collision detection.
pub fn distances(bytes: &[u8]) {
    let mut input = Input::new(bytes);
    let most = if bytes.len() > 1 && bytes[1].is_multiple_of(16) {
        2000
    } else {
        300
    };
    let mut options = input.distance_options(most);
    let (Some(a), Some(b)) = (motion(&mut input), motion(&mut input)) else {
        return;
    };
    let [a, b] = [a.start(), b.start()];
    if [a, b].iter().any(|patch| patch.shape().count() > 60) && options.max_boxes <= 2000 {
        options.max_boxes = options.max_boxes.min(40);
    }
    let mut workspace = Workspace::new();
    let distance = match workspace.closest_points(a, b, &options) {
        Ok(distance) => distance,
        Err(error) => {
            assert_clear_message(&error);
            assert!(workspace.closest_points(b, a, &options).is_err());
            return;
        }
    };
    check_distance(&distance, &options);
    let again = workspace.closest_points(a, b, &options);
    assert_eq!(again.as_ref(), Ok(&distance));
    let point = Point3::from(input.vector());
    match workspace.closest_point_on(point, b, &options) {
        Ok(distance) => {
            check_distance(&distance, &options);
            assert_eq!(closest_point_on(point, b, &options), Ok(distance));
        }
        Err(error) => assert_clear_message(&error),
    }
    let size = size([a, b]);
    if size > 0.0 && !(1e-140..1e140).contains(&size) {
        return;
    }
    let slack = 1e-9 * size;
    if let Distance::Found { lower, closest, .. } = &distance {
        let tolerance = options.tolerance.max(options.relative_tolerance * size);
        assert!(
            closest.distance - lower <= tolerance + slack,
            "{distance:?}"
        );
    }
    let swapped = workspace
        .closest_points(b, a, &options)
        .expect("a distance");
    check_distance(&swapped, &options);
    let limits = [0.0, 0.5, 1.0].map(|factor| DistanceOptions {
        max_distance: factor * distance.lower(),
        ..options
    });
    let others = limits.map(|limit| {
        let other = workspace.closest_points(a, b, &limit).expect("a distance");
        check_distance(&other, &limit);
        other
    });
    let all = others.iter().chain([&distance, &swapped]);
    let (mut lower, mut upper) = (0.0_f64, f64::INFINITY);
    for distance in all {
        lower = lower.max(distance.lower());
        upper = upper.min(distance.upper().unwrap_or(f64::INFINITY));
    }
    if let (Some(a), Some(b)) = (checked(a), checked(b)) {
        let second = samples(&b);
        for p in samples(&a) {
            upper = second
                .iter()
                .fold(upper, |least, q| least.min((p - q).norm()));
        }
    }
    // Samples are evaluated where they are, maybe far from the origin.
    let points = a.control_points().iter().chain(b.control_points());
    let reach = points.fold(0.0_f64, |reach, p| reach.max(p.coords.amax()));
    let rounding = 1e-13 * reach;
    assert!(lower <= upper + rounding, "{lower:e} is above {upper:e}");
    // Points that are found so close are within every limit that is larger, and in contact with
    // every separation that is.
    let near = upper + rounding + slack;
    let limit = DistanceOptions {
        max_distance: near,
        ..options
    };
    let other = workspace.closest_points(a, b, &limit).expect("a distance");
    assert!(other.closest().is_some(), "{other:?} at {near:e}");
    let query = Options {
        t_max: 0.0,
        min_separation: near,
        inclusion: options.inclusion,
        max_boxes: options.max_boxes,
        ..Options::default()
    };
    let [a, b] = [a, b].map(|patch| Moving::resting(patch.clone()));
    let outcome = time_of_impact(&a, &b, &query);
    assert!(!matches!(outcome, Ok(Outcome::Clear { .. })), "{near:e}");
}

/// One mesh from another and from itself.
pub fn mesh_distances(bytes: &[u8]) {
    if let Err(error) = run(&mut Input::new(bytes)) {
        assert_clear_message(&error);
    }
}

fn run(input: &mut Input<'_>) -> Result<(), Error> {
    let meshes = [build(input)?, build(input)?];
    let starts = meshes.each_ref().map(|mesh| {
        let count = input.count(mesh.as_mesh().point_count());
        input.points(count)
    });
    let a = moving(input, meshes[0].as_mesh(), &starts[0])?;
    let b = moving(input, meshes[1].as_mesh(), &starts[1])?;
    let divisor = 1 + input.below(4) as u32;
    let keep = |a: Element, b: Element| (a.index() + b.index()).is_multiple_of(divisor);
    let options = MeshDistanceOptions {
        query: input.distance_options(150),
        filter: input.chance(4).then_some(&keep as _),
    };
    let mut workspace = MeshWorkspace::new();
    let bounded = input.range < Range::Finite;
    let least = workspace.least_distance(&a, &b, &options)?;
    check(&options, &least, &all_within(&a, &b, &options)?, bounded);
    let own = workspace.least_self_distance(&a, &options)?;
    check(&options, &own, &all_self_within(&a, &options)?, bounded);
    // What is kept from other queries makes no difference.
    let again = least_distance(&a, &b, &options)?;
    assert_eq!((again.lower, again.first), (least.lower, least.first));
    let again = least_self_distance(&a, &options)?;
    assert_eq!((again.lower, again.first), (own.lower, own.first));
    Ok(())
}

/// Both answers agree.
fn check(options: &MeshDistanceOptions<'_>, least: &LeastDistance, all: &AllWithin, bounded: bool) {
    let upper = |distance: &Distance| distance.upper().expect("closest points");
    for pair in &all.pairs {
        check_distance(&pair.distance, &options.query);
    }
    assert!(
        all.pairs
            .is_sorted_by_key(|pair| (upper(&pair.distance), pair.elements))
    );
    if bounded {
        assert_eq!(least.first, all.pairs.first().copied());
        let lowers = all.pairs.iter().map(|pair| pair.distance.lower());
        assert_eq!(
            least.lower,
            lowers.fold(options.query.max_distance, f64::min)
        );
    }
    match &least.first {
        Some(pair) => assert!(least.lower <= upper(&pair.distance)),
        None => assert_eq!(least.lower, options.query.max_distance),
    }
}
