//! Every reader, on the same hostile files: an error that says where, or an answer, in memory that
//! the file bounds.

use std::fmt::{Debug, Display};

use kit::{Case, PairError, PairReader, Random, Wang2021Reader};
use patch_ccd::geometry::Shape;
use patch_ccd::io::{BptOrder, read_bpt};

use crate::files::{ASYMMETRIC, KINDS, bpt, bv};

/// A format, a file of it, and its reader, which tells what it read.
struct Format {
    name: &'static str,
    example: &'static [u8],
    read: fn(&[u8], Tell) -> Result<String, String>,
    /// Whether a part of a file is none: it has an end, or says how much is to come.
    closed: bool,
    /// What every error says of its place.
    place: &'static [&'static str],
    /// Bytes of memory for each byte of a file, at most.
    memory: u64,
}

const QUERY: &str = "# an edge through another
-1,1, 0,1, 1,2, 1
 1,1, 0,1, 1,2, 1
 0,1,-1,1, 0,1, 1
 0,1, 1,1, 0,1, 1

-1,1, 0,1,-1,2, 1
 1,1, 0,1,-1,2, 1
 0,1,-1,1, 0,1, 1
 0,1, 1,1, 0,1, 1
";

/// Whether to tell what was read, which takes memory.
#[derive(Clone, Copy, PartialEq)]
enum Tell {
    All,
    Nothing,
}

fn told<T: Debug, E: Display>(read: Result<T, E>, tell: Tell) -> Result<String, String> {
    match read {
        Ok(read) if tell == Tell::All => Ok(format!("{read:?}")),
        Ok(_) => Ok(String::new()),
        Err(error) => Err(error.to_string()),
    }
}

/// The formats that are text.
fn texts() -> [Format; 4] {
    [
        Format {
            name: "bv",
            closed: false,
            example: KINDS.as_bytes(),
            read: |file, tell| told(bv(file), tell),
            place: &["a.bv, line "],
            memory: 150,
        },
        Format {
            name: "bpt",
            closed: true,
            example: ASYMMETRIC.as_bytes(),
            read: |file, tell| told(bpt(file), tell),
            place: &["a.bpt, line "],
            memory: 80,
        },
        Format {
            name: "wang2021",
            closed: false,
            example: QUERY.as_bytes(),
            read: |file, tell| {
                told(
                    Wang2021Reader::new(file, "a.csv").collect::<Result<Vec<_>, _>>(),
                    tell,
                )
            },
            place: &["a.csv, line "],
            memory: 20,
        },
        Format {
            name: "case",
            closed: true,
            example: include_bytes!("../../../data/cases/nurbs-flat-multi-span.json"),
            read: |file, tell| told(Case::read(file), tell),
            place: &["not JSON: ", "field "],
            memory: 120,
        },
    ]
}

fn pairs() -> Format {
    Format {
        name: "pairs",
        closed: false,
        example: &[0; 2 * 288],
        read: |file, tell| {
            let reader = PairReader::new(file, Shape::Triangular { n: 1 });
            told(reader.collect::<Result<Vec<_>, _>>(), tell)
        },
        place: &["case "],
        memory: 20,
    }
}

impl Format {
    /// Reads a file; an error says where it is wrong, and not at length.
    #[track_caller]
    fn check(&self, file: &[u8]) -> Option<String> {
        match (self.read)(file, Tell::All) {
            Ok(told) => Some(told),
            Err(error) => {
                let known = self.place.iter().any(|place| error.starts_with(place));
                assert!(known && error.len() < 400, "{}: {error}", self.name);
                assert!(
                    !error.contains(char::is_control),
                    "{}: {error:?}",
                    self.name
                );
                None
            }
        }
    }

    /// The same of the memory, too.
    #[track_caller]
    fn check_memory(&self, file: &[u8]) {
        let heap = allocation_counter::measure(|| drop((self.read)(file, Tell::Nothing)));
        let most = self.memory * file.len() as u64 + (1 << 16);
        assert!(
            heap.bytes_max < most,
            "{}: {} for each of {} bytes",
            self.name,
            heap.bytes_max as f64 / file.len() as f64,
            file.len()
        );
    }
}

#[test]
fn cut_short_anywhere() {
    for format in texts().into_iter().chain([pairs()]) {
        let whole = format.check(format.example);
        assert!(whole.is_some(), "{}", format.name);
        // A text may lack the end of its last line.
        let end = format.example.trim_ascii_end().len();
        for end in 0..end.max(1) {
            let part = format.check(&format.example[..end]);
            assert!(part != whole && (part.is_none() || !format.closed), "{end}");
        }
    }
}

#[test]
fn any_byte_anywhere() {
    for format in texts().into_iter().chain([pairs()]) {
        let mut file = format.example.to_vec();
        for at in (0..file.len()).step_by(file.len().div_ceil(60)) {
            let right = file[at];
            for byte in (0..=255).step_by(3) {
                file[at] = byte;
                format.check(&file);
            }
            file[at] = right;
        }
    }
}

/// As Windows writes it, with the mark that some editors put first, and without an end of the last
/// line.
#[test]
fn what_editors_do_to_a_file() {
    for format in texts() {
        let plain = std::str::from_utf8(format.example).unwrap();
        let expected = format.check(plain.as_bytes()).expect(format.name);
        for text in [
            plain.replace('\n', "\r\n"),
            plain.trim_end().to_owned(),
            format!("{plain}\n\n \t\n"),
            format!("\u{feff}{plain}"),
            format!("\u{feff}{}", plain.trim_end().replace('\n', "\r\n")),
        ] {
            let read = format.check(text.as_bytes());
            assert_eq!(read.as_ref(), Some(&expected), "{}: {text}", format.name);
        }
        // Sixteen bits a character, and the mark where it means nothing.
        let wide: Vec<u8> = plain.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for file in [
            [b"\xff\xfe", &wide[..]].concat(),
            [plain.as_bytes(), "\u{feff}".as_bytes()].concat(),
        ] {
            assert_eq!(format.check(&file), None, "{}", format.name);
        }
    }
}

#[test]
fn files_that_are_something_else() {
    let mut random = Random::new(1);
    let noise: Vec<u8> = (0..1 << 16).map(|_| random.below(256) as u8).collect();
    let long = |word: &str| word.repeat((1 << 20) / word.len());
    let files = [
        noise,
        vec![0; 1 << 16],
        vec![0xff; 1 << 16],
        long("0,").into_bytes(),
        long("0 ").into_bytes(),
        long("0").into_bytes(),
        long("1 ").into_bytes(),
        long("[").into_bytes(),
        long("{\"a\":").into_bytes(),
        format!("{{\"id\": {}", long("[")).into_bytes(),
        long("\u{1b}[31m").into_bytes(),
        long("é").into_bytes(),
        long("\r").into_bytes(),
        b"<?xml version=\"1.0\"?><VTKFile></VTKFile>".to_vec(),
        b"v 0 0 0\nv 1 0 0\nf 1 2 3\n".to_vec(),
    ];
    for format in texts() {
        for (number, file) in files.iter().enumerate() {
            // Blanks are a file of no patches.
            let read = format.check(file);
            assert!(
                read.is_none_or(|told| told == "[]"),
                "{} {number}",
                format.name
            );
            format.check_memory(file);
        }
    }
    // All zeros are patches, collapsed to the origin.
    for file in &files {
        pairs().check(file);
        pairs().check_memory(file);
    }
}

/// Numbers beyond the range of doubles, or of integers.
#[test]
fn huge_numbers() {
    let digits = "9".repeat(5000);
    for number in [
        "1e999",
        "-1e999",
        "1e-999",
        "18446744073709551616",
        "-1",
        "0x10",
        "1_000",
        &digits,
    ] {
        for format in texts() {
            let example = std::str::from_utf8(format.example).unwrap();
            for (at, _) in example.match_indices('1').take(40) {
                let text = format!("{}{number}{}", &example[..at], &example[at + 1..]);
                format.check(text.as_bytes());
            }
        }
    }
}

/// The files that take the most memory for their size: the least text for each thing that is kept.
#[test]
fn memory_is_bounded_by_the_size_of_the_file() {
    let [of_bv, of_bpt, of_wang2021, of_case] = texts();
    let many = 1 << 13;
    of_bv.check_memory("Group 0 a ".repeat(many).as_bytes());
    of_bv.check_memory(format!("1 1 {many} 0 0 0 {}", "3 0 0 0 ".repeat(many)).as_bytes());
    of_bv.check_memory("3 1 0 0 0 0 0 0 0 0 0 ".repeat(many).as_bytes());
    of_bv.check_memory(
        "8 1 1 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1 "
            .repeat(many)
            .as_bytes(),
    );
    of_bpt
        .check_memory(format!("{many} {}", "1 1 0 0 0 0 0 0 0 0 0 0 0 0 ".repeat(many)).as_bytes());
    of_wang2021.check_memory("0,1,0,1,0,1\n".repeat(8 * many).as_bytes());
    let case = |field: &str, item: &str| {
        let items = vec![item; many].join(",");
        let query = r#""degree1":1,"degree2":1,"p1":[],"p2":[],"v1":[],"v2":[]"#;
        format!(r#"{{"id":"a","kind":"tri-bezier","query":{{{query},"{field}":[{items}]}}}}"#)
    };
    for item in [
        "0",
        "[0,0,0]",
        "[]",
        "{}",
        "\"NaN\"",
        "null",
        "[[[[0]]]]",
        "{\"\":0}",
    ] {
        of_case.check_memory(case("p1", item).as_bytes());
        of_case.check_memory(case("unknown", item).as_bytes());
    }
    let spread = format!("[{}0,0,0]", "0,".repeat(many));
    of_case.check_memory(
        case("p1", "[0,0,0]")
            .replacen("[0,0,0]", &spread, 1)
            .as_bytes(),
    );
    pairs().check_memory(&vec![0; 288 * 100]);
}

/// Counts that a file claims cost nothing: as many patches as it has room for are read, whatever it
/// says.
#[test]
fn counts_that_no_file_can_hold() {
    let [of_bv, of_bpt, ..] = texts();
    for count in [u64::MAX, 1 << 40, 1 << 31] {
        for file in [
            format!("1 {count} {count} 0 0 0"),
            format!("1 0 {count}"),
            format!("3 {count}"),
            format!("4 {count}"),
            format!("5 30 {count}"),
            format!("8 {count} 1"),
            format!("{count}{count}"),
            "5 30 30 0".to_owned(),
        ] {
            assert_eq!(of_bv.check(file.as_bytes()), None);
            of_bv.check_memory(file.as_bytes());
        }
        for file in [
            format!("{count} 1 1 {}", "0 ".repeat(12)),
            format!("1 {count} {count}"),
            format!("{count}{count}"),
            format!("{count}"),
        ] {
            assert_eq!(of_bpt.check(file.as_bytes()), None);
            of_bpt.check_memory(file.as_bytes());
            assert!(read_bpt(file.as_bytes(), "a.bpt", BptOrder::VFastest).is_err());
        }
    }
}

#[test]
fn long_words_are_shown_short() {
    let error = bv("é".repeat(1 << 20)).unwrap_err().to_string();
    let shown = format!("\"{}…\"", "é".repeat(40));
    assert!(error.ends_with(&shown), "{error}");
}

const PAIR: usize = 4 * 3 * 3 * 8;

fn read_pairs(bytes: &[u8]) -> Result<usize, PairError> {
    let pairs = PairReader::new(bytes, Shape::Triangular { n: 1 });
    pairs
        .collect::<Result<Vec<_>, _>>()
        .map(|pairs| pairs.len())
}

#[test]
fn pairs_cut_short() {
    let bytes = [0_u8; 2 * PAIR];
    for length in 0..=bytes.len() {
        match read_pairs(&bytes[..length]) {
            Ok(count) => assert_eq!(count * PAIR, length),
            Err(PairError::Truncated {
                case,
                expected,
                found,
            }) => {
                let right = (length / PAIR, PAIR, length % PAIR);
                assert_eq!((case, expected, found), right);
            }
            Err(other) => panic!("{other}"),
        }
    }
}

#[test]
fn pairs_with_a_number_that_is_not_finite() {
    for (first, patch, argument) in [
        (0, 1, "control point"),
        (9, 1, "velocity"),
        (18, 2, "control point"),
        (27, 2, "velocity"),
    ] {
        for place in 0..9 {
            let mut bytes = [0_u8; 2 * PAIR];
            let start = PAIR + 8 * (first + place);
            bytes[start..start + 8].copy_from_slice(&f64::INFINITY.to_le_bytes());
            let error = read_pairs(&bytes).unwrap_err();
            let (index, coordinate) = (place / 3, place % 3);
            let is = format!("coordinate {coordinate} is inf, not a finite number");
            let expected = format!("case 1, patch {patch}: {argument} {index}: {is}");
            assert_eq!(error.to_string(), expected);
        }
    }
}
