//! What queries of meshes keep from call to call.

use super::solver::Solvers;
use crate::mesh::broad_phase::Forest;

/// Scratch space and trees that queries of meshes reuse, for simulators that make one or more of
/// them in every step.
///
/// The trees of the broad phase are refitted as long as the numbers of elements stay the same and
/// the trees are good. A simulator of several bodies may use one workspace for all pairs of bodies,
/// or one for each pair, which keeps more trees. Answers do not depend on what was asked before.
#[derive(Debug, Default)]
pub struct MeshWorkspace {
    pub(super) forest: Forest,
    pub(super) solvers: Solvers,
}

impl MeshWorkspace {
    /// An empty workspace; it grows with the first queries.
    pub fn new() -> Self {
        Self::default()
    }
}
