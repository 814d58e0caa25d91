//! What a case asks.

use nalgebra::Point3;
use patch_ccd::Step;
use patch_ccd::geometry::Shape;

use crate::json::Field;
use crate::patch_data::{tensor_product, triangular};
use crate::{CaseKind, NurbsData, PatchData, ReadError};

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
    pub(crate) fn read(kind: CaseKind, query: &Field<'_>) -> Result<Self, ReadError> {
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
