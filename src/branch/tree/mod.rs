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
use crate::motion::{COLUMNS, MotionView, STILL_COLUMNS, SiblingNets, Trajectory};
use crate::rounding::{reciprocal_power_of_two, split_roundings};

pub(crate) use jet::SurfaceJet;

/// The columns of a control point's trajectory times its weight, and the weight.
type HomogeneousRow = [f64; COLUMNS + 1];

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
    root: Vec<Trajectory>,
    /// Whether only time 0 is needed: sub-patches do not move then.
    still: bool,
    /// Of a rational patch, scaled by a power of two to at least about 1, so that no product with
    /// one loses anything by underflow; empty otherwise.
    weights: Vec<f64>,
    families: Vec<Family>,
    nets: Vec<Lanes>,
    /// Values of the plan for the sub-patch being split.
    values: Vec<[f64; COLUMNS]>,
    still_values: Vec<[f64; STILL_COLUMNS]>,
    homogeneous: Vec<HomogeneousRow>,
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
            root: Vec::new(),
            still: false,
            weights: Vec::new(),
            families: Vec::new(),
            nets: Vec::new(),
            values: Vec::new(),
            still_values: Vec::new(),
            homogeneous: Vec::new(),
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
            (NET_BYTES / size_of::<Lanes>()).max(NET_FAMILIES * SiblingNets::size(self.count));
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
            for c in 0..COLUMNS {
                let column = self.root.iter().map(|point| Lanes::splat(point.0[c]));
                self.nets.extend(column);
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
        let (nets, lane) = (&mut self.nets, parent as usize % 4);
        if self.weights.is_empty() && self.still {
            let values = &mut self.still_values;
            split_family(plan, nets, (from, lane), values, |_| {}, |row| row);
            nets.resize(slot + SiblingNets::size(self.count), Lanes::default());
        } else if self.weights.is_empty() {
            split_family(
                plan,
                nets,
                (from, lane),
                &mut self.values,
                |_| {},
                |row| row,
            );
        } else {
            let weigh = |row: &mut HomogeneousRow| {
                let w = row[COLUMNS];
                row[..COLUMNS].iter_mut().for_each(|x| *x *= w);
            };
            let project = |mut row: HomogeneousRow| {
                let w = row[COLUMNS];
                row[..COLUMNS].iter_mut().for_each(|x| *x /= w);
                row
            };
            split_family(
                plan,
                nets,
                (from, lane),
                &mut self.homogeneous,
                weigh,
                project,
            );
        }
    }

    /// Roundings of all subdivisions down to the nets of a family; see [`crate::rounding`].
    pub(crate) fn roundings(&self, family: u32) -> u32 {
        self.families[family as usize].roundings
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

    /// The control points of the whole patch.
    pub(crate) fn trajectories(&self) -> &[Trajectory] {
        &self.root
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
        let size = SiblingNets::size(self.count);
        SiblingNets::new(self.count, &self.nets[slot..slot + size])
    }
}

/// Splits one child of the family at `from` and appends the family of its children. The numbers of
/// each control point go through `before`, the averages, and `after`; `values` is scratch.
fn split_family<const K: usize>(
    plan: &SplitPlan,
    nets: &mut Vec<Lanes>,
    (from, lane): (usize, usize),
    values: &mut Vec<[f64; K]>,
    before: impl Fn(&mut [f64; K]),
    after: impl Fn([f64; K]) -> [f64; K],
) {
    let count = plan.shape().count();
    values.clear();
    values.resize(count, [0.0; K]);
    let columns = nets[from..from + K * count].chunks_exact(count);
    for (c, column) in columns.enumerate() {
        for (row, lanes) in values.iter_mut().zip(column) {
            row[c] = lanes[lane];
        }
    }
    values.iter_mut().for_each(before);
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
