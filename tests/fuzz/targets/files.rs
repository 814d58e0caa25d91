//! Files out of bytes: the bytes themselves, or a file of `data/` with some changes.

use super::input::Input;

/// Words that readers may stumble over.
const WORDS: [&[u8]; 32] = [
    b"NaN",
    b"\"NaN\"",
    b"inf",
    b"-inf",
    b"\"Infinity\"",
    b"1e999",
    b"-1e308",
    b"5e-324",
    b"0",
    b"-1",
    b"1",
    b"2",
    b"3",
    b"30",
    b"31",
    b"18446744073709551615",
    b"18446744073709551616",
    b"-9223372036854775808",
    b"\r\n",
    b"\n",
    b" ",
    b",",
    b",,",
    b"[",
    b"]",
    b"{",
    b"null",
    b"\"",
    b"#",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"Group 0 a",
];

/// The first byte says which of the two it is.
pub(crate) fn file(bytes: &[u8], seeds: &[&[u8]]) -> Vec<u8> {
    let (Some((first, rest)), false) = (bytes.split_first(), seeds.is_empty()) else {
        return bytes.to_vec();
    };
    if first.is_multiple_of(2) {
        return rest.to_vec();
    }
    let mut input = Input::new(rest);
    let mut file = input.pick(seeds).to_vec();
    for _ in 0..=input.below(8) {
        change(&mut file, &mut input);
    }
    file
}

fn change(file: &mut Vec<u8>, input: &mut Input<'_>) {
    let at = input.below(1 << 16) % (file.len() + 1);
    let end = (at + input.below(64)).min(file.len());
    match input.below(8) {
        0 => file.truncate(at),
        1 => drop(file.drain(at..end)),
        2 => file[at..end].fill(input.byte()),
        3 => drop(file.splice(at..at, input.array::<4>())),
        4 => {
            let part = file[at..end].to_vec();
            let to = input.below(1 << 16) % (file.len() + 1);
            drop(file.splice(to..to, part));
        }
        5 => {
            let word = input.pick(&WORDS);
            drop(file.splice(at..at, word.iter().copied()));
        }
        // In the place of a word.
        _ => {
            let stops = |byte: &u8| !byte.is_ascii_alphanumeric() && !b".-+\"".contains(byte);
            let from = file[..at]
                .iter()
                .rposition(stops)
                .map_or(0, |stop| stop + 1);
            let to = file[at..]
                .iter()
                .position(stops)
                .map_or(file.len(), |stop| at + stop);
            let word = input.pick(&WORDS);
            drop(file.splice(from..to, word.iter().copied()));
        }
    }
}
