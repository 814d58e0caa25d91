//! NURBS surfaces as they stand in a case, not checked either, and the query of two of them.

use nalgebra::{Point3, Vector3};
use patch_ccd::geometry::{KnotVector, NurbsExtraction, NurbsSurface};
use patch_ccd::mesh::{MeshOptions, MovingMesh, PairOutcome, PatchMesh, earliest_impact};
use patch_ccd::{Counters, Error, Options, Outcome};
use serde::{Deserialize, Deserializer};

use crate::json::{Number, numbers, plain, vectors};

/// A moving NURBS surface as it stands in a file.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct NurbsData {
    /// Degrees along u and along v.
    pub degrees: [usize; 2],
    /// Knots along u, count + degree + 1 of them.
    #[serde(deserialize_with = "numbers")]
    pub knots_u: Vec<f64>,
    /// Knots along v.
    #[serde(deserialize_with = "numbers")]
    pub knots_v: Vec<f64>,
    /// Control points at t = 0, Euclidean, index i·(count along v)+j with i along u and j along v.
    #[serde(deserialize_with = "vectors")]
    pub points: Vec<Point3<f64>>,
    /// Their velocities.
    #[serde(deserialize_with = "vectors")]
    pub velocities: Vec<Vector3<f64>>,
    /// Their weights; `None` for a B-spline surface.
    #[serde(deserialize_with = "weights", default)]
    pub weights: Option<Vec<f64>>,
}

impl NurbsData {
    /// The surface at t = 0.
    ///
    /// # Errors
    /// As [`KnotVector::new`] and [`NurbsSurface::new`].
    pub fn build(&self) -> Result<NurbsSurface, Error> {
        let knots = [
            KnotVector::new(self.degrees[0], &self.knots_u)?,
            KnotVector::new(self.degrees[1], &self.knots_v)?,
        ];
        NurbsSurface::new(knots, &self.points, self.weights.as_deref())
    }

    /// The Bézier patches of the surface.
    pub(crate) fn split(&self) -> Result<SplitNurbs, Error> {
        let extraction = self.build()?.extraction();
        Ok(SplitNurbs {
            mesh: PatchMesh::from_nurbs(&extraction)?,
            points: extraction.points(&self.points)?,
            velocities: extraction.velocities(&self.velocities)?,
            extraction,
        })
    }
}

/// Reads weights, or null.
fn weights<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<f64>>, D::Error> {
    let weights = Option::<Vec<Number>>::deserialize(deserializer)?;
    Ok(weights.map(plain))
}

/// The mesh of a moving NURBS surface.
pub(crate) struct SplitNurbs {
    extraction: NurbsExtraction,
    mesh: PatchMesh,
    points: Vec<Point3<f64>>,
    velocities: Vec<Vector3<f64>>,
}

impl SplitNurbs {
    fn moving(&self) -> Result<MovingMesh<'_>, Error> {
        MovingMesh::with_velocities(&self.mesh, &self.points, &self.velocities)
    }

    /// The outcome for two surfaces, its contact in the parameters of the surfaces; of its counters
    /// the boxes only, those of all pairs of patches.
    pub(crate) fn time_of_impact(&self, other: &Self, query: &Options) -> Result<Outcome, Error> {
        let [one, two] = [self.moving()?, other.moving()?];
        let options = MeshOptions {
            query: *query,
            ..MeshOptions::default()
        };
        let earliest = earliest_impact(&one, &two, &options)?;
        let all = Counters {
            boxes: earliest.counters.boxes,
            ..Counters::default()
        };
        let Some(PairOutcome { elements, outcome }) = earliest.first else {
            return Ok(Outcome::Clear {
                separation: query.min_separation,
                counters: all,
            });
        };
        let mut outcome = outcome;
        if let Outcome::ContactAtStart { contact, .. } | Outcome::Impact { contact, .. } =
            &mut outcome
        {
            for (side, surface) in [self, other].into_iter().enumerate() {
                let patch = elements[side].index() as usize;
                let (u, v) = contact.parameters[side];
                contact.parameters[side] = surface.extraction.spans()[patch].map(u, v);
            }
        }
        let (Outcome::Clear { counters, .. }
        | Outcome::ContactAtStart { counters, .. }
        | Outcome::Impact { counters, .. }
        | Outcome::BudgetExhausted { counters, .. }) = &mut outcome;
        *counters = all;
        Ok(outcome)
    }
}
