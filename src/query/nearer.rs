//! What of a pair that starts nearer than its separation?
//!
//! With [`Options::shrink_separation`] such a pair is asked about again, with a separation that it
//! does keep at the start. Nothing else is special: the second query is one like any other, so its
//! proof is the same.

use super::{Outcome, Workspace};
use crate::branch::impact::Window;
use crate::counters::Counters;
use crate::motion::MotionView;
use crate::options::{DistanceOptions, Inclusion, Options};
use crate::rounding::{MAXIMUM_NORM_FACTOR, product_rounded_down};
use crate::vector::BoundingBox;

/// How closely the distance at the start is bounded, as a share of what is left for an approach,
/// (1 − share) times the distance. It decides how much of the distance is given away, and no proof
/// rests on it.
const TOLERANCE: f64 = 0.1;

/// The tolerance in space may be as large as this share of what is left for an approach: then it
/// cannot be mistaken for contact.
const EPSILON: f64 = 0.25;

/// A share closer to 1 counts as this one: what it leaves for an approach must be more than the
/// roundings of points on patches as far apart as they are large.
const MOST_SHARE: f64 = 1.0 - 1e-12;

/// How often the distance is asked for at most, each time more closely. Twice is usual where the
/// pair is much nearer than the separation.
const MOST_DISTANCES: usize = 4;

impl Workspace {
    /// The outcome within a window of the horizon, and its lower bound on the time of impact as a
    /// fraction of the horizon. If no contact is within the window, or it is later than the
    /// window's cutoff, the outcome is `Clear` and the fraction 1. The input must have been
    /// checked.
    ///
    /// The answer depends on the cutoff only where it is later than that. Whether there is a second
    /// query depends on the pair alone, if the bound of the first one is within the cutoff; and the
    /// bound of the second one is no less. So where the first one ends with the cutoff, the answer
    /// is later than it.
    pub(crate) fn solve(
        &mut self,
        views: &[MotionView<'_>; 2],
        options: &Options,
        window: &Window,
    ) -> (f64, Outcome) {
        let first = self.solve_as_asked(views, options, window);
        match options.shrink_separation {
            Some(share)
                if options.min_separation > 0.0 && !matches!(first.1, Outcome::Clear { .. }) =>
            {
                self.solve_nearer(views, options, share.min(MOST_SHARE), window, first)
            }
            _ => first,
        }
    }

    /// The second query of a pair, if it starts nearer than the separation or hardly above it: with
    /// a separation that is below the distance at the start.
    fn solve_nearer(
        &mut self,
        views: &[MotionView<'_>; 2],
        options: &Options,
        share: f64,
        window: &Window,
        (start, mut first): (f64, Outcome),
    ) -> (f64, Outcome) {
        let mut counters = *first.counters();
        let (asked, size) = (options.min_separation, size(views));
        // What a Euclidean distance is multiplied by to be no more than that of the query.
        let norm = match options.inclusion {
            Inclusion::Obb => 1.0,
            Inclusion::Aabb => MAXIMUM_NORM_FACTOR,
        };
        // Hardly above it is by the tolerance in space or, in time, by that.
        let nearly = asked + options.epsilon.max(options.relative_epsilon * size);
        let is_early = start <= options.delta;
        if !is_early && nearly == asked {
            // A bound above 0 says that they start farther apart.
            return (start, first);
        }
        let limit = if is_early {
            nearly.max(asked / (share * norm))
        } else {
            nearly
        };
        let distance = self.distance_at_start(views, options, share, limit, &mut counters);
        let at_start = product_rounded_down(distance, norm);
        let separation = asked.min(product_rounded_down(share, at_start));
        // With the same separation there is something to gain only if the start was mistaken for
        // contact.
        let is_mistaken = start == 0.0 && !matches!(first, Outcome::BudgetExhausted { .. });
        let is_near = is_early || distance < nearly;
        if !is_near || separation == 0.0 || separation == asked && !is_mistaken {
            *first.counters_mut() = counters;
            return (start, first);
        }
        let epsilon = EPSILON * (at_start - separation);
        let nearer = Options {
            min_separation: separation,
            epsilon: options.epsilon.min(epsilon),
            // `min` passes over NaN, the quotient of zeros.
            relative_epsilon: options.relative_epsilon.min(epsilon / size),
            // It is known that they are not in contact at the start.
            no_zero_toi: true,
            ..*options
        };
        // Contact at a smaller separation is contact at the larger one.
        let [entry, exit] = window.interval;
        let window = Window {
            interval: [entry.max(start), exit],
            ..*window
        };
        let (start, mut second) = self.solve_as_asked(views, &nearer, &window);
        counters.add(second.counters());
        *second.counters_mut() = counters;
        (start, second)
    }

    /// A lower bound on the distance of two patches at the start: close enough to take a share of,
    /// or no less than the limit; 0 if they touch, to rounding.
    fn distance_at_start(
        &mut self,
        views: &[MotionView<'_>; 2],
        options: &Options,
        share: f64,
        limit: f64,
        counters: &mut Counters,
    ) -> f64 {
        let close_enough = |distance: f64| TOLERANCE * (1.0 - share) * distance;
        let mut query = DistanceOptions {
            tolerance: close_enough(options.min_separation),
            relative_tolerance: 0.0,
            max_distance: limit,
            max_boxes: options.max_boxes,
            ..DistanceOptions::default()
        };
        let mut lower = 0.0;
        for _ in 0..MOST_DISTANCES {
            let distance = self.distance(views, &query, f64::INFINITY);
            counters.add(distance.counters());
            lower = distance.lower();
            let Some(upper) = distance.upper() else {
                break;
            };
            let (tolerance, used) = (close_enough(upper), distance.counters().boxes);
            let is_close = upper - lower <= tolerance || tolerance >= query.tolerance;
            if is_close || used >= query.max_boxes {
                break;
            }
            query.tolerance = tolerance;
            query.max_boxes -= used;
        }
        lower
    }
}

/// The size to which a relative tolerance in space refers.
fn size(views: &[MotionView<'_>; 2]) -> f64 {
    let points = views.iter().flat_map(|view| view.points);
    BoundingBox::around(points.map(|point| point.coords.into())).longest_side()
}
