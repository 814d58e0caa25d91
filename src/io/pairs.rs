//! The raw format of sets of random patch pairs.
//!
//! Little-endian `f64`, case after case: p1, v1, p2, v2, each N points of x, y, z. Both patches are of one kind; the
//! kind is not in the file.

use std::io::Read;

use nalgebra::{Point3, Vector3};

use super::ReadError;
use crate::Moving;
use crate::geometry::{AnyPatch, Shape};

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
