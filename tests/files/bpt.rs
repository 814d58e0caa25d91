//! Newell's format: order, errors.

use patch_ccd::io::{BptOrder, read_bpt};

use super::{ASYMMETRIC, KINDS, assert_asymmetric, bpt, bv, unnamed, written};

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
    assert_eq!(bpt(ASYMMETRIC.replace('\n', "\r\n")).unwrap(), patches);
    assert_eq!(bpt(ASYMMETRIC.replace('\n', " ")).unwrap(), patches);
    assert_eq!(bpt(ASYMMETRIC.replace('\n', "\n\n# 1\n")).unwrap(), patches);
    assert_eq!(bpt("0").unwrap(), []);
}

#[test]
fn errors_say_where() {
    let longer = ASYMMETRIC.replacen('1', "2", 1);
    let cases = [
        (
            "",
            "line 1, column 1: the number of patches expected, but the file ends",
        ),
        (
            "28 bicubic",
            "line 1, column 4: degree in u expected, but it is \"bicubic\"",
        ),
        (
            "1\n3 0",
            "line 2, column 3: degree in v is 0, but must be from 1 to 30",
        ),
        (
            "1\n1 1\n0 0 0\n1 0 0\n0 1 0\n1 1",
            "line 6, column 4: a finite number expected, but the file ends",
        ),
        (
            "1\n1 1\n0 0 0\n1 0 0\n0 1 0\n1 1 Infinity",
            "line 6, column 5: a finite number expected, but it is \"Infinity\"",
        ),
        // Numbers of points for degrees.
        (
            "1\n2 2\n0 0 0\n1 0 0\n0 1 0\n1 1 0",
            "line 6, column 6: a finite number expected, but the file ends",
        ),
        (
            "1\n1 1\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n1 1",
            "line 7, column 1: the end of the file expected, but it is \"1\"",
        ),
        (
            &longer,
            "line 15, column 1: degree in u expected, but the file ends",
        ),
    ];
    for (text, message) in cases {
        let error = bpt(text).unwrap_err();
        assert_eq!(error.to_string(), format!("a.bpt, {message}"));
    }
}
