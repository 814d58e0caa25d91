//! The format of Newell's teapot and its kin, `.bpt`: tensor-product patches, one after the other.
//!
//! The number of patches; then for each of them two degrees and the control points, three numbers each, all separated by any white
//! space. Which of the degrees is the one whose index runs fastest is not in the file, and programs differ: see [`BptOrder`].

use std::io::Read;

use crate::geometry::{AnyPatch, Shape};
use crate::io::ReadError;
use crate::io::words::{Words, read_all};

/// Which control points of a `.bpt` file follow each other. The first degree of a patch is that in u, the second that in v.
///
/// For a patch of degree (n, m) with n = m, as the teapot's, both orders read, and give the same surface with u and v exchanged
/// and its normals on the other side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BptOrder {
    /// n + 1 points along u, m + 1 times: as the format's documentation has it ("control points move along the dimension
    /// specified first": holmes3d.net/graphics/roffview/tools/patchoff). The default.
    #[default]
    UFastest,
    /// m + 1 points along v, n + 1 times: as programs read it that take the points for the rows of a matrix.
    VFastest,
}

/// Reads the patches of a `.bpt` file, which errors call `file`.
///
/// A word that begins with `#` begins a comment, up to the end of its line.
///
/// # Errors
/// A word that is not the number it should be, or not finite; a degree out of range; a file that ends before its last patch, or
/// goes on after it (so do files with numbers of points in the place of degrees).
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
