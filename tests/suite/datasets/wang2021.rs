//! The queries of Wang et al. 2021 are read exactly, and what is wrong with a file is an error that
//! says where.

use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use dashu_int::UBig;
use kit::{Random, ReadError, RowProblem, Wang2021Query, Wang2021Reader, exact};
use nalgebra::point;
use patch_ccd::{Error, Options, Outcome, Step, edge_edge, vertex_face};

const ROW: &str = "1,2,-3,4,5,1,0\n";

fn read(text: impl AsRef<[u8]>) -> Result<Vec<Wang2021Query>, ReadError> {
    Wang2021Reader::new(text.as_ref(), "q.csv").collect()
}

/// The eight rows of a query, one of them replaced.
fn query_with(index: usize, row: &str) -> String {
    (0..8).map(|i| if i == index { row } else { ROW }).collect()
}

/// A query whose first coordinate is the quotient.
fn first_coordinate(numerator: &str, denominator: &str) -> Result<f64, ReadError> {
    let row = format!("{numerator},{denominator},-3,4,5,1,0\n");
    read(query_with(0, &row)).map(|queries| queries[0].step[0][0].x)
}

#[track_caller]
fn assert_error(text: impl AsRef<[u8]>, expected: &str) {
    assert_eq!(read(text).unwrap_err().to_string(), expected);
}

#[test]
fn points_in_order() {
    let text: String = (0..16)
        .map(|row| format!("{row},1,-{row},2,{row},-4,{}\n", row / 8))
        .collect();
    let queries = read(text).unwrap();
    assert_eq!(queries.len(), 2);
    for (index, query) in queries.iter().enumerate() {
        assert_eq!(query.truth, Some(index == 1));
        for (row, point) in query.step.iter().flatten().enumerate() {
            let k = (8 * index + row) as f64;
            assert_eq!(*point, point![k, -k / 2.0, -k / 4.0]);
        }
    }
}

#[test]
fn layout_that_does_not_matter() {
    let plain = read(ROW.repeat(16)).unwrap();
    let rows: Vec<&str> = std::iter::repeat_n(ROW.trim_end(), 16).collect();
    for text in [
        rows.join("\n"),
        rows.join("\r\n"),
        rows.join("\n\n"),
        rows.join("\n  # not a row, though it has, seven, commas, and, 3/4\n"),
        format!("# a head\n\n{}\n \t\r\n# an end", rows.join("\r\n")),
        ROW.replace(',', " ,\t").repeat(16),
        ROW.replace('5', "+5").repeat(16),
    ] {
        assert_eq!(read(&text).unwrap(), plain, "{text:?}");
    }
    assert_eq!(read("").unwrap(), []);
    assert_eq!(read("# nothing\n\n").unwrap(), []);
}

#[test]
fn without_truth() {
    let queries = read("1,2,-3,4,5,1\n".repeat(8)).unwrap();
    assert_eq!(queries[0].truth, None);
    assert_eq!(queries[0].step[1][3], point![0.5, -0.75, 5.0]);
}

#[test]
fn exact_at_any_length() {
    let zeros = "0".repeat(600);
    let two_to_1074 = power_of_two(1074);
    let greatest = format!("{:.0}", f64::MAX);
    for (numerator, denominator, value) in [
        ("6004799503160661", "36028797018963968", 1.0 / 6.0),
        ("9007199254740993", "9007199254740993", 1.0),
        ("9223372036854775808", "-1", -9_223_372_036_854_775_808.0),
        ("-9223372036854775808", "9223372036854775808", -1.0),
        ("3", "6", 0.5),
        ("-21", "-7", 3.0),
        (&format!("7{zeros}"), &format!("28{zeros}"), 0.25),
        (&format!("{zeros}3"), &format!("{zeros}2"), 1.5),
        ("1", &two_to_1074, f64::from_bits(1)),
        ("-3", &two_to_1074, -f64::from_bits(3)),
        (&greatest, "1", f64::MAX),
        (
            &greatest,
            &two_to_1074,
            f64::MAX * 2.0_f64.powi(-537) * 2.0_f64.powi(-537),
        ),
        ("0", &two_to_1074, 0.0),
        ("-0", "3", 0.0),
    ] {
        let found = first_coordinate(numerator, denominator).unwrap();
        let told = format!("{numerator}/{denominator}");
        assert_eq!(found.to_bits(), value.to_bits(), "{told}");
    }
}

/// Every double in the plain form of its own digits.
#[test]
fn doubles_of_all_sizes() {
    for exponent in 0..2047 {
        for fraction in [0, 1, 1 << 51, (1 << 52) - 1] {
            let value = f64::from_bits(exponent << 52 | fraction);
            let (numerator, denominator) = exact(value).into_parts();
            let found = first_coordinate(&numerator.to_string(), &denominator.to_string());
            assert_eq!(found.expect("a double"), value);
        }
    }
}

#[test]
fn quotients_that_are_not_doubles() {
    let two_to_1075 = power_of_two(1075);
    let two_to_1024 = power_of_two(1024);
    for (numerator, denominator) in [
        ("1", "3"),
        ("9007199254740993", "1"),
        ("9223372036854775807", "1"),
        ("9007199254740993", "9007199254740992"),
        ("1", &two_to_1075),
        ("3", &two_to_1075),
        (&two_to_1024, "1"),
    ] {
        match first_coordinate(numerator, denominator).unwrap_err() {
            ReadError::Row {
                line: 1,
                column: 1,
                problem: RowProblem::Inexact { .. },
                ..
            } => {}
            other => panic!("{other}"),
        }
    }
}

#[test]
fn errors_say_where() {
    let integer = |found| format!("an integer expected, but it is \"{found}\"");
    let truth = |found| format!("the truth must be 0 or 1, but is \"{found}\"");
    let columns = |found| format!("{found} columns, but there must be 6, or 7 with the truth");
    let zero = || "the denominator is zero".to_owned();
    let differs = || "the truth differs from that in the first row of the query".to_owned();
    for (row, column, problem) in [
        ("1,2,1,3,5,1,0", 3, "1/3 is not exact in double".to_owned()),
        ("1,2,3,4,5,0,0", 6, zero()),
        ("1,-0,3,4,5,0,0", 2, zero()),
        ("1,2,NaN,4,5,1,0", 3, integer("NaN")),
        ("1,2,3,inf,5,1,0", 4, integer("inf")),
        ("0.5,1,3,4,5,1,0", 1, integer("0.5")),
        ("1,2,3,4,,1,0", 5, integer("")),
        ("1,2,3,4,-,1,0", 5, integer("-")),
        ("1,2,3,4,--5,1,0", 5, integer("--5")),
        ("1,2,3,4,1_0,1,0", 5, integer("1_0")),
        ("1,2,3,4,٣,1,0", 5, integer("٣")),
        ("1,2,3,4,5,1,2", 7, truth("2")),
        ("1,2,3,4,5,1,", 7, truth("")),
        ("1,2,3,4,5,1,1", 7, differs()),
        ("1,2,3,4,5,1", 7, differs()),
        ("1,2,3,4,5", 6, columns(5)),
        ("junk", 2, columns(1)),
        ("1,2,3,4,5,1,0,", 8, columns(8)),
        ("1,2,3,4,5,1,0,0,0", 8, columns(9)),
    ] {
        let text = format!("# head\n\n{}", ROW.repeat(8)) + &query_with(3, &format!("{row}\n"));
        assert_error(text, &format!("q.csv, line 14, column {column}: {problem}"));
    }
    let long = format!("{},2,3,4,5,1,0\n", "12x".repeat(1000));
    let shown = "12x".repeat(14);
    let expected = format!(
        "q.csv, line 1, column 1: {}",
        integer(&format!("{}…", &shown[..40]))
    );
    assert_error(query_with(0, &long), &expected);
}

#[test]
fn cut_short() {
    for rows in 0..16 {
        let result = read(ROW.repeat(rows));
        if rows % 8 == 0 {
            assert_eq!(result.unwrap().len(), rows / 8);
        } else {
            let problem = format!("the file ends after {} of the query's 8 rows", rows % 8);
            let expected = format!("q.csv, line {rows}, column 1: {problem}");
            assert_eq!(result.unwrap_err().to_string(), expected);
        }
    }
    let text = ROW.repeat(8);
    for length in 1..text.len() {
        let only_without_newline = length + 1 == text.len();
        let complete = read(&text[..length]).is_ok();
        assert_eq!(complete, only_without_newline, "{length} bytes");
    }
}

#[test]
fn nothing_after_an_error() {
    let text = format!("{}junk\n{}", ROW.repeat(8), ROW.repeat(8));
    let mut reader = Wang2021Reader::new(text.as_bytes(), "q.csv");
    assert!(reader.next().unwrap().is_ok());
    assert!(reader.next().unwrap().is_err());
    assert!(reader.next().is_none());
}

const TOO_LONG: &str = "q.csv, line 1, column 1: the row is longer than 16384 bytes";

/// A line of any length is an error after 16 KiB, not memory for all of it.
#[test]
fn endless_line() {
    for byte in [b'1', b',', b'#', b' ', 0, 0xff] {
        let endless = BufReader::new(std::io::repeat(byte));
        let first = Wang2021Reader::new(endless, "q.csv").next();
        let error = first.expect("an answer").unwrap_err();
        assert_eq!(error.to_string(), TOO_LONG);
    }
}

#[test]
fn longest_row() {
    let row = |length: usize| {
        let tail = ",1,-3,4,5,1,0";
        format!("{:0>width$}{tail}\n", 7, width = length - tail.len())
    };
    let queries = read(query_with(0, &row(1 << 14))).unwrap();
    assert_eq!(queries[0].step[0][0].x, 7.0);
    assert_error(query_with(0, &row((1 << 14) + 1)), TOO_LONG);
}

#[test]
fn bytes_that_are_no_text() {
    let mut random = Random::new(1);
    for length in [1, 7, 100, 5000] {
        let noise: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
        assert!(read(noise).is_err());
    }
}

#[test]
fn source_that_fails() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("out of paper"))
        }
    }
    let source = ROW.as_bytes().chain(Failing);
    let mut reader = Wang2021Reader::new(BufReader::new(source), "q.csv");
    let error = reader.next().unwrap().unwrap_err();
    assert!(matches!(error, ReadError::Io(_)));
    assert_eq!(error.to_string(), "q.csv, line 2: out of paper");
}

/// The public set, where it is at hand: all of it can be read, exact mode has no false positive and
/// no false negative, and the search misses no contact.
#[test]
fn public_set() {
    let root = kit::data("../../shared/wang2021");
    let exact = Options {
        exact: true,
        max_boxes: 1,
        ..Options::default()
    };
    let coarse = Options {
        delta: 1e-3,
        max_boxes: 1000,
        ..Options::default()
    };
    type Solve = fn(&Step<4>, &Options) -> Result<Outcome, Error>;
    let kinds: [(_, Solve); 2] = [("edge-edge", edge_edge), ("vertex-face", vertex_face)];
    for (folder, solve) in kinds {
        for path in csv_files(&root, folder) {
            let name = path.display().to_string();
            let file = BufReader::new(std::fs::File::open(&path).expect(&name));
            for (index, query) in Wang2021Reader::new(file, &name).enumerate() {
                let query = query.expect("a query");
                let collides = query.truth.expect("the truth");
                let [decided, found] = [exact, coarse]
                    .map(|options| solve(&query.step, &options).expect("an outcome").toi());
                assert_eq!(decided.is_some(), collides, "{name} {index}");
                assert!(found.is_some() || !collides, "{name} {index}");
            }
        }
    }
}

fn csv_files(root: &Path, folder: &str) -> Vec<PathBuf> {
    let entries = |path: &Path| {
        let entries = std::fs::read_dir(path).into_iter().flatten();
        let paths = entries.map(|entry| entry.expect("an entry").path());
        paths.collect::<Vec<_>>()
    };
    let folders = entries(root).into_iter().map(|path| path.join(folder));
    folders.flat_map(|path| entries(&path)).collect()
}

/// 2^exponent in decimal.
fn power_of_two(exponent: usize) -> String {
    (UBig::ONE << exponent).to_string()
}
