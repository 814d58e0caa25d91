//! The raw format of sets of random patch pairs.
//!
//! Little-endian `f64`, case after case: p1, v1, p2, v2, each N points of x, y, z. Both patches are of one kind; the
//! kind is not in the file.

use std::io::Read;

use nalgebra::{Point3, Vector3};

use super::ReadError;
use crate::geometry::{AnyPatch, Shape};
use crate::{Error, Moving};

/// The kind and degree of both patches of a set of pairs, written `tri3` or `quad3`.
///
/// ```
/// use patch_ccd::{geometry::Shape, io::PairKind};
/// let kind: PairKind = "quad2".parse()?;
/// assert_eq!(kind.shape(), Shape::TensorProduct { n: 2, m: 2 });
/// assert_eq!(kind.to_string(), "quad2");
/// # Ok::<(), patch_ccd::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PairKind {
    quad: bool,
    degree: usize,
}

impl PairKind {
    /// The six kinds of the timing table: triangles, then quads, of degree 1 to 3.
    pub const TABLE: [Self; 6] = [
        Self {
            quad: false,
            degree: 1,
        },
        Self {
            quad: false,
            degree: 2,
        },
        Self {
            quad: false,
            degree: 3,
        },
        Self {
            quad: true,
            degree: 1,
        },
        Self {
            quad: true,
            degree: 2,
        },
        Self {
            quad: true,
            degree: 3,
        },
    ];

    /// The shape of both patches.
    pub fn shape(self) -> Shape {
        let n = self.degree;
        if self.quad {
            Shape::TensorProduct { n, m: n }
        } else {
            Shape::Triangular { n }
        }
    }
}

impl std::fmt::Display for PairKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&format!(
            "{}{}",
            if self.quad { "quad" } else { "tri" },
            self.degree
        ))
    }
}

impl std::str::FromStr for PairKind {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Self::TABLE
            .into_iter()
            .find(|kind| kind.to_string() == name)
            .ok_or_else(|| Error::Name {
                found: name.to_owned(),
                known: &["tri1", "tri2", "tri3", "quad1", "quad2", "quad3"],
            })
    }
}

/// Reads the cases of a raw file one by one.
///
/// ```
/// use patch_ccd::{geometry::Shape, io::PairReader};
/// let zeros = [0_u8; 4 * 3 * 3 * 8]; // one case of linear triangles
/// let cases: Result<Vec<_>, _> = PairReader::new(&zeros[..], Shape::Triangular { n: 1 }).collect();
/// assert_eq!(cases.unwrap().len(), 1);
/// ```
#[derive(Debug)]
pub struct PairReader<R> {
    source: R,
    shape: Shape,
    case: usize,
}

impl<R: Read> PairReader<R> {
    /// A reader of pairs of patches of the given shape.
    pub fn new(source: R, shape: Shape) -> Self {
        Self {
            source,
            shape,
            case: 0,
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
        let size = 4 * count * 3 * size_of::<f64>();
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
        let vectors: Vec<Vector3<f64>> = numbers
            .chunks_exact(3)
            .map(|xyz| Vector3::from_fn(|c, _| f64::from_le_bytes(xyz[c])))
            .collect();
        let patch = |net: usize| {
            let points: Vec<_> = vectors[net * count..][..count]
                .iter()
                .map(|&p| Point3::from(p))
                .collect();
            let start = AnyPatch::from_shape(self.shape, &points)?;
            Moving::with_velocities(start, &vectors[(net + 1) * count..][..count])
        };
        let in_case = |patch| {
            let case = self.case;
            move |source| ReadError::Case {
                case,
                patch,
                source,
            }
        };
        let pair = [patch(0).map_err(in_case(1))?, patch(2).map_err(in_case(2))?];
        self.case += 1;
        Ok(Some(pair))
    }
}

impl<R: Read> Iterator for PairReader<R> {
    type Item = Result<[Moving<AnyPatch>; 2], ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}
