//! Domains of parameters: which points belong to them, how they are bordered, and how a solver
//! keeps to them.

use smallvec::{SmallVec, smallvec};

use super::{Cell, Shape};

/// The parameters (u, v) at which a patch is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Domain {
    /// Of a vertex: (0, 0) alone.
    Point,
    /// Of a curve in u: 0 ≤ u ≤ 1, v = 0.
    AlongU,
    /// Of a curve in v: 0 ≤ v ≤ 1, u = 0.
    AlongV,
    /// Of a tensor-product patch: 0 ≤ u, v ≤ 1.
    Square,
    /// Of a triangular patch: u, v ≥ 0, u + v ≤ 1.
    Triangle,
}

/// A set of sides of a domain, as bits: those whose constraints a solver holds with equality.
///
/// Square and curves: u = 0, v = 0, u = 1, v = 1. Triangle: u = 0, v = 0, u + v = 1.
pub(crate) type ActiveSet = u8;

const U_LOW: ActiveSet = 1;
const V_LOW: ActiveSet = 2;
const U_HIGH: ActiveSet = 4;
const V_HIGH: ActiveSet = 8;
/// u + v = 1.
const SUM_HIGH: ActiveSet = 4;

/// Parameters nearer to a side than this count as on it.
const ON_SIDE: f64 = 1e-15;

impl Shape {
    /// The domain of its parameters.
    #[inline]
    pub(crate) fn domain(&self) -> Domain {
        match self {
            Self::TensorProduct { n: 0, m: 0 } => Domain::Point,
            Self::TensorProduct { m: 0, .. } => Domain::AlongU,
            Self::TensorProduct { n: 0, .. } => Domain::AlongV,
            Self::TensorProduct { .. } => Domain::Square,
            Self::Triangular { .. } => Domain::Triangle,
        }
    }
}

impl Domain {
    /// Whether u, and whether v, can vary.
    #[inline]
    pub(crate) fn varies(self) -> [bool; 2] {
        match self {
            Self::Point => [false, false],
            Self::AlongU => [true, false],
            Self::AlongV => [false, true],
            Self::Square | Self::Triangle => [true, true],
        }
    }

    /// Whether a cell of it can be halved along one parameter alone: a curve has no other, and the
    /// parameters of a triangle are only halved together.
    pub(crate) fn splits_unevenly(self) -> bool {
        self == Self::Square
    }

    /// The widths of a cell along u and v, without sign; 0 along a parameter that cannot vary.
    pub(crate) fn widths(self, cell: &Cell) -> [f64; 2] {
        let [u, v] = self.varies();
        [
            if u { cell.width_u.abs() } else { 0.0 },
            if v { cell.width_v.abs() } else { 0.0 },
        ]
    }

    /// Whether a cell covers the parameters (u, v), its border included.
    pub(crate) fn covers(self, cell: &Cell, (u, v): (f64, f64)) -> bool {
        let (x, y) = cell.place(u, v);
        if self == Self::Triangle {
            return x >= 0.0 && y >= 0.0 && x + y <= 1.0;
        }
        let [u, v] = self.varies();
        (!u || (0.0..=1.0).contains(&x)) && (!v || (0.0..=1.0).contains(&y))
    }

    /// Some places all around the border, corners among them. From a corner, at least two of them
    /// are not on its own sides.
    pub(crate) fn around(self) -> &'static [(f64, f64)] {
        const THIRD: f64 = 1.0 / 3.0;
        match self {
            Self::Point => &[(0.0, 0.0)],
            Self::AlongU => &[(0.0, 0.0), (1.0, 0.0)],
            Self::AlongV => &[(0.0, 0.0), (0.0, 1.0)],
            Self::Square => &[
                (0.0, 0.0),
                (0.5, 0.0),
                (1.0, 0.0),
                (1.0, 0.5),
                (1.0, 1.0),
                (0.5, 1.0),
                (0.0, 1.0),
                (0.0, 0.5),
            ],
            Self::Triangle => &[
                (0.0, 0.0),
                (THIRD, 0.0),
                (1.0 - THIRD, 0.0),
                (1.0, 0.0),
                (1.0 - THIRD, THIRD),
                (THIRD, 1.0 - THIRD),
                (0.0, 1.0),
                (0.0, 1.0 - THIRD),
                (0.0, THIRD),
            ],
        }
    }

    /// The chords through (u, v) that are parallel to a side, from end to end.
    pub(crate) fn chords(self, (u, v): (f64, f64)) -> SmallVec<[[(f64, f64); 2]; 3]> {
        match self {
            Self::Point => smallvec![],
            Self::AlongU => smallvec![[(0.0, v), (1.0, v)]],
            Self::AlongV => smallvec![[(u, 0.0), (u, 1.0)]],
            Self::Square => smallvec![[(0.0, v), (1.0, v)], [(u, 0.0), (u, 1.0)]],
            Self::Triangle => smallvec![
                [(0.0, v), (1.0 - v, v)],
                [(u, 0.0), (u, 1.0 - u)],
                [(0.0, u + v), (u + v, 0.0)],
            ],
        }
    }

    /// Parameters in the domain: these, or some that are near them.
    pub(crate) fn clamp(self, (u, v): (f64, f64)) -> (f64, f64) {
        if self != Self::Triangle {
            let [varies_u, varies_v] = self.varies();
            let at = |x: f64, varies| if varies { x.clamp(0.0, 1.0) } else { 0.0 };
            return (at(u, varies_u), at(v, varies_v));
        }
        let (u, v) = (u.max(0.0), v.max(0.0));
        // All three barycentric coordinates are to be ≥ 0 as they are computed.
        let rest = 1.0 - u - v;
        if rest >= 0.0 {
            return (u, v);
        }
        let u = (u + 0.5 * rest).clamp(0.0, 1.0);
        (u, 1.0 - u)
    }

    /// The same, and on a slanted side where they are on it to rounding.
    pub(crate) fn snap(self, parameters: (f64, f64)) -> (f64, f64) {
        let (u, v) = self.clamp(parameters);
        if self == Self::Triangle && 1.0 - u - v < ON_SIDE {
            return (u, 1.0 - u);
        }
        (u, v)
    }

    /// The sides that parameters are on, without those that they leave if they follow −`slope`.
    pub(crate) fn active_set(self, (u, v): (f64, f64), slope: Option<[f64; 2]>) -> ActiveSet {
        let stays = |inward: [f64; 2]| {
            slope.is_none_or(|slope| slope[0] * inward[0] + slope[1] * inward[1] >= 0.0)
        };
        let held = |sides: &[(bool, ActiveSet, [f64; 2])]| {
            let held = sides.iter().filter(|&&(on, _, inward)| on && stays(inward));
            held.fold(0, |all, &(_, side, _)| all | side)
        };
        if self != Self::Triangle {
            return held(&[
                (u <= 0.0, U_LOW, [1.0, 0.0]),
                (v <= 0.0, V_LOW, [0.0, 1.0]),
                (u >= 1.0, U_HIGH, [-1.0, 0.0]),
                (v >= 1.0, V_HIGH, [0.0, -1.0]),
            ]);
        }
        // At a corner a side is left along the other one.
        let [low_u, low_v, high] = [u <= 0.0, v <= 0.0, 1.0 - u - v <= 0.0];
        let along =
            |corner: bool, along: [f64; 2], across: [f64; 2]| if corner { along } else { across };
        let across_sum = along(low_v, [-1.0, 0.0], [-1.0, -1.0]);
        held(&[
            (low_u, U_LOW, along(high, [1.0, -1.0], [1.0, 0.0])),
            (low_v, V_LOW, along(high, [-1.0, 1.0], [0.0, 1.0])),
            (high, SUM_HIGH, along(low_u, [0.0, -1.0], across_sum)),
        ])
    }

    /// The side that parameters are the farthest beyond, of those not in `held`; 0 if there is
    /// none.
    fn violated(self, (u, v): (f64, f64), held: ActiveSet) -> ActiveSet {
        let sides: &[(ActiveSet, f64)] = match self {
            // A corner holds both parameters.
            Self::Triangle if held.count_ones() >= 2 => &[],
            Self::Triangle => &[(U_LOW, -u), (V_LOW, -v), (SUM_HIGH, u + v - 1.0)],
            _ => &[
                (U_LOW, -u),
                (V_LOW, -v),
                (U_HIGH, u - 1.0),
                (V_HIGH, v - 1.0),
            ],
        };
        let free = sides.iter().filter(|(side, _)| held & side == 0);
        let farthest = free.max_by(|a, b| a.1.total_cmp(&b.1));
        farthest.map_or(0, |&(side, by)| if by > ON_SIDE { side } else { 0 })
    }

    /// How parameters may move that keep to the sides in `held`.
    pub(crate) fn moves(self, (u, v): (f64, f64), held: ActiveSet) -> Moves {
        let mut moves = Moves::default();
        if self == Self::Triangle {
            let half = 0.5 * (1.0 - u - v);
            let (fixed, free): ([f64; 2], &[[f64; 2]]) = match held {
                0 => ([0.0, 0.0], &[[1.0, 0.0], [0.0, 1.0]]),
                U_LOW => ([-u, 0.0], &[[0.0, 1.0]]),
                V_LOW => ([0.0, -v], &[[1.0, 0.0]]),
                SUM_HIGH => ([half, half], &[[1.0, -1.0]]),
                // Corners.
                _ if held & SUM_HIGH == 0 => ([-u, -v], &[]),
                _ if held & U_LOW != 0 => ([-u, 1.0 - v], &[]),
                _ => ([1.0 - u, -v], &[]),
            };
            moves.fixed = fixed;
            free.iter().for_each(|&direction| moves.push(direction));
            return moves;
        }
        for (k, (x, varies)) in [u, v].into_iter().zip(self.varies()).enumerate() {
            if !varies {
                continue;
            }
            if held & (U_LOW << k) != 0 {
                moves.fixed[k] = -x;
            } else if held & (U_HIGH << k) != 0 {
                moves.fixed[k] = 1.0 - x;
            } else {
                let mut direction = [0.0; 2];
                direction[k] = 1.0;
                moves.push(direction);
            }
        }
        moves
    }
}

/// How parameters may move that keep to some sides of their domain.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Moves {
    /// The move onto those sides.
    pub(crate) fixed: [f64; 2],
    directions: [[f64; 2]; 2],
    count: usize,
}

impl Moves {
    /// The directions along the sides: two, one or none.
    pub(crate) fn free(&self) -> &[[f64; 2]] {
        &self.directions[..self.count]
    }

    fn push(&mut self, direction: [f64; 2]) {
        self.directions[self.count] = direction;
        self.count += 1;
    }
}

/// Solves for a step of the parameters of two patches that stays within their domains: a side that
/// the step would cross joins the active set, and the step is solved for again.
#[inline]
pub(crate) fn solve_within<T>(
    domains: [Domain; 2],
    at: [(f64, f64); 2],
    active: &mut [ActiveSet; 2],
    solve: impl Fn(&[Moves; 2]) -> Option<T>,
    parameters: impl Fn(&T) -> [[f64; 2]; 2],
) -> Option<T> {
    // At most two sides of each domain can join, so this ends.
    loop {
        let moves = [0, 1].map(|side| domains[side].moves(at[side], active[side]));
        let step = solve(&moves)?;
        let by = parameters(&step);
        let violated = [0, 1].map(|side| {
            let to = (at[side].0 + by[side][0], at[side].1 + by[side][1]);
            domains[side].violated(to, active[side])
        });
        if violated == [0, 0] {
            return Some(step);
        }
        active[0] |= violated[0];
        active[1] |= violated[1];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Domain; 5] = [
        Domain::Point,
        Domain::AlongU,
        Domain::AlongV,
        Domain::Square,
        Domain::Triangle,
    ];

    #[test]
    fn clamped_parameters_are_in_the_domain_and_those_inside_stay() {
        let steps = || (-8..=16).map(|k| f64::from(k) / 8.0 + 1e-17);
        for domain in ALL {
            for (u, v) in steps().flat_map(|u| steps().map(move |v| (u, v))) {
                let (x, y) = domain.clamp((u, v));
                assert!(domain.covers(&Cell::UNIT, (x, y)), "{domain:?} {u} {v}");
                assert!(domain.varies()[0] || x == 0.0, "{domain:?} {u} {v}");
                assert!(domain.varies()[1] || y == 0.0, "{domain:?} {u} {v}");
                let [varies_u, varies_v] = domain.varies();
                let moves = !varies_u && u != 0.0 || !varies_v && v != 0.0;
                if domain.covers(&Cell::UNIT, (u, v)) && !moves {
                    assert!((x - u).abs() + (y - v).abs() < 1e-16, "{domain:?} {u} {v}");
                }
            }
        }
    }

    #[test]
    fn a_step_within_the_domain_goes_along_the_side_that_it_would_cross() {
        // From the middle of the triangle a step across its slanted side.
        let at = [(0.25, 0.25), (0.0, 0.0)];
        let toward = [0.5, 0.25];
        let mut active = [0; 2];
        let solve = |moves: &[Moves; 2]| {
            let mut by = moves[0].fixed;
            for direction in moves[0].free() {
                let along = direction[0] * toward[0] + direction[1] * toward[1];
                let squared = direction[0] * direction[0] + direction[1] * direction[1];
                by[0] += direction[0] * along / squared;
                by[1] += direction[1] * along / squared;
            }
            Some([by, [0.0; 2]])
        };
        let domains = [Domain::Triangle, Domain::Point];
        let [by, _] = solve_within(domains, at, &mut active, solve, |&by| by).unwrap();
        assert_eq!(active, [SUM_HIGH, 0]);
        assert!((0.5 + by[0] + by[1] - 1.0).abs() < 1e-15, "{by:?}");
    }
}
