//! The kinds of pairs that the studies are about.

use std::io::Read;

use patch_ccd::Error;
use patch_ccd::geometry::Shape;

use crate::PairReader;

/// The kind and degree of both patches of a set of pairs, written `tri3`, `quad3` or
/// `rational-quad3`.
///
/// ```
/// use pairs::PairKind;
/// use patch_ccd::geometry::Shape;
/// let kind: PairKind = "quad2".parse()?;
/// assert_eq!(kind.shape(), Shape::TensorProduct { n: 2, m: 2 });
/// assert_eq!(kind.to_string(), "quad2");
/// # Ok::<(), patch_ccd::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PairKind {
    name: &'static str,
    shape: Shape,
    rational: bool,
}

const fn tri(name: &'static str, n: usize, rational: bool) -> PairKind {
    PairKind {
        name,
        shape: Shape::Triangular { n },
        rational,
    }
}

const fn quad(name: &'static str, n: usize, rational: bool) -> PairKind {
    PairKind {
        name,
        shape: Shape::TensorProduct { n, m: n },
        rational,
    }
}

impl PairKind {
    /// The six kinds of the timing table: triangles, then quads, of degree 1 to 3.
    pub const TABLE: [Self; 6] = [
        tri("tri1", 1, false),
        tri("tri2", 2, false),
        tri("tri3", 3, false),
        quad("quad1", 1, false),
        quad("quad2", 2, false),
        quad("quad3", 3, false),
    ];

    /// The rational kinds: triangles, then quads, of degree 2 and 3.
    pub const RATIONAL: [Self; 4] = [
        tri("rational-tri2", 2, true),
        tri("rational-tri3", 3, true),
        quad("rational-quad2", 2, true),
        quad("rational-quad3", 3, true),
    ];

    /// The shape of both patches.
    pub fn shape(self) -> Shape {
        self.shape
    }

    /// A reader of pairs of this kind.
    pub fn reader<R: Read>(self, source: R) -> PairReader<R> {
        PairReader::of(source, self.shape, self.rational)
    }
}

impl std::fmt::Display for PairKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name)
    }
}

impl std::str::FromStr for PairKind {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let mut kinds = Self::TABLE.into_iter().chain(Self::RATIONAL);
        kinds
            .find(|kind| kind.name == name)
            .ok_or_else(|| Error::Name {
                found: name.to_owned(),
                known: &[
                    "tri1",
                    "tri2",
                    "tri3",
                    "quad1",
                    "quad2",
                    "quad3",
                    "rational-tri2",
                    "rational-tri3",
                    "rational-quad2",
                    "rational-quad3",
                ],
            })
    }
}
