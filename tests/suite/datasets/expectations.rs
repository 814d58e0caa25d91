//! What a case file expects, against outcomes of all sorts.

use kit::{Case, CaseError, Collides, Expect};
use patch_ccd::{Options, Outcome};

use super::cases::case;

/// Clear, in contact at the start, an impact at about 1/2, a budget exhausted before that, an
/// error.
fn answers() -> [Result<Outcome, CaseError>; 5] {
    let budget = |case: Case| Case {
        options: Options {
            max_boxes: 1,
            ..case.options
        },
        ..case
    };
    let answers = [
        case("quad_beyond_t_max").solve(),
        case("quad_identical_static").solve(),
        case("quad_parallel").solve(),
        budget(case("quad_paraboloid_on_plane")).solve(),
        case("quad_nan").solve(),
    ];
    assert!(matches!(answers[0], Ok(Outcome::Clear { .. })));
    assert!(matches!(answers[1], Ok(Outcome::ContactAtStart { .. })));
    assert!(matches!(answers[2], Ok(Outcome::Impact { .. })));
    assert!(matches!(answers[3], Ok(Outcome::BudgetExhausted { .. })));
    assert!(matches!(answers[4], Err(CaseError::Patch { patch: 1, .. })));
    answers
}

#[test]
fn agreement() {
    let (all, around, after) = (0.0..=1.0, 0.499..=0.501, 0.501..=1.0);
    let open = f64::NEG_INFINITY..=f64::INFINITY;
    let not_a_number = f64::NAN..=1.0;
    for (collides, toi, budget, right) in [
        (Collides::Yes, &all, false, [0, 1, 1, 0, 0]),
        (Collides::Yes, &all, true, [0, 1, 1, 1, 0]),
        (Collides::Yes, &around, false, [0, 0, 1, 0, 0]),
        (Collides::Yes, &after, true, [0; 5]),
        (Collides::Yes, &not_a_number, true, [0; 5]),
        (Collides::No, &open, false, [1, 0, 0, 0, 0]),
        (Collides::No, &open, true, [1, 0, 0, 1, 0]),
        (Collides::Either, &around, false, [1, 0, 1, 0, 0]),
        (Collides::Either, &after, false, [1, 0, 0, 0, 0]),
        (Collides::Error, &open, true, [0, 0, 0, 0, 1]),
    ] {
        let expect = Expect {
            collides,
            toi: toi.clone(),
            budget,
            note: String::new(),
        };
        let agrees = answers().map(|answer| u8::from(expect.check(&answer).is_ok()));
        assert_eq!(agrees, right, "{expect}, budget {budget}");
    }
}

#[test]
fn differences_say_what_was_expected_and_found() {
    let [clear, ..] = answers();
    let expect = case("quad_parallel").expect.expect("an expectation");
    let difference = expect.check(&clear).unwrap_err();
    assert_eq!(
        difference,
        "expected an impact with toi from 0.499997 to 0.5, found clear"
    );
}
