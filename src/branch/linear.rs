//! Where are two linear primitives closest? In closed form, for vertices, edges and faces.
//!
//! Two of them are closest at features of theirs: a vertex and a face, two edges, or where an edge
//! pierces a face. The difference of a vertex and a face is a triangle and that of two edges a
//! parallelogram, so each of these is the point of a polygon that is nearest to the origin.

use super::pair::ScaledPair;
use super::tree::SubdivisionTree;
use crate::geometry::{Shape, nearest_to_origin};
use crate::vector::{Vector, combine, cross, dot, minus};

/// Where two vertices, edges or faces are closest at time `t`; `None` for other patches.
pub(super) fn closest_of_primitives(pair: &ScaledPair, t: f64) -> Option<[(f64, f64); 2]> {
    let [one, two] = [0, 1].map(|side| Primitive::new(&pair.trees[side], t));
    Some(closest(&one?, &two?))
}

/// Corners of a vertex, an edge or a face.
struct Primitive {
    corners: [Vector; 3],
    /// Of a rational one; otherwise 1.
    weights: [f64; 3],
    count: usize,
    /// Whether the parameter of an edge is v.
    along_v: bool,
}

/// An edge of a primitive: two of its corners.
const EDGES: [[usize; 2]; 3] = [[0, 1], [1, 2], [2, 0]];

impl Primitive {
    fn new(tree: &SubdivisionTree, t: f64) -> Option<Self> {
        let along_v = match tree.shape() {
            Shape::TensorProduct { n: 0 | 1, m: 0 } | Shape::Triangular { n: 1 } => false,
            Shape::TensorProduct { n: 0, m: 1 } => true,
            _ => return None,
        };
        let count = tree.count();
        let mut corners = [[0.0; 3]; 3];
        for (k, corner) in corners.iter_mut().enumerate().take(count) {
            *corner = tree.control_point(k, t).start();
        }
        let mut weights = [1.0; 3];
        for (weight, &given) in weights.iter_mut().zip(tree.weights()) {
            *weight = given;
        }
        Some(Self {
            corners,
            weights,
            count,
            along_v,
        })
    }

    fn edges(&self) -> &'static [[usize; 2]] {
        match self.count {
            1 => &[],
            2 => &EDGES[..1],
            _ => &EDGES,
        }
    }

    /// The patch's parameters of a point part of the way along an edge.
    fn on_edge(&self, [from, to]: [usize; 2], part: f64) -> (f64, f64) {
        let mut weights = [0.0; 3];
        weights[from] = 1.0 - part;
        weights[to] = part;
        self.inside([weights[1], weights[2]])
    }

    /// The patch's parameters for the barycentric coordinates of the second and the third corner.
    fn inside(&self, [second, third]: [f64; 2]) -> (f64, f64) {
        let [second, third] = self.unweighted([second, third]);
        if self.along_v {
            (0.0, second)
        } else {
            (second, third)
        }
    }

    /// The barycentric parameters of a point. They go with barycentric coordinates divided by the
    /// weights of the corners.
    fn unweighted(&self, [second, third]: [f64; 2]) -> [f64; 2] {
        let [first_weight, second_weight, third_weight] = self.weights;
        if first_weight == second_weight && first_weight == third_weight {
            return [second, third];
        }
        let first = (1.0 - second - third).max(0.0) / first_weight;
        let [second, third] = [second / second_weight, third / third_weight];
        [second, third].map(|part| part / (first + second + third))
    }
}

/// The closest points so far.
struct Best {
    distance: f64,
    parameters: [(f64, f64); 2],
}

impl Best {
    fn improve(&mut self, distance: f64, parameters: [(f64, f64); 2]) {
        if distance < self.distance {
            *self = Self {
                distance,
                parameters,
            };
        }
    }
}

fn closest(one: &Primitive, two: &Primitive) -> [(f64, f64); 2] {
    let mut best = Best {
        distance: f64::INFINITY,
        parameters: [(0.0, 0.0); 2],
    };
    // A vertex against everything: for two edges and for an edge and a face, against faces only.
    if one.count == 1 || two.count == 3 {
        for (corner, &point) in one.corners[..one.count].iter().enumerate() {
            let (place, distance) = to_vertex(point, two);
            best.improve(distance, [corner_of(one, corner), two.inside(place)]);
        }
    }
    if two.count == 1 && one.count > 1 || one.count == 3 {
        for (corner, &point) in two.corners[..two.count].iter().enumerate() {
            let (place, distance) = to_vertex(point, one);
            best.improve(distance, [one.inside(place), corner_of(two, corner)]);
        }
    }
    for &[a, b] in one.edges() {
        for &[c, d] in two.edges() {
            let [p, q] = [one.corners[a], one.corners[b]];
            let [r, s] = [two.corners[c], two.corners[d]];
            // The second parameter goes along the second edge.
            let polygon = [minus(p, r), minus(q, r), minus(q, s), minus(p, s)];
            let ([u, v], distance) = nearest_to_origin(&polygon);
            let parameters = [one.on_edge([a, b], u), two.on_edge([c, d], v)];
            best.improve(distance, parameters);
        }
    }
    for [edges, face] in [[one, two], [two, one]] {
        if face.count < 3 {
            continue;
        }
        for &[a, b] in edges.edges() {
            let Some((part, place, distance)) = pierced([edges.corners[a], edges.corners[b]], face)
            else {
                continue;
            };
            let (edge, place) = (edges.on_edge([a, b], part), face.inside(place));
            let first = std::ptr::eq(edges, one);
            best.improve(distance, if first { [edge, place] } else { [place, edge] });
        }
    }
    best.parameters
}

fn corner_of(primitive: &Primitive, corner: usize) -> (f64, f64) {
    primitive.inside([1, 2].map(|k| f64::from(u8::from(corner == k))))
}

/// Where a primitive is closest to a vertex, by the weights of its second and third corner.
fn to_vertex(point: Vector, primitive: &Primitive) -> ([f64; 2], f64) {
    let differences = primitive.corners.map(|corner| minus(corner, point));
    nearest_to_origin(&differences[..primitive.count])
}

/// Where an edge goes through the plane of a face, if it does: the part of the way along it, and
/// the point of the face that is closest to there.
fn pierced([p, q]: [Vector; 2], face: &Primitive) -> Option<(f64, [f64; 2], f64)> {
    let [a, b, c] = face.corners;
    let normal = cross(minus(b, a), minus(c, a));
    let [from, to] = [p, q].map(|point| dot(normal, minus(point, a)));
    if !(from > 0.0 && to < 0.0 || from < 0.0 && to > 0.0) {
        return None;
    }
    let part = from / (from - to);
    let point = combine(1.0 - part, p, part, q);
    let (place, distance) = to_vertex(point, face);
    Some((part, place, distance))
}
