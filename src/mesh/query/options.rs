//! What to look for between meshes.

use super::PairFilter;
use crate::{Error, Options};

/// What to look for between meshes, and how hard: one struct for all calls, and for every pair of elements.
///
/// ```
/// use patch_ccd::{Options, mesh::{Element, Mesh, MeshOptions, TriangleMesh}};
/// // Half a millimetre of separation; vertices 2 and 3 may come as close as they like.
/// let cloth = TriangleMesh::new(6, &[[0, 1, 2], [3, 4, 5]])?;
/// let can_collide = |a: u32, b: u32| [a.min(b), a.max(b)] != [2, 3];
/// // Two elements can collide if any two of their vertices can.
/// let vertices = |element| Mesh::from(&cloth).points_of(element);
/// let keep = |a: Element, b: Element| {
///     vertices(a).iter().any(|&i| vertices(b).iter().any(|&j| can_collide(i, j)))
/// };
/// let options = MeshOptions {
///     query: Options { min_separation: 5e-4, ..Options::default() },
///     filter: Some(&keep),
///     ..MeshOptions::default()
/// };
/// assert!(keep(Element::Vertex(2), Element::Face(1)) && !keep(Element::Vertex(2), Element::Vertex(3)));
/// # let _ = options;
/// # Ok::<(), patch_ccd::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct MeshOptions<'a> {
    /// What is asked of every pair. The horizon is the step: [`Options::t_max`] = 1 for meshes that move from one set of
    /// points to the other. The budget is that of a pair. With [`Options::exact`], pairs of vertices, edges and faces are decided exactly, as
    /// moving along start + t velocity with the velocities that [`MovingMesh::velocities`](crate::mesh::MovingMesh::velocities) returns: for meshes
    /// that move from points to points these are end − start, rounded.
    pub query: Options,
    /// Which pairs are tested; all by default. It is asked inside the search, before any pair is solved, from several
    /// threads.
    pub filter: Option<&'a PairFilter<'a>>,
    /// What [`collision_free_step`](super::collision_free_step) multiplies the time of an impact by, in (0, 1]. Default 0.8.
    pub conservative_rescaling: f64,
}

impl Default for MeshOptions<'_> {
    fn default() -> Self {
        Self {
            query: Options::default(),
            filter: None,
            conservative_rescaling: 0.8,
        }
    }
}

impl std::fmt::Debug for MeshOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MeshOptions")
            .field("query", &self.query)
            .field("filter", &self.filter.map(|_| "a function"))
            .field("conservative_rescaling", &self.conservative_rescaling)
            .finish()
    }
}

impl MeshOptions<'_> {
    pub(super) fn check(&self) -> Result<(), Error> {
        self.query.check()?;
        let rescaling = self.conservative_rescaling;
        if rescaling > 0.0 && rescaling <= 1.0 {
            return Ok(());
        }
        Err(Error::Option {
            option: "conservative_rescaling",
            value: rescaling,
            range: "above 0 and at most 1",
        })
    }
}
