//! How far apart are all pairs of children of two sub-patches, at least?
//!
//! On one axis e the hulls of two pieces leave a gap g: every difference of their points has |e · x| ≥ g. Three such gaps count together, like the sides of a box:
//! |x|² ≥ (g₁² + g₂² + g₃²) / B, where B is 1 for unit axes at right angles and is computed for any others. So a pair that lies askew to the
//! axes is bounded as well as one that lies along them.

use super::Direction;
use super::lanes::Lanes;
use super::siblings::{Pairs, SiblingNets};
use crate::rounding::{FRAME_FACTOR, SUM_FACTOR};

/// Three directions whose gaps count together. They may be any; those that are missing are zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    directions: [Direction; 3],
    /// Of a gap on each: bounds of the rounding errors.
    errors: [f64; 3],
    /// The sum of the squares of three gaps times this is no more than the square of the distance.
    factor: f64,
}

impl Frame {
    pub(crate) fn new(directions: [Direction; 3], error: impl Fn(Direction) -> f64) -> Self {
        let product = |a: Direction, b: Direction| (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]).abs();
        let rows = directions.map(|a| {
            let [x, y, z] = directions.map(|b| product(a, b));
            x + y + z
        });
        let largest = rows[0].max(rows[1]).max(rows[2]) * SUM_FACTOR;
        Self {
            directions,
            errors: directions.map(error),
            factor: if largest > 0.0 {
                FRAME_FACTOR / largest
            } else {
                0.0
            },
        }
    }
}

/// Lower bounds on the distances of the pairs (i, 0..4), squared.
pub(crate) type SquaredBounds = [Lanes; 4];

/// [`squared_bounds`] as an operation to be dispatched.
struct Bounds<'a> {
    nets: [SiblingNets<'a>; 2],
    frames: &'a [Frame],
    pairs: Pairs,
    enough: f64,
    bounds: &'a mut SquaredBounds,
}

impl pulp::WithSimd for Bounds<'_> {
    type Output = u64;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) -> u64 {
        bound(self.nets, self.frames, self.pairs, self.enough, self.bounds)
    }
}

/// Raises `bounds` to what the frames say of `pairs` at the start, one frame after the other until all reach `enough`. Returns how many
/// times an axis was tested on a pair.
pub(crate) fn squared_bounds(
    nets: [SiblingNets<'_>; 2],
    frames: &[Frame],
    pairs: Pairs,
    enough: f64,
    bounds: &mut SquaredBounds,
) -> u64 {
    pulp::Arch::new().dispatch(Bounds {
        nets,
        frames,
        pairs,
        enough,
        bounds,
    })
}

#[inline(always)]
fn bound(
    nets: [SiblingNets<'_>; 2],
    frames: &[Frame],
    pairs: Pairs,
    enough: f64,
    bounds: &mut SquaredBounds,
) -> u64 {
    let mut alive = pairs;
    let mut tests = 0;
    for frame in frames {
        tests += 3 * u64::from(alive.count_ones());
        let (one, two) = (ranges(&nets[0], frame), ranges(&nets[1], frame));
        let factor = Lanes::splat(frame.factor);
        let none = Lanes::splat(0.0);
        for (i, row) in bounds.iter_mut().enumerate() {
            if alive >> (4 * i) & 0xf == 0 {
                continue;
            }
            let mut sum = none;
            for k in 0..3 {
                let [low, high] = one[k];
                let (low, high) = (Lanes::splat(low[i]), Lanes::splat(high[i]));
                let gap = (low - two[k][1]).max(two[k][0] - high);
                let gap = (gap - Lanes::splat(frame.errors[k])).max(none);
                sum = sum + gap * gap;
            }
            *row = row.max(sum * factor);
            for (j, &squared) in row.0.iter().enumerate() {
                if squared >= enough {
                    alive &= !(1 << (4 * i + j));
                }
            }
        }
        if alive == 0 {
            break;
        }
    }
    tests
}

/// Least and largest projection of each child on each direction of a frame.
#[inline(always)]
fn ranges(nets: &SiblingNets<'_>, frame: &Frame) -> [[Lanes; 2]; 3] {
    let [x, y, z] = nets.starts();
    let nothing = [Lanes::splat(f64::INFINITY), Lanes::splat(f64::NEG_INFINITY)];
    let mut ranges = [nothing; 3];
    let e = frame.directions;
    for ((&x, &y), &z) in x.iter().zip(y).zip(z) {
        for k in 0..3 {
            let value =
                Lanes::splat(e[k][0]) * x + Lanes::splat(e[k][1]) * y + Lanes::splat(e[k][2]) * z;
            ranges[k] = [ranges[k][0].min(value), ranges[k][1].max(value)];
        }
    }
    ranges
}
