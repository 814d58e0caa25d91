//! The broad phase: which pairs of elements may touch, and from when on.

use std::sync::atomic::{AtomicU64, Ordering};

use ordered_float::OrderedFloat;

use super::element::Group;
use super::tree::Tree;
use super::{Element, Mesh, MeshCounters, MeshOptions, MovingMesh, parallel};

/// Two elements whose moving boxes overlap at some time of the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The elements, as in [`super::PairOutcome::elements`].
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

    /// The groups of elements to be paired.
    ///
    /// An edge's ends are tested with the edge, and a face's edges with the face; only what belongs to nothing larger needs
    /// pairs of its own.
    fn groups(self) -> &'static [[Group; 2]] {
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
    /// All candidates, in the order in which their boxes meet, then by elements.
    pub(super) fn candidates(
        &mut self,
        meshes: Meshes<'_>,
        options: &MeshOptions<'_>,
        counters: &mut MeshCounters,
    ) -> Vec<Candidate> {
        let sides = meshes.sides();
        // Half of the separation on each side, or all of it where it has no half.
        let distance = 0.5 * options.query.min_separation;
        let distance = if distance < f64::MIN_POSITIVE {
            options.query.min_separation
        } else {
            distance
        };
        let within = matches!(meshes, Meshes::Within(_));
        let (neighbours, filtered) = (AtomicU64::new(0), AtomicU64::new(0));
        let mut updated = [[false; Group::COUNT]; 2];
        let mut found = Vec::new();
        for &groups in meshes.groups() {
            let slots = [0, if within { 0 } else { 1 }];
            for side in 0..2 {
                let (slot, group) = (slots[side], groups[side]);
                if !std::mem::replace(&mut updated[slot][group as usize], true) {
                    let boxes = sides[side].boxes(group, options.query.t_max, distance);
                    self.trees[slot][group as usize].update(&boxes);
                }
            }
            let trees = [0, 1].map(|side| &self.trees[slots[side]][groups[side] as usize]);
            let judge = |a: u32, b: u32, interval: [f64; 2]| {
                let element = |side: usize, index: u32| {
                    sides[side].mesh().element(groups[side], index as usize)
                };
                let elements = [element(0, a), element(1, b)];
                if within && sides[0].mesh().are_neighbours(elements[0], elements[1]) {
                    neighbours.fetch_add(1, Ordering::Relaxed);
                    return None;
                }
                if options
                    .filter
                    .is_some_and(|keep| !keep(elements[0], elements[1]))
                {
                    filtered.fetch_add(1, Ordering::Relaxed);
                    return None;
                }
                Some(Candidate { elements, interval })
            };
            found.extend(if within && groups[0] == groups[1] {
                trees[0].self_pairs(judge)
            } else {
                trees[0].pairs(trees[1], judge)
            });
        }
        parallel::sort_by_key(&mut found, |candidate: &Candidate| {
            (OrderedFloat(candidate.interval[0]), candidate.elements)
        });
        counters.candidates += found.len() as u64;
        counters.neighbours += neighbours.into_inner();
        counters.filtered += filtered.into_inner();
        found
    }
}
