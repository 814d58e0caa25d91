//! Found by throwing everything at the queries: what once gave an impact at 0, NaN, or took
//! minutes.

use kit::linear::{EDGE_EDGE, VERTEX_EDGE, VERTEX_FACE, VERTEX_VERTEX};
use kit::scenes::{closing, square};
use nalgebra::{Point3, point};
use patch_ccd::geometry::{AnyPatch, Patch, Shape, TensorProductPatch};
use patch_ccd::{
    DistanceOptions, Error, Inclusion, Method, Moving, Options, Outcome, closest_point_on,
    time_of_impact, vertex_face, vertex_vertex,
};

#[test]
fn positive_time_that_rounds_to_zero() {
    let start = [Point3::origin(), point![1e-16, 0.0, 0.0]];
    let end = [point![1e308, 0.0, 0.0], start[1]];
    let options = Options {
        t_max: 5e-324,
        no_zero_toi: true,
        ..Options::default()
    };
    let outcome = vertex_vertex(&[start, end], &options).unwrap();
    let exhausted = matches!(outcome, Outcome::BudgetExhausted { toi: 0.0, .. });
    assert!(exhausted, "{outcome:?}");
}

/// With `no_zero_toi` too, a contact that a local solve finds at time 0 is one, and ends the
/// search: no need to go on to the finest sub-patches, of which there may be more than any budget.
#[test]
fn contact_at_the_start_that_a_local_solve_finds() {
    let line_search = Options {
        no_zero_toi: true,
        ..Options::default()
    };
    let touching = [[Point3::origin(); 2]; 2];
    let few = Options {
        max_boxes: 50,
        ..line_search
    };
    let outcome = vertex_vertex(&touching, &few).unwrap();
    let at_start = |outcome: &Outcome| matches!(outcome, Outcome::ContactAtStart { .. });
    assert!(at_start(&outcome), "{outcome:?}");

    // Two copies of a warped square that cross, a hundred-millionth apart.
    let warped = |d: f64| {
        let corners = [
            point![d, d, 0.0],
            point![d, 1.0 + d, 0.2],
            point![1.0 + d, d, 0.3],
            point![1.0 + d, 1.0 + d, -0.4],
        ];
        Moving::resting(TensorProductPatch::new(1, 1, &corners).unwrap())
    };
    let options = Options {
        inclusion: Inclusion::Aabb,
        max_boxes: 5000,
        ..line_search
    };
    let outcome = time_of_impact(&warped(0.0), &warped(1e-8), &options).unwrap();
    assert!(at_start(&outcome), "{outcome:?}");
}

#[test]
fn clear_now_is_clear() {
    let step = [
        [1.0, 2.0, -1.0],
        [-1.0, 1.0, 2.0],
        [2.0, 4.0, -1.0],
        [0.0, 0.0, 2.0],
    ];
    let options = Options {
        inclusion: Inclusion::Aabb,
        method: Method::Traditional,
        delta: 1.0,
        t_max: 0.0,
        no_zero_toi: true,
        ..Options::default()
    };
    let outcome = vertex_face(&[step.map(Point3::from); 2], &options).unwrap();
    assert!(matches!(outcome, Outcome::Clear { .. }), "{outcome:?}");
}

/// What is wrong with one query of a batch is nothing to the others.
#[test]
fn batches() {
    let face = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Point3::from);
    let at = |z| [point![0.25, 0.25, z], face[0], face[1], face[2]];
    let options = Options::default();
    let [good, bad] = [[at(1.0), at(-1.0)], [at(f64::NAN), at(0.0)]];
    let answers = (VERTEX_FACE.batch)(&[good, bad, good], &options);
    assert_eq!(answers[0], vertex_face(&good, &options));
    assert_eq!(answers[2], answers[0]);
    let text = "point at the start 0: coordinate 2 is NaN, not a finite number";
    assert_eq!(answers[1].as_ref().unwrap_err().to_string(), text);
    assert_eq!((EDGE_EDGE.batch)(&[], &options), []);
    assert_eq!((VERTEX_FACE.batch)(&[], &options), []);
    assert_eq!((VERTEX_EDGE.batch)(&[], &options), []);
    assert_eq!((VERTEX_VERTEX.batch)(&[], &options), []);
    let none = patch_ccd::time_of_impact_batch::<AnyPatch, AnyPatch>(&[], &options);
    assert_eq!(none, []);
}

#[test]
fn outcomes() {
    let [a, b] = closing(Shape::Triangular { n: 1 });
    let outcome = time_of_impact(&a, &b, &Options::default()).unwrap();
    let contact = outcome.contact().unwrap();
    assert_eq!(contact.barycentric(2), None);
    assert_eq!(contact.barycentric(usize::MAX), None);
    assert_eq!(outcome.swapped().swapped(), outcome);
    let options = Options {
        max_boxes: 1,
        ..Options::default()
    };
    let ended = time_of_impact(&b, &b, &options).unwrap();
    assert!(matches!(ended, Outcome::BudgetExhausted { toi: 0.0, .. }));
    assert_eq!((ended.contact(), ended.toi()), (None, Some(0.0)));
}

/// A user's own kind of patch, which asks a query itself when it is asked for its own.
struct Nested(AnyPatch);

impl Patch for Nested {
    fn shape(&self) -> Shape {
        let options = DistanceOptions::default();
        assert!(closest_point_on(Point3::origin(), &self.0, &options).is_ok());
        let still = Moving::resting(self.0.clone());
        assert!(time_of_impact(&still, &still, &Options::default()).is_ok());
        self.0.shape()
    }

    fn control_points(&self) -> &[Point3<f64>] {
        self.0.control_points()
    }

    fn with_net(&self, points: &[Point3<f64>], weights: Option<&[f64]>) -> Result<Self, Error> {
        Ok(Self(self.0.with_net(points, weights)?))
    }
}

#[test]
fn a_patch_may_ask_when_it_is_asked() {
    let (at, options) = (point![0.5, 0.5, 3.0], DistanceOptions::default());
    let plain = closest_point_on(at, &square(0.0), &options);
    assert_eq!(closest_point_on(at, &Nested(square(0.0)), &options), plain);
    let [a, b] = [1.0, 0.0].map(|z| Moving::resting(Nested(square(z))));
    let outcome = time_of_impact(&a, &b, &Options::default()).unwrap();
    assert!(matches!(outcome, Outcome::Clear { .. }), "{outcome:?}");
}
