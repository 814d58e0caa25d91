//! The raw format of sets of patch pairs.
//!
//! Little-endian `f64`, case after case: p1, v1, p2, v2, each N points of x, y, z; of rational
//! patches w1, w2, N weights each, follow. Both patches are of one kind; the kind is not in the
//! file.

use std::io::Read;

use nalgebra::{Point3, Vector3};
use patch_ccd::geometry::{AnyPatch, Shape};
use patch_ccd::{Error, Moving};

/// Why a set of pairs could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PairError {
    /// The file could not be read at all.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The file ends inside a case.
    #[error("case {case}: {expected} bytes expected, but the file ends after {found}")]
    Truncated {
        /// Number of the case, from 0.
        case: usize,
        /// Bytes a case takes.
        expected: usize,
        /// Bytes there were.
        found: usize,
    },
    /// A case holds something that is not a moving patch.
    #[error("case {case}, patch {patch}: {source}")]
    Case {
        /// Number of the case, from 0.
        case: usize,
        /// 1 or 2.
        patch: usize,
        /// What is wrong.
        source: Error,
    },
}

/// Reads the cases of a raw file one by one, up to the first error.
///
/// ```
/// use pairs::PairReader;
/// use patch_ccd::geometry::Shape;
/// let zeros = [0_u8; 4 * 3 * 3 * 8]; // one case of linear triangles
/// let cases = PairReader::new(&zeros[..], Shape::Triangular { n: 1 });
/// assert_eq!(cases.filter_map(Result::ok).count(), 1);
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
    /// A reader of pairs of polynomial patches of the given shape. For rational ones, see
    /// [`PairKind::reader`](crate::PairKind::reader).
    pub fn new(source: R, shape: Shape) -> Self {
        Self::of(source, shape, false)
    }

    pub(crate) fn of(source: R, shape: Shape, rational: bool) -> Self {
        Self {
            source,
            shape,
            rational,
            case: 0,
            failed: false,
        }
    }

    fn read(&mut self) -> Result<Option<[Moving<AnyPatch>; 2]>, PairError> {
        let degrees = self.shape.check_degrees();
        degrees.map_err(|source| PairError::Case {
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
            return Err(PairError::Truncated {
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
            move |source| PairError::Case {
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
    type Item = Result<[Moving<AnyPatch>; 2], PairError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let pair = self.read();
        self.failed = pair.is_err();
        pair.transpose()
    }
}
