//! The quadratic model of the Lagrangian that a local solve for a contact steps by.

use crate::branch::difference::SurfaceDifference;
use crate::geometry::{ActiveSet, Domain, Moves, solve_within};
use crate::vector::{Vector, combine, dot};

/// Curvature that is added, so that flat and parallel patches have a nearest solution. It slows the
/// last steps by that factor only.
const CURVATURE: f64 = 1e-10;

/// Slack of the constraints, so that those that depend on each other have a solution. It moves a
/// contact by less than any rounding.
const SLACK: f64 = 1e-20;

/// Up to four parameters, time and three multipliers; and the right-hand side.
const UNKNOWNS: usize = 8;
type LagrangeSystem = [[f64; UNKNOWNS + 1]; UNKNOWNS];

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
    pub(super) fn new(difference: &SurfaceDifference, separation: f64) -> Self {
        let distance = dot(difference.value, difference.value).sqrt();
        if separation > 0.0 && distance > 0.0 {
            let unit = difference.value.map(|x| x / distance);
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
            values: difference.value,
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
pub(super) struct Lagrangian<'a> {
    difference: &'a SurfaceDifference,
    /// By uu, uv and vv, of each patch.
    curvatures: [[f64; 3]; 2],
    /// By a parameter and time.
    mixed: [f64; 4],
    /// Of the distance: this times what lies across the line between the points.
    across: f64,
}

/// What a step goes by.
#[derive(Clone, Copy, Debug)]
pub(super) enum StepKind {
    /// The curvature of the model.
    Newton,
    /// Down the slope, with this in place of the curvature.
    Descent(f64),
    /// The shortest way to a contact at the same time.
    Nearest,
}

/// A solution of the model.
pub(super) struct LagrangianStep {
    pub(super) parameters: [[f64; 2]; 2],
    pub(super) time: f64,
    pub(super) multipliers: Vector,
    /// The curvature of the model along a Newton step.
    curvature: f64,
}

impl<'a> Lagrangian<'a> {
    pub(super) fn new(
        difference: &'a SurfaceDifference,
        constraints: &Constraints,
        multipliers: Option<Vector>,
    ) -> Self {
        // Without multipliers the model has no curvature.
        let normal = multipliers.unwrap_or_default();
        Self {
            difference,
            curvatures: difference.curvatures(normal),
            mixed: difference.mixed(normal),
            across: dot(normal, constraints.axes[0]) * constraints.curvature,
        }
    }

    /// The step to the solution in the domains: sides that it would cross join the active set.
    pub(super) fn step_within(
        &self,
        constraints: &Constraints,
        domains: [Domain; 2],
        at: [(f64, f64); 2],
        active: &mut [ActiveSet; 2],
        kind: StepKind,
        descent: f64,
    ) -> Option<LagrangianStep> {
        let solve = |moves: &[Moves; 2]| {
            let step = self.step(constraints, moves, kind)?;
            if step.curvature < 0.0 {
                // A saddle: go down its slope instead.
                return self.step(constraints, moves, StepKind::Descent(descent));
            }
            Some(step)
        };
        solve_within(domains, at, active, solve, |step| step.parameters)
    }

    /// The solution for some directions.
    fn step(
        &self,
        constraints: &Constraints,
        moves: &[Moves; 2],
        kind: StepKind,
    ) -> Option<LagrangianStep> {
        let difference = self.difference;
        // What S1 − S2 changes by, for each unknown of the step; then for the part of it that is
        // fixed.
        let mut changes = [[0.0; 3]; 5];
        let mut fixed = [0.0; 3];
        let free = moves[0].free().len() + moves[1].free().len();
        let mut at = 0;
        for (side, moves) in moves.iter().enumerate() {
            let [by_u, by_v] = [difference.by[2 * side], difference.by[2 * side + 1]];
            for &[u, v] in moves.free() {
                changes[at] = combine(u, by_u, v, by_v);
                at += 1;
            }
            let [u, v] = moves.fixed;
            fixed = combine(1.0, fixed, 1.0, combine(u, by_u, v, by_v));
        }
        changes[free] = difference.by_time;

        let (count, n) = (constraints.count, free + 1 + constraints.count);
        let mut system: LagrangeSystem = [[0.0; UNKNOWNS + 1]; UNKNOWNS];
        system[free][n] = -1.0;
        let weigh =
            |system: &mut LagrangeSystem, weight| (0..free).for_each(|i| system[i][i] = weight);
        match kind {
            StepKind::Newton => {
                let changes = &changes[..=free];
                self.add_curvature(&mut system, n, moves, changes, fixed, constraints);
            }
            StepKind::Descent(weight) => weigh(&mut system, weight),
            StepKind::Nearest => weigh(&mut system, 1.0),
        }
        for k in 0..count {
            let row = free + 1 + k;
            for (i, &change) in changes[..=free].iter().enumerate() {
                let value = dot(constraints.axes[k], change);
                system[i][row] = value;
                system[row][i] = value;
            }
            system[row][row] = -SLACK;
            system[row][n] = -constraints.values[k] - dot(constraints.axes[k], fixed);
        }
        if matches!(kind, StepKind::Nearest) {
            // Time stays.
            system.iter_mut().for_each(|row| row[free] = 0.0);
            system[free] = [0.0; UNKNOWNS + 1];
            system[free][free] = 1.0;
        }
        // The curvatures of the model, for which the matrix is needed before it is eliminated.
        let mut curvatures = [[0.0; 5]; 5];
        if matches!(kind, StepKind::Newton) {
            for (kept, row) in curvatures.iter_mut().zip(&system).take(free + 1) {
                kept.copy_from_slice(&row[..5]);
            }
        }
        let solution = solve(&mut system, n)?;
        let mut curvature = 0.0;
        for i in 0..=free {
            for j in 0..=free {
                curvature += solution[i] * curvatures[i][j] * solution[j];
            }
        }
        let mut used = 0;
        let parameters = moves.each_ref().map(|moves| {
            let mut by = moves.fixed;
            for direction in moves.free() {
                by[0] += direction[0] * solution[used];
                by[1] += direction[1] * solution[used];
                used += 1;
            }
            by
        });
        Some(LagrangianStep {
            parameters,
            time: solution[free],
            multipliers: constraints.vector(&solution[free + 1..]),
            curvature,
        })
    }

    /// Adds the second derivatives of the Lagrangian by the unknowns, and their products with the
    /// fixed part of the step.
    fn add_curvature(
        &self,
        system: &mut LagrangeSystem,
        rhs: usize,
        moves: &[Moves; 2],
        changes: &[Vector],
        fixed: Vector,
        constraints: &Constraints,
    ) {
        let time = changes.len() - 1;
        let mut at = 0;
        for (side, moves) in moves.iter().enumerate() {
            let [uu, uv, vv] = self.curvatures[side];
            let [mixed_u, mixed_v] = [self.mixed[2 * side], self.mixed[2 * side + 1]];
            let [fixed_u, fixed_v] = moves.fixed;
            let free = moves.free();
            for (k, &[u, v]) in free.iter().enumerate() {
                let i = at + k;
                let turned = [uu * u + uv * v, uv * u + vv * v];
                for (l, &[u, v]) in free.iter().enumerate() {
                    system[i][at + l] += turned[0] * u + turned[1] * v;
                }
                system[i][i] += CURVATURE;
                system[i][rhs] -= turned[0] * fixed_u + turned[1] * fixed_v;
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
            for (i, &a) in changes.iter().enumerate() {
                for (j, &b) in changes.iter().enumerate() {
                    system[i][j] += across(a, b);
                }
                system[i][rhs] -= across(a, fixed);
            }
        }
    }
}

/// The first `n` unknowns, by Gaussian elimination with row pivoting; the right-hand side is column
/// `n`. `None` if the system is singular.
//
// An edge–edge query takes some 10 % longer with nalgebra's LU of matrices of each size.
fn solve(system: &mut LagrangeSystem, n: usize) -> Option<[f64; UNKNOWNS]> {
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
