//! What a case with a known answer is, and how it is checked.

use kit::ENGINES;
use kit::scenes::{Motion, mapped, resting, square};
use nalgebra::{Rotation3, Vector3};
use patch_ccd::{Contact, Inclusion, Method, Options, Outcome, time_of_impact};

use Answer::{At, AtStart, Clear};

/// What the answer must be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Answer {
    Clear,
    AtStart,
    At(f64),
}

/// Two patches and what the answer must be.
pub(super) struct Case {
    name: &'static str,
    patches: [Motion; 2],
    t_max: f64,
    min_separation: f64,
    /// By Euclidean distance and by the largest coordinate difference.
    answers: [Answer; 2],
    parameters: Option<[(f64, f64); 2]>,
    normals: Option<[[f64; 3]; 2]>,
    spread: bool,
}

/// A case with a table, which is a resting unit square at height 0, unless it is [`Case::on`]
/// another patch.
pub(super) fn case(name: &'static str, answer: Answer) -> Case {
    let table = resting(square(0.0));
    Case {
        name,
        patches: [table.clone(), table],
        t_max: 1.0,
        min_separation: 0.0,
        answers: [answer; 2],
        parameters: None,
        normals: None,
        spread: false,
    }
}

impl Case {
    /// The first patch.
    pub(super) fn of(mut self, patch: Motion) -> Self {
        self.patches[0] = patch;
        self
    }

    /// The second patch.
    pub(super) fn on(mut self, patch: Motion) -> Self {
        self.patches[1] = patch;
        self
    }

    pub(super) fn until(self, t_max: f64) -> Self {
        Self { t_max, ..self }
    }

    /// "Contact" is this distance; axis-aligned boxes measure it by the largest coordinate
    /// difference.
    pub(super) fn at_distance(mut self, min_separation: f64, by_coordinates: Answer) -> Self {
        self.answers[1] = by_coordinates;
        Self {
            min_separation,
            ..self
        }
    }

    /// They meet in one point.
    pub(super) fn meeting_at(self, on_a: (f64, f64), on_b: (f64, f64)) -> Self {
        Self {
            parameters: Some([on_a, on_b]),
            ..self
        }
    }

    pub(super) fn with_normals(self, of_a: [f64; 3], of_b: [f64; 3]) -> Self {
        Self {
            normals: Some([of_a, of_b]),
            ..self
        }
    }

    /// They meet along a line or over an area, in so many boxes that the traditional method may run
    /// out of them.
    pub(super) fn spread(self) -> Self {
        Self {
            spread: true,
            ..self
        }
    }
}

/// Solves all cases on all engines, in either order, and with oriented boxes in another frame, too.
pub(super) fn check(cases: &[Case]) {
    check_on(&ENGINES, cases);
}

pub(super) fn check_on(engines: &[(Method, Inclusion)], cases: &[Case]) {
    let turn = Rotation3::from_euler_angles(0.3, -1.2, 2.1);
    let frames = [Rotation3::identity(), turn];
    for case in cases {
        for &(method, inclusion) in engines {
            let delta = match (method, inclusion) {
                (Method::Traditional, _) => 1e-2,
                (_, Inclusion::Obb) => 1e-6,
                (_, Inclusion::Aabb) => 1e-4,
            };
            let options = Options {
                method,
                inclusion,
                delta,
                t_max: case.t_max,
                min_separation: case.min_separation,
                max_boxes: 200_000,
                ..Options::default()
            };
            let oriented = inclusion == Inclusion::Obb && method != Method::Traditional;
            for frame in &frames[..if oriented { 2 } else { 1 }] {
                let patches = case.patches.each_ref();
                let [a, b] = patches.map(|patch| mapped(patch, |p| frame * p, |v| frame * v));
                let outcome = time_of_impact(&a, &b, &options).unwrap();
                verify(case, frame, &options, &outcome);
                let swapped = time_of_impact(&b, &a, &options).unwrap();
                verify(case, frame, &options, &swapped.swapped());
            }
        }
    }
}

fn verify(case: &Case, frame: &Rotation3<f64>, options: &Options, outcome: &Outcome) {
    let (method, inclusion) = (options.method, options.inclusion);
    let told = format!("{}, {method} {inclusion}: {outcome:?}", case.name);
    let answer = case.answers[usize::from(inclusion == Inclusion::Aabb)];
    match (answer, *outcome) {
        (Clear, Outcome::Clear { .. }) | (AtStart, Outcome::ContactAtStart { .. }) => {}
        (At(exact), Outcome::Impact { toi, toi_upper, .. }) => {
            assert!(toi <= toi_upper && toi_upper <= case.t_max, "{told}");
            verify_bound(toi, exact, 2.0 * options.delta * case.t_max, &told);
        }
        (At(exact), Outcome::BudgetExhausted { toi, .. })
            if case.spread && method == Method::Traditional =>
        {
            verify_bound(toi, exact, 10.0 * options.delta * case.t_max, &told);
        }
        _ => panic!("{answer:?} expected: {told}"),
    }
    if let Some(contact) = outcome.contact() {
        verify_contact(case, frame, options, contact, &told);
    }
}

/// A bound on the exact time is not above it, and not far below.
pub(super) fn verify_bound(toi: f64, exact: f64, slack: f64, told: &str) {
    // The exact time belongs to numbers that were rounded when the patches were made.
    assert!(toi <= exact * (1.0 + 1e-15), "later than {exact}: {told}");
    assert!(toi >= exact - slack, "too early for {exact}: {told}");
}

fn verify_contact(
    case: &Case,
    frame: &Rotation3<f64>,
    options: &Options,
    contact: &Contact,
    told: &str,
) {
    let small = 10.0 * options.delta;
    let difference = contact.points[0] - contact.points[1];
    let wrong = contact.residual - difference.norm();
    assert!(wrong.abs() <= 1e-15, "residual: {told}");
    let distance = match options.inclusion {
        Inclusion::Obb => difference.norm(),
        Inclusion::Aabb => difference.amax(),
    };
    assert!(distance < case.min_separation + small, "apart: {told}");
    if case.answers[0] != AtStart {
        assert!(distance > case.min_separation - small, "too close: {told}");
    }
    // By the largest coordinate difference, other places are as near.
    if options.inclusion == Inclusion::Obb || case.min_separation == 0.0 {
        let expected = case.parameters.into_iter().flatten();
        for (found, exact) in contact.parameters.iter().zip(expected) {
            let error = (found.0 - exact.0).abs().max((found.1 - exact.1).abs());
            assert!(error < small, "parameters: {told}");
        }
    }
    // The traditional method is so early that the nearest place of a curved patch is another.
    if options.method != Method::Traditional {
        let expected = case.normals.into_iter().flatten();
        for (found, exact) in contact.normals.iter().zip(expected) {
            let error = (found.unwrap() - frame * Vector3::from(exact)).norm();
            assert!(error < small, "normals: {told}");
        }
    }
}
