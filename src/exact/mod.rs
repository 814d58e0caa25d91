//! Do two moving simplices (vertices, edges, triangles) really meet, and when first? This folder
//! answers without any tolerance.
//!
//! The points of the second simplex minus those of the first fill a polygon: a triangle for a
//! vertex and a face, a parallelogram for two edges, else a segment or a point. The simplices meet
//! when it contains the origin. Its corners move along straight lines, so the origin can be in its
//! plane only at roots of a cubic in time; whether it is inside then follows from the signs of
//! quadratics at such a root. [`filter`] answers in floating point where error bounds suffice.
//! Integers of any size ([`integer`]) decide the rest: the signs at one root that the filter has
//! isolated, or the whole step ([`decide`]). Section 11 of `paper-notes.md` has the proofs.

mod big_rational;
mod corners;
mod decide;
mod filter;
mod integer;
mod polynomial;
mod root;

use crate::counters::Decision;
use crate::geometry::nearest_to_origin;
use crate::motion::MotionView;

use corners::Corners;
use decide::Polygon;
use filter::{Filter, Finding};

/// When two simplices first meet. Times are fractions of the horizon.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Answer {
    /// They do not meet within the horizon.
    Clear,
    /// They meet at the start.
    AtStart,
    /// They first meet later, between these times.
    Within([f64; 2]),
}

/// Two moving simplices of which one is a vertex, or both are edges.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Simplices<'a> {
    /// The two motions; that with fewer points comes first.
    views: [&'a MotionView<'a>; 2],
    swapped: bool,
    /// The corners of the polygon, in cyclic order: for each the point of the first simplex that is
    /// subtracted from a point of the second.
    corners: &'static [CornerPoints],
    t_max: f64,
}

/// A corner of the polygon: the index of a point of the first simplex and of one of the second.
type CornerPoints = (usize, usize);

impl<'a> Simplices<'a> {
    /// The two patches as simplices; `None` if they are not such a pair.
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

    /// When the two first meet within the horizon, and by which means that was decided.
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

    /// The parameters of the two points that are nearest to each other at a time, which is a
    /// fraction of the horizon. They are accurate to rounding only.
    pub(crate) fn nearest(&self, time: f64) -> [(f64, f64); 2] {
        let corners = Corners::new(self);
        let points = corners.at(time);
        let ([first, second], _) = nearest_to_origin(&points[..corners.count()]);
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
