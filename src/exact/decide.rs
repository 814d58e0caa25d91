//! The answer in integers.
//!
//! Consider a time at which the determinant is 0: the polygon's plane contains the origin, or the
//! polygon is a segment or a point. Seen along a coordinate axis, the origin is on the left of side
//! k if the component of pₖ × pₖ₊₁ along that axis is positive. Three cases decide.
//! - Some axis sees the origin on the left of one side and on the right of another: it is outside.
//! - Otherwise, if some component is not 0, the polygon's image along that axis has an area, since
//!   the components of all sides add up to twice that area, and the origin is inside.
//! - If all components along all axes are 0, all corners are on one line through the origin. Then
//!   the origin is among them unless some coordinate has the same sign, not 0, at all corners.

use smallvec::SmallVec;

use super::big_rational::BigRational;
use super::corners::SideSigns;
use super::integer::{Integer, mantissa_and_exponent, shifted};
use super::polynomial::Polynomial;
use super::root::Root;
use super::{Answer, Simplices};

/// A vector whose coordinates x, y, z are polynomials in time.
type PolynomialVector = [Polynomial; 3];

/// The exact polygon. Each axis has its own unit of length, a power of two.
#[derive(Debug)]
pub(super) struct Polygon {
    corners: SmallVec<[PolynomialVector; 4]>,
    determinant: Polynomial,
}

impl Polygon {
    pub(super) fn new(simplices: &Simplices<'_>) -> Self {
        let mut corners: SmallVec<[PolynomialVector; 4]> = simplices
            .corners
            .iter()
            .map(|_| std::array::from_fn(|_| Polynomial::new([])))
            .collect();
        for axis in 0..3 {
            for (corner, exact) in corners.iter_mut().zip(coordinates(simplices, axis)) {
                corner[axis] = exact;
            }
        }
        let determinant = match &corners[..] {
            [p, q, .., r] => {
                let terms = [0, 1, 2].map(|k| &p[k] * &cross(q, r, k));
                &(&terms[0] + &terms[1]) + &terms[2]
            }
            _ => Polynomial::new([]),
        };
        Self {
            corners,
            determinant,
        }
    }

    /// Whether the origin is in the polygon at the only root of the determinant between two times,
    /// which is a simple root.
    pub(super) fn touches_between(&self, times: [f64; 2], known: &SideSigns) -> bool {
        self.touches(&Root::between(times, &self.determinant), known)
    }

    /// The first contact, provided that there is none before the time `from`.
    pub(super) fn first_contact(&self, from: f64) -> Answer {
        let known = &SideSigns::default();
        let start = Root::Rational(BigRational::zero());
        if from == 0.0 && self.determinant.sign_at_zero() == 0 && self.touches(&start, known) {
            return Answer::AtStart;
        }
        let within = |root: &Root<'_>| {
            let [low, high] = root.doubles();
            Answer::Within([low.max(from), high])
        };
        if !self.determinant.is_zero() {
            let roots = Root::all(&self.determinant);
            let first = roots.iter().find(|root| self.touches(root, known));
            return first.map_or(Answer::Clear, within);
        }
        // The determinant is 0 at all times: the plane always contains the origin.
        let events = self.events();
        let mut first: Option<[f64; 2]> = None;
        for root in events.iter().flat_map(Root::all) {
            let bracket = root.doubles();
            let earlier = first.is_none_or(|first| bracket[0] < first[1]);
            if earlier && bracket[1] >= from && self.touches(&root, known) {
                first = Some(match first {
                    Some([low, high]) => [low.min(bracket[0]), high.min(bracket[1])],
                    None => bracket,
                });
            }
        }
        first.map_or(Answer::Clear, |[low, high]| {
            Answer::Within([low.max(from), high])
        })
    }

    /// Polynomials among whose roots are all times after the start at which contact can begin, for
    /// a determinant that is always 0.
    ///
    /// The polygon is closed and moves continuously, so when it comes to contain the origin, one of
    /// its sides does. Either the two corners of that side are not always in line with the origin:
    /// then a component of their cross product that is not always 0 is 0 at that time. Or they
    /// always are: then an end of the side, which is a corner, comes to be at the origin.
    fn events(&self) -> SmallVec<[Polynomial; 8]> {
        let mut events = SmallVec::new();
        let sides = if self.corners.len() < 3 {
            self.corners.len() - 1
        } else {
            self.corners.len()
        };
        for side in 0..sides {
            let mut components = (0..3).map(|axis| self.side(side, axis));
            events.extend(components.find(|component| !component.is_zero()));
        }
        for corner in &self.corners {
            events.extend(corner.iter().find(|x| !x.is_zero()).cloned());
        }
        events
    }

    /// Whether the origin is in the polygon at a root of the determinant.
    fn touches(&self, time: &Root<'_>, known: &SideSigns) -> bool {
        let count = self.corners.len();
        for axis in known.axes {
            let (mut right, mut left) = (false, false);
            for side in 0..count {
                let sign = match known.signs[axis][side] {
                    0 => time.sign(&self.side(side, axis)),
                    sign => sign,
                };
                right |= sign < 0;
                left |= sign > 0;
                if left && right {
                    return false;
                }
            }
            if left || right {
                return true;
            }
        }
        (0..3).all(|axis| {
            let mut signs = self.corners.iter().map(|corner| time.sign(&corner[axis]));
            let first = signs.next().unwrap_or(0);
            first == 0 || signs.any(|sign| sign != first)
        })
    }

    /// One component of the cross product of the two corners of a side.
    fn side(&self, side: usize, axis: usize) -> Polynomial {
        let next = (side + 1) % self.corners.len();
        cross(&self.corners[side], &self.corners[next], axis)
    }
}

fn cross(p: &PolynomialVector, q: &PolynomialVector, axis: usize) -> Polynomial {
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    &(&p[i] * &q[j]) - &(&p[j] * &q[i])
}

/// One coordinate of all corners, as polynomials in the fraction of the horizon that has passed.
fn coordinates(simplices: &Simplices<'_>, axis: usize) -> SmallVec<[Polynomial; 4]> {
    /// The number n · 2ᵉ.
    type Number = (i64, i32);
    let double = mantissa_and_exponent;
    let least = |numbers: &mut dyn Iterator<Item = Number>| {
        let exponents = numbers.filter(|&(n, _)| n != 0).map(|(_, e)| e);
        exponents.min()
    };
    // Positions are integers in units of 2^place, displacements per unit of time in units of 2^way.
    let views = simplices.views;
    let starts = || {
        views
            .iter()
            .flat_map(|view| view.points.iter().map(|p| double(p[axis])))
    };
    let (horizon, slowdown) = double(simplices.t_max);
    let mut place = least(&mut starts());
    let mut ways: Option<i32> = None;
    let join = |a: Option<i32>, b: Option<i32>| match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        _ => a.or(b),
    };
    for view in views {
        match view.ends() {
            Some(ends) => {
                let ends = least(&mut ends.iter().map(|p| double(p[axis])));
                place = join(place, ends);
            }
            None => {
                let velocities = view.velocities().iter().map(|v| double(v[axis]));
                ways = join(ways, least(&mut { velocities }));
            }
        }
    }
    if views.iter().any(|view| view.ends().is_some()) {
        ways = join(ways, place);
    }
    let way = ways.or(place).unwrap_or(0);
    let place = place.unwrap_or(way);
    // Displacements over the horizon are integers in units of 2^(way + slowdown).
    let unit = place.min(way + slowdown);
    let whole =
        |(n, e): Number, unit: i32| shifted(n, if n == 0 { 0 } else { (e - unit) as usize });
    let shift = (way + slowdown - unit) as usize;
    let displacement = |side: usize, index: usize| {
        let view = views[side];
        let way = match view.ends() {
            Some(ends) => {
                whole(double(ends[index][axis]), way) - whole(double(view.points[index][axis]), way)
            }
            None => whole(double(view.velocities()[index][axis]), way),
        };
        match (horizon, shift) {
            (1, 0) => way,
            _ => (way * Integer::from(horizon)) << shift,
        }
    };
    let position = |side: usize, index: usize| whole(double(views[side].points[index][axis]), unit);
    simplices
        .corners
        .iter()
        .map(|&(i, j)| {
            Polynomial::new([
                position(1, j) - position(0, i),
                displacement(1, j) - displacement(0, i),
            ])
        })
        .collect()
}
