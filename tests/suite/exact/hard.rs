//! Single queries that are hard to decide.

use kit::simplices::Kind;
use nalgebra::{Point3, point};
use patch_ccd::{Options, Outcome, vertex_face};

use super::{EXACT, check, compare, reordered};

/// Two roots of the determinant nearly coincide; it takes no longer to tell which is first.
#[test]
fn roots_next_to_each_other() {
    let vertex = [Point3::origin(); 2];
    for tiny in [1e-5, 1e-20, 1e-100, 5e-324] {
        for large in [1.0, 8e307] {
            let at = |t: f64| {
                let x = large * (t - 1.0 / 3.0);
                let z = 0.5 * large * (1.0 + t);
                [
                    point![x, tiny, 0.0],
                    point![tiny, x, 0.0],
                    point![-tiny, 0.0, z],
                ]
            };
            let step = [0.0, 1.0].map(|t| {
                let [a, b, c] = at(t);
                [vertex[0], a, b, c]
            });
            let query = Kind::VertexFace.query(&step);
            let turned = Kind::VertexFace.query(&reordered(Kind::VertexFace, &step, 0));
            let [outcome, again] = [query, turned].map(|query| query.solve(&EXACT));
            let [one, two] = [outcome, again].map(|outcome| outcome.toi().is_some());
            assert_eq!(one, two, "{tiny:e}, {large:e}");
            if tiny > 1e-30 && large == 1.0 {
                compare(&query, 1.0, &outcome, &EXACT);
            }
        }
    }
}

/// The determinant is linear in time, and the vertex passes a corner of the face at a distance of
/// 5e-17.
#[test]
fn linear_determinant() {
    let face = [
        [
            point![1.0, -1.0, -1.0],
            Point3::origin(),
            point![1.0, -1.0, 0.0],
        ],
        [
            point![1.0, 0.0, 0.0],
            point![-1.0, 1.0, 0.0],
            point![1.0, 0.0, 1.0],
        ],
    ];
    let vertex = [
        point![0.9356574778806279, -1.0, 0.12868504423874422],
        point![1.935657477880628, 0.0, -0.8713149557612558],
    ];
    let step = [0, 1].map(|k| [vertex[k], face[k][0], face[k][1], face[k][2]]);
    let outcome = check(Kind::VertexFace, &step, &EXACT);
    assert_eq!(outcome.toi(), None);
}

/// A first contact after 0 that is below the least double.
#[test]
fn contact_just_after_the_start() {
    let tiny = f64::from_bits(1);
    let [o, x, y] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Point3::from);
    let step = [
        [point![0.25, 0.25, tiny], o, x, y],
        [point![0.25, 0.25, -1e300], o, x, y],
    ];
    match vertex_face(&step, &EXACT).unwrap() {
        Outcome::Impact { toi, toi_upper, .. } => {
            assert_eq!([toi, toi_upper], [0.0, tiny]);
        }
        other => panic!("{other:?}"),
    }
    let line_search = Options {
        no_zero_toi: true,
        ..EXACT
    };
    let outcome = vertex_face(&step, &line_search).unwrap();
    assert!(
        matches!(outcome, Outcome::BudgetExhausted { toi: 0.0, .. }),
        "{outcome:?}"
    );
}
