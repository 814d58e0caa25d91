//! The queries of vertices, edges and faces.

mod answers;
pub mod steps;

use nalgebra::{Point3, Vector3};
use patch_ccd::{
    Error, Options, Outcome, Step, edge_edge, vertex_edge, vertex_face, vertex_vertex,
};

use crate::oracle::Oracle;
pub use answers::{check, check_contact, resolution};

/// Any of the four queries.
#[derive(Clone, Copy, Debug)]
pub enum Query {
    /// As [`edge_edge`] takes it.
    EdgeEdge(Step<4>),
    /// As [`vertex_face`] takes it.
    VertexFace(Step<4>),
    /// As [`vertex_edge`] takes it.
    VertexEdge(Step<3>),
    /// As [`vertex_vertex`] takes it.
    VertexVertex(Step<2>),
}

impl Query {
    /// The library's answer.
    ///
    /// # Errors
    /// Those of the query.
    pub fn try_solve(&self, options: &Options) -> Result<Outcome, Error> {
        match self {
            Self::EdgeEdge(step) => edge_edge(step, options),
            Self::VertexFace(step) => vertex_face(step, options),
            Self::VertexEdge(step) => vertex_edge(step, options),
            Self::VertexVertex(step) => vertex_vertex(step, options),
        }
    }

    /// The library's answer.
    ///
    /// # Panics
    /// If the query is refused.
    pub fn solve(&self, options: &Options) -> Outcome {
        let outcome = self.try_solve(options);
        outcome.unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Who knows the exact answer.
    pub fn oracle(&self) -> Oracle {
        match self {
            Self::EdgeEdge(step) => Oracle::edge_edge(step),
            Self::VertexFace(step) => Oracle::vertex_face(step),
            Self::VertexEdge(step) => Oracle::vertex_edge(step),
            Self::VertexVertex(step) => Oracle::vertex_vertex(step),
        }
    }
}

/// The kinds of queries, each on the first of four points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// [`Query::EdgeEdge`]
    EdgeEdge,
    /// [`Query::VertexFace`]
    VertexFace,
    /// [`Query::VertexEdge`]
    VertexEdge,
    /// [`Query::VertexVertex`]
    VertexVertex,
}

impl Kind {
    /// All four.
    pub const ALL: [Self; 4] = [
        Self::EdgeEdge,
        Self::VertexFace,
        Self::VertexEdge,
        Self::VertexVertex,
    ];

    /// The query of these points, or of the first of them.
    pub fn query(self, step: &Step<4>) -> Query {
        match self {
            Self::EdgeEdge => Query::EdgeEdge(*step),
            Self::VertexFace => Query::VertexFace(*step),
            Self::VertexEdge => Query::VertexEdge(step.map(|[v, a, b, _]| [v, a, b])),
            Self::VertexVertex => Query::VertexVertex(step.map(|[a, b, ..]| [a, b])),
        }
    }

    /// The two simplices among the points.
    pub fn simplices(self, points: &[Point3<f64>; 4]) -> [&[Point3<f64>]; 2] {
        match self {
            Self::EdgeEdge => [&points[..2], &points[2..]],
            Self::VertexFace => [&points[..1], &points[1..]],
            Self::VertexEdge => [&points[..1], &points[1..3]],
            Self::VertexVertex => [&points[..1], &points[1..2]],
        }
    }
}

/// A step that moves the first `count` points by `by`; the others rest.
pub fn moving<const N: usize>(points: [[f64; 3]; N], count: usize, by: Vector3<f64>) -> Step<N> {
    let start = points.map(Point3::from);
    let mut end = start;
    for point in &mut end[..count] {
        *point += by;
    }
    [start, end]
}

/// The coordinates of the origin.
pub const ORIGIN: [f64; 3] = [0.0; 3];
