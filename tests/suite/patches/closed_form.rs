//! Motions whose time of impact follows by hand, solved by every method with both inclusions.

use kit::ENGINES;
use kit::scenes::{
    BILINEAR, BIQUADRATIC, LINEAR, QUADRATIC, UP, affine, falling, flat, going, level, resting,
    square,
};
use patch_ccd::geometry::{AnyPatch, Shape};
use patch_ccd::{Options, Outcome};

use super::case::Answer::{At, AtStart, Clear};
use super::case::{case, check, check_on};
use super::{bowl, floor, solve};

const THIRD: f64 = 1.0 / 3.0;
const UNIT: [f64; 2] = [0.0, 1.0];
const ORIGIN: (f64, f64) = (0.0, 0.0);

/// Vertical, on its corner (u, v) = (0, 0).
fn on_corner(foot: [f64; 3]) -> AnyPatch {
    affine(BILINEAR, foot, [1.0, 0.0, 1.0], [-1.0, 0.0, 1.0])
}

/// Vertical, on its edge v = 0, one unit from `foot` along `edge`.
fn on_edge(foot: [f64; 3], edge: [f64; 3]) -> AnyPatch {
    affine(BILINEAR, foot, edge, UP)
}

#[test]
fn parallel_patches_close_at_known_speeds() {
    let high = level(Shape::TensorProduct { n: 3, m: 2 }, UNIT, UNIT, 0.7);
    let aside = level(BILINEAR, [0.3, 1.3], [0.2, 1.2], 0.7);
    check(&[
        case("one falls", At(0.5))
            .of(falling(1.5, square(0.75)))
            .with_normals(UP, UP)
            .spread(),
        case("both move", At(0.8))
            .of(falling(1.0, square(1.0)))
            .on(going([0.0, 0.0, 0.25], square(0.0)))
            .spread(),
        case("both slide, too", At(0.4))
            .of(going([0.5, 0.25, -2.5], square(1.0)))
            .on(going([0.5, 0.25, 0.0], square(0.0)))
            .spread(),
        case("one is aside", At(0.7))
            .of(falling(1.0, aside))
            .spread(),
        case("triangle on square", At(0.5))
            .of(falling(1.0, flat(LINEAR, 0.5)))
            .spread(),
        case("higher degrees", At(0.7))
            .of(falling(1.0, high))
            .on(resting(flat(Shape::Triangular { n: 3 }, 0.0)))
            .spread(),
        case("too slow", Clear).of(falling(0.999, square(1.0))),
        case("at the last moment", At(1.0))
            .of(falling(1.0, square(1.0)))
            .spread(),
        case("together, apart", Clear)
            .of(going([5.0, -3.0, 2.0], square(0.3)))
            .on(going([5.0, -3.0, 2.0], square(0.0))),
    ]);
}

#[test]
fn upright_patches_fall_on_level_ones() {
    let tile = || resting(flat(LINEAR, 0.0));
    let corner = |x, y| falling(1.0, on_corner([x, y, 0.6]));
    let edge = |x, y, along| falling(1.0, on_edge([x, y, 0.3], along));
    let (along_x, along_y) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    let together = |patch| going([5.0, -3.0, 2.0], patch);
    check(&[
        case("corner on the interior", At(0.6))
            .of(corner(THIRD, 0.2))
            .meeting_at(ORIGIN, (THIRD, 0.2))
            .with_normals([0.0, -1.0, 0.0], UP),
        case("corner on an edge", At(0.6))
            .of(corner(THIRD, 0.0))
            .meeting_at(ORIGIN, (THIRD, 0.0)),
        case("corner on a corner", At(0.6))
            .of(corner(1.0, 1.0))
            .meeting_at(ORIGIN, (1.0, 1.0)),
        case("corner past an edge", Clear).of(corner(THIRD, -1e-9)),
        case("corner on a triangle", At(0.6))
            .of(corner(THIRD, 0.2))
            .on(tile())
            .meeting_at(ORIGIN, (THIRD, 0.2)),
        case("corner on its longest edge", At(0.6))
            .of(corner(0.75, 0.25))
            .on(tile())
            .meeting_at(ORIGIN, (0.75, 0.25)),
        case("side on its longest edge", At(0.65))
            .of(corner(0.75, 0.3))
            .on(tile())
            .meeting_at((0.0, 0.05), (0.7, 0.3)),
        case("edge on the interior", At(0.3))
            .of(edge(0.2, THIRD, along_x))
            .spread(),
        case("edge on an edge", At(0.3))
            .of(edge(0.2, 0.0, along_x))
            .spread(),
        case("edge across an edge", At(0.3))
            .of(edge(THIRD, -0.9, along_y))
            .spread(),
        case("edge across a corner", At(0.3))
            .of(edge(0.0, 0.0, [0.5, -0.5, 0.0]))
            .meeting_at(ORIGIN, ORIGIN),
        case("crossing from the start", AtStart).of(falling(1.0, on_corner([THIRD, 0.2, -0.3]))),
        case("touching, and leaving", AtStart)
            .of(falling(-1.0, on_corner([THIRD, 0.2, 0.0])))
            .meeting_at(ORIGIN, (THIRD, 0.2)),
        case("touching, and going along", AtStart)
            .of(together(on_corner([THIRD, 0.2, 0.0])))
            .on(together(square(0.0))),
    ]);
}

#[test]
fn a_paraboloid_falls_on_a_plane() {
    let mut cases = Vec::new();
    for shape in [BIQUADRATIC, QUADRATIC] {
        cases.extend([BILINEAR, LINEAR].map(|under| {
            case("paraboloid", At(0.7))
                .of(falling(1.0, bowl(shape, 0.7)))
                .on(floor(under))
                .meeting_at((THIRD, 0.2), (0.4, THIRD))
                .with_normals(UP, UP)
        }));
        cases.extend([
            case("gliding above", Clear)
                .of(going([3.0, 0.0, 0.0], bowl(shape, 1e-3)))
                .on(floor(BILINEAR)),
            case("not quite there", Clear)
                .of(falling(0.7, bowl(shape, 0.701)))
                .on(floor(BILINEAR)),
        ]);
    }
    check(&cases);
}

#[test]
fn patches_slide_in_one_plane() {
    let left = |by: f64, patch| going([-by, 0.0, 0.0], patch);
    let beside = |y| level(BILINEAR, [1.5, 2.5], y, 0.0);
    let over = |z| level(BILINEAR, [0.5, 1.5], UNIT, z);
    let arrow = affine(LINEAR, [1.6, THIRD, 0.0], [1.0, 0.5, 0.0], [1.0, -0.5, 0.0]);
    check(&[
        case("edge against edge", At(0.5))
            .of(left(1.0, beside(UNIT)))
            .spread(),
        case("edge against a part of an edge", At(0.5))
            .of(left(1.0, beside([0.3, 1.3])))
            .spread(),
        case("corner against edge", At(0.6))
            .of(left(1.0, arrow))
            .meeting_at(ORIGIN, (1.0, THIRD)),
        case("past each other", Clear).of(left(3.0, beside([1.0 + 1e-9, 2.0]))),
        case("one above the other", Clear).of(left(1.0, over(1e-9))),
        case("on each other", AtStart).of(left(1.0, over(0.0))),
    ]);
}

#[test]
fn patches_reach_their_minimum_separation() {
    let near = |x, y| falling(1.0, level(BILINEAR, [x, 2.0], [y, 2.0], 1.0));
    let rod = affine(BILINEAR, [1.15, THIRD, 1.0], [1.0, 0.0, 0.0], UP);
    check(&[
        case("face to face", At(0.75))
            .of(falling(1.0, square(1.0)))
            .at_distance(0.25, At(0.75))
            .spread(),
        // 0.15 aside, so 0.2 above, and the largest of the two is 0.25 earlier.
        case("edge to crossing edge", At(0.8))
            .of(falling(1.0, rod))
            .at_distance(0.25, At(0.75))
            .spread(),
        // 0.12 and 0.16 aside make 0.2, so 0.15 above.
        case("corner to corner", At(0.85))
            .of(near(1.12, 1.16))
            .at_distance(0.25, At(0.75))
            .meeting_at(ORIGIN, (1.0, 1.0))
            .spread(),
        case("corner passes corner", Clear)
            .of(near(1.2, 1.2))
            .at_distance(0.25, At(0.75))
            .spread(),
        case("corner to face", At(0.75))
            .of(falling(1.0, on_corner([THIRD, 0.2, 1.0])))
            .at_distance(0.25, At(0.75))
            .meeting_at(ORIGIN, (THIRD, 0.2))
            .spread(),
        case("closer from the start", AtStart)
            .of(falling(1.0, square(0.2)))
            .at_distance(0.25, AtStart),
        case("just not as close", Clear)
            .of(falling(0.7499, square(1.0)))
            .at_distance(0.25, Clear),
    ]);
}

#[test]
fn time_is_in_the_unit_of_the_velocities() {
    let case = |name, answer, z: f64, speed: f64, t_max: f64| {
        let corner = falling(speed, on_corner([THIRD, 0.2, z]));
        case(name, answer).of(corner).until(t_max)
    };
    check(&[
        case("long horizon", At(7.0), 0.7, 0.1, 10.0),
        case("short horizon", At(7e-5), 0.7, 1e4, 1e-4),
        case("beyond the horizon", Clear, 0.7, 1.0, 0.7 - 1e-9),
        case("at the horizon", At(0.7), 0.7, 1.0, 0.7),
        case("no time, apart", Clear, 1e-9, 1.0, 0.0),
        case("no time, in touch", AtStart, 0.0, 1.0, 0.0),
        case("no time, crossing", AtStart, -0.2, 1.0, 0.0),
    ]);
}

#[test]
fn slow_patches_are_timed_as_well_as_fast_ones() {
    // In a box as wide as the tolerance they stay together for far longer than the tolerance.
    let slope = affine(BILINEAR, [0.0; 3], [1.0, 0.0, 0.75], [0.0, 1.0, -0.25]);
    let height = 0.75 * THIRD - 0.25 * 0.2;
    let corner = on_corner([THIRD, 0.2, height + 5e-4]);
    let cases = [
        case("corner creeps down to a slope", At(0.5))
            .of(falling(1e-3, corner))
            .on(resting(slope))
            .meeting_at(ORIGIN, (THIRD, 0.2)),
        case("bowl creeps down to a plane", At(0.5))
            .of(falling(1e-3, bowl(BIQUADRATIC, 5e-4)))
            .on(floor(LINEAR))
            .meeting_at((THIRD, 0.2), (0.4, THIRD)),
    ];
    // The traditional method's tolerance here is wider than the whole motion.
    check_on(&ENGINES[..4], &cases);
}

#[test]
fn the_contact_is_told_by_the_middle_of_the_parts_that_touch() {
    let options = Options {
        delta: 1.0,
        ..Options::default()
    };
    let pair = [falling(1.0, flat(LINEAR, 0.5)), resting(square(0.0))];
    let outcome = solve(&pair, &options);
    let [on_triangle, on_square] = outcome.contact().unwrap().parameters;
    let quarters = [(0.25, 0.25), (0.25, 0.75), (0.75, 0.25), (0.75, 0.75)];
    assert!(quarters.contains(&on_square), "{on_square:?}");
    let (u, v) = (6.0 * on_triangle.0, 6.0 * on_triangle.1);
    let sixths = [(1.0, 1.0), (4.0, 1.0), (1.0, 4.0), (2.0, 2.0)];
    let near = |&(s, t): &(f64, f64)| f64::abs(s - u).max(f64::abs(t - v)) < 6e-15;
    assert!(sixths.iter().any(near), "{on_triangle:?}");
}

#[test]
fn a_hairs_breadth_is_seen() {
    let above = |height| {
        let bowl = going([3.0, 0.0, 0.0], bowl(BIQUADRATIC, height));
        solve(&[bowl, floor(BILINEAR)], &Options::default())
    };
    assert!(matches!(above(1e-7), Outcome::Clear { .. }));
    assert!(matches!(above(-1e-7), Outcome::ContactAtStart { .. }));
}
