//! Newell's format: order, errors.

use patch_ccd::io::{BptOrder, read_bpt};

use super::{
    ASYMMETRIC, KINDS, TEAPOT, assert_asymmetric, assert_errors, bpt, bv, unnamed, written,
};

#[test]
fn the_order_is_the_callers() {
    let [patch] = &bpt(ASYMMETRIC).unwrap()[..] else {
        panic!("one patch");
    };
    assert_asymmetric(patch);

    // The rows of kind 5 in the other format are this one's order with v fastest.
    let groups = bv(KINDS).unwrap();
    let rows = written(&unnamed(groups[0].patches[1..].to_vec())).unwrap();
    let text = [b"1", &rows[1..]].concat();
    let patches = read_bpt(&text[..], "a.bpt", BptOrder::VFastest).unwrap();
    assert_eq!(patches[..], groups[0].patches[1..]);
    assert_ne!(bpt(text).unwrap(), patches);
}

#[test]
fn line_ends_and_spaces_do_not_matter() {
    let patches = bpt(ASYMMETRIC).unwrap();
    assert_eq!(bpt(ASYMMETRIC.replace('\n', " ")).unwrap(), patches);
    assert_eq!(bpt(ASYMMETRIC.replace('\n', "\n\n# 1\n")).unwrap(), patches);
    assert_eq!(bpt("0").unwrap(), []);
}

/// Two patches, with a header of its own for each.
fn two(headers: [&str; 2]) -> String {
    let (_, points) = ASYMMETRIC.split_once("2 3\n").expect("a header");
    format!("2\n{}\n{points}{}\n{points}", headers[0], headers[1])
}

/// The number of points that follow decides, in all of the file.
#[test]
fn numbers_of_points_in_place_of_degrees() {
    let patches = bpt(TEAPOT).unwrap();
    assert_eq!(patches.len(), 32);
    let counts = TEAPOT.replace("\n3 3\n", "\n4 4\n");
    assert_eq!(bpt(&counts).unwrap(), patches);
    assert_eq!(bpt(counts.replace('\n', "\r")).unwrap(), patches);

    // 3 points along u and 4 along v, 12 in all, and so in either order.
    let [right, counts] = [two(["2 3"; 2]), two(["3 4"; 2])];
    for order in [BptOrder::UFastest, BptOrder::VFastest] {
        let read = |text: &str| read_bpt(text.as_bytes(), "a.bpt", order).unwrap();
        assert_eq!(read(&counts), read(&right));
    }
    bpt(&right).unwrap().iter().for_each(assert_asymmetric);

    // One way in one half of a file and the other way in the other is neither.
    for headers in [["2 3", "3 4"], ["3 4", "2 3"], ["3 4", "3 3"]] {
        assert!(bpt(two(headers)).is_err(), "{headers:?}");
    }
}

/// A file with degrees that is cut short is no file with numbers of points.
#[test]
fn a_lone_patch_with_numbers_of_points_is_refused() {
    let text = "a.bpt, line 2, column 1: degrees 3 and 4 take 20 points, but the file ends after \
        12; degrees are one less than the numbers of points along u and v";
    let lone = ASYMMETRIC.replacen("2 3", "3 4", 1);
    assert_eq!(bpt(lone).unwrap_err().to_string(), text);
}

const ERRORS: &str = r#"
 | 1:1 | the number of patches expected, but the file ends
28 bicubic | 1:4 | degree in u expected, but it is "bicubic"
1\n3 0 | 2:3 | degree in v is 0, but must be from 1 to 30
1\n1 1\n0 0 0\n1 0 0\n0 1 0\n1 1 | 6:4 | a finite number expected, but the file ends
1\n1 1\n0 0 0\n1 0 0\n0 1 0\n1 1 inf | 6:5 | a finite number expected, but it is "inf"
1\n1 1\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n1 1 | 7:1 | the number of patches is given as 1, but the file goes on after them with "1"
2\n1 1\n0 0 0\n1 0 0\n0 1 0\n1 1 0\nlid\n1 1 | 7:1 | degree in u expected, but it is "lid"
2\n1 1\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n | 7:1 | the number of patches is given as 2, but the file ends after 1
1 1\n0 0 0\n1 0 0\n0 1 0\n1 1 0 | 1:1 | the number of patches expected, but the file begins with the degrees of the first
# a sheet\n1 1\n0 0 0\n1 0 | 2:1 | the number of patches expected, but the file begins with the degrees of the first
2\n2 2\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n2 2\n0 0 0\n1 0 0\n0 1,0 | 10:3 | a finite number expected, but it is "1,0"
"#;

#[test]
fn errors_say_where() {
    assert_errors(ERRORS, "a.bpt", bpt);
}
