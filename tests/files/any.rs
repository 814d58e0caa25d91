//! Every reader, on the same hostile files: an error that says where, or an answer, in memory that the file bounds.

use std::fmt::{Debug, Display};

use kit::{Case, PairReader, Wang2021Reader};
use patch_ccd::geometry::Shape;
use patch_ccd::io::{BptOrder, read_bpt};

use super::{ASYMMETRIC, KINDS, bpt, bv};

/// A format, a file of it, and its reader, which tells what it read.
struct Format {
    name: &'static str,
    example: &'static [u8],
    read: fn(&[u8], Tell) -> Result<String, String>,
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
            example: KINDS.as_bytes(),
            read: |file, tell| told(bv(file), tell),
            place: &["a.bv, line "],
            memory: 150,
        },
        Format {
            name: "bpt",
            example: ASYMMETRIC.as_bytes(),
            read: |file, tell| told(bpt(file), tell),
            place: &["a.bpt, line "],
            memory: 80,
        },
        Format {
            name: "wang2021",
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
            example: include_bytes!("../../data/cases/nurbs-flat-multi-span.json"),
            read: |file, tell| told(Case::read(file), tell),
            place: &["not JSON: ", "field "],
            memory: 120,
        },
    ]
}

fn pairs() -> Format {
    Format {
        name: "pairs",
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
        assert!(format.check(format.example).is_some(), "{}", format.name);
        for end in 0..format.example.len() {
            format.check(&format.example[..end]);
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

/// As Windows writes it, with the mark that some editors put first, and without an end of the last line.
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
    let mut state = 1_u32;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    })
    .take(1 << 16)
    .collect();
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
        format!(
            r#"{{"id":"a","kind":"tri-bezier","query":{{"degree1":1,"degree2":1,"p1":[],"p2":[],"v1":[],"v2":[],"{field}":[{items}]}}}}"#
        )
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

/// Counts that a file claims cost nothing: as many patches as it has room for are read, whatever it says.
#[test]
fn counts_that_no_file_can_hold() {
    for count in [u64::MAX, 1 << 40, 1 << 31] {
        for file in [
            format!("1 {count} {count} 0 0 0"),
            format!("1 0 {count}"),
            format!("3 {count}"),
        ] {
            assert_eq!(texts()[0].check(file.as_bytes()), None);
            texts()[0].check_memory(file.as_bytes());
        }
        let file = format!("{count} 1 1 {}", "0 ".repeat(12));
        assert_eq!(texts()[1].check(file.as_bytes()), None);
        texts()[1].check_memory(file.as_bytes());
        let v_fastest = read_bpt(file.as_bytes(), "a.bpt", BptOrder::VFastest);
        assert!(v_fastest.is_err());
    }
    for n in [31, 1 << 31, usize::MAX] {
        for shape in [Shape::Triangular { n }, Shape::TensorProduct { n, m: n }] {
            let heap = allocation_counter::measure(|| {
                let error = PairReader::new(&[0; 99][..], shape)
                    .next()
                    .unwrap()
                    .unwrap_err();
                let text = error.to_string();
                assert!(text.starts_with("case 0, patch 1: degree is "), "{text}");
            });
            assert!(heap.bytes_max < 1 << 12);
        }
    }
}
