//! The quadratic model that a local solve steps by.

use super::arena::{Arena, Jet};
use super::domain::{Frame, Sides, solve_within};
use crate::geometry::Shape;
use crate::vector::{Vector, combine, dot, largest};

/// Curvature that is added, so that flat and parallel patches have a nearest solution. It slows the last steps by that factor only.
const CURVATURE: f64 = 1e-10;

/// Slack of the constraints, so that those that depend on each other have a solution. It moves a contact by less than any rounding.
const SLACK: f64 = 1e-20;

/// Up to four parameters, time and three multipliers; and the right-hand side.
const UNKNOWNS: usize = 8;
type System = [[f64; UNKNOWNS + 1]; UNKNOWNS];

const SIGNS: [f64; 2] = [1.0, -1.0];

/// The difference of the two surface points, as far as a step needs it. Derivatives are by u1, v1, u2, v2.
pub(super) struct Gap {
    jets: [Jet; 2],
    t: f64,
    /// S1 − S2.
    pub(super) value: Vector,
    pub(super) by_time: Vector,
    pub(super) by: [Vector; 4],
}

impl Gap {
    pub(super) fn at(arenas: &mut [Arena; 2], parameters: [(f64, f64); 2], t: f64) -> Self {
        let [one, two] = arenas;
        let jets = [one.jet(parameters[0]), two.jet(parameters[1])];
        let derivative = |side: usize, which: usize| -> Vector {
            std::array::from_fn(|c| SIGNS[side] * jets[side].position(which, c, t))
        };
        Self {
            value: combine(1.0, derivative(0, 0), 1.0, derivative(1, 0)),
            by_time: std::array::from_fn(|c| jets[0].velocity(0, c) - jets[1].velocity(0, c)),
            by: [
                derivative(0, 1),
                derivative(0, 2),
                derivative(1, 1),
                derivative(1, 2),
            ],
            jets,
            t,
        }
    }

    /// How each patch bends by uu, uv and vv, seen along a direction.
    pub(super) fn bends(&self, along: Vector) -> [[f64; 3]; 2] {
        let bend = |side: usize, k: usize| {
            let second = std::array::from_fn(|c| self.jets[side].position(3 + k, c, self.t));
            SIGNS[side] * dot(along, second)
        };
        [0, 1].map(|side| std::array::from_fn(|k| bend(side, k)))
    }

    /// By how much, in a coordinate, the points are farther apart than they should be; of a separation also closer.
    pub(super) fn residual(&self, separation: f64) -> f64 {
        if separation == 0.0 {
            return largest(self.value);
        }
        (dot(self.value, self.value).sqrt() - separation).abs()
    }
}

/// The equations of a contact: S1 − S2 = 0, three, or |S1 − S2| = d, one.
pub(super) struct Constraints {
    count: usize,
    /// What each takes of a change of S1 − S2.
    axes: [Vector; 3],
    values: [f64; 3],
    /// 1 / |S1 − S2|, the curvature of the distance.
    curvature: f64,
}

impl Constraints {
    pub(super) fn new(gap: &Gap, separation: f64) -> Self {
        let distance = dot(gap.value, gap.value).sqrt();
        if separation > 0.0 && distance > 0.0 {
            let unit = gap.value.map(|x| x / distance);
            return Self {
                count: 1,
                axes: [unit, [0.0; 3], [0.0; 3]],
                values: [distance - separation, 0.0, 0.0],
                curvature: 1.0 / distance,
            };
        }
        Self {
            count: 3,
            axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            values: gap.value,
            curvature: 0.0,
        }
    }

    /// Multipliers of the equations as one vector, the multiplier of S1 − S2.
    fn vector(&self, multipliers: &[f64]) -> Vector {
        let terms = self.axes.iter().zip(multipliers).take(self.count);
        terms.fold([0.0; 3], |sum, (&axis, &by)| combine(1.0, sum, by, axis))
    }
}

/// A quadratic model of the Lagrangian t + λ · (S1 − S2), and a linear one of the constraints.
pub(super) struct Model<'a> {
    gap: &'a Gap,
    /// By uu, uv and vv, of each patch.
    bend: [[f64; 3]; 2],
    /// By a parameter and time.
    mixed: [f64; 4],
    /// Of the distance: this times what lies across the line between the points.
    across: f64,
}

/// What a step goes by.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// The curvature of the model.
    Newton,
    /// Down the slope, with this in place of the curvature.
    Descent(f64),
    /// The shortest way to a contact at the same time.
    Nearest,
}

/// A solution of the model.
pub(super) struct Step {
    pub(super) parameters: [[f64; 2]; 2],
    pub(super) time: f64,
    pub(super) multipliers: Vector,
    /// How the model bends along a Newton step.
    curvature: f64,
}

impl<'a> Model<'a> {
    pub(super) fn new(
        gap: &'a Gap,
        constraints: &Constraints,
        multipliers: Option<Vector>,
    ) -> Self {
        // Without multipliers the model has no curvature.
        let normal = multipliers.unwrap_or_default();
        let along = |side: usize, value: &dyn Fn(usize) -> f64| {
            let sum: f64 = (0..3).map(|c| normal[c] * value(c)).sum();
            SIGNS[side] * sum
        };
        let bend = |side: usize| {
            std::array::from_fn(|k| along(side, &|c| gap.jets[side].position(3 + k, c, gap.t)))
        };
        let mixed = |side: usize, which: usize| along(side, &|c| gap.jets[side].velocity(which, c));
        Self {
            gap,
            bend: [bend(0), bend(1)],
            mixed: [mixed(0, 1), mixed(0, 2), mixed(1, 1), mixed(1, 2)],
            across: dot(normal, constraints.axes[0]) * constraints.curvature,
        }
    }

    /// The step to the solution in the domains: sides that it would cross come to be held.
    pub(super) fn step_within(
        &self,
        constraints: &Constraints,
        shapes: [Shape; 2],
        at: [(f64, f64); 2],
        sides: &mut [Sides; 2],
        kind: Kind,
        descent: f64,
    ) -> Option<Step> {
        let solve = |frames: &[Frame; 2]| {
            let step = self.step(constraints, frames, kind)?;
            if step.curvature < 0.0 {
                // A saddle: go down its slope instead.
                return self.step(constraints, frames, Kind::Descent(descent));
            }
            Some(step)
        };
        solve_within(shapes, at, sides, solve, |step| step.parameters)
    }

    /// The solution for some directions.
    fn step(&self, constraints: &Constraints, frames: &[Frame; 2], kind: Kind) -> Option<Step> {
        let gap = self.gap;
        // What S1 − S2 changes by, for each unknown of the step; then for the part of it that is fixed.
        let mut moves = [[0.0; 3]; 5];
        let mut fixed = [0.0; 3];
        let free = frames[0].free().len() + frames[1].free().len();
        let mut at = 0;
        for (side, frame) in frames.iter().enumerate() {
            let [by_u, by_v] = [gap.by[2 * side], gap.by[2 * side + 1]];
            for &[u, v] in frame.free() {
                moves[at] = combine(u, by_u, v, by_v);
                at += 1;
            }
            let [u, v] = frame.fixed;
            fixed = combine(1.0, fixed, 1.0, combine(u, by_u, v, by_v));
        }
        moves[free] = gap.by_time;

        let (count, n) = (constraints.count, free + 1 + constraints.count);
        let mut system: System = [[0.0; UNKNOWNS + 1]; UNKNOWNS];
        system[free][n] = -1.0;
        let weigh = |system: &mut System, weight| (0..free).for_each(|i| system[i][i] = weight);
        match kind {
            Kind::Newton => {
                self.add_curvature(&mut system, n, frames, &moves[..=free], fixed, constraints);
            }
            Kind::Descent(weight) => weigh(&mut system, weight),
            Kind::Nearest => weigh(&mut system, 1.0),
        }
        for k in 0..count {
            let row = free + 1 + k;
            for (i, &change) in moves[..=free].iter().enumerate() {
                let value = dot(constraints.axes[k], change);
                system[i][row] = value;
                system[row][i] = value;
            }
            system[row][row] = -SLACK;
            system[row][n] = -constraints.values[k] - dot(constraints.axes[k], fixed);
        }
        if matches!(kind, Kind::Nearest) {
            // Time stays.
            system.iter_mut().for_each(|row| row[free] = 0.0);
            system[free] = [0.0; UNKNOWNS + 1];
            system[free][free] = 1.0;
        }
        // The curvature of the model along the step, for which the matrix is still needed after it is solved.
        let mut bending = [[0.0; 5]; 5];
        if matches!(kind, Kind::Newton) {
            for (bending, row) in bending.iter_mut().zip(&system).take(free + 1) {
                bending.copy_from_slice(&row[..5]);
            }
        }
        let solution = solve(&mut system, n)?;
        let mut curvature = 0.0;
        for i in 0..=free {
            for j in 0..=free {
                curvature += solution[i] * bending[i][j] * solution[j];
            }
        }
        let mut used = 0;
        let parameters = frames.each_ref().map(|frame| {
            let mut by = frame.fixed;
            for direction in frame.free() {
                by[0] += direction[0] * solution[used];
                by[1] += direction[1] * solution[used];
                used += 1;
            }
            by
        });
        Some(Step {
            parameters,
            time: solution[free],
            multipliers: constraints.vector(&solution[free + 1..]),
            curvature,
        })
    }

    /// Adds the second derivatives of the Lagrangian by the unknowns, and their products with the fixed part of the step.
    fn add_curvature(
        &self,
        system: &mut System,
        rhs: usize,
        frames: &[Frame; 2],
        moves: &[Vector],
        fixed: Vector,
        constraints: &Constraints,
    ) {
        let time = moves.len() - 1;
        let mut at = 0;
        for (side, frame) in frames.iter().enumerate() {
            let [uu, uv, vv] = self.bend[side];
            let [mixed_u, mixed_v] = [self.mixed[2 * side], self.mixed[2 * side + 1]];
            let [fixed_u, fixed_v] = frame.fixed;
            let free = frame.free();
            for (k, &[u, v]) in free.iter().enumerate() {
                let i = at + k;
                let bent = [uu * u + uv * v, uv * u + vv * v];
                for (l, &[u, v]) in free.iter().enumerate() {
                    system[i][at + l] += bent[0] * u + bent[1] * v;
                }
                system[i][i] += CURVATURE;
                system[i][rhs] -= bent[0] * fixed_u + bent[1] * fixed_v;
                let mixed = mixed_u * u + mixed_v * v;
                system[i][time] += mixed;
                system[time][i] += mixed;
            }
            system[time][rhs] -= mixed_u * fixed_u + mixed_v * fixed_v;
            at += free.len();
        }
        if self.across != 0.0 {
            let unit = constraints.axes[0];
            let across =
                |a: Vector, b: Vector| self.across * (dot(a, b) - dot(unit, a) * dot(unit, b));
            for (i, &a) in moves.iter().enumerate() {
                for (j, &b) in moves.iter().enumerate() {
                    system[i][j] += across(a, b);
                }
                system[i][rhs] -= across(a, fixed);
            }
        }
    }
}

/// The first `n` unknowns by Gaussian elimination with row pivoting; the right-hand side is column `n`.
fn solve(system: &mut System, n: usize) -> Option<[f64; UNKNOWNS]> {
    for k in 0..n {
        let mut pivot = k;
        for i in k + 1..n {
            if system[i][k].abs() > system[pivot][k].abs() {
                pivot = i;
            }
        }
        system.swap(k, pivot);
        let row = system[k];
        if row[k].abs() < f64::MIN_POSITIVE {
            return None;
        }
        let reciprocal = 1.0 / row[k];
        for other in &mut system[k + 1..n] {
            let factor = other[k] * reciprocal;
            if factor != 0.0 {
                for (x, y) in other[k..=n].iter_mut().zip(&row[k..=n]) {
                    *x -= factor * y;
                }
            }
        }
    }
    let mut solution = [0.0; UNKNOWNS];
    for k in (0..n).rev() {
        let row = &system[k];
        let mut rest = row[n];
        for j in k + 1..n {
            rest -= row[j] * solution[j];
        }
        solution[k] = rest / row[k];
    }
    Some(solution)
}
