//! Exact mode against the oracle, which finds its roots and signs in another way: the decision is
//! the same, and the exact first time of contact is between the bounds. And the oracle itself
//! against other ways to know the answer.

mod hard;
mod meshes;
mod oracle;
mod queries;

use kit::simplices::{Kind, Query, check_contact};
use kit::{Case, CaseQuery};
use patch_ccd::{Decision, Inclusion, Method, Options, Outcome, Step};

const EXACT: Options = Options {
    inclusion: Inclusion::Obb,
    method: Method::TwoSided,
    delta: 1e-6,
    epsilon: 0.0,
    relative_epsilon: 0.0,
    t_max: 1.0,
    min_separation: 0.0,
    shrink_separation: None,
    max_boxes: 1,
    no_zero_toi: false,
    exact: true,
};

/// How far apart the bounds on the time of impact may be, besides δ.
const WIDEST: f64 = 1.0 / (1_u64 << 30) as f64;

/// The answer is that of the oracle; its contact is one of points of the two simplices, and these
/// are near each other.
#[track_caller]
fn check(kind: Kind, step: &Step<4>, options: &Options) -> Outcome {
    let query = kind.query(step);
    let outcome = query.solve(options);
    compare(&query, 1.0, &outcome, options);
    let largest = step.iter().flatten().map(|p| p.coords.amax());
    let largest = largest.fold(f64::MIN_POSITIVE, f64::max);
    // No point moves faster than 2 √3 of that, and the time is off by as much as the bounds are
    // apart at most.
    check_contact(kind, step, &outcome, 8.0 * WIDEST * largest);
    outcome
}

/// An outcome against the oracle's answer to a query that takes `horizon` as long as the one
/// solved.
#[track_caller]
fn compare(query: &Query, horizon: f64, outcome: &Outcome, options: &Options) {
    let mut first = query.oracle().first_contact();
    let at = first.as_mut().map(|first| first.bracket());
    let told = format!("first contact at {at:?}: {query:?}\n{options:?}\n{outcome:?}");
    assert_ne!(outcome.counters().decision, Decision::Search, "{told}");
    // `horizon` is a power of two.
    let first = first.filter(|first| first.clone().compare(options.t_max / horizon).is_le());
    let is_right = match (*outcome, first) {
        (Outcome::Clear { .. }, None) => true,
        (Outcome::ContactAtStart { .. }, Some(mut first)) => first.compare(0.0).is_eq(),
        (Outcome::Impact { toi, toi_upper, .. }, Some(mut first)) => {
            first.compare(0.0).is_gt()
                && first.compare(toi / horizon).is_ge()
                && first.compare(toi_upper / horizon).is_le()
                && toi_upper - toi <= WIDEST.min(options.delta) * options.t_max
                && (!options.no_zero_toi || toi > 0.0)
        }
        (Outcome::BudgetExhausted { toi, .. }, Some(mut first)) => {
            options.no_zero_toi && toi == 0.0 && first.compare(f64::MIN_POSITIVE).is_le()
        }
        _ => false,
    };
    assert!(is_right, "{told}");
}

/// The linear queries among the cases in files.
fn case_files() -> Vec<(Case, Kind, Step<4>)> {
    let entries = std::fs::read_dir(kit::data("cases")).expect("data/cases");
    let cases = entries.filter_map(|entry| {
        let case = Case::open(entry.expect("an entry").path()).expect("a case");
        let (kind, step) = match case.query {
            CaseQuery::EdgeEdge(step) => (Kind::EdgeEdge, step),
            CaseQuery::VertexFace(step) => (Kind::VertexFace, step),
            _ => return None,
        };
        Some((case, kind, step))
    });
    cases.collect()
}

/// The order of points does not matter: an edge pair, or a vertex and a face, in another one.
fn reordered(kind: Kind, step: &Step<4>, order: usize) -> Step<4> {
    step.map(|[a, b, c, d]| match kind {
        Kind::EdgeEdge => [[b, a, c, d], [a, b, d, c], [c, d, a, b]][order % 3],
        _ => [
            [a, c, d, b],
            [a, d, b, c],
            [a, c, b, d],
            [a, b, d, c],
            [a, d, c, b],
        ][order % 5],
    })
}
