//! Hostile files, and that nothing is lost on the way there and back.

use nalgebra::Point3;
use patch_ccd::geometry::{AnyPatch, Patch, Shape, TensorProductPatch};
use patch_ccd::io::WriteError;
use proptest::prelude::*;

use super::{ASYMMETRIC, KINDS, bpt, bv, unnamed, written};

#[test]
fn declared_sizes_cost_nothing() {
    let most = u64::MAX;
    for text in [
        format!("1 {most} {most}"),
        format!("1 {most} {most} 0 0 0 1"),
        format!("1 0 {most}"),
        format!("3 {most}"),
        format!("4 {most}"),
        format!("5 30 {most}"),
        format!("8 {most} 1"),
        "5 30 30 0".to_owned(),
        "99999999999999999999999".to_owned(),
    ] {
        assert!(bv(&text).is_err(), "{text}");
    }
    for text in [
        format!("{most}"),
        format!("{most} 1 1"),
        format!("1 {most} {most}"),
    ] {
        assert!(bpt(&text).is_err(), "{text}");
    }
}

#[test]
fn cut_short_anywhere() {
    for end in 0..KINDS.trim_end().len() {
        if let Ok(groups) = bv(&KINDS[..end]) {
            let count: usize = groups.iter().map(|group| group.patches.len()).sum();
            assert!(count < 6, "{end}");
        }
    }
    for end in 0..ASYMMETRIC.trim_end().len() {
        assert!(bpt(&ASYMMETRIC[..end]).is_err(), "{end}");
    }
}

#[test]
fn long_words_are_shown_short() {
    let error = bv("é".repeat(1 << 20)).unwrap_err().to_string();
    assert!(
        error.ends_with(&format!("\"{}…\"", "é".repeat(40))),
        "{error}"
    );
    assert!(bv([0xff, 0, 0xfe]).is_err());
}

/// Texts that get far: words that the formats know, and some that they don't.
fn words() -> impl Strategy<Value = String> {
    let word = prop::sample::select(
        &[
            "Group",
            "0",
            "1",
            "2",
            "3",
            "3",
            "4",
            "5",
            "8",
            "9",
            "30",
            "31",
            "0.5",
            "-1",
            "1e308",
            "1e-308",
            "nan",
            "1D5",
            "#",
            "\n",
            "name",
            "é",
            "\u{b}",
            "18446744073709551616",
        ][..],
    );
    prop::collection::vec(word, 0..60).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = bv(&bytes);
        let _ = bpt(&bytes);
    }

    #[test]
    fn words_are_read_or_refused(text in words()) {
        if let Ok(groups) = bv(&text) {
            // What is read can be written, or is out of range, and is read again.
            match written(&groups) {
                Ok(text) => prop_assert_eq!(bv(text).unwrap().len(), groups.len()),
                Err(error) => prop_assert!(matches!(error, WriteError::Overflow { .. }), "{error}"),
            }
        }
        let _ = bpt(&text);
    }

    #[test]
    fn changed_files_are_read_or_refused(at in 0..KINDS.len(), byte in any::<u8>()) {
        let mut text = KINDS.as_bytes().to_vec();
        text[at] = byte;
        let _ = bv(text);
    }
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
        let points: Vec<_> = bits.into_iter().map(|p| Point3::from(p.map(finite))).take(shape.count()).collect();
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
