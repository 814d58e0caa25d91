//! Do two moving simplices really meet, and when first? The answer for vertices, edges and faces without any tolerance.
//!
//! Points of one simplex minus points of the other fill a polygon: a triangle for a vertex and a face, a parallelogram for two
//! edges, a segment or a point for less. The two meet when the polygon holds the origin, and its corners move along straight
//! lines. Then the origin lies in the polygon's plane, which is a cubic equation in time, and on no side of the polygon it is
//! outside, which is the signs of quadratic polynomials at a root of the cubic.
//!
//! [`filter`] answers in floating point with error bounds, or says where it can't; what it leaves open is decided there by
//! integers of any size ([`integer`]): the signs at one root that the filter has isolated, or the whole step
//! ([`decide`]). See section 11 of the paper notes.

mod big_rational;
mod corners;
mod decide;
mod filter;
mod integer;
mod nearest;
mod polynomial;
mod root;

use crate::motion::MotionView;
use crate::search::Decision;

use corners::Corners;
use decide::Polygon;
use filter::{Filter, Finding};

/// Times are fractions of the horizon. The first contact is not before the first one and not after the last one.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Answer {
    Clear,
    AtStart,
    Within([f64; 2]),
}

/// Two moving simplices of which one is a vertex, or both are edges.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Simplices<'a> {
    /// The one with fewer points first.
    views: [&'a MotionView<'a>; 2],
    swapped: bool,
    /// The polygon's corners, in order: points of the second minus points of the first.
    corners: &'static [CornerPoints],
    t_max: f64,
}

/// The index of a point of the first simplex, and of one of the second.
type CornerPoints = (usize, usize);

impl<'a> Simplices<'a> {
    /// The two patches, if that is what they are.
    pub(crate) fn new(views: &'a [MotionView<'a>; 2], t_max: f64) -> Option<Self> {
        let is_simplex = |view: &MotionView<'_>| view.shape.is_simplex() && view.weights.is_none();
        if !views.iter().all(is_simplex) {
            return None;
        }
        let [one, two] = views;
        let swapped = one.points.len() > two.points.len();
        let views = if swapped { [two, one] } else { [one, two] };
        let corners: &[CornerPoints] = match views.map(|view| view.points.len()) {
            [1, 1] => &[(0, 0)],
            [1, 2] => &[(0, 0), (0, 1)],
            [1, 3] => &[(0, 0), (0, 1), (0, 2)],
            [2, 2] => &[(0, 0), (1, 0), (1, 1), (0, 1)],
            _ => return None,
        };
        Some(Self {
            views,
            swapped,
            corners,
            t_max,
        })
    }

    /// When they first meet within the horizon, and what it took to say so.
    pub(crate) fn first_contact(&self, delta: f64) -> (Answer, Decision) {
        let corners = Corners::new(self);
        let mut filter = Filter::new(&corners, delta);
        let mut polygon = None;
        loop {
            let decision = match polygon {
                None => Decision::Filter,
                Some(_) => Decision::RootInIntegers,
            };
            let undecided = match filter.next() {
                Finding::Clear => return (Answer::Clear, decision),
                Finding::Contact(bracket) => return (Answer::Within(bracket), decision),
                undecided => undecided,
            };
            let polygon: &Polygon = polygon.get_or_insert_with(|| Polygon::new(self));
            match undecided {
                Finding::Root(bracket) => {
                    let [time, to] = bracket;
                    if polygon.touches_between(bracket, &corners.sides(time, to - time)) {
                        return (Answer::Within(bracket), Decision::RootInIntegers);
                    }
                }
                _ => {
                    let from = filter.free_until();
                    return (polygon.first_contact(from), Decision::StepInIntegers);
                }
            }
        }
    }

    /// The parameters of the two points that are nearest to each other at a time, a fraction of the horizon, to roundings.
    pub(crate) fn nearest(&self, time: f64) -> [(f64, f64); 2] {
        let [first, second] = nearest::parameters(&Corners::new(self), time);
        let [first, second] = match self.views.map(|view| view.points.len()) {
            [1, 3] => [(0.0, 0.0), (first, second)],
            [2, 2] => [(first, 0.0), (second, 0.0)],
            _ => [(0.0, 0.0), (first, 0.0)],
        };
        if self.swapped {
            [second, first]
        } else {
            [first, second]
        }
    }
}
