//! Weights: every call that takes some, with each number that is none in each place, with more or
//! fewer than there should be, and with weights as far apart as they may be.

use kit::Unchecked;
use nalgebra::{Point3, Vector4, point};
use patch_ccd::geometry::{
    AnyPatch, KnotVector, MAX_WEIGHT_RATIO, NurbsCurve, NurbsSurface, Patch, Rational,
    TriangularPatch,
};
use patch_ccd::mesh::PatchMesh;

use super::{Calls, NOT_FINITE, SHAPES, asked_of, net, told};

/// The calls that take so many weights, and whose they are where their number is checked.
struct Weighted {
    count: usize,
    owner: Option<String>,
    calls: Calls<f64>,
}

fn linear() -> KnotVector {
    KnotVector::new(1, &[0.0, 0.0, 1.0, 1.0]).unwrap()
}

/// A bilinear surface.
fn surface(weights: &[f64]) -> Result<NurbsSurface, patch_ccd::Error> {
    NurbsSurface::new([linear(), linear()], &net(4), Some(weights))
}

fn all() -> Vec<Weighted> {
    let of_shape = |shape: patch_ccd::geometry::Shape| {
        let (count, owner) = (shape.count(), Some(shape.to_string()));
        let patch = AnyPatch::rational_from_shape(shape, &net(count), &vec![1.0; count]).unwrap();
        let indices: Vec<u32> = (0..count as u32).collect();
        let calls = move |weights: &[f64]| {
            let mut unchecked = Unchecked::new(shape, net(count));
            unchecked.weights = Some(weights.to_vec());
            let mut calls = asked_of(&unchecked);
            let points = patch.control_points();
            let made = AnyPatch::rational_from_shape(shape, points, weights);
            calls.push(("", told(made)));
            calls.push(("", told(patch.with_net(points, Some(weights)))));
            let mut mesh = PatchMesh::new(count);
            calls.push(("patch 0: ", told(mesh.add(shape, &indices, Some(weights)))));
            assert_eq!(mesh.len(), usize::from(calls[0].1.is_ok()));
            calls
        };
        Weighted {
            count,
            owner,
            calls: Box::new(calls),
        }
    };
    // Its number is that of the points.
    let homogeneous = |weights: &[f64]| -> Vec<Vector4<f64>> {
        weights
            .iter()
            .map(|&w| Vector4::new(0.0, 0.0, 0.0, w))
            .collect()
    };
    let of_nurbs = [
        Weighted {
            count: 4,
            owner: Some("NURBS surface of degree (1, 1) with 4 × 4 knots".to_owned()),
            calls: Box::new(|weights| vec![("", told(surface(weights)))]),
        },
        Weighted {
            count: 2,
            owner: Some("NURBS curve of degree 1 with 4 knots".to_owned()),
            calls: Box::new(|weights| {
                vec![("", told(NurbsCurve::new(linear(), &net(2), Some(weights))))]
            }),
        },
        Weighted {
            count: 4,
            owner: None,
            calls: Box::new(move |weights| {
                let (knots, points) = ([linear(), linear()], homogeneous(weights));
                let plain = surface(&[1.0; 4]).unwrap().extraction();
                let mesh = PatchMesh::from_grid(plain.grid(), Some(weights));
                vec![
                    ("", told(NurbsSurface::from_homogeneous(knots, &points))),
                    ("patch 0: ", told(mesh)),
                ]
            }),
        },
    ];
    SHAPES.into_iter().map(of_shape).chain(of_nurbs).collect()
}

#[test]
fn weights_that_are_none() {
    let refused = |weighted: &Weighted, weights: &[f64], text: &str| {
        for (within, told) in (weighted.calls)(weights) {
            assert_eq!(told.expect_err(text), format!("{within}{text}"));
        }
    };
    for weighted in all() {
        let last = weighted.count - 1;
        let good = vec![1.0; weighted.count];
        assert!((weighted.calls)(&good).iter().all(|(_, told)| told.is_ok()));
        let none = [0.0, -0.0, -1.0, -5e-324, f64::MIN];
        let places = (0..=last).filter(|&place| last < 40 || [0, 1, last].contains(&place));
        for place in places {
            for value in NOT_FINITE
                .into_iter()
                .chain(none)
                .chain([5e-324, 1e-300, 1e-201])
            {
                let mut bad = good.clone();
                bad[place] = value;
                let most = "positive, finite and at least 1.0 / 1e200";
                let text = format!("weight {place} is {value:?}, but must be {most}");
                refused(&weighted, &bad, &text);
            }
        }
        for value in NOT_FINITE.into_iter().chain(none) {
            let text = format!("weight 0 is {value:?}, but must be positive and finite");
            refused(&weighted, &vec![value; weighted.count], &text);
        }
        let Some(owner) = &weighted.owner else {
            continue;
        };
        for count in [0, last, last + 2, 2000] {
            let text = format!("weights: {count} given, but the {owner} has {}", last + 1);
            refused(&weighted, &vec![1.0; count], &text);
        }
    }
    let extraction = surface(&[1.0; 4]).unwrap().extraction();
    let grid = extraction.grid();
    for count in [0, 3, 5] {
        let text = format!("weights: {count} given, but the mesh has 4");
        let made = PatchMesh::from_grid(grid, Some(&vec![1.0; count]));
        assert_eq!(told(made), Err(text));
    }
}

/// The smallest beside the largest.
#[test]
fn weights_too_far_apart() {
    let triangle = TriangularPatch::new(1, &net(3)).unwrap();
    for (weights, index, largest) in [
        ([1.0, 1e-300, 1.0], 1, 1.0),
        ([1e-100, 1.0, 1.1e100], 0, 1.1e100),
        ([1.0, 5e-324, 1.0], 1, 1.0),
        ([2.0, 2.0, 2.0_f64 * 0.9 / MAX_WEIGHT_RATIO], 2, 2.0),
    ] {
        let value = weights[index];
        let most = format!("positive, finite and at least {largest:?} / 1e200");
        let text = format!("weight {index} is {value:?}, but must be {most}");
        assert_eq!(told(Rational::new(triangle.clone(), &weights)), Err(text));
    }
    for weights in [[2.0, 2.0, 2.0 / MAX_WEIGHT_RATIO], [1e-100, 1.0, 9e99]] {
        assert!(Rational::new(triangle.clone(), &weights).is_ok());
    }
}

/// Together they may be of any size.
#[test]
fn weights_of_any_size() {
    for size in [5e-324, 1e-300, 1e300, f64::MAX] {
        let triangle = TriangularPatch::new(1, &net(3)).unwrap();
        let patch = Rational::new(triangle.clone(), &[size; 3]).unwrap();
        let apart = patch.eval(0.25, 0.5) - triangle.eval(0.25, 0.5);
        assert!(apart.norm() < 1e-14, "{size}: {apart}");
        assert_eq!(patch.subdivide().unwrap().len(), 4);
    }
    let points: Vec<_> = (0..4)
        .map(|i| point![f64::from(i), 0.0, f64::MAX])
        .collect();
    for weights in [
        [5e-324; 4],
        [f64::MAX; 4],
        [1e-200, 1.0, 1.0, 1e-200],
        [1e300, 1e101, 1e200, 1e150],
    ] {
        let knots = [linear(), linear()];
        let surface = NurbsSurface::new(knots, &points, Some(&weights)).unwrap();
        for (u, v) in [(0.0, 0.0), (0.25, 0.5), (1.0, 1.0), (f64::INFINITY, -1e300)] {
            let sum: f64 = surface.basis(u, v).iter().map(|(_, value)| value).sum();
            assert!((sum - 1.0).abs() < 1e-15, "{weights:?}");
        }
        let mesh = PatchMesh::from_nurbs(&surface.extraction()).unwrap();
        assert_eq!(mesh.len(), 1);
    }
}

/// Points that their weights take out of the range.
#[test]
fn points_by_their_weights() {
    let mut points = [Vector4::new(0.0, 0.0, 0.0, 1.0); 4];
    points[2] = Vector4::new(0.0, 1e300, 0.0, 1e-10);
    let text = "control point 2: coordinate 1 is inf, not a finite number";
    let surface = NurbsSurface::from_homogeneous([linear(), linear()], &points);
    assert_eq!(told(surface), Err(text.to_owned()));
    let curve = NurbsCurve::from_homogeneous(linear(), &[Vector4::new(1e300, 0.0, 0.0, 1e-100); 2]);
    let text = "control point 0: coordinate 0 is inf, not a finite number";
    assert_eq!(told(curve), Err(text.to_owned()));
    let rational = TriangularPatch::new(1, &[Point3::from([f64::MAX; 3]); 3]).unwrap();
    let rational = Rational::new(rational, &[1.0, 1e150, 3.0]).unwrap();
    assert!(rational.eval(0.3, 0.3).iter().all(|x| x.is_finite()));
}
