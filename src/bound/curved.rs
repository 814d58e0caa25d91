//! The inclusion test of motion that is not along straight lines.
//!
//! On an axis, and over an interval of time, the control points of a piece project to polynomials.
//! Their Bernstein coefficients are the projected *layers*. Let m_k and M_k be the least and the
//! largest coefficient k of a piece. Since Bernstein polynomials are not negative, the gap is at
//! least the polynomial with the coefficients m_k of the piece above less M_k of the one below. It
//! lies in the convex hull of its coefficients: if all are positive, so is the gap throughout; if
//! the first one is, it is positive up to where the hull meets zero. Straight lines are the case of
//! degree 1, for which [`SiblingTest`] has a faster test.
//!
//! A rigid body is given by where it is at both ends of the interval, and by its *bend*: along an
//! axis no point accelerates by more than K, so its projection is within K h² s (1 − s)/2 of its
//! chord at the fraction s of an interval of length h. That is a polynomial of degree 2 as well,
//! with K h²/4 in its middle coefficient.

use super::gap::Axis;
use super::siblings::{Pairs, SiblingTest};
use crate::lanes::Lanes;
use crate::motion::{MAX_LAYERS, SiblingNets, Track, thirds};
use crate::rounding::{BEND_FACTOR, UNIT_ROUNDOFF, ZERO_ROUNDINGS};

/// The scratch space of the test.
#[derive(Debug, Default)]
pub(crate) struct CurvedScratch {
    /// The layers of the children of each sub-patch: of each x of all control points, then y and z.
    layers: [[Vec<Lanes>; MAX_LAYERS]; 2],
    /// On each axis that was tested, for child i of the first sub-patch (rows) and for each side,
    /// the coefficients of the gap, minus the margin.
    rows: Vec<[[Coefficients; 2]; 4]>,
}

/// The coefficients of a polynomial of up to the highest degree; those beyond its degree mean
/// nothing.
type Coefficients = [Lanes; MAX_LAYERS];

/// The least and the largest coefficients of the children of a sub-patch.
#[derive(Clone, Copy, Default)]
struct Ranges {
    least: Coefficients,
    most: Coefficients,
}

/// The arguments of [`SiblingTest::curved`], for [`pulp::Arch::dispatch`].
struct Curved<'a> {
    test: &'a mut SiblingTest,
    nets: [SiblingNets<'a>; 2],
    axes: &'a [Axis],
    interval: [f64; 2],
    alive: Pairs,
    swept: bool,
}

impl pulp::WithSimd for Curved<'_> {
    type Output = Pairs;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) -> Pairs {
        let Self {
            test,
            nets,
            axes,
            interval,
            alive,
            swept,
        } = self;
        let degree = nets.each_ref().map(|net| degree(net.track()));
        let degree = degree[0].max(degree[1]);
        let alive = test.separate_curved(nets, axes, interval, degree, alive, swept);
        if swept {
            alive
        } else {
            test.cut_curved(axes.len(), degree, alive)
        }
    }
}

impl SiblingTest {
    /// Tests the pairs `alive` over an interval of time, for control points that move in any way.
    /// The same as [`SiblingTest::time_dependent`] or, if `swept`, as [`SiblingTest::swept`].
    pub(super) fn curved(
        &mut self,
        nets: [SiblingNets<'_>; 2],
        axes: &[Axis],
        interval: [f64; 2],
        alive: Pairs,
        swept: bool,
    ) -> Pairs {
        pulp::Arch::new().dispatch(Curved {
            test: self,
            nets,
            axes,
            interval,
            alive,
            swept,
        })
    }

    /// Prunes the pairs that an axis separates throughout the interval.
    #[inline(always)]
    fn separate_curved(
        &mut self,
        nets: [SiblingNets<'_>; 2],
        axes: &[Axis],
        interval: [f64; 2],
        degree: usize,
        mut alive: Pairs,
        swept: bool,
    ) -> Pairs {
        let CurvedScratch { layers, rows } = &mut self.curved;
        nets[0].layers(interval, &mut layers[0]);
        nets[1].layers(interval, &mut layers[1]);
        rows.clear();
        let length = interval[1] - interval[0];
        let asked = alive;
        for axis in axes {
            self.axis_tests += u64::from(alive.count_ones());
            let [one, two] = [0, 1].map(|side| {
                let net = &nets[side];
                let bend = bend(net.track(), axis, length);
                ranges(net, axis.direction, &layers[side], bend, degree)
            });
            // The margin at the end of the interval is the larger one.
            let margin = Lanes::splat(axis.margin[0].max(axis.margin[1]));
            let mut of_axis = [[[Lanes::default(); MAX_LAYERS]; 2]; 4];
            for (i, row) in of_axis.iter_mut().enumerate() {
                let (mut least, mut most) = (one.least, one.most);
                for k in 0..=degree {
                    least[k] = Lanes::splat(least[k][i]);
                    most[k] = Lanes::splat(most[k][i]);
                }
                let mut throughout = [Lanes::splat(f64::INFINITY); 2];
                if swept {
                    let all = |x: Coefficients, f: fn(Lanes, Lanes) -> Lanes| {
                        x[1..=degree].iter().fold(x[0], |all, &x| f(all, x))
                    };
                    throughout = [
                        all(least, Lanes::min) - all(two.most, Lanes::max) - margin,
                        all(two.least, Lanes::min) - all(most, Lanes::max) - margin,
                    ];
                } else {
                    for k in 0..=degree {
                        row[0][k] = least[k] - two.most[k] - margin;
                        row[1][k] = two.least[k] - most[k] - margin;
                        throughout[0] = throughout[0].min(row[0][k]);
                        throughout[1] = throughout[1].min(row[1][k]);
                    }
                }
                let [above, below] = throughout;
                for (j, (above, below)) in above.0.iter().zip(below.0).enumerate() {
                    let separated = *above > 0.0 || below > 0.0;
                    alive &= !(u16::from(separated) << (4 * i + j));
                }
            }
            rows.push(of_axis);
            if alive == 0 {
                break;
            }
        }
        alive & asked
    }

    /// Cuts the interval of each pair in `alive` at both ends, as far as an axis separates the pair
    /// there. Returns the pairs whose interval is not empty then.
    #[inline(always)]
    fn cut_curved(&mut self, axes: usize, degree: usize, mut alive: Pairs) -> Pairs {
        let mut left = alive;
        while left != 0 {
            let pair = left.trailing_zeros() as usize;
            left &= left - 1;
            let (i, j) = (pair / 4, pair % 4);
            let mut remaining = [0.0_f64; 2];
            for rows in self.curved.rows.iter().take(axes) {
                for gap in &rows[i] {
                    let from_start = |k: usize| gap[k][j];
                    let from_end = |k: usize| gap[degree - k][j];
                    remaining[0] = remaining[0].max(first_zero(from_start, degree));
                    remaining[1] = remaining[1].max(first_zero(from_end, degree));
                }
            }
            // Rounded up: 1 − r is a rounding of 1 off.
            let end = ((1.0 - remaining[1]) + 2.0 * UNIT_ROUNDOFF).min(1.0);
            let remaining = [remaining[0], if remaining[1] > 0.0 { end } else { 1.0 }];
            self.remaining[pair] = remaining;
            if remaining[0] >= remaining[1] {
                alive &= !(1 << pair);
            }
        }
        alive
    }
}

/// The degree in time of a projection.
fn degree(track: &Track) -> usize {
    match track {
        Track::Linear => 1,
        Track::Polynomial(degree) => *degree,
        Track::Rigid(_) => 2,
    }
}

/// What the middle coefficient of a projection is off from the chord over an interval of this
/// length.
#[inline(always)]
fn bend(track: &Track, axis: &Axis, length: f64) -> f64 {
    match track {
        Track::Rigid(screw) => {
            let acceleration = screw.turn.acceleration(axis.direction) * screw.radius;
            0.25 * acceleration * length * length * BEND_FACTOR
        }
        Track::Linear | Track::Polynomial(_) => 0.0,
    }
}

/// Projects the layers on the direction `e`, and writes the ranges as coefficients of a polynomial
/// of this degree.
#[inline(always)]
fn ranges(
    net: &SiblingNets<'_>,
    e: [f64; 3],
    layers: &[Vec<Lanes>; MAX_LAYERS],
    bend: f64,
    degree: usize,
) -> Ranges {
    let mut ranges = Ranges::default();
    let count = net.count();
    let (ex, ey, ez) = (Lanes::splat(e[0]), Lanes::splat(e[1]), Lanes::splat(e[2]));
    let own = net.track().layers();
    for (k, layer) in layers.iter().enumerate().take(own) {
        let (x, y, z) = thirds(layer, count);
        let mut least = Lanes::splat(f64::INFINITY);
        let mut most = Lanes::splat(f64::NEG_INFINITY);
        for k in 0..count {
            let value = ex * x[k] + ey * y[k] + ez * z[k];
            least = least.min(value);
            most = most.max(value);
        }
        ranges.least[k] = least;
        ranges.most[k] = most;
    }
    let mut reached = own - 1;
    if let Track::Rigid(_) = net.track() {
        let (half, bend) = (Lanes::splat(0.5), Lanes::splat(bend));
        let Ranges { least, most } = &mut ranges;
        (least[2], most[2]) = (least[1], most[1]);
        least[1] = half * (least[0] + least[2]) - bend;
        most[1] = half * (most[0] + most[2]) + bend;
        reached = 2;
    }
    for from in reached..degree {
        elevate(&mut ranges.least, from);
        elevate(&mut ranges.most, from);
    }
    ranges
}

/// Writes a polynomial with a degree that is higher by one.
#[inline(always)]
fn elevate(coefficients: &mut Coefficients, degree: usize) {
    let parts = degree as f64 + 1.0;
    coefficients[degree + 1] = coefficients[degree];
    for k in (1..=degree).rev() {
        let part = Lanes::splat(k as f64 / parts);
        let rest = Lanes::splat((parts - k as f64) / parts);
        coefficients[k] = part * coefficients[k - 1] + rest * coefficients[k];
    }
}

/// A fraction up to which a polynomial with these coefficients is positive: that at which their
/// convex hull meets zero, rounded down; 0 if the first one is not positive.
#[inline(always)]
pub(crate) fn first_zero(coefficient: impl Fn(usize) -> f64, degree: usize) -> f64 {
    if coefficient(0) <= 0.0 {
        return 0.0;
    }
    // The hull meets zero first on a line from a positive coefficient to a later one that is not.
    let mut first = 1.0_f64;
    for from in 0..degree {
        let above = coefficient(from);
        if above <= 0.0 {
            continue;
        }
        for to in from + 1..=degree {
            let below = coefficient(to);
            if below <= 0.0 {
                let [start, end] = [from, to].map(|k| k as f64 / degree as f64);
                first = first.min(start + (end - start) * (above / (above - below)));
            }
        }
    }
    first * (1.0 - ZERO_ROUNDINGS * UNIT_ROUNDOFF)
}
