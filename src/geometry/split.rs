//! Midpoint subdivision of control nets, in the same way for every shape, by blossoms.
//!
//! A patch of degree n has a blossom: a function of n parameters that is affine in each, does not
//! depend on their order, and gives the control points of *any* part of the patch when its
//! arguments are corners of that part (Ramshaw; Farin, *Curves and Surfaces for CAGD*, chapter 4).
//! A value with an argument at the midpoint of two corners is the average of the values with the
//! argument at these corners: f(½, …) = (f(0, …) + f(1, …)) / 2. This goes on down to the control
//! points of the whole patch. For curves it is de Casteljau's algorithm.
//!
//! A [`SplitPlan`] holds the averages of one shape, with each value once. Every coordinate of a
//! child takes at most as many averages one after the other as the blossom has arguments; see
//! [`crate::rounding`].

use std::collections::HashMap;

use smallvec::{SmallVec, smallvec};

use super::bernstein::triangular_index;
use super::{Cell, Shape};

/// How many of a blossom's arguments are at each of six places. For a tensor-product patch these
/// are u = 0, u = 1, v = 0, v = 1, u = ½, v = ½; for a triangle the corners w, u, v and the
/// midpoints of the edges wu, wv, uv.
type Arguments = [usize; 6];

/// The parameters that a subdivision halves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Split {
    /// All parameters that the patch has.
    Even,
    /// Only u, of a tensor-product patch.
    AlongU,
    /// Only v, of a tensor-product patch.
    AlongV,
}

/// The averages that split a net, in order.
#[derive(Clone, Debug)]
pub(crate) struct SplitPlan {
    shape: Shape,
    /// The most averages, one after the other, that the split applies to a coordinate.
    averages: usize,
    /// The parts of the domain that the children cover.
    cells: SmallVec<[Cell; 4]>,
    /// Each step appends the average of two earlier values. The first values are the control
    /// points.
    steps: Vec<[u32; 2]>,
    /// The numbers of the values that are the children's control points, child after child.
    children: Vec<u32>,
}

impl SplitPlan {
    /// The plan of a split. If the shape cannot be halved along one parameter alone, it is that of
    /// the even split.
    pub(crate) fn new(shape: Shape, split: Split) -> Self {
        let (cells, averages): (SmallVec<[Cell; 4]>, usize) = match (shape, split) {
            (Shape::TensorProduct { n: 1.., m: 1.. }, Split::AlongU | Split::AlongV) => {
                halves(shape, split)
            }
            (Shape::TensorProduct { n, m }, _) => (even(shape), n + m),
            (Shape::Triangular { n }, _) => (even(shape), n),
        };
        let mut builder = Builder {
            shape,
            count: shape.count(),
            steps: Vec::new(),
            known: HashMap::new(),
        };
        let children = cells
            .iter()
            .flat_map(|cell| child_arguments(shape, cell))
            .map(|arguments| builder.value(arguments))
            .collect();
        Self {
            shape,
            averages,
            cells,
            steps: builder.steps,
            children,
        }
    }

    pub(crate) fn shape(&self) -> Shape {
        self.shape
    }

    /// The most averages, one after the other, that the split applies to a coordinate; see
    /// [`crate::rounding`].
    pub(crate) fn averages(&self) -> usize {
        self.averages
    }

    /// The parts of the domain that the children cover.
    pub(crate) fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// How many values there are: the control points, and what is computed of them.
    pub(crate) fn values(&self) -> usize {
        self.shape.count() + self.steps.len()
    }

    /// Computes all values of the plan after the control points, with which `values` begins.
    #[inline]
    pub(crate) fn run<const K: usize>(&self, values: &mut [[f64; K]]) {
        let given = self.shape.count();
        for (i, &[a, b]) in self.steps.iter().enumerate() {
            let (a, b) = (&values[a as usize], &values[b as usize]);
            let mut average = [0.0; K];
            for c in 0..K {
                average[c] = 0.5 * a[c] + 0.5 * b[c];
            }
            values[given + i] = average;
        }
    }

    /// The numbers of the values that are the control points of a child.
    pub(crate) fn child(&self, child: usize) -> &[u32] {
        let count = self.shape.count();
        &self.children[child * count..][..count]
    }
}

struct Builder {
    shape: Shape,
    count: usize,
    steps: Vec<[u32; 2]>,
    known: HashMap<Arguments, u32>,
}

impl Builder {
    /// The number of a blossom value, after adding the steps that it takes to the plan.
    fn value(&mut self, arguments: Arguments) -> u32 {
        let Some((midpoint, ends)) = self.first_midpoint(&arguments) else {
            return self.control_point(&arguments);
        };
        if let Some(&value) = self.known.get(&arguments) {
            return value;
        }
        let [a, b] = ends.map(|end| {
            let mut moved = arguments;
            moved[midpoint] -= 1;
            moved[end] += 1;
            self.value(moved)
        });
        let value = (self.count + self.steps.len()) as u32;
        self.steps.push([a, b]);
        self.known.insert(arguments, value);
        value
    }

    /// A midpoint at which there are arguments, and the two places between which it is.
    fn first_midpoint(&self, arguments: &Arguments) -> Option<(usize, [usize; 2])> {
        let midpoints: &[_] = match self.shape {
            Shape::TensorProduct { .. } => &[(5, [2, 3]), (4, [0, 1])],
            Shape::Triangular { .. } => &[(3, [0, 1]), (4, [0, 2]), (5, [1, 2])],
        };
        midpoints
            .iter()
            .copied()
            .find(|&(place, _)| arguments[place] > 0)
    }

    fn control_point(&self, arguments: &Arguments) -> u32 {
        let index = match self.shape {
            Shape::TensorProduct { m, .. } => arguments[1] * (m + 1) + arguments[3],
            Shape::Triangular { n } => triangular_index(n, arguments[1], arguments[2]),
        };
        index as u32
    }
}

/// The children of a tensor-product patch that is halved along one parameter, and the number of
/// averages that takes.
fn halves(shape: Shape, split: Split) -> (SmallVec<[Cell; 4]>, usize) {
    let [n, m] = shape.degrees();
    let at = |start: f64| match split {
        Split::AlongU => Cell {
            u0: start,
            width_u: 0.5,
            ..Cell::UNIT
        },
        _ => Cell {
            v0: start,
            width_v: 0.5,
            ..Cell::UNIT
        },
    };
    let averages = if split == Split::AlongU { n } else { m };
    (smallvec![at(0.0), at(0.5)], averages)
}

fn even(shape: Shape) -> SmallVec<[Cell; 4]> {
    (0..shape.children())
        .map(|child| shape.child_cell(child))
        .collect()
}

/// The blossom arguments of all control points of the child that covers a part of the domain, in
/// order.
fn child_arguments(shape: Shape, cell: &Cell) -> Vec<Arguments> {
    let mut all = Vec::with_capacity(shape.count());
    match shape {
        Shape::TensorProduct { n, m } => {
            // The places of the two ends of the whole domain, of its low half, or of its high half.
            let ends = |from: f64, width: f64, [low, high, middle]: [usize; 3]| {
                if width == 1.0 {
                    [low, high]
                } else if from == 0.0 {
                    [low, middle]
                } else {
                    [middle, high]
                }
            };
            let [low_u, high_u] = ends(cell.u0, cell.width_u, [0, 1, 4]);
            let [low_v, high_v] = ends(cell.v0, cell.width_v, [2, 3, 5]);
            for i in 0..=n {
                for j in 0..=m {
                    let mut arguments = Arguments::default();
                    arguments[low_u] += n - i;
                    arguments[high_u] += i;
                    arguments[low_v] += m - j;
                    arguments[high_v] += j;
                    all.push(arguments);
                }
            }
        }
        Shape::Triangular { n } => {
            // The corners (w, u, v) of the children at the three corners, and of the middle one
            // turned by 180°.
            let corners = match (cell.u0 > 0.0, cell.v0 > 0.0) {
                (false, false) => [0, 3, 4],
                (true, false) => [3, 1, 5],
                (false, true) => [4, 5, 2],
                (true, true) => [5, 4, 3],
            };
            for j in 0..=n {
                for i in 0..=n - j {
                    let mut arguments = Arguments::default();
                    for (corner, times) in corners.into_iter().zip([n - i - j, i, j]) {
                        arguments[corner] += times;
                    }
                    all.push(arguments);
                }
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_is_split_by_de_casteljau() {
        let plan = SplitPlan::new(Shape::TensorProduct { n: 3, m: 0 }, Split::Even);
        assert_eq!(plan.steps.len(), 6);
        let mut values = vec![[0.0], [8.0], [0.0], [16.0]];
        values.resize(plan.values(), [0.0]);
        plan.run(&mut values);
        let net = |child: usize| -> Vec<f64> {
            plan.child(child)
                .iter()
                .map(|&value| values[value as usize][0])
                .collect()
        };
        assert_eq!(net(0), [0.0, 4.0, 4.0, 5.0]);
        assert_eq!(net(1), [5.0, 6.0, 8.0, 16.0]);
    }

    #[test]
    fn a_patch_is_halved_along_one_parameter() {
        // The values are one coordinate, z = u (1 − v), as a net of degree (1, 2).
        let plan = SplitPlan::new(Shape::TensorProduct { n: 1, m: 2 }, Split::AlongV);
        assert_eq!(plan.averages(), 2);
        let mut values = vec![[0.0], [0.0], [0.0], [8.0], [4.0], [0.0]];
        values.resize(plan.values(), [0.0]);
        plan.run(&mut values);
        let net = |child: usize| -> Vec<f64> {
            let child = plan.child(child).iter();
            child.map(|&value| values[value as usize][0]).collect()
        };
        assert_eq!(net(0), [0.0, 0.0, 0.0, 8.0, 6.0, 4.0]);
        assert_eq!(net(1), [0.0, 0.0, 0.0, 4.0, 2.0, 0.0]);
        assert_eq!(plan.cells()[1].map(1.0, 0.5), (1.0, 0.75));
    }

    #[test]
    fn no_value_is_computed_twice() {
        // A cubic line of 4 values takes 6 averages for both halves, which have 7 distinct values
        // together. So 4 lines are split in one direction and then 7 in the other.
        let plan = SplitPlan::new(Shape::TensorProduct { n: 3, m: 3 }, Split::Even);
        assert_eq!(plan.steps.len(), 4 * 6 + 7 * 6);
        let plan = SplitPlan::new(Shape::Triangular { n: 1 }, Split::Even);
        assert_eq!(plan.steps, [[0, 1], [0, 2], [1, 2]]);
        // There is at most one value for each multiset of three arguments out of six places.
        let plan = SplitPlan::new(Shape::Triangular { n: 3 }, Split::Even);
        assert!(plan.steps.len() <= 56 - 10, "{}", plan.steps.len());
    }
}
