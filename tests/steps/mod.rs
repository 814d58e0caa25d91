//! Random steps of four points, for all four queries.

use nalgebra::{Point3, Vector3, point};
use patch_ccd::Step;
use proptest::prelude::*;

use crate::oracle::Oracle;
use crate::simplices::{Kind, Query};

/// The exact answer to a query.
pub(crate) fn oracle(query: &Query) -> Oracle {
    match query {
        Query::EdgeEdge(step) => Oracle::edge_edge(step),
        Query::VertexFace(step) => Oracle::vertex_face(step),
        Query::VertexEdge(step) => Oracle::vertex_edge(step),
        Query::VertexVertex(step) => Oracle::vertex_vertex(step),
    }
}

pub(crate) fn kind() -> impl Strategy<Value = Kind> {
    let [ee, vf, ve, vv] = Kind::ALL.map(Just);
    prop_oneof![4 => ee, 4 => vf, 1 => ve, 1 => vv]
}

pub(crate) fn mapped(step: Step<4>, map: impl Fn(Point3<f64>) -> Point3<f64>) -> Step<4> {
    step.map(|points| points.map(&map))
}

pub(crate) fn with_coordinates(
    coordinate: impl Strategy<Value = f64>,
) -> impl Strategy<Value = Step<4>> {
    use prop::array::{uniform2, uniform3, uniform4};
    uniform2(uniform4(uniform3(coordinate)))
        .prop_map(|step| step.map(|points| points.map(Point3::from)))
}

/// Every point moves on its own, anyhow.
pub(crate) fn random() -> impl Strategy<Value = Step<4>> {
    with_coordinates(-1.0..=1.0_f64)
}

/// Small integers: exact touches, parallel edges, zero lengths and areas, coplanar motions, no motion at all.
pub(crate) fn on_grid() -> impl Strategy<Value = Step<4>> {
    (0..=3_i32).prop_flat_map(|size| with_coordinates((-size..=size).prop_map(f64::from)))
}

/// The same, in a plane.
pub(crate) fn in_plane() -> impl Strategy<Value = Step<4>> {
    (on_grid(), 0..3_usize, -1..=1).prop_map(|(step, axis, height)| {
        mapped(step, |mut point| {
            point[axis] = f64::from(height) * (point[(axis + 1) % 3] + 1.0);
            point
        })
    })
}

/// At a distance of a rounding or two from there.
pub(crate) fn nearly_on_grid() -> impl Strategy<Value = Step<4>> {
    let nudge = prop_oneof![3 => Just(0), 1 => Just(-1), 1 => Just(1), 1 => -4..=4];
    let nudges = with_coordinates(nudge.prop_map(f64::from));
    (prop_oneof![on_grid(), in_plane()], nudges).prop_map(|(mut step, nudges)| {
        for (point, nudge) in step.iter_mut().flatten().zip(nudges.iter().flatten()) {
            for c in 0..3 {
                point[c] += nudge[c] * point[c].abs().max(0.25) * f64::EPSILON;
            }
        }
        step
    })
}

pub(crate) fn any_step() -> impl Strategy<Value = Step<4>> {
    prop_oneof![random(), on_grid(), in_plane(), nearly_on_grid()]
}

/// Huge or tiny, down to numbers that have lost most of their digits.
pub(crate) fn scaled() -> impl Strategy<Value = Step<4>> {
    let unit = prop::sample::select(&[1e100, 1e-100, 1e150, 1e-150, 1e300, 1e-300, 1e-315][..]);
    (any_step(), unit).prop_map(|(step, unit)| mapped(step, |point| point * unit))
}

/// Each axis in its own unit.
pub(crate) fn stretched() -> impl Strategy<Value = Step<4>> {
    let unit = || (-12..=12).prop_map(|exponent| 10.0_f64.powi(exponent));
    (any_step(), [unit(), unit(), unit()])
        .prop_map(|(step, [x, y, z])| mapped(step, |p| point![p.x * x, p.y * y, p.z * z]))
}

/// Far from the origin, where the coordinates are coarse.
pub(crate) fn far_away() -> impl Strategy<Value = Step<4>> {
    let offset = || prop::sample::select(&[0.0, 0.1, -1e3, 1e6, -1e9, 3e15][..]);
    let offset = [offset(), offset(), offset()].prop_map(Vector3::from);
    let unit = prop::sample::select(&[1.0, 1e-3, 1e-6][..]);
    (any_step(), unit, offset)
        .prop_map(|(step, unit, offset)| mapped(step, |point| point * unit + offset))
}

/// The points at time `t`; exact where the numbers are short.
pub(crate) fn points_at([start, end]: &Step<4>, t: f64) -> [Point3<f64>; 4] {
    std::array::from_fn(|i| start[i] + t * (end[i] - start[i]))
}

/// A query with a contact at an eighth of the step, and that time: exactly, since no number gets long.
pub(crate) fn planted() -> impl Strategy<Value = (Kind, Step<4>, f64)> {
    let eighth = || (0..=8).prop_map(|k| f64::from(k) / 8.0);
    let places = [eighth(), eighth(), eighth(), eighth()];
    let step = prop_oneof![on_grid(), in_plane()];
    (kind(), step, places, eighth()).prop_map(|(kind, mut step, [u1, v1, u2, v2], t)| {
        let points = points_at(&step, t);
        let [one, two] = kind.simplices(&points);
        let aside = point_of(two, u2, v2) - point_of(one, u1, v1);
        let count = one.len();
        for points in &mut step {
            for point in &mut points[..count] {
                *point += aside;
            }
        }
        (kind, step, t)
    })
}

pub(crate) fn point_of(simplex: &[Point3<f64>], u: f64, v: f64) -> Point3<f64> {
    match *simplex {
        [a, b] => a + u * (b - a),
        [a, b, c] if u + v <= 1.0 => a + u * (b - a) + v * (c - a),
        [a, b, c] => a + (1.0 - u) * (b - a) + (1.0 - v) * (c - a),
        _ => simplex[0],
    }
}

/// One property for each sort of step: `$check(kind, &step, &options)?` of any kind of query, with options as generated.
#[allow(unused_macros, reason = "shared with other tests")]
macro_rules! queries_of_all_sorts {
    ($check:ident, $options:expr) => {
        proptest! {
            #[test]
            fn random_queries(kind in kind(), step in random(), options in $options) {
                $check(kind, &step, &options)?;
            }

            #[test]
            fn queries_on_a_grid(kind in kind(), step in on_grid(), options in $options) {
                $check(kind, &step, &options)?;
            }

            #[test]
            fn queries_in_a_plane(kind in kind(), step in in_plane(), options in $options) {
                $check(kind, &step, &options)?;
            }

            #[test]
            fn queries_nearly_on_a_grid(kind in kind(), step in nearly_on_grid(), options in $options) {
                $check(kind, &step, &options)?;
            }

            #[test]
            fn scaled_queries(kind in kind(), step in scaled(), options in $options) {
                $check(kind, &step, &options)?;
            }

            #[test]
            fn stretched_queries(kind in kind(), step in stretched(), options in $options) {
                $check(kind, &step, &options)?;
            }

            #[test]
            fn queries_far_away(kind in kind(), step in far_away(), options in $options) {
                $check(kind, &step, &options)?;
            }
        }
    };
}
