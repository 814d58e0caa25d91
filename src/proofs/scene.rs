//! Random scenes of two moving patches, and random steps of a search in them.

use nalgebra::{Point3, Vector3};

use super::net::ExactNet;
use crate::bound::{Pairs, SiblingTest};
use crate::branch::Search;
use crate::branch::pair::middle;
use crate::branch::tree::{ROOT, SubPatch};
use crate::geometry::{Shape, Split};
use crate::motion::{LinearMotion, MotionOfView, MotionView, SiblingNets, check_range};
use crate::options::{Inclusion, Options};
use crate::proofs::{Dyadic, Random, exact};

/// A moving patch as a caller gives it.
pub(super) struct Moved {
    pub(super) shape: Shape,
    pub(super) points: Vec<Point3<f64>>,
    /// The control points at t = 1, if the motion is given by them.
    pub(super) ends: Option<Vec<Point3<f64>>>,
    pub(super) velocities: Vec<Vector3<f64>>,
    pub(super) weights: Option<Vec<f64>>,
}

impl Moved {
    /// The patch as a query reads it.
    pub(super) fn view(&self) -> MotionView<'_> {
        MotionView {
            shape: self.shape,
            points: &self.points,
            motion: MotionOfView::Linear(LinearMotion::with_velocities(&self.velocities)),
            weights: self.weights.as_deref(),
        }
    }

    /// The exact starts and displacements that the search computes in
    /// [`SubdivisionTree::reset`](crate::branch::tree::SubdivisionTree::reset).
    fn rows(&self, origin: Point3<f64>, scale: f64, t_max: f64) -> Vec<[Dyadic; 6]> {
        let row = |k: usize| {
            std::array::from_fn(|c| {
                let coordinate = |p: &Point3<f64>| exact(p[c % 3]);
                let start = coordinate(&self.points[k]);
                let value = match (&self.ends, c < 3) {
                    (_, true) => start - coordinate(&origin),
                    (Some(ends), false) => (coordinate(&ends[k]) - start) * exact(t_max),
                    (None, false) => exact(self.velocities[k][c % 3]) * exact(t_max),
                };
                value * exact(scale)
            })
        };
        (0..self.points.len()).map(row).collect()
    }
}

/// Two moving patches and the options of a query.
pub(super) struct Scene {
    pub(super) patches: [Moved; 2],
    pub(super) options: Options,
    /// A place on each patch. In most scenes the patches meet there at `time`, up to about a
    /// rounding; in the others the places have no meaning.
    pub(super) parameters: [(f64, f64); 2],
    /// As a fraction of the horizon.
    pub(super) time: f64,
}

/// A random shape of degrees up to `degrees`.
fn shape(random: &mut Random, degrees: usize) -> Shape {
    let degree = |random: &mut Random| 1 + random.below(degrees);
    match random.below(8) {
        0 => Shape::TensorProduct { n: 0, m: 0 },
        1 => Shape::TensorProduct { n: 1, m: 0 },
        2 => Shape::TensorProduct {
            n: degree(random),
            m: 0,
        },
        3..5 => Shape::Triangular { n: degree(random) },
        _ => Shape::TensorProduct {
            n: degree(random),
            m: degree(random),
        },
    }
}

/// How coordinates are distributed in a scene.
struct Places {
    /// Coordinates are made smaller by random powers of two, 2⁰ up to 2^(spread − 1).
    spread: usize,
    /// The sizes of the scene along the three axes.
    sizes: [f64; 3],
    /// How far the scene is from the origin along the three axes.
    offset: [f64; 3],
}

impl Places {
    fn random(random: &mut Random) -> Self {
        let power = |exponent: usize| 0.5_f64.powi(exponent as i32);
        let size = match random.below(4) {
            0 => 2.0_f64.powi(random.below(1900) as i32 - 1000),
            _ => 1.0,
        };
        let mut sizes = [size; 3];
        if random.chance(4) {
            // The scene is flat: along one axis everything is much smaller, perhaps subnormal.
            sizes[random.below(3)] *= power(random.below(1070));
        }
        let far = match random.below(3) {
            0 => size * 2.0_f64.powi(random.below(50) as i32),
            _ => 0.0,
        };
        Self {
            spread: [1, 1, 60, 600][random.below(4)],
            sizes,
            offset: [0; 3].map(|_| far * random.sign()),
        }
    }

    fn vector(&self, random: &mut Random) -> Vector3<f64> {
        Vector3::from_fn(|c, _| {
            let shrink = 0.5_f64.powi(random.below(self.spread) as i32);
            self.sizes[c] * random.sign() * shrink
        })
    }

    fn point(&self, random: &mut Random) -> Point3<f64> {
        Point3::from(self.vector(random) + Vector3::from(self.offset))
    }

    fn patch(&self, random: &mut Random, degrees: usize, t_max: f64) -> Moved {
        let shape = shape(random, degrees);
        let points = |random: &mut Random| -> Vec<_> {
            (0..shape.count()).map(|_| self.point(random)).collect()
        };
        let start = points(random);
        let ends = random.chance(2).then(|| points(random));
        let velocities = match &ends {
            Some(ends) => ends.iter().zip(&start).map(|(q, p)| q - p).collect(),
            None => start.iter().map(|_| self.vector(random) / t_max).collect(),
        };
        let spread = [4, 4, 660][random.below(3)];
        let base = random.below(300) as i32 - 150;
        let weights = random.chance(2).then(|| {
            let weight = |random: &mut Random| {
                (1.0 + random.unit()) * 2.0_f64.powi(base - random.below(spread) as i32)
            };
            start.iter().map(|_| weight(random)).collect()
        });
        Moved {
            shape,
            points: start,
            ends,
            velocities,
            weights,
        }
    }
}

impl Scene {
    /// A random scene whose patches have degrees up to `degrees`.
    pub(super) fn random(random: &mut Random, degrees: usize) -> Self {
        loop {
            if let Some(scene) = Self::candidate(random, degrees) {
                return scene;
            }
        }
    }

    /// A random scene, or `None` if something in it leaves the range of doubles.
    fn candidate(random: &mut Random, degrees: usize) -> Option<Self> {
        let places = Places::random(random);
        let t_max = [1.0, 1.0, 0.1, 1.0 + random.unit(), 1e-20][random.below(5)];
        let mut patches = [0; 2].map(|_| places.patch(random, degrees, t_max));
        let parameters = [0, 1].map(|side| {
            let (u, v) = (random.unit(), random.unit());
            match patches[side].shape {
                Shape::Triangular { .. } => (u * (1.0 - v), v),
                Shape::TensorProduct { n, m } => {
                    (if n > 0 { u } else { 0.0 }, if m > 0 { v } else { 0.0 })
                }
            }
        });
        let time = random.unit();
        let at = |patch: &Moved, (u, v): (f64, f64)| patch.view().eval(u, v, time * t_max);
        if !random.chance(4) {
            let offset = at(&patches[0], parameters[0]) - at(&patches[1], parameters[1]);
            let Moved { points, ends, .. } = &mut patches[1];
            let all = points.iter_mut().chain(ends.iter_mut().flatten());
            all.for_each(|point| *point += offset);
            if let Some(ends) = &patches[1].ends {
                let pairs = ends.iter().zip(&patches[1].points);
                patches[1].velocities = pairs.map(|(q, p)| q - p).collect();
            }
        }
        let size = places
            .sizes
            .iter()
            .fold(0.0_f64, |largest, &size| largest.max(size));
        let in_range = |patch: &Moved| {
            let numbers = patch.points.iter().chain(patch.ends.iter().flatten());
            let mut numbers = numbers.flat_map(|point| point.coords.iter());
            numbers.all(|x| x.is_finite())
                && check_range(&patch.points, &patch.velocities, t_max).is_ok()
        };
        patches.iter().all(in_range).then(|| Self {
            patches,
            options: Options {
                t_max,
                inclusion: [Inclusion::Obb, Inclusion::Obb, Inclusion::Aabb][random.below(3)],
                min_separation: match random.below(3) {
                    0 => size * random.unit() * 0.5_f64.powi(random.below(60) as i32),
                    _ => 0.0,
                },
                ..Options::default()
            },
            parameters,
            time,
        })
    }

    /// The patches as a query reads them.
    pub(super) fn views(&self) -> [MotionView<'_>; 2] {
        [self.patches[0].view(), self.patches[1].view()]
    }
}

/// A step of a search: two families of children at some level, an interval of time, and the axes
/// that the search chooses for them.
pub(super) struct SearchStep {
    /// Its trees hold the families, and its kernel the axes.
    pub(super) search: Search,
    pub(super) families: [u32; 2],
    /// The nets of the whole patches, exactly as the caller gave them, in the coordinates of the
    /// search.
    pub(super) roots: [ExactNet; 2],
    pub(super) interval: [f64; 2],
    /// In the coordinates of the search.
    pub(super) min_separation: Dyadic,
}

impl SearchStep {
    /// Splits both patches down to `level`, around the scene's parameters, and chooses the axes for
    /// a random interval of time around the scene's time.
    pub(super) fn new(scene: &Scene, level: u32, random: &mut Random) -> Self {
        let views = scene.views();
        let mut search = Search::new();
        search.pair.load(&views, &scene.options);
        let mut sub_patches = [ROOT; 2];
        let mut families = [0; 2];
        for step in 1..=level {
            for side in 0..2 {
                let tree = &mut search.pair.trees[side];
                let split = match random.below(3) {
                    0 => Split::AlongU,
                    1 => Split::AlongV,
                    _ => Split::Even,
                };
                families[side] = tree.children(sub_patches[side], split);
                tree.load(families[side]);
                if step < level {
                    let count = tree.members(families[side]);
                    let children = 4 * families[side]..4 * families[side] + count;
                    let around = |&child: &SubPatch| tree.covers(child, scene.parameters[side]);
                    sub_patches[side] = children.clone().find(around).unwrap_or(children.start);
                }
            }
        }
        let shrink = 0.5_f64.powi(random.below(45) as i32);
        let start = scene.time - scene.time * shrink * random.unit();
        let end = scene.time + (1.0 - scene.time) * shrink * random.unit();
        let interval = match random.below(4) {
            0 => [0.0, 1.0],
            _ => [start, end],
        };
        let kernel = &mut search.impact.kernel;
        let inclusion = scene.options.inclusion;
        kernel.choose_axes(
            &search.pair,
            inclusion,
            [None; 2],
            sub_patches,
            families,
            interval,
        );
        let (origin, scale) = (middle(&views), search.pair.scale);
        let roots = scene.patches.each_ref().map(|patch| {
            let rows = patch.rows(origin, scale, scene.options.t_max);
            ExactNet::new(patch.shape, &rows, patch.weights.as_deref())
        });
        Self {
            search,
            families,
            roots,
            interval,
            min_separation: exact(scene.options.min_separation) * exact(scale),
        }
    }

    /// The computed nets of both families.
    pub(super) fn nets(&self) -> [SiblingNets<'_>; 2] {
        [0, 1].map(|side| self.search.pair.trees[side].nets(self.families[side]))
    }

    /// The number of children in each family.
    pub(super) fn counts(&self) -> [usize; 2] {
        [0, 1].map(|side| self.search.pair.trees[side].members(self.families[side]) as usize)
    }

    /// All pairs of children.
    pub(super) fn pairs(&self) -> Pairs {
        let [rows, columns] = self.counts();
        let row = (1 << columns) - 1;
        (0..rows).fold(0, |pairs, i| pairs | row << (4 * i))
    }

    /// The exact net of the child in a lane.
    pub(super) fn exact_child(&self, side: usize, lane: usize) -> ExactNet {
        let cell = self.search.pair.trees[side].cell(4 * self.families[side] + lane as u32);
        self.roots[side].part(&cell)
    }

    /// A test that has projected all children on all axes, since it prunes no pair.
    pub(super) fn projected(&self) -> SiblingTest {
        let mut test = SiblingTest::default();
        let mut axes = self.search.impact.kernel.axes.clone();
        // No gap exceeds these margins.
        axes.iter_mut()
            .for_each(|axis| axis.margin = [f64::INFINITY; 2]);
        test.swept(self.nets(), &axes, self.interval, !0);
        test
    }

    /// M₀ + t M₁ of a patch for coordinate `c`: no control point is farther from 0 at time t,
    /// except for rounding. See [`crate::rounding`].
    pub(super) fn largest_coordinate(&self, side: usize, c: usize, t: &Dyadic) -> Dyadic {
        let extent = self.search.pair.extents[side];
        exact(extent.start[c]) + t.clone() * exact(extent.displacement[c])
    }

    /// E(t) of a patch: no projection on the axis is larger at time t, except for rounding. See
    /// [`crate::rounding`].
    pub(super) fn largest_projection(&self, side: usize, axis: [f64; 3], t: &Dyadic) -> Dyadic {
        let terms = (0..3).map(|c| exact(axis[c].abs()) * self.largest_coordinate(side, c, t));
        terms.fold(exact(0.0), |sum, term| sum + term)
    }
}
