//! Edges without length, faces without area, points that coincide, motion within a line or plane.

use kit::engines;
use kit::simplices::{Kind, Query};
use nalgebra::{Vector3, point, vector};
use patch_ccd::{Method, Options, Outcome};

use super::{Row, table};

/// Each meets for the first time at t = 1/2.
const MEETING: &str = "
    # Edges of length zero.
    point on edge: ee 0.25 0 1, 0.25 0 1, -1 0 0, 1 0 0 by 0 0 -2
    point on end: ee 1 0 1, 1 0 1, -1 0 0, 1 0 0 by 0 0 -2
    point on point: ee 0.25 0 1, 0.25 0 1, 0 0 0, 0 0 0 by -0.5 0 -2
    point along the line: ee 3 0 0, 3 0 0, -1 0 0, 1 0 0 by -4 0 0
    # Its length is |1 - 2 t|.
    edge that shrinks: ee 0 0 1, 1 0 1, 0.5 -1 0, 0.5 1 0 to 1 0 -1, 0 0 -1, 0.5 -1 0, 0.5 1 0
    # Faces of area zero.
    second corner doubled: vf 0.5 0 1, 0 0 0, 1 0 0, 1 0 0 by 0 0 -2
    first corner doubled: vf 0.5 0 1, 1 0 0, 0 0 0, 1 0 0 by 0 0 -2
    corner on a side: vf 0.5 0 1, 0 0 0, 0.25 0 0, 1 0 0 by 0 0 -2
    corner on another side: vf 0.5 0 1, 0.25 0 0, 1 0 0, 0 0 0 by 0 0 -2
    three equal corners: vf 0.5 0 1, 0.5 0 0, 0.5 0 0, 0.5 0 0 by 0 0 -2
    # At t = 1/3 the face is a needle, and the vertex is on its line, beyond its end: only the
    # needle's own direction separates them. At t = 1/2 the vertex is at a corner.
    needle for a moment: vf 0 1 0, 0 0 1, 0 1 1, 0 1 1 to 0 -1 0, 0 1 1, 0 -1 0, 0 -1 -1
    # Parallel edges: along their common line, end to end, from either side and either way round.
    sliding into each other: ee 2 0 0, 4 0 0, -1 0 0, 1 0 0 by -2 0 0
    sliding the other way round: ee 4 0 0, 2 0 0, -1 0 0, 1 0 0 by -2 0 0
    # Onto each other, at once along a whole piece; then only one end meets the other, sideways.
    meeting along a piece: ee -0.5 1 0, 2 1 0, -1 0 0, 1 0 0 by 0 -2 0
    meeting while sliding: ee -0.5 1 0, 2 1 0, -1 0 0, 1 0 0 by 1 -2 0
    meeting at the ends: ee 1 1 0, 3 1 0, -1 0 0, 1 0 0 by 0 -2 0
    # In the plane of the face.
    onto a side: vf -1 0.5 0, 0 0 0, 0 1 0, 1 0 0 by 2 0 0
    onto a corner: vf -1 1 0, 0 0 0, 0 1 0, 1 0 0 by 2 0 0
    along a side: vf -1 0 0, 0 0 0, 0 1 0, 1 0 0 by 2 0 0
";

const CLEAR: &str = "
    point passes: ee 3 0 0, 3 0 0, -1 0 0, 1 0 0 by -4 1 0
    aside, second corner doubled: vf 0.5 1e-3 1, 0 0 0, 1 0 0, 1 0 0 by 0 0 -2
    aside, first corner doubled: vf 0.5 1e-3 1, 1 0 0, 0 0 0, 1 0 0 by 0 0 -2
    aside, corner on a side: vf 0.5 1e-3 1, 0 0 0, 0.25 0 0, 1 0 0 by 0 0 -2
    aside, corner on another side: vf 0.5 1e-3 1, 0.25 0 0, 1 0 0, 0 0 0 by 0 0 -2
    beyond, second corner doubled: vf 1.001 0 1, 0 0 0, 1 0 0, 1 0 0 by 0 0 -2
    beyond, first corner doubled: vf 1.001 0 1, 1 0 0, 0 0 0, 1 0 0 by 0 0 -2
    beyond, corner on a side: vf 1.001 0 1, 0 0 0, 0.25 0 0, 1 0 0 by 0 0 -2
    beyond, corner on another side: vf 1.001 0 1, 0.25 0 0, 1 0 0, 0 0 0 by 0 0 -2
    past a corner: vf -1 1.001 0, 0 0 0, 0 1 0, 1 0 0 by 2 0 0
    over the face: vf -1 0.5 1e-6, 0 0 0, 0 1 0, 1 0 0 by 2 0 0
    cross at rest: ee 0 -1 1e-9, 0 1 1e-9, -1 0 0, 1 0 0 by 0 0 0
    above a face at rest: vf 0.25 0.25 1e-9, 0 0 0, 1 0 0, 0 1 0 by 0 0 0
    past each other: ee -1 1e-6 0, 1 1e-6 0, -1 0 0, 1 0 0 by 0.5 0 0
    far past each other: ee -1 -1 0, 1 -1 0, -1 0 0, 1 0 0 by 0.5 0 0
";

const AT_THE_START: &str = "
    cross at rest: ee 0 -1 0, 0 1 0, -1 0 0, 1 0 0 by 0 0 0
    on a face at rest: vf 0.25 0.25 0, 0 0 0, 1 0 0, 0 1 0 by 0 0 0
    overlap at rest: ee 0 0 0, 2 0 0, 1 0 0, 3 0 0 by 0 0 0
    sliding on each other: ee -1 0 0, 1 0 0, -1 0 0, 1 0 0 by 0.5 0 0
";

/// Not later, and not earlier than the tolerance explains.
#[test]
fn meeting() {
    for Row { name, kind, step } in table(MEETING) {
        for mut options in engines(&Options::default()) {
            if options.method == Method::Traditional {
                options.delta = 1e-2;
            }
            let outcome = kind.query(&step).solve(&options);
            let told = format!("{name}, {options:?}: {outcome:?}");
            let Outcome::Impact { toi, contact, .. } = outcome else {
                panic!("{told}");
            };
            assert!((0.0..=4.0 * options.delta).contains(&(0.5 - toi)), "{told}");
            assert!(contact.residual <= 10.0 * options.delta, "{told}");
        }
    }
}

#[test]
fn clear() {
    for Row { name, kind, step } in table(CLEAR) {
        for t_max in [1.0, 0.0] {
            for options in engines(&until(t_max)) {
                let outcome = kind.query(&step).solve(&options);
                let is_clear = matches!(outcome, Outcome::Clear { .. });
                assert!(is_clear, "{name}, {options:?}: {outcome:?}");
            }
        }
    }
}

#[test]
fn in_contact_at_the_start() {
    for Row { name, kind, step } in table(AT_THE_START) {
        assert_contact_at_start(name, &kind.query(&step));
    }
    for place in [
        point![0.0, 0.0, 0.0],
        point![0.1, -0.2, 0.3],
        point![1e150, 1e-150, 1.0],
    ] {
        for by in [Vector3::zeros(), vector![1.0, 2.0, 3.0]] {
            let moved = |count| std::array::from_fn(|k| if k < count { place + by } else { place });
            let [start, one_moved, all_moved] = [0, 1, 4].map(moved);
            for kind in Kind::ALL {
                for end in [one_moved, all_moved] {
                    assert_contact_at_start("all in one place", &kind.query(&[start, end]));
                }
            }
        }
    }
}

fn until(t_max: f64) -> Options {
    Options {
        t_max,
        ..Options::default()
    }
}

#[track_caller]
fn assert_contact_at_start(name: &str, query: &Query) {
    for t_max in [1.0, 0.0] {
        for options in engines(&until(t_max)) {
            let outcome = query.solve(&options);
            let is_right = matches!(outcome, Outcome::ContactAtStart { .. });
            assert!(is_right, "{name}, {options:?}: {outcome:?}");
        }
    }
}
