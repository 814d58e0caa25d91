//! The corners of the polygon in floating point, with bounds on their errors.

use nalgebra::Point3;

use super::Simplices;
use crate::rounding::{UNDERFLOW, UNIT_ROUNDOFF, reciprocal_power_of_two, scaled_product};
use crate::vector::Vector;

/// A point of one of the two simplices: the number of the simplex, 0 or 1, and its own index there.
type SimplexPoint = (usize, usize);

/// The polygon, scaled by a power of two to a size of about 1, over the horizon scaled to [0, 1].
#[derive(Debug)]
pub(super) struct Corners {
    /// The corners at the start and at the end of the horizon; only the first `count` are in use.
    ends: [[Vector; 4]; 2],
    count: usize,
    /// For each coordinate, a bound on the error of any corner, interpolated to any time between.
    error: Vector,
    /// For each coordinate, the largest displacement of a corner over the horizon.
    change: Vector,
    /// The first corner, and the vectors from it to its two neighbours; zero for fewer than three
    /// corners. Each is computed from differences of the points as given, so its error is small
    /// when the vector is small, however far away the corner is.
    pub(super) spanning: [MovingVector; 3],
}

/// A vector that moves linearly.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MovingVector {
    pub(super) ends: [Vector; 2],
    /// For each coordinate, a bound on its error at both ends.
    pub(super) error: Vector,
    /// For each coordinate, its largest absolute value, error included.
    pub(super) magnitude: Vector,
}

/// Where the origin is, relative to the polygon, throughout some interval of time; asked only of
/// times at which the polygon's plane contains it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// It is outside at all these times.
    Outside,
    /// It is inside at all these times.
    Inside,
    /// Error bounds do not tell.
    Unknown,
}

/// The points of the two simplices, scaled.
struct Points {
    /// Positions at the start, by simplex and point.
    starts: [[Vector; 3]; 2],
    /// Positions at the end of the horizon, if the motion was given by its ends.
    ends: Option<[[Vector; 3]; 2]>,
    /// Displacements over the horizon, if it was given by velocities.
    displacements: [[Vector; 3]; 2],
    roundings: f64,
}

impl Points {
    fn new(simplices: &Simplices<'_>) -> Self {
        let Simplices { views, t_max, .. } = *simplices;
        let [one, two] = views.map(|view| view.magnitude(Point3::origin(), t_max));
        let largest = one.max(two);
        // The scaled coordinates are below 1, so that no sum can overflow.
        let scale = match largest {
            0.0 => 1.0,
            _ => 0.25 * reciprocal_power_of_two(largest),
        };
        let has_ends = views.map(|view| view.ends().is_some());
        let mut points = Self {
            starts: [[[0.0; 3]; 3]; 2],
            ends: (has_ends == [true; 2] && t_max == 1.0).then_some([[[0.0; 3]; 3]; 2]),
            displacements: [[[0.0; 3]; 3]; 2],
            // One rounding for a velocity that was computed from two ends, and one for its product
            // with the horizon.
            roundings: f64::from(u8::from(has_ends != [false; 2]) + u8::from(t_max != 1.0)),
        };
        for (side, view) in views.into_iter().enumerate() {
            for index in 0..view.points.len() {
                let start = view.points[index].coords;
                points.starts[side][index] = (scale * start).into();
                if let (Some(scaled), Some(ends)) = (&mut points.ends, view.ends()) {
                    scaled[side][index] = (scale * ends[index].coords).into();
                } else {
                    let displacement =
                        view.velocities()[index].map(|v| scaled_product(v, t_max, scale));
                    points.displacements[side][index] = displacement.into();
                }
            }
        }
        points
    }

    /// The vector from one point to another.
    fn vector(&self, [from, to]: [SimplexPoint; 2]) -> MovingVector {
        let mut vector = MovingVector::default();
        let pick = |of: &[[Vector; 3]; 2], (side, index): SimplexPoint| of[side][index];
        let [start, end] = &mut vector.ends;
        let (a, b) = (pick(&self.starts, from), pick(&self.starts, to));
        if let Some(ends) = &self.ends {
            let (p, q) = (pick(ends, from), pick(ends, to));
            for c in 0..3 {
                (start[c], end[c]) = (b[c] - a[c], q[c] - p[c]);
                let magnitude = start[c].abs().max(end[c].abs());
                vector.error[c] = UNIT_ROUNDOFF * magnitude + UNDERFLOW;
                vector.magnitude[c] = magnitude + vector.error[c];
            }
        } else {
            let (p, q) = (
                pick(&self.displacements, from),
                pick(&self.displacements, to),
            );
            for c in 0..3 {
                start[c] = b[c] - a[c];
                end[c] = start[c] + (q[c] - p[c]);
                let magnitude = start[c].abs().max(end[c].abs());
                let displacement = p[c].abs().max(q[c].abs());
                // Roundings: one of the difference at the start and one of the sum; those of both
                // displacements, and one of their difference. The factor 1.01 covers products of
                // roundings.
                vector.error[c] = UNIT_ROUNDOFF
                    * (2.0 * magnitude + 2.0 * (1.0 + self.roundings) * displacement)
                    * 1.01
                    + UNDERFLOW;
                vector.magnitude[c] = magnitude + vector.error[c];
            }
        }
        vector
    }
}

/// On which side of each side of the polygon the origin is, seen along each coordinate axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct SideSigns {
    /// The axes, in the order of the polygon's area as seen along them, the largest first.
    pub(super) axes: [usize; 3],
    /// By axis and side: the sign, or 0 where it is not known.
    pub(super) signs: [[i8; 4]; 3],
}

impl Default for SideSigns {
    /// All signs unknown.
    fn default() -> Self {
        Self {
            axes: [0, 1, 2],
            signs: [[0; 4]; 3],
        }
    }
}

impl Corners {
    pub(super) fn new(simplices: &Simplices<'_>) -> Self {
        let points = Points::new(simplices);
        let corners = simplices.corners;
        let mut ends = [[[0.0; 3]; 4]; 2];
        let mut first = MovingVector::default();
        let (mut error, mut change) = ([0.0_f64; 3], [0.0_f64; 3]);
        for (k, &(i, j)) in corners.iter().enumerate() {
            let corner = points.vector([(0, i), (1, j)]);
            [ends[0][k], ends[1][k]] = corner.ends;
            for c in 0..3 {
                // The interpolation a + s (b − a) has five more roundings.
                error[c] =
                    error[c].max(corner.error[c] + 5.0 * UNIT_ROUNDOFF * corner.magnitude[c]);
                change[c] = change[c].max((ends[1][k][c] - ends[0][k][c]).abs());
            }
            if k == 0 {
                first = corner;
            }
        }
        // Neighbours of the first corner share one of its two points, so a side is the difference
        // of two points of one simplex.
        let side = |k: usize| {
            let ((i, j), (p, q)) = (corners[0], corners[k]);
            points.vector(if i == p {
                [(1, j), (1, q)]
            } else {
                [(0, p), (0, i)]
            })
        };
        let count = corners.len();
        let spanning = if count < 3 {
            [MovingVector::default(); 3]
        } else {
            [first, side(1), side(count - 1)]
        };
        Self {
            ends,
            count,
            error,
            change,
            spanning,
        }
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The position of a corner at the start and at the end.
    pub(super) fn ends(&self, corner: usize) -> [Vector; 2] {
        [self.ends[0][corner], self.ends[1][corner]]
    }

    /// The positions of all corners at a time.
    pub(super) fn at(&self, time: f64) -> [Vector; 4] {
        std::array::from_fn(|k| {
            let [from, to] = self.ends(k);
            std::array::from_fn(|c| from[c] + time * (to[c] - from[c]))
        })
    }

    /// Where the origin is at all times that differ from `time` by at most `width`.
    pub(super) fn origin(&self, time: f64, width: f64) -> Origin {
        let (corners, error, magnitude) = self.near(time, width);
        for c in 0..3 {
            let coordinates = corners[..self.count].iter().map(|corner| corner[c]);
            let low = coordinates.clone().fold(f64::INFINITY, f64::min);
            let high = coordinates.fold(f64::NEG_INFINITY, f64::max);
            if low > error[c] || high < -error[c] {
                return Origin::Outside;
            }
        }
        let mut answer = Origin::Unknown;
        for axis in 0..3 {
            let error = side_error(error, magnitude, axis);
            let sides = (0..self.count).map(|side| self.side(&corners, side, axis));
            let low = sides.clone().fold(f64::INFINITY, f64::min);
            let high = sides.fold(f64::NEG_INFINITY, f64::max);
            if low < -error && high > error {
                return Origin::Outside;
            }
            if low > error || high < -error {
                answer = Origin::Inside;
            }
        }
        answer
    }

    /// The signs that are certain at all times that differ from `time` by at most `width`.
    pub(super) fn sides(&self, time: f64, width: f64) -> SideSigns {
        let (corners, error, magnitude) = self.near(time, width);
        let mut sides = SideSigns::default();
        let mut areas = [0.0; 3];
        for (axis, area) in areas.iter_mut().enumerate() {
            let error = side_error(error, magnitude, axis);
            for side in 0..self.count {
                let value = self.side(&corners, side, axis);
                *area += value;
                sides.signs[axis][side] = i8::from(value > error) - i8::from(value < -error);
            }
        }
        sides
            .axes
            .sort_unstable_by(|&a, &b| areas[b].abs().total_cmp(&areas[a].abs()));
        sides
    }

    /// The positions of all corners at a time. For each coordinate also how much it may differ from
    /// these, errors included, at times that differ by at most `width`, and its largest absolute
    /// value at these times.
    fn near(&self, time: f64, width: f64) -> ([Vector; 4], Vector, Vector) {
        let corners = self.at(time);
        let error = std::array::from_fn(|c| self.error[c] + width * self.change[c]);
        let magnitude = std::array::from_fn(|c| {
            let coordinates = corners[..self.count].iter().map(|corner| corner[c].abs());
            coordinates.fold(error[c], |magnitude, x| magnitude.max(x + error[c]))
        });
        (corners, error, magnitude)
    }

    /// One component of the cross product of the two corners of a side.
    fn side(&self, corners: &[Vector; 4], side: usize, axis: usize) -> f64 {
        let next = if side + 1 == self.count { 0 } else { side + 1 };
        let (p, q) = (&corners[side], &corners[next]);
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        p[i] * q[j] - p[j] * q[i]
    }
}

/// A bound on the error of [`Corners::side`]: two products, each of two factors with errors, and
/// three roundings of numbers up to twice such a product.
fn side_error(error: Vector, magnitude: Vector, axis: usize) -> f64 {
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    2.0 * (magnitude[i] * error[j] + error[i] * magnitude[j])
        + 6.0 * UNIT_ROUNDOFF * magnitude[i] * magnitude[j]
        + UNDERFLOW
}
