//! How far apart are all pairs of children of two sub-patches, at least?
//!
//! On one axis e the hulls of two pieces leave a gap g: every difference of their points has |e ·
//! x| ≥ g. Three such gaps count together, like the sides of a box:
//! |x|² ≥ (g₁² + g₂² + g₃²) / B, where B is 1 for unit axes at right angles and is computed for any others. So a pair that lies askew to the
//! axes is bounded as well as one that lies along them.

use super::Direction;
use super::margin::CoordinateErrors;
use super::siblings::Pairs;
use crate::lanes::Lanes;
use crate::motion::SiblingNets;
use crate::rounding::{FRAME_FACTOR, SUM_FACTOR};
use crate::vector::dot;

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
    pub(crate) fn new(directions: [Direction; 3], errors: &CoordinateErrors) -> Self {
        let rows = directions.map(|a| {
            let [x, y, z] = directions.map(|b| dot(a, b).abs());
            x + y + z
        });
        let largest = rows[0].max(rows[1]).max(rows[2]) * SUM_FACTOR;
        Self {
            directions,
            errors: directions.map(|direction| errors.of_gap(direction)),
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

/// Raises `bounds` to what the frames say of `pairs` at the start, one frame after the other until
/// all reach `enough`. Returns how many times an axis was tested on a pair.
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
    let (x, y, z) = nets.starts();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::{Spread, Trajectory};
    use crate::proofs::exact::{Dyadic, Random, cases, exact};

    fn squared(x: &[Dyadic; 3]) -> Dyadic {
        let [x, y, z] = x.each_ref().map(|x| x.clone() * x.clone());
        x + y + z
    }

    /// Points, whose hulls are themselves, in frames of any kind: at right angles, askew, nearly
    /// parallel, of any length, with axes that vanish.
    #[test]
    fn bounds_are_never_above_the_exact_distance() {
        let mut random = Random::new(60);
        let mut close = 0;
        for case in 0..cases(5000) {
            let power = |random: &mut Random, k: usize| 0.5_f64.powi(random.below(k) as i32);
            let spread = [1.0, power(&mut random, 60), power(&mut random, 500)][case % 3];
            let [a, b]: [[f64; 3]; 2] = [1.0, spread]
                .map(|size| std::array::from_fn(|_| size * random.sign() * random.unit()));
            let b: [f64; 3] = std::array::from_fn(|c| a[c] + b[c]);
            let direction = |random: &mut Random| -> Direction {
                std::array::from_fn(|_| random.sign() * random.unit())
            };
            let first = direction(&mut random);
            let bend = power(&mut random, 60);
            let mut axes = [first, direction(&mut random), direction(&mut random)];
            match case % 5 {
                0 => axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
                1 => axes[1] = std::array::from_fn(|c| first[c] + bend * axes[1][c]),
                2 => axes[2] = [0.0; 3],
                // Along the difference.
                3 => axes[0] = std::array::from_fn(|c| (a[c] - b[c]) / spread),
                _ => {}
            }
            let extents = [a, b].map(|p| Spread::of(&[Trajectory::new(p, [0.0; 3])]).extent());
            let frame = Frame::new(axes, &CoordinateErrors::at(0.0, &extents, [0, 0]));
            let lanes = |p: [f64; 3]| {
                let mut net = p.map(Lanes::splat).to_vec();
                net.resize(SiblingNets::size(1), Lanes::default());
                net
            };
            let (one, two) = (lanes(a), lanes(b));
            let nets = [SiblingNets::new(1, &one), SiblingNets::new(1, &two)];
            let mut bounds = SquaredBounds::default();
            squared_bounds(nets, &[frame], 1, f64::INFINITY, &mut bounds);
            let bound = bounds[0][0].sqrt();
            if bounds[0][0] < 1e-280 {
                continue;
            }
            let distance = squared(&std::array::from_fn(|c| exact(a[c]) - exact(b[c])));
            assert!(
                exact(bound) * exact(bound) <= distance,
                "{a:?} {b:?} {axes:?}"
            );
            let length = (0..3).map(|c| (a[c] - b[c]).powi(2)).sum::<f64>().sqrt();
            close += usize::from(bound > 0.999 * length);
        }
        assert!(close > cases(5000) / 20, "{close}");
    }

    #[test]
    fn lengths_of_gaps_are_never_above_the_exact_ones() {
        let mut random = Random::new(61);
        for case in 0..cases(5000) {
            let ends: [[f64; 2]; 3] = std::array::from_fn(|_| {
                let sizes = [1.0, 0.5_f64.powi(random.below(1074) as i32)][case % 2];
                [sizes * random.sign() * random.unit(), sizes * random.sign()]
            });
            let gaps = ends.map(|[a, b]| (a - b).max(0.0));
            let length = crate::rounding::gaps_length_rounded_down(gaps);
            let exact_gaps = ends.map(|[a, b]| {
                if a > b {
                    exact(a) - exact(b)
                } else {
                    exact(0.0)
                }
            });
            assert!(
                exact(length) * exact(length) <= squared(&exact_gaps),
                "{ends:?}"
            );
        }
        assert_eq!(
            crate::rounding::gaps_length_rounded_down([f64::INFINITY; 3]),
            f64::MAX * (1.0 - 8.0 * f64::EPSILON / 2.0)
        );
    }
}
