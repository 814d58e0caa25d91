//! Random pairs that come within their separation, since a pair of points of them does at a known
//! time: the bracket is closed in nearly all of them, and that takes few boxes more than without a
//! separation.

use kit::scenes::{BICUBIC, BILINEAR, BIQUADRATIC, LINEAR, Motion, QUADRATIC, greville, placed};
use kit::{Random, cases};
use nalgebra::{Point3, Rotation3, Unit, Vector3, point, vector};
use patch_ccd::geometry::{AnyPatch, Patch, Shape};
use patch_ccd::{Moving, Options, Outcome, Workspace};

/// Whether a local solve found the contact, and the bracket is as narrow as it should be.
fn closed(outcome: &Outcome, options: &Options) -> bool {
    match outcome {
        Outcome::Impact {
            toi,
            toi_upper,
            contact,
            ..
        } => {
            let width = options.delta * options.t_max;
            contact.time == *toi_upper && toi_upper - toi <= width * (1.0 + 1e-9)
        }
        _ => false,
    }
}

/// Where the two patches come near each other.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    Inside,
    Border,
    Corner,
}

impl Place {
    fn parameters(self, random: &mut Random) -> (f64, f64) {
        match self {
            Self::Inside => (0.2 + 0.2 * random.unit(), 0.2 + 0.2 * random.unit()),
            Self::Border => (0.0, 0.1 + 0.8 * random.unit()),
            Self::Corner => (0.0, 0.0),
        }
    }
}

/// How much the patches are bent, and how they lie to each other.
#[derive(Clone, Copy, Debug)]
struct Look {
    bump: f64,
    noise: f64,
    skew: f64,
    tilt: f64,
    wobble: f64,
}

impl Look {
    fn random(random: &mut Random) -> Self {
        let any_size = |random: &mut Random| 10.0_f64.powf(-7.0 * random.unit());
        let turn = |random: &mut Random, most: f64| match random.below(4) {
            0 => 0.0,
            1 => most * any_size(random),
            _ => most * random.unit(),
        };
        Self {
            bump: random.pick(&[0.0, 0.2, 0.2]) * random.unit(),
            noise: random.pick(&[0.0, 0.05, 0.05]) * random.unit(),
            skew: turn(random, std::f64::consts::FRAC_PI_4),
            tilt: turn(random, 0.3),
            wobble: random.pick(&[0.0, 0.1]),
        }
    }

    /// A patch over [−1/2, 1/2]². Its side u = 0 is at x = `end` / 2, with the corner (0, 0) where
    /// also y is.
    fn patch(&self, (shape, rational): (Shape, bool), end: f64, random: &mut Random) -> AnyPatch {
        let place = |(u, v): (f64, f64)| {
            let [x, y] = [u, v].map(|x| end * (0.5 - x));
            let height = self.bump * (1.0 - 4.0 * x * x) * (1.0 - 4.0 * y * y);
            point![x, y, height + self.noise * random.signed()]
        };
        let points: Vec<_> = greville(shape).into_iter().map(place).collect();
        if !rational {
            return AnyPatch::from_shape(shape, &points).expect("a net");
        }
        let weights: Vec<_> = points.iter().map(|_| 0.5 + 1.5 * random.unit()).collect();
        AnyPatch::rational_from_shape(shape, &points, &weights).expect("a net")
    }
}

const KINDS: [(Shape, bool); 5] = [
    (LINEAR, false),
    (BILINEAR, false),
    (BICUBIC, false),
    (QUADRATIC, true),
    (BIQUADRATIC, true),
];

/// When a pair of points is within the separation.
const MEETING: f64 = 0.4;

/// The motion of a patch that is where it is at [`MEETING`].
fn passing(there: &AnyPatch, velocity: Vector3<f64>, wobble: f64, random: &mut Random) -> Motion {
    let points = there.control_points();
    let velocities: Vec<_> = points
        .iter()
        .map(|_| velocity + random.vector(wobble))
        .collect();
    let start: Vec<_> = points
        .iter()
        .zip(&velocities)
        .map(|(p, v)| p - v * MEETING)
        .collect();
    let start = there.with_net(&start, there.weights()).expect("a net");
    Moving::with_velocities(start, &velocities).expect("velocities")
}

/// The second one comes down on the first, or beside it.
fn meeting(
    place: Place,
    kinds: [(Shape, bool); 2],
    separation: f64,
    random: &mut Random,
) -> [Motion; 2] {
    let look = Look::random(random);
    let one = look.patch(kinds[0], 1.0, random);
    let two = look.patch(kinds[1], -1.0, random);
    let axis = Unit::new_normalize(vector![random.signed(), random.signed(), 0.0]);
    let turn = Rotation3::from_axis_angle(&Vector3::z_axis(), look.skew)
        * Rotation3::from_axis_angle(&axis, look.tilt);
    let two = placed(&two, |p| turn * p);
    let [p, q] = [&one, &two].map(|patch| {
        let (u, v) = place.parameters(random);
        patch.eval(u, v)
    });
    // Less than 0.9 of the separation.
    let apart = random.vector(0.5 * separation);
    let two = placed(&two, |corner| corner + (p - q) + apart);
    let aside = random.pick(&[0.0, 0.05]);
    let down = vector![aside * random.signed(), aside * random.signed(), -1.5];
    [
        passing(&one, Vector3::zeros(), look.wobble, random),
        passing(&two, down, look.wobble, random),
    ]
}

#[test]
fn brackets_at_a_separation_are_closed() {
    let mut workspace = Workspace::new();
    let mut random = Random::new(40);
    let count = cases(300);
    let (mut impacts, mut exactly, mut open, mut boxes) = (0, 0, Vec::new(), 0);
    for case in 0..count {
        let place = [Place::Inside, Place::Border, Place::Corner][case % 3];
        let first = random.pick(&KINDS);
        let second = if random.chance(2) {
            first
        } else {
            random.pick(&KINDS)
        };
        let separation = 10.0_f64.powf(-6.0 + 5.0 * random.unit());
        let pair = meeting(place, [first, second], separation, &mut random);
        let options = Options {
            min_separation: separation,
            ..Options::default()
        };
        let outcome = workspace
            .time_of_impact(&pair[0], &pair[1], &options)
            .unwrap();
        let told =
            format!("{case}, {place:?} of {first:?} and {second:?}, {separation:e}: {outcome:?}");
        assert!(outcome.toi().is_some_and(|toi| toi <= MEETING), "{told}");
        boxes += outcome.counters().boxes;
        let Some(contact) = outcome.contact().filter(|contact| contact.time > 0.0) else {
            continue;
        };
        impacts += 1;
        if !closed(&outcome, &options) {
            open.push(told);
            continue;
        }
        let [one, two] = [0, 1].map(|side| {
            let (u, v) = contact.parameters[side];
            pair[side].at(contact.time).unwrap().eval(u, v)
        });
        let apart = (two - one).norm();
        assert!(apart <= separation + 1e-13, "{apart:e}: {told}");
        exactly += usize::from(apart >= separation - 1e-13);
    }
    assert!(impacts > count * 9 / 10, "{impacts} of {count}");
    assert!(1000 * open.len() <= impacts, "{open:#?}");
    // Few of the contacts are a little nearer than the separation, and later.
    assert!(
        50 * (impacts - exactly) <= impacts,
        "{exactly} of {impacts}"
    );
    assert!(boxes <= 200 * count as u64, "{boxes}");
}

/// Two patches of one shape that come from afar.
fn from_afar(shape: Shape, random: &mut Random) -> [Motion; 2] {
    let away = random.vector(1.0).normalize() * 3.0;
    [(Vector3::zeros(), Vector3::zeros()), (away, away * -1.2)].map(|(centre, velocity)| {
        let [along_u, along_v] = [random.vector(1.0), random.vector(1.0)];
        let places = greville(shape).into_iter().map(|(u, v)| {
            let spread = along_u * (2.0 * u - 1.0) + along_v * (2.0 * v - 1.0);
            Point3::from(centre + spread + random.vector(0.2))
        });
        let points: Vec<_> = places.collect();
        let velocities: Vec<_> = points
            .iter()
            .map(|_| velocity + random.vector(0.2))
            .collect();
        let start = AnyPatch::from_shape(shape, &points).expect("a net");
        Moving::with_velocities(start, &velocities).expect("velocities")
    })
}

/// What a local solve finds without a separation it finds with one of any size.
#[test]
fn contacts_are_found_at_separations_of_all_sizes() {
    let mut workspace = Workspace::new();
    for shape in [LINEAR, BILINEAR, BICUBIC, Shape::Triangular { n: 3 }] {
        let mut random = Random::new(41);
        let count = cases(30);
        let mut pairs = Vec::new();
        let mut boxes = 0;
        while pairs.len() < count {
            let pair = from_afar(shape, &mut random);
            let options = Options::default();
            let outcome = workspace
                .time_of_impact(&pair[0], &pair[1], &options)
                .unwrap();
            if closed(&outcome, &options) {
                boxes += outcome.counters().boxes;
                pairs.push(pair);
            }
        }
        for separation in [1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2, 1e-1] {
            let options = Options {
                min_separation: separation,
                ..Options::default()
            };
            let mut open = Vec::new();
            let mut with_it = 0;
            for (number, [a, b]) in pairs.iter().enumerate() {
                let outcome = workspace.time_of_impact(a, b, &options).unwrap();
                with_it += outcome.counters().boxes;
                if !closed(&outcome, &options) && !matches!(outcome, Outcome::ContactAtStart { .. })
                {
                    open.push(format!("{number}: {outcome:?}"));
                }
            }
            let told = format!("{shape:?} at {separation:e}");
            assert!(100 * open.len() <= count, "{told}: {open:#?}");
            assert!(with_it <= 2 * boxes, "{told}: {with_it}, {boxes}");
        }
    }
}
