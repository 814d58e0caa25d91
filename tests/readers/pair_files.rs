//! Sets of patch pairs.

use kit::{PairError, PairReader};
use patch_ccd::geometry::Shape;

use super::*;

const SHAPE: Shape = Shape::Triangular { n: 1 };
const CASE: usize = 4 * 3 * 3 * 8;

fn read(bytes: &[u8]) -> Result<usize, PairError> {
    let pairs: Result<Vec<_>, _> = PairReader::new(bytes, SHAPE).collect();
    pairs.map(|pairs| pairs.len())
}

#[test]
fn cut_short() {
    let bytes = [0_u8; 2 * CASE];
    for length in 0..=bytes.len() {
        match read(&bytes[..length]) {
            Ok(count) => assert_eq!(count * CASE, length),
            Err(PairError::Truncated {
                case,
                expected,
                found,
            }) => {
                assert_eq!(
                    (case, expected, found),
                    (length / CASE, CASE, length % CASE)
                );
            }
            Err(other) => panic!("{other}"),
        }
    }
}

#[test]
fn number_that_is_not_finite() {
    for (place, patch, argument) in [
        (0, 1, "control point"),
        (9, 1, "velocity"),
        (18, 2, "control point"),
        (27, 2, "velocity"),
    ] {
        let mut bytes = [0_u8; 2 * CASE];
        let start = CASE + 8 * (place + 5);
        bytes[start..start + 8].copy_from_slice(&f64::INFINITY.to_le_bytes());
        let error = read(&bytes).unwrap_err();
        let expected = format!(
            "case 1, patch {patch}: {argument} 1: coordinate 2 is inf, not a finite number"
        );
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn junk() {
    let mut state = 1_u32;
    for length in (0..3 * CASE).step_by(48) {
        let bytes: Vec<u8> = std::iter::repeat_with(|| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        })
        .take(length)
        .collect();
        for pair in PairReader::new(&bytes[..], SHAPE).take(3).flatten() {
            let [a, b] = pair;
            // Random exponents: some motions are out of range, which is an error, not a crash.
            let answer = time_of_impact(&a, &b, &Options::default());
            assert!(
                matches!(answer, Ok(_) | Err(Error::Overflow { .. })),
                "{answer:?}"
            );
        }
    }
}
