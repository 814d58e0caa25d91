//! Single cases in JSON: a query, its options and the answer expected.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use nalgebra::{Point3, Vector3};
use serde_json::Value;

use super::json::Field;
use super::{Expect, ReadError};
use crate::geometry::{AnyPatch, Shape};
use crate::options::LEAST_DELTA;
use crate::{Error, Moving, Options, Outcome, Step, Workspace};

/// The kinds of cases in the format, also those that this version can't solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CaseKind {
    /// `quad-bezier`: two tensor-product patches.
    QuadBezier,
    /// `tri-bezier`: two triangular patches.
    TriBezier,
    /// `rational-quad-bezier`: two rational tensor-product patches.
    RationalQuadBezier,
    /// `rational-tri-bezier`: two rational triangular patches.
    RationalTriBezier,
    /// `edge-edge`: two edges.
    EdgeEdge,
    /// `vertex-face`: a vertex and a triangle.
    VertexFace,
    /// `nurbs`: two NURBS surfaces. Not supported yet.
    Nurbs,
}

impl CaseKind {
    /// Every kind with its name in files.
    const NAMES: [(Self, &'static str); 7] = [
        (Self::QuadBezier, "quad-bezier"),
        (Self::TriBezier, "tri-bezier"),
        (Self::RationalQuadBezier, "rational-quad-bezier"),
        (Self::RationalTriBezier, "rational-tri-bezier"),
        (Self::EdgeEdge, "edge-edge"),
        (Self::VertexFace, "vertex-face"),
        (Self::Nurbs, "nurbs"),
    ];

    fn read(field: &Field<'_>) -> Result<Self, ReadError> {
        let found = field.text()?;
        let known = Self::NAMES.into_iter().find(|&(_, name)| name == found);
        known.map(|(kind, _)| kind).ok_or_else(|| {
            field.expected(
                "quad-bezier, tri-bezier, rational-quad-bezier, rational-tri-bezier, edge-edge, vertex-face or nurbs",
            )
        })
    }
}

impl std::fmt::Display for CaseKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = Self::NAMES.into_iter().find(|(kind, _)| kind == self);
        f.pad(name.map_or("", |(_, name)| name))
    }
}

/// A patch as it stands in a file, not checked: the numbers may be NaN and their count wrong.
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
            weights: if rational {
                let weights = field("w")?;
                Some(
                    weights
                        .items()?
                        .iter()
                        .map(Field::number)
                        .collect::<Result<_, _>>()?,
                )
            } else {
                None
            },
        })
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
    /// When do two edges meet? As [`edge_edge`](crate::edge_edge) takes them.
    EdgeEdge(Step<4>),
    /// When do a vertex and a triangle meet? As [`vertex_face`](crate::vertex_face) takes them.
    VertexFace(Step<4>),
    /// A question that this version can't answer; its fields are not read.
    Unsupported,
}

impl CaseQuery {
    fn read(kind: CaseKind, query: &Field<'_>) -> Result<Self, ReadError> {
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
            CaseKind::Nurbs => Ok(Self::Unsupported),
        }
    }
}

/// Why a case could not be solved.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CaseError {
    /// This version can't solve such cases.
    #[error("kind {kind} is not supported yet")]
    Unsupported {
        /// The kind of the case.
        kind: CaseKind,
    },
    /// The numbers of a patch don't make a moving patch.
    #[error("patch {patch}: {source}")]
    Patch {
        /// 1 or 2.
        patch: usize,
        /// What is wrong.
        source: Error,
    },
    /// The query was refused.
    #[error(transparent)]
    Query(#[from] Error),
}

/// One case: a query, its options and, where the file has one, the right answer.
///
/// Fields that the reader does not know are ignored. Numbers may be the strings `"NaN"`, `"Infinity"` and `"-Infinity"`.
/// The values are checked when the case is solved, not when it is read.
///
/// ```
/// use patch_ccd::io::Case;
/// let text = r#"{
///     "id": "closing", "kind": "tri-bezier",
///     "query": {
///         "degree1": 1, "p1": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "v1": [[0, 0, 0], [0, 0, 0], [0, 0, 0]],
///         "degree2": 1, "p2": [[0, 0, 1], [1, 0, 1], [0, 1, 1]], "v2": [[0, 0, -2], [0, 0, -2], [0, 0, -2]]
///     },
///     "options": {"t_max": 1, "tolerance": 1e-6},
///     "expect": {"collides": true, "toi_lower": 0.499997, "toi_upper": 0.5, "note": "gap 1 - 2t"}
/// }"#;
/// let case = Case::read(text.as_bytes())?;
/// let answer = case.solve();
/// case.expect.unwrap().check(&answer).unwrap();
/// # Ok::<(), patch_ccd::io::ReadError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The case's name.
    pub id: String,
    /// The kind of query.
    pub kind: CaseKind,
    /// The query.
    pub query: CaseQuery,
    /// The default options, with `t_max`, `min_separation`, `tolerance` (δ) and `max_iterations` (`max_boxes`) where the
    /// file gives them. A tolerance is a request: below the least δ that the crate has (2⁻⁴⁰), it is raised to that, and times
    /// of impact are allowed to be earlier by the same.
    pub options: Options,
    /// The right answer.
    pub expect: Option<Expect>,
}

impl Case {
    /// Reads a case from a file.
    ///
    /// # Errors
    /// As [`Case::read`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ReadError> {
        Self::read(File::open(path)?)
    }

    /// Reads a case.
    ///
    /// # Errors
    /// Text that is not JSON; a field that is missing or of the wrong type; a kind that does not exist.
    pub fn read(mut source: impl Read) -> Result<Self, ReadError> {
        let mut bytes = Vec::new();
        source.read_to_end(&mut bytes)?;
        let value: Value = serde_json::from_slice(&bytes)?;
        let root = Field::root(&value);
        let id = root.required("id")?.text()?.to_owned();
        let kind = CaseKind::read(&root.required("kind")?)?;
        let query = CaseQuery::read(kind, &root.required("query")?)?;
        let mut options = Options::default();
        let mut budget = None;
        if let Some(given) = root.optional("options")? {
            for (name, option) in [
                ("t_max", &mut options.t_max),
                ("min_separation", &mut options.min_separation),
                ("tolerance", &mut options.delta),
            ] {
                if let Some(field) = given.optional(name)? {
                    *option = field.number()?;
                }
            }
            if let Some(field) = given.optional("max_iterations")? {
                budget = Some(field.whole()?);
            }
        }
        let mut raised = 0.0;
        if (0.0..LEAST_DELTA).contains(&options.delta) {
            raised = LEAST_DELTA - options.delta;
            options.delta = LEAST_DELTA;
        }
        options.max_boxes = budget.unwrap_or(options.max_boxes);
        let expect = match root.optional("expect")? {
            Some(expect) => {
                let mut expect = Expect::read(&expect, budget.is_some())?;
                if raised > 0.0 && options.t_max.is_finite() {
                    expect.allow_earlier(raised * options.t_max);
                }
                Some(expect)
            }
            None => None,
        };
        Ok(Self {
            id,
            kind,
            query,
            options,
            expect,
        })
    }

    /// The answer to the case.
    ///
    /// # Errors
    /// A kind that is not supported; numbers that are not a moving patch; whatever
    /// [`time_of_impact`](crate::time_of_impact), [`edge_edge`](crate::edge_edge) or [`vertex_face`](crate::vertex_face)
    /// refuses.
    pub fn solve(&self) -> Result<Outcome, CaseError> {
        self.solve_in(&mut Workspace::new())
    }

    /// [`Case::solve`] in the memory of a workspace.
    ///
    /// # Errors
    /// As [`Case::solve`].
    pub fn solve_in(&self, workspace: &mut Workspace) -> Result<Outcome, CaseError> {
        match &self.query {
            CaseQuery::Patches([one, two]) => {
                let in_patch = |patch| move |source| CaseError::Patch { patch, source };
                let one = one.build().map_err(in_patch(1))?;
                let two = two.build().map_err(in_patch(2))?;
                Ok(workspace.time_of_impact(&one, &two, &self.options)?)
            }
            CaseQuery::EdgeEdge(step) => Ok(workspace.edge_edge(step, &self.options)?),
            CaseQuery::VertexFace(step) => Ok(workspace.vertex_face(step, &self.options)?),
            CaseQuery::Unsupported => Err(CaseError::Unsupported { kind: self.kind }),
        }
    }
}
