//! Newell's format: order, errors.

use patch_ccd::io::{BptOrder, read_bpt};

use super::{ASYMMETRIC, KINDS, assert_asymmetric, assert_errors, bpt, bv, unnamed, written};

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

/// The last but one has numbers of points for degrees.
const ERRORS: &str = r#"
 | 1:1 | the number of patches expected, but the file ends
28 bicubic | 1:4 | degree in u expected, but it is "bicubic"
1\n3 0 | 2:3 | degree in v is 0, but must be from 1 to 30
1\n1 1\n0 0 0\n1 0 0\n0 1 0\n1 1 | 6:4 | a finite number expected, but the file ends
1\n1 1\n0 0 0\n1 0 0\n0 1 0\n1 1 inf | 6:5 | a finite number expected, but it is "inf"
1\n2 2\n0 0 0\n1 0 0\n0 1 0\n1 1 0 | 6:6 | a finite number expected, but the file ends
1\n1 1\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n1 1 | 7:1 | the end of the file expected, but it is "1"
"#;

#[test]
fn errors_say_where() {
    assert_errors(ERRORS, "a.bpt", bpt);
    let longer = ASYMMETRIC.replacen('1', "2", 1);
    let text = "a.bpt, line 15, column 1: degree in u expected, but the file ends";
    assert_eq!(bpt(longer).unwrap_err().to_string(), text);
}
