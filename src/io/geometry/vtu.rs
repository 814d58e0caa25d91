//! VTK unstructured grids, `.vtu`, for ParaView: patches as exact Bézier cells, and contacts as
//! points.
//!
//! Cells 75 (curve), 76 (triangle) and 77 (quadrilateral) exist since VTK 9.0, so ParaView 5.9 or
//! newer shows them. Its property "Nonlinear Subdivision Level" sets how finely. Control points are
//! in VTK's order: corners, edges, interior. The cell data `HigherOrderDegrees` holds the degrees
//! of cells, which may differ in u and v. The point data `RationalWeights` holds weights, beside
//! Euclidean points (`vtkHigherOrderQuadrilateral.cxx`, `vtkHigherOrderTriangle.cxx`,
//! kitware.com/implementation-of-rational-bezier-cells-into-vtk).

use std::fmt::Debug;
use std::io::{self, BufWriter, Write};

use nalgebra::{Point3, Vector3};

use super::{WriteError, check};
use crate::Contact;
use crate::geometry::{Patch, Shape};

/// Cell types of VTK.
const VERTEX: u8 = 1;
const BEZIER_CURVE: u8 = 75;
const BEZIER_TRIANGLE: u8 = 76;
const BEZIER_QUADRILATERAL: u8 = 77;

/// Writes each patch as a Bézier cell, with the patch's number (from 0) in the cell data `patch`.
///
/// A motion becomes a series of such files, one for each time. ParaView opens `cloth_0.vtu`,
/// `cloth_1.vtu`, … as one; a `.pvd` file that lists them gives it the times. Cells look flat there
/// until the property "Nonlinear Subdivision Level" is raised.
///
/// # Errors
/// A patch of a kind that is not from this crate and does not keep what [`Patch`] promises; a file
/// that cannot be written to.
///
/// ```
/// use patch_ccd::{Moving, geometry::TensorProductPatch, io::write_vtu};
/// use nalgebra::{point, vector};
/// let sheet = TensorProductPatch::new(1, 1, &[
///     point![0.0, 0.0, 1.0], point![0.0, 1.0, 1.0], point![1.0, 0.0, 1.0], point![1.0, 1.0, 1.0],
/// ])?;
/// let falling = Moving::translating(sheet, vector![0.0, 0.0, -2.0])?;
/// for step in 0..=10 {
///     let mut file = Vec::new(); // or File::create(format!("cloth_{step}.vtu"))?
///     write_vtu(&mut file, &[falling.at(0.1 * f64::from(step))?])?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_vtu<P: Patch>(sink: impl Write, patches: &[P]) -> Result<(), WriteError> {
    let mut cells = Vec::new();
    let mut degrees = Vec::new();
    let mut points = Vec::new();
    let mut weights = Vec::new();
    for (number, patch) in patches.iter().enumerate() {
        check(number, patch)?;
        let order = order(patch.shape());
        let (cell, [n, m]) = match patch.shape() {
            Shape::TensorProduct { n: 0, m: 0 } => (VERTEX, [0, 0]),
            Shape::TensorProduct { n, m: 0 } | Shape::TensorProduct { n: 0, m: n } => {
                (BEZIER_CURVE, [n, 0])
            }
            Shape::TensorProduct { n, m } => (BEZIER_QUADRILATERAL, [n, m]),
            Shape::Triangular { n } => (BEZIER_TRIANGLE, [n, n]),
        };
        cells.push((cell, order.len()));
        degrees.extend([n, m, 0]);
        points.extend(order.iter().map(|&index| patch.control_points()[index]));
        weights.extend(order.iter().map(|&index| match patch.weights() {
            Some(weights) => weights[index],
            None => 1.0,
        }));
    }
    let rational = patches.iter().any(|patch| patch.weights().is_some());

    let mut sink = BufWriter::new(sink);
    begin(&mut sink, points.len(), cells.len())?;
    if rational {
        writeln!(sink, "<PointData RationalWeights=\"RationalWeights\">")?;
        array(&mut sink, "Float64", "RationalWeights", 1, weights)?;
        writeln!(sink, "</PointData>")?;
    }
    writeln!(sink, "<CellData HigherOrderDegrees=\"HigherOrderDegrees\">")?;
    array(&mut sink, "Float64", "HigherOrderDegrees", 3, degrees)?;
    array(&mut sink, "Int64", "patch", 1, 0..patches.len())?;
    writeln!(sink, "</CellData>")?;
    end(&mut sink, &points, &cells)?;
    Ok(sink.flush()?)
}

/// Writes the two points of each contact as vertices, that on the first patch before that on the
/// second.
///
/// The point data are
/// - `contact`, the number of the contact, from 0;
/// - `side`, 0 or 1 for the first or second patch;
/// - `parameters`, u and v on that patch;
/// - `normals`, its unit normals, zero where there is none;
/// - `residual`, the distance of the two points.
///
/// # Errors
/// A file that cannot be written to.
///
/// ```
/// use patch_ccd::{Options, io::write_contacts_vtu, vertex_face};
/// use nalgebra::point;
/// let face = [point![0.0, 0.0, 0.0], point![1.0, 0.0, 0.0], point![0.0, 1.0, 0.0]];
/// let [start, end] = [1.0, -1.0].map(|z| [point![0.2, 0.3, z], face[0], face[1], face[2]]);
/// let outcome = vertex_face(&[start, end], &Options::default())?;
/// let contacts: Vec<_> = outcome.contact().copied().into_iter().collect();
/// let mut file = Vec::new(); // or File::create("contacts.vtu")?
/// write_contacts_vtu(&mut file, &contacts)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_contacts_vtu(sink: impl Write, contacts: &[Contact]) -> Result<(), WriteError> {
    let mut sink = BufWriter::new(sink);
    let count = 2 * contacts.len();
    let sides = || {
        contacts
            .iter()
            .flat_map(|contact| [(contact, 0), (contact, 1)])
    };
    begin(&mut sink, count, count)?;
    writeln!(sink, "<PointData Normals=\"normals\">")?;
    array(&mut sink, "Int64", "contact", 1, (0..count).map(|i| i / 2))?;
    array(&mut sink, "Int64", "side", 1, (0..count).map(|i| i % 2))?;
    let parameters = sides().flat_map(|(contact, side)| <[f64; 2]>::from(contact.parameters[side]));
    array(&mut sink, "Float64", "parameters", 2, parameters)?;
    let normals = sides().flat_map(|(contact, side)| {
        let normal = contact.normals[side].unwrap_or_else(Vector3::zeros);
        <[f64; 3]>::from(normal)
    });
    array(&mut sink, "Float64", "normals", 3, normals)?;
    let residuals = sides().map(|(contact, _)| contact.residual);
    array(&mut sink, "Float64", "residual", 1, residuals)?;
    writeln!(sink, "</PointData>")?;
    let points: Vec<_> = sides()
        .map(|(contact, side)| contact.points[side])
        .collect();
    end(&mut sink, &points, &vec![(VERTEX, 1); count])?;
    Ok(sink.flush()?)
}

/// Writes what precedes the data of points and cells.
fn begin(sink: &mut impl Write, points: usize, cells: usize) -> io::Result<()> {
    writeln!(sink, "<?xml version=\"1.0\"?>")?;
    writeln!(
        sink,
        "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\">"
    )?;
    writeln!(sink, "<UnstructuredGrid>")?;
    writeln!(
        sink,
        "<Piece NumberOfPoints=\"{points}\" NumberOfCells=\"{cells}\">"
    )
}

/// Writes the points and the cells. Each cell is given by its type and its number of points, which
/// follow those of the cell before.
fn end(sink: &mut impl Write, points: &[Point3<f64>], cells: &[(u8, usize)]) -> io::Result<()> {
    writeln!(sink, "<Points>")?;
    let coordinates = points.iter().flat_map(|point| <[f64; 3]>::from(*point));
    array(sink, "Float64", "Points", 3, coordinates)?;
    writeln!(sink, "</Points>\n<Cells>")?;
    array(sink, "Int64", "connectivity", 1, 0..points.len())?;
    let offsets = cells.iter().scan(0, |end, &(_, count)| {
        *end += count;
        Some(*end)
    });
    array(sink, "Int64", "offsets", 1, offsets)?;
    array(
        sink,
        "UInt8",
        "types",
        1,
        cells.iter().map(|&(cell, _)| cell),
    )?;
    writeln!(sink, "</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>")
}

/// Writes an array of numbers. The format {:?} gives each as many digits as it takes to read the
/// same double again.
fn array(
    sink: &mut impl Write,
    number: &str,
    name: &str,
    components: usize,
    values: impl IntoIterator<Item: Debug>,
) -> io::Result<()> {
    writeln!(
        sink,
        "<DataArray type=\"{number}\" Name=\"{name}\" \
         NumberOfComponents=\"{components}\" format=\"ascii\">"
    )?;
    for (index, value) in values.into_iter().enumerate() {
        let end = if (index + 1) % components == 0 {
            "\n"
        } else {
            " "
        };
        write!(sink, "{value:?}{end}")?;
    }
    writeln!(sink, "</DataArray>")
}

/// The indices of the control points in the order of VTK.
fn order(shape: Shape) -> Vec<usize> {
    let mut order = vec![0; shape.count()];
    match shape {
        Shape::TensorProduct { n, m: 0 } | Shape::TensorProduct { n: 0, m: n } => {
            for i in 0..=n {
                order[curve_place(n, i)] = i;
            }
        }
        Shape::TensorProduct { n, m } => {
            for i in 0..=n {
                for j in 0..=m {
                    order[quadrilateral_place(n, m, i, j)] = i * (m + 1) + j;
                }
            }
        }
        Shape::Triangular { n } => {
            let exponents = (0..=n).flat_map(|j| (0..=n - j).map(move |i| (i, j)));
            for (index, (i, j)) in exponents.enumerate() {
                order[triangle_place(n, i, j)] = index;
            }
        }
    }
    order
}

/// VTK's index of point i of a curve: the ends come first, then the others.
fn curve_place(n: usize, i: usize) -> usize {
    match i {
        0 => 0,
        i if i == n => 1,
        i => i + 1,
    }
}

/// VTK's index of point (i, j) of a quadrilateral. The corners come first, counter-clockwise; then
/// the edges j = 0, i = n, j = m, i = 0, each with its index rising; then the interior, i fastest.
fn quadrilateral_place(n: usize, m: usize, i: usize, j: usize) -> usize {
    let (inner_u, inner_v) = (n - 1, m - 1);
    let edges = [0, inner_u, inner_u + inner_v, 2 * inner_u + inner_v].map(|before| 4 + before);
    match (i == 0, i == n, j == 0, j == m) {
        (true, _, true, _) => 0,
        (_, true, true, _) => 1,
        (_, true, _, true) => 2,
        (true, _, _, true) => 3,
        (_, _, true, _) => edges[0] + i - 1,
        (_, true, _, _) => edges[1] + j - 1,
        (_, _, _, true) => edges[2] + i - 1,
        (true, _, _, _) => edges[3] + j - 1,
        _ => 4 + 2 * (inner_u + inner_v) + (j - 1) * inner_u + i - 1,
    }
}

/// VTK's index of the point with exponents (i, j, n − i − j) of a triangle. The corners w, u, v
/// come first; then the edges w → u, u → v, v → w; then the triangle of the inner points in the
/// same way.
fn triangle_place(n: usize, i: usize, j: usize) -> usize {
    let k = n - i - j;
    if n == 0 {
        return 0;
    }
    match (i, j, k) {
        (0, 0, _) => 0,
        (_, 0, 0) => 1,
        (0, _, 0) => 2,
        (i, 0, _) => 3 + i - 1,
        (_, j, 0) => 3 + (n - 1) + j - 1,
        (0, _, k) => 3 + 2 * (n - 1) + k - 1,
        _ => 3 * n + triangle_place(n - 3, i - 1, j - 1),
    }
}
