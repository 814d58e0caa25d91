//! Edges without length, faces without area, points that coincide, motion within a line or plane.

use kit::simplices::Query::{EdgeEdge, VertexEdge, VertexFace, VertexVertex};
use kit::simplices::{ORIGIN, moving};
use nalgebra::{Point3, Vector3, vector};
use patch_ccd::Options;

use super::{assert_clear, assert_contact_at_start, assert_impact};

#[test]
fn edges_of_length_zero() {
    let down = vector![0.0, 0.0, -2.0];
    let point = [0.25, 0.0, 1.0];
    let edge = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
    let [a, b] = edge;
    let impact = |name, points, count, by| {
        assert_impact(name, &EdgeEdge(moving(points, count, by)), 0.5);
    };
    impact("point on edge", [point, point, a, b], 2, down);
    impact("edge on point", [a, b, point, point], 2, -down);
    impact(
        "point on end",
        [[1.0, 0.0, 1.0], [1.0, 0.0, 1.0], a, b],
        2,
        down,
    );
    impact(
        "point on point",
        [point, point, ORIGIN, ORIGIN],
        2,
        vector![-0.5, 0.0, -2.0],
    );
    let along = vector![-4.0, 0.0, 0.0];
    let beside = [3.0, 0.0, 0.0];
    impact("point along the line", [beside, beside, a, b], 2, along);
    let miss = EdgeEdge(moving([beside, beside, a, b], 2, vector![-4.0, 1.0, 0.0]));
    assert_clear("point passes", &miss, &Options::default());
}

#[test]
fn edge_that_shrinks_to_a_point() {
    // The first edge has length |1 - 2 t|, and falls from height 1.
    let start = [
        [0.0, 0.0, 1.0],
        [1.0, 0.0, 1.0],
        [0.5, -1.0, 0.0],
        [0.5, 1.0, 0.0],
    ];
    let end = [
        [1.0, 0.0, -1.0],
        [0.0, 0.0, -1.0],
        [0.5, -1.0, 0.0],
        [0.5, 1.0, 0.0],
    ];
    let step = [start, end].map(|points| points.map(Point3::from));
    assert_impact("shrinking edge", &EdgeEdge(step), 0.5);
}

#[test]
fn faces_of_area_zero() {
    let down = vector![0.0, 0.0, -2.0];
    let vertex = [0.5, 0.0, 1.0];
    let [a, b] = [ORIGIN, [1.0, 0.0, 0.0]];
    let between = [0.25, 0.0, 0.0];
    for (name, face) in [
        ("two equal corners", [a, b, b]),
        ("two equal corners", [b, a, b]),
        ("corner on the side", [a, between, b]),
        ("corner on the side", [between, b, a]),
    ] {
        let [f0, f1, f2] = face;
        assert_impact(
            name,
            &VertexFace(moving([vertex, f0, f1, f2], 1, down)),
            0.5,
        );
        let aside = VertexFace(moving([[0.5, 1e-3, 1.0], f0, f1, f2], 1, down));
        assert_clear(name, &aside, &Options::default());
        let beyond = VertexFace(moving([[1.001, 0.0, 1.0], f0, f1, f2], 1, down));
        assert_clear(name, &beyond, &Options::default());
    }
    let all = [0.5, 0.0, 0.0];
    assert_impact(
        "three equal corners",
        &VertexFace(moving([vertex, all, all, all], 1, down)),
        0.5,
    );
}

/// At t = 1/3 the face is a needle, and the vertex is on its line, beyond its end: only the
/// needle's own direction separates them. At t = 1/2 the vertex is at a corner.
#[test]
fn face_that_is_a_needle_for_a_moment() {
    let start = [
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.0, 1.0, 1.0],
        [0.0, 1.0, 1.0],
    ];
    let end = [
        [0.0, -1.0, 0.0],
        [0.0, 1.0, 1.0],
        [0.0, -1.0, 0.0],
        [0.0, -1.0, -1.0],
    ];
    let step = [start, end].map(|points| points.map(Point3::from));
    assert_impact("face", &VertexFace(step), 0.5);
}

#[test]
fn all_points_coincident() {
    let options = Options::default();
    for place in [ORIGIN, [0.1, -0.2, 0.3], [1e150, 1e-150, 1.0]] {
        for by in [Vector3::zeros(), vector![1.0, 2.0, 3.0]] {
            let together = [moving([place; 4], 4, by), moving([place; 4], 1, by)];
            for step in together {
                assert_contact_at_start("edges", &EdgeEdge(step), &options);
                assert_contact_at_start("face", &VertexFace(step), &options);
            }
        }
        assert_contact_at_start(
            "edge",
            &VertexEdge(moving([place; 3], 0, Vector3::zeros())),
            &options,
        );
        assert_contact_at_start(
            "vertices",
            &VertexVertex(moving([place; 2], 0, Vector3::zeros())),
            &options,
        );
    }
}

#[test]
fn no_motion() {
    let rest = |points| moving(points, 0, Vector3::zeros());
    for t_max in [1.0, 0.0] {
        let options = Options {
            t_max,
            ..Options::default()
        };
        let cross = |z| {
            EdgeEdge(rest([
                [0.0, -1.0, z],
                [0.0, 1.0, z],
                [-1.0, 0.0, 0.0],
                [1.0, 0.0, 0.0],
            ]))
        };
        assert_contact_at_start("cross", &cross(0.0), &options);
        assert_clear("cross", &cross(1e-9), &options);
        let above = |z| {
            VertexFace(rest([
                [0.25, 0.25, z],
                ORIGIN,
                [1.0, 0.0, 0.0],
                [0.0, 1.0, 0.0],
            ]))
        };
        assert_contact_at_start("face", &above(0.0), &options);
        assert_clear("face", &above(1e-9), &options);
        let overlap = EdgeEdge(rest([
            ORIGIN,
            [2.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [3.0, 0.0, 0.0],
        ]));
        assert_contact_at_start("overlap", &overlap, &options);
    }
}

#[test]
fn parallel_edges() {
    let edge = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
    let impact = |name, start: [[f64; 3]; 2], by| {
        let [a, b] = start;
        let [c, d] = edge;
        assert_impact(name, &EdgeEdge(moving([a, b, c, d], 2, by)), 0.5);
        assert_impact(name, &EdgeEdge(moving([c, d, a, b], 2, -by)), 0.5);
    };
    // Along their common line, end to end, from either side and either way round.
    let ahead = [[2.0, 0.0, 0.0], [4.0, 0.0, 0.0]];
    impact("sliding into each other", ahead, vector![-2.0, 0.0, 0.0]);
    impact(
        "sliding into each other",
        [ahead[1], ahead[0]],
        vector![-2.0, 0.0, 0.0],
    );
    // Onto each other, at once along a whole piece.
    let aside = [[-0.5, 1.0, 0.0], [2.0, 1.0, 0.0]];
    impact("meeting along a piece", aside, vector![0.0, -2.0, 0.0]);
    impact("meeting along a piece", aside, vector![1.0, -2.0, 0.0]);
    // Only one end meets the other, sideways.
    impact(
        "meeting at the ends",
        [[1.0, 1.0, 0.0], [3.0, 1.0, 0.0]],
        vector![0.0, -2.0, 0.0],
    );
}

#[test]
fn parallel_edges_that_slide() {
    let options = Options {
        delta: 1e-3,
        ..Options::default()
    };
    let sliding = |y| {
        let points = [
            [-1.0, y, 0.0],
            [1.0, y, 0.0],
            [-1.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
        ];
        EdgeEdge(moving(points, 2, vector![0.5, 0.0, 0.0]))
    };
    assert_contact_at_start("on each other", &sliding(0.0), &options);
    assert_clear("past each other", &sliding(1e-6), &options);
    assert_clear("past each other", &sliding(-1.0), &options);
}

#[test]
fn sliding_in_the_plane_of_a_face() {
    let face = [ORIGIN, [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]];
    let [a, b, c] = face;
    let by = vector![2.0, 0.0, 0.0];
    assert_impact(
        "onto a side",
        &VertexFace(moving([[-1.0, 0.5, 0.0], a, b, c], 1, by)),
        0.5,
    );
    assert_impact(
        "onto a corner",
        &VertexFace(moving([[-1.0, 1.0, 0.0], a, b, c], 1, by)),
        0.5,
    );
    assert_impact(
        "along a side",
        &VertexFace(moving([[-1.0, 0.0, 0.0], a, b, c], 1, by)),
        0.5,
    );
    let past = VertexFace(moving([[-1.0, 1.001, 0.0], a, b, c], 1, by));
    assert_clear("past a corner", &past, &Options::default());
    let over = VertexFace(moving([[-1.0, 0.5, 1e-6], a, b, c], 1, by));
    assert_clear("over the face", &over, &Options::default());
}
