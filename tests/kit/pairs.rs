//! The raw format of sets of random patch pairs.
//!
//! Little-endian `f64`, case after case: p1, v1, p2, v2, each N points of x, y, z; of rational patches w1, w2, N weights
//! each, follow. Both patches are of one kind; the kind is not in the file.

use std::io::Read;

use nalgebra::{Point3, Vector3};
use patch_ccd::geometry::{AnyPatch, Shape};
use patch_ccd::{Error, Moving};

use crate::ReadError;

/// The kind and degree of both patches of a set of pairs, written `tri3`, `quad3` or `rational-quad3`.
///
/// ```
/// use kit::PairKind;
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
        PairReader {
            source,
            shape: self.shape,
            rational: self.rational,
            case: 0,
            failed: false,
        }
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

/// Reads the cases of a raw file one by one, up to the first error.
///
/// ```
/// use kit::PairReader;
/// use patch_ccd::geometry::Shape;
/// let zeros = [0_u8; 4 * 3 * 3 * 8]; // one case of linear triangles
/// let cases: Result<Vec<_>, _> = PairReader::new(&zeros[..], Shape::Triangular { n: 1 }).collect();
/// assert_eq!(cases.unwrap().len(), 1);
/// ```
#[derive(Debug)]
pub struct PairReader<R> {
    source: R,
    shape: Shape,
    rational: bool,
    case: usize,
    failed: bool,
}

impl<R: Read> PairReader<R> {
    /// A reader of pairs of polynomial patches of the given shape. For rational ones, see [`PairKind::reader`].
    pub fn new(source: R, shape: Shape) -> Self {
        Self {
            source,
            shape,
            rational: false,
            case: 0,
            failed: false,
        }
    }

    fn read(&mut self) -> Result<Option<[Moving<AnyPatch>; 2]>, ReadError> {
        let degrees = self.shape.check_degrees();
        degrees.map_err(|source| ReadError::Case {
            case: self.case,
            patch: 1,
            source,
        })?;
        let count = self.shape.count();
        let numbers = 4 * count * 3 + if self.rational { 2 * count } else { 0 };
        let size = numbers * size_of::<f64>();
        let mut bytes = Vec::with_capacity(size);
        let found = self
            .source
            .by_ref()
            .take(size as u64)
            .read_to_end(&mut bytes)?;
        if found == 0 {
            return Ok(None);
        }
        if found < size {
            return Err(ReadError::Truncated {
                case: self.case,
                expected: size,
                found,
            });
        }
        let (numbers, _) = bytes.as_chunks::<8>();
        let numbers: Vec<f64> = numbers
            .iter()
            .map(|&bytes| f64::from_le_bytes(bytes))
            .collect();
        let (coordinates, weights) = numbers.split_at(4 * count * 3);
        let vectors: Vec<Vector3<f64>> = coordinates
            .chunks_exact(3)
            .map(Vector3::from_column_slice)
            .collect();
        let patch = |side: usize| {
            let net = &vectors[2 * side * count..];
            let points: Vec<_> = net[..count].iter().map(|&p| Point3::from(p)).collect();
            let start = if self.rational {
                AnyPatch::rational_from_shape(
                    self.shape,
                    &points,
                    &weights[side * count..][..count],
                )?
            } else {
                AnyPatch::from_shape(self.shape, &points)?
            };
            Moving::with_velocities(start, &net[count..][..count])
        };
        let in_case = |patch| {
            let case = self.case;
            move |source| ReadError::Case {
                case,
                patch,
                source,
            }
        };
        let pair = [patch(0).map_err(in_case(1))?, patch(1).map_err(in_case(2))?];
        self.case += 1;
        Ok(Some(pair))
    }
}

impl<R: Read> Iterator for PairReader<R> {
    type Item = Result<[Moving<AnyPatch>; 2], ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let pair = self.read();
        self.failed = pair.is_err();
        pair.transpose()
    }
}
