//! The domains of the parameters as a local solve sees them: which sides it is on, and how it may move along them.

use crate::geometry::Shape;

/// Sides of a domain, as bits. Square: u = 0, v = 0, u = 1, v = 1. Triangle: u = 0, v = 0, u + v = 1.
pub(super) type Sides = u8;

const U_LOW: Sides = 1;
const V_LOW: Sides = 2;
const U_HIGH: Sides = 4;
const V_HIGH: Sides = 8;
/// u + v = 1.
const SUM_HIGH: Sides = 4;

/// How parameters may move that keep to some sides of their domain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// The step to those sides.
    pub(super) fixed: [f64; 2],
    directions: [[f64; 2]; 2],
    count: usize,
}

impl Frame {
    /// The directions along the sides that are held.
    pub(super) fn free(&self) -> &[[f64; 2]] {
        &self.directions[..self.count]
    }

    pub(super) fn new(shape: Shape, (u, v): (f64, f64), held: Sides) -> Self {
        let frame = |fixed, directions: &[[f64; 2]]| {
            let mut all = [[0.0; 2]; 2];
            all[..directions.len()].copy_from_slice(directions);
            Self {
                fixed,
                directions: all,
                count: directions.len(),
            }
        };
        match shape {
            Shape::TensorProduct { n, m } => {
                let mut frame = frame([0.0; 2], &[]);
                for (k, (x, degree)) in [(u, n), (v, m)].into_iter().enumerate() {
                    if degree == 0 {
                        continue;
                    }
                    if held & (U_LOW << k) != 0 {
                        frame.fixed[k] = -x;
                    } else if held & (U_HIGH << k) != 0 {
                        frame.fixed[k] = 1.0 - x;
                    } else {
                        frame.directions[frame.count][k] = 1.0;
                        frame.count += 1;
                    }
                }
                frame
            }
            Shape::Triangular { .. } => {
                let half = 0.5 * (1.0 - u - v);
                match held {
                    0 => frame([0.0, 0.0], &[[1.0, 0.0], [0.0, 1.0]]),
                    U_LOW => frame([-u, 0.0], &[[0.0, 1.0]]),
                    V_LOW => frame([0.0, -v], &[[1.0, 0.0]]),
                    SUM_HIGH => frame([half, half], &[[1.0, -1.0]]),
                    // Corners.
                    _ if held & SUM_HIGH == 0 => frame([-u, -v], &[]),
                    _ if held & U_LOW != 0 => frame([-u, 1.0 - v], &[]),
                    _ => frame([1.0 - u, -v], &[]),
                }
            }
        }
    }
}

/// The sides that parameters are on, but for those that they leave if they follow −`slope`.
pub(super) fn held(shape: Shape, (u, v): (f64, f64), slope: Option<[f64; 2]>) -> Sides {
    let stays = |inward: [f64; 2]| {
        slope.is_none_or(|slope| slope[0] * inward[0] + slope[1] * inward[1] >= 0.0)
    };
    let hold = |sides: &[(bool, Sides, [f64; 2])]| {
        let held = sides.iter().filter(|&&(on, _, inward)| on && stays(inward));
        held.fold(0, |all, &(_, side, _)| all | side)
    };
    match shape {
        Shape::TensorProduct { .. } => hold(&[
            (u <= 0.0, U_LOW, [1.0, 0.0]),
            (v <= 0.0, V_LOW, [0.0, 1.0]),
            (u >= 1.0, U_HIGH, [-1.0, 0.0]),
            (v >= 1.0, V_HIGH, [0.0, -1.0]),
        ]),
        Shape::Triangular { .. } => {
            // At a corner a side is left along the other one.
            let [low_u, low_v, high] = [u <= 0.0, v <= 0.0, 1.0 - u - v <= 0.0];
            let along = |corner: bool, along: [f64; 2], across: [f64; 2]| {
                if corner { along } else { across }
            };
            hold(&[
                (low_u, U_LOW, along(high, [1.0, -1.0], [1.0, 0.0])),
                (low_v, V_LOW, along(high, [-1.0, 1.0], [0.0, 1.0])),
                (
                    high,
                    SUM_HIGH,
                    along(low_u, [0.0, -1.0], along(low_v, [-1.0, 0.0], [-1.0, -1.0])),
                ),
            ])
        }
    }
}

/// Sides that come to be held within one step, in turn.
const ROUNDS: usize = 5;

/// Solves for a step of both parameters within the domains: sides that it would cross come to be held.
#[inline]
pub(super) fn solve_within<T>(
    shapes: [Shape; 2],
    at: [(f64, f64); 2],
    sides: &mut [Sides; 2],
    solve: impl Fn(&[Frame; 2]) -> Option<T>,
    parameters: impl Fn(&T) -> [[f64; 2]; 2],
) -> Option<T> {
    let mut rounds = 1;
    loop {
        let frames = [0, 1].map(|side| Frame::new(shapes[side], at[side], sides[side]));
        let step = solve(&frames)?;
        let moves = parameters(&step);
        let crossed = [0, 1].map(|side| {
            let [u, v] = moves[side];
            crossed(shapes[side], (at[side].0 + u, at[side].1 + v), sides[side])
        });
        if crossed == [0, 0] || rounds == ROUNDS {
            return Some(step);
        }
        sides[0] |= crossed[0];
        sides[1] |= crossed[1];
        rounds += 1;
    }
}

/// The side that parameters are the farthest beyond, of those not held; 0 if there is none.
fn crossed(shape: Shape, (u, v): (f64, f64), held: Sides) -> Sides {
    /// Closer than this counts as on the side.
    const BEYOND: f64 = 1e-15;
    let sides: &[(Sides, f64)] = match shape {
        Shape::TensorProduct { .. } => &[
            (U_LOW, -u),
            (V_LOW, -v),
            (U_HIGH, u - 1.0),
            (V_HIGH, v - 1.0),
        ],
        // A corner holds both parameters.
        Shape::Triangular { .. } if held.count_ones() >= 2 => &[],
        Shape::Triangular { .. } => &[(U_LOW, -u), (V_LOW, -v), (SUM_HIGH, u + v - 1.0)],
    };
    let free = sides.iter().filter(|(side, _)| held & side == 0);
    let farthest = free.max_by(|a, b| a.1.total_cmp(&b.1));
    farthest.map_or(0, |&(side, by)| if by > BEYOND { side } else { 0 })
}

/// The nearest parameters in the domain, about.
pub(super) fn clamp(shape: Shape, (u, v): (f64, f64)) -> (f64, f64) {
    match shape {
        Shape::TensorProduct { .. } => (u.clamp(0.0, 1.0), v.clamp(0.0, 1.0)),
        Shape::Triangular { .. } => {
            let (u, v) = (u.max(0.0), v.max(0.0));
            // All three barycentric coordinates are to be ≥ 0 as they are computed.
            let rest = 1.0 - u - v;
            if rest >= 0.0 {
                return (u, v);
            }
            let u = (u + 0.5 * rest).clamp(0.0, 1.0);
            (u, 1.0 - u)
        }
    }
}
