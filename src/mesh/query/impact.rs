//! When do meshes touch?

use ordered_float::OrderedFloat;

use super::calls::mesh_queries;
use super::earliest::earliest;
use super::incumbent::PairKey;
use super::{AllImpacts, EarliestImpact, MeshOptions, MeshWorkspace, PairContact, PairOutcome};
use crate::mesh::broad_phase::{BroadPhase, Candidate, Forest, SharedPairs, Within};
use crate::mesh::model::{Meshes, MovingMesh};
use crate::mesh::parallel;
use crate::{Contact, Error};

impl MeshWorkspace {
    /// The broad phase by itself: the pairs of elements whose moving boxes overlap at some time,
    /// that share no point and that the filter keeps. They are sorted by the time at which their
    /// boxes meet, then by elements.
    ///
    /// # Errors
    /// An option out of range; a point that leaves the range of doubles within the horizon, with
    /// its mesh (1 or 2) and index.
    pub fn candidates(
        &mut self,
        a: &MovingMesh<'_>,
        b: &MovingMesh<'_>,
        options: &MeshOptions<'_>,
    ) -> Result<Vec<Candidate>, Error> {
        self.list(Meshes::Between(a, b), options)
    }

    /// [`MeshWorkspace::candidates`] of a mesh against itself.
    ///
    /// # Errors
    /// An option out of range; a point that leaves the range of doubles within the horizon, with
    /// its mesh (1) and index.
    pub fn self_candidates(
        &mut self,
        mesh: &MovingMesh<'_>,
        options: &MeshOptions<'_>,
    ) -> Result<Vec<Candidate>, Error> {
        self.list(Meshes::Within(mesh), options)
    }

    fn list(
        &mut self,
        meshes: Meshes<'_>,
        options: &MeshOptions<'_>,
    ) -> Result<Vec<Candidate>, Error> {
        let broad_phase = update(&mut self.forest, meshes, options)?;
        let pairs = SharedPairs::new(&broad_phase, broad_phase.overlapping_roots());
        let found = self
            .solvers
            .share(|_| pairs.candidates(&broad_phase, |_| true).collect::<Vec<_>>());
        let mut found = found.concat();
        let key = |candidate: &Candidate| -> PairKey {
            (OrderedFloat(candidate.interval[0]), candidate.elements)
        };
        parallel::sort_by(&mut found, |a, b| key(a).cmp(&key(b)));
        Ok(found)
    }

    fn earliest(
        &mut self,
        meshes: Meshes<'_>,
        options: &MeshOptions<'_>,
    ) -> Result<EarliestImpact, Error> {
        let broad_phase = update(&mut self.forest, meshes, options)?;
        let first = earliest(meshes, options, &broad_phase, &mut self.solvers);
        Ok(EarliestImpact {
            first: first.map(|(_, pair)| pair),
            fraction: first.map_or(1.0, |(start, _)| start),
            counters: self.solvers.take_counters(&broad_phase),
        })
    }

    fn all(&mut self, meshes: Meshes<'_>, options: &MeshOptions<'_>) -> Result<AllImpacts, Error> {
        let broad_phase = update(&mut self.forest, meshes, options)?;
        let pairs = SharedPairs::new(&broad_phase, broad_phase.overlapping_roots());
        let parts = self.solvers.share(|solver| {
            let candidates = pairs.candidates(&broad_phase, |_| true);
            let found =
                candidates.filter_map(|candidate| solver.contacts(meshes, &candidate, options));
            found.collect::<Vec<_>>()
        });
        let mut found = parts.concat();
        let key = |(start, pair, _): &(f64, PairOutcome, Vec<Contact>)| -> PairKey {
            (OrderedFloat(*start), pair.elements)
        };
        parallel::sort_by(&mut found, |a, b| key(a).cmp(&key(b)));
        let of_each = found.iter().enumerate();
        let contacts = of_each.flat_map(|(pair, (_, _, contacts))| {
            contacts
                .iter()
                .map(move |&contact| PairContact { pair, contact })
        });
        Ok(AllImpacts {
            fraction: found.first().map_or(1.0, |(start, ..)| *start),
            contacts: contacts.collect(),
            pairs: found.iter().map(|(_, pair, _)| *pair).collect(),
            counters: self.solvers.take_counters(&broad_phase),
        })
    }

    fn free_step(&mut self, meshes: Meshes<'_>, options: &MeshOptions<'_>) -> Result<f64, Error> {
        let earliest = self.earliest(meshes, options)?;
        let rescaling = match earliest.first {
            Some(_) => options.conservative_rescaling,
            None => 1.0,
        };
        Ok(earliest.fraction * rescaling)
    }
}

/// Checks what is asked, and brings the trees up to date for it.
fn update<'a>(
    forest: &'a mut Forest,
    meshes: Meshes<'a>,
    options: &'a MeshOptions<'a>,
) -> Result<BroadPhase<'a>, Error> {
    options.check()?;
    let query = &options.query;
    for (side, mesh) in meshes.sides().into_iter().zip([1, 2]) {
        let linear = if query.exact {
            side.check_linear()
        } else {
            Ok(())
        };
        side.check_range(query.t_max)
            .and(linear)
            .map_err(|source| Error::Mesh {
                mesh,
                source: Box::new(source),
            })?;
    }
    let largest = meshes.largest_separation(query.min_separation);
    if !largest.is_finite() {
        return Err(Error::Option {
            option: "min_separation",
            value: query.min_separation,
            range: "finite together with the half thickness of both meshes",
        });
    }
    let within = Within::Separation(query.min_separation);
    Ok(forest.update(meshes, query.t_max, within, options.filter))
}

mesh_queries! {
    options: MeshOptions;
    errors: "An option out of range; a point that leaves the range of doubles within the horizon, \
             with its mesh (1 or 2) and index.";

    /// The first impact of two meshes: of all pairs of elements the one with the least lower bound
    /// on its time of impact, and that pair's outcome.
    ///
    /// Pairs are solved in the order in which their boxes meet, and only as far as the earliest
    /// impact found so far; in parallel with the feature `rayon`. The answer does not depend on the
    /// number of threads.
    example:
    /// ```
    /// use patch_ccd::mesh::{Element, MeshOptions, MovingMesh, PatchMesh, earliest_impact};
    /// use nalgebra::{point, vector};
    /// // Two triangles fall on a square; the second one is lower.
    /// let triangles = PatchMesh::from_triangles(6, &[[0, 1, 2], [3, 4, 5]])?;
    /// let points = [
    ///     point![0.1, 0.1, 2.0], point![0.4, 0.1, 2.0], point![0.1, 0.4, 2.0],
    ///     point![0.6, 0.6, 1.0], point![0.9, 0.6, 1.0], point![0.6, 0.9, 1.0],
    /// ];
    /// let down = [vector![0.0, 0.0, -4.0]; 6];
    /// let falling = MovingMesh::with_velocities(&triangles, &points, &down)?;
    /// let square = PatchMesh::from_quads(4, &[[0, 1, 2, 3]])?;
    /// let corners = [
    ///     point![0.0, 0.0, 0.0], point![1.0, 0.0, 0.0],
    ///     point![1.0, 1.0, 0.0], point![0.0, 1.0, 0.0],
    /// ];
    /// let floor = MovingMesh::resting(&square, &corners)?;
    ///
    /// let first = earliest_impact(&falling, &floor, &MeshOptions::default())?.first.unwrap();
    /// assert_eq!(first.elements, [Element::Patch(1), Element::Patch(0)]);
    /// assert!(first.toi() <= 0.25 && first.toi() > 0.25 - 1e-6);
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    earliest_impact, earliest_self_impact => EarliestImpact = Self::earliest;

    /// Every pair of elements of two meshes that touches within the step, each with its own first
    /// time of impact, also if that is later than the first impact of the meshes. Pairs whose
    /// budget ended before they were proven clear are listed too, without a contact.
    ///
    /// In parallel with the feature `rayon`; the answer does not depend on the number of threads.
    example:
    /// ```
    /// use patch_ccd::mesh::{MeshOptions, MovingMesh, TriangleMesh, all_impacts};
    /// use nalgebra::{point, vector};
    /// // Three particles fall on a triangle; the last one is too high to arrive within the step.
    /// let particles = TriangleMesh::new(3, &[])?;
    /// let places = [point![0.2, 0.2, 0.5], point![0.3, 0.3, 0.25], point![0.5, 0.1, 9.0]];
    /// let down = [vector![0.0, 0.0, -1.0]; 3];
    /// let falling = MovingMesh::with_velocities(&particles, &places, &down)?;
    /// let triangle = TriangleMesh::new(3, &[[0, 1, 2]])?;
    /// let corners = [point![0.0, 0.0, 0.0], point![1.0, 0.0, 0.0], point![0.0, 1.0, 0.0]];
    /// let triangle = MovingMesh::resting(&triangle, &corners)?;
    ///
    /// let all = all_impacts(&falling, &triangle, &MeshOptions::default())?;
    /// let vertices: Vec<u32> = all.pairs.iter().map(|pair| pair.elements[0].index()).collect();
    /// assert_eq!(vertices, [1, 0]);
    /// assert!(all.fraction <= 0.25 && all.fraction > 0.25 - 1e-6);
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    all_impacts, all_self_impacts => AllImpacts = Self::all;

    /// How far two meshes may go: the [fraction](EarliestImpact::fraction) of the step, from 0 to
    /// 1, that is proven free of contact, times [`MeshOptions::conservative_rescaling`] if there is
    /// an impact.
    ///
    /// The step ends at time [`t_max`](crate::Options::t_max): move the meshes to
    /// [`MovingMesh::at`]`(fraction * t_max)`. With a rescaling of 1 they would end within rounding
    /// of the contact. 0 means that they are in contact at the start (at the separation), or that
    /// nothing could be proven within the budget: [`earliest_impact`] tells which, and where. With
    /// [`Options::shrink_separation`](crate::Options::shrink_separation) only what touches is in
    /// contact at the start.
    example:
    /// ```
    /// use patch_ccd::mesh::{MeshOptions, MovingMesh, PatchMesh, collision_free_step};
    /// use nalgebra::{Vector3, point};
    /// // One triangle falls on another one, which it reaches after half of the step.
    /// let triangle = PatchMesh::from_triangles(3, &[[0, 1, 2]])?;
    /// let lower = [point![0.0, 0.0, 0.0], point![1.0, 0.0, 0.0], point![0.0, 1.0, 0.0]];
    /// let upper = lower.map(|corner| corner + Vector3::z());
    /// let down = [-2.0 * Vector3::z(); 3];
    /// let falling = MovingMesh::with_velocities(&triangle, &upper, &down)?;
    /// let resting = MovingMesh::resting(&triangle, &lower)?;
    ///
    /// let options = MeshOptions { conservative_rescaling: 0.9, ..MeshOptions::default() };
    /// let step = collision_free_step(&falling, &resting, &options)?;
    /// assert!(step <= 0.45 && step > 0.45 - 1e-6);
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    collision_free_step, collision_free_self_step => f64 = Self::free_step;
}
