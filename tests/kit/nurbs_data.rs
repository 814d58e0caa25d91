//! NURBS surfaces as they stand in a case, not checked either, and the query of two of them.

use nalgebra::{Point3, Vector3};
use patch_ccd::geometry::{KnotVector, NurbsExtraction, NurbsSurface};
use patch_ccd::mesh::{MeshOptions, MovingMesh, PairOutcome, PatchMesh, earliest_impact};
use patch_ccd::{Counters, Error, Options, Outcome};

use crate::ReadError;
use crate::json::Field;

/// A moving NURBS surface as it stands in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct NurbsData {
    /// Degrees along u and along v.
    pub degrees: [usize; 2],
    /// Knots along u and along v, count + degree + 1 of them.
    pub knots: [Vec<f64>; 2],
    /// Control points at t = 0, Euclidean, index i·(count along v)+j with i along u and j along v.
    pub points: Vec<Point3<f64>>,
    /// Their velocities.
    pub velocities: Vec<Vector3<f64>>,
    /// Their weights; `None` for a B-spline surface.
    pub weights: Option<Vec<f64>>,
}

impl NurbsData {
    /// The surface at t = 0.
    ///
    /// # Errors
    /// As [`KnotVector::new`] and [`NurbsSurface::new`].
    pub fn build(&self) -> Result<NurbsSurface, Error> {
        let [along_u, along_v] = &self.knots;
        let knots = [
            KnotVector::new(self.degrees[0], along_u)?,
            KnotVector::new(self.degrees[1], along_v)?,
        ];
        NurbsSurface::new(knots, &self.points, self.weights.as_deref())
    }

    /// Reads a surface's fields; `weights` may be missing.
    pub(crate) fn read(surface: &Field<'_>) -> Result<Self, ReadError> {
        let field = |name| surface.required(name);
        let [n, m] = field("degrees")?.array("two degrees [p, q]")?;
        let points = field("points")?.vectors()?;
        let weights = surface.optional("weights")?;
        Ok(Self {
            degrees: [n.degree()?, m.degree()?],
            knots: [field("knots_u")?.numbers()?, field("knots_v")?.numbers()?],
            points: points.into_iter().map(Point3::from).collect(),
            velocities: field("velocities")?.vectors()?,
            weights: weights.map(|weights| weights.numbers()).transpose()?,
        })
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

    /// The outcome for two surfaces, its contact in the parameters of the surfaces; of its counters the boxes only, those of all
    /// pairs of patches.
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
            return Ok(Outcome::Clear { counters: all });
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
        let (Outcome::Clear { counters }
        | Outcome::ContactAtStart { counters, .. }
        | Outcome::Impact { counters, .. }
        | Outcome::BudgetExhausted { counters, .. }) = &mut outcome;
        *counters = all;
        Ok(outcome)
    }
}
