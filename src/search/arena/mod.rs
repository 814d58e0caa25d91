//! The sub-patches of one patch, each split once and kept.

mod jet;
mod snapshot;

use nalgebra::Point3;

use crate::geometry::{BasisJets, Cell, Shape, Span, Split, SplitPlan};
use crate::inclusion::{Lanes, SiblingNets};
use crate::motion::MotionView;
use crate::rounding::{reciprocal_power_of_two, scaled_product, split_roundings};

pub(crate) use jet::Jet;

/// Start and displacement of a control point.
pub(crate) type Row = [f64; 6];

/// The same times its weight, and the weight.
type HomogeneousRow = [f64; 7];

/// A sub-patch: family · 4 + lane.
pub(crate) type Node = u32;

const NONE: u32 = u32::MAX;

/// Nets kept at a time: those of so many families, or so many bytes, whichever is more. Beyond it all are dropped, and made
/// again from the root when needed; what else a query keeps is bounded by its budget.
const NET_FAMILIES: usize = 256;
const NET_BYTES: usize = 8 << 20;

/// Plans kept: callers that mix more shapes than this make some of them anew.
const PLANS: usize = 8;

/// The plans of a shape, by split; those of uneven splits are made when first asked for.
type Plans = [Option<SplitPlan>; 3];

#[derive(Clone, Copy, Debug)]
struct Family {
    /// The sub-patch these are the children of; `NONE` for the root's.
    parent: Node,
    /// How the parent was split.
    split: Split,
    /// Where the nets start, or `NONE` while they are dropped.
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

/// All sub-patches of one moving patch that a search has come across.
///
/// The (up to four) children of a sub-patch form a *family*; their control points lie side by side in [`Lanes`].
/// The root is the first lane of family 0.
#[derive(Debug)]
pub(crate) struct Arena {
    shape: Shape,
    /// Plans of the shapes seen so far; the first ones are in use.
    plans: Vec<(Shape, Plans)>,
    count: usize,
    spans: [Option<Span>; 2],
    root: Vec<Row>,
    /// Whether displacements are not needed: those of sub-patches are 0 then.
    still: bool,
    /// Of a rational patch, scaled by a power of two to at least about 1, so that no product with one loses anything by
    /// underflow; empty otherwise.
    weights: Vec<f64>,
    families: Vec<Family>,
    nets: Vec<Lanes>,
    /// Values of the plan for the sub-patch being split.
    values: Vec<Row>,
    still_values: Vec<[f64; 3]>,
    homogeneous: Vec<HomogeneousRow>,
    /// Basis functions at the point last evaluated.
    basis: BasisJets,
}

/// The root, as a node of any arena.
pub(crate) const ROOT: Node = 0;

impl Arena {
    pub(crate) fn new() -> Self {
        Self {
            shape: Shape::TensorProduct { n: 0, m: 0 },
            plans: Vec::new(),
            count: 1,
            spans: [None; 2],
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

    /// Forgets everything and starts over with a patch, its coordinates relative to `origin` and multiplied by `scale`, its
    /// velocities by `scale` and `t_max`, so that it moves over the times [0, 1].
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
        self.spans = view.shape.spans();
        self.root.clear();
        let rows = view.points.iter().zip(view.velocities);
        self.root.extend(rows.map(|(p, v)| {
            let start = (p - origin) * scale;
            let displacement = v.map(|x| scaled_product(x, t_max, scale));
            [
                start.x,
                start.y,
                start.z,
                displacement.x,
                displacement.y,
                displacement.z,
            ]
        }));
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

    /// From here on the displacements of sub-patches are not needed, as time stays 0; until the next reset.
    pub(crate) fn rest(&mut self) {
        self.still = true;
    }

    pub(crate) fn shape(&self) -> Shape {
        self.shape
    }

    pub(crate) fn cell(&self, node: Node) -> Cell {
        let family = &self.families[node as usize / 4];
        if family.parent == NONE {
            return family.cell;
        }
        let child = match &self.plans[0].1[family.split as usize] {
            Some(plan) => plan.cells()[node as usize % 4],
            None => Cell::UNIT,
        };
        family.cell.compose(&child)
    }

    /// Whether a sub-patch covers these parameters.
    pub(crate) fn covers(&self, node: Node, (u, v): (f64, f64)) -> bool {
        let cell = self.cell(node);
        let (x, y) = ((u - cell.u0) / cell.width_u, (v - cell.v0) / cell.width_v);
        let shape = self.shape();
        match shape {
            Shape::TensorProduct { n, m } => {
                (n == 0 || (0.0..=1.0).contains(&x)) && (m == 0 || (0.0..=1.0).contains(&y))
            }
            Shape::Triangular { .. } => x >= 0.0 && y >= 0.0 && x + y <= 1.0,
        }
    }

    /// Largest start coordinate and largest displacement along each coordinate axis, over all control points.
    pub(crate) fn extent(&self) -> [[f64; 3]; 2] {
        let mut extent = [[0.0_f64; 3]; 2];
        for row in &self.root {
            for c in 0..3 {
                extent[0][c] = extent[0][c].max(row[c].abs());
                extent[1][c] = extent[1][c].max(row[3 + c].abs());
            }
        }
        extent
    }

    /// The family of the children of `node` by a split, made if it is not there yet. A vertex is its own only child.
    pub(crate) fn children(&mut self, node: Node, split: Split) -> u32 {
        let (family, lane) = (node as usize / 4, node as usize % 4);
        if self.shape.children() == 1 {
            return family as u32;
        }
        // A curve has one parameter, and a triangle's are only halved together.
        let split = match self.shape {
            Shape::TensorProduct { n: 1.., m: 1.. } => split,
            _ => Split::Even,
        };
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
        let (cell, so_far) = (self.cell(node), self.families[family].roundings);
        let children = self.families.len() as u32;
        self.families.push(Family {
            parent: node,
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

    /// Drops all nets if there are too many of them. Not to be called between [`Arena::load`] and [`Arena::nets`].
    pub(crate) fn trim(&mut self) {
        let most = (NET_BYTES / size_of::<Lanes>()).max(NET_FAMILIES * 6 * self.count);
        if self.nets.len() > most {
            self.nets.clear();
            for family in &mut self.families {
                family.slot = NONE;
            }
        }
    }

    /// Makes sure that the nets of a family are there.
    pub(crate) fn load(&mut self, family: u32) {
        if self.families[family as usize].slot != NONE {
            return;
        }
        let parent = self.families[family as usize].parent;
        let slot = self.nets.len();
        if parent == NONE {
            self.families[family as usize].slot = slot as u32;
            for c in 0..6 {
                self.nets
                    .extend(self.root.iter().map(|row| Lanes::splat(row[c])));
            }
            self.nets
                .extend(self.weights.iter().map(|&w| Lanes::splat(w)));
            return;
        }
        self.load(parent / 4);
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
            nets.resize(slot + 6 * self.count, Lanes::default());
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
                let w = row[6];
                row[..6].iter_mut().for_each(|x| *x *= w);
            };
            let project = |mut row: HomogeneousRow| {
                let w = row[6];
                row[..6].iter_mut().for_each(|x| *x /= w);
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
    pub(crate) fn widths(&self, node: Node) -> [f64; 2] {
        let cell = self.cell(node);
        match self.shape {
            Shape::TensorProduct { n: 0, m: 0 } => [0.0, 0.0],
            Shape::TensorProduct { m: 0, .. } => [cell.width_u, 0.0],
            Shape::TensorProduct { n: 0, .. } => [0.0, cell.width_v],
            _ => [cell.width_u.abs(), cell.width_v.abs()],
        }
    }

    /// The larger of them.
    pub(crate) fn width(&self, node: Node) -> f64 {
        let [u, v] = self.widths(node);
        u.max(v)
    }

    /// The starts and the displacements of all control points.
    pub(crate) fn rows(&self) -> &[Row] {
        &self.root
    }

    /// How many there are in a family.
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
        SiblingNets::new(self.count, &self.nets[slot..slot + 6 * self.count])
    }
}

/// Splits one child of the family at `from` and appends the family of its children; `values` is scratch, and rows go
/// through `before` and `after` the averages.
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
