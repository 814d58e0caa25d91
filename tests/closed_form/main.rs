//! Motions whose time of impact follows by hand, solved by both methods with both inclusions.

#[path = "../common/case.rs"]
mod case;
#[path = "../common/mod.rs"]
mod common;

mod budgets;
mod patches;

use case::Answer::{At, AtStart, Clear};
use case::{case, check, check_on, verify_bound};
use common::{ENGINES, Motion, patch};
use nalgebra::{Point3, Vector3, point};
use patch_ccd::geometry::{AnyPatch, Shape};
use patch_ccd::{Method, Moving, Options, Outcome, time_of_impact};

use patches::*;

#[test]
fn parallel_patches_close_at_known_speeds() {
    let bicubic = Shape::TensorProduct { n: 3, m: 2 };
    let cubic = Shape::Triangular { n: 3 };
    let unit = [0.0, 1.0];
    let triangle = |z| level(LINEAR, unit, unit, z);
    check(&[
        case(
            "one falls",
            falling(1.5, square(0.75)),
            resting(square(0.0)),
            At(0.5),
        )
        .with_normals(UP, UP)
        .spread(),
        case(
            "both move",
            falling(1.0, square(1.0)),
            going([0.0, 0.0, 0.25], square(0.0)),
            At(0.8),
        )
        .spread(),
        case(
            "both slide, too",
            going([0.5, 0.25, -2.5], square(1.0)),
            going([0.5, 0.25, 0.0], square(0.0)),
            At(0.4),
        )
        .spread(),
        case(
            "one is aside",
            falling(1.0, level(BILINEAR, [0.3, 1.3], [0.2, 1.2], 0.7)),
            resting(square(0.0)),
            At(0.7),
        )
        .spread(),
        case(
            "triangle on square",
            falling(1.0, triangle(0.5)),
            resting(square(0.0)),
            At(0.5),
        )
        .spread(),
        case(
            "higher degrees",
            falling(1.0, level(bicubic, unit, unit, 0.7)),
            resting(level(cubic, unit, unit, 0.0)),
            At(0.7),
        )
        .spread(),
        case(
            "too slow",
            falling(0.999, square(1.0)),
            resting(square(0.0)),
            Clear,
        ),
        case(
            "at the last moment",
            falling(1.0, square(1.0)),
            resting(square(0.0)),
            At(1.0),
        )
        .spread(),
        case(
            "together, apart",
            going([5.0, -3.0, 2.0], square(0.3)),
            going([5.0, -3.0, 2.0], square(0.0)),
            Clear,
        ),
    ]);
}

#[test]
fn upright_patches_fall_on_level_ones() {
    let table = || resting(square(0.0));
    let tile = || resting(level(LINEAR, [0.0, 1.0], [0.0, 1.0], 0.0));
    let corner = |x, y| falling(1.0, on_corner([x, y, 0.6]));
    let edge = |x, y, along| falling(1.0, on_edge([x, y, 0.3], along));
    let (corner_uv, along_x, along_y) = ((0.0, 0.0), [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    check(&[
        case(
            "corner on the interior",
            corner(THIRD, 0.2),
            table(),
            At(0.6),
        )
        .meeting_at(corner_uv, (THIRD, 0.2))
        .with_normals([0.0, -1.0, 0.0], UP),
        case("corner on an edge", corner(THIRD, 0.0), table(), At(0.6))
            .meeting_at(corner_uv, (THIRD, 0.0)),
        case("corner on a corner", corner(1.0, 1.0), table(), At(0.6))
            .meeting_at(corner_uv, (1.0, 1.0)),
        case("corner past an edge", corner(THIRD, -1e-9), table(), Clear),
        case("corner on a triangle", corner(THIRD, 0.2), tile(), At(0.6))
            .meeting_at(corner_uv, (THIRD, 0.2)),
        case(
            "corner on its longest edge",
            corner(0.75, 0.25),
            tile(),
            At(0.6),
        )
        .meeting_at(corner_uv, (0.75, 0.25)),
        case(
            "side on its longest edge",
            corner(0.75, 0.3),
            tile(),
            At(0.65),
        )
        .meeting_at((0.0, 0.05), (0.7, 0.3)),
        case(
            "edge on the interior",
            edge(0.2, THIRD, along_x),
            table(),
            At(0.3),
        )
        .spread(),
        case("edge on an edge", edge(0.2, 0.0, along_x), table(), At(0.3)).spread(),
        case(
            "edge across an edge",
            edge(THIRD, -0.9, along_y),
            table(),
            At(0.3),
        )
        .spread(),
        case(
            "edge across a corner",
            edge(0.0, 0.0, [0.5, -0.5, 0.0]),
            table(),
            At(0.3),
        )
        .meeting_at(corner_uv, corner_uv),
        case(
            "crossing from the start",
            falling(1.0, on_corner([THIRD, 0.2, -0.3])),
            table(),
            AtStart,
        ),
        case(
            "touching, and leaving",
            falling(-1.0, on_corner([THIRD, 0.2, 0.0])),
            table(),
            AtStart,
        )
        .meeting_at(corner_uv, (THIRD, 0.2)),
        case(
            "touching, and going along",
            going([5.0, -3.0, 2.0], on_corner([THIRD, 0.2, 0.0])),
            going([5.0, -3.0, 2.0], square(0.0)),
            AtStart,
        ),
    ]);
}

#[test]
fn a_paraboloid_falls_on_a_plane() {
    let (vertex, below) = ((THIRD, 0.2), (0.4, THIRD));
    let mut cases = Vec::new();
    for shape in [BIQUADRATIC, QUADRATIC] {
        for under in [BILINEAR, LINEAR] {
            cases.push(
                case(
                    "paraboloid",
                    falling(1.0, bowl(shape, 0.7)),
                    floor(under),
                    At(0.7),
                )
                .meeting_at(vertex, below)
                .with_normals(UP, UP),
            );
        }
        cases.push(case(
            "gliding above",
            going([3.0, 0.0, 0.0], bowl(shape, 1e-3)),
            floor(BILINEAR),
            Clear,
        ));
        cases.push(case(
            "not quite there",
            falling(0.7, bowl(shape, 0.701)),
            floor(BILINEAR),
            Clear,
        ));
    }
    check(&cases);
}

#[test]
fn patches_slide_in_one_plane() {
    let unit = [0.0, 1.0];
    let left = [-1.0, 0.0, 0.0];
    let table = || resting(square(0.0));
    let arrow = flat(LINEAR, [1.6, THIRD, 0.0], [1.0, 0.5, 0.0], [1.0, -0.5, 0.0]);
    check(&[
        case(
            "edge against edge",
            going(left, level(BILINEAR, [1.5, 2.5], unit, 0.0)),
            table(),
            At(0.5),
        )
        .spread(),
        case(
            "edge against a part of an edge",
            going(left, level(BILINEAR, [1.5, 2.5], [0.3, 1.3], 0.0)),
            table(),
            At(0.5),
        )
        .spread(),
        case("corner against edge", going(left, arrow), table(), At(0.6))
            .meeting_at((0.0, 0.0), (1.0, THIRD)),
        case(
            "past each other",
            going(
                [-3.0, 0.0, 0.0],
                level(BILINEAR, [1.5, 2.5], [1.0 + 1e-9, 2.0], 0.0),
            ),
            table(),
            Clear,
        ),
        case(
            "one above the other",
            going(left, level(BILINEAR, [0.5, 1.5], unit, 1e-9)),
            table(),
            Clear,
        ),
        case(
            "on each other",
            going(left, level(BILINEAR, [0.5, 1.5], unit, 0.0)),
            table(),
            AtStart,
        ),
    ]);
}

#[test]
fn patches_reach_their_minimum_separation() {
    let table = || resting(square(0.0));
    let near = |x, y| falling(1.0, level(BILINEAR, [x, 2.0], [y, 2.0], 1.0));
    let rod = flat(BILINEAR, [1.15, THIRD, 1.0], [1.0, 0.0, 0.0], UP);
    check(&[
        case("face to face", falling(1.0, square(1.0)), table(), At(0.75))
            .at_distance(0.25, At(0.75))
            .spread(),
        // 0.15 aside, so 0.2 above, and the largest of the two is 0.25 earlier.
        case("edge to crossing edge", falling(1.0, rod), table(), At(0.8))
            .at_distance(0.25, At(0.75))
            .spread(),
        // 0.12 and 0.16 aside make 0.2, so 0.15 above.
        case("corner to corner", near(1.12, 1.16), table(), At(0.85))
            .at_distance(0.25, At(0.75))
            .meeting_at((0.0, 0.0), (1.0, 1.0))
            .spread(),
        case("corner passes corner", near(1.2, 1.2), table(), Clear)
            .at_distance(0.25, At(0.75))
            .spread(),
        case(
            "corner to face",
            falling(1.0, on_corner([THIRD, 0.2, 1.0])),
            table(),
            At(0.75),
        )
        .at_distance(0.25, At(0.75))
        .meeting_at((0.0, 0.0), (THIRD, 0.2))
        .spread(),
        case(
            "closer from the start",
            falling(1.0, square(0.2)),
            table(),
            AtStart,
        )
        .at_distance(0.25, AtStart),
        case(
            "just not as close",
            falling(0.7499, square(1.0)),
            table(),
            Clear,
        )
        .at_distance(0.25, Clear),
    ]);
}

#[test]
fn time_is_in_the_unit_of_the_velocities() {
    let table = || resting(square(0.0));
    let corner = |z, speed| falling(speed, on_corner([THIRD, 0.2, z]));
    check(&[
        case("long horizon", corner(0.7, 0.1), table(), At(7.0)).until(10.0),
        case("short horizon", corner(0.7, 1e4), table(), At(7e-5)).until(1e-4),
        case("beyond the horizon", corner(0.7, 1.0), table(), Clear).until(0.7 - 1e-9),
        case("at the horizon", corner(0.7, 1.0), table(), At(0.7)).until(0.7),
        case("no time, apart", corner(1e-9, 1.0), table(), Clear).until(0.0),
        case("no time, in touch", corner(0.0, 1.0), table(), AtStart).until(0.0),
        case("no time, crossing", corner(-0.2, 1.0), table(), AtStart).until(0.0),
    ]);
}

#[test]
fn slow_patches_are_timed_as_well_as_fast_ones() {
    // In a box as wide as the tolerance they stay together for far longer than the tolerance.
    let slope = flat(BILINEAR, [0.0; 3], [1.0, 0.0, 0.75], [0.0, 1.0, -0.25]);
    let height = 0.75 * THIRD - 0.25 * 0.2;
    let corner = on_corner([THIRD, 0.2, height + 5e-4]);
    // The traditional method's tolerance here is wider than the whole motion.
    check_on(
        &ENGINES[..4],
        &[
            case(
                "corner creeps down to a slope",
                falling(1e-3, corner),
                resting(slope),
                At(0.5),
            )
            .meeting_at((0.0, 0.0), (THIRD, 0.2)),
            case(
                "bowl creeps down to a plane",
                falling(1e-3, bowl(BIQUADRATIC, 5e-4)),
                floor(LINEAR),
                At(0.5),
            )
            .meeting_at((THIRD, 0.2), (0.4, THIRD)),
        ],
    );
}

#[test]
fn the_contact_is_told_by_the_middle_of_the_parts_that_touch() {
    let options = Options {
        delta: 1.0,
        ..Options::default()
    };
    let outcome = time_of_impact(
        &falling(1.0, level(LINEAR, [0.0, 1.0], [0.0, 1.0], 0.5)),
        &resting(square(0.0)),
        &options,
    );
    let [on_triangle, on_square] = outcome.unwrap().contact().unwrap().parameters;
    let quarters = [(0.25, 0.25), (0.25, 0.75), (0.75, 0.25), (0.75, 0.75)];
    assert!(quarters.contains(&on_square), "{on_square:?}");
    let sixths = [(1.0, 1.0), (4.0, 1.0), (1.0, 4.0), (2.0, 2.0)];
    let near = |&(u, v): &(f64, f64)| {
        (u / 6.0 - on_triangle.0)
            .abs()
            .max((v / 6.0 - on_triangle.1).abs())
            < 1e-15
    };
    assert!(sixths.iter().any(near), "{on_triangle:?}");
}

#[test]
fn a_hairs_breadth_is_seen() {
    let above = |height| {
        let bowl = bowl(BIQUADRATIC, height);
        let options = Options::default();
        time_of_impact(&going([3.0, 0.0, 0.0], bowl), &floor(BILINEAR), &options).unwrap()
    };
    assert!(matches!(above(1e-7), Outcome::Clear { .. }));
    assert!(matches!(above(-1e-7), Outcome::ContactAtStart { .. }));
}
