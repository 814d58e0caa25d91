//! Degrees: every call that takes one, with those that no patch has; and shapes, which anybody can
//! make, whatever their degrees.

use kit::{PairReader, RandomPairs, Unchecked};
use nalgebra::Point3;
use patch_ccd::geometry::{
    AnyPatch, BezierCurve, KnotVector, Patch, Shape, TensorProductPatch, TriangularPatch,
};
use patch_ccd::mesh::PatchMesh;
use patch_ccd::{Error, Moving, Options, time_of_impact};

use super::{Told, asked_of, told};

/// Degrees that no patch has.
const NO_DEGREES: [usize; 7] = [0, 31, 60, 1 << 16, 1 << 32, usize::MAX / 2, usize::MAX];

/// What is said of a degree: after what an error begins with, and what it calls the degree.
fn asked(value: usize) -> Vec<(&'static str, &'static str, Told)> {
    let triangular = Shape::Triangular { n: value };
    let [first, second] = [[value, 1], [1, value]].map(|[n, m]| Shape::TensorProduct { n, m });
    let curve = Shape::TensorProduct { n: value, m: 0 };
    let of_shape = |shape| told(AnyPatch::from_shape(shape, &[]));
    let rational = |shape| told(AnyPatch::rational_from_shape(shape, &[], &[]));
    let added = |shape| told(PatchMesh::new(4).add(shape, &[0, 1], None));
    let knots = [0.0, 0.0, 1.0, 1.0];
    let mut all = vec![
        (
            "",
            "degree in u",
            told(TensorProductPatch::new(value, 1, &[])),
        ),
        (
            "",
            "degree in v",
            told(TensorProductPatch::new(1, value, &[])),
        ),
        ("", "degree", told(TriangularPatch::new(value, &[]))),
        ("", "degree", told(BezierCurve::new(value, &[]))),
        ("", "degree in u", of_shape(first)),
        ("", "degree", of_shape(triangular)),
        ("", "degree", of_shape(curve)),
        ("", "degree in u", rational(first)),
        ("", "degree", rational(triangular)),
        ("", "degree", rational(curve)),
        ("", "degree", told(KnotVector::new(value, &knots))),
        (
            "",
            "degree",
            told(KnotVector::from_opennurbs(value, &knots)),
        ),
    ];
    // Of a shape that is checked as a whole, the degree is not told from the other one.
    let either = if value == 0 { "degree in u" } else { "degree" };
    all.extend([first, triangular, curve].map(|shape| ("patch 0: ", either, added(shape))));
    if value > 0 {
        // A degree of 0 in v makes a curve.
        all.push(("", "degree in v", of_shape(second)));
        all.push(("patch 0: ", "degree", added(second)));
        for shape in [first, second, triangular, curve] {
            let unchecked = asked_of(&Unchecked::new(shape, []));
            all.extend(
                unchecked
                    .into_iter()
                    .map(|(within, told)| (within, "degree", told)),
            );
        }
    }
    all
}

#[test]
fn degrees_that_no_patch_has() {
    for value in NO_DEGREES {
        for (within, argument, told) in asked(value) {
            let text = format!("{within}{argument} is {value}, but must be from 1 to 30");
            assert_eq!(told, Err(text));
        }
        for shape in [
            Shape::Triangular { n: value },
            Shape::TensorProduct { n: value, m: 1 },
        ] {
            let mut pairs = RandomPairs::new(shape, u64::MAX);
            for _ in 0..2 {
                let error = pairs.next().unwrap().unwrap_err();
                let right = matches!(error, Error::Degree { value: found, .. } if found == value);
                assert!(right, "{error}");
            }
        }
        // A reader stops where it can't know where the next case would begin, and takes no memory
        // for what is not there.
        if value > 30 {
            let heap = allocation_counter::measure(|| {
                for shape in [
                    Shape::Triangular { n: value },
                    Shape::TensorProduct { n: value, m: value },
                ] {
                    let mut reader = PairReader::new(&[0; 1000][..], shape);
                    let text = told(reader.next().expect("an error")).unwrap_err();
                    let start = "case 0, patch 1: degree is ";
                    assert!(text.starts_with(start), "{text}");
                    assert!(reader.next().is_none());
                }
            });
            assert!(heap.bytes_max < 1 << 12);
        }
    }
    let knots: Vec<f64> = (0..62).map(|i| f64::from(i / 31)).collect();
    assert_eq!(KnotVector::new(30, &knots).unwrap().count(), 31);
}

/// The numbers of a shape.
#[test]
fn shapes() {
    let most = usize::MAX;
    assert_eq!(Shape::TensorProduct { n: most, m: most }.count(), most);
    assert_eq!(Shape::TensorProduct { n: most, m: 0 }.count(), most);
    // Saturating, too: half of it.
    assert_eq!(Shape::Triangular { n: most }.count(), most / 2);
    for n in [0, 1, 30, most] {
        for shape in [
            Shape::Triangular { n },
            Shape::TensorProduct { n, m: 0 },
            Shape::TensorProduct { n, m: most },
        ] {
            assert!(shape.degrees().contains(&n));
            assert!((1..=4).contains(&shape.children()));
            assert!(shape.to_string().contains(&n.to_string()));
            for child in [0, 3, 4, most] {
                let cell = shape.child_cell(child);
                assert!([1.0, 0.5, -0.5].contains(&cell.width_u), "{cell:?}");
                let (u, v) = shape.centre(&cell);
                assert!(u.is_finite() && v.is_finite());
            }
        }
    }
}

/// What a patch of a degree that no memory holds is: the origin.
#[test]
fn degrees_that_no_memory_holds() {
    let shape = Shape::TensorProduct {
        n: usize::MAX,
        m: 1 << 32,
    };
    let endless = Unchecked::new(shape, []);
    assert_eq!(endless.eval(0.5, 0.5), Point3::origin());
    assert_eq!(endless.normal(0.5, 0.5), None);
    assert!(endless.subdivide().is_err());
    let moving = Moving::resting(endless);
    assert_eq!(moving.eval(0.5, 0.5, 0.5), Point3::origin());
    assert!(time_of_impact(&moving, &moving, &Options::default()).is_err());
}
