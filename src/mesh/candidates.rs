//! The broad phase: which pairs of elements may touch, and from when on.

use std::sync::atomic::{AtomicU64, Ordering};

use super::element::Kind;
use super::tree::Tree;
use super::{Element, Mesh, MeshCounters, MeshOptions, MovingMesh};

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

    /// The kinds of elements to be paired.
    fn kinds(self) -> &'static [[Kind; 2]] {
        use Kind::{Edge, Face, Patch, Vertex};
        match (self, self.sides().map(|side| side.mesh())) {
            (_, [Mesh::Patches(_), Mesh::Patches(_)]) => &[[Patch, Patch]],
            (_, [Mesh::Patches(_), Mesh::Triangles(_)]) => &[[Patch, Face]],
            (_, [Mesh::Triangles(_), Mesh::Patches(_)]) => &[[Face, Patch]],
            (Self::Between(..), _) => &[[Vertex, Face], [Edge, Edge], [Face, Vertex]],
            (Self::Within(_), _) => &[[Vertex, Face], [Edge, Edge]],
        }
    }
}

/// The trees of the two meshes of a query, kept from step to step.
#[derive(Debug, Default)]
pub(super) struct Forest {
    /// One for each kind of element of the first mesh, and of the second.
    trees: [[Tree; Kind::COUNT]; 2],
}

impl Forest {
    /// All candidates, in an order that does not depend on the number of threads.
    pub(super) fn candidates(
        &mut self,
        meshes: Meshes<'_>,
        options: &MeshOptions<'_>,
        counters: &mut MeshCounters,
    ) -> Vec<Candidate> {
        let sides = meshes.sides();
        // Half of the separation on each side.
        let distance = 0.5 * options.query.min_separation;
        let within = matches!(meshes, Meshes::Within(_));
        let (neighbours, filtered) = (AtomicU64::new(0), AtomicU64::new(0));
        let mut updated = [[false; Kind::COUNT]; 2];
        let mut found = Vec::new();
        for &kinds in meshes.kinds() {
            let slots = [0, if within { 0 } else { 1 }];
            for side in 0..2 {
                let (slot, kind) = (slots[side], kinds[side]);
                if !std::mem::replace(&mut updated[slot][kind as usize], true) {
                    let boxes = sides[side].boxes(kind, options.query.t_max, distance);
                    self.trees[slot][kind as usize].update(&boxes);
                }
            }
            let trees = [0, 1].map(|side| &self.trees[slots[side]][kinds[side] as usize]);
            let judge = |a: u32, b: u32, interval: [f64; 2]| {
                let elements = [kinds[0].element(a), kinds[1].element(b)];
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
            found.extend(if within && kinds[0] == kinds[1] {
                trees[0].self_pairs(judge)
            } else {
                trees[0].pairs(trees[1], judge)
            });
        }
        counters.candidates += found.len() as u64;
        counters.neighbours += neighbours.into_inner();
        counters.filtered += filtered.into_inner();
        found
    }
}
