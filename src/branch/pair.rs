//! The two patches of a search, brought to one scale.
//!
//! Inside a search coordinates are relative to the middle of the two patches and multiplied by a
//! power of two that brings them to about 1, and the horizon is [0, 1]. So neither the place and
//! the size of a scene nor its unit of time can lose accuracy, overflow or underflow.

use nalgebra::Point3;

use super::tree::{ROOT, SubPatch, SubdivisionTree, family_of};
use crate::bound::{CoordinateErrors, Margins};
use crate::geometry::Domain;
use crate::motion::{Extent, MotionView, SiblingNets};
use crate::options::Options;
use crate::rounding::{evaluation_error, reciprocal_power_of_two};
use crate::vector::{BoundingBox, Vector, largest};

/// Weights count as even up to this ratio: those of arcs are.
const EVEN_WEIGHTS: f64 = 16.0;

/// Two patches with their subdivision trees, and the tolerances of a query in their scale.
#[derive(Debug)]
pub(crate) struct ScaledPair {
    pub(crate) trees: [SubdivisionTree; 2],
    /// How large the coordinates of each patch are.
    pub(crate) extents: [Extent; 2],
    /// What coordinates are multiplied by.
    pub(crate) scale: f64,
    /// Scaled.
    pub(crate) min_separation: f64,
    /// The tolerance in space, scaled.
    pub(crate) epsilon: f64,
    /// The tolerance in time, as a fraction of the horizon.
    pub(crate) time_tolerance: f64,
    /// How much nearer to each other two points may come in that time along an axis, scaled.
    pub(crate) space_tolerance: f64,
}

impl ScaledPair {
    pub(super) fn new() -> Self {
        Self {
            trees: [SubdivisionTree::new(), SubdivisionTree::new()],
            extents: [Extent::default(); 2],
            scale: 1.0,
            min_separation: 0.0,
            epsilon: 0.0,
            time_tolerance: 0.0,
            space_tolerance: 0.0,
        }
    }

    /// Takes in two patches and the tolerances of a query.
    pub(crate) fn load(&mut self, views: &[MotionView<'_>; 2], options: &Options) {
        let t_max = options.t_max;
        let origin = middle(views);
        let magnitude = views.iter().fold(options.min_separation, |largest, view| {
            largest.max(view.magnitude(origin, t_max))
        });
        self.scale = if magnitude == 0.0 {
            1.0
        } else {
            reciprocal_power_of_two(magnitude)
        };
        for (tree, view) in self.trees.iter_mut().zip(views) {
            tree.reset(view, origin, self.scale, t_max);
        }
        let [one, two] = self.trees.each_ref().map(SubdivisionTree::spread);
        self.extents = [self.trees[0].extent(&one), self.trees[1].extent(&two)];
        self.min_separation = options.min_separation * self.scale;
        let both = one.union(&two);
        let epsilon = options.relative_epsilon * both.size();
        self.epsilon = (options.epsilon * self.scale).max(epsilon);
        // In that time no two points come nearer to each other by more than ε along an axis. Where
        // nothing moves that is ∞ or, without ε, NaN, which `max` passes over.
        let approach = both.largest_approach();
        self.time_tolerance = options.delta.max(self.epsilon / approach);
        self.space_tolerance = self.epsilon.max(options.delta * approach);
    }

    /// Whether all control points move along straight lines.
    pub(crate) fn is_linear(&self) -> bool {
        self.trees.iter().all(|tree| tree.track().is_linear())
    }

    pub(crate) fn domains(&self) -> [Domain; 2] {
        [self.trees[0].domain(), self.trees[1].domain()]
    }

    /// Makes sure that the nets of two sub-patches are there.
    pub(crate) fn load_nets(&mut self, sub_patches: [SubPatch; 2]) {
        for (tree, sub_patch) in self.trees.iter_mut().zip(sub_patches) {
            tree.load(family_of(sub_patch));
        }
    }

    /// The nets of two families, which are loaded.
    pub(crate) fn nets(&self, families: [u32; 2]) -> [SiblingNets<'_>; 2] {
        [
            self.trees[0].nets(families[0]),
            self.trees[1].nets(families[1]),
        ]
    }

    /// Roundings of all subdivisions down to two families.
    fn roundings(&self, families: [u32; 2]) -> [u32; 2] {
        [
            self.trees[0].roundings(families[0]),
            self.trees[1].roundings(families[1]),
        ]
    }

    /// The margins of axes on which two families are tested.
    #[inline]
    pub(crate) fn margins(&self, families: [u32; 2], interval: [f64; 2]) -> Margins {
        let roundings = self.roundings(families);
        Margins::over(interval, &self.extents, roundings, self.min_separation)
    }

    /// The errors of what is projected of two families at time 0.
    #[inline]
    pub(crate) fn errors_at_rest(&self, families: [u32; 2]) -> CoordinateErrors {
        CoordinateErrors::at(0.0, &self.extents, self.roundings(families))
    }

    /// How far apart two points that coincide may be computed at time `t`, about.
    ///
    /// Too much would take near misses for contacts, too little costs an incumbent. No lower bound
    /// rests on it.
    pub(crate) fn evaluation_error(&self, t: f64) -> f64 {
        let trees = self.trees.iter().zip(&self.extents);
        let errors = trees
            .map(|(tree, extent)| evaluation_error(tree.shape().degrees()) * largest(extent.at(t)));
        errors.sum()
    }

    /// Whether two sub-patches cover a place on each patch.
    pub(crate) fn covers(&self, sub_patches: [SubPatch; 2], parameters: [(f64, f64); 2]) -> bool {
        (0..2).all(|side| self.trees[side].covers(sub_patches[side], parameters[side]))
    }

    /// The point of the first patch at some parameters and a time, scaled.
    pub(crate) fn point(&mut self, parameters: (f64, f64), t: f64) -> Vector {
        self.trees[0].jet(parameters, t).value(0)
    }

    /// The parameters in the middle of two sub-patches.
    pub(crate) fn centre_parameters(&self, sub_patches: [SubPatch; 2]) -> [(f64, f64); 2] {
        [0, 1].map(|side| self.trees[side].centre_parameters(sub_patches[side]))
    }

    /// The largest width of two sub-patches along a parameter.
    pub(crate) fn width(&self, sub_patches: [SubPatch; 2]) -> f64 {
        let [one, two] = [0, 1].map(|side| self.trees[side].width(sub_patches[side]));
        one.max(two)
    }

    /// Whether neither of two sub-patches can be split.
    pub(crate) fn is_finest(&self, sub_patches: [SubPatch; 2]) -> bool {
        (0..2).all(|side| self.trees[side].is_finest(sub_patches[side]))
    }

    /// Whether each of two sub-patches is small at time `t`: narrower than δ in its parameters, or
    /// its net no longer than ε or than δ times that of the whole patch. Where weights are uneven,
    /// it must be narrower by as much.
    pub(crate) fn is_small(&mut self, sub_patches: [SubPatch; 2], t: f64, delta: f64) -> bool {
        (0..2).all(|side| {
            let (tree, sub_patch) = (&mut self.trees[side], sub_patches[side]);
            let unevenness = (tree.weight_ratio() / EVEN_WEIGHTS).max(1.0);
            if tree.width(sub_patch) * unevenness < delta {
                return true;
            }
            tree.load(family_of(sub_patch));
            let size = tree.size(sub_patch, t);
            size <= self.epsilon || size < delta * tree.size(ROOT, t)
        })
    }
}

/// The middle of all control points at the start. Coordinates are taken relative to it, so that
/// errors do not grow with the distance from the origin.
pub(crate) fn middle(views: &[MotionView<'_>; 2]) -> Point3<f64> {
    let mut all = BoundingBox::EMPTY;
    for view in views {
        for point in view.points {
            all.include(point.coords.into());
        }
    }
    Point3::from(all.middle())
}
