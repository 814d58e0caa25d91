//! How far apart are all pairs of children of two sub-patches, at least?
//!
//! If the convex hulls of two pieces leave a gap g on an axis e, then |e · x| ≥ g for every
//! difference x of their points. Three such gaps together bound the distance, like the sides of a
//! box: |x|² ≥ (g₁² + g₂² + g₃²) / B. For unit axes at right angles B is 1, and for any other axes
//! it is computed from them. So a pair that lies oblique to the axes is bounded as well as one that
//! lies along them.

use super::Direction;
use super::margin::CoordinateErrors;
use super::siblings::Pairs;
use crate::lanes::Lanes;
use crate::motion::SiblingNets;
use crate::rounding::{FRAME_FACTOR, SUM_FACTOR};
use crate::vector::dot;

/// Three directions whose gaps together bound a distance. They may be any directions, and one that
/// is zero contributes nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    directions: [Direction; 3],
    /// For each direction, a bound on the rounding error of a gap on it.
    errors: [f64; 3],
    /// The sum of the squares of the three gaps, times this, is no more than the square of the
    /// distance. This is 1/B, rounded down far enough; 0 if all directions are zero.
    factor: f64,
}

impl Frame {
    /// A frame of three directions, for projections with these errors.
    //
    // B is the largest row sum of the matrix of the products |eᵢ · eⱼ|.
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

/// Lower bounds on the squared distances of the sixteen pairs: lane j of element i belongs to child
/// i of the first and child j of the second sub-patch.
pub(crate) type SquaredBounds = [Lanes; 4];

/// The arguments of [`bound`], which [`pulp::Arch::dispatch`] calls for the vector unit that the
/// processor has.
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

/// Raises the `bounds` of `pairs` to what the frames prove at time 0, one frame after the other,
/// until all of them are at least `enough`. Returns the number of axis tests: pairs that were not
/// there yet times axes, summed over frames.
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

/// What [`squared_bounds`] does, to be compiled for each vector unit.
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

/// The least and the largest projection of each child's control points on each direction of a
/// frame, at time 0.
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
    use crate::motion::{COLUMNS, Spread, Track, Trajectory};
    use crate::proofs::{Dyadic, Random, cases, exact};

    fn squared(x: &[Dyadic; 3]) -> Dyadic {
        let [x, y, z] = x.each_ref().map(|x| x.clone() * x.clone());
        x + y + z
    }

    /// The pieces are single points, which are their own convex hulls. The frames are of all kinds:
    /// with axes at right angles, oblique, nearly parallel, of any length, and zero.
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
            let tilt = power(&mut random, 60);
            let mut axes = [first, direction(&mut random), direction(&mut random)];
            match case % 5 {
                0 => axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
                1 => axes[1] = std::array::from_fn(|c| first[c] + tilt * axes[1][c]),
                2 => axes[2] = [0.0; 3],
                // Along the difference of the points.
                3 => axes[0] = std::array::from_fn(|c| (a[c] - b[c]) / spread),
                _ => {}
            }
            let extents = [a, b].map(|p| Spread::of(&[Trajectory::new(p, [0.0; 3])]).extent());
            let frame = Frame::new(axes, &CoordinateErrors::at(0.0, &extents, [0, 0]));
            let lanes = |p: [f64; 3]| {
                let mut net = p.map(Lanes::splat).to_vec();
                net.resize(COLUMNS, Lanes::default());
                net
            };
            let (one, two) = (lanes(a), lanes(b));
            let nets = [
                SiblingNets::new(1, &Track::Linear, &one),
                SiblingNets::new(1, &Track::Linear, &two),
            ];
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
