//! How is a node split?
//!
//! Evenly, as long as a search is short: every parameter of both sub-patches is halved, which needs
//! no thought. But two sub-patches are not separated as long as their control nets reach beyond the
//! surfaces, and how far they do depends on the curvature. Where many nodes stay alive along a
//! line, they often curve one way only. Along a ruling, along a contact line in a plane or around a
//! collapsed edge even splits make ever more pieces, none of which is any flatter than the whole.
//! There, halving across the curvature alone leads to the same bound with a number of nodes that
//! does not grow.

use super::pair::ScaledPair;
use super::tree::{SubPatch, SubdivisionTree};
use crate::bound::{Direction, Pairs, length_rounded_up};
use crate::geometry::{Cell, Split};
use crate::rounding::UNIT_ROUNDOFF;

/// Nodes that are split evenly before a search counts as long: choosing how to split takes time,
/// which most searches do not repay.
pub(super) const EVEN_NODES: u64 = 64;

/// A parameter is left whole along which a sub-patch curves by less than this part of the most, of
/// both sub-patches.
const SHARE: f64 = 0.125;

/// A sub-patch this many times as long as the other is split first: next to the border of a large
/// one, no axis of its box may separate it from a small one.
const OUTGROWN: f64 = 8.0;

/// Curvatures below this are made of rounding errors, for coordinates of size about 1. Only the
/// number of nodes depends on it.
const NOISE: f64 = 512.0 * UNIT_ROUNDOFF;

/// How each of two sub-patches is split; `None` leaves it whole.
pub(super) type Splits = [Option<Split>; 2];

pub(super) const EVEN: Splits = [Some(Split::Even); 2];

/// A sub-patch this many times as long as the other is split alone.
const LONGER: f64 = 2.0;

/// Halves every parameter of both sub-patches or, where one is much longer than the other at time
/// `t`, of that one alone: the other is then nearly as good as it gets.
pub(super) fn longer_first(pair: &ScaledPair, sub_patches: [SubPatch; 2], t: f64) -> Splits {
    let alone = [[EVEN[0], None], [None, EVEN[1]]];
    match [0, 1].map(|side| pair.trees[side].is_finest(sub_patches[side])) {
        [false, true] => return alone[0],
        [true, false] => return alone[1],
        _ => {}
    }
    let sizes = [0, 1].map(|side| pair.trees[side].size(sub_patches[side], t));
    if sizes[0] > LONGER * sizes[1] {
        alone[0]
    } else if sizes[1] > LONGER * sizes[0] {
        alone[1]
    } else {
        EVEN
    }
}

/// Scratch for the projections of both nets.
pub(super) type Projections = [Vec<f64>; 2];

/// Whether there is a choice at all: triangles and curves can only be split evenly.
pub(super) fn is_a_choice(pair: &ScaledPair) -> bool {
    pair.domains().iter().any(|domain| domain.splits_unevenly())
}

/// By what a node's splits are chosen.
pub(super) struct SplitCriteria {
    /// The direction across which both are looked at: the contact's normal, or that between the
    /// closest points. Without one each sub-patch's own normal serves.
    pub(super) normal: Option<Direction>,
    pub(super) time: f64,
    /// The separation at which the two meet.
    pub(super) separation: f64,
    /// Parameters narrower than this are only halved when there is nothing else left.
    pub(super) delta: f64,
}

impl SplitCriteria {
    /// The splits across the curvature of two sub-patches, if that may be what keeps them from
    /// being separated: if their projections on a normal overlap by no more than that. Otherwise
    /// the splits along which they extend most. Of a sub-patch that is much longer than the other,
    /// the latter as well.
    pub(super) fn splits(
        &self,
        pair: &ScaledPair,
        sub_patches: [SubPatch; 2],
        scratch: &mut Projections,
    ) -> Splits {
        let of_each = |f: &dyn Fn(&SubdivisionTree, SubPatch) -> [f64; 2]| {
            [0, 1].map(|side| f(&pair.trees[side], sub_patches[side]))
        };
        let widths = of_each(&|tree, sub_patch| tree.widths(sub_patch));
        let lengths = || of_each(&|tree, sub_patch| tree.lengths(sub_patch, self.time));
        let sizes = [0, 1].map(|side| pair.trees[side].size(sub_patches[side], self.time));
        let wide = |side: usize, k: usize| widths[side][k] >= self.delta;
        let mut measures = if sizes[0] > OUTGROWN * sizes[1] {
            [lengths()[0], [0.0; 2]]
        } else if sizes[1] > OUTGROWN * sizes[0] {
            [[0.0; 2], lengths()[1]]
        } else {
            let curvatures = self.curvatures(pair, sub_patches, scratch);
            curvatures.unwrap_or_else(lengths)
        };
        let all = measures.as_flattened_mut().iter_mut();
        for (measure, &width) in all.zip(widths.as_flattened()) {
            if width < self.delta {
                *measure = 0.0;
            }
        }
        let most = measures.as_flattened().iter().copied().fold(0.0, f64::max);
        let threshold = (SHARE * most).max(NOISE);
        choose(&|side, k| measures[side][k] > threshold)
            .or_else(|| choose(&wide))
            .or_else(|| choose(&|side, k| widths[side][k] > Cell::LEAST_WIDTH))
            .unwrap_or(EVEN)
    }

    /// How much each sub-patch curves along each parameter; `None` if their projections on the
    /// normals overlap by more than that.
    fn curvatures(
        &self,
        pair: &ScaledPair,
        sub_patches: [SubPatch; 2],
        scratch: &mut Projections,
    ) -> Option<[[f64; 2]; 2]> {
        let mut found = [[0.0; 2]; 2];
        let mut overlap = f64::INFINITY;
        let sides: &[usize] = if self.normal.is_some() { &[0] } else { &[0, 1] };
        for &seen in sides {
            let own_normal = || pair.trees[seen].normal(sub_patches[seen], self.time);
            let axis = self.normal.or_else(own_normal).unwrap_or([1.0; 3]);
            for side in 0..2 {
                let projections = pair.trees[side].projections(sub_patches[side], axis, self.time);
                scratch[side].clear();
                scratch[side].extend(projections);
            }
            let [one, two] = scratch.each_ref().map(|projections| range(projections));
            let separation = self.separation * length_rounded_up(axis);
            overlap = overlap.min((one[1] - two[0]).min(two[1] - one[0]) + separation);
            for side in 0..2 {
                if self.normal.is_some() || side == seen {
                    found[side] = pair.trees[side].shape().net_curvatures(&scratch[side]);
                }
            }
        }
        let most = found.map(|[u, v]| u.max(v));
        (overlap <= most[0] + most[1]).then_some(found)
    }
}

fn range(projections: &[f64]) -> [f64; 2] {
    let start = [f64::INFINITY, f64::NEG_INFINITY];
    projections
        .iter()
        .fold(start, |[low, high], &x| [low.min(x), high.max(x)])
}

/// Splits of the parameters that are asked for; `None` if no parameter is.
fn choose(asked: &dyn Fn(usize, usize) -> bool) -> Option<Splits> {
    let splits = [0, 1].map(|side| match [0, 1].map(|k| asked(side, k)) {
        [true, true] => Some(Split::Even),
        [true, false] => Some(Split::AlongU),
        [false, true] => Some(Split::AlongV),
        [false, false] => None,
    });
    (splits != [None; 2]).then_some(splits)
}

/// The children of a node: families of sub-patches, loaded, and those pairs of their members that
/// make up the node.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChildPairs {
    pub(super) families: [u32; 2],
    pub(super) pairs: Pairs,
}

impl ChildPairs {
    /// The two whole patches.
    pub(super) const ROOTS: Self = Self {
        families: [0, 0],
        pairs: 1,
    };

    /// The node itself, for one that is not split in space.
    pub(super) fn only([one, two]: [SubPatch; 2]) -> Self {
        Self {
            families: [one / 4, two / 4],
            pairs: 1 << (4 * (one % 4) + two % 4),
        }
    }

    /// How many there are.
    pub(super) fn count(&self) -> u64 {
        u64::from(self.pairs.count_ones())
    }

    /// The sub-patches of a pair, given by the number of its bit.
    #[inline]
    pub(super) fn sub_patches(&self, pair: u32) -> [SubPatch; 2] {
        [
            self.families[0] * 4 + pair / 4,
            self.families[1] * 4 + pair % 4,
        ]
    }
}

/// Splits two sub-patches.
pub(super) fn split(
    pair: &mut ScaledPair,
    sub_patches: [SubPatch; 2],
    splits: Splits,
) -> ChildPairs {
    let mut lanes = [0..1, 0..1];
    let families = [0, 1].map(|side| {
        let (tree, sub_patch) = (&mut pair.trees[side], sub_patches[side]);
        let family = match splits[side] {
            Some(split) => {
                let family = tree.children(sub_patch, split);
                lanes[side] = 0..tree.members(family);
                family
            }
            None => {
                let lane = sub_patch % 4;
                lanes[side] = lane..lane + 1;
                sub_patch / 4
            }
        };
        tree.load(family);
        family
    });
    let [rows, columns] = lanes;
    let mut pairs = 0;
    for i in rows {
        for j in columns.clone() {
            pairs |= 1 << (4 * i + j);
        }
    }
    ChildPairs { families, pairs }
}
