//! Readers: an error with a message, or an answer; in memory that the size of the file bounds.

use std::fmt::Display;

use kit::{Case, PairKind, PairReader, Wang2021Reader, check_outcome};
use patch_ccd::Workspace;
use patch_ccd::geometry::{Patch, Shape};
use patch_ccd::io::{BptOrder, BvGroup, WriteError, read_bpt, read_bv, write_bv};

use super::files::file;
use super::input::Input;
use super::outcomes::assert_clear_message;

/// Reads with `read` and looks at the memory it takes: some bytes for each byte of the file, and a
/// little more.
fn measured<T, E: Display>(file: &[u8], read: impl FnOnce(&[u8]) -> Result<T, E>) -> Option<T> {
    let mut result = None;
    let heap = allocation_counter::measure(|| result = Some(read(file)));
    let most = 400 * file.len() as u64 + (1 << 18);
    assert!(
        heap.bytes_max <= most,
        "{} bytes for a file of {}",
        heap.bytes_max,
        file.len()
    );
    match result? {
        Ok(read) => Some(read),
        Err(error) => {
            assert_clear_message(&error);
            None
        }
    }
}

/// A case in JSON, which is solved if it can be.
pub fn read_case(bytes: &[u8]) {
    let seeds: [&[u8]; 7] = [
        include_bytes!("../../../data/cases/quad-edge-on-face.json"),
        include_bytes!("../../../data/cases/tri-needle.json"),
        include_bytes!("../../../data/cases/rational-cylinder-tangent.json"),
        include_bytes!("../../../data/cases/rational-tri-flat.json"),
        include_bytes!("../../../data/cases/ee-cross-inside.json"),
        include_bytes!("../../../data/cases/vf-nan-input.json"),
        include_bytes!("../../../data/cases/nurbs-flat-multi-span.json"),
    ];
    let Some(mut case) = measured(&file(bytes, &seeds), |file| Case::read(file)) else {
        return;
    };
    if (1..=1 << 30).contains(&case.options.max_boxes) {
        case.options.max_boxes = case.options.max_boxes.min(500);
    }
    let answer = case.solve_in(&mut Workspace::new());
    match &answer {
        Ok(outcome) => {
            assert!((0.0..=case.options.t_max).contains(&outcome.toi().unwrap_or(0.0)));
        }
        Err(error) => assert_clear_message(error),
    }
    if let Some(Err(why)) = case.expect.map(|expect| expect.check(&answer)) {
        assert_clear_message(&why);
    }
}

/// A set of pairs of any kind; the first pair is solved.
pub fn read_pairs(bytes: &[u8]) {
    let mut input = Input::new(bytes);
    let kinds: Vec<PairKind> = [&PairKind::TABLE[..], &PairKind::RATIONAL].concat();
    let kind = input.pick(&kinds);
    let shape = input.shape();
    let options = input.options(200);
    let first: &[u8] = include_bytes!("../../../data/pairs/tri1.bin");
    let file = file(bytes.get(16..).unwrap_or_default(), &[&first[..576]]);
    let mut pair = None;
    measured(&file, |file| {
        for read in kind.reader(file) {
            pair = Some(read?);
        }
        Ok::<_, kit::PairError>(())
    });
    measured(&file, |file| {
        PairReader::new(file, shape).try_for_each(|pair| pair.map(drop))
    });
    if let Some([a, b]) = pair {
        match Workspace::new().time_of_impact(&a, &b, &options) {
            Ok(outcome) => check_outcome(&outcome, &options),
            Err(error) => assert_clear_message(&error),
        }
    }
}

/// Queries of Wang et al. 2021.
pub fn read_wang2021(bytes: &[u8]) {
    let seed: &[u8] = b"# x, y, z as numerator, denominator; truth
-1,1,0,1,1,2,1
 1,1,0,1,1,2,1
0,1,-1,1,0,1,1
0,1,1,1,0,1,1

-1,1,0,1,-1,2,1
1,1,0,1,-1,2,1
0,1,-1,36028797018963968,0,1,1
0,1,123456789012345678901234567890,2469135780246913578024691357800,0,1,1
";
    let file = file(bytes, &[seed]);
    let queries = measured(&file, |file| {
        Wang2021Reader::new(file, "a.csv").collect::<Result<Vec<_>, _>>()
    });
    let coordinates = queries.into_iter().flatten().flat_map(|query| query.step);
    let coordinates = coordinates.flatten().flat_map(<[f64; 3]>::from);
    coordinates.for_each(|x| assert!(x.is_finite()));
}

/// A BezierView file: what is read can be written, and is read again.
pub fn read_bv_file(bytes: &[u8]) {
    let seed: &[u8] = include_bytes!("../../../data/geometry/kinds.bv");
    let read = |file: &[u8]| read_bv(file, "a.bv");
    let Some(groups) = measured(&file(bytes, &[seed]), read) else {
        return;
    };
    let mut text = Vec::new();
    match write_bv(&mut text, &groups) {
        Ok(()) => assert_same(
            &read_bv(&text[..], "b.bv").expect("what was written"),
            &groups,
        ),
        // A point times its weight, which was divided before.
        Err(WriteError::Overflow { .. }) => {}
        Err(WriteError::GroupName { name, .. }) => assert!(!name.is_ascii() || name.is_empty()),
        Err(error) => panic!("{error}"),
    }
}

/// The same patches, rational ones to a rounding.
fn assert_same(found: &[BvGroup], expected: &[BvGroup]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!((&found.name, found.color), (&expected.name, expected.color));
        assert_eq!(found.patches.len(), expected.patches.len());
        for (found, expected) in found.patches.iter().zip(&expected.patches) {
            assert_eq!(found.shape(), expected.shape());
            assert_eq!(found.weights(), expected.weights());
            if expected.weights().is_none() {
                assert_eq!(found, expected);
            }
        }
    }
}

/// A `.bpt` file, in both orders.
pub fn read_bpt_file(bytes: &[u8]) {
    let seed: &[u8] = include_bytes!("../../../data/geometry/asymmetric.bpt");
    let file = file(bytes, &[seed]);
    let [u_fastest, v_fastest] = [BptOrder::UFastest, BptOrder::VFastest]
        .map(|order| measured(&file, |file| read_bpt(file, "a.bpt", order)));
    assert_eq!(u_fastest.is_some(), v_fastest.is_some());
    for (a, b) in u_fastest.iter().flatten().zip(v_fastest.iter().flatten()) {
        assert_eq!(a.shape(), b.shape());
        assert!(matches!(a.shape(), Shape::TensorProduct { n: 1.., m: 1.. }));
        assert_eq!(a.control_points().first(), b.control_points().first());
        assert_eq!(a.control_points().last(), b.control_points().last());
    }
}
