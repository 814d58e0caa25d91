//! Collision detection of a step, on the true surfaces.

use std::time::{Duration, Instant};

use nalgebra::Vector3;
use patch_ccd::mesh::{AllImpacts, MeshOptions, MeshWorkspace, MovingMesh, PairOutcome};
use patch_ccd::{Error, Options};

use super::surfaces::{Body, Place, Surfaces};

/// Trees and memory that the steps share.
#[derive(Debug, Default)]
pub(super) struct Detector {
    between: MeshWorkspace,
    within: MeshWorkspace,
    pub separations: [f64; 2],
    /// Time of all calls for the sheet against the solid, and against itself.
    pub spent: [Duration; 2],
}

/// Two places that come into contact in a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub places: [Place; 2],
    /// From the second place to the first, when they are at the separation.
    pub apart: Vector3<f64>,
    /// The distance that they have to keep.
    pub separation: f64,
    /// Where the first is then.
    pub point: Vector3<f64>,
}

/// What a step runs into.
#[derive(Clone, Debug)]
pub(super) struct Hits {
    /// The fraction of the step that is proven free.
    pub free: f64,
    pub hits: Vec<Hit>,
}

impl Detector {
    /// With these separations of the sheet from the solid and from itself.
    pub(super) fn new(separations: [f64; 2]) -> Self {
        Self {
            separations,
            ..Self::default()
        }
    }

    /// Everything that comes nearer than the separations while the unknowns go from `start` to
    /// `end`.
    pub(super) fn hits(
        &mut self,
        surfaces: &Surfaces,
        [start, end]: [&[Vector3<f64>]; 2],
    ) -> Result<Hits, Error> {
        let sheet = [surfaces.sheet_net(start)?, surfaces.sheet_net(end)?];
        let solid = [surfaces.solid_net(start), surfaces.solid_net(end)];
        let sheet = MovingMesh::between(&surfaces.sheet_mesh, &sheet[0], &sheet[1])?;
        let solid = MovingMesh::between(&surfaces.solid.mesh, &solid[0], &solid[1])?;
        let [from_solid, from_itself] = self.separations.map(options);
        let timer = Instant::now();
        let between = self.between.all_impacts(&sheet, &solid, &from_solid)?;
        self.spent[0] += timer.elapsed();
        let timer = Instant::now();
        let within = self.within.all_self_impacts(&sheet, &from_itself)?;
        self.spent[1] += timer.elapsed();
        let hits = |impacts: &AllImpacts, second, separation| {
            let hits = impacts.pairs.iter();
            hits.filter_map(move |pair| Hit::new(pair, second, separation))
                .collect::<Vec<_>>()
        };
        let [from_solid, from_itself] = self.separations;
        let mut found = hits(&between, Body::Solid, from_solid);
        found.extend(hits(&within, Body::Sheet, from_itself));
        Ok(Hits {
            free: between.fraction.min(within.fraction),
            hits: found,
        })
    }
}

fn options(separation: f64) -> MeshOptions<'static> {
    MeshOptions {
        query: Options {
            min_separation: separation,
            max_boxes: 100_000,
            ..Options::default()
        },
        ..MeshOptions::default()
    }
}

impl Hit {
    /// The contact of a patch of the sheet with one of the second body, unless the search ended
    /// without one.
    fn new(pair: &PairOutcome, second: Body, separation: f64) -> Option<Self> {
        let contact = pair.outcome.contact()?;
        let place = |side: usize, body| Place {
            body,
            patch: pair.elements[side].index() as usize,
            at: contact.parameters[side],
        };
        Some(Self {
            places: [place(0, Body::Sheet), place(1, second)],
            apart: contact.points[0] - contact.points[1],
            separation,
            point: contact.points[0].coords,
        })
    }
}
