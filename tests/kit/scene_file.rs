//! Scenes in JSON: two patches or two meshes of triangles, what is asked of them, and the answer.

use std::fs;
use std::path::Path;

use nalgebra::{Point3, Vector3};
use patch_ccd::geometry::Shape;
use patch_ccd::mesh::TriangleMesh;
use patch_ccd::{DistanceOptions, Error, Method, Options};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::json::{self, Number, Object, Triple, mismatch, vector, vectors};
use crate::{MotionData, PatchData, ReadError};

/// One scene of a file in `data/scenes`.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneCase {
    /// The scene's name.
    pub id: String,
    /// What is asked.
    pub query: SceneQuery,
    /// The exact answer, where the file has it.
    pub expect: SceneExpect,
}

/// What a scene asks.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SceneQuery {
    /// `toi`: when do two patches meet?
    Impact([PatchData; 2], Options),
    /// `earliest`: when do two meshes of triangles first meet?
    Earliest([TriangleData; 2], Options),
    /// `pair`: how far apart are two patches?
    Distance([PatchData; 2], DistanceOptions),
}

/// A moving mesh of triangles as it stands in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct TriangleData {
    /// The points at t = 0.
    pub points: Vec<Point3<f64>>,
    /// Their velocities.
    pub velocities: Vec<Vector3<f64>>,
    /// The corners of each face.
    pub faces: Vec<[u32; 3]>,
}

impl TriangleData {
    /// The mesh of these faces.
    ///
    /// # Errors
    /// As [`TriangleMesh::new`].
    pub fn build(&self) -> Result<TriangleMesh, Error> {
        TriangleMesh::new(self.points.len(), &self.faces)
    }
}

/// The exact answer to a scene.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SceneExpect {
    /// The time of impact, to a rounding.
    pub toi: Option<f64>,
    /// The unit vector from the first one to the second one then.
    pub direction: Option<Vector3<f64>>,
}

impl SceneCase {
    /// Reads all scenes of a file.
    ///
    /// # Errors
    /// A file that can't be read or is not JSON; a field that is missing or of the wrong type; an
    /// operation or an option that does not exist.
    pub fn open(path: impl AsRef<Path>) -> Result<Vec<Self>, ReadError> {
        let scenes: Vec<Value> = serde_json::from_slice(&fs::read(path)?)?;
        scenes.iter().map(Self::read).collect()
    }

    fn read(scene: &Value) -> Result<Self, ReadError> {
        let SceneData { id, op, expect } = json::read(scene)?;
        let query = match op {
            Operation::Impact => {
                let (patches, options) = Asked::<PatchBody, ImpactData>::read(scene)?;
                SceneQuery::Impact(patches.map(PatchBody::data), options.options())
            }
            Operation::Earliest => {
                let (meshes, options) = Asked::<TriangleBody, ImpactData>::read(scene)?;
                SceneQuery::Earliest(meshes.map(TriangleBody::data), options.options())
            }
            Operation::Distance => {
                let (patches, options) = Asked::<PatchBody, DistanceData>::read(scene)?;
                SceneQuery::Distance(patches.map(PatchBody::data), options.options())
            }
        };
        let expect = SceneExpect {
            toi: expect.0.toi.map(|Number(toi)| toi),
            direction: expect.0.direction.map(vector),
        };
        Ok(Self { id, query, expect })
    }
}

/// What all scenes have.
#[derive(Deserialize)]
struct SceneData {
    id: String,
    op: Operation,
    expect: Object<ExpectData>,
}

#[derive(Clone, Copy, Deserialize)]
enum Operation {
    #[serde(rename = "toi")]
    Impact,
    #[serde(rename = "earliest")]
    Earliest,
    #[serde(rename = "pair")]
    Distance,
}

#[derive(Deserialize)]
struct ExpectData {
    toi: Option<Number>,
    direction: Option<Triple>,
}

/// Two bodies `B` and options `O`.
#[derive(Deserialize)]
struct Asked<B, O> {
    a: B,
    b: B,
    options: O,
}

impl<B: DeserializeOwned, O: DeserializeOwned> Asked<B, O> {
    fn read(scene: &Value) -> Result<([B; 2], O), ReadError> {
        let Self { a, b, options } = json::read(scene)?;
        Ok(([a, b], options))
    }
}

#[derive(Deserialize)]
struct PatchBody {
    kind: Kind,
    n: usize,
    #[serde(default)]
    m: usize,
    #[serde(deserialize_with = "vectors")]
    points: Vec<Point3<f64>>,
    #[serde(default)]
    velocities: Velocities,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Curve,
    Quad,
    Tri,
}

impl PatchBody {
    fn data(self) -> PatchData {
        let Self { n, m, .. } = self;
        PatchData {
            shape: match self.kind {
                Kind::Curve => Shape::TensorProduct { n, m: 0 },
                Kind::Quad => Shape::TensorProduct { n, m },
                Kind::Tri => Shape::Triangular { n },
            },
            motion: MotionData::Velocities(self.velocities.each(self.points.len())),
            points: self.points,
            weights: None,
        }
    }
}

#[derive(Deserialize)]
struct TriangleBody {
    #[serde(deserialize_with = "vectors")]
    points: Vec<Point3<f64>>,
    faces: Vec<[u32; 3]>,
    #[serde(default)]
    velocities: Velocities,
}

impl TriangleBody {
    fn data(self) -> TriangleData {
        TriangleData {
            velocities: self.velocities.each(self.points.len()),
            points: self.points,
            faces: self.faces,
        }
    }
}

/// The velocity of all points; none is rest.
#[derive(Default, Deserialize)]
struct Velocities(Option<Triple>);

impl Velocities {
    fn each(self, count: usize) -> Vec<Vector3<f64>> {
        vec![self.0.map_or_else(Vector3::zeros, vector); count]
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ImpactData {
    t_max: Option<Number>,
    min_separation: Option<Number>,
    delta: Option<Number>,
    epsilon: Option<Number>,
    method: Option<MethodName>,
}

impl ImpactData {
    /// The default options but for those given.
    fn options(self) -> Options {
        let default = Options::default();
        let or = |given: Option<Number>, default| given.map_or(default, |Number(given)| given);
        Options {
            t_max: or(self.t_max, default.t_max),
            min_separation: or(self.min_separation, default.min_separation),
            delta: or(self.delta, default.delta),
            epsilon: or(self.epsilon, default.epsilon),
            method: self
                .method
                .map_or(default.method, |MethodName(method)| method),
            ..default
        }
    }
}

#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "Value")]
struct MethodName(Method);

impl TryFrom<Value> for MethodName {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        let method = value.as_str().and_then(|name| name.parse().ok());
        method
            .map(Self)
            .ok_or_else(|| mismatch("the name of a method", &value))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DistanceData {
    relative_tolerance: Option<Number>,
}

impl DistanceData {
    fn options(self) -> DistanceOptions {
        let default = DistanceOptions::default();
        let tolerance = self.relative_tolerance;
        DistanceOptions {
            relative_tolerance: tolerance.map_or(default.relative_tolerance, |Number(x)| x),
            ..default
        }
    }
}
