//! The textbook form of the overlap interval: sort the lines, build both envelopes, and intersect
//! them.
//!
//! Projected on an axis, control points that move linearly are lines in t, and a piece covers the
//! range between the lower and the upper envelope of its lines (Chen et al. 2024, section 4). The
//! search does not use this form, but one that neither sorts nor allocates. This one is here for
//! tests to compare with, and for those who want the envelopes. It computes in plain floating
//! point, without error bounds, and expects lines that are finite.

use ordered_float::OrderedFloat;

/// A number that changes linearly in time: offset + slope · t. Both should be finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// The value at t = 0.
    pub offset: f64,
    /// The change per unit of time.
    pub slope: f64,
}

impl Line {
    /// The value at time `t`.
    pub fn at(&self, t: f64) -> f64 {
        self.offset + self.slope * t
    }

    /// The time at which two lines of different slopes meet.
    fn meets(&self, other: &Self) -> f64 {
        (other.offset - self.offset) / (self.slope - other.slope)
    }
}

/// The minimum of a set of lines, which is concave, or their maximum, which is convex. It is kept
/// as the pieces that it consists of.
#[derive(Clone, Debug, PartialEq)]
pub struct Envelope {
    pieces: Vec<Line>,
    /// The times at which `pieces[i]` ends and `pieces[i + 1]` begins, in increasing order.
    breaks: Vec<f64>,
}

impl Envelope {
    /// The minimum of N lines, in a time of O(N log N). For no lines it has no pieces.
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
        // As time goes on, the minimum follows lines of ever smaller slope. Of parallel lines only
        // the lowest one counts.
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

    /// The maximum of N lines, in a time of O(N log N). For no lines it has no pieces.
    pub fn upper(lines: &[Line]) -> Self {
        let mut envelope = Self::lower(&lines.iter().map(negated).collect::<Vec<_>>());
        envelope
            .pieces
            .iter_mut()
            .for_each(|line| *line = negated(line));
        envelope
    }

    /// The lines that it consists of, in the order of time. Each line occurs once at most.
    pub fn pieces(&self) -> &[Line] {
        &self.pieces
    }

    /// The times at which it goes over from one line to the next one, in increasing order. There is
    /// one fewer than there are pieces.
    pub fn breaks(&self) -> &[f64] {
        &self.breaks
    }

    /// The value at time `t`. It is NaN for an envelope of no lines.
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

/// The times within `interval` at which all lines `above` lie above all lines `below`; `None` if
/// there are none.
///
/// The gap between them is concave, so these times are one interval, and its ends do not belong to
/// it. If it goes as far as an end of `interval`, then ∞ or −∞ is returned for that end, so that
/// the end of `interval` itself counts as separated.
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

/// The interval of times, within `interval` = [start, end], in which two pieces can overlap.
///
/// Each element of `axes` holds, for one axis, the lines of the first piece and those of the second
/// one. All times at which an axis separates the pieces are removed, and the result is the smallest
/// interval that contains what remains. It is `None` if nothing remains, if `interval` is empty or
/// if one of its ends is NaN.
///
/// The result has the rounding errors of plain floating point. The search computes it with error
/// bounds: see [`Workspace::overlap_interval`](crate::Workspace::overlap_interval). It takes a time
/// of O(N log N) for N lines.
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

    /// Lines whose values at multiples of 1/16 are exact, so that the gaps there have the right
    /// sign. Many of them meet in one point or are parallel.
    fn grid_lines() -> impl Strategy<Value = Vec<Line>> {
        let line = (-16..=16, -16..=16).prop_map(|(offset, slope)| Line {
            offset: f64::from(offset) / 16.0,
            slope: f64::from(slope) / 16.0,
        });
        prop::collection::vec(line, 1..6)
    }

    /// The largest gap of the two pieces at time `t`, over all axes and both orders of the pieces.
    /// It is positive if an axis separates them.
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
            // If a piece is missing or too long, then the value is wrong where some lines meet.
            let pairs = lines.iter().flat_map(|a| lines.iter().map(move |b| a.meets(b)));
            for t in pairs.filter(|t| t.abs() < 3.0).chain([t]) {
                let values = || lines.iter().map(|line| line.at(t));
                let least = values().fold(f64::INFINITY, f64::min);
                let most = values().fold(f64::NEG_INFINITY, f64::max);
                prop_assert!((lower.at(t) - least).abs() < 1e-13);
                prop_assert!((upper.at(t) - most).abs() < 1e-13);
            }
        }

        #[test]
        fn slopes_are_monotonic_and_breaks_increase(
            lines in prop_oneof![lines(1..20), grid_lines()],
        ) {
            let both = [(Envelope::lower(&lines), -1.0), (Envelope::upper(&lines), 1.0)];
            for (envelope, sign) in both {
                let (pieces, breaks) = (envelope.pieces(), envelope.breaks());
                prop_assert_eq!(breaks.len() + 1, pieces.len());
                prop_assert!(breaks.is_sorted_by(|a, b| a < b));
                prop_assert!(pieces.is_sorted_by(|a, b| sign * a.slope < sign * b.slope));
            }
        }

        #[test]
        fn the_overlap_interval_is_the_hull_of_the_times_of_overlap(
            axes in prop::collection::vec([grid_lines(), grid_lines()], 1..5),
        ) {
            let found = overlap_interval(&axes, [0.0, 1.0]);
            for t in (0..=16).map(|k| f64::from(k) / 16.0) {
                // Where the gap is 0, rounding may decide either way.
                if widest_gap(&axes, t) < 0.0 {
                    prop_assert!(
                        found.is_some_and(|[start, end]| start - 1e-14 <= t && t <= end + 1e-14),
                        "they overlap at {t}, but {found:?} was found"
                    );
                }
            }
            for t in found.into_iter().flatten() {
                prop_assert!(
                    widest_gap(&axes, t) < 1e-14,
                    "{found:?} ends at {t}, where they do not overlap"
                );
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
