//! The queries of vertices, edges and faces, each in all its forms.

use patch_ccd::{
    Error, Options, Outcome, Step, Workspace, edge_edge, edge_edge_batch, vertex_edge,
    vertex_edge_batch, vertex_face, vertex_face_batch, vertex_vertex, vertex_vertex_batch,
};

type Answer = Result<Outcome, Error>;

/// A query of `N` points.
#[derive(Clone, Copy, Debug)]
pub struct Linear<const N: usize> {
    /// By itself.
    pub single: fn(&Step<N>, &Options) -> Answer,
    /// In a batch.
    pub batch: fn(&[Step<N>], &Options) -> Vec<Answer>,
    /// In a workspace.
    pub kept: fn(&mut Workspace, &Step<N>, &Options) -> Answer,
}

/// Two edges.
pub const EDGE_EDGE: Linear<4> = Linear {
    single: edge_edge,
    batch: edge_edge_batch,
    kept: Workspace::edge_edge,
};

/// A vertex and a face.
pub const VERTEX_FACE: Linear<4> = Linear {
    single: vertex_face,
    batch: vertex_face_batch,
    kept: Workspace::vertex_face,
};

/// A vertex and an edge.
pub const VERTEX_EDGE: Linear<3> = Linear {
    single: vertex_edge,
    batch: vertex_edge_batch,
    kept: Workspace::vertex_edge,
};

/// Two vertices.
pub const VERTEX_VERTEX: Linear<2> = Linear {
    single: vertex_vertex,
    batch: vertex_vertex_batch,
    kept: Workspace::vertex_vertex,
};

impl<const N: usize> Linear<N> {
    /// The answers of all forms, which should be the same: two of a batch.
    pub fn ask(&self, step: &Step<N>, options: &Options) -> Vec<Answer> {
        let mut answers = (self.batch)(&[*step; 2], options);
        answers.push((self.kept)(&mut Workspace::new(), step, options));
        answers.push((self.single)(step, options));
        answers
    }
}
