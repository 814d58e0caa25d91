//! The format of Newell's teapot and its kin, `.bpt`: tensor-product patches, one after the other.
//!
//! A file has the number of patches, then for each of them two degrees and the control points,
//! three numbers each, all separated by any white space. Which degree belongs to the index that
//! runs fastest is not in the file, and programs differ: see [`BptOrder`].

use std::io::Read;

use crate::geometry::{AnyPatch, Shape};
use crate::io::ReadError;
use crate::io::words::{Words, read_all};

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
/// # Errors
/// A word that is not the number it should be, or not finite; a degree out of range; a file that
/// cannot be read, ends before its last patch, or goes on after it (as do files with numbers of
/// points in place of degrees).
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
    let mut words = Words::new(&text, file);
    let (count, _) = words.whole("the number of patches")?;
    let mut patches = Vec::new();
    for _ in 0..count {
        let place = words.next_place();
        let n = words.degree("degree in u")?;
        let m = words.degree("degree in v")?;
        let shape = Shape::TensorProduct { n, m };
        let mut points = words.points(shape.count())?;
        if order == BptOrder::UFastest {
            let along = |i, j| points[j * (n + 1) + i];
            points = (0..=n)
                .flat_map(|i| (0..=m).map(move |j| along(i, j)))
                .collect();
        }
        let patch = AnyPatch::from_shape(shape, &points);
        patches.push(patch.map_err(|error| words.error(place, error))?);
    }
    match words.next() {
        None => Ok(patches),
        Some(word) => Err(words.unexpected(word, "the end of the file")),
    }
}
