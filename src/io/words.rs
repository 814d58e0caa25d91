//! Words of a text file with their positions, so that an error can say which one is wrong.

use std::io::Read;

use nalgebra::Point3;

use super::ReadError;
use crate::Error;
use crate::geometry::MAX_DEGREE;

/// How many characters of a wrong word an error shows.
const SHOWN: usize = 40;

/// What is wrong with a text file of geometry.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TextProblem {
    /// The file ends too early. The error's position is its end.
    #[error("{expected} expected, but the file ends")]
    Ended {
        /// What belongs there, in words.
        expected: &'static str,
    },
    /// A word is not what it should be.
    #[error("{expected} expected, but it is \"{found}\"")]
    Word {
        /// What belongs there, in words.
        expected: &'static str,
        /// The word, cut short where it is long.
        found: String,
    },
    /// A segment is of a kind that is not supported.
    #[error("a segment of kind {kind} is not supported; known are {known}")]
    Kind {
        /// The kind.
        kind: u64,
        /// The kinds that are read, in words.
        known: &'static str,
    },
    /// A group has a colour, but no name.
    #[error(
        "no name follows the colour {color} of the group, only the number {next} on another line"
    )]
    NoGroupName {
        /// The number of the colour.
        color: i64,
        /// The number that follows.
        next: u64,
    },
    /// The name of a group is more than one word.
    #[error("the name of a group is one word, but \"{found}\" follows it on its line")]
    LongGroupName {
        /// The second word, cut short where it is long.
        found: String,
    },
    /// The file ends before the last of the patches that it says it has.
    #[error("the number of patches is given as {said}, but the file ends after {found}")]
    MissingPatches {
        /// The number at the beginning of the file.
        said: u64,
        /// The number of patches that are there.
        found: u64,
    },
    /// The file goes on after the last of the patches that it says it has.
    #[error(
        "the number of patches is given as {said}, but the file goes on after them with \"{found}\""
    )]
    MorePatches {
        /// The number at the beginning of the file.
        said: u64,
        /// The word that follows, cut short where it is long.
        found: String,
    },
    /// The file begins with a patch where the number of patches belongs.
    #[error("the number of patches expected, but the file begins with the degrees of the first")]
    NoPatchCount,
    /// The file ends where its only patch would have all its points if its degrees were numbers of
    /// points.
    #[error(
        "degrees {n} and {m} take {} points, but the file ends after {}; \
         degrees are one less than the numbers of points along u and v",
        (n + 1) * (m + 1),
        n * m
    )]
    CountsForDegrees {
        /// The first degree, in u.
        n: usize,
        /// The second degree, in v.
        m: usize,
    },
    /// A face of a mesh has fewer than three or more than four vertices.
    #[error("a face of {sides} vertices is not supported, only 3 and 4")]
    Sides {
        /// The number of vertices.
        sides: u64,
    },
    /// A face has a vertex that the mesh does not have.
    #[error("vertex {index} does not exist: the mesh has {count}, from 0")]
    Vertex {
        /// The vertex, from 0.
        index: u64,
        /// Number of vertices.
        count: usize,
    },
    /// The numbers do not make a patch. The error's position is that of the degree that is wrong,
    /// or of the control point whose coordinate or weight is.
    #[error(transparent)]
    Patch(#[from] Error),
}

/// A word and where it is in the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'a> {
    pub(super) text: &'a [u8],
    pub(super) place: Place,
}

/// A position in the file: line, and column in bytes, both from 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    line: u64,
    column: usize,
}

impl Place {
    /// Whether another place is on the same line.
    pub(super) fn shares_line_with(self, other: Self) -> bool {
        self.line == other.line
    }
}

/// The words of a text. A word that begins with `#` is left out, together with the rest of its
/// line.
#[derive(Clone, Debug)]
pub(super) struct Words<'a> {
    file: &'a str,
    rest: &'a [u8],
    place: Place,
}

/// All bytes of a file, for [`Words`] to be read from.
pub(super) fn read_all(mut source: impl Read, file: &str) -> Result<Vec<u8>, ReadError> {
    let mut text = Vec::new();
    source.read_to_end(&mut text).map_err(|error| {
        let place = format!("{file}: {error}");
        std::io::Error::new(error.kind(), place)
    })?;
    Ok(text)
}

/// The text without the invisible byte order mark that some editors put at its beginning.
fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text)
}

impl<'a> Words<'a> {
    /// The words of `text`, which errors call `file`.
    pub(super) fn new(text: &'a [u8], file: &'a str) -> Self {
        let place = Place { line: 1, column: 1 };
        Self {
            file,
            rest: without_mark(text),
            place,
        }
    }

    /// The next word, or `None` at the end.
    pub(super) fn next(&mut self) -> Option<Word<'a>> {
        let place = self.next_place();
        let end = self.rest.iter().position(|&byte| is_blank(byte));
        let (text, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        if text.is_empty() {
            return None;
        }
        self.rest = rest;
        self.place.column += text.len();
        Some(Word { text, place })
    }

    /// Where the next word begins, or the file ends.
    pub(super) fn next_place(&mut self) -> Place {
        self.skip_blanks();
        self.place
    }

    /// Whether there is no next word.
    pub(super) fn is_at_end(&mut self) -> bool {
        self.skip_blanks();
        self.rest.is_empty()
    }

    /// The next word; an error if there is none.
    pub(super) fn word(&mut self, expected: &'static str) -> Result<Word<'a>, ReadError> {
        self.next()
            .ok_or_else(|| self.error(self.place, TextProblem::Ended { expected }))
    }

    /// The next word as a finite number.
    pub(super) fn number(&mut self) -> Result<f64, ReadError> {
        let expected = "a finite number";
        let word = self.word(expected)?;
        let number = word.parse::<f64>().filter(|number| number.is_finite());
        number.ok_or_else(|| self.unexpected(word, expected))
    }

    /// The next points, each of three finite numbers.
    pub(super) fn points(&mut self, count: usize) -> Result<Vec<Point3<f64>>, ReadError> {
        // Do not reserve this capacity: the count may be far larger than the number of points in
        // the file.
        let mut points = Vec::new();
        for _ in 0..count {
            points.push(self.numbers()?.into());
        }
        Ok(points)
    }

    /// As many finite numbers as the array holds.
    pub(super) fn numbers<const N: usize>(&mut self) -> Result<[f64; N], ReadError> {
        let mut numbers = [0.0; N];
        for number in &mut numbers {
            *number = self.number()?;
        }
        Ok(numbers)
    }

    /// The next word as a whole number, 0 or more, and its place.
    pub(super) fn whole(&mut self, expected: &'static str) -> Result<(u64, Place), ReadError> {
        let word = self.word(expected)?;
        let number = word.parse();
        let number = number.ok_or_else(|| self.unexpected(word, expected))?;
        Ok((number, word.place))
    }

    /// The degree of a patch. An [`Error::Degree`] calls it by the name `argument`.
    pub(super) fn degree(&mut self, argument: &'static str) -> Result<usize, ReadError> {
        let (degree, place) = self.whole(argument)?;
        let value = usize::try_from(degree).unwrap_or(usize::MAX);
        if (1..=MAX_DEGREE).contains(&value) {
            Ok(value)
        } else {
            Err(self.error(place, Error::Degree { argument, value }))
        }
    }

    /// The error that a word is not what was expected.
    pub(super) fn unexpected(&self, word: Word<'_>, expected: &'static str) -> ReadError {
        let found = word.shown();
        self.error(word.place, TextProblem::Word { expected, found })
    }

    /// The error that something is wrong at a place.
    pub(super) fn error(&self, place: Place, problem: impl Into<TextProblem>) -> ReadError {
        ReadError::Text {
            file: self.file.to_owned(),
            line: place.line,
            column: place.column,
            problem: problem.into(),
        }
    }

    /// Goes on to the next word.
    fn skip_blanks(&mut self) {
        let mut comment = false;
        while let [byte, rest @ ..] = self.rest {
            match byte {
                // A line ends with \n, \r\n or, as on old Macintoshes, \r.
                b'\r' if rest.first() == Some(&b'\n') => {}
                b'\n' | b'\r' => {
                    comment = false;
                    self.place.line += 1;
                    self.place.column = 0;
                }
                byte if comment || is_blank(*byte) => {}
                b'#' => comment = true,
                _ => return,
            }
            self.place.column += 1;
            self.rest = rest;
        }
    }
}

impl Word<'_> {
    /// The word as an error shows it, cut short if it is long.
    pub(super) fn shown(&self) -> String {
        shown(self.text)
    }

    /// The word as a number, if it is one.
    pub(super) fn parse<T: std::str::FromStr>(&self) -> Option<T> {
        str::from_utf8(self.text).ok()?.parse().ok()
    }
}

/// Whether a byte separates words, as C's `scanf` has it.
fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}

/// A wrong word as an error shows it, cut short if it is long.
fn shown(word: &[u8]) -> String {
    // No character takes more than four bytes. Do not convert more, as the word may be the whole
    // file.
    let beginning = word.get(..4 * (SHOWN + 1)).unwrap_or(word);
    // Control characters, which would move the cursor of a terminal, are replaced.
    let text = String::from_utf8_lossy(beginning).replace(char::is_control, "\u{fffd}");
    if text.chars().nth(SHOWN).is_none() {
        return text;
    }
    format!("{}…", text.chars().take(SHOWN).collect::<String>())
}
