//! Motions that no doubles hold: between points too far apart, and out of the range within the
//! horizon.

use kit::linear::{EDGE_EDGE, Linear, VERTEX_EDGE, VERTEX_FACE, VERTEX_VERTEX};
use kit::scenes::{flat, resting};
use kit::{Unchecked, scenes};
use nalgebra::{Point3, Vector3, point, vector};
use patch_ccd::geometry::{AnyPatch, KnotVector, NurbsSurface, Patch, Shape};
use patch_ccd::mesh::{MovingMesh, TriangleMesh};
use patch_ccd::{Error, Moving, Options, Step, time_of_impact};

use super::{FINITE, NOT_FINITE, SHAPES, assert_text, net, told};

#[test]
fn ends_of_another_shape() {
    for start in SHAPES {
        for end in SHAPES.into_iter().filter(|&end| end != start) {
            let error = Moving::between(flat(start, 0.0), &flat(end, 0.0)).unwrap_err();
            let (expected, found) = (start.to_string(), end.to_string());
            assert_eq!(error, Error::ShapeMismatch { expected, found });
        }
        let plain = Unchecked::new(start, net(start.count()));
        let mut rational = plain.clone();
        rational.weights = Some(vec![1.0; start.count()]);
        assert_text(
            Moving::between(plain, &rational),
            &format!(
                "end of the motion: {start} with other weights given, \
                but the start is a {start} with the start's weights"
            ),
        );
    }
}

/// From one end of the range to the other, in one coordinate of one point.
#[test]
fn ends_too_far_away() {
    fn of_simplices<const N: usize>(query: Linear<N>, start: &[Point3<f64>], text: &str) {
        let start: [_; N] = std::array::from_fn(|i| start[i]);
        let step: Step<N> = [start, start.map(|p| -p)];
        for answer in query.ask(&step, &Options::default()) {
            assert_text(answer, text);
        }
    }
    for (sign, value) in [(-1.0, f64::INFINITY), (1.0, f64::NEG_INFINITY)] {
        for index in 0..4 {
            let mut far = net(4);
            far[index].y = sign * f64::MAX;
            let back: Vec<_> = far.iter().map(|p| -p).collect();
            let is = format!("{index}: coordinate 1 is {value}, not a finite number");
            let text = format!("end − start of control point {index}: {}", &is[3..]);
            let shape = Shape::TensorProduct { n: 1, m: 1 };
            let [start, end] = [&far, &back].map(|net| AnyPatch::from_shape(shape, net).unwrap());
            assert_text(Moving::between(start, &end), &text);
            let linear = KnotVector::new(1, &[0.0, 0.0, 1.0, 1.0]).unwrap();
            let surface = NurbsSurface::new([linear.clone(), linear], &far, None).unwrap();
            assert_text(surface.split_between(&back), &text);
            let text = format!("end − start of point {is}");
            of_simplices(EDGE_EDGE, &far, &text);
            of_simplices(VERTEX_FACE, &far, &text);
            let mesh = TriangleMesh::new(4, &[[0, 1, 2]]).unwrap();
            assert_text(MovingMesh::between(&mesh, &far, &back), &text);
            if index < 3 {
                of_simplices(VERTEX_EDGE, &far, &text);
            }
            if index < 2 {
                of_simplices(VERTEX_VERTEX, &far, &text);
            }
        }
    }
}

#[test]
fn out_of_range_by_the_horizon() {
    let options = Options {
        t_max: 1e200,
        ..Options::default()
    };
    let overflow = |patch, index, coordinate, value| {
        let source = Box::new(Error::Overflow {
            index,
            coordinate,
            value,
            t_max: 1e200,
        });
        Err(Error::Patch { patch, source })
    };
    for shape in SHAPES {
        let index = shape.count() - 1;
        let mut velocities = vec![Vector3::zeros(); shape.count()];
        velocities[index].y = -1e200;
        let fast = Moving::with_velocities(flat(shape, 0.0), &velocities).unwrap();
        let rest = resting(flat(shape, 1.0));
        let expected = |patch| overflow(patch, index, 1, -1e200);
        assert_eq!(time_of_impact(&fast, &rest, &options), expected(1));
        assert_eq!(time_of_impact(&rest, &fast, &options), expected(2));
    }
    let start: [_; 4] = net(4).try_into().unwrap();
    let mut end = start;
    end[1].z = 1e200;
    for (query, expected) in [
        (EDGE_EDGE, overflow(1, 1, 2, 1e200)),
        (VERTEX_FACE, overflow(2, 0, 2, 1e200)),
    ] {
        for answer in query.ask(&[start, end], &options) {
            assert_eq!(answer, expected);
        }
    }
    // Within the usual horizon, too.
    let at = |x: f64, y: f64| point![x * 1e308, y * 1e308, 0.0];
    let net = [at(-1.0, 0.0), at(-1.0, 1.0), at(1.0, 0.0), at(1.0, 1.0)];
    let patch = AnyPatch::from_shape(Shape::TensorProduct { n: 1, m: 1 }, &net).unwrap();
    let stretching = net.map(|p| vector![p.x, 0.0, 0.0]);
    let moving = Moving::with_velocities(patch.clone(), &stretching).unwrap();
    let text = told(time_of_impact(
        &resting(patch),
        &moving,
        &Options::default(),
    ));
    let text = text.unwrap_err();
    assert!(
        text.starts_with("patch 2: velocity 0: coordinate 0 is "),
        "{text}"
    );
    assert!(
        text.ends_with("the point leaves the range of doubles"),
        "{text}"
    );
}

/// Where a motion is at any time.
#[test]
fn times_of_all_sizes() {
    for shape in SHAPES {
        for rational in [false, true] {
            let patch =
                scenes::random_patch(shape, &mut kit::Random::new(3), Vector3::zeros(), rational);
            let at_zero = scenes::placed(&patch, |p| point![0.0, p.y, p.z]);
            let moving = Moving::translating(at_zero.clone(), vector![1.0, -1.0, 0.0]).unwrap();
            for t in NOT_FINITE {
                let text = told(moving.at(t)).unwrap_err();
                assert!(
                    text.starts_with("control point 0: coordinate 0 is "),
                    "{text}"
                );
            }
            for t in FINITE {
                assert_eq!(moving.at(t).unwrap().control_points()[0].x, t);
            }
            let fast = Moving::translating(at_zero, vector![0.0, f64::MAX, 0.0]).unwrap();
            let text = "control point 0: coordinate 1 is inf, not a finite number";
            assert_text(fast.at(2.0), text);
            assert!(fast.at(1.0).is_ok());
        }
    }
    let mesh = TriangleMesh::new(3, &[[0, 1, 2]]).unwrap();
    let corners = net(3);
    let moving = MovingMesh::with_velocities(&mesh, &corners, &[Vector3::x(); 3]).unwrap();
    for t in FINITE {
        assert_eq!(moving.at(t)[0].x, t);
        assert!(moving.patches_at(t).is_ok());
    }
    for t in NOT_FINITE {
        assert!(moving.patches_at(t).is_err());
    }
}
