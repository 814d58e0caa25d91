//! Boxes of twelve triangles that turn at random about random axes, against samples in time: two
//! boxes overlap at a time unless one of fifteen axes separates them.

use kit::{Random, cases, each_case};
use nalgebra::{Point3, Rotation3, Vector3, point};
use patch_ccd::RigidMotion;
use patch_ccd::mesh::{
    EarliestImpact, MeshOptions, MeshWorkspace, MovingMesh, PatchMesh, TriangleMesh,
};

const SAMPLES: usize = 200;

const FACES: [[u32; 3]; 12] = [
    [0, 1, 3],
    [0, 3, 2],
    [4, 6, 7],
    [4, 7, 5],
    [0, 4, 5],
    [0, 5, 1],
    [2, 3, 7],
    [2, 7, 6],
    [0, 2, 6],
    [0, 6, 4],
    [1, 5, 7],
    [1, 7, 3],
];

struct Body {
    center: Point3<f64>,
    turned: Rotation3<f64>,
    half: Vector3<f64>,
    motion: RigidMotion,
}

impl Body {
    fn new(random: &mut Random, x: f64) -> Self {
        let center = point![
            x + 0.2 * random.signed(),
            0.3 * random.signed(),
            0.3 * random.signed()
        ];
        let size = |random: &mut Random| 0.1 + 0.5 * random.unit();
        let angle = random.pick(&[0.5, 3.0, 12.0]);
        let axis = random.vector(1.0);
        Self {
            center,
            turned: Rotation3::new(random.vector(3.0)),
            half: Vector3::new(size(random), size(random), size(random)),
            motion: RigidMotion {
                center: center + random.vector(0.5),
                velocity: random.vector(0.8) - Vector3::x() * (0.7 * x),
                angular_velocity: axis / axis.norm().max(1e-3) * angle * random.unit(),
            },
        }
    }

    fn corners(&self) -> Vec<Point3<f64>> {
        let corner = |k: usize| {
            let sign = |bit: usize| if k >> bit & 1 == 0 { -1.0 } else { 1.0 };
            let aside = Vector3::new(sign(0), sign(1), sign(2)).component_mul(&self.half);
            self.center + self.turned * aside
        };
        (0..8).map(corner).collect()
    }

    /// The center and the axes at a time.
    fn at(&self, t: f64) -> (Point3<f64>, Rotation3<f64>) {
        let turn = Rotation3::new(self.motion.angular_velocity * t);
        let center = self.motion.center + self.motion.velocity * t;
        (
            center + turn * (self.center - self.motion.center),
            turn * self.turned,
        )
    }
}

fn overlap(one: &Body, two: &Body, t: f64) -> bool {
    let ((a, p), (b, q)) = (one.at(t), two.at(t));
    let axes = |turned: Rotation3<f64>| [0, 1, 2].map(|k| turned.matrix().column(k).into_owned());
    let (p, q) = (axes(p), axes(q));
    let crosses = p.iter().flat_map(|a| q.iter().map(|b| a.cross(b)));
    let all: Vec<_> = p.iter().chain(&q).copied().chain(crosses).collect();
    all.into_iter().all(|axis| {
        let reach = |axes: &[Vector3<f64>; 3], half: &Vector3<f64>| -> f64 {
            (0..3).map(|k| half[k] * axes[k].dot(&axis).abs()).sum()
        };
        let apart = axis.dot(&(b - a)).abs() - reach(&p, &one.half) - reach(&q, &two.half);
        apart <= 1e-12
    })
}

#[test]
fn turning_boxes_are_never_missed() {
    let triangles = TriangleMesh::new(8, &FACES).unwrap();
    let patches = PatchMesh::from_triangles(8, &FACES).unwrap();
    let mut workspace = MeshWorkspace::new();
    let (mut hits, mut misses) = (0, 0);
    let asked = std::env::var("PLANTED_CASES").ok();
    let asked = asked.map(|count| count.parse().expect("a number of cases"));
    each_case(asked.unwrap_or_else(|| cases(400)), |number, random| {
        let bodies = [Body::new(random, -0.9), Body::new(random, 0.9)];
        let corners = bodies.each_ref().map(Body::corners);
        let options = MeshOptions::default();
        let mut solve = |one: &MovingMesh<'_>, two: &MovingMesh<'_>| -> EarliestImpact {
            workspace.earliest_impact(one, two, &options).unwrap()
        };
        let answer = if number % 2 == 0 {
            let [one, two] = [0, 1]
                .map(|k| MovingMesh::rigid(&triangles, &corners[k], &bodies[k].motion).unwrap());
            solve(&one, &two)
        } else {
            let [one, two] = [0, 1]
                .map(|k| MovingMesh::rigid(&patches, &corners[k], &bodies[k].motion).unwrap());
            solve(&one, &two)
        };
        let time = |k: usize| k as f64 / SAMPLES as f64;
        if overlap(&bodies[0], &bodies[1], 0.0) {
            return;
        }
        let first = (1..=SAMPLES).find(|&k| overlap(&bodies[0], &bodies[1], time(k)));
        match (first, answer.toi()) {
            (Some(k), Some(toi)) => {
                assert!(toi <= time(k), "overlap at {}: {answer:?}", time(k));
                // Not much before the first sample that overlaps, unless they only graze.
                hits += 1;
            }
            (Some(k), None) => panic!("missed: overlap at {}", time(k)),
            (None, _) => misses += 1,
        }
    });
    assert!(hits > 0 && misses > 0, "{hits} {misses}");
}
