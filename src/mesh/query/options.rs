//! What to look for between meshes.

use crate::mesh::broad_phase::PairFilter;
use crate::{ContactSetOptions, DistanceOptions, Error, Options};

/// What to look for between meshes that move, and how hard: one struct for all calls, and for every
/// pair of elements.
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
/// assert!(keep(Element::Vertex(2), Element::Face(1)));
/// assert!(!keep(Element::Vertex(2), Element::Vertex(3)));
/// # let _ = options;
/// # Ok::<(), patch_ccd::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct MeshOptions<'a> {
    /// What is asked of every pair. The horizon is the step: [`Options::t_max`] = 1, the default,
    /// for meshes that move from one set of points to the other. The budget is that of a pair. The
    /// separation of a pair is [`Options::min_separation`] and the
    /// [half thickness](crate::mesh::PatchMesh::set_half_thickness) of both elements.
    ///
    /// With [`Options::exact`], pairs of vertices, edges and faces are decided exactly, as moving
    /// along start + t velocity with the velocities that
    /// [`MovingMesh::velocities`](crate::mesh::MovingMesh::velocities) returns. For meshes that
    /// move from points to points these are end − start, rounded.
    pub query: Options,
    /// Which pairs are tested; all by default. It is called from several threads within the search,
    /// before a pair is solved.
    pub filter: Option<&'a PairFilter<'a>>,
    /// How many contacts of each pair [`all_impacts`](crate::mesh::all_impacts) lists. Default
    /// `None`: that of the pair's outcome.
    pub contact_set: Option<ContactSetOptions>,
    /// What [`collision_free_step`](crate::mesh::collision_free_step) multiplies the time of an
    /// impact by, in (0, 1]. Default 0.8.
    pub conservative_rescaling: f64,
}

impl Default for MeshOptions<'_> {
    fn default() -> Self {
        Self {
            query: Options::default(),
            filter: None,
            contact_set: None,
            conservative_rescaling: 0.8,
        }
    }
}

impl std::fmt::Debug for MeshOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MeshOptions")
            .field("query", &self.query)
            .field("filter", &self.filter.map(|_| "a function"))
            .field("contact_set", &self.contact_set)
            .field("conservative_rescaling", &self.conservative_rescaling)
            .finish()
    }
}

impl MeshOptions<'_> {
    /// Refuses options out of range.
    pub(super) fn check(&self) -> Result<(), Error> {
        self.query.check()?;
        if let Some(set) = &self.contact_set {
            set.check()?;
        }
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

/// What to look for between meshes as they are at the start, and how hard.
#[derive(Clone, Copy, Default)]
pub struct MeshDistanceOptions<'a> {
    /// What is asked of every pair of elements. The budget is that of a pair.
    pub query: DistanceOptions,
    /// Which pairs are looked at; all by default. See [`MeshOptions::filter`].
    pub filter: Option<&'a PairFilter<'a>>,
}

impl std::fmt::Debug for MeshDistanceOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MeshDistanceOptions")
            .field("query", &self.query)
            .field("filter", &self.filter.map(|_| "a function"))
            .finish()
    }
}
