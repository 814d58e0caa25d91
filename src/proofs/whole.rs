//! All bounds together, and what they are for: pairs are pruned and intervals are cut only where
//! there is no contact.

use super::Tightness;
use super::net::{ExactNet, gap};
use super::scene::{Scene, SearchStep};
use crate::bound::{Axis, Gap, Pairs, SiblingTest, Values};
use crate::branch::impact::time_at;
use crate::proofs::{Dyadic, Random, cases, exact};

/// A random step of the search, in a random scene that `change` may adapt.
fn step(random: &mut Random, case: usize, change: impl Fn(&mut Scene)) -> SearchStep {
    let degrees = if case % 32 == 31 { 9 } else { 5 };
    let mut scene = Scene::random(random, degrees);
    change(&mut scene);
    let level = random.below(41) as u32;
    SearchStep::new(&scene, level, random)
}

/// A pair of children, with their exact nets.
struct PiecePair<'a> {
    step: &'a SearchStep,
    /// The lanes of the two children in their families.
    lanes: [usize; 2],
    exact: [ExactNet; 2],
}

impl<'a> PiecePair<'a> {
    /// The pair 4 i + j of children i and j.
    fn new(step: &'a SearchStep, pair: usize) -> Self {
        let lanes = [pair / 4, pair % 4];
        Self {
            step,
            lanes,
            exact: [0, 1].map(|side| step.exact_child(side, lanes[side])),
        }
    }

    /// A random pair.
    fn random(step: &'a SearchStep, random: &mut Random) -> Self {
        let [one, two] = step.counts();
        Self::new(step, 4 * random.below(one) + random.below(two))
    }

    /// The exact gap on an axis with the first piece above the second one (`side` 0) or below it
    /// (`side` 1).
    fn gap(&self, side: usize, direction: [f64; 3], t: &Dyadic) -> super::net::Quotient {
        let [above, below] = [side, 1 - side].map(|side| &self.exact[side]);
        gap(above, below, direction, t)
    }

    /// Whether the exact gap is larger than the minimum separation at all these times.
    fn is_separated(&self, side: usize, direction: [f64; 3], times: &[&Dyadic]) -> bool {
        let distance = &self.step.min_separation;
        let mut times = times.iter();
        times.all(|t| self.gap(side, direction, t).exceeds(distance, direction))
    }

    /// The computed projections of one of the pieces on axis `a`.
    fn values<'b>(&self, test: &'b SiblingTest, piece: usize, a: usize) -> Values<'b> {
        let count = self.step.search.pair.trees[piece].shape().count();
        let [start, end] = &test.projections[piece];
        Values {
            start: &start[a * count..][..count],
            end: &end[a * count..][..count],
            lane: self.lanes[piece],
        }
    }
}

#[test]
fn computed_gaps_are_within_their_bounds() {
    let (at_ends, between) = (Tightness::default(), Tightness::default());
    let mut random = Random::new(30);
    for case in 0..cases(80) {
        let step = step(&mut random, case, |scene| {
            scene.options.min_separation = 0.0
        });
        let pair = PiecePair::random(&step, &mut random);
        let test = step.projected();
        for (a, axis) in step.search.impact.kernel.axes.iter().enumerate() {
            for side in 0..2 {
                let [above, below] = [side, 1 - side].map(|piece| pair.values(&test, piece, a));
                let bare = Axis {
                    margin: [0.0; 2],
                    ..*axis
                };
                let gap = Gap {
                    above,
                    below,
                    axis: &bare,
                };
                for (r, tightness) in [(0.0, &at_ends), (random.unit(), &between)] {
                    let (computed, _) = gap.at(r);
                    let t = exact(time_at(step.interval, r));
                    let [from, to] = axis.error.map(exact);
                    let bound = from.clone() + exact(r) * (to - from);
                    let exact_gap = pair.gap(side, axis.direction, &t);
                    let [error, bound] = exact_gap.error(computed, bound);
                    tightness.check(&error, &bound, || format!("case {case}, axis {a}, at {r}"));
                }
            }
        }
    }
    at_ends.report("whole gap at an end");
    between.report("whole gap between the ends");
}

/// If a pair is pruned, then some axis separates the pieces at both ends of the interval in exact
/// arithmetic. If its interval is cut, then some axis does so at that end and at the cut. In
/// between they are separated, too, since the gap is concave.
#[test]
fn what_is_pruned_or_cut_is_free() {
    let mut random = Random::new(31);
    let (mut pruned, mut cut) = (0, 0);
    for case in 0..cases(100) {
        let mut step = step(&mut random, case, |_| ());
        let pairs = step.pairs();
        let mut test = SiblingTest {
            remaining: [[0.0, 1.0]; 16],
            ..SiblingTest::default()
        };
        let alive = test.time_dependent(
            step.nets(),
            &step.search.impact.kernel.axes,
            step.interval,
            pairs,
        );
        step.search.impact.kernel.test = test;
        let ends = step.interval.map(exact);
        for _ in 0..3 {
            let pair = PiecePair::random(&step, &mut random);
            let [i, j] = pair.lanes;
            let (index, test) = (4 * i + j, &step.search.impact.kernel.test);
            // Only axes count whose computed gaps are positive at these ends, as the search
            // requires.
            let free = |at: [bool; 2], times: &[&Dyadic]| {
                test.rows
                    .iter()
                    .zip(&step.search.impact.kernel.axes)
                    .any(|(rows, axis)| {
                        (0..2).any(|side| {
                            let gaps = rows[i].gaps[side];
                            (0..2).all(|end| !at[end] || gaps[end][j] > 0.0)
                                && pair.is_separated(side, axis.direction, times)
                        })
                    })
            };
            let [from, to] = test.remaining[index];
            let is_alive = alive >> index & 1 == 1;
            if !is_alive && from < to {
                assert!(
                    free([true, true], &[&ends[0], &ends[1]]),
                    "case {case}, pair {index}"
                );
                pruned += 1;
                continue;
            }
            if from > 0.0 {
                let to = exact(time_at(step.interval, from));
                assert!(
                    free([true, false], &[&ends[0], &to]),
                    "case {case}, pair {index}, up to {from}"
                );
                cut += 1;
            }
            if to < 1.0 {
                let from = exact(time_at(step.interval, to));
                assert!(
                    free([false, true], &[&from, &ends[1]]),
                    "case {case}, pair {index}, from {to}"
                );
                cut += 1;
            }
            assert!(is_alive || from >= to);
        }
    }
    assert!(pruned > 0 && cut > 0, "{pruned} pruned, {cut} cuts");
}

/// If the test of the traditional method prunes a pair, then on some axis each piece at either end
/// of the interval is separated from the other piece at either end.
#[test]
fn what_the_swept_test_prunes_is_free() {
    let mut random = Random::new(32);
    let mut pruned = 0;
    for case in 0..cases(60) {
        let step = step(&mut random, case, |_| ());
        let all = step.pairs();
        let axes = &step.search.impact.kernel.axes;
        let mut test = SiblingTest::default();
        let alive: Pairs = test.swept(step.nets(), axes, step.interval, all);
        let ends = step.interval.map(exact);
        let pair = PiecePair::random(&step, &mut random);
        let [i, j] = pair.lanes;
        if alive >> (4 * i + j) & 1 == 1 {
            continue;
        }
        pruned += 1;
        let separates = |axis: &Axis, side: usize| {
            let gaps = ends
                .iter()
                .flat_map(|t| ends.iter().map(move |s| (t, s)))
                .map(|(t, s)| {
                    let [above, below] = [side, 1 - side].map(|piece| &pair.exact[piece]);
                    super::net::gap_of_times([above, below], axis.direction, [t, s])
                });
            gaps.into_iter()
                .all(|gap| gap.exceeds(&step.min_separation, axis.direction))
        };
        let free = axes
            .iter()
            .any(|axis| (0..2).any(|side| separates(axis, side)));
        assert!(free, "case {case}");
    }
    assert!(pruned > 0);
}
