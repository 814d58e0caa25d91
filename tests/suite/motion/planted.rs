//! Contacts that were planted: a time and parameters are chosen, and the second patch is moved so
//! that the two points are the same then. No answer may be later.

use kit::scenes::{BICUBIC, BILINEAR, QUADRATIC, SEGMENT};
use kit::{assert_not_later, cases, check_outcome, each_case};
use patch_ccd::geometry::Shape;
use patch_ccd::{Options, Workspace};

use super::{aside, moving};

const SHAPES: [Shape; 7] = [
    BILINEAR,
    QUADRATIC,
    BICUBIC,
    SEGMENT,
    Shape::Triangular { n: 1 },
    Shape::Triangular { n: 3 },
    Shape::TensorProduct { n: 0, m: 0 },
];

fn inside(shape: Shape, (u, v): (f64, f64)) -> (f64, f64) {
    match shape {
        Shape::TensorProduct { n, m } => (if n > 0 { u } else { 0.0 }, if m > 0 { v } else { 0.0 }),
        Shape::Triangular { .. } if u + v > 1.0 => (1.0 - u, 1.0 - v),
        Shape::Triangular { .. } => (u, v),
    }
}

/// The environment variable `PLANTED_CASES` sets the number of cases.
#[test]
fn no_planted_contact_is_missed() {
    let asked = std::env::var("PLANTED_CASES").ok();
    let asked = asked.map(|count| count.parse().expect("a number of cases"));
    let mut workspace = Workspace::new();
    let mut impacts = 0;
    each_case(asked.unwrap_or_else(|| cases(10_000)), |number, random| {
        let shapes = [random.pick(&SHAPES), random.pick(&SHAPES)];
        let rational = [0, 1].map(|_| random.chance(3));
        let one = moving(random, shapes[0], rational[0]);
        let two = moving(random, shapes[1], rational[1]);
        let t_max = random.pick(&[1.0, 1.0, 0.25, 1.5]);
        let time = t_max * random.unit();
        let mut unknowns = 0;
        let at = shapes.map(|shape| {
            let place = (random.unit(), random.unit());
            let border = random.pick(&[place, place, (0.0, place.1), (place.0, 1.0), (0.0, 0.0)]);
            if border == place {
                let degrees = shape.degrees();
                unknowns += degrees.iter().filter(|&&degree| degree > 0).count();
            }
            inside(shape, border)
        });
        let apart = one.eval(at[0].0, at[0].1, time) - two.eval(at[1].0, at[1].1, time);
        let two = aside(&two, apart);
        let options = Options {
            t_max,
            delta: random.pick(&[1e-2, 1e-4, 1e-6]),
            // The points are the same to rounding only. With two parameters and time they meet all
            // the same, a little aside; with fewer they may miss.
            min_separation: random.pick(&[if unknowns > 1 { 0.0 } else { 1e-13 }, 1e-12, 1e-3]),
            max_boxes: 1_000,
            ..Options::default()
        };
        let (method, inclusion) = kit::ENGINES[number as usize % kit::ENGINES.len()];
        let options = Options {
            method,
            inclusion,
            ..options
        };
        let outcome = workspace.time_of_impact(&one, &two, &options).unwrap();
        check_outcome(&outcome, &options);
        assert_not_later(&outcome, time + 1e-12);
        impacts += usize::from(outcome.contact().is_some());
    });
    assert!(impacts > 0);
}
