//! Compares the test of sixteen pairs with the textbook form, on grids where projections are exact.

use super::*;
use crate::bound::{Line, overlap_interval};
use crate::motion::{COLUMNS, Track};
use crate::vector::dot;
use proptest::prelude::*;

/// Multiples of 1/`steps` in [−1, 1].
///
/// Coordinates and displacements are multiples of 1/16, directions of 1/4, and times of 1/8. Then
/// projections are exact, a positive gap is at least 2⁻⁹, and a slope that is not 0 is at least
/// 1/64.
fn grid(steps: i32) -> impl Strategy<Value = f64> {
    (-steps..=steps).prop_map(move |k| f64::from(k) / f64::from(steps))
}

/// The error bound of the axes: far below any positive gap on the grid, and above the rounding
/// errors, which are those of numbers up to 6.
const ERROR: f64 = 1.0 / (1_u64 << 48) as f64;

/// How far a computed crossing may be from the exact one: twice [`ERROR`] divided by the least
/// slope is less than this.
const TIME_ERROR: f64 = 1e-12;

/// The nets of the children of a sub-patch: their number of control points, and their columns.
fn family() -> impl Strategy<Value = (usize, Vec<Lanes>)> {
    (1..=10_usize).prop_flat_map(|count| {
        let lanes = prop::array::uniform4(grid(16)).prop_map(Lanes);
        (Just(count), prop::collection::vec(lanes, COLUMNS * count))
    })
}

fn axis() -> impl Strategy<Value = Axis> {
    prop::array::uniform3(grid(4)).prop_map(|direction| Axis {
        direction,
        margin: [ERROR; 2],
        error: [ERROR; 2],
    })
}

fn interval() -> impl Strategy<Value = [f64; 2]> {
    (0..8_u32, 1..=8_u32).prop_map(|(start, length)| {
        [start, (start + length).min(8)].map(|eighths| f64::from(eighths) / 8.0)
    })
}

/// The lines of one child's control points on an axis.
fn lines(net: &SiblingNets<'_>, lane: usize, axis: &Axis) -> Vec<Line> {
    let line = |k| {
        let trajectory = net.trajectory(lane, k);
        Line {
            offset: dot(axis.direction, trajectory.start()),
            slope: dot(axis.direction, trajectory.displacement()),
        }
    };
    (0..net.count()).map(line).collect()
}

/// The overlap interval of a pair on these axes by the textbook form.
fn textbook(
    nets: [SiblingNets<'_>; 2],
    pair: usize,
    axes: &[Axis],
    interval: [f64; 2],
) -> Option<[f64; 2]> {
    let projected: Vec<_> = axes
        .iter()
        .map(|axis| {
            [
                lines(&nets[0], pair / 4, axis),
                lines(&nets[1], pair % 4, axis),
            ]
        })
        .collect();
    overlap_interval(&projected, interval)
}

/// What remains of the interval for a pair, as times.
fn remaining(test: &SiblingTest, pair: usize, [start, end]: [f64; 2]) -> [f64; 2] {
    test.remaining[pair].map(|r| start + r * (end - start))
}

proptest! {
    #[test]
    fn one_axis_gives_the_interval_of_the_textbook(
        one in family(), two in family(), axis in axis(), interval in interval(), asked: Pairs,
    ) {
        let nets = [SiblingNets::new(one.0, &Track::Linear, &one.1), SiblingNets::new(two.0, &Track::Linear, &two.1)];
        let mut test = SiblingTest::default();
        let alive = test.time_dependent(nets, &[axis], interval, asked);
        prop_assert_eq!(alive & !asked, 0, "pairs that were not asked for");
        for pair in (0..16).filter(|pair| asked >> pair & 1 == 1) {
            let kept = (alive >> pair & 1 == 1).then(|| remaining(&test, pair, interval));
            match (textbook(nets, pair, &[axis], interval), kept) {
                (None, None) => {}
                (Some(exact), Some(kept)) => for end in 0..2 {
                    prop_assert!(
                        (exact[end] - kept[end]).abs() < TIME_ERROR,
                        "pair {pair}: {kept:?} instead of {exact:?}"
                    );
                },
                // They touch for an instant only: the textbook form lost it by rounding, or the
                // error bounds kept it.
                (None, Some([start, end])) => prop_assert!(
                    end - start < TIME_ERROR,
                    "pair {pair}: {kept:?} instead of nothing"
                ),
                (Some(exact), None) => {
                    prop_assert!(false, "pair {pair}: nothing instead of {exact:?}");
                }
            }
        }
    }

    #[test]
    fn several_axes_never_keep_less_than_the_textbook(
        one in family(),
        two in family(),
        axes in prop::collection::vec(axis(), 1..8),
        interval in interval(),
    ) {
        let nets = [SiblingNets::new(one.0, &Track::Linear, &one.1), SiblingNets::new(two.0, &Track::Linear, &two.1)];
        let mut test = SiblingTest::default();
        let alive = test.time_dependent(nets, &axes, interval, Pairs::MAX);
        for pair in 0..16 {
            let kept = (alive >> pair & 1 == 1).then(|| remaining(&test, pair, interval));
            if let Some(exact) = textbook(nets, pair, &axes, interval) {
                prop_assert!(kept.is_some(), "pair {pair}: pruned instead of {exact:?}");
                let [start, end] = kept.unwrap();
                prop_assert!(
                    start <= exact[0] + TIME_ERROR && end >= exact[1] - TIME_ERROR,
                    "pair {pair}: {kept:?} is not all of {exact:?}"
                );
            }
            // The kernel may keep more than the textbook form, but if a single axis separates a
            // pair throughout, it must prune the pair.
            let separates = |axis: &Axis| textbook(nets, pair, &[*axis], interval).is_none();
            if axes.iter().any(separates) {
                let length = kept.map_or(0.0, |[start, end]| end - start);
                prop_assert!(
                    length < TIME_ERROR,
                    "pair {pair}: {kept:?}, but an axis separates it"
                );
            }
        }
    }

    #[test]
    fn the_swept_hull_keeps_a_pair_unless_an_axis_separates_both_ends_from_both_ends(
        one in family(),
        two in family(),
        axes in prop::collection::vec(axis(), 1..4),
        interval in interval(),
    ) {
        let nets = [SiblingNets::new(one.0, &Track::Linear, &one.1), SiblingNets::new(two.0, &Track::Linear, &two.1)];
        let alive = SiblingTest::default().swept(nets, &axes, interval, Pairs::MAX);
        for pair in 0..16 {
            let range = |side: usize, axis: &Axis| {
                let lane = [pair / 4, pair % 4][side];
                let values = lines(&nets[side], lane, axis)
                    .into_iter()
                    .flat_map(|line| interval.map(|t| line.at(t)));
                values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| {
                    [low.min(x), high.max(x)]
                })
            };
            let separated = axes.iter().any(|axis| {
                let ([low1, high1], [low2, high2]) = (range(0, axis), range(1, axis));
                low1 > high2 || low2 > high1
            });
            prop_assert_eq!(alive >> pair & 1 == 1, !separated, "pair {}", pair);
        }
    }
}
