//! The quadratic model of the Lagrangian that a local solve for a contact steps by.

use crate::branch::difference::SurfaceDifference;
use crate::geometry::{ActiveSet, Domain, Moves, solve_within};
use crate::vector::{Vector, combine, dot, length};

/// Curvature that is added, so that flat and parallel patches have a nearest solution. It slows the
/// last steps by that factor only.
const CURVATURE: f64 = 1e-10;

/// Slack of the constraints, so that those that depend on each other have a solution. It moves a
/// contact by less than any rounding.
const SLACK: f64 = 1e-20;

/// Up to four parameters, time and three multipliers; and the right-hand side.
const UNKNOWNS: usize = 8;
type LagrangeSystem = [[f64; UNKNOWNS + 1]; UNKNOWNS];

/// The equations of a contact: S1 − S2 = d n, where d is the minimum separation and n the unit vector
/// along the multipliers λ. With t + λ · (S1 − S2) − d |λ| as the Lagrangian they are its derivative
/// by λ. A first contact has λ · (velocity of S1 − S2) = −1: along n the two approach. So where a
/// separation *ends* is no solution.
#[derive(Clone, Copy, Debug)]
pub(super) struct Apart {
    separation: f64,
    /// n; 0 while there are no multipliers.
    unit: Vector,
    /// d / |λ|: what S1 − S2 turns by, across n, as the multipliers turn.
    turn: f64,
}

impl Apart {
    pub(super) fn new(separation: f64, multipliers: Option<Vector>) -> Self {
        let length = multipliers.map_or(0.0, length);
        if separation == 0.0 || length == 0.0 {
            return Self {
                separation: 0.0,
                unit: [0.0; 3],
                turn: 0.0,
            };
        }
        Self {
            separation,
            unit: multipliers.unwrap_or_default().map(|x| x / length),
            turn: separation / length,
        }
    }

    /// n.
    pub(super) fn unit(&self) -> Vector {
        self.unit
    }

    /// S1 − S2 − d n.
    pub(super) fn residual(&self, difference: &SurfaceDifference) -> Vector {
        combine(1.0, difference.value, -self.separation, self.unit)
    }
}

/// A quadratic model of the Lagrangian, and a linear one of the equations.
pub(super) struct Lagrangian<'a> {
    difference: &'a SurfaceDifference,
    /// By uu, uv and vv, of each patch.
    curvatures: [[f64; 3]; 2],
    /// By a parameter and time.
    mixed: [f64; 4],
    apart: Apart,
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
        apart: Apart,
        multipliers: Option<Vector>,
    ) -> Self {
        // Without multipliers the model has no curvature.
        let normal = multipliers.unwrap_or_default();
        Self {
            difference,
            curvatures: difference.curvatures(normal),
            mixed: difference.mixed(normal),
            apart,
        }
    }

    /// The step to the solution in the domains: sides that it would cross join the active set.
    pub(super) fn step_within(
        &self,
        domains: [Domain; 2],
        at: [(f64, f64); 2],
        active: &mut [ActiveSet; 2],
        kind: StepKind,
        descent: f64,
    ) -> Option<LagrangianStep> {
        let solve = |moves: &[Moves; 2]| {
            let step = self.step(moves, kind)?;
            if step.curvature < 0.0 {
                // A saddle: go down its slope instead.
                return self.step(moves, StepKind::Descent(descent));
            }
            Some(step)
        };
        solve_within(domains, at, active, solve, |step| step.parameters)
    }

    /// The solution for some directions.
    fn step(&self, moves: &[Moves; 2], kind: StepKind) -> Option<LagrangianStep> {
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

        let n = free + 1 + 3;
        let mut system: LagrangeSystem = [[0.0; UNKNOWNS + 1]; UNKNOWNS];
        system[free][n] = -1.0;
        let weigh =
            |system: &mut LagrangeSystem, weight| (0..free).for_each(|i| system[i][i] = weight);
        match kind {
            StepKind::Newton => {
                self.add_curvature(&mut system, n, moves);
            }
            StepKind::Descent(weight) => weigh(&mut system, weight),
            StepKind::Nearest => weigh(&mut system, 1.0),
        }
        let Apart { unit, turn, .. } = self.apart;
        let residual = self.apart.residual(difference);
        for k in 0..3 {
            let row = free + 1 + k;
            for (i, change) in changes[..=free].iter().enumerate() {
                system[i][row] = change[k];
                system[row][i] = change[k];
            }
            if turn > 0.0 {
                for l in 0..3 {
                    system[row][free + 1 + l] = turn * unit[k] * unit[l];
                }
            }
            system[row][row] -= turn + SLACK;
            system[row][n] = -residual[k] - fixed[k];
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
        let multipliers = [0, 1, 2].map(|k| solution[free + 1 + k]);
        if turn > 0.0 {
            let along = dot(unit, multipliers);
            let across = combine(1.0, multipliers, -along, unit);
            curvature += turn * dot(across, across);
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
            multipliers,
            curvature,
        })
    }

    /// Adds the second derivatives of the Lagrangian by the unknowns, and their products with the
    /// fixed part of the step.
    fn add_curvature(&self, system: &mut LagrangeSystem, rhs: usize, moves: &[Moves; 2]) {
        let time = moves[0].free().len() + moves[1].free().len();
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
