//! Elements of every kind against each other: vertices, rods, faces, faces that are a segment or a
//! point, and patches of these forms.
//!
//! A scene consists of parts: points, segments and triangles with vertices of their own. For each
//! two parts, what a mesh reports of them is held against the calls for their single vertices,
//! edges and faces, and against the distances of their hulls in closed form.

use kit::scenes::{LINEAR, SEGMENT};
use kit::simplices::{Kind, Query};
use kit::{Random, cases};
use nalgebra::{DMatrix, DVector, Point3, Vector3, point, vector};
use patch_ccd::mesh::{
    Element, Mesh, MeshDistanceOptions, MeshOptions, MovingMesh, PairDistance, PairOutcome,
    PatchMesh, TriangleMesh, all_impacts, all_self_impacts, all_self_within, all_within,
    earliest_impact, earliest_self_impact, least_distance, least_self_distance,
};
use patch_ccd::{Distance, DistanceOptions, Options};

use super::with;

/// A part of a mesh of triangles or of patches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Vertex,
    /// An edge from a vertex to itself, which is left out.
    NoEdge,
    Rod,
    Face,
    /// A face that names its first, second or third corner only once.
    Segment(usize),
    /// A face that names one vertex three times.
    Point,
}

const FORMS: [Form; 8] = [
    Form::Vertex,
    Form::NoEdge,
    Form::Rod,
    Form::Face,
    Form::Segment(0),
    Form::Segment(1),
    Form::Segment(2),
    Form::Point,
];

impl Form {
    /// How many vertices it has.
    fn count(self) -> u32 {
        match self {
            Self::Vertex | Self::NoEdge | Self::Point => 1,
            Self::Rod | Self::Segment(_) => 2,
            Self::Face => 3,
        }
    }

    /// Its corners, from its first vertex on, if it is an edge or a face.
    fn corners(self, first: u32) -> Vec<u32> {
        match self {
            Self::Vertex => vec![],
            Self::NoEdge => vec![first; 2],
            Self::Rod => vec![first, first + 1],
            Self::Face => vec![first, first + 1, first + 2],
            Self::Segment(once) => {
                let mut corners = vec![first; 3];
                corners[once] += 1;
                corners
            }
            Self::Point => vec![first; 3],
        }
    }
}

/// What the coordinates are: whole numbers, so that elements meet exactly, or any.
#[derive(Clone, Copy, Debug)]
enum Numbers {
    Whole,
    Real,
}

impl Numbers {
    fn vector(self, random: &mut Random, size: i32) -> Vector3<f64> {
        match self {
            Self::Whole => {
                let size = i128::from(size);
                Vector3::from_fn(|_, _| random.integer(-size, size) as f64)
            }
            Self::Real => random.vector(f64::from(size)),
        }
    }
}

/// Parts that move.
#[derive(Debug)]
struct Scene {
    /// The vertices of each part.
    parts: Vec<Vec<u32>>,
    corners: Vec<Vec<u32>>,
    start: Vec<Point3<f64>>,
    velocities: Vec<Vector3<f64>>,
}

impl Scene {
    fn random(forms: &[Form], numbers: Numbers, random: &mut Random) -> Self {
        let (mut parts, mut corners, mut count) = (Vec::new(), Vec::new(), 0);
        for form in forms {
            parts.push((count..count + form.count()).collect());
            corners.push(form.corners(count));
            count += form.count();
        }
        let mut vectors = |size: i32| -> Vec<_> {
            let all = 0..count;
            all.map(|_| numbers.vector(random, size)).collect()
        };
        Self {
            parts,
            corners,
            start: vectors(2).into_iter().map(Point3::from).collect(),
            velocities: vectors(3),
        }
    }

    /// The parts of both.
    fn joined(&self, other: &Self) -> Self {
        let first = self.start.len() as u32;
        let shifted = |lists: &[Vec<u32>]| -> Vec<Vec<u32>> {
            let shift = |list: &Vec<u32>| list.iter().map(|at| at + first).collect();
            lists.iter().map(shift).collect()
        };
        Self {
            parts: [self.parts.clone(), shifted(&other.parts)].concat(),
            corners: [self.corners.clone(), shifted(&other.corners)].concat(),
            start: [&self.start[..], &other.start].concat(),
            velocities: [&self.velocities[..], &other.velocities].concat(),
        }
    }

    fn triangles(&self) -> TriangleMesh {
        let of = |count: usize| self.corners.iter().filter(move |list| list.len() == count);
        let edges: Vec<[u32; 2]> = of(2).map(|edge| [edge[0], edge[1]]).collect();
        let faces: Vec<[u32; 3]> = of(3).map(|face| [face[0], face[1], face[2]]).collect();
        TriangleMesh::with_edges(self.start.len(), &edges, &faces).unwrap()
    }

    /// The same parts as patches; one without corners is a line whose ends coincide.
    fn patches(&self) -> PatchMesh {
        let mut mesh = PatchMesh::new(self.start.len());
        for (part, corners) in self.parts.iter().zip(&self.corners) {
            let (shape, corners) = match corners.len() {
                3 => (LINEAR, corners.clone()),
                2 => (SEGMENT, corners.clone()),
                _ => (SEGMENT, vec![part[0]; 2]),
            };
            mesh.add(shape, &corners, None).unwrap();
        }
        mesh
    }

    fn moving<'a>(&'a self, mesh: impl Into<Mesh<'a>>) -> MovingMesh<'a> {
        MovingMesh::with_velocities(mesh, &self.start, &self.velocities).unwrap()
    }

    fn at(&self, part: usize, t: f64) -> Vec<Point3<f64>> {
        let vertices = self.parts[part].iter().map(|&at| at as usize);
        vertices
            .map(|at| self.start[at] + self.velocities[at] * t)
            .collect()
    }

    /// A point of the first part at a time; without rounding if the numbers are whole.
    fn within(&self, t: f64) -> Vector3<f64> {
        let factors: &[f64] = match self.parts[0].len() {
            1 => &[1.0],
            2 => &[0.5, 0.5],
            _ => &[0.5, 0.25, 0.25],
        };
        let points = self.at(0, t).into_iter();
        points.zip(factors).map(|(p, x)| p.coords * *x).sum()
    }

    /// Moves the first part so that it meets the first part of the other scene at t = 1/2.
    fn steer_to(&mut self, other: &Self) {
        let by = other.within(0.5) - self.within(0.5);
        for &vertex in &self.parts[0] {
            self.start[vertex as usize] += by;
        }
    }

    fn has(&self, part: usize, points: &[u32]) -> bool {
        points.iter().all(|point| self.parts[part].contains(point))
    }
}

/// The pairs of vertices, edges and faces of two parts among which contacts begin, and distances
/// are taken, if the parts do not intersect: as indices of the vertices of both.
fn features(count: [usize; 2]) -> Vec<[Vec<usize>; 2]> {
    let whole = |side: usize| (0..count[side]).collect::<Vec<_>>();
    let edges = |side: usize| {
        let vertices = 0..count[side];
        vertices.flat_map(|a| (0..a).map(move |b| vec![a, b]))
    };
    let one = (0..count[0]).map(|vertex| [vec![vertex], whole(1)]);
    let two = (0..count[1]).map(|vertex| [whole(0), vec![vertex]]);
    let of_edges = edges(0).flat_map(|a| edges(1).map(move |b| [a.clone(), b]));
    one.chain(two).chain(of_edges).collect()
}

/// The distance of the hulls of some points: the least one of all pairs of their vertices, edges
/// and faces whose nearest points lie in them. No more than five points decide.
fn apart(one: &[Point3<f64>], two: &[Point3<f64>]) -> f64 {
    let subsets = |points: &[Point3<f64>]| -> Vec<Vec<Point3<f64>>> {
        let all = 1..1_usize << points.len();
        let within = |bits: usize| {
            let chosen = (0..points.len()).filter(move |k| bits >> k & 1 == 1);
            chosen.map(|k| points[k]).collect()
        };
        all.map(within).collect()
    };
    let (a, b) = (subsets(one), subsets(two));
    let pairs = a.iter().flat_map(|a| b.iter().map(move |b| (a, b)));
    let distances = pairs.filter_map(|(a, b)| {
        let offset = b[0] - a[0];
        let along = a[1..].iter().map(|p| p - a[0]);
        let along: Vec<_> = along.chain(b[1..].iter().map(|p| b[0] - p)).collect();
        let count = along.len();
        if count > 3 {
            return None;
        }
        if count == 0 {
            return Some(offset.norm());
        }
        let gram = DMatrix::from_fn(count, count, |i, j| along[i].dot(&along[j]));
        let right = DVector::from_fn(count, |i, _| along[i].dot(&offset));
        let factors = gram.cholesky()?.solve(&right);
        let (of_a, of_b) = factors.as_slice().split_at(a.len() - 1);
        let inside = |factors: &[f64]| {
            factors.iter().all(|&x| x >= 0.0) && factors.iter().sum::<f64>() <= 1.0
        };
        let nearest = along
            .iter()
            .zip(factors.iter())
            .fold(offset, |left, (along, x)| left - along * *x);
        (inside(of_a) && inside(of_b)).then(|| nearest.norm())
    });
    distances.fold(f64::INFINITY, f64::min)
}

/// The first contact of two parts, as the calls for vertices, edges and faces find it.
fn first_contact(
    one: [&[Point3<f64>]; 2],
    two: [&[Point3<f64>]; 2],
    options: &Options,
) -> Option<f64> {
    let queries = features([one[0].len(), two[0].len()])
        .into_iter()
        .map(|[a, b]| {
            // A vertex comes before an edge or a face.
            let (a, b, one, two) = if a.len() > b.len() {
                (b, a, two, one)
            } else {
                (a, b, one, two)
            };
            let kind = match (a.len(), b.len()) {
                (1, 1) => Kind::VertexVertex,
                (1, 2) => Kind::VertexEdge,
                (1, 3) => Kind::VertexFace,
                _ => Kind::EdgeEdge,
            };
            let step = [0, 1].map(|end| {
                let points = a.iter().map(|&k| one[end][k]);
                let mut points: Vec<_> = points.chain(b.iter().map(|&k| two[end][k])).collect();
                points.resize(4, Point3::origin());
                <[_; 4]>::try_from(points).unwrap()
            });
            kind.query(&step)
        });
    let times = queries.filter_map(|query: Query| query.solve(options).toi());
    times.reduce(f64::min)
}

/// The distance of two parts, as far as vertices, edges and faces tell.
fn distance_of_features(one: &[Point3<f64>], two: &[Point3<f64>]) -> f64 {
    let pairs = features([one.len(), two.len()]).into_iter();
    let distances = pairs.map(|[a, b]| {
        let pick = |points: &[Point3<f64>], of: &[usize]| -> Vec<_> {
            of.iter().map(|&k| points[k]).collect()
        };
        apart(&pick(one, &a), &pick(two, &b))
    });
    distances.fold(f64::INFINITY, f64::min)
}

/// Two meshes, or one against itself, with the scenes that they are.
#[derive(Clone, Copy)]
struct Asked<'a> {
    scenes: [&'a Scene; 2],
    meshes: [&'a MovingMesh<'a>; 2],
    own: bool,
}

impl Asked<'_> {
    /// All pairs of parts that are to be tested.
    fn pairs(&self) -> Vec<[usize; 2]> {
        let [one, two] = self.scenes.map(|scene| scene.parts.len());
        let all = (0..one).flat_map(|a| (0..two).map(move |b| [a, b]));
        all.filter(|[a, b]| !self.own || a < b).collect()
    }

    /// Whether two elements that were reported belong to these parts.
    fn belong(&self, elements: [Element; 2], [a, b]: [usize; 2]) -> bool {
        let [one, two] = [0, 1].map(|side| self.meshes[side].mesh().points_of(elements[side]));
        let fits = |a: usize, b: usize| self.scenes[0].has(a, one) && self.scenes[1].has(b, two);
        fits(a, b) || self.own && fits(b, a)
    }

    /// Whether whole faces and patches are tested, so that what intersects already is noticed.
    fn of_patches(&self) -> bool {
        let is_patches = |mesh: &&MovingMesh<'_>| matches!(mesh.mesh(), Mesh::Patches(_));
        self.meshes.iter().any(is_patches)
    }

    fn distance(&self, [a, b]: [usize; 2]) -> f64 {
        let (one, two) = (self.scenes[0].at(a, 0.0), self.scenes[1].at(b, 0.0));
        if self.of_patches() {
            apart(&one, &two)
        } else {
            distance_of_features(&one, &two)
        }
    }

    fn check_impacts(&self, options: &Options) -> Vec<[usize; 2]> {
        let asked = with(*options);
        let [one, two] = self.meshes;
        let (all, earliest) = if self.own {
            let all = all_self_impacts(one, &asked).unwrap();
            (all, earliest_self_impact(one, &asked).unwrap())
        } else {
            let all = all_impacts(one, two, &asked).unwrap();
            (all, earliest_impact(one, two, &asked).unwrap())
        };
        assert_eq!(earliest.first, all.pairs.first().copied());
        let (near, mut met) = (4.0 * options.delta, Vec::new());
        for pair in self.pairs() {
            let [one, two] =
                [0, 1].map(|side| [0.0, 1.0].map(|t| self.scenes[side].at(pair[side], t)));
            let [one, two] = [&one, &two].map(|[start, end]| [&start[..], &end[..]]);
            let intersect =
                self.of_patches() && self.distance(pair) <= options.min_separation + 1e-12;
            let exact = if intersect {
                Some(0.0)
            } else {
                first_contact(one, two, options)
            };
            let of_mesh = || {
                let found = all.pairs.iter();
                found.filter(|found| self.belong(found.elements, pair))
            };
            let found = of_mesh().map(PairOutcome::toi).reduce(f64::min);
            // Where a patch is a segment or a point, many parameters are one contact.
            let ended = of_mesh().any(|pair| pair.outcome.contact().is_none());
            let same = match (exact, found) {
                (exact, Some(found)) if ended => exact.is_none_or(|exact| found <= exact + near),
                (Some(exact), Some(found)) => (exact - found).abs() <= near,
                (exact, found) => exact == found,
            };
            assert!(
                same,
                "{exact:?}, but of the mesh {found:?}: {pair:?} of {:?}",
                self.scenes
            );
            if found.is_some() {
                met.push(pair);
            }
        }
        // Nothing else was reported.
        for found in &all.pairs {
            assert!(met.iter().any(|&pair| self.belong(found.elements, pair)));
        }
        met
    }

    fn check_distances(&self) {
        let limited = |max_distance: f64| MeshDistanceOptions {
            query: DistanceOptions {
                max_distance,
                max_boxes: 2_000,
                ..DistanceOptions::default()
            },
            filter: None,
        };
        let [one, two] = self.meshes;
        let (everything, near) = (limited(f64::INFINITY), limited(1.3));
        let (least, near) = if self.own {
            let least = least_self_distance(one, &everything).unwrap();
            (least, all_self_within(one, &near).unwrap())
        } else {
            let least = least_distance(one, two, &everything).unwrap();
            (least, all_within(one, two, &near).unwrap())
        };
        let check = |found: &[PairDistance], reach: f64, exact: f64| {
            let told = format!("{exact}: {found:?} of {:?}", self.scenes);
            let within = 1e-5;
            let lower = found.iter().map(|pair| pair.distance.lower());
            let lower = lower.fold(reach, f64::min);
            let upper = found.iter().filter_map(|pair| pair.distance.upper());
            let upper = upper.fold(f64::INFINITY, f64::min);
            assert!(lower <= exact + 1e-12 && upper >= exact - 1e-12, "{told}");
            // Where a patch is a segment or a point, many parameters are one point of it.
            let ended = |pair: &PairDistance| matches!(pair.distance, Distance::Found { .. });
            if found.iter().all(ended) {
                let is_close = upper <= exact + within && lower >= exact - within;
                assert!(is_close || exact >= reach - within, "{told}");
            }
        };
        let exact = self.pairs().into_iter().map(|pair| self.distance(pair));
        let exact = exact.fold(f64::INFINITY, f64::min);
        check(least.first.as_slice(), f64::INFINITY, exact);
        assert!(least.lower <= exact + 1e-12, "{least:?}");
        for pair in self.pairs() {
            let found = near.pairs.iter().copied();
            let found: Vec<_> = found
                .filter(|found| self.belong(found.elements, pair))
                .collect();
            check(&found, 1.3, self.distance(pair));
        }
    }
}

/// Asks everything of two scenes, as triangles and as patches, and of both in one mesh.
fn check(one: &Scene, two: &Scene, options: &Options) -> Vec<[usize; 2]> {
    let both = one.joined(two);
    let [(a, p), (b, q), (c, _)] =
        [one, two, &both].map(|scene| (scene.triangles(), scene.patches()));
    let (triangles, patches) = (
        [one.moving(&a), two.moving(&b)],
        [one.moving(&p), two.moving(&q)],
    );
    let own = both.moving(&c);
    let between = |meshes| Asked {
        scenes: [one, two],
        meshes,
        own: false,
    };
    let asked = between([&triangles[0], &triangles[1]]);
    let met = asked.check_impacts(options);
    asked.check_distances();
    for asked in [
        between([&triangles[0], &patches[1]]),
        between([&patches[0], &triangles[1]]),
        Asked {
            scenes: [&both; 2],
            meshes: [&own; 2],
            own: true,
        },
    ] {
        asked.check_impacts(options);
        asked.check_distances();
    }
    met
}

#[test]
fn every_form_meets_every_form() {
    let mut random = Random::new(1);
    for (a, b) in FORMS.into_iter().flat_map(|a| FORMS.map(|b| (a, b))) {
        for turn in 0..cases(24) {
            let numbers = [Numbers::Whole, Numbers::Real][turn % 2];
            let mut some = |form| {
                // A second part, so that trees have more than one leaf.
                let forms = [form, random.pick(&FORMS)];
                Scene::random(&forms, numbers, &mut random)
            };
            let (one, mut two) = (some(a), some(b));
            let steered = turn % 3 == 0;
            if steered {
                two.steer_to(&one);
            }
            let options = Options {
                min_separation: [0.0, 0.0, 0.25, 0.25][turn % 4],
                // Real numbers are rounded when they are steered, and exact mode can tell.
                exact: turn % 8 < 4 && !(steered && matches!(numbers, Numbers::Real)),
                max_boxes: 2_000,
                ..Options::default()
            };
            let pairs = check(&one, &two, &options);
            // Meshes of triangles do not notice what intersects already.
            let meets = steered && apart(&one.at(0, 0.0), &two.at(0, 0.0)) > 1e-9;
            assert!(!meets || pairs.contains(&[0, 0]), "{one:?} {two:?}");
        }
    }
}

#[test]
fn a_face_that_is_a_point_meets_a_rod() {
    let thorn = TriangleMesh::new(1, &[[0; 3]]).unwrap();
    let rod = TriangleMesh::with_edges(2, &[[0, 1]], &[]).unwrap();
    let ends = [point![-1.0, 0.0, 0.0], point![1.0, 0.0, 0.0]];
    let start = [point![0.0, 0.0, 1.0]];
    let falling = MovingMesh::with_velocities(&thorn, &start, &[vector![0.0, 0.0, -2.0]]).unwrap();
    let still = MovingMesh::resting(&rod, &ends).unwrap();
    for (min_separation, exact) in [(0.0, 0.5), (0.1, 0.45)] {
        let options = with(Options {
            min_separation,
            ..Options::default()
        });
        for meshes in [[&falling, &still], [&still, &falling]] {
            let first = earliest_impact(meshes[0], meshes[1], &options)
                .unwrap()
                .first
                .unwrap();
            assert!(
                first.toi() <= exact && first.toi() > exact - 1e-6,
                "{first:?}"
            );
            let mut elements = first.elements;
            elements.sort_unstable();
            assert_eq!(elements, [Element::Vertex(0), Element::Edge(0)]);
        }
    }
    let least = least_distance(&falling, &still, &MeshDistanceOptions::default()).unwrap();
    assert!(least.lower <= 1.0 && least.lower > 1.0 - 1e-5);
}

/// Such a face is one element, and is reported once: as a face, or as its vertex to a rod.
#[test]
fn a_face_that_is_a_point_is_reported_once() {
    let thorn = TriangleMesh::new(1, &[[0; 3]]).unwrap();
    let place = [point![0.25, 0.25, 0.0]];
    let thorn = MovingMesh::resting(&thorn, &place).unwrap();
    let corners = [
        point![0.0, 0.0, 0.0],
        point![1.0, 0.0, 0.0],
        point![0.0, 1.0, 0.0],
    ];
    let diagonal = [point![0.0, 0.0, 0.0], point![1.0, 1.0, 0.0]];
    let patch = PatchMesh::from_triangles(3, &[[0, 1, 2]]).unwrap();
    let rod = TriangleMesh::with_edges(2, &[[0, 1]], &[]).unwrap();
    let particle = TriangleMesh::new(1, &[]).unwrap();
    for (other, expected) in [
        (
            MovingMesh::resting(&patch, &corners),
            [Element::Face(0), Element::Patch(0)],
        ),
        (
            MovingMesh::resting(&rod, &diagonal),
            [Element::Vertex(0), Element::Edge(0)],
        ),
        (
            MovingMesh::resting(&particle, &place),
            [Element::Face(0), Element::Vertex(0)],
        ),
    ] {
        let all = all_impacts(&thorn, &other.unwrap(), &MeshOptions::default()).unwrap();
        let found: Vec<_> = all.pairs.iter().map(|pair| pair.elements).collect();
        assert_eq!(found, [expected]);
    }
}
