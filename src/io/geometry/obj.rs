//! Wavefront OBJ, `.obj`: patches as meshes of triangles, which every viewer shows, and contacts as
//! points.
//!
//! Points are sampled evenly in the parameters. The faces of a patch run counter-clockwise as seen
//! from the side of its normals, ∂S/∂u × ∂S/∂v.

use std::io::{BufWriter, Write};

use nalgebra::Vector3;

use super::{WriteError, check};
use crate::Contact;
use crate::geometry::{Cell, Patch, Shape, check_finite};

/// The highest resolution of [`write_obj`].
pub const MAX_RESOLUTION: usize = 1024;

/// Where a patch has no normal, one is looked for towards its middle, at these fractions of the
/// way.
const NEARBY: [f64; 4] = [0.0, 1e-6, 1e-3, 0.05];

/// The samples of a patch, and how they are connected.
struct Tessellation {
    parameters: Vec<(f64, f64)>,
    /// Indices of `parameters`, from 0. There are none for a curve, whose samples follow each
    /// other, and for a point.
    triangles: Vec<[usize; 3]>,
}

/// Writes patches as triangles, curves as polylines and points as points, as the objects `patch_0`,
/// `patch_1`, …
///
/// `resolution` is the number of pieces along u and v, or along each edge of a triangular patch,
/// from 1 to [`MAX_RESOLUTION`]. Each vertex of a face has a unit normal, that of
/// [`Patch::normal`]. Where the patch has none, for instance at the tip of a cone, it is taken a
/// little nearer to the middle of the patch. A patch with a vertex that has no such normal either
/// is written without normals.
///
/// # Errors
/// A resolution out of range; a patch of a kind that is not from this crate and does not keep what
/// [`Patch`] promises; a point that is not finite; a file that cannot be written to.
///
/// ```
/// use patch_ccd::{geometry::TriangularPatch, io::write_obj};
/// use nalgebra::point;
/// let corners = [point![0.0, 0.0, 0.0], point![1.0, 0.0, 0.0], point![0.0, 1.0, 0.0]];
/// let triangle = TriangularPatch::new(1, &corners)?;
/// let mut text = Vec::new();
/// write_obj(&mut text, &[triangle], 1)?;
/// assert!(text.starts_with(b"o patch_0\nv 0.0 0.0 0.0\nv 1.0 0.0 0.0\nv 0.0 1.0 0.0\n"));
/// assert!(text.ends_with(b"f 1//1 2//2 3//3\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_obj<P: Patch>(
    sink: impl Write,
    patches: &[P],
    resolution: usize,
) -> Result<(), WriteError> {
    if !(1..=MAX_RESOLUTION).contains(&resolution) {
        return Err(WriteError::Resolution { value: resolution });
    }
    let mut sink = BufWriter::new(sink);
    // Vertices and normals are numbered through the whole file, from 1.
    let (mut first_vertex, mut first_normal) = (1, 1);
    for (number, patch) in patches.iter().enumerate() {
        check(number, patch)?;
        let Tessellation {
            parameters,
            triangles,
        } = tessellation(patch.shape(), resolution);
        writeln!(sink, "o patch_{number}")?;
        for &(u, v) in &parameters {
            let point = patch.eval(u, v);
            check_finite("point", [&point.coords]).map_err(|source| WriteError::Patch {
                patch: number,
                source,
            })?;
            writeln!(sink, "v {:?} {:?} {:?}", point.x, point.y, point.z)?;
        }
        if triangles.is_empty() {
            let element = if parameters.len() > 1 { "l" } else { "p" };
            write!(sink, "{element}")?;
            for index in 0..parameters.len() {
                write!(sink, " {}", first_vertex + index)?;
            }
            writeln!(sink)?;
        } else {
            let normals: Option<Vec<_>> = parameters
                .iter()
                .map(|&(u, v)| nearby_normal(patch, u, v))
                .collect();
            for normal in normals.iter().flatten() {
                writeln!(sink, "vn {:?} {:?} {:?}", normal.x, normal.y, normal.z)?;
            }
            for triangle in triangles {
                write!(sink, "f")?;
                for index in triangle {
                    write!(sink, " {}", first_vertex + index)?;
                    if normals.is_some() {
                        write!(sink, "//{}", first_normal + index)?;
                    }
                }
                writeln!(sink)?;
            }
            first_normal += normals.map_or(0, |normals| normals.len());
        }
        first_vertex += parameters.len();
    }
    Ok(sink.flush()?)
}

/// Writes the two points of each contact as points, as the objects `contact_0`, `contact_1`, …
///
/// # Errors
/// A file that cannot be written to.
pub fn write_contacts_obj(sink: impl Write, contacts: &[Contact]) -> Result<(), WriteError> {
    let mut sink = BufWriter::new(sink);
    for (number, contact) in contacts.iter().enumerate() {
        writeln!(sink, "o contact_{number}")?;
        for point in contact.points {
            writeln!(sink, "v {:?} {:?} {:?}", point.x, point.y, point.z)?;
        }
        writeln!(sink, "p {} {}", 2 * number + 1, 2 * number + 2)?;
    }
    Ok(sink.flush()?)
}

fn tessellation(shape: Shape, resolution: usize) -> Tessellation {
    let at = |i: usize, pieces: usize| i as f64 / pieces.max(1) as f64;
    let mut parameters = Vec::new();
    let mut triangles = Vec::new();
    match shape {
        Shape::TensorProduct { n, m } => {
            let [along_u, along_v] = [n, m].map(|degree| if degree > 0 { resolution } else { 0 });
            for i in 0..=along_u {
                for j in 0..=along_v {
                    if i < along_u && j < along_v {
                        let here = parameters.len();
                        let beside = here + along_v + 1;
                        triangles.push([here, beside, beside + 1]);
                        triangles.push([here, beside + 1, here + 1]);
                    }
                    parameters.push((at(i, along_u), at(j, along_v)));
                }
            }
        }
        Shape::Triangular { .. } => {
            for j in 0..=resolution {
                let row = resolution - j;
                for i in 0..=row {
                    let here = parameters.len();
                    let above = here + row + 1;
                    if i < row {
                        triangles.push([here, here + 1, above]);
                    }
                    if i + 1 < row {
                        triangles.push([here + 1, above + 1, above]);
                    }
                    parameters.push((at(i, resolution), at(j, resolution)));
                }
            }
        }
    }
    Tessellation {
        parameters,
        triangles,
    }
}

/// The normal at (u, v), or one nearby.
fn nearby_normal(patch: &impl Patch, u: f64, v: f64) -> Option<Vector3<f64>> {
    let (middle_u, middle_v) = patch.shape().centre(&Cell::UNIT);
    NEARBY
        .into_iter()
        .find_map(|part| patch.normal(u + part * (middle_u - u), v + part * (middle_v - v)))
}
