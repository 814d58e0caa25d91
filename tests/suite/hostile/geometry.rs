//! Parameters that are no place on a patch, cells and spans of numbers of all sizes.

use kit::Random;
use kit::scenes::random_patch;
use nalgebra::{Vector3, point};
use patch_ccd::Moving;
use patch_ccd::geometry::{Cell, NurbsSpan, Patch, Rational, TensorProductPatch};
use patch_ccd::inclusion::{Envelope, Line, overlap_interval};

use super::{FINITE, NOT_FINITE, SHAPES};

/// They still give a point: far away, or none.
#[test]
fn parameters() {
    let mut random = Random::new(1);
    for (shape, rational) in SHAPES
        .iter()
        .flat_map(|&shape| [(shape, false), (shape, true)])
    {
        let patch = random_patch(shape, &mut random, Vector3::zeros(), rational);
        let moving = Moving::translating(patch.clone(), Vector3::x()).unwrap();
        for u in NOT_FINITE.into_iter().chain(FINITE) {
            for v in [f64::NAN, f64::INFINITY, 0.0, 1.0, -1e300] {
                patch.eval(u, v);
                patch.partials(u, v);
                moving.eval(u, v, 0.5);
                let normals = [patch.normal(u, v), moving.normal(u, v, 0.5)];
                for normal in normals.into_iter().flatten() {
                    assert!((normal.norm() - 1.0).abs() < 1e-12, "({u}, {v}): {normal}");
                }
            }
        }
    }
}

#[test]
fn cells_and_spans() {
    for x in NOT_FINITE.into_iter().chain(FINITE) {
        let cell = Cell {
            u0: x,
            v0: 0.5,
            width_u: 0.5,
            width_v: 0.25,
        };
        assert_eq!(cell.map(0.0, 1.0).1, 0.75);
        assert_eq!(cell.compose(&Cell::UNIT).width_v, 0.25);
        assert_eq!(Cell::UNIT.map(x, 1.0).0.is_nan(), x.is_nan());
    }
    for [a, b] in FINITE.iter().flat_map(|&a| FINITE.map(|b| [a, b])) {
        let span = NurbsSpan {
            u: [a, b],
            v: [b, a],
        };
        assert_eq!(span.map(0.0, 1.0), (a, a));
        assert_eq!(span.map(1.0, 0.0), (b, b));
        assert!(span.map(0.5, 0.25).0.is_finite());
        assert!(span.map(f64::NAN, 0.5).0.is_nan());
    }
}

/// Weighted, the control points of these patches are beyond the range of doubles.
#[test]
fn patches_at_the_end_of_the_range() {
    let far = f64::MAX;
    let net = [
        point![far, -far, 0.0],
        point![0.5 * far, far, 1.0],
        point![-far, far, -far],
        point![0.5 * far, 1.0, far],
    ];
    for weights in [[1.0, 1.9, 0.3, 1.0], [1e308, 1e150, 3e300, 1.7e308]] {
        let patch = TensorProductPatch::new(1, 1, &net).unwrap();
        let patch = Rational::new(patch, &weights).unwrap();
        for (child, cell) in &patch.subdivide().unwrap() {
            for (corner, (u, v)) in [(0, (0.0, 0.0)), (1, (0.0, 1.0)), (2, (1.0, 0.0))] {
                let (u, v) = cell.map(u, v);
                let apart = child.control_points()[corner] / far - patch.eval(u, v) / far;
                assert!(apart.amax() < 1e-15, "({u}, {v}): {apart}");
            }
        }
    }
}

/// Envelopes are said to be for finite lines; of others they are something, too.
#[test]
fn envelopes() {
    let values: Vec<f64> = NOT_FINITE.into_iter().chain(FINITE).collect();
    let line = |offset, slope| Line { offset, slope };
    assert!(Envelope::lower(&[]).at(0.0).is_nan());
    assert!(Envelope::upper(&[]).breaks().is_empty());
    for (&a, &b) in values
        .iter()
        .flat_map(|a| values.iter().map(move |b| (a, b)))
    {
        let lines = [line(a, b), line(b, a), line(1.0, -1.0), line(a, 1.0)];
        for envelope in [Envelope::lower(&lines), Envelope::upper(&lines)] {
            assert_eq!(envelope.pieces().len(), envelope.breaks().len() + 1);
            for &t in &values {
                envelope.at(t);
            }
        }
        for &end in &values {
            let axes = [
                [lines[..1].to_vec(), lines[1..].to_vec()],
                [vec![], lines.to_vec()],
            ];
            if let Some([from, to]) = overlap_interval(&axes, [a, end]) {
                assert!(a <= from && from <= to && to <= end);
            }
        }
    }
    assert_eq!(overlap_interval(&[], [0.0, 1.0]), Some([0.0, 1.0]));
    assert_eq!(overlap_interval(&[], [1.0, 0.0]), None);
    assert_eq!(overlap_interval(&[], [f64::NAN, 1.0]), None);
    let most = [f64::NEG_INFINITY, f64::INFINITY];
    assert_eq!(overlap_interval(&[], most), Some(most));
}
