//! A cutoff does not change an answer below it.

use super::*;

#[test]
fn cells_of_the_level_are_below_delta() {
    for delta in [
        1.0,
        0.75,
        0.5,
        0.1,
        1e-2,
        1e-6,
        2.0_f64.powi(-20),
        2.0_f64.powi(-40),
    ] {
        let level = level_below(delta) as i32;
        assert!(
            0.5_f64.powi(level) < delta && 0.5_f64.powi(level - 1) >= delta,
            "{delta}"
        );
    }
}

/// Patches that meet nearly parallel, where a local solve and the error bounds tell contact apart
/// differently.
#[test]
fn a_cutoff_at_the_answer_does_not_change_it() {
    use crate::Moving;
    use crate::geometry::TensorProductPatch;
    use nalgebra::{Point3, Vector3};

    let (options, mut search) = (Options::default(), Search::new());
    for case in 0..400 {
        let n = [1, 3, 8, 12][case % 4];
        let sheet = |z: f64, wiggle: f64| {
            let net: Vec<_> = (0..(n + 1) * (n + 1))
                .map(|k| {
                    let (i, j) = ((k / (n + 1)) as f64, (k % (n + 1)) as f64);
                    let bump = (1.3 * k as f64 + case as f64).sin();
                    Point3::new(i / n as f64, j / n as f64, z + wiggle * bump)
                })
                .collect();
            TensorProductPatch::new(n, n, &net).unwrap()
        };
        let wiggle = 1e-14 * (1 + case % 7) as f64;
        let falling = Moving::translating(sheet(1.0, wiggle), Vector3::z() * -1.5).unwrap();
        let floor = Moving::resting(sheet(0.0, 0.0));
        search.pair.load(&[falling.view(), floor.view()], &options);
        let mut counters = Counters::default();
        let mut start = |cutoff| {
            let window = Window {
                cutoff,
                ..Window::WHOLE
            };
            match search.run(&options, &window, false, &mut counters) {
                Run::Accepted(accepted) => Some(accepted.interval),
                _ => None,
            }
        };
        let answer = start(1.0).unwrap();
        assert_eq!(start(answer[0]), Some(answer), "case {case}");
        assert_eq!(start(answer[0].next_down()), None, "case {case}");
    }
}
