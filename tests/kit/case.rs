//! Single cases in JSON: a query, its options and the answer expected.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use patch_ccd::query::LEAST_DELTA;
use patch_ccd::{Error, Options, Outcome, Workspace};
use serde::Deserialize;
use serde_json::Value;

use crate::expect::ExpectData;
use crate::json::{self, Number, Object, mismatch};
use crate::text::without_mark;
use crate::{CaseQuery, Expect, ReadError};

/// The kinds of cases in the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "Value")]
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
    /// `nurbs`: two NURBS surfaces.
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
}

impl TryFrom<Value> for CaseKind {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        let known = Self::NAMES.into_iter().find(|&(_, name)| value == name);
        known.map(|(kind, _)| kind).ok_or_else(|| {
            let names = Self::NAMES.map(|(_, name)| name).join(", ");
            mismatch(&format!("one of {names}"), &value)
        })
    }
}

impl std::fmt::Display for CaseKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = Self::NAMES.into_iter().find(|(kind, _)| kind == self);
        f.pad(name.map_or("", |(_, name)| name))
    }
}

/// Why a case could not be solved.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CaseError {
    /// The numbers of a patch, or of a surface, don't make a moving one.
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
/// Fields that the reader does not know are ignored, but for options: a misspelt one would be
/// solved with its default. Numbers may be the strings `"NaN"`, `"Infinity"` and `"-Infinity"`. The
/// values are checked when the case is solved, not when it is read.
///
/// ```
/// use kit::Case;
/// let text = r#"{
///     "id": "closing", "kind": "tri-bezier",
///     "query": {
///         "degree1": 1, "p1": [[0, 0, 0], [1, 0, 0], [0, 1, 0]],
///         "v1": [[0, 0, 0], [0, 0, 0], [0, 0, 0]],
///         "degree2": 1, "p2": [[0, 0, 1], [1, 0, 1], [0, 1, 1]],
///         "v2": [[0, 0, -2], [0, 0, -2], [0, 0, -2]]
///     },
///     "options": {"t_max": 1, "tolerance": 1e-6},
///     "expect": {"collides": true, "toi_lower": 0.499997, "toi_upper": 0.5, "note": "gap 1 - 2t"}
/// }"#;
/// let case = Case::read(text.as_bytes())?;
/// let answer = case.solve();
/// case.expect.unwrap().check(&answer).unwrap();
/// # Ok::<(), kit::ReadError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The case's name.
    pub id: String,
    /// The kind of query.
    pub kind: CaseKind,
    /// The query.
    pub query: CaseQuery,
    /// The default options, with `t_max`, `min_separation`, `delta` (or `tolerance`), `max_boxes`
    /// (or `max_iterations`) and `exact` where the file gives them. A tolerance is a request: below
    /// the least δ that the crate has (2⁻⁴⁰), it is raised to that, and times of impact are allowed
    /// to be earlier by the same.
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
    /// Text that is not JSON; a field that is missing or of the wrong type; a kind or an option
    /// that does not exist; an option that is given twice, by both of its names.
    pub fn read(mut source: impl Read) -> Result<Self, ReadError> {
        let mut bytes = Vec::new();
        source.read_to_end(&mut bytes)?;
        let value: Value = serde_json::from_slice(without_mark(&bytes))?;
        let CaseData {
            id,
            kind,
            options: given,
            expect,
        } = json::read(&value)?;
        let query = CaseQuery::read(kind, &value)?;
        let given = given.map_or_else(OptionData::default, |Object(given)| given);
        let budget = given.max_boxes;
        let mut options = given.options();
        let mut expect = expect.map(|Object(expect)| expect.read(budget.is_some()));
        if (0.0..LEAST_DELTA).contains(&options.delta) {
            let raised = LEAST_DELTA - options.delta;
            options.delta = LEAST_DELTA;
            if let Some(expect) = expect.as_mut().filter(|_| options.t_max.is_finite()) {
                expect.allow_earlier(raised * options.t_max);
            }
        }
        Ok(Self {
            id,
            kind,
            query,
            options,
            expect,
        })
    }

    /// The answer to the case. That for two NURBS surfaces has the contact in the parameters of the
    /// surfaces, and counts only the boxes, those of all pairs of their patches; how many depends
    /// on the number of threads.
    ///
    /// # Errors
    /// Numbers that are not a moving patch; whatever [`time_of_impact`](patch_ccd::time_of_impact),
    /// [`edge_edge`](patch_ccd::edge_edge) or [`vertex_face`](patch_ccd::vertex_face) refuses.
    pub fn solve(&self) -> Result<Outcome, CaseError> {
        self.solve_in(&mut Workspace::new())
    }

    /// [`Case::solve`] in the memory of a workspace.
    ///
    /// # Errors
    /// As [`Case::solve`].
    pub fn solve_in(&self, workspace: &mut Workspace) -> Result<Outcome, CaseError> {
        let in_patch = |patch| move |source| CaseError::Patch { patch, source };
        match &self.query {
            CaseQuery::Patches([one, two]) => {
                let one = one.build().map_err(in_patch(1))?;
                let two = two.build().map_err(in_patch(2))?;
                Ok(workspace.time_of_impact(&one, &two, &self.options)?)
            }
            CaseQuery::Nurbs([one, two]) => {
                let one = one.split().map_err(in_patch(1))?;
                let two = two.split().map_err(in_patch(2))?;
                Ok(one.time_of_impact(&two, &self.options)?)
            }
            CaseQuery::EdgeEdge(step) => Ok(workspace.edge_edge(step, &self.options)?),
            CaseQuery::VertexFace(step) => Ok(workspace.vertex_face(step, &self.options)?),
        }
    }
}

/// The fields of a case but for the query.
#[derive(Deserialize)]
struct CaseData {
    id: String,
    kind: CaseKind,
    options: Option<Object<OptionData>>,
    expect: Option<Object<ExpectData>>,
}

/// The field `options`. Two of them have the names of Tight-Inclusion, too.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct OptionData {
    t_max: Option<Number>,
    min_separation: Option<Number>,
    #[serde(alias = "tolerance")]
    delta: Option<Number>,
    #[serde(alias = "max_iterations")]
    max_boxes: Option<u64>,
    exact: Option<bool>,
}

impl OptionData {
    /// The default options but for those given.
    fn options(&self) -> Options {
        let default = Options::default();
        let or = |given: Option<Number>, default| given.map_or(default, |Number(given)| given);
        Options {
            t_max: or(self.t_max, default.t_max),
            min_separation: or(self.min_separation, default.min_separation),
            delta: or(self.delta, default.delta),
            max_boxes: self.max_boxes.unwrap_or(default.max_boxes),
            exact: self.exact.unwrap_or(default.exact),
            ..default
        }
    }
}
