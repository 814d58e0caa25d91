//! Is what was accepted free of penetration? Asked anew of the shapes where a step ends: by a
//! collision query without motion, and by their distance, which knows nothing of the search for
//! impacts.

use patch_ccd::mesh::{MeshDistanceOptions, MeshOptions, MeshWorkspace, MovingMesh};
use patch_ccd::{DistanceOptions, Error, Options};

use super::Simulation;

/// Distances beyond this are not measured, m.
pub const FAR: f64 = 0.02;

/// How well distances are bounded from below, m.
const TOLERANCE: f64 = 1e-6;

/// Memory of the checks.
#[derive(Debug, Default)]
pub struct Checker {
    between: MeshWorkspace,
    within: MeshWorkspace,
}

/// What a check found.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// Nothing is nearer than its separation: proven by a collision query without motion; and no
    /// closest points that were found are.
    pub free: bool,
    /// Distances of the sheet from the solid and from itself, m, at most [`FAR`]: those of the
    /// closest points found. Proven: none are closer by more than [`TOLERANCE`].
    pub distances: [f64; 2],
}

impl Checker {
    pub fn check(&mut self, simulation: &Simulation) -> Result<Check, Error> {
        let surfaces = &simulation.surfaces;
        let net = surfaces.sheet_net(&simulation.q)?;
        let sheet = MovingMesh::resting(&surfaces.sheet_mesh, &net)?;
        let net = surfaces.solid_net(&simulation.q);
        let solid = MovingMesh::resting(&surfaces.solid.mesh, &net)?;
        let separations = simulation.separations();
        let [now, of_itself] = separations.map(|min_separation| MeshOptions {
            query: Options {
                t_max: 0.0,
                min_separation,
                ..Options::default()
            },
            ..MeshOptions::default()
        });
        let touching = [
            self.between.earliest_impact(&sheet, &solid, &now)?,
            self.within.earliest_self_impact(&sheet, &of_itself)?,
        ];
        let near = MeshDistanceOptions {
            query: DistanceOptions {
                max_distance: FAR,
                tolerance: TOLERANCE,
                relative_tolerance: 0.0,
                max_boxes: 100_000,
                ..DistanceOptions::default()
            },
            filter: None,
        };
        let least = [
            self.between.least_distance(&sheet, &solid, &near)?,
            self.within.least_self_distance(&sheet, &near)?,
        ];
        let distances = least.map(|least| least.upper().unwrap_or(least.lower));
        Ok(Check {
            free: touching.iter().all(|impact| impact.first.is_none())
                && (0..2).all(|k| distances[k] > separations[k]),
            distances,
        })
    }
}
