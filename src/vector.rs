//! Vectors of three numbers, and boxes along the coordinate axes around points.
//!
//! The public interface speaks nalgebra. Inside the kernels a vector is a plain array, so that the
//! compiler can keep coordinates apart and take several points at once.

/// Three coordinates, x, y and z.
pub(crate) type Vector = [f64; 3];

#[inline]
pub(crate) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

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

/// The largest coordinate in absolute value.
#[inline]
pub(crate) fn largest(x: Vector) -> f64 {
    x[0].abs().max(x[1].abs()).max(x[2].abs())
}

/// The Euclidean length, without over- or underflow on the way.
pub(crate) fn length(x: Vector) -> f64 {
    let most = largest(x);
    if most == 0.0 || most.is_infinite() {
        return most;
    }
    let x = x.map(|x| x / most);
    most * dot(x, x).sqrt()
}

/// A box along the coordinate axes. The box around no points has `low` above `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BoundingBox {
    pub(crate) low: Vector,
    pub(crate) high: Vector,
}

impl BoundingBox {
    pub(crate) const EMPTY: Self = Self {
        low: [f64::INFINITY; 3],
        high: [f64::NEG_INFINITY; 3],
    };

    /// The smallest box that holds all points.
    pub(crate) fn around(points: impl IntoIterator<Item = Vector>) -> Self {
        let mut all = Self::EMPTY;
        for point in points {
            all.include(point);
        }
        all
    }

    /// Grows the box so that it holds a point.
    //
    // Comparisons compile to one instruction each, unlike `min` and `max`, which look for NaN.
    #[inline]
    pub(crate) fn include(&mut self, point: Vector) {
        for (c, x) in point.into_iter().enumerate() {
            let (low, high) = (self.low[c], self.high[c]);
            self.low[c] = if x < low { x } else { low };
            self.high[c] = if x > high { x } else { high };
        }
    }

    /// The smallest box that holds both.
    pub(crate) fn union(&self, other: &Self) -> Self {
        let mut union = *self;
        union.include(other.low);
        union.include(other.high);
        union
    }

    /// Along each axis the largest coordinate of the box in absolute value; for a box around some
    /// points.
    pub(crate) fn largest(&self) -> Vector {
        std::array::from_fn(|c| self.low[c].abs().max(self.high[c].abs()))
    }

    /// The length of the longest side, rounded to nearest; 0 for the box around no points.
    pub(crate) fn longest_side(&self) -> f64 {
        (0..3).fold(0.0, |longest, c| longest.max(self.high[c] - self.low[c]))
    }

    /// A point near the middle: coordinates as large as doubles get do not overflow.
    pub(crate) fn middle(&self) -> Vector {
        std::array::from_fn(|c| 0.5 * self.low[c] + 0.5 * self.high[c])
    }

    /// Along each axis the distance between the two boxes, rounded to nearest; 0 where they
    /// overlap.
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
    fn a_box_holds_its_points_and_knows_its_distance_from_another() {
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
