//! The sparse matrices of a shell: symmetric, in blocks of four vectors to a node.

use std::collections::BTreeSet;

use faer::Side;
use faer::linalg::solvers::Solve;
use faer::sparse::linalg::solvers::{Llt, SymbolicLlt};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use nalgebra::{Matrix3, Vector3};

use super::KINDS;

/// Scalars to a node.
const NODE: usize = 3 * KINDS;

/// Which nodes are coupled, and how the matrices' factors look.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// For each node the nodes from itself upwards that it is coupled with.
    rows: Vec<Vec<u32>>,
    /// For each node the number of blocks before it.
    first: Vec<usize>,
    column_starts: Vec<usize>,
    row_indices: Vec<usize>,
    symbolic: SymbolicLlt<usize>,
}

impl Pattern {
    /// Couples the nodes of each group with each other.
    pub fn new<'a>(
        nodes: usize,
        groups: impl IntoIterator<Item = &'a [usize]>,
    ) -> Result<Self, faer::sparse::FaerError> {
        let mut coupled = vec![BTreeSet::new(); nodes];
        for (node, rows) in coupled.iter_mut().enumerate() {
            rows.insert(node as u32);
        }
        for group in groups {
            for &a in group {
                coupled[a].extend(group.iter().filter(|&&b| b > a).map(|&b| b as u32));
            }
        }
        let rows: Vec<Vec<u32>> = coupled
            .into_iter()
            .map(|rows| rows.into_iter().collect())
            .collect();
        let mut first = Vec::with_capacity(nodes);
        let (mut column_starts, mut row_indices) = (vec![0], Vec::new());
        let mut blocks = 0;
        for rows in &rows {
            first.push(blocks);
            blocks += rows.len();
            for _ in 0..NODE {
                let scalars = rows
                    .iter()
                    .flat_map(|&row| (0..NODE).map(move |k| row as usize * NODE + k));
                row_indices.extend(scalars);
                column_starts.push(row_indices.len());
            }
        }
        let size = nodes * NODE;
        let structure =
            SymbolicSparseColMatRef::new_checked(size, size, &column_starts, None, &row_indices);
        let symbolic = SymbolicLlt::try_new(structure, Side::Lower)?;
        Ok(Self {
            rows,
            first,
            column_starts,
            row_indices,
            symbolic,
        })
    }

    fn scalars(&self) -> usize {
        self.row_indices.len()
    }

    /// Whether all nodes of a group are coupled with each other.
    pub fn couples(&self, group: &[usize]) -> bool {
        group.iter().all(|&a| {
            let mut others = group.iter().filter(|&&b| b > a);
            others.all(|&b| self.rows[a].binary_search(&(b as u32)).is_ok())
        })
    }

    /// Where the columns of the block (row, column) of nodes begin, and the distance from one
    /// column to the next.
    fn block(&self, row: usize, column: usize) -> (usize, usize) {
        let rows = &self.rows[column];
        let slot = rows
            .binary_search(&(row as u32))
            .expect("only coupled nodes are added to");
        let stride = NODE * rows.len();
        (self.first[column] * NODE * NODE + slot * NODE, stride)
    }
}

/// The matrix is not positive definite.
#[derive(Debug)]
pub struct NotPositive;

/// A symmetric matrix, of which the lower triangle counts.
#[derive(Clone, Debug)]
pub struct Matrix {
    values: Vec<f64>,
}

impl Matrix {
    pub fn zeros(pattern: &Pattern) -> Self {
        Self {
            values: vec![0.0; pattern.scalars()],
        }
    }

    /// Adds the blocks of a group of nodes: of its unknowns a and b, numbered group position · 4 +
    /// kind, the one at (a, b), for all b ≤ a.
    pub fn add_group(
        &mut self,
        pattern: &Pattern,
        nodes: &[usize],
        block: impl Fn(usize, usize) -> Matrix3<f64>,
    ) {
        for (i, &row) in nodes.iter().enumerate() {
            for (j, &column) in nodes.iter().enumerate() {
                if column > row {
                    continue;
                }
                let (start, stride) = pattern.block(row, column);
                for (r, c) in (0..KINDS * KINDS).map(|k| (k / KINDS, k % KINDS)) {
                    let (a, b) = (i * KINDS + r, j * KINDS + c);
                    let values = if b <= a {
                        block(a, b)
                    } else {
                        block(b, a).transpose()
                    };
                    for column in 0..3 {
                        let at = start + (c * 3 + column) * stride + r * 3;
                        for row in 0..3 {
                            self.values[at + row] += values[(row, column)];
                        }
                    }
                }
            }
        }
    }

    /// Adds a multiple of another matrix of the same pattern.
    pub fn add(&mut self, other: &Self, factor: f64) {
        for (x, y) in self.values.iter_mut().zip(&other.values) {
            *x += factor * y;
        }
    }

    /// Makes rows and columns of fixed unknowns those of the unit matrix.
    pub fn fix(&mut self, pattern: &Pattern, fixed: &[bool]) {
        for (column, of) in pattern.column_starts.windows(2).enumerate() {
            for at in of[0]..of[1] {
                let row = pattern.row_indices[at];
                if fixed[row / 3] || fixed[column / 3] {
                    self.values[at] = f64::from(u8::from(row == column));
                }
            }
        }
    }

    /// Solves for the unknowns.
    pub fn solve(
        &self,
        pattern: &Pattern,
        right: &[Vector3<f64>],
    ) -> Result<Vec<Vector3<f64>>, NotPositive> {
        let size = pattern.column_starts.len() - 1;
        let structure = SymbolicSparseColMatRef::new_checked(
            size,
            size,
            &pattern.column_starts,
            None,
            &pattern.row_indices,
        );
        let matrix = SparseColMatRef::new(structure, &self.values);
        let factor = Llt::try_new_with_symbolic(pattern.symbolic.clone(), matrix, Side::Lower)
            .map_err(|_| NotPositive)?;
        let mut solution: Vec<f64> = right.iter().flat_map(|v| [v.x, v.y, v.z]).collect();
        factor.solve_in_place(faer::MatMut::from_column_major_slice_mut(
            &mut solution,
            size,
            1,
        ));
        let finite = solution.iter().all(|x| x.is_finite());
        let vectors = solution.chunks_exact(3).map(Vector3::from_column_slice);
        if finite {
            Ok(vectors.collect())
        } else {
            Err(NotPositive)
        }
    }

    /// The matrix times a vector.
    pub fn times(&self, pattern: &Pattern, x: &[Vector3<f64>]) -> Vec<Vector3<f64>> {
        let mut product = vec![Vector3::zeros(); x.len()];
        for (column, of) in pattern.column_starts.windows(2).enumerate() {
            for at in of[0]..of[1] {
                let (row, value) = (pattern.row_indices[at], self.values[at]);
                if row < column {
                    continue;
                }
                product[row / 3][row % 3] += value * x[column / 3][column % 3];
                if row > column {
                    product[column / 3][column % 3] += value * x[row / 3][row % 3];
                }
            }
        }
        product
    }
}
