//! The sub-patches of one patch. Each is split at most once in each way, and kept.
//!
//! The (up to four) children of a sub-patch form a *family*. Their control points lie side by side,
//! one lane each, so that one inclusion test takes all of them. A family remembers how its parent
//! was split, which part of the domain that is, and how many roundings its nets went through.

mod jet;
mod snapshot;

use nalgebra::Point3;

use crate::geometry::{BasisJets, Cell, Domain, Shape, SpanningDifference, Split, SplitPlan};
use crate::lanes::Lanes;
use crate::motion::{
    Extent, MAX_LAYERS, MotionView, STILL_COLUMNS, SiblingNets, Spread, Track, Trajectory,
    value_and_change,
};
use crate::rounding::{
    POLYNOMIAL_ROUNDINGS, RIGID_ROUNDINGS, reciprocal_power_of_two, split_roundings,
};
use crate::vector::{Vector, largest, length};

pub(crate) use jet::SurfaceJet;

/// A sub-patch: four times its family, plus its lane.
pub(crate) type SubPatch = u32;

/// The family of a sub-patch.
#[inline]
pub(crate) fn family_of(sub_patch: SubPatch) -> u32 {
    sub_patch / 4
}

const NONE: u32 = u32::MAX;

/// Nets kept at a time: those of so many families, or so many bytes, whichever is more. Beyond that
/// all are discarded, and made again from the root when needed. What else a query keeps is bounded
/// by its budget.
const NET_FAMILIES: usize = 256;
const NET_BYTES: usize = 8 << 20;

/// Plans kept: callers that mix more shapes than this make some of them anew.
const PLANS: usize = 8;

/// The plans of a shape, by split; those of uneven splits are made when first asked for.
type Plans = [Option<SplitPlan>; 3];

#[derive(Clone, Copy, Debug)]
struct Family {
    /// The sub-patch these are the children of; `NONE` for the root's.
    parent: SubPatch,
    /// How the parent was split.
    split: Split,
    /// Where the nets start, or `NONE` while they are discarded.
    slot: u32,
    /// The children of each child; `NONE` until asked for.
    children: [u32; 4],
    /// Another family of children of the same parent, split otherwise, or `NONE`.
    other: u32,
    /// The cell of the parent; a root is its own.
    cell: Cell,
    /// Roundings of all subdivisions from the root on.
    roundings: u32,
}

/// All sub-patches of one moving patch that a search has come across. The root is the first lane of
/// family 0.
#[derive(Debug)]
pub(crate) struct SubdivisionTree {
    shape: Shape,
    /// Plans of the shapes seen so far; the first ones are in use.
    plans: Vec<(Shape, Plans)>,
    count: usize,
    spanning_differences: [Option<SpanningDifference>; 2],
    /// How the control points move.
    track: Track,
    /// The control points: those that move along lines, or the places in a rigid body.
    root: Vec<Trajectory>,
    /// The layers of control points that move along polynomials.
    layers: Vec<[Vector; MAX_LAYERS]>,
    /// Whether only time 0 is needed: sub-patches do not move then.
    still: bool,
    /// Of a rational patch, scaled by a power of two to at least about 1, so that no product with
    /// one loses anything by underflow; empty otherwise.
    weights: Vec<f64>,
    /// How many times as large as its layers, as given, a polynomial may be in the horizon.
    growth: f64,
    families: Vec<Family>,
    nets: Vec<Lanes>,
    /// Values of the plan for the sub-patch being split.
    values: Vec<f64>,
    /// Basis functions at the point last evaluated.
    basis: BasisJets,
}

/// The whole patch, in any tree.
pub(crate) const ROOT: SubPatch = 0;

impl SubdivisionTree {
    pub(crate) fn new() -> Self {
        Self {
            shape: Shape::VERTEX,
            plans: Vec::new(),
            count: 1,
            spanning_differences: [None; 2],
            track: Track::Linear,
            root: Vec::new(),
            layers: Vec::new(),
            still: false,
            weights: Vec::new(),
            growth: 1.0,
            families: Vec::new(),
            nets: Vec::new(),
            values: Vec::new(),
            basis: BasisJets::default(),
        }
    }

    /// Forgets everything and starts over with a patch, its coordinates relative to `origin` and
    /// multiplied by `scale`, and time divided by `t_max`.
    pub(crate) fn reset(
        &mut self,
        view: &MotionView<'_>,
        origin: Point3<f64>,
        scale: f64,
        t_max: f64,
    ) {
        match self
            .plans
            .iter()
            .position(|(shape, _)| *shape == view.shape)
        {
            Some(known) => self.plans.swap(0, known),
            None => {
                self.plans.truncate(PLANS - 1);
                self.plans.insert(0, (view.shape, [const { None }; 3]));
            }
        }
        self.shape = view.shape;
        self.count = view.shape.count();
        self.spanning_differences = view.shape.spanning_differences();
        self.root.clear();
        self.root.extend(view.trajectories(origin, scale, t_max));
        self.layers.clear();
        self.layers.extend(view.layers(origin, scale, t_max));
        self.track = view.track(origin, scale, t_max);
        self.growth = view.growth(t_max);
        self.still = false;
        self.weights.clear();
        if let Some(weights) = view.weights {
            let least = weights.iter().copied().fold(f64::INFINITY, f64::min);
            let scale = reciprocal_power_of_two(least);
            self.weights.extend(weights.iter().map(|w| w * scale));
        }
        self.families.clear();
        self.nets.clear();
        self.families.push(Family {
            parent: NONE,
            split: Split::Even,
            slot: NONE,
            children: [NONE; 4],
            other: NONE,
            cell: Cell::UNIT,
            roundings: 0,
        });
        self.load(0);
    }

    /// Says that until the next reset only time 0 is asked for.
    pub(crate) fn rest(&mut self) {
        self.still = true;
    }

    pub(crate) fn shape(&self) -> Shape {
        self.shape
    }

    pub(crate) fn cell(&self, sub_patch: SubPatch) -> Cell {
        let family = &self.families[sub_patch as usize / 4];
        if family.parent == NONE {
            return family.cell;
        }
        let child = match &self.plans[0].1[family.split as usize] {
            Some(plan) => plan.cells()[sub_patch as usize % 4],
            None => Cell::UNIT,
        };
        family.cell.compose(&child)
    }

    pub(crate) fn domain(&self) -> Domain {
        self.shape.domain()
    }

    /// Whether a sub-patch covers these parameters.
    pub(crate) fn covers(&self, sub_patch: SubPatch, parameters: (f64, f64)) -> bool {
        self.domain().covers(&self.cell(sub_patch), parameters)
    }

    /// The parameters in the middle of a sub-patch.
    pub(crate) fn centre_parameters(&self, sub_patch: SubPatch) -> (f64, f64) {
        self.shape.centre(&self.cell(sub_patch))
    }

    /// The family of the children of a sub-patch by a split, made if it is not there yet. A vertex
    /// is its own only child.
    pub(crate) fn children(&mut self, sub_patch: SubPatch, split: Split) -> u32 {
        let (family, lane) = (sub_patch as usize / 4, sub_patch as usize % 4);
        if self.shape.children() == 1 {
            return family as u32;
        }
        let uneven = self.domain().splits_unevenly();
        let split = if uneven { split } else { Split::Even };
        let first = self.families[family].children[lane];
        let mut known = first;
        while known != NONE {
            if self.families[known as usize].split == split {
                return known;
            }
            known = self.families[known as usize].other;
        }
        let shape = self.shape;
        let plan =
            self.plans[0].1[split as usize].get_or_insert_with(|| SplitPlan::new(shape, split));
        let roundings = split_roundings(plan.averages(), !self.weights.is_empty()) as u32;
        let (cell, so_far) = (self.cell(sub_patch), self.families[family].roundings);
        let children = self.families.len() as u32;
        self.families.push(Family {
            parent: sub_patch,
            split,
            slot: NONE,
            children: [NONE; 4],
            other: first,
            cell,
            roundings: so_far + roundings,
        });
        self.families[family].children[lane] = children;
        children
    }

    /// Makes sure that the nets of a family, and of those above it, are there. It may discard all
    /// others.
    pub(crate) fn load(&mut self, family: u32) {
        self.trim();
        self.make(family);
    }

    /// Discards all nets if there are too many of them.
    fn trim(&mut self) {
        let most =
            (NET_BYTES / size_of::<Lanes>()).max(NET_FAMILIES * self.track.columns() * self.count);
        if self.nets.len() > most {
            self.nets.clear();
            for family in &mut self.families {
                family.slot = NONE;
            }
        }
    }

    fn make(&mut self, family: u32) {
        if self.families[family as usize].slot != NONE {
            return;
        }
        let parent = self.families[family as usize].parent;
        let slot = self.nets.len();
        if parent == NONE {
            self.families[family as usize].slot = slot as u32;
            for c in 0..self.track.columns() {
                if self.layers.is_empty() {
                    let column = self.root.iter().map(|point| Lanes::splat(point.0[c]));
                    self.nets.extend(column);
                } else {
                    let column = self.layers.iter();
                    self.nets
                        .extend(column.map(|layers| Lanes::splat(layers[c / 3][c % 3])));
                }
            }
            self.nets
                .extend(self.weights.iter().map(|&w| Lanes::splat(w)));
            return;
        }
        self.make(parent / 4);
        let slot = self.nets.len();
        self.families[family as usize].slot = slot as u32;
        let from = self.families[parent as usize / 4].slot as usize;
        let split = self.families[family as usize].split;
        let Some(plan) = &self.plans[0].1[split as usize] else {
            return;
        };
        let (nets, values) = (&mut self.nets, &mut self.values);
        let from = (from, parent as usize % 4);
        let columns = self.track.columns();
        let split = if self.still && self.weights.is_empty() {
            split_family::<STILL_COLUMNS>
        } else {
            // Of a rational patch the weight is one number more.
            match columns + usize::from(!self.weights.is_empty()) {
                3 => split_family::<3>,
                4 => split_weighted::<4>,
                7 => split_weighted::<7>,
                9 => split_family::<9>,
                10 => split_weighted::<10>,
                12 => split_family::<12>,
                13 => split_weighted::<13>,
                _ => split_family::<6>,
            }
        };
        split(plan, nets, from, values);
        if self.still && self.weights.is_empty() {
            nets.resize(slot + columns * self.count, Lanes::default());
        }
    }

    /// Roundings of all subdivisions down to the nets of a family; see [`crate::rounding`].
    pub(crate) fn roundings(&self, family: u32) -> u32 {
        let of_motion = match self.track {
            Track::Linear => 0,
            Track::Polynomial(_) => POLYNOMIAL_ROUNDINGS,
            Track::Rigid(_) => RIGID_ROUNDINGS,
        };
        self.families[family as usize].roundings + of_motion
    }

    /// The widths of a sub-patch along u and v; 0 along a parameter in which it does not extend.
    pub(crate) fn widths(&self, sub_patch: SubPatch) -> [f64; 2] {
        self.domain().widths(&self.cell(sub_patch))
    }

    /// The larger of them.
    pub(crate) fn width(&self, sub_patch: SubPatch) -> f64 {
        let [u, v] = self.widths(sub_patch);
        u.max(v)
    }

    /// How many times as far the surface may go in a parameter as one with equal weights.
    pub(crate) fn weight_ratio(&self) -> f64 {
        let least = self.weights.iter().copied().fold(f64::INFINITY, f64::min);
        let most = self.weights.iter().copied().fold(0.0, f64::max);
        (most / least).max(1.0)
    }

    /// Whether a sub-patch is as small as it gets.
    pub(crate) fn is_finest(&self, sub_patch: SubPatch) -> bool {
        self.width(sub_patch) <= Cell::LEAST_WIDTH
    }

    /// How the control points move.
    pub(crate) fn track(&self) -> &Track {
        &self.track
    }

    /// The control points of a patch that is at rest or moves along lines.
    pub(crate) fn trajectories(&self) -> &[Trajectory] {
        &self.root
    }

    /// The number of control points.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// A control point of the whole patch at time `t`, as if it went on along a line from there:
    /// its position is the start, and its velocity the displacement.
    pub(crate) fn control_point(&self, k: usize, t: f64) -> Trajectory {
        match &self.track {
            Track::Linear => {
                let point = &self.root[k];
                Trajectory::new(point.at(t), point.velocity())
            }
            Track::Polynomial(degree) => {
                let (position, velocity) = value_and_change(&self.layers[k][..=*degree], t);
                Trajectory::new(position, velocity)
            }
            Track::Rigid(screw) => {
                let turned = screw.pose(t).direction(self.root[k].start());
                screw.moved(turned, t)
            }
        }
    }

    /// Boxes around the control points at the start, and around their velocities at all times.
    pub(crate) fn spread(&self) -> Spread {
        MotionView::spread(&self.track, &self.root, &self.layers)
    }

    /// How far the path of a control point may be from a straight line over an interval of this
    /// length, about.
    pub(crate) fn bend(&self, length: f64) -> f64 {
        let acceleration = match &self.track {
            Track::Linear => 0.0,
            Track::Polynomial(degree) => {
                let mut most = 0.0_f64;
                for layers in &self.layers {
                    for k in 1..*degree {
                        let [before, here, after] = [layers[k - 1], layers[k], layers[k + 1]];
                        let bend: Vector =
                            std::array::from_fn(|c| before[c] - 2.0 * here[c] + after[c]);
                        most = most.max(largest(bend));
                    }
                }
                (degree * (degree - 1)) as f64 * most
            }
            Track::Rigid(screw) => screw.turn.rate * screw.turn.rate * screw.radius,
        };
        acceleration * length * length / 8.0
    }

    /// Bounds on the coordinates of the control points; where they do not move along lines, with
    /// their largest speeds added.
    pub(crate) fn extent(&self, spread: &Spread) -> Extent {
        let of_motion = spread.extent();
        let position = match &self.track {
            Track::Linear => return of_motion,
            Track::Polynomial(degree) => {
                let mut position = [0.0_f64; 3];
                for layer in self.layers.iter().flat_map(|layers| &layers[..=*degree]) {
                    for (most, x) in position.iter_mut().zip(layer) {
                        *most = most.max(x.abs());
                    }
                }
                position.map(|x| x * self.growth)
            }
            Track::Rigid(screw) => {
                let distances = self.root.iter().map(|q| length(q.start()));
                let radius = distances.fold(0.0, f64::max);
                // For the rotation's error, which grows with the angle.
                let turned = radius * (1.0 + screw.turn.rate);
                std::array::from_fn(|c| screw.center[c].abs() + screw.velocity[c].abs() + turned)
            }
        };
        Extent {
            start: std::array::from_fn(|c| position[c] + of_motion.displacement[c]),
            displacement: [0.0; 3],
        }
    }

    /// Their weights, times a power of two; empty if the patch is not rational.
    pub(crate) fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The number of sub-patches in a family.
    pub(crate) fn members(&self, family: u32) -> u32 {
        let split = self.families[family as usize].split;
        match &self.plans[0].1[split as usize] {
            Some(plan) if family > 0 => plan.cells().len() as u32,
            _ => 1,
        }
    }

    /// The nets of a loaded family.
    #[inline]
    pub(crate) fn nets(&self, family: u32) -> SiblingNets<'_> {
        let slot = self.families[family as usize].slot as usize;
        let size = self.track.columns() * self.count;
        SiblingNets::new(self.count, &self.track, &self.nets[slot..slot + size])
    }
}

/// Splits one child of the family at `from` and appends the family of its children. `values` is
/// scratch.
fn split_family<const K: usize>(
    plan: &SplitPlan,
    nets: &mut Vec<Lanes>,
    from: (usize, usize),
    values: &mut Vec<f64>,
) {
    split_rows::<K>(plan, nets, from, values, |_| {}, |row| row);
}

/// The same for a rational patch: the last number of each control point is its weight.
fn split_weighted<const K: usize>(
    plan: &SplitPlan,
    nets: &mut Vec<Lanes>,
    from: (usize, usize),
    values: &mut Vec<f64>,
) {
    let weigh = |row: &mut [f64; K]| {
        let w = row[K - 1];
        row[..K - 1].iter_mut().for_each(|x| *x *= w);
    };
    let project = |mut row: [f64; K]| {
        let w = row[K - 1];
        row[..K - 1].iter_mut().for_each(|x| *x /= w);
        row
    };
    split_rows::<K>(plan, nets, from, values, weigh, project);
}

/// The numbers of each control point go through `before`, the averages, and `after`.
#[inline(always)]
fn split_rows<const K: usize>(
    plan: &SplitPlan,
    nets: &mut Vec<Lanes>,
    (from, lane): (usize, usize),
    values: &mut Vec<f64>,
    before: impl Fn(&mut [f64; K]),
    after: impl Fn([f64; K]) -> [f64; K],
) {
    let count = plan.shape().count();
    // All of these are written before they are read.
    if values.len() < K * plan.values() {
        values.resize(K * plan.values(), 0.0);
    }
    let (values, _) = values[..K * plan.values()].as_chunks_mut::<K>();
    let columns = nets[from..from + K * count].chunks_exact(count);
    for (c, column) in columns.enumerate() {
        for (row, lanes) in values.iter_mut().zip(column) {
            row[c] = lanes[lane];
        }
    }
    values[..count].iter_mut().for_each(before);
    plan.run(values);
    // Lanes without a child of their own repeat the last one.
    let last = plan.cells().len() - 1;
    let children: [_; 4] = std::array::from_fn(|i| plan.child(i.min(last)));
    let slot = nets.len();
    nets.resize(slot + K * count, Lanes::default());
    let nets = &mut nets[slot..];
    for k in 0..count {
        let [one, two, three, four] = [
            after(values[children[0][k] as usize]),
            after(values[children[1][k] as usize]),
            after(values[children[2][k] as usize]),
            after(values[children[3][k] as usize]),
        ];
        for c in 0..K {
            nets[c * count + k] = Lanes([one[c], two[c], three[c], four[c]]);
        }
    }
}
