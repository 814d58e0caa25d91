//! The textbook form of the overlap interval: sort the lines, build both envelopes, intersect them.
//!
//! Projected on an axis, control points that move linearly are lines in t, and a piece covers the
//! range between the lower and the upper envelope of its lines (Chen et al. 2024, section 4). The
//! search does not use this form but one that neither sorts nor allocates; this one is here to be
//! compared with, and for those who want the envelopes. It computes in plain floating point,
//! without error bounds, on lines that are finite.

use ordered_float::OrderedFloat;

/// A coordinate that changes linearly: offset + slope · t.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Value at t = 0.
    pub offset: f64,
    /// Change per unit of time.
    pub slope: f64,
}

impl Line {
    /// Value at time `t`.
    pub fn at(&self, t: f64) -> f64 {
        self.offset + self.slope * t
    }

    /// Where two lines of different slope meet.
    fn meets(&self, other: &Self) -> f64 {
        (other.offset - self.offset) / (self.slope - other.slope)
    }
}

/// The minimum (concave) or maximum (convex) of a set of lines, as the pieces it is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Envelope {
    pieces: Vec<Line>,
    /// `pieces[i]` ends and `pieces[i + 1]` begins at `breaks[i]`; increasing.
    breaks: Vec<f64>,
}

impl Envelope {
    /// The minimum of the lines, in O(N log N). Of no lines: no pieces.
    ///
    /// ```
    /// use patch_ccd::inclusion::{Envelope, Line};
    /// let lines = [Line { offset: 0.0, slope: 1.0 }, Line { offset: 1.0, slope: -1.0 }];
    /// let minimum = Envelope::lower(&lines);
    /// assert_eq!(minimum.breaks(), [0.5]);
    /// assert_eq!(minimum.at(0.25), 0.25);
    /// assert_eq!(minimum.at(0.75), 0.25);
    /// ```
    pub fn lower(lines: &[Line]) -> Self {
        let mut sorted = lines.to_vec();
        // From left to right the minimum follows lines of ever smaller slope; of parallel lines the
        // lowest counts.
        sorted.sort_by_key(|line| (OrderedFloat(-line.slope), OrderedFloat(line.offset)));
        sorted.dedup_by_key(|line| line.slope);
        let mut envelope = Self {
            pieces: Vec::new(),
            breaks: Vec::new(),
        };
        for line in sorted {
            while let Some(last) = envelope.pieces.last() {
                let meets = last.meets(&line);
                if envelope.breaks.last().is_none_or(|&start| meets > start) {
                    envelope.breaks.push(meets);
                    break;
                }
                envelope.pieces.pop();
                envelope.breaks.pop();
            }
            envelope.pieces.push(line);
        }
        envelope
    }

    /// The maximum of the lines, in O(N log N).
    pub fn upper(lines: &[Line]) -> Self {
        let mut envelope = Self::lower(&lines.iter().map(negated).collect::<Vec<_>>());
        envelope
            .pieces
            .iter_mut()
            .for_each(|line| *line = negated(line));
        envelope
    }

    /// The lines it is made of, from left to right.
    pub fn pieces(&self) -> &[Line] {
        &self.pieces
    }

    /// The times at which it goes from one line to the next.
    pub fn breaks(&self) -> &[f64] {
        &self.breaks
    }

    /// Value at time `t`; NaN for an envelope of no lines.
    pub fn at(&self, t: f64) -> f64 {
        let piece = self.breaks.partition_point(|&end| end < t);
        self.pieces.get(piece).map_or(f64::NAN, |line| line.at(t))
    }
}

fn negated(line: &Line) -> Line {
    Line {
        offset: -line.offset,
        slope: -line.slope,
    }
}

/// The part of `interval` in which the lines `above` lie all above the lines `below`, or `None`.
/// The gap is concave, so it is one interval, without its ends; when it reaches an end of
/// `interval`, that is ∞, so that the end is separated too.
fn separated(above: &[Line], below: &[Line], [a, b]: [f64; 2]) -> Option<[f64; 2]> {
    let (lower, upper) = (Envelope::lower(above), Envelope::upper(below));
    let mut stops: Vec<f64> = (lower.breaks.iter().chain(&upper.breaks).copied())
        .filter(|t| (a..b).contains(t))
        .chain([a, b])
        .collect();
    stops.sort_by_key(|&t| OrderedFloat(t));
    let gaps: Vec<f64> = stops.iter().map(|&t| lower.at(t) - upper.at(t)).collect();
    let first = gaps.iter().position(|&gap| gap > 0.0)?;
    let last = gaps.iter().rposition(|&gap| gap > 0.0)?;
    // Between two stops the gap is linear.
    let root = |i: usize, j: usize| {
        let root = stops[i] + (stops[j] - stops[i]) * gaps[i] / (gaps[i] - gaps[j]);
        root.clamp(a, b)
    };
    Some([
        if first == 0 {
            f64::NEG_INFINITY
        } else {
            root(first, first - 1)
        },
        if last + 1 == stops.len() {
            f64::INFINITY
        } else {
            root(last, last + 1)
        },
    ])
}

/// When two pieces can overlap within the times `interval`, by their lines on each of some axes:
/// the hull of what remains after removing all times at which some axis separates them; `None` when
/// nothing remains, or the interval is empty.
///
/// Each element of `axes` holds the lines of both pieces on one axis. Costs O(N log N) for N lines.
///
/// ```
/// use patch_ccd::inclusion::{Line, overlap_interval};
/// // A unit interval that passes another one, at rest 2 units to the right, at speed 1.
/// let moving = vec![Line { offset: 0.0, slope: 1.0 }, Line { offset: 1.0, slope: 1.0 }];
/// let resting = vec![Line { offset: 3.0, slope: 0.0 }, Line { offset: 4.0, slope: 0.0 }];
/// assert_eq!(overlap_interval(&[[moving, resting]], [0.0, 10.0]), Some([2.0, 4.0]));
/// ```
pub fn overlap_interval(axes: &[[Vec<Line>; 2]], interval: [f64; 2]) -> Option<[f64; 2]> {
    if interval[0].is_nan() || interval[1].is_nan() || interval[0] > interval[1] {
        return None;
    }
    let mut removed: Vec<[f64; 2]> = axes
        .iter()
        .flat_map(|[one, two]| [separated(one, two, interval), separated(two, one, interval)])
        .flatten()
        .collect();
    removed.sort_by_key(|&[from, _]| OrderedFloat(from));
    let [mut start, mut end] = interval;
    for &[from, to] in &removed {
        if from < start {
            start = start.max(to);
        }
    }
    removed.sort_by_key(|&[_, to]| OrderedFloat(-to));
    for &[from, to] in &removed {
        if to > end {
            end = end.min(from);
        }
    }
    (start <= end).then_some([start, end])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lines(number: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Line>> {
        let line = (-1.0..1.0, -1.0..1.0).prop_map(|(offset, slope)| Line { offset, slope });
        prop::collection::vec(line, number)
    }

    /// Lines whose values at multiples of 1/16 are exact: sampled gaps have the right sign, and
    /// ties are frequent.
    fn grid_lines() -> impl Strategy<Value = Vec<Line>> {
        let line = (-16..=16, -16..=16).prop_map(|(offset, slope)| Line {
            offset: f64::from(offset) / 16.0,
            slope: f64::from(slope) / 16.0,
        });
        prop::collection::vec(line, 1..6)
    }

    /// The larger gap of the two pieces at time `t`, over all axes: positive when some axis
    /// separates them.
    fn widest_gap(axes: &[[Vec<Line>; 2]], t: f64) -> f64 {
        let least = |lines: &[Line]| lines.iter().map(|l| l.at(t)).fold(f64::INFINITY, f64::min);
        let most = |lines: &[Line]| {
            lines
                .iter()
                .map(|l| l.at(t))
                .fold(f64::NEG_INFINITY, f64::max)
        };
        axes.iter()
            .flat_map(|[one, two]| [least(one) - most(two), least(two) - most(one)])
            .fold(f64::NEG_INFINITY, f64::max)
    }

    proptest! {
        #[test]
        fn envelopes_are_the_minimum_and_the_maximum(lines in lines(1..20), t in -3.0..3.0_f64) {
            let (lower, upper) = (Envelope::lower(&lines), Envelope::upper(&lines));
            // A piece that is missing or too long shows where lines meet.
            let pairs = lines.iter().flat_map(|a| lines.iter().map(move |b| a.meets(b)));
            for t in pairs.filter(|t| t.abs() < 3.0).chain([t]) {
                let values = || lines.iter().map(|line| line.at(t));
                prop_assert!((lower.at(t) - values().fold(f64::INFINITY, f64::min)).abs() < 1e-13);
                prop_assert!((upper.at(t) - values().fold(f64::NEG_INFINITY, f64::max)).abs() < 1e-13);
            }
        }

        #[test]
        fn pieces_turn_one_way_and_breaks_increase(lines in prop_oneof![lines(1..20), grid_lines()]) {
            for (envelope, turn) in [(Envelope::lower(&lines), -1.0), (Envelope::upper(&lines), 1.0)] {
                prop_assert_eq!(envelope.breaks().len() + 1, envelope.pieces().len());
                prop_assert!(envelope.breaks().is_sorted_by(|a, b| a < b));
                prop_assert!(envelope.pieces().is_sorted_by(|a, b| turn * a.slope < turn * b.slope));
            }
        }

        #[test]
        fn the_overlap_interval_is_the_hull_of_the_times_of_overlap(
            axes in prop::collection::vec([grid_lines(), grid_lines()], 1..5),
        ) {
            let found = overlap_interval(&axes, [0.0, 1.0]);
            for t in (0..=16).map(|k| f64::from(k) / 16.0) {
                // Where the gap is 0 rounding may decide.
                if widest_gap(&axes, t) < 0.0 {
                    prop_assert!(
                        found.is_some_and(|[start, end]| start - 1e-14 <= t && t <= end + 1e-14),
                        "they overlap at {t}, but {found:?} was found"
                    );
                }
            }
            for t in found.into_iter().flatten() {
                prop_assert!(widest_gap(&axes, t) < 1e-14, "{found:?} ends at {t}, where they do not overlap");
            }
        }
    }

    #[test]
    fn pieces_that_touch_at_an_end_of_the_times_only_overlap_there() {
        let line = |offset, slope| vec![Line { offset, slope }];
        let resting = line(0.0, 0.0);
        let (arriving, leaving) = (line(1.0, -1.0), line(0.0, 1.0));
        assert_eq!(
            overlap_interval(&[[arriving, resting.clone()]], [0.0, 1.0]),
            Some([1.0, 1.0])
        );
        assert_eq!(
            overlap_interval(&[[leaving, resting]], [0.0, 1.0]),
            Some([0.0, 0.0])
        );
    }
}
