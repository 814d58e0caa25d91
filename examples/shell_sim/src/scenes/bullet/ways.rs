//! What do simpler ways to look for a hit make of a ballistic step? Looking at its end only, and
//! flat triangles in the place of the curved surfaces.

use nalgebra::{Point3, Vector3};
use patch_ccd::geometry::{AnyPatch, HermiteNode, Patch};
use patch_ccd::mesh::{
    EarliestImpact, MeshOptions, MovingMesh, PatchMesh, TriangleMesh, earliest_impact,
};
use patch_ccd::{Error, Options, Outcome};

use super::shot::{Shot, place};
use super::target::{RADIUS, sheet, vibration};
use crate::models::sphere;
use crate::shell::KINDS;

/// Triangles are n × n × 2 to a patch.
pub(crate) const CELLS: [usize; 5] = [1, 2, 4, 8, 16];

/// The first contact of a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hit {
    /// A fraction of the step.
    pub(crate) time: f64,
    pub(crate) point: Point3<f64>,
}

/// What each way says of a step.
#[derive(Clone, Debug)]
pub(crate) struct Answers {
    /// On the true surfaces.
    pub(crate) truth: Option<Hit>,
    /// Whether they touch when the step ends.
    pub(crate) at_end: bool,
    /// With triangles, for each of [`CELLS`].
    pub(crate) triangles: [Option<Hit>; CELLS.len()],
}

/// A body in a step.
struct Body {
    mesh: PatchMesh,
    start: Vec<Point3<f64>>,
    /// Metres to a step.
    velocities: Vec<Vector3<f64>>,
}

impl Body {
    fn moving(&self) -> Result<MovingMesh<'_>, Error> {
        MovingMesh::with_velocities(&self.mesh, &self.start, &self.velocities)
    }
}

/// The same in triangles with corners on the surface, which move along with it.
struct Facets {
    mesh: TriangleMesh,
    start: Vec<Point3<f64>>,
    end: Vec<Point3<f64>>,
}

impl Facets {
    fn new(body: &Body, n: usize) -> Result<Self, Error> {
        let moving = body.moving()?;
        let [start, end] = [moving.patches_at(0.0)?, moving.patches_at(1.0)?]
            .map(|patches| patches.iter().flat_map(|patch| corners(patch, n)).collect());
        let side = n as u32 + 1;
        let faces = (0..body.mesh.len() as u32).flat_map(|patch| {
            (0..side - 1).flat_map(move |i| {
                (0..side - 1).flat_map(move |j| {
                    let a = patch * side * side + i * side + j;
                    let [b, c, d] = [a + side, a + side + 1, a + 1];
                    [[a, b, c], [a, c, d]]
                })
            })
        });
        let faces: Vec<_> = faces.collect();
        let start: Vec<Point3<f64>> = start;
        Ok(Self {
            mesh: TriangleMesh::new(start.len(), &faces)?,
            start,
            end,
        })
    }

    fn moving(&self) -> Result<MovingMesh<'_>, Error> {
        MovingMesh::between(&self.mesh, &self.start, &self.end)
    }
}

/// Points of a patch in rows of n + 1.
fn corners(patch: &AnyPatch, n: usize) -> impl Iterator<Item = Point3<f64>> {
    let along = move |k: usize| k as f64 / n as f64;
    let places = (0..=n).flat_map(move |i| (0..=n).map(move |j| (along(i), along(j))));
    places.map(|(u, v)| patch.eval(u, v))
}

fn bodies(shot: &Shot, dt: f64) -> Result<[Body; 2], Box<dyn std::error::Error>> {
    let (sheet, nodes) = sheet()?;
    let velocities: Vec<_> = vibration(&nodes, shot.vibration * dt)
        .chunks_exact(KINDS)
        .map(|of| HermiteNode {
            position: of[0],
            along_u: of[1],
            along_v: of[2],
            twist: of[3],
        })
        .collect();
    let target = Body {
        mesh: PatchMesh::from_grid(sheet.grid.grid(), None)?,
        start: sheet.grid.points(&nodes)?,
        velocities: sheet.grid.velocities(&velocities)?,
    };
    let mut ball = sphere(RADIUS)?;
    place(&mut ball, shot)?;
    let (mesh, start) = PatchMesh::from_patches(&ball);
    let bullet = Body {
        mesh,
        velocities: vec![shot.velocity * dt; start.len()],
        start,
    };
    Ok([target, bullet])
}

fn hit(impact: &EarliestImpact) -> Option<Hit> {
    match impact.first?.outcome {
        Outcome::Impact {
            toi,
            toi_upper,
            contact,
            ..
        } => Some(Hit {
            time: 0.5 * (toi + toi_upper),
            point: contact.points[0],
        }),
        _ => None,
    }
}

/// What a query left open: it is no answer.
fn is_open(impact: &EarliestImpact) -> bool {
    impact
        .first
        .is_some_and(|first| matches!(first.outcome, Outcome::BudgetExhausted { .. }))
}

/// Looks for a hit in all ways; `None` where a query was not decided within its budget.
pub(crate) fn ask(shot: &Shot, dt: f64) -> Result<Option<Answers>, Box<dyn std::error::Error>> {
    let bodies = bodies(shot, dt)?;
    let options = MeshOptions {
        query: Options {
            delta: 1e-9,
            ..Options::default()
        },
        ..MeshOptions::default()
    };
    let moving = [bodies[0].moving()?, bodies[1].moving()?];
    let truth = earliest_impact(&moving[0], &moving[1], &options)?;
    let ends = [moving[0].at(1.0), moving[1].at(1.0)];
    let at_end = earliest_impact(
        &MovingMesh::resting(&bodies[0].mesh, &ends[0])?,
        &MovingMesh::resting(&bodies[1].mesh, &ends[1])?,
        &MeshOptions {
            query: Options {
                t_max: 0.0,
                ..options.query
            },
            ..options
        },
    )?;
    let mut open = is_open(&truth) || is_open(&at_end);
    let mut triangles = [None; CELLS.len()];
    for (found, n) in triangles.iter_mut().zip(CELLS) {
        let facets = [Facets::new(&bodies[0], n)?, Facets::new(&bodies[1], n)?];
        let impact = earliest_impact(&facets[0].moving()?, &facets[1].moving()?, &options)?;
        open |= is_open(&impact);
        *found = hit(&impact);
    }
    Ok((!open).then(|| Answers {
        truth: hit(&truth),
        at_end: at_end.first.is_some(),
        triangles,
    }))
}
