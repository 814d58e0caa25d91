//! Pairs at a separation whose distance is known at all times. Borders, corners or the inside come
//! first, sides are parallel or nearly so: the bracket around the time of impact is narrow all the
//! same, and few boxes are enough.

use kit::oracle::squared_distance;
use kit::scenes::{
    BILINEAR, BIQUADRATIC, LINEAR, Motion, going, level, octant, patch, placed, resting,
};
use nalgebra::{Point3, Rotation3, Vector3, point, vector};
use patch_ccd::geometry::{AnyPatch, Patch};
use patch_ccd::{Moving, Options, Outcome};

use super::solve;

/// A pair, and its distance at any time.
struct Row {
    told: String,
    pair: [Motion; 2],
    separation: f64,
    distance: Box<dyn Fn(f64) -> f64>,
    /// The distance of convex bodies in translation is convex in time, so that a bracket needs no
    /// look at the times before it.
    convex: bool,
}

impl Row {
    /// Solves it and checks the answer; returns the number of boxes.
    fn check(&self) -> u64 {
        let Self {
            pair, separation, ..
        } = self;
        let options = Options {
            min_separation: *separation,
            ..Options::default()
        };
        let outcome = solve(pair, &options);
        let told = format!("{} at {separation}: {outcome:?}", self.told);
        // Coordinates below 1 are known to a rounding, and distances to some.
        let rounding = 1e-13;
        let exceeds = |t: f64| assert!((self.distance)(t) >= separation - rounding, "{t}: {told}");
        let samples = |until: f64| (0..10).map(move |k| until * f64::from(k) / 10.0);
        match outcome {
            Outcome::Impact {
                toi,
                toi_upper,
                contact,
                ..
            } => {
                exceeds(toi);
                if !self.convex {
                    samples(toi).for_each(exceeds);
                }
                let there = (self.distance)(toi_upper);
                assert!((there - separation).abs() <= rounding, "{there}: {told}");
                assert!(toi_upper - toi <= options.delta, "{told}");
                assert_eq!(contact.time, toi_upper, "{told}");
                assert!(contact.residual <= separation + rounding, "{told}");
            }
            Outcome::ContactAtStart { .. } => {
                assert!((self.distance)(0.0) <= separation + rounding, "{told}");
            }
            Outcome::Clear { .. } => samples(1.1).for_each(exceeds),
            Outcome::BudgetExhausted { .. } => panic!("{told}"),
        }
        let boxes = outcome.counters().boxes;
        assert!(boxes <= 1000, "{boxes} boxes: {told}");
        boxes
    }
}

#[test]
fn brackets_are_closed_in_few_boxes() {
    let mut rows = triangles_beside_a_border();
    rows.extend(triangles_near_a_corner_of_an_octant());
    rows.extend(corners_and_a_bowl_over_a_plate());
    let boxes: Vec<u64> = rows.iter().map(Row::check).collect();
    let sum: u64 = boxes.iter().sum();
    assert!(sum <= 300 * rows.len() as u64, "{boxes:?}");
}

fn triangle(corners: [Point3<f64>; 3]) -> AnyPatch {
    AnyPatch::from_shape(LINEAR, &corners).expect("a net")
}

/// A triangle that falls on a level square plate, at the height 0 over [0, 1/4]².
fn on_plate(told: String, corners: [Point3<f64>; 3], down: f64, separation: f64) -> Row {
    let plate = level(BILINEAR, [0.0, 0.25], [0.0, 0.25], 0.0);
    let [a, b, c, d] = <[_; 4]>::try_from(plate.control_points().to_vec()).expect("four");
    let halves = [[a, b, d], [a, c, d]];
    let velocity = vector![0.0, 0.0, -down];
    Row {
        told,
        pair: [going(velocity.into(), triangle(corners)), resting(plate)],
        separation,
        distance: Box::new(move |t| {
            let there = corners.map(|p| p + velocity * t);
            let squared = halves.iter().map(|half| squared_distance(&there, half));
            squared.min().expect("two").to_f64().value().sqrt()
        }),
        convex: true,
    }
}

/// Beside the border of the plate, over it, or at it; the side that comes first is parallel to the
/// border, or nearly.
fn triangles_beside_a_border() -> Vec<Row> {
    let mut rows = Vec::new();
    for gap in [-5e-3, -0.5e-3, 0.0, 0.2e-3, 0.5e-3, 0.9e-3] {
        for skew in [0.0, 1e-5, 1e-4, 1e-3, 3e-3, 1e-2] {
            let corners = [
                point![-gap, 0.1, 5e-3 + skew],
                point![-gap - 0.3 * skew, 0.125, 5e-3],
                point![-gap - 0.025, 0.11, 7.5e-3],
            ];
            let told = format!("{gap} beside, skew by {skew}");
            rows.push(on_plate(told, corners, 6e-3 + skew, 1e-3));
        }
    }
    for (gap, tilt, skew) in [
        (-10e-3, 0.1, 0.0),
        (0.5e-3, 0.1, 0.0),
        (0.5e-3, 0.1, 0.003),
        (-0.5e-3, -0.3, 0.01),
    ] {
        for separation in [0.0, 1e-4, 1e-3, 1e-2] {
            let corners = [
                point![-gap, 0.1, 5e-3 + skew],
                point![-gap, 0.125, 5e-3],
                point![-gap - 0.025, 0.11, 5e-3 + tilt * 0.025],
            ];
            let told = format!("{gap} beside, tilted by {tilt}, skew by {skew}");
            rows.push(on_plate(told, corners, 6e-3 + skew, separation));
        }
    }
    rows
}

/// The distance from the part with x, y, z ≥ 0 of the ball about the origin, which is convex.
fn to_octant(p: Vector3<f64>, radius: f64) -> f64 {
    let inside = p.map(|x| x.max(0.0));
    (p - inside * (radius / inside.norm()).min(1.0)).norm()
}

/// The least value in [0, 1] of a convex function.
fn least(of: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..80 {
        let [left, right] = [1.0, 2.0].map(|k| low + (high - low) * k / 3.0);
        if of(left) < of(right) {
            high = right;
        } else {
            low = left;
        }
    }
    of(low)
}

/// A triangle that turns slightly comes near the pole of an octant, where three of its borders are
/// not far.
fn triangles_near_a_corner_of_an_octant() -> Vec<Row> {
    let (centre, radius) = (point![0.1758755204356724, 0.02, 0.35], 0.25);
    let ball = placed(&octant(Point3::origin(), radius, [1.0; 3]), |p| {
        centre + vector![p.z, p.y, p.x]
    });
    let by = vector![0.0012, 0.0, 0.0];
    let start = [
        point![
            0.17853160214189637,
            0.025040478200307654,
            0.6060519122860462
        ],
        point![0.177620866083148, 0.050440135976649106, 0.6015022644639968],
        point![
            0.15191931952567134,
            0.050941629065964555,
            0.6036383747672552
        ],
    ];
    let end = [
        point![
            0.17625968690324245,
            0.024845855277612836,
            0.6001463660409379
        ],
        point![0.1760742819900866, 0.050154993739384826, 0.5983803114206693],
        point![0.15083815986891067, 0.05010664439512462, 0.5972661646811618],
    ];
    let outwards = vector![0.0069, 0.12015, 0.99273].normalize();
    [
        (1e-3, 0.0),
        (0.0, 1e-3),
        (1e-4, 0.9e-3),
        (1e-5, 0.99e-3),
        (5e-3, -4e-3),
    ]
    .map(|(separation, lower)| {
        let [start, end] = [start, end].map(|corners| corners.map(|p| p - outwards * lower));
        let falling = Moving::between(triangle(start), &triangle(end)).unwrap();
        let velocities: Vec<Vector3<f64>> = falling.velocities().unwrap().to_vec();
        Row {
            told: format!("{lower} lower"),
            pair: [falling, going(by.into(), ball.clone())],
            separation,
            distance: Box::new(move |t| {
                let centre = centre + by * t;
                let [a, b, c] = std::array::from_fn(|k| start[k] + velocities[k] * t - centre);
                least(|u| least(|v| to_octant(a + (b - a) * u + (c - a) * (v * (1.0 - u)), radius)))
            }),
            convex: false,
        }
    })
    .into()
}

/// The corner of a triangle or of a quadrilateral, and the inside of a bowl, above a plate.
fn corners_and_a_bowl_over_a_plate() -> Vec<Row> {
    let plate = level(BILINEAR, [-0.1, 0.15], [-0.1, 0.15], -0.05);
    let corners = [
        point![0.01, 0.013, 0.0],
        point![0.04, 0.02, 0.01],
        point![0.02, 0.05, 0.02],
        point![0.05, 0.06, 0.03],
    ];
    let bowl = patch(BIQUADRATIC, |u, v| {
        let middle = [u, v].map(|x| x == 0.5);
        let z = match middle {
            [true, true] => -0.02,
            [false, false] if u + v == 2.0 => 0.021,
            [false, false] => 0.02,
            _ => 0.0,
        };
        point![0.1 * u - 0.05, 0.1 * v - 0.05, z]
    });
    // Its height is 0.02 (1 − 2 u (1 − u) − 2 v (1 − v)) + 0.001 u² v², least where u = v and
    // 0.08 u − 0.04 + 0.002 u³ = 0.
    let u = (0..20).fold(0.5_f64, |u, _| 0.5 - 0.025 * u.powi(3));
    let lowest = 0.02 * (1.0 - 4.0 * u * (1.0 - u)) + 0.001 * u.powi(4);
    let bodies = [
        (
            "a triangle's corner",
            triangle([corners[0], corners[1], corners[2]]),
            0.0,
        ),
        (
            "a corner",
            AnyPatch::from_shape(BILINEAR, &corners).expect("a net"),
            0.0,
        ),
        ("a bowl", bowl, lowest),
    ];
    let mut rows = Vec::new();
    for (told, body, lowest) in bodies {
        for separation in [0.0, 1e-5, 1e-4, 1e-3, 1e-2] {
            rows.push(Row {
                told: told.to_owned(),
                pair: [
                    going([0.0013, 0.0007, -0.1], body.clone()),
                    resting(plate.clone()),
                ],
                separation,
                distance: Box::new(move |t| (0.05 + lowest - 0.1 * t).max(0.0)),
                convex: true,
            });
        }
    }
    rows
}

/// A level square at a corner.
fn level_square(side: f64, [x, y, z]: [f64; 3]) -> AnyPatch {
    level(BILINEAR, [x, x + side], [y, y + side], z)
}

#[track_caller]
fn assert_clear(pair: &[Motion; 2], options: &Options, told: &str) {
    let outcome = solve(pair, options);
    let told = format!("{told}: {outcome:?}");
    assert!(matches!(outcome, Outcome::Clear { .. }), "{told}");
    assert!(outcome.counters().boxes <= 1000, "{told}");
}

/// Borders of level squares face each other, hardly farther away than the separation.
#[test]
fn facing_borders_beyond_the_separation_are_clear() {
    let (d, side) = (1e-3, 0.1);
    let options = Options {
        min_separation: d,
        ..Options::default()
    };
    let one = level_square(side, [0.0; 3]);
    for ratio in [1.0001, 1.001, 1.01, 1.05, 1.1, 1.2, 1.5] {
        for angle in [30.0_f64, 36.8, 45.0, 60.0, 80.0] {
            let (up, beside) = angle.to_radians().sin_cos();
            let [up, beside] = [up, beside].map(|x| x * ratio * d);
            let two = level_square(side, [side + beside, 0.0, up]);
            let at_rest = [resting(one.clone()), resting(two.clone())];
            assert_clear(&at_rest, &options, &format!("{ratio} at {angle}"));
            let above = placed(&two, |p| p + vector![0.0, 0.0, 2.0 * d]);
            let falling = [resting(one.clone()), going([0.0, 0.0, -2.0 * d], above)];
            assert_clear(&falling, &options, &format!("{ratio} at {angle}, falling"));
        }
    }
    // Turned, the square is at least as far away.
    for turn in [1e-6, 1e-4, 1e-3, 1e-2, 1e-1] {
        let rotation = Rotation3::from_axis_angle(&Vector3::z_axis(), turn);
        let apart = 1.05 * d * 0.5_f64.sqrt();
        let middle = vector![0.0, 0.5 * side, 0.0];
        let to = vector![side + apart + 0.5 * side * turn, 0.5 * side, apart];
        let two = placed(&one, |p| rotation * (p - middle) + to);
        let pair = [resting(one.clone()), resting(two)];
        assert_clear(&pair, &options, &format!("turned by {turn}"));
    }
}

/// Level squares above each other or beside, hardly farther away than the separation, at rest or
/// sliding.
#[test]
fn level_squares_beyond_the_separation_are_clear() {
    let (d, side) = (1e-3, 1.0 / 6.0);
    let options = Options {
        t_max: 0.01,
        min_separation: d,
        ..Options::default()
    };
    for velocity in [[0.0; 3], [1e-2, 0.3e-2, 0.0]] {
        for skew in [0.0, 1e-3] {
            for beside in [-1e-1, -1e-3, -1e-4, 0.0, 1e-6, 1e-5, 1e-4, 3e-4, 1e-3] {
                let two = level_square(side, [side + beside, 1.7e-3, d * (1.0 + 1e-4)]);
                let two = placed(&two, |p| {
                    let across = (p.x - side - beside) / side;
                    p + vector![0.0, skew * across, 0.0]
                });
                let pair = [resting(level_square(side, [0.0; 3])), going(velocity, two)];
                let told = format!("{beside} beside, skew by {skew}, {velocity:?}");
                assert_clear(&pair, &options, &told);
            }
        }
    }
}
