//! The queries of vertices, edges and faces.

use nalgebra::{Point3, Vector3};
use patch_ccd::geometry::{Patch, Shape};
use patch_ccd::{
    Error, Moving, Options, Outcome, Step, edge_edge, vertex_edge, vertex_face, vertex_vertex,
};

/// Any of the four queries.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Query {
    EdgeEdge(Step<4>),
    VertexFace(Step<4>),
    VertexEdge(Step<3>),
    VertexVertex(Step<2>),
}

use Query::{EdgeEdge, VertexEdge, VertexFace, VertexVertex};

impl Query {
    pub(crate) fn try_solve(&self, options: &Options) -> Result<Outcome, Error> {
        match self {
            EdgeEdge(step) => edge_edge(step, options),
            VertexFace(step) => vertex_face(step, options),
            VertexEdge(step) => vertex_edge(step, options),
            VertexVertex(step) => vertex_vertex(step, options),
        }
    }

    pub(crate) fn solve(&self, options: &Options) -> Outcome {
        self.try_solve(options).expect("an outcome")
    }
}

/// A step that moves the first `count` points by `by`; the others rest.
pub(crate) fn moving<const N: usize>(
    points: [[f64; 3]; N],
    count: usize,
    by: Vector3<f64>,
) -> Step<N> {
    let start = points.map(Point3::from);
    let mut end = start;
    for point in &mut end[..count] {
        *point += by;
    }
    [start, end]
}

pub(crate) const ORIGIN: [f64; 3] = [0.0; 3];

/// The queries of linear simplices, each on the first of four points.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    EdgeEdge,
    VertexFace,
    VertexEdge,
    VertexVertex,
}

impl Kind {
    pub(crate) const ALL: [Self; 4] = [
        Self::EdgeEdge,
        Self::VertexFace,
        Self::VertexEdge,
        Self::VertexVertex,
    ];

    pub(crate) fn query(self, step: &Step<4>) -> Query {
        match self {
            Self::EdgeEdge => Query::EdgeEdge(*step),
            Self::VertexFace => Query::VertexFace(*step),
            Self::VertexEdge => Query::VertexEdge(step.map(|[v, a, b, _]| [v, a, b])),
            Self::VertexVertex => Query::VertexVertex(step.map(|[a, b, ..]| [a, b])),
        }
    }

    /// The two simplices among the points.
    pub(crate) fn simplices(self, points: &[Point3<f64>; 4]) -> [&[Point3<f64>]; 2] {
        match self {
            Self::EdgeEdge => [&points[..2], &points[2..]],
            Self::VertexFace => [&points[..1], &points[1..]],
            Self::VertexEdge => [&points[..1], &points[1..3]],
            Self::VertexVertex => [&points[..1], &points[1..2]],
        }
    }
}

/// A vertex, an edge or a triangle as a patch.
#[derive(Clone, Debug)]
pub(crate) struct Simplex {
    shape: Shape,
    points: Vec<Point3<f64>>,
}

impl Patch for Simplex {
    fn shape(&self) -> Shape {
        self.shape
    }

    fn control_points(&self) -> &[Point3<f64>] {
        &self.points
    }

    fn with_net(&self, points: &[Point3<f64>], _: Option<&[f64]>) -> Result<Self, Error> {
        Ok(Self {
            shape: self.shape,
            points: points.to_vec(),
        })
    }
}

/// A simplex that moves from some points to others.
pub(crate) fn moving_patch(
    shape: Shape,
    start: &[Point3<f64>],
    end: &[Point3<f64>],
) -> Moving<Simplex> {
    let simplex = |points: &[Point3<f64>]| Simplex {
        shape,
        points: points.to_vec(),
    };
    Moving::between(simplex(start), &simplex(end)).unwrap()
}
