//! What a case asks.

use nalgebra::{Point3, Vector3};
use patch_ccd::geometry::Shape;
use patch_ccd::{RigidMotion, Step};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::json::{self, Object, Triple, Vectors, numbers, vector, vectors};
use crate::{CaseKind, MotionData, NurbsData, PatchData, ReadError};

/// What a case asks.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum CaseQuery {
    /// When do two patches meet?
    Patches([PatchData; 2]),
    /// When do two NURBS surfaces meet?
    Nurbs([NurbsData; 2]),
    /// When do two edges meet? As [`edge_edge`](patch_ccd::edge_edge) takes them.
    EdgeEdge(Step<4>),
    /// When do a vertex and a triangle meet? As [`vertex_face`](patch_ccd::vertex_face) takes them.
    VertexFace(Step<4>),
}

impl CaseQuery {
    /// Reads the field `query` of a case.
    pub(crate) fn read(kind: CaseKind, case: &Value) -> Result<Self, ReadError> {
        let tensor_product = |[n, m]: [usize; 2]| Shape::TensorProduct { n, m };
        let triangular = |n: usize| Shape::Triangular { n };
        let polynomial = [None, None];
        Ok(match kind {
            CaseKind::QuadBezier => query::<Patches<_>>(case)?.with(polynomial, tensor_product)?,
            CaseKind::TriBezier => query::<Patches<_>>(case)?.with(polynomial, triangular)?,
            CaseKind::RationalQuadBezier => {
                let weights = query::<Weights>(case)?.both();
                query::<Patches<_>>(case)?.with(weights, tensor_product)?
            }
            CaseKind::RationalTriBezier => {
                let weights = query::<Weights>(case)?.both();
                query::<Patches<_>>(case)?.with(weights, triangular)?
            }
            CaseKind::EdgeEdge => Self::EdgeEdge(query::<EdgeEdge>(case)?.step()),
            CaseKind::VertexFace => Self::VertexFace(query::<VertexFace>(case)?.step()),
            CaseKind::Nurbs => {
                let Surfaces { surface1, surface2 } = query(case)?;
                Self::Nurbs([surface1.0, surface2.0])
            }
        })
    }
}

fn query<Q: DeserializeOwned>(case: &Value) -> Result<Q, ReadError> {
    #[derive(Deserialize)]
    struct Asking<Q> {
        query: Object<Q>,
    }

    let Asking { query } = json::read(case)?;
    Ok(query.0)
}

/// Two patches with degrees `D`, but for weights.
#[derive(Deserialize)]
struct Patches<D> {
    degree1: D,
    #[serde(deserialize_with = "vectors")]
    p1: Vec<Point3<f64>>,
    v1: Option<Vectors<Vector3<f64>>>,
    motion1: Option<Object<Motion>>,
    degree2: D,
    #[serde(deserialize_with = "vectors")]
    p2: Vec<Point3<f64>>,
    v2: Option<Vectors<Vector3<f64>>>,
    motion2: Option<Object<Motion>>,
}

/// Motion that is not along straight lines.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "lowercase")]
enum Motion {
    Rigid(Object<Rigid>),
    Layers(Vec<Vectors<Point3<f64>>>),
}

/// The motion of a rigid body.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rigid {
    center: Triple,
    velocity: Triple,
    angular_velocity: Triple,
}

impl Motion {
    fn read(self) -> MotionData {
        match self {
            Self::Rigid(Object(rigid)) => MotionData::Rigid(RigidMotion {
                center: vector(rigid.center),
                velocity: vector(rigid.velocity),
                angular_velocity: vector(rigid.angular_velocity),
            }),
            Self::Layers(layers) => {
                MotionData::Layers(layers.into_iter().map(|Vectors(layer)| layer).collect())
            }
        }
    }
}

impl<D> Patches<D> {
    fn with(
        self,
        weights: [Option<Vec<f64>>; 2],
        shape: impl Fn(D) -> Shape,
    ) -> Result<CaseQuery, ReadError> {
        let [w1, w2] = weights;
        Ok(CaseQuery::Patches([
            PatchData {
                shape: shape(self.degree1),
                points: self.p1,
                motion: motion(1, self.v1, self.motion1)?,
                weights: w1,
            },
            PatchData {
                shape: shape(self.degree2),
                points: self.p2,
                motion: motion(2, self.v2, self.motion2)?,
                weights: w2,
            },
        ]))
    }
}

/// The motion of a patch, which is given in one of two fields.
fn motion(
    patch: usize,
    velocities: Option<Vectors<Vector3<f64>>>,
    motion: Option<Object<Motion>>,
) -> Result<MotionData, ReadError> {
    match (velocities, motion) {
        (Some(Vectors(velocities)), None) => Ok(MotionData::Velocities(velocities)),
        (None, Some(Object(motion))) => Ok(motion.read()),
        (None, None) => Err(problem(format!(
            "missing field `v{patch}` or `motion{patch}`"
        ))),
        (Some(_), Some(_)) => Err(problem(format!(
            "both `v{patch}` and `motion{patch}` given"
        ))),
    }
}

fn problem(problem: String) -> ReadError {
    ReadError::Field {
        field: "query".to_owned(),
        problem,
    }
}

/// The weights of two rational patches.
#[derive(Deserialize)]
struct Weights {
    #[serde(deserialize_with = "numbers")]
    w1: Vec<f64>,
    #[serde(deserialize_with = "numbers")]
    w2: Vec<f64>,
}

impl Weights {
    fn both(self) -> [Option<Vec<f64>>; 2] {
        [Some(self.w1), Some(self.w2)]
    }
}

/// Two NURBS surfaces.
#[derive(Deserialize)]
struct Surfaces {
    surface1: Object<NurbsData>,
    surface2: Object<NurbsData>,
}

/// The ends of two edges at both ends of the step.
#[derive(Deserialize)]
struct EdgeEdge {
    ea0_t0: Triple,
    ea1_t0: Triple,
    eb0_t0: Triple,
    eb1_t0: Triple,
    ea0_t1: Triple,
    ea1_t1: Triple,
    eb0_t1: Triple,
    eb1_t1: Triple,
}

impl EdgeEdge {
    fn step(&self) -> Step<4> {
        let start = [self.ea0_t0, self.ea1_t0, self.eb0_t0, self.eb1_t0];
        let end = [self.ea0_t1, self.ea1_t1, self.eb0_t1, self.eb1_t1];
        [start, end].map(|points| points.map(vector))
    }
}

/// A vertex and the corners of a face at both ends of the step.
#[derive(Deserialize)]
struct VertexFace {
    v_t0: Triple,
    f0_t0: Triple,
    f1_t0: Triple,
    f2_t0: Triple,
    v_t1: Triple,
    f0_t1: Triple,
    f1_t1: Triple,
    f2_t1: Triple,
}

impl VertexFace {
    fn step(&self) -> Step<4> {
        let start = [self.v_t0, self.f0_t0, self.f1_t0, self.f2_t0];
        let end = [self.v_t1, self.f0_t1, self.f1_t1, self.f2_t1];
        [start, end].map(|points| points.map(vector))
    }
}
