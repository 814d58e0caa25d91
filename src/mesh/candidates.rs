//! The broad phase: which pairs of elements may touch, and from when on.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use ordered_float::OrderedFloat;

use super::element::Group;
use super::tree::Tree;
use super::{Element, Mesh, MeshCounters, MeshOptions, MovingMesh, PairFilter};
use crate::Options;
use crate::rounding::boxes::ENTRY_FACTOR;

/// Two elements whose moving boxes overlap at some time of the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The elements, as in [`PairOutcome::elements`](super::PairOutcome::elements).
    pub elements: [Element; 2],
    /// Proven: no contact outside this interval of time, in fractions of the horizon.
    pub interval: [f64; 2],
}

/// The meshes of a query: two, or one against itself.
#[derive(Clone, Copy, Debug)]
pub(super) enum Meshes<'a> {
    Between(&'a MovingMesh<'a>, &'a MovingMesh<'a>),
    Within(&'a MovingMesh<'a>),
}

impl<'a> Meshes<'a> {
    /// The mesh of the first element of a pair and that of the second.
    pub(super) fn sides(self) -> [&'a MovingMesh<'a>; 2] {
        match self {
            Self::Between(a, b) => [a, b],
            Self::Within(mesh) => [mesh, mesh],
        }
    }

    /// Which of two sets of trees each side has: within one mesh both have the first.
    fn slots(self) -> [usize; 2] {
        match self {
            Self::Between(..) => [0, 1],
            Self::Within(_) => [0, 0],
        }
    }

    /// The groups of elements to be paired.
    ///
    /// An edge's ends are tested with the edge, and a face's edges with the face; only what belongs to nothing larger needs
    /// pairs of its own.
    pub(super) fn groups(self) -> &'static [[Group; 2]] {
        use Group::{Edges, Faces, LooseEdges, LooseVertices, Patches, Vertices};
        match (self, self.sides().map(|side| side.mesh())) {
            (_, [Mesh::Patches(_), Mesh::Patches(_)]) => &[[Patches, Patches]],
            (_, [Mesh::Patches(_), Mesh::Triangles(_)]) => &[
                [Patches, Faces],
                [Patches, LooseEdges],
                [Patches, LooseVertices],
            ],
            (_, [Mesh::Triangles(_), Mesh::Patches(_)]) => &[
                [Faces, Patches],
                [LooseEdges, Patches],
                [LooseVertices, Patches],
            ],
            (Self::Between(..), _) => &[
                [Vertices, Faces],
                [Edges, Edges],
                [Faces, Vertices],
                [LooseVertices, LooseEdges],
                [LooseEdges, LooseVertices],
                [LooseVertices, LooseVertices],
            ],
            (Self::Within(_), _) => &[
                [Vertices, Faces],
                [Edges, Edges],
                [LooseVertices, LooseEdges],
                [LooseVertices, LooseVertices],
            ],
        }
    }
}

/// The trees of the two meshes of a query, kept from step to step.
#[derive(Debug, Default)]
pub(super) struct Forest {
    /// One for each group of elements of the first mesh, and of the second.
    trees: [[Tree; Group::COUNT]; 2],
}

impl Forest {
    /// Brings the trees up to date for a query.
    pub(super) fn update<'a>(
        &'a mut self,
        meshes: Meshes<'a>,
        options: &'a MeshOptions<'a>,
    ) -> BroadPhase<'a> {
        let Options {
            t_max,
            min_separation,
            ..
        } = options.query;
        self.fit(meshes, t_max, min_separation, options.filter)
    }

    /// The same for pairs that come within a distance.
    pub(super) fn fit<'a>(
        &'a mut self,
        meshes: Meshes<'a>,
        t_max: f64,
        distance: f64,
        filter: Option<&'a PairFilter<'a>>,
    ) -> BroadPhase<'a> {
        // Half of the distance on each side, or all of it where it has no half.
        let half = 0.5 * distance;
        let half = if half < f64::MIN_POSITIVE {
            distance
        } else {
            half
        };
        let (sides, slots) = (meshes.sides(), meshes.slots());
        let mut updated = [[false; Group::COUNT]; 2];
        for groups in meshes.groups() {
            for side in 0..2 {
                let (slot, group) = (slots[side], groups[side]);
                if !std::mem::replace(&mut updated[slot][group as usize], true) {
                    let boxes = sides[side].boxes(group, t_max, half);
                    self.trees[slot][group as usize].update(&boxes);
                }
            }
        }
        BroadPhase {
            meshes,
            filter,
            trees: &self.trees,
            candidates: AtomicU64::new(0),
            neighbours: AtomicU64::new(0),
            filtered: AtomicU64::new(0),
        }
    }
}

/// Two nodes of trees whose boxes overlap: all pairs of their leaves are still to be looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    interval: [f64; 2],
    nodes: [u32; 2],
    groups: [Group; 2],
}

impl Piece {
    /// No impact in it is earlier.
    ///
    /// A box around others meets no later than these, but for the roundings of the crossings.
    #[inline]
    pub(super) fn earliest(&self) -> f64 {
        Self::earliest_of(self.interval[0])
    }

    /// The same of the time at which its boxes meet.
    #[inline]
    pub(super) fn earliest_of(entry: f64) -> f64 {
        let entry = entry * ENTRY_FACTOR;
        // So small a crossing may have been taken for 0.
        if entry > f64::MIN_POSITIVE {
            entry
        } else {
            0.0
        }
    }
}

/// The order of pairs: by time, then by elements.
pub(super) type Key = (OrderedFloat<f64>, [Element; 2]);

/// Goes down the trees to the candidates.
pub(super) struct BroadPhase<'a> {
    meshes: Meshes<'a>,
    filter: Option<&'a PairFilter<'a>>,
    trees: &'a [[Tree; Group::COUNT]; 2],
    candidates: AtomicU64,
    neighbours: AtomicU64,
    filtered: AtomicU64,
}

impl BroadPhase<'_> {
    /// The whole trees.
    pub(super) fn roots(&self) -> Vec<Piece> {
        let roots = self.meshes.groups().iter().filter_map(|&groups| {
            let [one, two] = self.pair_of_trees(groups);
            let nodes = [one.root()?, two.root()?];
            let interval = one.overlap(two, nodes)?;
            Some(Piece {
                interval,
                nodes,
                groups,
            })
        });
        roots.collect()
    }

    /// How many leaves there are in all trees.
    fn leaves(&self) -> usize {
        let trees = self.trees.as_flattened().iter();
        trees
            .filter_map(|tree| Some(tree.count(tree.root()?)))
            .sum()
    }

    /// How many leaves a piece has on both sides together; a pair of leaves has two.
    fn count(&self, piece: &Piece) -> usize {
        let trees = self.pair_of_trees(piece.groups);
        (0..2)
            .map(|side| trees[side].count(piece.nodes[side]))
            .sum()
    }

    /// Calls `push` on the pieces that a piece consists of; or, if it is a pair of elements that is to be tested, returns that.
    #[inline]
    pub(super) fn open(&self, piece: &Piece, mut push: impl FnMut(Piece)) -> Option<Candidate> {
        let [one, two] = self.pair_of_trees(piece.groups);
        let groups = piece.groups;
        let take = |nodes, interval| {
            push(Piece {
                interval,
                nodes,
                groups,
            });
        };
        let leaves = if self.is_within(groups) {
            one.open_within(piece.nodes, take)
        } else {
            one.open(two, piece.nodes, take)
        };
        self.judge(self.elements(groups, leaves?), piece.interval)
    }

    /// The candidate that two elements are, unless they are neighbours or filtered out.
    pub(super) fn judge(&self, elements: [Element; 2], interval: [f64; 2]) -> Option<Candidate> {
        let count = |counter: &AtomicU64| _ = counter.fetch_add(1, Ordering::Relaxed);
        let within = matches!(self.meshes, Meshes::Within(_));
        let [mesh, _] = self.meshes.sides();
        if within && mesh.mesh().are_neighbours(elements[0], elements[1]) {
            count(&self.neighbours);
            return None;
        }
        if self
            .filter
            .is_some_and(|keep| !keep(elements[0], elements[1]))
        {
            count(&self.filtered);
            return None;
        }
        count(&self.candidates);
        Some(Candidate { elements, interval })
    }

    /// No pair of elements of a piece comes before this.
    pub(super) fn key(&self, piece: &Piece) -> Key {
        (OrderedFloat(piece.earliest()), self.first_elements(piece))
    }

    /// No pair of elements of a piece is before these.
    pub(super) fn first_elements(&self, piece: &Piece) -> [Element; 2] {
        let trees = self.pair_of_trees(piece.groups);
        let leaves = [0, 1].map(|side| trees[side].least(piece.nodes[side]));
        self.elements(piece.groups, leaves)
    }

    /// What was done so far.
    pub(super) fn counters(&self) -> MeshCounters {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        MeshCounters {
            candidates: read(&self.candidates),
            neighbours: read(&self.neighbours),
            filtered: read(&self.filtered),
            ..MeshCounters::default()
        }
    }

    pub(super) fn pair_of_trees(&self, groups: [Group; 2]) -> [&Tree; 2] {
        let slots = self.meshes.slots();
        [0, 1].map(|side| &self.trees[slots[side]][groups[side] as usize])
    }

    /// Whether a tree is paired with itself.
    pub(super) fn is_within(&self, groups: [Group; 2]) -> bool {
        matches!(self.meshes, Meshes::Within(_)) && groups[0] == groups[1]
    }

    /// The elements of two leaves, in the order in which they are reported.
    pub(super) fn elements(&self, groups: [Group; 2], leaves: [u32; 2]) -> [Element; 2] {
        let sides = self.meshes.sides();
        let [a, b] = [0, 1].map(|side| {
            let mesh = sides[side].mesh();
            mesh.element(groups[side], leaves[side] as usize)
        });
        if self.is_within(groups) {
            [a.min(b), a.max(b)]
        } else {
            [a, b]
        }
    }
}

/// Pieces of the work that threads take one after the other.
#[derive(Debug)]
pub(super) struct Pieces {
    pieces: Vec<Piece>,
    next: AtomicUsize,
}

/// The share of all leaves that a piece may have on both sides together: small enough to keep all threads busy to the end.
const LARGEST: usize = 64;

impl Pieces {
    /// These pieces, in their order, with the large ones opened.
    pub(super) fn new(broad_phase: &BroadPhase<'_>, pieces: Vec<Piece>) -> Self {
        let most = broad_phase.leaves() / LARGEST + 2;
        let mut small = Vec::with_capacity(pieces.len());
        let mut stack = Vec::new();
        for piece in pieces {
            stack.push(piece);
            while let Some(piece) = stack.pop() {
                if broad_phase.count(&piece) > most {
                    broad_phase.open(&piece, |piece| stack.push(piece));
                } else {
                    small.push(piece);
                }
            }
        }
        Self {
            pieces: small,
            next: AtomicUsize::new(0),
        }
    }

    /// The candidates in the pieces that one thread takes, depth first; a piece that is not of interest when its turn comes is
    /// left out.
    pub(super) fn candidates<'a, F: Fn(&Piece) -> bool>(
        &'a self,
        broad_phase: &'a BroadPhase<'a>,
        of_interest: F,
    ) -> Candidates<'a, F> {
        Candidates {
            pieces: self,
            broad_phase,
            stack: Vec::new(),
            of_interest,
        }
    }
}

/// See [`Pieces::candidates`].
pub(super) struct Candidates<'a, F> {
    pieces: &'a Pieces,
    broad_phase: &'a BroadPhase<'a>,
    stack: Vec<Piece>,
    of_interest: F,
}

impl<F: Fn(&Piece) -> bool> Iterator for Candidates<'_, F> {
    type Item = Candidate;

    fn next(&mut self) -> Option<Candidate> {
        loop {
            let piece = match self.stack.pop() {
                Some(piece) => piece,
                None => {
                    let next = self.pieces.next.fetch_add(1, Ordering::Relaxed);
                    *self.pieces.pieces.get(next)?
                }
            };
            if !(self.of_interest)(&piece) {
                continue;
            }
            let stack = &mut self.stack;
            let candidate = self.broad_phase.open(&piece, |piece| stack.push(piece));
            if candidate.is_some() {
                return candidate;
            }
        }
    }
}
