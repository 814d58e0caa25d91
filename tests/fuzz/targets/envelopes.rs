//! Envelopes of lines, and the overlap intervals of the textbook.

use patch_ccd::inclusion::{Envelope, Line, overlap_interval};

use super::input::{Input, Range};

fn lines(input: &mut Input<'_>) -> Vec<Line> {
    let count = input.below(8);
    let line = |_| Line {
        offset: input.number(),
        slope: input.number(),
    };
    (0..count).map(line).collect()
}

/// Any lines on up to four axes, at any times.
pub fn envelopes(bytes: &[u8]) {
    let mut input = Input::new(bytes);
    let axes: Vec<_> = (0..input.below(5))
        .map(|_| [lines(&mut input), lines(&mut input)])
        .collect();
    let t = input.number();
    for lines in axes.as_flattened() {
        let (lower, upper) = (Envelope::lower(lines), Envelope::upper(lines));
        for envelope in [&lower, &upper] {
            assert_eq!(
                envelope.pieces().len(),
                (envelope.breaks().len() + 1).min(lines.len())
            );
        }
        if input.range == Range::Tame {
            for line in lines {
                assert!(
                    lower.at(t) <= line.at(t) + 1e-12,
                    "{lower:?} at {t} of {lines:?}"
                );
                assert!(
                    upper.at(t) >= line.at(t) - 1e-12,
                    "{upper:?} at {t} of {lines:?}"
                );
            }
        }
    }
    let interval = [input.number(), input.number()];
    if let Some([start, end]) = overlap_interval(&axes, interval) {
        assert!(interval[0] <= start && start <= end && end <= interval[1]);
    }
}
