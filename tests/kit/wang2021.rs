//! The format of the query sets of Wang et al. 2021, *A Large-scale Benchmark and an
//! Inclusion-based Algorithm for Continuous Collision Detection* (ACM TOG 40(5)).
//!
//! Comma-separated text, eight rows a query: the four points at t = 0, then the same at t = 1, in
//! the order of [`edge_edge`](patch_ccd::edge_edge) or [`vertex_face`](patch_ccd::vertex_face);
//! which of the two is not in the file. A row holds x, y and z as numerator, denominator each:
//! integers of any length, their quotient exact in double. In an optional seventh column, the same
//! in all eight rows, stands whether the step collides: 1 or 0. Blank rows and rows that begin with
//! `#` do not count.

use std::io::{self, Chain, Read};

use csv::{ByteRecord, ReaderBuilder, Terminator};
use dashu_int::IBig;
use dashu_ratio::RBig;
use nalgebra::Point3;
use patch_ccd::Step;

use crate::ReadError;
use crate::text::shown;

/// Rows of a query.
const ROWS: usize = 8;

/// Bytes of a row at most. In lowest terms the longest three doubles take about a thousand.
const MAX_ROW: usize = 1 << 14;

/// A step of two edges, or of a vertex and a face, and whether they collide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wang2021Query {
    /// The points at t = 0 and at t = 1, in the order of [`edge_edge`](patch_ccd::edge_edge) or
    /// [`vertex_face`](patch_ccd::vertex_face).
    pub step: Step<4>,
    /// The exact answer, where the file has it.
    pub truth: Option<bool>,
}

/// What is wrong with a row of comma-separated integers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RowProblem {
    /// Longer than any row in this format has to be.
    #[error("the row is longer than {limit} bytes")]
    TooLong {
        /// Bytes of a row at most.
        limit: usize,
    },
    /// Too few or too many columns. The column of the error is the first that is missing or too
    /// many.
    #[error("{found} columns, but there must be 6, or 7 with the truth")]
    Columns {
        /// Columns of the row.
        found: usize,
    },
    /// A numerator or denominator is something else than an integer.
    #[error("an integer expected, but it is \"{found}\"")]
    NotInteger {
        /// The field, cut short where it is long.
        found: String,
    },
    /// A denominator is zero.
    #[error("the denominator is zero")]
    ZeroDenominator,
    /// The quotient is not one of the doubles. The column of the error is that of the numerator.
    #[error("{numerator}/{denominator} is not exact in double")]
    Inexact {
        /// The numerator, cut short where it is long.
        numerator: String,
        /// The denominator, cut short where it is long.
        denominator: String,
    },
    /// The seventh column holds neither 0 nor 1.
    #[error("the truth must be 0 or 1, but is \"{found}\"")]
    Truth {
        /// The field, cut short where it is long.
        found: String,
    },
    /// The seventh column is not the same in all rows of a query.
    #[error("the truth differs from that in the first row of the query")]
    TruthDiffers,
    /// The file ends inside a query. The line of the error is the last that is not empty.
    #[error("the file ends after {found} of the query's 8 rows")]
    Truncated {
        /// Rows of the query that there are.
        found: usize,
    },
}

/// Reads the queries of a file one by one; after an error there are no more.
///
/// A row may have 16 384 bytes at most.
///
/// ```
/// use kit::Wang2021Reader;
/// use patch_ccd::{Options, edge_edge};
/// // An edge along x at z = 1/2 that falls to z = -1/2, through an edge along y at rest.
/// let text = "# x, y, z as numerator, denominator; truth
///     -1,1, 0,1, 1,2, 1
///      1,1, 0,1, 1,2, 1
///      0,1,-1,1, 0,1, 1
///      0,1, 1,1, 0,1, 1
///
///     -1,1, 0,1,-1,2, 1
///      1,1, 0,1,-1,2, 1
///      0,1,-1,1, 0,1, 1
///      0,1, 1,1, 0,1, 1";
/// for query in Wang2021Reader::new(text.as_bytes(), "example.csv") {
///     let query = query?;
///     let outcome = edge_edge(&query.step, &Options::default())?;
///     assert_eq!(Some(outcome.toi().is_some()), query.truth);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Wang2021Reader<R> {
    rows: csv::Reader<Limited<Chain<R, &'static [u8]>>>,
    file: String,
    /// Number of the row read last, and its fields.
    line: u64,
    row: ByteRecord,
    ended: bool,
}

impl<R: Read> Wang2021Reader<R> {
    /// A reader of the queries in `source`, which errors call `file`.
    pub fn new(source: R, file: impl Into<String>) -> Self {
        // With one more end of a line every row has one, and its number is that of the next less 1.
        let source = source.chain(&b"\n"[..]);
        let rows = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .quoting(false)
            .terminator(Terminator::Any(b'\n'))
            .from_reader(Limited { source, length: 0 });
        Self {
            rows,
            file: file.into(),
            line: 0,
            row: ByteRecord::new(),
            ended: false,
        }
    }

    fn read(&mut self) -> Result<Option<Wang2021Query>, ReadError> {
        let mut step = Step::default();
        let mut truth = None;
        for index in 0..ROWS {
            if !self.next_row()? {
                return match index {
                    0 => Ok(None),
                    found => Err(self.error((1, RowProblem::Truncated { found }))),
                };
            }
            let (point, truth_of_row) = parse_row(&self.row).map_err(|at| self.error(at))?;
            if index == 0 {
                truth = truth_of_row;
            } else if truth != truth_of_row {
                return Err(self.error((7, RowProblem::TruthDiffers)));
            }
            step[index / 4][index % 4] = point;
        }
        Ok(Some(Wang2021Query { step, truth }))
    }

    /// Reads rows up to the next one that counts; false at the end of the file.
    fn next_row(&mut self) -> Result<bool, ReadError> {
        loop {
            let read = self.rows.read_byte_record(&mut self.row);
            let next = self.rows.position().line();
            match read {
                Ok(true) => self.line = next - 1,
                Ok(false) => return Ok(false),
                Err(_) if self.rows.get_ref().is_too_long() => {
                    self.line = next;
                    return Err(self.error((1, RowProblem::TooLong { limit: MAX_ROW })));
                }
                Err(error) => {
                    let kind = match error.kind() {
                        csv::ErrorKind::Io(error) => error.kind(),
                        _ => io::ErrorKind::Other,
                    };
                    let place = format!("{}, line {next}: {error}", self.file);
                    return Err(io::Error::new(kind, place).into());
                }
            }
            let first = self.row.get(0).unwrap_or_default().trim_ascii();
            let blank = first.is_empty() && self.row.len() == 1;
            if !blank && !first.starts_with(b"#") {
                return Ok(true);
            }
        }
    }

    fn error(&self, (column, problem): (usize, RowProblem)) -> ReadError {
        ReadError::Row {
            file: self.file.clone(),
            line: self.line,
            column,
            problem,
        }
    }
}

impl<R: Read> Iterator for Wang2021Reader<R> {
    type Item = Result<Wang2021Query, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let query = self.read();
        self.ended = !matches!(query, Ok(Some(_)));
        query.transpose()
    }
}

/// A source that fails after the beginning of a line that is too long, before there is memory for
/// all of it.
#[derive(Debug)]
struct Limited<R> {
    source: R,
    /// Bytes of the line so far.
    length: usize,
}

impl<R> Limited<R> {
    fn is_too_long(&self) -> bool {
        self.length > MAX_ROW
    }
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.is_too_long() {
            return Err(io::Error::other("a line is too long"));
        }
        let found = self.source.read(buffer)?;
        let last = buffer[..found].iter().position(|&byte| {
            self.length = if byte == b'\n' { 0 } else { self.length + 1 };
            self.is_too_long()
        });
        Ok(last.map_or(found, |last| last + 1))
    }
}

/// The point and the truth in a row; an error with its column, from 1.
fn parse_row(row: &ByteRecord) -> Result<(Point3<f64>, Option<bool>), (usize, RowProblem)> {
    let found = row.len();
    if found != 6 && found != 7 {
        return Err((found.min(7) + 1, RowProblem::Columns { found }));
    }
    let mut point = Point3::origin();
    for c in 0..3 {
        let quotient = quotient(row[2 * c].trim_ascii(), row[2 * c + 1].trim_ascii());
        point[c] = quotient.map_err(|(place, problem)| (2 * c + 1 + place, problem))?;
    }
    let truth = match row.get(6).map(<[u8]>::trim_ascii) {
        None => None,
        Some(b"0") => Some(false),
        Some(b"1") => Some(true),
        Some(other) => {
            let found = shown(other);
            return Err((7, RowProblem::Truth { found }));
        }
    };
    Ok((point, truth))
}

/// The quotient of two integers in decimal, if it is a double; else an error about the first or
/// second of them, 0 or 1.
fn quotient(numerator: &[u8], denominator: &[u8]) -> Result<f64, (usize, RowProblem)> {
    let n = integer(numerator).map_err(|problem| (0, problem))?;
    let d = integer(denominator).map_err(|problem| (1, problem))?;
    if d == IBig::ZERO {
        return Err((1, RowProblem::ZeroDenominator));
    }
    match RBig::from_parts_signed(n, d).to_f64().value_with_exact() {
        (quotient, true) => Ok(quotient),
        (_, false) => {
            let inexact = RowProblem::Inexact {
                numerator: shown(numerator),
                denominator: shown(denominator),
            };
            Err((0, inexact))
        }
    }
}

/// An integer in decimal: digits, after a sign or none.
fn integer(field: &[u8]) -> Result<IBig, RowProblem> {
    let digits = match field {
        [b'-' | b'+', digits @ ..] => digits,
        digits => digits,
    };
    let text = str::from_utf8(field).ok();
    let text = text.filter(|_| digits.iter().all(u8::is_ascii_digit));
    let number = text.and_then(|text| text.parse().ok());
    number.ok_or_else(|| RowProblem::NotInteger {
        found: shown(field),
    })
}
