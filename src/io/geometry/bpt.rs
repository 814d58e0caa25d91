//! The format of Newell's teapot and its kin, `.bpt`: tensor-product patches, one after the other.
//!
//! A file has the number of patches, then for each of them two degrees and the control points,
//! three numbers each, all separated by any white space. Which degree belongs to the index that
//! runs fastest is not in the file, and programs differ: see [`BptOrder`].

use std::io::Read;

use crate::geometry::{AnyPatch, MAX_DEGREE, Shape};
use crate::io::words::{Word, Words, read_all};
use crate::io::{ReadError, TextProblem};

/// The order of the control points in a `.bpt` file. The first degree of a patch is that in u, the
/// second that in v.
///
/// Files of patches with equal degrees, such as the teapot's, can be read in both orders. They give
/// the same surface, with u and v exchanged and its normals on the other side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BptOrder {
    /// n + 1 points along u, m + 1 times, as the format's documentation says ("control points move
    /// along the dimension specified first": holmes3d.net/graphics/roffview/tools/patchoff). This
    /// is the default.
    #[default]
    UFastest,
    /// m + 1 points along v, n + 1 times, as programs read it that take the points for the rows of
    /// a matrix.
    VFastest,
}

/// Reads the patches of a `.bpt` file, which errors call `file`.
///
/// A word that begins with `#` begins a comment, which ends with its line.
///
/// Some public copies of the teapot have numbers of points in place of degrees: `4 4` where the
/// format has `3 3`. A file of two patches or more is read in that way if it does not fit degrees
/// and all of it fits numbers of points. A file of one patch is refused, since it could as well be
/// one with degrees that has been cut short.
///
/// # Errors
/// A word that is not the number it should be, or not finite; a degree out of range; a file of one
/// patch with numbers of points in place of degrees; a file that cannot be read, lacks the number
/// of patches, ends before its last patch, or goes on after it.
///
/// ```
/// use patch_ccd::geometry::Patch;
/// use patch_ccd::io::{BptOrder, read_bpt};
/// let text = "1
///     1 2
///     0 0 0   1 0 0
///     0 1 0   1 1 4
///     0 2 0   1 2 0";
/// let patches = read_bpt(text.as_bytes(), "sheet.bpt", BptOrder::UFastest)?;
/// assert_eq!(patches[0].eval(1.0, 0.5), [1.0, 1.0, 2.0].into());
/// # Ok::<(), patch_ccd::io::ReadError>(())
/// ```
pub fn read_bpt(
    source: impl Read,
    file: impl AsRef<str>,
    order: BptOrder,
) -> Result<Vec<AnyPatch>, ReadError> {
    let file = file.as_ref();
    let text = read_all(source, file)?;
    let words = || Words::new(&text, file);
    let error = match read_patches(words(), order, Sizes::Degrees) {
        Ok(patches) => return Ok(patches),
        Err(error) => error,
    };
    match read_patches(words(), order, Sizes::Counts) {
        Ok(patches) if patches.len() > 1 => Ok(patches),
        Ok(_) => Err(counts_for_degrees(words()).unwrap_or(error)),
        // The file is taken for what it fits farther.
        Err(other) if place(&other) > place(&error) => Err(other),
        Err(_) if begins_with_degrees(words()) => {
            let mut words = words();
            let place = words.next_place();
            Err(words.error(place, TextProblem::NoPatchCount))
        }
        Err(_) => Err(error),
    }
}

/// What the two numbers before the points of a patch are.
#[derive(Clone, Copy, PartialEq)]
enum Sizes {
    /// Its degrees, as the format has it.
    Degrees,
    /// Its numbers of points.
    Counts,
}

/// Reads all patches, to the end of the file.
fn read_patches(
    mut words: Words<'_>,
    order: BptOrder,
    sizes: Sizes,
) -> Result<Vec<AnyPatch>, ReadError> {
    let (said, _) = words.whole("the number of patches")?;
    let mut patches = Vec::new();
    for found in 0..said {
        if words.is_at_end() {
            let place = words.next_place();
            return Err(words.error(place, TextProblem::MissingPatches { said, found }));
        }
        patches.push(read_patch(&mut words, order, sizes)?);
    }
    match words.next() {
        None => Ok(patches),
        Some(word) => {
            let found = word.shown();
            Err(words.error(word.place, TextProblem::MorePatches { said, found }))
        }
    }
}

fn read_patch(words: &mut Words<'_>, order: BptOrder, sizes: Sizes) -> Result<AnyPatch, ReadError> {
    let place = words.next_place();
    let [n, m] = match sizes {
        Sizes::Degrees => [words.degree("degree in u")?, words.degree("degree in v")?],
        Sizes::Counts => [degree_of_count(words)?, degree_of_count(words)?],
    };
    let shape = Shape::TensorProduct { n, m };
    let mut points = words.points(shape.count())?;
    if order == BptOrder::UFastest {
        let along = |i, j| points[j * (n + 1) + i];
        points = (0..=n)
            .flat_map(|i| (0..=m).map(move |j| along(i, j)))
            .collect();
    }
    AnyPatch::from_shape(shape, &points).map_err(|error| words.error(place, error))
}

/// Reads a number of points in one direction.
fn degree_of_count(words: &mut Words<'_>) -> Result<usize, ReadError> {
    let expected = "a number of points from 2 to 31";
    let word = words.word(expected)?;
    let degree = word.parse().and_then(|count: usize| count.checked_sub(1));
    let degree = degree.filter(|degree| (1..=MAX_DEGREE).contains(degree));
    degree.ok_or_else(|| words.unexpected(word, expected))
}

/// The error that the only patch of a file has numbers of points in place of degrees.
fn counts_for_degrees(mut words: Words<'_>) -> Result<ReadError, ReadError> {
    words.whole("the number of patches")?;
    let place = words.next_place();
    let [n, m] = [words.degree("degree in u")?, words.degree("degree in v")?];
    Ok(words.error(place, TextProblem::CountsForDegrees { n, m }))
}

/// Whether the first line is two degrees and nothing else: the number of patches is missing.
fn begins_with_degrees(mut words: Words<'_>) -> bool {
    let (Some(n), Some(m)) = (words.next(), words.next()) else {
        return false;
    };
    let is_degree = |word: Word<'_>| {
        let degree = word.parse();
        degree.is_some_and(|degree: usize| (1..=MAX_DEGREE).contains(&degree))
    };
    let starts_a_line = |word: Word<'_>| !word.place.shares_line_with(m.place);
    is_degree(n) && is_degree(m) && !starts_a_line(n) && words.next().is_none_or(starts_a_line)
}

/// The line and the column of an error.
fn place(error: &ReadError) -> Option<(u64, usize)> {
    match error {
        ReadError::Text { line, column, .. } => Some((*line, *column)),
        ReadError::Io(_) => None,
    }
}
