//! The format of BezierView, `.bv`: patches of all kinds in named groups.
//!
//! A file is a sequence of segments whose words are separated by any white space. A segment
//! consists of its kind, its degrees and its control points. A line with `Group`, a number for the
//! colour and a name puts the segments that follow in a group.
//!
//! | kind | holds |
//! |---|---|
//! | 1 | a mesh: see below |
//! | 3 | a triangular patch: degree, control points row by row from the bottom edge, u fastest |
//! | 4 | a tensor-product patch of equal degrees: degree, control points |
//! | 5 | a tensor-product patch: degrees in u and v, control points, v fastest |
//! | 8 | a rational tensor-product patch: as 5, with four numbers a point: w·x, w·y, w·z, w |
//! | 9, 10 | patches with separate normals: not supported |
//!
//! A mesh is the number of vertices, the number of faces, the vertices, and for each face the
//! number of its vertices and their indices from 0. A tensor-product patch has n + 1 rows of m + 1
//! control points.
//!
//! The source is the viewer's own `FORMAT.txt` and its readers (github.com/SurfLab/BezierView:
//! `load.c`, `QuadBezier.cpp`, `TriBezier.cpp`). None of them says how kind 8 writes weights. But
//! the viewer divides x, y and z by the fourth number, and its `tor.bv` is a torus only if the
//! points are homogeneous. There is no kind for rational triangles.

use std::io::{BufWriter, Read, Write};

use nalgebra::Point3;

use super::WriteError;
use crate::Error;
use crate::geometry::{AnyPatch, Patch, Shape, check_weights};
use crate::io::words::{Place, Word, Words, read_all};
use crate::io::{ReadError, TextProblem};

/// The patches of one group of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BvGroup {
    /// The group's name, one word; empty for the patches that precede every group.
    pub name: String,
    /// The number of its colour in the viewer.
    pub color: i64,
    /// The patches, in the order of the file.
    pub patches: Vec<AnyPatch>,
}

/// Reads the patches of a BezierView file, which errors call `file`.
///
/// A group is returned for every `Group` line, even if its name has occurred before. Faces of a
/// mesh become linear patches. Triangles have degree 1 and their corner (u, v) = (0, 0) at the
/// first vertex; quadrilaterals are bilinear patches with the vertices at (0, 0), (1, 0), (1, 1),
/// (0, 1). A word that begins with `#` begins a comment, which ends with its line.
///
/// # Errors
/// A kind that is not supported; a group without a name, or with more than one word for it; a face
/// of other than 3 or 4 vertices, or with a vertex that the mesh does not have; a word that is not
/// the number it should be, or not finite; a degree out of range; weights that
/// [`Rational::new`](crate::geometry::Rational::new) refuses; a file that ends inside a segment or
/// cannot be read.
///
/// ```
/// use patch_ccd::geometry::Patch;
/// use patch_ccd::io::read_bv;
/// let text = "Group 0 sheet
///     5
///     1 2
///     0 0 0   0 1 0   0 2 0
///     1 0 0   1 1 4   1 2 0";
/// let groups = read_bv(text.as_bytes(), "sheet.bv")?;
/// assert_eq!(groups[0].name, "sheet");
/// assert_eq!(groups[0].patches[0].eval(1.0, 0.5), [1.0, 1.0, 2.0].into());
/// # Ok::<(), patch_ccd::io::ReadError>(())
/// ```
pub fn read_bv(source: impl Read, file: impl AsRef<str>) -> Result<Vec<BvGroup>, ReadError> {
    let file = file.as_ref();
    let text = read_all(source, file)?;
    let mut words = Words::new(&text, file);
    let mut unnamed = BvGroup::default();
    let mut groups: Vec<BvGroup> = Vec::new();
    while let Some(word) = words.next() {
        if begins_a_group(word) {
            groups.push(read_group(&mut words)?);
            continue;
        }
        let expected = "the kind of a segment, \"Group\", or a comment after #";
        let kind = word
            .parse()
            .ok_or_else(|| words.unexpected(word, expected))?;
        let group = groups.last_mut().unwrap_or(&mut unnamed);
        read_segment(&mut words, kind, word.place, &mut group.patches)?;
    }
    if !unnamed.patches.is_empty() {
        groups.insert(0, unnamed);
    }
    Ok(groups)
}

/// Reads what follows the word `Group`.
fn read_group(words: &mut Words<'_>) -> Result<BvGroup, ReadError> {
    let expected = "the number of a colour";
    let word = words.word(expected)?;
    let color = word
        .parse()
        .ok_or_else(|| words.unexpected(word, expected))?;
    let name = words.word("the name of a group")?;
    // The viewer would take the kind of the first segment for the name, and then go astray.
    if let Some(next) = name.parse()
        && !name.place.shares_line_with(word.place)
    {
        return Err(words.error(word.place, TextProblem::NoGroupName { color, next }));
    }
    if let Some(next) = words.clone().next()
        && next.place.shares_line_with(name.place)
        && !begins_a_group(next)
        && next.parse::<u64>().is_none()
    {
        let found = next.shown();
        return Err(words.error(next.place, TextProblem::LongGroupName { found }));
    }
    Ok(BvGroup {
        name: String::from_utf8_lossy(name.text).into_owned(),
        color,
        patches: Vec::new(),
    })
}

fn begins_a_group(word: Word<'_>) -> bool {
    word.text.eq_ignore_ascii_case(b"group")
}

/// Reads what follows the kind of a segment.
fn read_segment(
    words: &mut Words<'_>,
    kind: u64,
    place: Place,
    patches: &mut Vec<AnyPatch>,
) -> Result<(), ReadError> {
    let (shape, rational) = match kind {
        1 => return read_mesh(words, patches),
        3 => {
            let n = words.degree("degree")?;
            (Shape::Triangular { n }, false)
        }
        4 => {
            let n = words.degree("degree")?;
            (Shape::TensorProduct { n, m: n }, false)
        }
        5 | 8 => {
            let n = words.degree("degree in u")?;
            let m = words.degree("degree in v")?;
            (Shape::TensorProduct { n, m }, kind == 8)
        }
        _ => {
            let known = "1 (mesh), 3 (triangular), 4, 5 (tensor-product) and 8 (rational)";
            return Err(words.error(place, TextProblem::Kind { kind, known }));
        }
    };
    let patch = if rational {
        read_rational(words, shape)?
    } else {
        let points = words.points(shape.count())?;
        AnyPatch::from_shape(shape, &points).map_err(|error| words.error(place, error))?
    };
    patches.push(patch);
    Ok(())
}

/// Reads the control points of a rational patch, each with its weight.
fn read_rational(words: &mut Words<'_>, shape: Shape) -> Result<AnyPatch, ReadError> {
    let start = words.next_place();
    let (mut points, mut weights, mut places) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..shape.count() {
        places.push(words.next_place());
        let [x, y, z, w] = words.numbers()?;
        points.push(Point3::new(x, y, z));
        weights.push(w);
    }
    // This comes before the division, which makes NaN of a weight of 0.
    let patch = check_weights(shape, &weights).and_then(|()| {
        for (point, weight) in points.iter_mut().zip(&weights) {
            *point /= *weight;
        }
        AnyPatch::rational_from_shape(shape, &points, &weights)
    });
    patch.map_err(|error| {
        let index = match error {
            Error::Weight { index, .. } | Error::NonFinite { index, .. } => index,
            _ => 0,
        };
        let place = places.get(index).copied();
        words.error(place.unwrap_or(start), error)
    })
}

/// Reads what follows kind 1.
fn read_mesh(words: &mut Words<'_>, patches: &mut Vec<AnyPatch>) -> Result<(), ReadError> {
    let (vertices, _) = words.whole("the number of vertices")?;
    let (faces, _) = words.whole("the number of faces")?;
    let vertices = words.points(usize::try_from(vertices).unwrap_or(usize::MAX))?;
    for _ in 0..faces {
        let (sides, place) = words.whole("the number of vertices of a face")?;
        let patch = match sides {
            3 => {
                let points = read_face::<3>(words, &vertices)?;
                AnyPatch::from_shape(Shape::Triangular { n: 1 }, &points)
            }
            4 => {
                let [a, b, c, d] = read_face(words, &vertices)?;
                AnyPatch::from_shape(Shape::TensorProduct { n: 1, m: 1 }, &[a, d, b, c])
            }
            _ => return Err(words.error(place, TextProblem::Sides { sides })),
        };
        patches.push(patch.map_err(|error| words.error(place, error))?);
    }
    Ok(())
}

/// Reads the indices of a face and looks up its vertices.
fn read_face<const N: usize>(
    words: &mut Words<'_>,
    vertices: &[Point3<f64>],
) -> Result<[Point3<f64>; N], ReadError> {
    let mut corners = [Point3::origin(); N];
    for corner in &mut corners {
        let (index, place) = words.whole("the index of a vertex")?;
        let vertex = usize::try_from(index).ok().and_then(|i| vertices.get(i));
        *corner = *vertex.ok_or_else(|| {
            let count = vertices.len();
            words.error(place, TextProblem::Vertex { index, count })
        })?;
    }
    Ok(corners)
}

/// Writes patches in groups as a BezierView file, each as kind 3, 5 or 8.
///
/// The first group may have an empty name; its patches then precede every group. What is read again
/// equals what was written, except for rational patches: their control points are multiplied by
/// their weights, which rounds.
///
/// # Errors
/// A rational triangular patch, a curve or a point, which the format does not have; a weighted
/// control point out of the range of doubles; a name that is not one word; a file that cannot be
/// written to. What precedes the error has been written.
///
/// ```
/// use patch_ccd::geometry::{AnyPatch, Shape};
/// use patch_ccd::io::{BvGroup, read_bv, write_bv};
/// use nalgebra::point;
/// let triangle = [point![0.1, 0.0, 0.0], point![1.0, 0.0, 0.0], point![0.0, 1.0, 0.0]];
/// let patches = vec![AnyPatch::from_shape(Shape::Triangular { n: 1 }, &triangle)?];
/// let groups = [BvGroup { name: "face".to_owned(), color: 0, patches }];
/// let mut text = Vec::new();
/// write_bv(&mut text, &groups)?;
/// assert_eq!(text, b"Group 0 face\n3\n1\n0.1 0.0 0.0\n1.0 0.0 0.0\n0.0 1.0 0.0\n");
/// assert_eq!(read_bv(&text[..], "face.bv")?, groups);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_bv(sink: impl Write, groups: &[BvGroup]) -> Result<(), WriteError> {
    let mut sink = BufWriter::new(sink);
    let mut number = 0;
    for (index, group) in groups.iter().enumerate() {
        let BvGroup {
            name,
            color,
            patches,
        } = group;
        let unnamed = name.is_empty() && index == 0;
        if !unnamed {
            // Accept only names that are read again as one word.
            let mut words = Words::new(name.as_bytes(), "");
            if words.next().map(|word| word.text) != Some(name.as_bytes()) {
                return Err(WriteError::GroupName {
                    group: index,
                    name: name.clone(),
                });
            }
            writeln!(sink, "Group {color} {name}")?;
        }
        for patch in patches {
            write_segment(&mut sink, number, patch)?;
            number += 1;
        }
    }
    Ok(sink.flush()?)
}

fn write_segment(sink: &mut impl Write, number: usize, patch: &AnyPatch) -> Result<(), WriteError> {
    let shape = patch.shape();
    let weights = patch.weights();
    match (shape, weights) {
        (Shape::Triangular { n }, None) => writeln!(sink, "3\n{n}")?,
        (
            Shape::TensorProduct {
                n: n @ 1..,
                m: m @ 1..,
            },
            _,
        ) => {
            let kind = if weights.is_some() { 8 } else { 5 };
            writeln!(sink, "{kind}\n{n} {m}")?;
        }
        _ => {
            let rational = if weights.is_some() { "rational " } else { "" };
            return Err(WriteError::Unsupported {
                patch: number,
                kind: format!("{rational}{shape}"),
            });
        }
    }
    for (index, point) in patch.control_points().iter().enumerate() {
        let Some(&weight) = weights.and_then(|weights| weights.get(index)) else {
            writeln!(sink, "{:?} {:?} {:?}", point.x, point.y, point.z)?;
            continue;
        };
        let weighted = point * weight;
        if !weighted.iter().all(|x| x.is_finite()) {
            return Err(WriteError::Overflow {
                patch: number,
                index,
                weight,
            });
        }
        let [x, y, z] = weighted.into();
        writeln!(sink, "{x:?} {y:?} {z:?} {weight:?}")?;
    }
    Ok(())
}
