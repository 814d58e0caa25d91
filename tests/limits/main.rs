//! Every public function with values at the limits of what it takes, and beyond: an answer, or an error that names the argument,
//! the place and the value.
//!
//! Files are in `tests/files/any.rs`, wild combinations in `tests/fuzz`.

mod geometry;
mod meshes;
mod queries;
mod splines;

use patch_ccd::Error;

/// Numbers that are not finite.
const NOT_FINITE: [f64; 3] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

/// Numbers of all sizes, to the ends of the range.
const FINITE: [f64; 14] = [
    0.0,
    -0.0,
    5e-324,
    -5e-324,
    f64::MIN_POSITIVE,
    1e-300,
    -1e-16,
    0.5,
    1.0,
    -1.0,
    1e16,
    1e300,
    f64::MAX,
    f64::MIN,
];

/// Degrees that no patch has.
const NO_DEGREES: [usize; 6] = [0, 31, 60, 1 << 16, 1 << 32, usize::MAX];

#[track_caller]
fn assert_text<T: std::fmt::Debug>(result: Result<T, Error>, text: &str) {
    assert_eq!(result.unwrap_err().to_string(), text);
}
