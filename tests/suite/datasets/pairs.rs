//! Fifty random pairs of each kind of `data/pairs` against the answers of the paper's own program.

use std::fs::File;
use std::path::PathBuf;

use kit::PairKind;
use patch_ccd::geometry::AnyPatch;
use patch_ccd::{Inclusion, Method, Moving, Options, Outcome, Workspace};

type Pair = [Moving<AnyPatch>; 2];

fn file(kind: PairKind, extension: &str) -> PathBuf {
    kit::data(format!("pairs/{kind}.{extension}"))
}

fn pairs(kind: PairKind) -> Vec<Pair> {
    let source = File::open(file(kind, "bin")).expect("a file of pairs");
    let pairs: Result<Vec<Pair>, _> = kind.reader(source).collect();
    let pairs = pairs.expect("pairs");
    assert_eq!(pairs.len(), 50);
    pairs
}

/// The reference's time of impact of each pair, `None` for no contact.
fn reference(kind: PairKind) -> Vec<Option<f64>> {
    let mut reader = csv::Reader::from_path(file(kind, "csv")).expect("a file of answers");
    let rows = reader.records().enumerate();
    let answers = rows.map(|(i, row)| {
        let row = row.expect("a row");
        assert_eq!(row[0].parse(), Ok(i));
        let toi: f64 = row[1].parse().expect("a number");
        (toi >= 0.0).then_some(toi)
    });
    let answers: Vec<_> = answers.collect();
    assert_eq!(answers.len(), 50);
    answers
}

/// The time of impact; a budget that ends first is no answer.
fn solve(workspace: &mut Workspace, [a, b]: &Pair, options: &Options) -> Option<f64> {
    let outcome = workspace.time_of_impact(a, b, options).expect("an outcome");
    assert!(
        !matches!(outcome, Outcome::BudgetExhausted { .. }),
        "{outcome:?}"
    );
    outcome.toi()
}

/// Solves the first `count` pairs and compares: the same decision, and times that agree to 5 δ at δ
/// = 1e-6.
fn compare(kind: PairKind, count: usize, inclusion: Inclusion) {
    let options = Options {
        inclusion,
        ..Options::default()
    };
    let mut workspace = Workspace::new();
    let pairs = pairs(kind).into_iter().zip(reference(kind));
    for (case, (pair, expected)) in pairs.take(count).enumerate() {
        let toi = solve(&mut workspace, &pair, &options);
        assert_eq!(toi.is_some(), expected.is_some(), "{kind} {case}");
        let (Some(toi), Some(expected)) = (toi, expected) else {
            continue;
        };
        assert!(
            (toi - expected).abs() <= 5e-6,
            "{kind} {case}: {toi} and {expected}"
        );
        if toi > expected + 2e-6 {
            // One of the two is early. A bound must not be later than a finer one.
            let fine = Options {
                delta: 1e-10,
                ..options
            };
            let finer = solve(&mut workspace, &pair, &fine).expect("an impact");
            assert!(
                toi <= finer + 1e-12,
                "{kind} {case}: {toi} and {finer} at 1e-10"
            );
        }
    }
}

#[test]
fn triangles_agree() {
    for kind in &PairKind::TABLE[..3] {
        compare(*kind, 50, Inclusion::Obb);
    }
}

#[test]
fn quads_agree() {
    for kind in &PairKind::TABLE[3..] {
        compare(*kind, 50, Inclusion::Obb);
    }
}

#[test]
fn rational_kinds_agree() {
    for kind in PairKind::RATIONAL {
        compare(kind, 50, Inclusion::Obb);
    }
}

/// The kinds of degree 1.
const LINEAR: [PairKind; 2] = [PairKind::TABLE[0], PairKind::TABLE[3]];

#[test]
fn kinds_of_degree_1_agree_with_aabb() {
    for kind in LINEAR {
        compare(kind, 10, Inclusion::Aabb);
    }
}

/// Both methods bound the same time from below at their tolerance, so they differ by little.
#[test]
fn traditional_decides_alike() {
    let time_dependent = Options {
        delta: 1e-4,
        ..Options::default()
    };
    let traditional = Options {
        method: Method::Traditional,
        ..time_dependent
    };
    let mut workspace = Workspace::new();
    for kind in LINEAR {
        for (case, pair) in pairs(kind).iter().take(10).enumerate() {
            let [one, other] =
                [time_dependent, traditional].map(|options| solve(&mut workspace, pair, &options));
            match (one, other) {
                (None, None) => {}
                (Some(one), Some(other)) => {
                    let agree = (one - other).abs() <= 5e-4;
                    assert!(agree, "{kind} {case}: {one} and {other}");
                }
                different => panic!("{kind} {case}: {different:?}"),
            }
        }
    }
}
