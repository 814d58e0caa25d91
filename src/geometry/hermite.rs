//! Bicubic Hermite patches, the shape of Bogner–Fox–Schmit elements, and their Bézier form.
//!
//! The surface's mixed Taylor expansion p + du s_u + dv s_v + du dv s_uv around a node gives the
//! control points there: du is 0, or a third of the width of the element on one side or the other,
//! and dv likewise (Farin, *Curves and Surfaces for CAGD*). So elements on both sides of a node
//! share the control points on their common boundary, and if they share each node's derivatives the
//! surface is continuously differentiable.

use nalgebra::{Point3, Vector3};

use super::patch::{check_count, check_finite};
use super::{Patch, PatchGrid, PointWeights, Shape, TensorProductPatch};
use crate::Error;

/// What defines a bicubic Hermite patch at a corner: the position, the first derivatives by u and
/// by v, and the mixed second derivative.
///
/// With a vector in place of the position it is the velocity of such a node, whose four members
/// move linearly; see [`HermiteGrid::velocities`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HermiteNode<P = Point3<f64>> {
    /// The point S.
    pub position: P,
    /// The tangent ∂S/∂u.
    pub along_u: Vector3<f64>,
    /// The tangent ∂S/∂v.
    pub along_v: Vector3<f64>,
    /// The twist ∂²S/∂u∂v.
    pub twist: Vector3<f64>,
}

impl HermiteNode {
    /// The node after `t` units of time at this velocity.
    #[must_use]
    pub fn advanced(&self, velocity: &HermiteNode<Vector3<f64>>, t: f64) -> Self {
        Self {
            position: self.position + velocity.position * t,
            along_u: self.along_u + velocity.along_u * t,
            along_v: self.along_v + velocity.along_v * t,
            twist: self.twist + velocity.twist * t,
        }
    }
}

impl HermiteNode<Vector3<f64>> {
    /// What this node's velocity contributes to the velocity of a place on the surface, given the
    /// node's factors at that place; see [`HermiteGrid::basis`].
    #[must_use]
    pub fn combine(&self, factors: &[f64; 4]) -> Vector3<f64> {
        let [position, along_u, along_v, twist] = *factors;
        self.position * position
            + self.along_u * along_u
            + self.along_v * along_v
            + self.twist * twist
    }

    /// Adds the share of a force or an impulse `by` at a place on the surface, given this node's
    /// factors at that place: factor · `by` is added to each of the four vectors.
    pub fn add(&mut self, factors: &[f64; 4], by: &Vector3<f64>) {
        let [position, along_u, along_v, twist] = *factors;
        self.position += by * position;
        self.along_u += by * along_u;
        self.along_v += by * along_v;
        self.twist += by * twist;
    }
}

/// A bicubic patch over (u, v) in [0, 1]², given by its four corners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HermitePatch {
    /// The corners (u, v) = (0, 0), (0, 1), (1, 0), (1, 1), with derivatives by the patch's own u
    /// and v.
    pub nodes: [HermiteNode; 4],
}

impl HermitePatch {
    /// The same patch in Bézier form, of degree (3, 3).
    ///
    /// # Errors
    /// A coordinate that is not finite.
    ///
    /// ```
    /// use patch_ccd::geometry::{HermiteNode, HermitePatch, Patch};
    /// use nalgebra::{Vector3, point};
    /// // A surface over the unit square whose height is u v.
    /// let node = |u: f64, v: f64| HermiteNode {
    ///     position: point![u, v, u * v],
    ///     along_u: Vector3::new(1.0, 0.0, v),
    ///     along_v: Vector3::new(0.0, 1.0, u),
    ///     twist: Vector3::z(),
    /// };
    /// let nodes = [node(0.0, 0.0), node(0.0, 1.0), node(1.0, 0.0), node(1.0, 1.0)];
    /// let hermite = HermitePatch { nodes };
    /// let patch = hermite.to_bezier()?;
    /// assert!((patch.eval(0.25, 0.5) - point![0.25, 0.5, 0.125]).norm() < 1e-15);
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub fn to_bezier(&self) -> Result<TensorProductPatch, Error> {
        let net = HermiteGrid::new(&[1.0], &[1.0])?.points(&self.nodes)?;
        TensorProductPatch::new(3, 3, &net)
    }

    /// The Hermite form of a bicubic Bézier patch.
    ///
    /// # Errors
    /// A patch of another degree than (3, 3); a derivative beyond the range of doubles.
    pub fn from_bezier(patch: &TensorProductPatch) -> Result<Self, Error> {
        let expected = Shape::TensorProduct { n: 3, m: 3 };
        if patch.shape() != expected {
            return Err(Error::Shape {
                expected: expected.to_string(),
                found: patch.shape().to_string(),
            });
        }
        let net = patch.control_points();
        // The corner and its neighbours along u, along v and along both. The signs are those of the
        // steps to the neighbours.
        let node = |[corner, next_u, next_v, inner]: [usize; 4], sign_u: f64, sign_v: f64| {
            let [p, p_u, p_v, p_uv] = [corner, next_u, next_v, inner].map(|i| net[i]);
            HermiteNode {
                position: p,
                along_u: 3.0 * sign_u * (p_u - p),
                along_v: 3.0 * sign_v * (p_v - p),
                twist: 9.0 * sign_u * sign_v * ((p_uv - p_u) - (p_v - p)),
            }
        };
        let nodes = [
            node([0, 4, 1, 5], 1.0, 1.0),
            node([3, 7, 2, 6], 1.0, -1.0),
            node([12, 8, 13, 9], -1.0, 1.0),
            node([15, 11, 14, 10], -1.0, -1.0),
        ];
        check_finite(
            "tangent along u of node",
            nodes.iter().map(|node| &node.along_u),
        )?;
        check_finite(
            "tangent along v of node",
            nodes.iter().map(|node| &node.along_v),
        )?;
        check_finite("twist of node", nodes.iter().map(|node| &node.twist))?;
        Ok(Self { nodes })
    }
}

/// A rectangular grid of bicubic Hermite elements between common nodes. The surface is continuously
/// differentiable, also across elements of unequal width.
///
/// The nodes' derivatives are by the parameters of the whole grid, in which the elements have the
/// given widths. An element's own (u, v) in [0, 1]² are those of its Bézier patch.
///
/// ```
/// use patch_ccd::geometry::{HermiteGrid, HermiteNode, Patch, TensorProductPatch};
/// use nalgebra::{Vector3, point};
/// // Two elements of a plane, of widths 1 and 2 along u.
/// let grid = HermiteGrid::new(&[1.0, 2.0], &[1.0])?;
/// let node = |u, v| HermiteNode {
///     position: point![u, v, 0.0],
///     along_u: Vector3::x(),
///     along_v: Vector3::y(),
///     twist: Vector3::zeros(),
/// };
/// let nodes = [0.0, 1.0, 3.0].map(|u| [node(u, 0.0), node(u, 1.0)]).concat();
/// let net = grid.points(&nodes)?;
/// let second = grid.grid().indices(1).unwrap();
/// let points: Vec<_> = second.iter().map(|&i| net[i as usize]).collect();
/// let patch = TensorProductPatch::new(3, 3, &points)?;
/// assert_eq!(patch.eval(0.5, 0.5), point![2.0, 0.5, 0.0]);
/// # Ok::<(), patch_ccd::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct HermiteGrid {
    grid: PatchGrid,
    widths: [Vec<f64>; 2],
    /// Along u and along v, for each row of the net: the node to which it belongs, and the distance
    /// from it.
    places: [Vec<(usize, f64)>; 2],
}

impl HermiteGrid {
    /// A grid of elements of these widths along u and along v, in units of the grid's parameters.
    /// Without widths in one direction there is one row of nodes and no patch.
    ///
    /// # Errors
    /// A width that is zero, negative or not finite.
    pub fn new(along_u: &[f64], along_v: &[f64]) -> Result<Self, Error> {
        Ok(Self {
            grid: PatchGrid::new([3, 3], [along_u.len(), along_v.len()], Default::default()),
            widths: [along_u.to_vec(), along_v.to_vec()],
            places: [
                places("width along u", along_u)?,
                places("width along v", along_v)?,
            ],
        })
    }

    /// The Bézier patches, one for each element, and their control points as indices into the net.
    pub fn grid(&self) -> &PatchGrid {
        &self.grid
    }

    /// The numbers of nodes along u and along v, each one more than the number of elements.
    pub fn nodes(&self) -> [usize; 2] {
        self.grid.patches().map(|elements| elements + 1)
    }

    /// The nodes at the corners of a patch, in the order of [`HermitePatch::nodes`]. `None` if no
    /// patch has that number.
    ///
    /// ```
    /// use patch_ccd::geometry::HermiteGrid;
    /// let grid = HermiteGrid::new(&[1.0, 2.0], &[1.0, 1.0, 1.0])?;
    /// assert_eq!(grid.nodes_of(4), Some([5, 6, 9, 10]));
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub fn nodes_of(&self, patch: usize) -> Option<[usize; 4]> {
        let ([k, l], width) = (self.grid.position(patch)?, self.nodes()[1]);
        Some([(k, l), (k, l + 1), (k + 1, l), (k + 1, l + 1)].map(|(i, j)| i * width + j))
    }

    /// The widths of a patch along u and along v, in units of the grid's parameters. `None` if no
    /// patch has that number.
    pub fn widths_of(&self, patch: usize) -> Option<[f64; 2]> {
        let [k, l] = self.grid.position(patch)?;
        Some([*self.widths[0].get(k)?, *self.widths[1].get(l)?])
    }

    /// The shape functions of a patch at its own (u, v) in [0, 1]²: each of its
    /// [nodes](Self::nodes_of) with the factors of its position, tangent along u, tangent along v
    /// and twist. The point of the surface is the sum of factor · vector.
    ///
    /// Parameters outside count as the nearest ones inside, and NaN as 0. `None` if no patch has
    /// that number.
    ///
    /// They also tell how a force on the surface is distributed to the nodes: factor · force goes
    /// to each of their vectors; see [`HermiteNode::combine`] and [`HermiteNode::add`].
    ///
    /// ```
    /// use patch_ccd::geometry::{HermiteGrid, HermiteNode};
    /// use nalgebra::{Vector3, point, vector};
    /// // Two elements of a plane, of widths 1 and 2 along u.
    /// let grid = HermiteGrid::new(&[1.0, 2.0], &[1.0])?;
    /// let node = |u, v| HermiteNode {
    ///     position: point![u, v, 0.0],
    ///     along_u: Vector3::x(),
    ///     along_v: Vector3::y(),
    ///     twist: Vector3::zeros(),
    /// };
    /// let nodes = [0.0, 1.0, 3.0].map(|u| [node(u, 0.0), node(u, 1.0)]).concat();
    /// let mut contact = Vector3::zeros();
    /// for (node, [position, along_u, along_v, twist]) in grid.basis(1, 0.25, 0.5).unwrap() {
    ///     let node = nodes[node];
    ///     contact += position * node.position.coords + along_u * node.along_u;
    ///     contact += along_v * node.along_v + twist * node.twist;
    /// }
    /// assert!((contact - vector![1.5, 0.5, 0.0]).norm() < 1e-15);
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub fn basis(&self, patch: usize, u: f64, v: f64) -> Option<[(usize, [f64; 4]); 4]> {
        let (nodes, [along_u, along_v]) = (self.nodes_of(patch)?, self.widths_of(patch)?);
        let (by_u, by_v) = (hermite_basis(u, along_u), hermite_basis(v, along_v));
        Some(std::array::from_fn(|corner| {
            let ([p, s], [q, r]) = (by_u[corner / 2], by_v[corner % 2]);
            (nodes[corner], [p * q, s * q, p * r, s * r])
        }))
    }

    /// The unknowns that carry a place on a patch at its own (u, v), and their weights there. With
    /// the vectors of all nodes in one list, the unknown 4·node is the node's position, and those
    /// after it are its tangent along u, its tangent along v and its twist.
    ///
    /// They are those of [`HermiteGrid::basis`] in the form of `Mesh::weights_at`, which tells how
    /// a force acts on the Bézier control points. The weights of the four positions sum to 1. Those
    /// of tangents are lengths in the grid's parameters and those of twists areas, of either sign.
    ///
    /// # Errors
    /// A number that no patch has; a parameter that is NaN, or outside the patch by more than
    /// rounding (1e-12).
    ///
    /// ```
    /// use patch_ccd::geometry::HermiteGrid;
    /// use nalgebra::Vector3;
    /// let grid = HermiteGrid::new(&[1.0, 2.0], &[1.0])?;
    /// // A force in the middle of the second patch: a quarter for the position of each corner.
    /// let mut forces = [Vector3::zeros(); 4 * 6];
    /// for (unknown, weight) in grid.weights_at(1, (0.5, 0.5))? {
    ///     forces[unknown] += weight * Vector3::z();
    /// }
    /// let positions: Vec<_> = forces.iter().step_by(4).map(|force| force.z).collect();
    /// assert_eq!(positions, [0.0, 0.0, 0.25, 0.25, 0.25, 0.25]);
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub fn weights_at(&self, patch: usize, parameters: (f64, f64)) -> Result<PointWeights, Error> {
        let unknown = Error::UnknownElement {
            element: "patch",
            index: patch,
        };
        let (u, v) = self.grid.shape().checked_parameters(parameters)?;
        let corners = self.basis(patch, u, v).ok_or(unknown)?;
        let of_corner = |(node, factors): (usize, [f64; 4])| {
            let kinds = factors.into_iter().enumerate();
            kinds.map(move |(kind, factor)| (4 * node + kind, factor))
        };
        Ok(corners.into_iter().flat_map(of_corner).collect())
    }

    /// The net of Bézier control points for these nodes, of which node i along u and j along v is
    /// at index i·(nodes along v)+j.
    ///
    /// # Errors
    /// A wrong number of nodes, a coordinate that is not finite.
    pub fn points(&self, nodes: &[HermiteNode]) -> Result<Vec<Point3<f64>>, Error> {
        let arguments = [
            "position of node",
            "tangent along u of node",
            "tangent along v of node",
            "twist of node",
        ];
        let net = self.apply(arguments, nodes, |position| position.coords)?;
        Ok(net.into_iter().map(Point3::from).collect())
    }

    /// The velocities of the net's control points for the velocities of the nodes' positions and
    /// derivatives, in the same order and per unit of time; the horizon is
    /// [`t_max`](crate::Options::t_max).
    ///
    /// # Errors
    /// A wrong number of nodes, a coordinate that is not finite.
    pub fn velocities(
        &self,
        nodes: &[HermiteNode<Vector3<f64>>],
    ) -> Result<Vec<Vector3<f64>>, Error> {
        let arguments = [
            "velocity of node",
            "velocity of the tangent along u of node",
            "velocity of the tangent along v of node",
            "velocity of the twist of node",
        ];
        self.apply(arguments, nodes, |&velocity| velocity)
    }

    fn apply<P>(
        &self,
        arguments: [&'static str; 4],
        nodes: &[HermiteNode<P>],
        coordinates: impl Fn(&P) -> Vector3<f64>,
    ) -> Result<Vec<Vector3<f64>>, Error> {
        let [along_u, along_v] = self.nodes();
        check_count("nodes", self, along_u.saturating_mul(along_v), nodes.len())?;
        let positions: Vec<_> = nodes
            .iter()
            .map(|node| coordinates(&node.position))
            .collect();
        let [position, by_u, by_v, twist] = arguments;
        check_finite(position, &positions)?;
        check_finite(by_u, nodes.iter().map(|node| &node.along_u))?;
        check_finite(by_v, nodes.iter().map(|node| &node.along_v))?;
        check_finite(twist, nodes.iter().map(|node| &node.twist))?;
        let mut net = Vec::with_capacity(self.grid.count());
        for &(i, du) in &self.places[0] {
            for &(j, dv) in &self.places[1] {
                let index = i * along_v + j;
                let node = &nodes[index];
                // Large and small widths cancel first, before they are multiplied by the twist.
                let twist = node.twist * (du * dv);
                net.push(positions[index] + node.along_u * du + node.along_v * dv + twist);
            }
        }
        check_finite("control point of the Bézier net", &net)?;
        Ok(net)
    }
}

impl std::fmt::Display for HermiteGrid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [a, b] = self.grid.patches();
        write!(f, "grid of {a} × {b} Hermite elements")
    }
}

/// The cubic Hermite basis at the fraction x of an interval of this width: for each end the factors
/// of value and slope.
fn hermite_basis(x: f64, width: f64) -> [[f64; 2]; 2] {
    let x = if x.is_nan() { 0.0 } else { x.clamp(0.0, 1.0) };
    let y = 1.0 - x;
    let [near, far] = [3.0 * x * y * y, 3.0 * x * x * y];
    let third = width / 3.0;
    [
        [y * y * y + near, third * near],
        [x * x * x + far, -third * far],
    ]
}

/// For each row of the net in one direction, the node to which it belongs and the distance from it.
fn places(argument: &'static str, widths: &[f64]) -> Result<Vec<(usize, f64)>, Error> {
    let mut places = vec![(0, 0.0)];
    for (index, &value) in widths.iter().enumerate() {
        if !(value.is_finite() && value > 0.0) {
            return Err(Error::Width {
                argument,
                index,
                value,
            });
        }
        let third = value / 3.0;
        places.extend([(index, third), (index + 1, -third), (index + 1, 0.0)]);
    }
    Ok(places)
}
