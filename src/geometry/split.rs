//! Midpoint subdivision of control nets, for every shape in the same way: blossoms.
//!
//! A patch of degree n has a blossom, a function of n parameters that is affine in each, does not depend on their
//! order, and gives the control points of *any* part of the patch when its arguments are that part's corners (Ramshaw;
//! Farin, *Curves and Surfaces for CAGD*, chapter 4). An argument that is the midpoint of two corners makes a value
//! the average of two others, down to the control points of the whole:
//! f(½, …) = (f(0, …) + f(1, …)) / 2. For curves this is de Casteljau's algorithm.
//!
//! A [`SplitPlan`] holds the averages of one shape, each value once. Every coordinate of a child is reached by at most
//! as many averages one after the other as there are arguments; see [`crate::rounding`].

use std::collections::HashMap;

use super::Shape;
use super::bernstein::triangular_index;

/// Where a blossom's argument may lie, and how many arguments lie there. Tensor-product: u = 0, u = 1, v = 0, v = 1,
/// u = ½, v = ½. Triangular: the corners w, u, v and the midpoints of the edges wu, wv, uv.
type Arguments = [usize; 6];

/// The averages that split a net, in order.
#[derive(Clone, Debug)]
pub(crate) struct SplitPlan {
    shape: Shape,
    /// Values 0 to `count` are the control points; each step appends the average of two earlier values.
    steps: Vec<[u32; 2]>,
    /// The values that are the children's control points, child after child.
    children: Vec<u32>,
}

impl SplitPlan {
    pub(crate) fn new(shape: Shape) -> Self {
        let mut builder = Builder {
            shape,
            count: shape.count(),
            steps: Vec::new(),
            known: HashMap::new(),
        };
        let children = (0..shape.children())
            .flat_map(|child| child_arguments(shape, child))
            .map(|arguments| builder.value(arguments))
            .collect();
        Self {
            shape,
            steps: builder.steps,
            children,
        }
    }

    pub(crate) fn shape(&self) -> Shape {
        self.shape
    }

    /// Appends to the control points in `values` all values of the plan.
    #[inline]
    pub(crate) fn run<const K: usize>(&self, values: &mut Vec<[f64; K]>) {
        let given = values.len();
        values.resize(given + self.steps.len(), [0.0; K]);
        for (i, &[a, b]) in self.steps.iter().enumerate() {
            let (a, b) = (&values[a as usize], &values[b as usize]);
            let mut average = [0.0; K];
            for c in 0..K {
                average[c] = 0.5 * a[c] + 0.5 * b[c];
            }
            values[given + i] = average;
        }
    }

    /// The values that are the control points of a child.
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
    /// The number of a blossom value, after planning what it takes.
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

    /// A place of arguments that is a midpoint, and the two places it is between.
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

/// The blossom arguments of all control points of a child, in order.
fn child_arguments(shape: Shape, child: usize) -> Vec<Arguments> {
    let mut all = Vec::with_capacity(shape.count());
    match shape {
        Shape::TensorProduct { n, m } => {
            // A curve in v alone numbers its halves 0 and 1 too.
            let (high_u, high_v) = if n > 0 {
                (child % 2, child / 2)
            } else {
                (0, child)
            };
            for i in 0..=n {
                for j in 0..=m {
                    let mut arguments = Arguments::default();
                    arguments[if high_u == 0 { 0 } else { 4 }] += n - i;
                    arguments[if high_u == 0 { 4 } else { 1 }] += i;
                    arguments[if high_v == 0 { 2 } else { 5 }] += m - j;
                    arguments[if high_v == 0 { 5 } else { 3 }] += j;
                    all.push(arguments);
                }
            }
        }
        Shape::Triangular { n } => {
            // Corners (w, u, v): the children at the three corners, and the middle one turned by 180°.
            let corners = [[0, 3, 4], [3, 1, 5], [4, 5, 2], [5, 4, 3]][child];
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
        let plan = SplitPlan::new(Shape::TensorProduct { n: 3, m: 0 });
        assert_eq!(plan.steps.len(), 6);
        let mut values = vec![[0.0], [8.0], [0.0], [16.0]];
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
    fn no_value_is_computed_twice() {
        // Each half of a bicubic net has 7 distinct columns with the other, 6 averages a line.
        let plan = SplitPlan::new(Shape::TensorProduct { n: 3, m: 3 });
        assert_eq!(plan.steps.len(), 4 * 6 + 7 * 6);
        let plan = SplitPlan::new(Shape::Triangular { n: 1 });
        assert_eq!(plan.steps, [[0, 1], [0, 2], [1, 2]]);
        // At most one value per multiset of three arguments out of six places.
        let plan = SplitPlan::new(Shape::Triangular { n: 3 });
        assert!(plan.steps.len() <= 56 - 10, "{}", plan.steps.len());
    }
}
