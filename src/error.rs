//! What can be wrong with the input of a call. This module depends on no other one.

/// The highest degree that messages name. Module `geometry` asserts that it is its own
/// [`MAX_DEGREE`](crate::geometry::MAX_DEGREE).
pub(crate) const HIGHEST_DEGREE: usize = 30;

/// The largest ratio of weights that messages name. Module `geometry` asserts that it is its own
/// [`MAX_WEIGHT_RATIO`](crate::geometry::MAX_WEIGHT_RATIO).
pub(crate) const WEIGHT_RATIO: f64 = 1e200;

/// The reason why a patch could not be built or a query could not be answered.
///
/// Every variant names the argument and the value, and the index if there is one.
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
        /// The coordinate: 0, 1 or 2 for x, y or z.
        coordinate: usize,
        /// The value found.
        value: f64,
    },
    /// There are fewer knots than the degree requires.
    #[error("knots: {found} given, but degree {degree} takes {least} at least")]
    KnotCount {
        /// The degree.
        degree: usize,
        /// The least number of knots, in the form in which they were given.
        least: usize,
        /// The number given.
        found: usize,
    },
    /// A knot is NaN or infinite.
    #[error("knot {index} is {value}, not a finite number")]
    Knot {
        /// Index in the knots as they were given.
        index: usize,
        /// The value found.
        value: f64,
    },
    /// A knot is smaller than the one before it.
    #[error("knot {index} is {value:?}, but the one before it is {before:?}")]
    KnotOrder {
        /// Index in the knots as they were given.
        index: usize,
        /// The value found.
        value: f64,
        /// The value of the knot before it.
        before: f64,
    },
    /// A knot at an end of the domain is repeated too often.
    #[error(
        "knot {index} is {value:?} and is given {found} times, \
         but may be at most {most} times there"
    )]
    KnotMultiplicity {
        /// Index of the first of the equal knots as they were given.
        index: usize,
        /// Their value.
        value: f64,
        /// How many there are.
        found: usize,
        /// How many there may be at an end of the domain: as many as the degree, and one more if
        /// the knots are given as in *The NURBS Book*.
        most: usize,
    },
    /// The domain of a knot vector is a single point.
    #[error("the domain is empty: knots {first} to {last} are all {value:?}")]
    KnotDomain {
        /// Index of the knot at which the domain begins, as the knots were given.
        first: usize,
        /// Index of the knot at which it ends.
        last: usize,
        /// Their value.
        value: f64,
    },
    /// The number of control points, velocities, weights or nodes is wrong.
    #[error("{argument}: {found} given, but the {owner} has {expected}")]
    Count {
        /// What was counted: "control points", "velocities", "start", …
        argument: &'static str,
        /// What they belong to, in words: the kind and degree of a patch, or "mesh".
        owner: String,
        /// The number that belongs to it.
        expected: usize,
        /// The number given.
        found: usize,
    },
    /// A degree is 0 or above [`MAX_DEGREE`](crate::geometry::MAX_DEGREE).
    #[error("{argument} is {value}, but must be from 1 to {HIGHEST_DEGREE}")]
    Degree {
        /// "degree", "degree in u" or "degree in v".
        argument: &'static str,
        /// The degree given.
        value: usize,
    },
    /// A weight is zero, negative, not finite, or too small compared with the largest one.
    #[error("weight {index} is {value:?}, but must be {}", allowed(*largest))]
    Weight {
        /// Index in the order of the control points.
        index: usize,
        /// The weight given.
        value: f64,
        /// The largest finite weight given, or 0 if none is positive.
        largest: f64,
    },
    /// The start and the end of a motion are patches of different kinds, degrees or weights.
    #[error("end of the motion: {found} given, but the start is a {expected}")]
    ShapeMismatch {
        /// The shape of the start, in words.
        expected: String,
        /// The shape of the end, in words.
        found: String,
    },
    /// A patch has another kind or degree than the one that is asked for.
    #[error("a {found} is given where a {expected} belongs")]
    Shape {
        /// The shape that is asked for, in words.
        expected: String,
        /// The shape that was given, in words.
        found: String,
    },
    /// The width of an element is zero, negative or not finite.
    #[error("{argument} {index} is {value:?}, but must be positive and finite")]
    Width {
        /// "width along u" or "width along v".
        argument: &'static str,
        /// Index of the element in this direction.
        index: usize,
        /// The value given.
        value: f64,
    },
    /// An option is out of its range.
    #[error("option {option} is {value:?}, but must be {range}")]
    Option {
        /// Name of the field of [`Options`](crate::Options), or of the argument.
        option: &'static str,
        /// The value given.
        value: f64,
        /// The range, in words.
        range: &'static str,
    },
    /// A control point leaves the range of doubles within the horizon.
    #[error(
        "velocity {index}: coordinate {coordinate} is {value:?}; \
         within t_max = {t_max:?} the point leaves the range of doubles"
    )]
    Overflow {
        /// Index in the order of the control points.
        index: usize,
        /// The coordinate: 0, 1 or 2 for x, y or z.
        coordinate: usize,
        /// The velocity's coordinate.
        value: f64,
        /// The horizon of the query.
        t_max: f64,
    },
    /// A name is unknown.
    #[error("\"{found}\" is none of {}", known.join(", "))]
    Name {
        /// The name given.
        found: String,
        /// The names that are known.
        known: &'static [&'static str],
    },
    /// One of the two patches of a query is invalid.
    #[error("patch {patch}: {source}")]
    Patch {
        /// Which of the two: 1 or 2.
        patch: usize,
        /// What is wrong with it.
        source: Box<Error>,
    },
    /// An element of a mesh is invalid.
    #[error("{element} {index}: {source}")]
    Element {
        /// "patch", "vertex", "edge" or "face".
        element: &'static str,
        /// Index of the element.
        index: u32,
        /// What is wrong with it.
        source: Box<Error>,
    },
    /// A motion along polynomials has too few or too many layers.
    #[error("{layers} layers given, but there must be two to four")]
    MotionDegree {
        /// How many there are.
        layers: usize,
    },
    /// A rigid body turns too far within the horizon.
    #[error("it turns by {angle:?} radians until t_max, but may turn by 1e6 at most")]
    Angle {
        /// The angle in radians.
        angle: f64,
    },
    /// Coordinates become too large for doubles within the horizon.
    #[error("coordinates may reach {magnitude:e} until t_max = {t_max:?}, too much for doubles")]
    Reach {
        /// The size that they may reach.
        magnitude: f64,
        /// The end of the horizon.
        t_max: f64,
    },
    /// Exact mode decides motion along straight lines only.
    #[error("exact mode is for motion along straight lines, not for {motion}")]
    NotLinear {
        /// "a rigid body that turns" or "motion along polynomials".
        motion: &'static str,
    },
    /// A mesh, a grid or a NURBS has no such element.
    #[error("there is no {element} {index}")]
    UnknownElement {
        /// "patch", "vertex", "edge" or "face".
        element: &'static str,
        /// The index that was asked for.
        index: usize,
    },
    /// A parameter of a place on a patch is NaN or outside the patch.
    #[error("{parameter} is {value:?}, but must be from 0 to 1")]
    Parameter {
        /// "u", "v" or "u + v".
        parameter: &'static str,
        /// The value given.
        value: f64,
    },
    /// An element of a mesh refers to a point that does not exist.
    #[error("{argument} {position} is point {value}, but the mesh has {points} points")]
    PointIndex {
        /// "control point" or "vertex".
        argument: &'static str,
        /// Position among the element's points.
        position: usize,
        /// The index given.
        value: u32,
        /// Number of points of the mesh.
        points: usize,
    },
    /// There are more points or elements than 32 bits can number.
    #[error("{argument}: {found} given, but a mesh has at most {}", u32::MAX)]
    MeshSize {
        /// "points", "vertices", "edges", "faces", "patches" or "control points".
        argument: &'static str,
        /// The number given.
        found: usize,
    },
    /// One of the two meshes of a query is invalid.
    #[error("mesh {mesh}: {source}")]
    Mesh {
        /// Which of the two: 1 or 2.
        mesh: usize,
        /// What is wrong with it.
        source: Box<Error>,
    },
}

/// The values that a weight may have, in words.
fn allowed(largest: f64) -> String {
    if largest > 0.0 {
        format!("positive, finite and at least {largest:?} / {WEIGHT_RATIO:e}")
    } else {
        "positive and finite".to_owned()
    }
}
