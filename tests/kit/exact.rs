//! Exact numbers: what a double is, and nothing is ever rounded.

use dashu_ratio::RBig;

/// The number that a finite double is.
///
/// ```
/// use kit::exact;
/// assert_ne!(exact(0.1) + exact(0.2), exact(0.3));
/// assert_eq!(exact(0.5) + exact(0.25), exact(0.75));
/// ```
///
/// # Panics
/// For numbers that are not finite.
pub fn exact(x: f64) -> RBig {
    RBig::try_from(x).expect("a finite number")
}
