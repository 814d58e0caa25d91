//! What can be wrong with the input of a call.

/// The reason why a patch could not be built or a query not be answered.
///
/// Every variant names the argument and the value, and the index where there is one.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A coordinate is NaN or infinite.
    #[error("{argument} {index}: coordinate {coordinate} is {value}, not a finite number")]
    NonFinite {
        /// What the coordinate belongs to: "control point", "velocity", …
        argument: &'static str,
        /// Index in the order of the control points.
        index: usize,
        /// 0, 1, 2 for x, y, z.
        coordinate: usize,
        /// The value found.
        value: f64,
    },
    /// A wrong number of control points, velocities or end points for the degree.
    #[error("{argument}: {found} given, but a {patch} has {expected}")]
    Count {
        /// What was counted: "control points", "velocities", "end points".
        argument: &'static str,
        /// The kind and degree of patch, in words.
        patch: String,
        /// The number that belongs to the degree.
        expected: usize,
        /// The number given.
        found: usize,
    },
    /// A degree of 0 or above [`crate::geometry::MAX_DEGREE`].
    #[error(
        "{argument} is {value}, but must be from 1 to {}",
        crate::geometry::MAX_DEGREE
    )]
    Degree {
        /// "degree", "degree in u" or "degree in v".
        argument: &'static str,
        /// The degree given.
        value: usize,
    },
    /// A weight that is zero, negative, not finite, or too small beside the largest.
    #[error(
        "weight {index} is {value}, but must be positive, finite and at least {largest} / {:e}",
        crate::geometry::MAX_WEIGHT_RATIO
    )]
    Weight {
        /// Index in the order of the control points.
        index: usize,
        /// The weight given.
        value: f64,
        /// The largest weight given.
        largest: f64,
    },
    /// The start and the end of a motion are patches of different kind, degree or weights.
    #[error("end of the motion: {found} given, but the start is a {expected}")]
    ShapeMismatch {
        /// The shape of the start, in words.
        expected: String,
        /// The shape of the end, in words.
        found: String,
    },
    /// An option is out of its range.
    #[error("option {option} is {value:?}, but must be {range}")]
    Option {
        /// Name of the field of [`crate::Options`].
        option: &'static str,
        /// The value given.
        value: f64,
        /// The range, in words.
        range: &'static str,
    },
    /// A control point moves out of the range of doubles within the horizon.
    #[error(
        "velocity {index}: coordinate {coordinate} is {value:?}; within t_max = {t_max:?} the point leaves the range of doubles"
    )]
    Overflow {
        /// Index in the order of the control points.
        index: usize,
        /// 0, 1, 2 for x, y, z.
        coordinate: usize,
        /// The velocity's coordinate.
        value: f64,
        /// The horizon of the query.
        t_max: f64,
    },
    /// A name that stands for nothing.
    #[error("\"{found}\" is none of {}", known.join(", "))]
    Name {
        /// The name given.
        found: String,
        /// The names there are.
        known: &'static [&'static str],
    },
    /// One of the two patches of a query has an error.
    #[error("patch {patch}: {source}")]
    Patch {
        /// 1 or 2.
        patch: usize,
        /// What is wrong with it.
        source: Box<Error>,
    },
}
