//! The sub-patches of one patch, each split once and kept.

use nalgebra::Point3;

use crate::geometry::{BasisJets, Cell, Shape, Span, SplitPlan};
use crate::inclusion::{Direction, Lanes, SiblingNets, Spans};
use crate::motion::MotionView;
use crate::rounding::{reciprocal_power_of_two, scaled_product, split_roundings};

/// Start and displacement of a control point.
type Row = [f64; 6];

/// The same times its weight, and the weight.
type HomogeneousRow = [f64; 7];

/// A point of the moving patch with its derivatives up to the second: value, by u, by v, by uu, uv and vv, each with
/// start and displacement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Jet([Row; 6]);

impl Jet {
    /// Coordinate `c` of a derivative at time `t`.
    #[inline]
    pub(crate) fn position(&self, derivative: usize, c: usize, t: f64) -> f64 {
        self.0[derivative][c] + t * self.0[derivative][3 + c]
    }

    /// The same of its change in time.
    #[inline]
    pub(crate) fn velocity(&self, derivative: usize, c: usize) -> f64 {
        self.0[derivative][3 + c]
    }
}

/// A sub-patch: family · 4 + lane.
pub(crate) type Node = u32;

const NONE: u32 = u32::MAX;

/// Nets kept at a time: those of so many families, or so many bytes, whichever is more. Beyond it all are dropped, and made
/// again from the root when needed; what else a query keeps is bounded by its budget.
const NET_FAMILIES: usize = 256;
const NET_BYTES: usize = 8 << 20;

/// Plans kept: callers that mix more shapes than this make some of them anew.
const PLANS: usize = 8;

#[derive(Clone, Copy, Debug)]
struct Family {
    /// The sub-patch these are the children of; `NONE` for the root's.
    parent: Node,
    /// Where the nets start, or `NONE` while they are dropped.
    slot: u32,
    /// The children of each child; `NONE` until asked for.
    children: [u32; 4],
    /// The cell of the parent; a root is its own.
    cell: Cell,
    level: u32,
}

/// All sub-patches of one moving patch that a search has come across.
///
/// The (up to four) children of a sub-patch form a *family*; their control points lie side by side in [`Lanes`].
/// The root is the first lane of family 0.
#[derive(Debug)]
pub(crate) struct Arena {
    /// Plans of the shapes seen so far; the first one is in use.
    plans: Vec<SplitPlan>,
    count: usize,
    spans: [Option<Span>; 2],
    root: Vec<Row>,
    /// Of a rational patch, scaled by a power of two to at most about 1; empty otherwise.
    weights: Vec<f64>,
    families: Vec<Family>,
    nets: Vec<Lanes>,
    /// Values of the plan for the sub-patch being split.
    values: Vec<Row>,
    homogeneous: Vec<HomogeneousRow>,
    /// Basis functions at the point last evaluated.
    basis: BasisJets,
}

/// The root, as a node of any arena.
pub(crate) const ROOT: Node = 0;

impl Arena {
    pub(crate) fn new() -> Self {
        Self {
            plans: vec![SplitPlan::new(Shape::TensorProduct { n: 0, m: 0 })],
            count: 1,
            spans: [None; 2],
            root: Vec::new(),
            weights: Vec::new(),
            families: Vec::new(),
            nets: Vec::new(),
            values: Vec::new(),
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
            .position(|plan| plan.shape() == view.shape)
        {
            Some(known) => self.plans.swap(0, known),
            None => {
                self.plans.truncate(PLANS - 1);
                self.plans.insert(0, SplitPlan::new(view.shape));
            }
        }
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
        self.weights.clear();
        if let Some(weights) = view.weights {
            let largest = weights.iter().copied().fold(0.0, f64::max);
            let scale = reciprocal_power_of_two(largest);
            self.weights.extend(weights.iter().map(|w| w * scale));
        }
        self.families.clear();
        self.nets.clear();
        self.families.push(Family {
            parent: NONE,
            slot: NONE,
            children: [NONE; 4],
            cell: Cell::UNIT,
            level: 0,
        });
        self.load(0);
    }

    pub(crate) fn shape(&self) -> Shape {
        self.plans[0].shape()
    }

    pub(crate) fn cell(&self, node: Node) -> Cell {
        let family = &self.families[node as usize / 4];
        if family.parent == NONE {
            return family.cell;
        }
        family
            .cell
            .compose(&self.shape().child_cell(node as usize % 4))
    }

    /// Whether a sub-patch covers these parameters.
    pub(crate) fn covers(&self, node: Node, (u, v): (f64, f64)) -> bool {
        let cell = self.cell(node);
        let (x, y) = ((u - cell.u0) / cell.h, (v - cell.v0) / cell.h);
        let shape = self.shape();
        match shape {
            Shape::TensorProduct { n, m } => {
                (n == 0 || (0.0..=1.0).contains(&x)) && (m == 0 || (0.0..=1.0).contains(&y))
            }
            Shape::Triangular { .. } => x >= 0.0 && y >= 0.0 && x + y <= 1.0,
        }
    }

    /// The point of the whole patch at (u, v) with its derivatives.
    pub(crate) fn jet(&mut self, (u, v): (f64, f64)) -> Jet {
        self.shape().basis_jets(u, v, &mut self.basis);
        let mut jet = [[0.0; 6]; 6];
        let mut add = |values: &[f64; 6], row: &Row| {
            for (sum, &value) in jet.iter_mut().zip(values) {
                for (sum, x) in sum.iter_mut().zip(row) {
                    *sum += value * x;
                }
            }
        };
        if self.weights.is_empty() {
            for (values, row) in self.basis.jets.iter().zip(&self.root) {
                add(values, row);
            }
            return Jet(jet);
        }
        let mut weight = [0.0; 6];
        for ((values, row), &w) in self.basis.jets.iter().zip(&self.root).zip(&self.weights) {
            let weighted = values.map(|value| value * w);
            add(&weighted, row);
            for (sum, value) in weight.iter_mut().zip(weighted) {
                *sum += value;
            }
        }
        // Quotient rule: a derivative of the product S W with all terms but its own taken away.
        let [w, w_u, w_v, w_uu, w_uv, w_vv] = weight;
        let [mut s, mut s_u, mut s_v, mut s_uu, mut s_uv, mut s_vv] = jet;
        for c in 0..6 {
            s[c] /= w;
            s_u[c] = (s_u[c] - s[c] * w_u) / w;
            s_v[c] = (s_v[c] - s[c] * w_v) / w;
            s_uu[c] = (s_uu[c] - 2.0 * s_u[c] * w_u - s[c] * w_uu) / w;
            s_uv[c] = (s_uv[c] - s_u[c] * w_v - s_v[c] * w_u - s[c] * w_uv) / w;
            s_vv[c] = (s_vv[c] - 2.0 * s_v[c] * w_v - s[c] * w_vv) / w;
        }
        Jet([s, s_u, s_v, s_uu, s_uv, s_vv])
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

    /// The family of the children of `node`, made if it is not there yet. A vertex is its own only child.
    pub(crate) fn children(&mut self, node: Node) -> u32 {
        let (family, lane) = (node as usize / 4, node as usize % 4);
        if self.shape().children() == 1 {
            return family as u32;
        }
        let known = self.families[family].children[lane];
        if known != NONE {
            return known;
        }
        let (cell, level) = (self.cell(node), self.level(node) + 1);
        let children = self.families.len() as u32;
        self.families.push(Family {
            parent: node,
            slot: NONE,
            children: [NONE; 4],
            cell,
            level,
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
        let (plan, nets, lane) = (&self.plans[0], &mut self.nets, parent as usize % 4);
        if self.weights.is_empty() {
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

    /// Roundings of one subdivision; see [`crate::rounding`].
    pub(crate) fn roundings(&self) -> usize {
        split_roundings(self.shape().averages_per_level(), !self.weights.is_empty())
    }

    /// The nets of a loaded family.
    #[inline]
    pub(crate) fn nets(&self, family: u32) -> SiblingNets<'_> {
        let slot = self.families[family as usize].slot as usize;
        SiblingNets::new(self.count, &self.nets[slot..slot + 6 * self.count])
    }

    /// The sub-patch's level.
    #[inline]
    pub(crate) fn level(&self, node: Node) -> u32 {
        self.families[node as usize / 4].level
    }

    /// The directions that span a sub-patch at time `t`.
    pub(crate) fn spans(&self, node: Node, t: f64) -> Spans {
        let (net, lane) = (self.nets(node / 4), node as usize % 4);
        let difference = |(from, to): (usize, usize)| {
            let (from, to) = (net.point(lane, from, t), net.point(lane, to, t));
            [to[0] - from[0], to[1] - from[1], to[2] - from[2]]
        };
        let sum = |(first, second): Span| {
            let mut sum = difference(first);
            if let Some(second) = second {
                let second = difference(second);
                for c in 0..3 {
                    sum[c] += second[c];
                }
            }
            sum
        };
        let [u, v] = self.spans;
        [u.map(sum), v.map(sum)]
    }

    /// The mean of a sub-patch's control points at time `t`.
    pub(crate) fn centre(&self, node: Node, t: f64) -> Direction {
        let (net, lane) = (self.nets(node / 4), node as usize % 4);
        let mut sum = [0.0; 3];
        for k in 0..self.count {
            let point = net.point(lane, k, t);
            for c in 0..3 {
                sum[c] += point[c];
            }
        }
        sum.map(|x| x / self.count as f64)
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
    let last = plan.shape().children() - 1;
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
