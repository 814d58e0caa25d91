//! Vectors of three numbers, and axis-aligned bounding boxes.
//!
//! The public interface uses the types of nalgebra. In the inner loops a vector is a plain array,
//! so that the compiler can keep the coordinates apart and compute with several points at once.

/// Three coordinates: x, y and z.
pub(crate) type Vector = [f64; 3];

/// a · b.
#[inline]
pub(crate) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// a × b.
#[inline]
pub(crate) fn cross(a: Vector, b: Vector) -> Vector {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// a − b.
#[inline]
pub(crate) fn minus(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// a x + b y.
#[inline]
pub(crate) fn combine(a: f64, x: Vector, b: f64, y: Vector) -> Vector {
    [
        a * x[0] + b * y[0],
        a * x[1] + b * y[1],
        a * x[2] + b * y[2],
    ]
}

/// The largest absolute value of a coordinate.
#[inline]
pub(crate) fn largest(x: Vector) -> f64 {
    x[0].abs().max(x[1].abs()).max(x[2].abs())
}

/// The Euclidean length. The vector is scaled first, so that squares neither overflow nor
/// underflow.
pub(crate) fn length(x: Vector) -> f64 {
    let most = largest(x);
    if most == 0.0 || most.is_infinite() {
        return most;
    }
    let x = x.map(|x| x / most);
    most * dot(x, x).sqrt()
}

/// An axis-aligned bounding box: the points x with low ≤ x ≤ high in every coordinate. The box
/// around no points has `low` above `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BoundingBox {
    pub(crate) low: Vector,
    pub(crate) high: Vector,
}

impl BoundingBox {
    /// The box around no points.
    pub(crate) const EMPTY: Self = Self {
        low: [f64::INFINITY; 3],
        high: [f64::NEG_INFINITY; 3],
    };

    /// The smallest box that contains all the points.
    pub(crate) fn around(points: impl IntoIterator<Item = Vector>) -> Self {
        let mut all = Self::EMPTY;
        for point in points {
            all.include(point);
        }
        all
    }

    /// Grows the box until it contains a point.
    //
    // Each comparison compiles to one instruction, unlike `min` and `max`, which check for NaN.
    #[inline]
    pub(crate) fn include(&mut self, point: Vector) {
        for (c, x) in point.into_iter().enumerate() {
            let (low, high) = (self.low[c], self.high[c]);
            self.low[c] = if x < low { x } else { low };
            self.high[c] = if x > high { x } else { high };
        }
    }

    /// The smallest box that contains both boxes.
    pub(crate) fn union(&self, other: &Self) -> Self {
        let mut union = *self;
        union.include(other.low);
        union.include(other.high);
        union
    }

    /// The largest absolute value of each coordinate in the box, which must not be empty.
    pub(crate) fn largest(&self) -> Vector {
        std::array::from_fn(|c| self.low[c].abs().max(self.high[c].abs()))
    }

    /// The length of the longest side, rounded to nearest. It is 0 for the box around no points.
    pub(crate) fn longest_side(&self) -> f64 {
        (0..3).fold(0.0, |longest, c| longest.max(self.high[c] - self.low[c]))
    }

    /// A point near the middle. It is finite even if the coordinates are as large as doubles get.
    pub(crate) fn middle(&self) -> Vector {
        std::array::from_fn(|c| 0.5 * self.low[c] + 0.5 * self.high[c])
    }

    /// The distance between the two boxes along each coordinate axis, rounded to nearest. It is 0
    /// along an axis on which they overlap.
    pub(crate) fn gaps(&self, other: &Self) -> Vector {
        std::array::from_fn(|c| {
            let gap = (self.low[c] - other.high[c]).max(other.low[c] - self.high[c]);
            gap.max(0.0)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_neither_overflow_nor_underflow() {
        assert_eq!(length([3e300, 4e300, 0.0]), 5e300);
        assert_eq!(length([3e-300, 0.0, 4e-300]), 5e-300);
        assert_eq!(length([0.0; 3]), 0.0);
        assert_eq!(length([f64::INFINITY, 1.0, 0.0]), f64::INFINITY);
    }

    #[test]
    fn a_box_contains_its_points_and_has_its_distance_from_another() {
        let one = BoundingBox::around([[0.0, 1.0, 2.0], [1.0, -1.0, 2.0]]);
        assert_eq!((one.low, one.high), ([0.0, -1.0, 2.0], [1.0, 1.0, 2.0]));
        assert_eq!(one.longest_side(), 2.0);
        assert_eq!(one.middle(), [0.5, 0.0, 2.0]);
        let two = BoundingBox::around([[3.0, 0.0, -1.0], [4.0, 0.5, 1.0]]);
        assert_eq!(one.gaps(&two), [2.0, 0.0, 1.0]);
        assert_eq!(two.gaps(&one), [2.0, 0.0, 1.0]);
        assert_eq!(BoundingBox::around([]).longest_side(), 0.0);
    }
}
