//! BezierView's format: order, round trip, errors.

use nalgebra::{Point3, point};
use patch_ccd::geometry::{AnyPatch, Patch, Shape, TensorProductPatch};
use patch_ccd::io::BvGroup;
use proptest::prelude::*;

use super::{KINDS, assert_asymmetric, assert_errors, bv, unnamed, written};

#[test]
fn every_kind_is_where_it_should_be() {
    let groups = bv(KINDS).unwrap();
    let names: Vec<_> = groups.iter().map(|g| (g.color, &g.name[..])).collect();
    assert_eq!(names, [(0, "curved"), (1, "round"), (2, "flat")]);

    let [triangle, asymmetric] = &groups[0].patches[..] else {
        panic!("{:?}", groups[0]);
    };
    // (3 u, 3 v, 4 · 3 u² v): only the control point with exponents (2, 1, 0) leaves the plane.
    assert_eq!(triangle.shape(), Shape::Triangular { n: 3 });
    assert_eq!(triangle.eval(1.0, 0.0), point![3.0, 0.0, 0.0]);
    assert_eq!(triangle.eval(0.5, 0.25), point![1.5, 0.75, 0.75]);
    assert_eq!(triangle.eval(0.25, 0.5), point![0.75, 1.5, 0.375]);
    assert_asymmetric(asymmetric);

    let [cylinder] = &groups[1].patches[..] else {
        panic!("{:?}", groups[1]);
    };
    assert_eq!(
        cylinder.weights(),
        Some(&[1.0, 1.0, 1.0, 1.0, 2.0, 2.0][..])
    );
    assert_eq!(cylinder.control_points()[5], point![0.0, 1.0, 1.0]);
    assert!((cylinder.eval(0.5, 0.25) - point![0.6, 0.8, 0.25]).norm() < 1e-15);

    let [bilinear, quadrilateral, face] = &groups[2].patches[..] else {
        panic!("{:?}", groups[2]);
    };
    // x = u, y = v, z = u v, from kind 4 and from a mesh.
    assert_eq!(bilinear.eval(0.5, 0.25), point![0.5, 0.25, 0.125]);
    assert_eq!(quadrilateral, bilinear);
    assert_eq!(face.shape(), Shape::Triangular { n: 1 });
    let corners = [
        point![0.0, 1.0, 0.0],
        point![1.0, 1.0, 1.0],
        point![0.5, 2.0, 0.1],
    ];
    assert_eq!(face.control_points(), corners);
}

#[test]
fn line_ends_and_spaces_do_not_matter() {
    let groups = bv(KINDS).unwrap();
    assert_eq!(bv(KINDS.replace('\n', "\r\n")).unwrap(), groups);
    assert_eq!(bv(KINDS.trim_end()).unwrap(), groups);
    assert_eq!(bv(KINDS.replace('\n', "\n\n \t# 5 2 3\n")).unwrap(), groups);
    assert_eq!(bv(KINDS.replace("Group", "group")).unwrap(), groups);
    assert_eq!(bv(KINDS.replace('\n', "\r")).unwrap(), groups);
    let bare: Vec<_> = KINDS.lines().filter(|line| !line.contains('#')).collect();
    assert_eq!(bv(bare.join(" ")).unwrap()[1..], groups[1..]);
    for empty in ["", "\n", "# nothing"] {
        assert_eq!(bv(empty).unwrap(), []);
    }
}

#[test]
fn numbers_with_signs_or_no_digits_after_the_point() {
    let plain = bv("5 1 1 0 0 0 0 1 0 1 0 0 1 1 -0.5").unwrap();
    assert_eq!(
        bv("5 1 1 0 -0 0 0 +1 0 1. 0 -.0 +1 +1. -.5").unwrap(),
        plain
    );
}

#[test]
fn written_and_read_again() {
    let groups = bv(KINDS).unwrap();
    let again = bv(written(&groups).unwrap()).unwrap();
    assert_eq!(again, groups);
    // Without a name first, and an empty group, whose name comes back.
    let mut groups = [unnamed(groups[0].patches.clone()).to_vec(), groups].concat();
    groups.push(BvGroup {
        name: "round".to_owned(),
        color: -7,
        patches: Vec::new(),
    });
    assert_eq!(bv(written(&groups).unwrap()).unwrap(), groups);
}

fn shapes() -> impl Strategy<Value = Shape> {
    prop_oneof![
        (1..5_usize, 1..5_usize).prop_map(|(n, m)| Shape::TensorProduct { n, m }),
        (1..6_usize).prop_map(|n| Shape::Triangular { n }),
    ]
}

proptest! {
    #[test]
    fn every_bit_comes_back(
        shape in shapes(),
        bits in prop::collection::vec(any::<[f64; 3]>(), 25),
    ) {
        let finite = |x: f64| if x.is_finite() { x } else { -0.0 };
        let points = bits.into_iter().map(|p| Point3::from(p.map(finite)));
        let points: Vec<_> = points.take(shape.count()).collect();
        let patch = AnyPatch::from_shape(shape, &points).unwrap();
        let groups = bv(written(&unnamed(vec![patch])).unwrap()).unwrap();
        let again = groups[0].patches[0].control_points();
        prop_assert_eq!(groups[0].patches[0].shape(), shape);
        for (p, q) in points.iter().zip(again) {
            prop_assert_eq!(p.coords.map(f64::to_bits), q.coords.map(f64::to_bits));
        }
    }

    #[test]
    fn rational_points_come_back_to_a_rounding(
        points in prop::collection::vec(prop::array::uniform3(-1e3..1e3), 12),
        weights in prop::collection::vec(1e-3..1e3, 12),
    ) {
        let points: Vec<_> = points.into_iter().map(Point3::from).collect();
        let net = TensorProductPatch::new(2, 3, &points).unwrap();
        let patch = AnyPatch::rational_from_shape(net.shape(), &points, &weights).unwrap();
        let groups = bv(written(&unnamed(vec![patch])).unwrap()).unwrap();
        prop_assert_eq!(groups[0].patches[0].weights(), Some(&weights[..]));
        for (p, q) in points.iter().zip(groups[0].patches[0].control_points()) {
            for (x, y) in p.iter().zip(q.iter()) {
                prop_assert!((x - y).abs() <= f64::EPSILON * x.abs());
            }
        }
    }
}

#[test]
fn what_cannot_be_written() {
    let triangle = [
        point![1.0, 0.0, 0.0],
        point![0.0, 1.0, 0.0],
        point![0.0, 0.0, 1e300],
    ];
    let shape = Shape::Triangular { n: 1 };
    let patch = AnyPatch::from_shape(shape, &triangle).unwrap();
    let rational = AnyPatch::rational_from_shape(shape, &triangle, &[1.0; 3]).unwrap();
    let error = written(&unnamed(vec![patch, rational])).unwrap_err();
    let message = "patch 1: the format has no rational triangular patch of degree 1";
    assert_eq!(error.to_string(), message);

    let curve = AnyPatch::from_shape(Shape::TensorProduct { n: 2, m: 0 }, &triangle).unwrap();
    let error = written(&unnamed(vec![curve])).unwrap_err();
    let message = "patch 0: the format has no curve of degree 2";
    assert_eq!(error.to_string(), message);

    let shape = Shape::TensorProduct { n: 1, m: 1 };
    let points = [point![0.0, 1e300, 0.0]; 4];
    let weights = [1.0, 1.0, 1e9, 1.0];
    let large = AnyPatch::rational_from_shape(shape, &points, &weights).unwrap();
    let error = written(&unnamed(vec![large])).unwrap_err();
    let message =
        "patch 0, control point 2: times its weight 1000000000.0 it leaves the range of doubles";
    assert_eq!(error.to_string(), message);

    for name in ["two words", "#comment", "line\n", ""] {
        let mut groups = [BvGroup::default(), BvGroup::default()];
        groups[1].name = name.to_owned();
        let error = written(&groups).unwrap_err();
        let message = format!(
            "group 1: its name can't be {name:?}, only one word that does not begin with #"
        );
        assert_eq!(error.to_string(), message);
    }
}

/// The words of some errors, in full.
const KNOWN: [(&str, &str); 5] = [
    (
        "BEGINNING",
        "the kind of a segment, \"Group\", or a comment after # expected",
    ),
    (
        "KNOWN",
        "known are 1 (mesh), 3 (triangular), 4, 5 (tensor-product) and 8 (rational)",
    ),
    (
        "WEIGHT",
        "but must be positive, finite and at least 1.0 / 1e200",
    ),
    ("NOT FINITE", "not a finite number"),
    ("END", "but the file ends"),
];

const ERRORS: &str = r#"
7 | 1:1 | a segment of kind 7 is not supported; KNOWN
3 1 0 0 0 1 0 0 0 1 0\n\n  9 3 | 3:3 | a segment of kind 9 is not supported; KNOWN
# comment\nfaces | 2:1 | BEGINNING, but it is "faces"
-3 1 | 1:1 | BEGINNING, but it is "-3"
Group red a | 1:7 | the number of a colour expected, but it is "red"
Group 0\n | 2:1 | the name of a group expected, but the file ends
Group lid\n5 1 1 | 1:7 | the number of a colour expected, but it is "lid"
Group 3\n5\n1 1\n0 0 0 | 1:7 | no name follows the colour 3 of the group, only the number 5 on another line
Group 3 left lid\n5 | 1:14 | the name of a group is one word, but "lid" follows it on its line
% made by hand\n5 | 1:1 | BEGINNING, but it is "%"
// made by hand\n5 | 1:1 | BEGINNING, but it is "//"
5.0\n1 1 | 1:1 | BEGINNING, but it is "5.0"
5\n0 1 | 2:1 | degree in u is 0, but must be from 1 to 30
3 | 1:2 | degree expected, but the file ends
3\r0 | 2:1 | degree is 0, but must be from 1 to 30
# \r\r\n\n3\r\n0 | 5:1 | degree is 0, but must be from 1 to 30
3\r\n0 | 2:1 | degree is 0, but must be from 1 to 30
5 2\n31 | 2:1 | degree in v is 31, but must be from 1 to 30
8 1.0 1 | 1:3 | degree in u expected, but it is "1.0"
3 1\n0 0 0\n1 0 0\n0 1 | 4:4 | a finite number expected, but the file ends
3 1\n0 0 0\n1 nan 0 | 3:3 | a finite number expected, but it is "nan"
3 1\n0 -inf 0 | 2:3 | a finite number expected, but it is "-inf"
3 1\n0 0 1e999 | 2:5 | a finite number expected, but it is "1e999"
3 1\n0 0 1D5 | 2:5 | a finite number expected, but it is "1D5"
3 1\n0 0 0x1p0 | 2:5 | a finite number expected, but it is "0x1p0"
3 1\n0, 0, 0 | 2:1 | a finite number expected, but it is "0,"
3 1\n0,0,0 | 2:1 | a finite number expected, but it is "0,0,0"
8\n1 1\n0 0 0 1\n0 1 0 0\n1 0 0 1\n1 1 0 1 | 4:1 | weight 1 is 0.0, WEIGHT
8\n1 1\n0 0 0 -1\n0 -1 0 -1\n-1 0 0 -1\n-1 -1 0 -1 | 3:1 | weight 0 is -1.0, but must be positive and finite
8\n1 1\n0 0 0 1\n0 1 0 1\n1 0 0 1\n1 1 0 -2 | 6:1 | weight 3 is -2.0, WEIGHT
8\n1 1\n0 0 0 1\n0 1 0 1e-199\n1e200 0 0 1e-190\n1 1 0 1 | 5:1 | control point 2: coordinate 0 is inf, NOT FINITE
1\n3 | 2:2 | the number of faces expected, but the file ends
1\n2.5 1 | 2:1 | the number of vertices expected, but it is "2.5"
1\n3 1\n0 0 0 1 0 0 0 1 0\n5 0 1 2 0 1 | 4:1 | a face of 5 vertices is not supported, only 3 and 4
1\n3 1\n0 0 0 1 0 0 0 1 0\n3 0 1 3 | 4:7 | vertex 3 does not exist: the mesh has 3, from 0
1\n3 1\n0 0 0 1 0 0 0 1 0\n3 0 -1 2 | 4:5 | the index of a vertex expected, but it is "-1"
1\n3 2\n0 0 0 1 0 0 0 1 0\n3 0 1 2 | 4:8 | the number of vertices of a face expected, END
"#;

#[test]
fn errors_say_where() {
    let in_full = |text: String, (short, long): &(&str, &str)| text.replace(short, long);
    let errors = KNOWN.iter().fold(ERRORS.to_owned(), in_full);
    assert_errors(&errors, "a.bv", bv);
}
