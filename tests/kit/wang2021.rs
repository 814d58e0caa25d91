//! The format of the query sets of Wang et al. 2021, *A Large-scale Benchmark and an Inclusion-based Algorithm for
//! Continuous Collision Detection* (ACM TOG 40(5)).
//!
//! Comma-separated text, eight rows a query: the four points at t = 0, then the same at t = 1, in the order of
//! [`edge_edge`](patch_ccd::edge_edge) or [`vertex_face`](patch_ccd::vertex_face); which of the two is not in the file. A row holds
//! x, y and z as numerator, denominator each: integers of any length, their quotient exact in double. In an optional seventh
//! column, the same in all eight rows, stands whether the step collides: 1 or 0. Blank rows and rows that begin with `#` do
//! not count.

use std::io::{self, BufRead, Read};

use dashu_int::UBig;
use dashu_int::ops::BitTest;
use nalgebra::Point3;
use patch_ccd::Step;

use crate::ReadError;
use crate::text::{shown, without_mark};

/// Rows of a query.
const ROWS: usize = 8;

/// Bytes of a row at most. In lowest terms the longest three doubles take about a thousand.
const MAX_ROW: usize = 1 << 14;

/// Significant bits of a double, and the exponents of its least bit and of its first power of two out of range.
const SIGNIFICAND_BITS: u64 = f64::MANTISSA_DIGITS as u64;
const LEAST_EXPONENT: i64 = (f64::MIN_EXP - f64::MANTISSA_DIGITS as i32) as i64;
const END_EXPONENT: i64 = f64::MAX_EXP as i64;

/// A step of two edges, or of a vertex and a face, and whether they collide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wang2021Query {
    /// The points at t = 0 and at t = 1, in the order of [`edge_edge`](patch_ccd::edge_edge) or [`vertex_face`](patch_ccd::vertex_face).
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
    /// Too few or too many columns. The column of the error is the first that is missing or too many.
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
    /// The file ends inside a query. The line of the error is the last of the file.
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
    source: R,
    file: String,
    /// Number of the row read last, and its bytes.
    line: u64,
    row: Vec<u8>,
    ended: bool,
}

impl<R: BufRead> Wang2021Reader<R> {
    /// A reader of the queries in `source`, which errors call `file`.
    pub fn new(source: R, file: impl Into<String>) -> Self {
        Self {
            source,
            file: file.into(),
            line: 0,
            row: Vec::new(),
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
            self.row.clear();
            // One byte more than a row may have: the end of the line, or what is too much.
            let mut limited = self.source.by_ref().take(MAX_ROW as u64 + 1);
            let found = limited.read_until(b'\n', &mut self.row).map_err(|error| {
                let place = format!("{}, line {}: {error}", self.file, self.line + 1);
                io::Error::new(error.kind(), place)
            })?;
            if found == 0 {
                return Ok(false);
            }
            self.line += 1;
            if found > MAX_ROW && !self.row.ends_with(b"\n") {
                return Err(self.error((1, RowProblem::TooLong { limit: MAX_ROW })));
            }
            if self.line == 1 {
                let mark = self.row.len() - without_mark(&self.row).len();
                self.row.drain(..mark);
            }
            if !matches!(self.row.trim_ascii(), [] | [b'#', ..]) {
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

impl<R: BufRead> Iterator for Wang2021Reader<R> {
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

/// The point and the truth in a row; an error with its column, from 1.
fn parse_row(row: &[u8]) -> Result<(Point3<f64>, Option<bool>), (usize, RowProblem)> {
    let mut columns: [&[u8]; 7] = [&[]; 7];
    let mut found = 0;
    for field in row.split(|&byte| byte == b',') {
        if let Some(column) = columns.get_mut(found) {
            *column = field.trim_ascii();
        }
        found += 1;
    }
    if found != 6 && found != 7 {
        return Err((found.min(7) + 1, RowProblem::Columns { found }));
    }
    let mut point = Point3::origin();
    for c in 0..3 {
        let quotient = quotient(columns[2 * c], columns[2 * c + 1]);
        point[c] = quotient.map_err(|(place, problem)| (2 * c + 1 + place, problem))?;
    }
    let truth = match columns[6] {
        _ if found == 6 => None,
        b"0" => Some(false),
        b"1" => Some(true),
        other => {
            return Err((
                7,
                RowProblem::Truth {
                    found: shown(other),
                },
            ));
        }
    };
    Ok((point, truth))
}

/// The quotient of two integers in decimal, if it is a double; else an error about the first or second of them, 0 or 1.
fn quotient(numerator: &[u8], denominator: &[u8]) -> Result<f64, (usize, RowProblem)> {
    if let (Some(n), Some(d)) = (small_integer(numerator), small_integer(denominator))
        && d.cast_unsigned().is_power_of_two()
        && d > 0
        && i128::from(n) == (n as f64) as i128
    {
        return Ok(n as f64 / d as f64);
    }
    let (negative, n) = integer(numerator).map_err(|problem| (0, problem))?;
    let (inverted, d) = integer(denominator).map_err(|problem| (1, problem))?;
    if d == UBig::ZERO {
        return Err((1, RowProblem::ZeroDenominator));
    }
    let magnitude = exact_quotient(&n, &d).ok_or_else(|| {
        let inexact = RowProblem::Inexact {
            numerator: shown(numerator),
            denominator: shown(denominator),
        };
        (0, inexact)
    })?;
    Ok(if negative != inverted && magnitude > 0.0 {
        -magnitude
    } else {
        magnitude
    })
}

/// n / d, if that is a double; d must not be 0.
fn exact_quotient(n: &UBig, d: &UBig) -> Option<f64> {
    // In lowest terms the denominator is a power of two, so its odd part divides the numerator.
    let halvings = d.trailing_zeros()?;
    let odd = d >> halvings;
    if n % &odd != UBig::ZERO {
        return None;
    }
    let integer = n / &odd;
    let Some(doublings) = integer.trailing_zeros() else {
        return Some(0.0);
    };
    let significand = integer >> doublings;
    let bits = significand.bit_len() as u64;
    let exponent = i64::try_from(doublings).ok()? - i64::try_from(halvings).ok()?;
    let end = exponent + i64::try_from(bits).ok()?;
    if bits > SIGNIFICAND_BITS || exponent < LEAST_EXPONENT || end > END_EXPONENT {
        return None;
    }
    // In two factors, as the power alone may be out of range.
    let half = exponent as i32 / 2;
    let scaled = u64::try_from(significand).ok()? as f64 * 2.0_f64.powi(half);
    Some(scaled * 2.0_f64.powi(exponent as i32 - half))
}

/// An integer in decimal that is not long.
fn small_integer(field: &[u8]) -> Option<i64> {
    str::from_utf8(field).ok()?.parse().ok()
}

/// The sign, true for minus, and the magnitude of an integer in decimal.
fn integer(field: &[u8]) -> Result<(bool, UBig), RowProblem> {
    let (negative, digits) = match field {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    let magnitude = digits
        .iter()
        .all(u8::is_ascii_digit)
        .then(|| UBig::from_str_radix(str::from_utf8(digits).ok()?, 10).ok())
        .flatten();
    let not_integer = || RowProblem::NotInteger {
        found: shown(field),
    };
    Ok((negative, magnitude.ok_or_else(not_integer)?))
}
