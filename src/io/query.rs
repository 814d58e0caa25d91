//! The queries of cases, as they stand in a file: not checked, the numbers may be NaN and their count wrong.

use nalgebra::{Point3, Vector3};

use super::json::Field;
use super::{CaseKind, ReadError};
use crate::geometry::{AnyPatch, KnotVector, NurbsExtraction, NurbsSurface, Shape};
use crate::mesh::{MeshOptions, MovingMesh, PatchMesh, earliest_impact};
use crate::query::Counters;
use crate::{Error, Moving, Options, Outcome, Step};

/// A patch as it stands in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct PatchData {
    /// Kind and degree.
    pub shape: Shape,
    /// Control points at t = 0.
    pub points: Vec<Point3<f64>>,
    /// Their velocities.
    pub velocities: Vec<Vector3<f64>>,
    /// Their weights, of a rational patch.
    pub weights: Option<Vec<f64>>,
}

impl PatchData {
    /// The moving patch of these numbers.
    ///
    /// # Errors
    /// As [`AnyPatch::from_shape`], [`AnyPatch::rational_from_shape`] and [`Moving::with_velocities`].
    pub fn build(&self) -> Result<Moving<AnyPatch>, Error> {
        let start = match &self.weights {
            None => AnyPatch::from_shape(self.shape, &self.points)?,
            Some(weights) => AnyPatch::rational_from_shape(self.shape, &self.points, weights)?,
        };
        Moving::with_velocities(start, &self.velocities)
    }

    /// Reads the fields `degree1`, `p1`, `v1` and, if it is rational, `w1` for patch 1.
    fn read(
        query: &Field<'_>,
        patch: usize,
        shape: fn(&Field<'_>) -> Result<Shape, ReadError>,
        rational: bool,
    ) -> Result<Self, ReadError> {
        let field = |name| query.required(&format!("{name}{patch}"));
        let points = field("p")?.vectors()?;
        Ok(Self {
            shape: shape(&field("degree")?)?,
            points: points.into_iter().map(Point3::from).collect(),
            velocities: field("v")?.vectors()?,
            weights: rational.then(|| field("w")?.numbers()).transpose()?,
        })
    }
}

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
    /// Their weights.
    pub weights: Vec<f64>,
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
        NurbsSurface::new(knots, &self.points, &self.weights)
    }

    fn read(surface: &Field<'_>) -> Result<Self, ReadError> {
        let field = |name| surface.required(name);
        let degrees = field("degrees")?;
        let [n, m] = &degrees.items()?[..] else {
            return Err(degrees.expected("two degrees [p, q]"));
        };
        let points = field("points")?.vectors()?;
        Ok(Self {
            degrees: [n.degree()?, m.degree()?],
            knots: [field("knots_u")?.numbers()?, field("knots_v")?.numbers()?],
            points: points.into_iter().map(Point3::from).collect(),
            velocities: field("velocities")?.vectors()?,
            weights: field("weights")?.numbers()?,
        })
    }

    pub(super) fn split(&self) -> Result<SplitNurbs, Error> {
        let extraction = self.build()?.extraction();
        Ok(SplitNurbs {
            mesh: PatchMesh::from_nurbs(&extraction)?,
            points: extraction.points(&self.points)?,
            velocities: extraction.vectors(&self.velocities)?,
            extraction,
        })
    }
}

/// The mesh of a moving NURBS surface.
pub(super) struct SplitNurbs {
    extraction: NurbsExtraction,
    mesh: PatchMesh,
    points: Vec<Point3<f64>>,
    velocities: Vec<Vector3<f64>>,
}

impl SplitNurbs {
    fn moving(&self) -> Result<MovingMesh<'_>, Error> {
        MovingMesh::with_velocities(&self.mesh, &self.points, &self.velocities)
    }

    /// The outcome for two surfaces, its contact in the parameters of the surfaces.
    pub(super) fn time_of_impact(&self, other: &Self, query: &Options) -> Result<Outcome, Error> {
        let [one, two] = [self.moving()?, other.moving()?];
        let options = MeshOptions {
            query: *query,
            ..MeshOptions::default()
        };
        let earliest = earliest_impact(&one, &two, &options)?;
        let Some(mut first) = earliest.first else {
            let counters = Counters {
                boxes: earliest.counters.boxes,
                ..Counters::default()
            };
            return Ok(Outcome::Clear { counters });
        };
        if let Outcome::ContactAtStart { contact, .. } | Outcome::Impact { contact, .. } =
            &mut first.outcome
        {
            for (side, surface) in [self, other].into_iter().enumerate() {
                let patch = first.elements[side].index() as usize;
                let (u, v) = contact.parameters[side];
                contact.parameters[side] = surface.extraction.spans()[patch].map(u, v);
            }
        }
        Ok(first.outcome)
    }
}

fn tensor_product(degree: &Field<'_>) -> Result<Shape, ReadError> {
    let [n, m] = &degree.items()?[..] else {
        return Err(degree.expected("two degrees [n, m]"));
    };
    Ok(Shape::TensorProduct {
        n: n.degree()?,
        m: m.degree()?,
    })
}

fn triangular(degree: &Field<'_>) -> Result<Shape, ReadError> {
    let n = degree.degree()?;
    Ok(Shape::Triangular { n })
}

/// Reads the fields `v_t0`, `v_t1`, … of points that move from one place to another.
fn step<const N: usize>(query: &Field<'_>, points: [&str; N]) -> Result<Step<N>, ReadError> {
    let mut step = [[Point3::origin(); N]; 2];
    for (time, place) in step.iter_mut().enumerate() {
        for (name, point) in points.iter().zip(place) {
            *point = query.required(&format!("{name}_t{time}"))?.vector()?.into();
        }
    }
    Ok(step)
}

/// What a case asks.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum CaseQuery {
    /// When do two patches meet?
    Patches([PatchData; 2]),
    /// When do two NURBS surfaces meet?
    Nurbs([NurbsData; 2]),
    /// When do two edges meet? As [`edge_edge`](crate::edge_edge) takes them.
    EdgeEdge(Step<4>),
    /// When do a vertex and a triangle meet? As [`vertex_face`](crate::vertex_face) takes them.
    VertexFace(Step<4>),
}

impl CaseQuery {
    pub(super) fn read(kind: CaseKind, query: &Field<'_>) -> Result<Self, ReadError> {
        let patches = |shape: fn(&Field<'_>) -> Result<Shape, ReadError>, rational| {
            let patch = |number| PatchData::read(query, number, shape, rational);
            Ok(Self::Patches([patch(1)?, patch(2)?]))
        };
        match kind {
            CaseKind::QuadBezier => patches(tensor_product, false),
            CaseKind::TriBezier => patches(triangular, false),
            CaseKind::RationalQuadBezier => patches(tensor_product, true),
            CaseKind::RationalTriBezier => patches(triangular, true),
            CaseKind::EdgeEdge => Ok(Self::EdgeEdge(step(query, ["ea0", "ea1", "eb0", "eb1"])?)),
            CaseKind::VertexFace => Ok(Self::VertexFace(step(query, ["v", "f0", "f1", "f2"])?)),
            CaseKind::Nurbs => {
                let surface = |name| NurbsData::read(&query.required(name)?);
                Ok(Self::Nurbs([surface("surface1")?, surface("surface2")?]))
            }
        }
    }
}
