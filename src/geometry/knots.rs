//! Knot vectors, and how a B-spline depends on its control points, by blossoms.
//!
//! On one span a B-spline of degree p is a polynomial, and its blossom at arguments u₁, …, u_p is a
//! combination of the p + 1 control points that act there. This one function gives everything: with
//! all arguments u it is the curve's point (the basis functions at u); with arguments at the two
//! ends of the span, the Bézier control points of the span; with one argument less, the derivative.
//! Arguments within the span make every combination convex, so nothing cancels. (Lyche & Mørken,
//! *Spline Methods*, chapter 2; Ramshaw. Piegl & Tiller, *The NURBS Book*, algorithm A2.2, is the
//! case of equal arguments.) The Bézier control points so found are the rows of the extraction
//! operators of Borden et al., *Int. J. Numer. Meth. Engng* 87, 2011.

use smallvec::SmallVec;

use super::bernstein::Basis;
use super::patch::check_degree;
use crate::Error;

/// A degree p and the knots of a B-spline, which do not decrease. They say where its polynomial
/// pieces meet, and how smoothly.
///
/// A direction with c control points has c + p + 1 knots, and the spline is defined on its domain
/// [knot p, knot c]. Any range of parameters is allowed. The knots need not be clamped, and they
/// may be periodic (repeat the control points that wrap around).
///
/// Where a knot inside the domain is given p times, the spline passes through a control point.
/// Where it is given p + 1 times or more, the spline has a gap: the pieces before and after it
/// share no control point. Each piece goes on to its own end there, and the value of the spline at
/// the knot is that of the piece after it. (With more than p + 1 of these knots, there are control
/// points between the pieces that act nowhere.)
#[derive(Clone, Debug, PartialEq)]
pub struct KnotVector {
    degree: usize,
    knots: Vec<f64>,
    /// Index of the first knot of each span that is not empty.
    spans: Vec<usize>,
}

/// How one value depends on control points: consecutive ones, from index `first` on, one for each
/// factor. For values the factors are ≥ 0 and sum to 1; for slopes they sum to 0.
#[derive(Clone, Debug)]
pub(crate) struct BasisRow {
    pub(crate) first: usize,
    pub(crate) factors: Basis,
}

impl KnotVector {
    /// A degree and knots as in *The NURBS Book*, of which there are as many as control points,
    /// plus the degree, plus one. A clamped vector repeats its first and its last knot degree + 1
    /// times.
    ///
    /// # Errors
    /// A degree out of range; fewer than 2 · degree + 2 knots; a knot that is not finite, or
    /// smaller than the one before it; a knot that is given more often than degree + 1 times at an
    /// end of the domain; an empty domain.
    ///
    /// ```
    /// use patch_ccd::geometry::KnotVector;
    /// let knots = KnotVector::new(2, &[0.0, 0.0, 0.0, 1.0, 3.0, 3.0, 3.0])?;
    /// assert_eq!(knots.count(), 4);
    /// assert_eq!(knots.domain(), [0.0, 3.0]);
    /// assert_eq!(knots.spans().collect::<Vec<_>>(), [[0.0, 1.0], [1.0, 3.0]]);
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub fn new(degree: usize, knots: &[f64]) -> Result<Self, Error> {
        check(degree, knots, 0)?;
        Ok(Self::unchecked(degree, knots.to_vec()))
    }

    /// A degree and knots as in openNURBS and Rhino, of which there are as many as control points,
    /// plus the degree, minus one. They are those of [`KnotVector::new`] without the first and the
    /// last one, on which no point of the domain depends; here the given end knots are repeated
    /// once more in their place.
    ///
    /// # Errors
    /// The same as [`KnotVector::new`]'s, except that there must be at least 2 · degree knots and
    /// that a knot at the ends of the domain may be given at most as often as the degree.
    ///
    /// ```
    /// use patch_ccd::geometry::KnotVector;
    /// let knots = KnotVector::from_opennurbs(2, &[0.0, 0.0, 1.0, 3.0, 3.0])?;
    /// assert_eq!(knots, KnotVector::new(2, &[0.0, 0.0, 0.0, 1.0, 3.0, 3.0, 3.0])?);
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub fn from_opennurbs(degree: usize, knots: &[f64]) -> Result<Self, Error> {
        check(degree, knots, 1)?;
        let ends = (knots.first(), knots.last());
        let knots = ends.0.into_iter().chain(knots).chain(ends.1);
        Ok(Self::unchecked(degree, knots.copied().collect()))
    }

    /// The knots of a direction with only one control point, such as a curve's second direction.
    pub(crate) fn constant() -> Self {
        Self::unchecked(0, vec![0.0, 1.0])
    }

    fn unchecked(degree: usize, knots: Vec<f64>) -> Self {
        let last = knots.len() - degree - 1;
        let spans = (degree..last)
            .filter(|&i| knots[i] < knots[i + 1])
            .collect();
        Self {
            degree,
            knots,
            spans,
        }
    }

    /// The degree.
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// The number of control points in this direction.
    pub fn count(&self) -> usize {
        self.knots.len() - self.degree - 1
    }

    /// The knots, [`KnotVector::count`] + degree + 1 of them.
    pub fn knots(&self) -> &[f64] {
        &self.knots
    }

    /// The first and the last parameter of the spline.
    pub fn domain(&self) -> [f64; 2] {
        [self.knots[self.degree], self.knots[self.count()]]
    }

    /// The spans [start, end] that are not empty, in order. Each is one polynomial piece, and there
    /// is at least one.
    pub fn spans(&self) -> impl ExactSizeIterator<Item = [f64; 2]> {
        self.spans
            .iter()
            .map(|&i| [self.knots[i], self.knots[i + 1]])
    }

    /// The number of the span that contains a parameter, among [`KnotVector::spans`]. If two spans
    /// share the parameter it is the later one; outside the domain it is the nearest one.
    ///
    /// ```
    /// use patch_ccd::geometry::KnotVector;
    /// let knots = KnotVector::new(1, &[0.0, 0.0, 1.0, 3.0, 3.0])?;
    /// assert_eq!([-1.0, 0.5, 1.0, 3.0, 9.0].map(|u| knots.span_at(u)), [0, 0, 1, 1, 1]);
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub fn span_at(&self, u: f64) -> usize {
        let begun = self.spans.partition_point(|&i| self.knots[i] <= u);
        begun.saturating_sub(1)
    }

    /// Start and end of the span that contains a parameter.
    pub(crate) fn span_from(&self, u: f64) -> [f64; 2] {
        let span = self.spans[self.span_at(u)];
        [self.knots[span], self.knots[span + 1]]
    }

    /// The numbers of spans before each gap.
    pub(crate) fn gaps(&self) -> Vec<usize> {
        // Between the first knots of two spans that follow each other lie the others that are the
        // same as the second one.
        let repeated = |span: usize| self.spans[span] - self.spans[span - 1];
        let later = 1..self.spans.len();
        later.filter(|&span| repeated(span) > self.degree).collect()
    }

    /// The control points of the Bézier curves of all spans, one after the other. There are
    /// spans · degree + 1, since neighbours share the one between them, and one more for each gap,
    /// where they do not.
    pub(crate) fn bezier_rows(&self) -> Vec<BasisRow> {
        let gaps = self.gaps();
        let mut rows = Vec::with_capacity(self.spans.len() * self.degree + 1 + gaps.len());
        for (number, &span) in self.spans.iter().enumerate() {
            // The first control point of a later span is the last one of the span before, unless
            // there is a gap between them.
            let is_shared = number > 0 && gaps.binary_search(&number).is_err();
            rows.extend(self.bezier_rows_of(span).skip(usize::from(is_shared)));
        }
        rows
    }

    /// The control points of the Bézier curve of the span that begins at knot `span`.
    fn bezier_rows_of(&self, span: usize) -> impl Iterator<Item = BasisRow> {
        let (p, start, end) = (self.degree, self.knots[span], self.knots[span + 1]);
        (0..=p).map(move |i| {
            self.blossom(span, |argument| if argument <= p - i { start } else { end })
        })
    }

    /// The control points of the Bézier curve of the span that contains `u`, and where `u` is on
    /// it, from 0 to 1. Outside the domain it is at its nearest end.
    pub(crate) fn bezier_at(&self, u: f64) -> (SmallVec<[BasisRow; 4]>, f64) {
        let span = self.spans[self.span_at(u)];
        let [start, end] = [self.knots[span], self.knots[span + 1]];
        let [_, at] = shares(u.clamp(start, end), start, end);
        (self.bezier_rows_of(span).collect(), at)
    }

    /// The basis functions that do not vanish at `u`: their values, and their derivatives by the
    /// span's own parameter, which is 0 at its start and 1 at its end. Outside the domain they are
    /// those at its nearest end.
    pub(crate) fn basis(&self, u: f64) -> [BasisRow; 2] {
        let (p, span) = (self.degree, self.spans[self.span_at(u)]);
        let [start, end] = self.span_from(u);
        let u = u.clamp(start, end);
        let values = self.blossom(span, |_| u);
        // The derivative of f(u, …, u) is p f(u, …, u, end − start).
        let mut slopes = self.blossom(span, |argument| if argument == p { end } else { u });
        let lower = self.blossom(span, |argument| if argument == p { start } else { u });
        for (slope, lower) in slopes.factors.iter_mut().zip(&lower.factors) {
            *slope = p as f64 * (*slope - lower);
        }
        [values, slopes]
    }

    /// The blossom of the span that begins at knot `span`. Its arguments 1 to p are all within the
    /// span.
    fn blossom(&self, span: usize, argument: impl Fn(usize) -> f64) -> BasisRow {
        let degree = self.degree;
        let mut factors = Basis::with_capacity(degree + 1);
        factors.push(1.0);
        for k in 1..=degree {
            let u = argument(k);
            let mut carried = 0.0;
            for (i, factor) in factors.iter_mut().enumerate() {
                let [to_left, to_right] =
                    shares(u, self.knots[span + 1 + i - k], self.knots[span + 1 + i]);
                let stays = *factor * to_left;
                let moves = *factor * to_right;
                *factor = carried + stays;
                carried = moves;
            }
            factors.push(carried);
        }
        BasisRow {
            first: span - degree,
            factors,
        }
    }
}

/// The shares of a < b in a number u between them: u = a · first + b · second.
fn shares(u: f64, a: f64, b: f64) -> [f64; 2] {
    // Once halved, two doubles have a difference that is finite.
    let scale = if (b - a).is_finite() { 1.0 } else { 0.5 };
    let [u, a, b] = [u, a, b].map(|x| x * scale);
    [(b - u) / (b - a), (u - a) / (b - a)]
}

/// Refuses what is not a knot vector. `omitted` knots at each end are not given.
fn check(degree: usize, knots: &[f64], omitted: usize) -> Result<(), Error> {
    check_degree("degree", degree)?;
    let least = 2 * (degree + 1 - omitted);
    if knots.len() < least {
        return Err(Error::KnotCount {
            degree,
            least,
            found: knots.len(),
        });
    }
    if let Some(index) = knots.iter().position(|knot| !knot.is_finite()) {
        return Err(Error::Knot {
            index,
            value: knots[index],
        });
    }
    if let Some(before) = knots.windows(2).position(|pair| pair[1] < pair[0]) {
        return Err(Error::KnotOrder {
            index: before + 1,
            value: knots[before + 1],
            before: knots[before],
        });
    }
    let [first, last] = [degree - omitted, knots.len() - 1 - degree + omitted];
    let domain = [knots[first], knots[last]];
    if domain[0] == domain[1] {
        return Err(Error::KnotDomain {
            first,
            last,
            value: domain[0],
        });
    }
    let mut index = 0;
    for equal in knots.chunk_by(|a, b| a == b) {
        let value = equal[0];
        let most = degree + 1 - omitted;
        if domain.contains(&value) && equal.len() > most {
            return Err(Error::KnotMultiplicity {
                index,
                value,
                found: equal.len(),
                most,
            });
        }
        index += equal.len();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The operators of Borden et al. 2011 for a clamped cubic with the knots 0 to 4.
    #[test]
    fn operators_agree_with_the_literature() {
        let knots = [0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 4.0, 4.0, 4.0, 4.0];
        let rows = KnotVector::new(3, &knots).unwrap().bezier_rows();
        assert_eq!(rows.len(), 13);
        let expected = [
            (0, [1.0, 0.0, 0.0, 0.0]),
            (0, [0.0, 1.0, 0.0, 0.0]),
            (0, [0.0, 0.5, 0.5, 0.0]),
            (0, [0.0, 0.25, 7.0 / 12.0, 1.0 / 6.0]),
            (1, [0.0, 2.0 / 3.0, 1.0 / 3.0, 0.0]),
            (1, [0.0, 1.0 / 3.0, 2.0 / 3.0, 0.0]),
            (1, [0.0, 1.0 / 6.0, 4.0 / 6.0, 1.0 / 6.0]),
        ];
        for (row, (first, factors)) in rows.iter().zip(expected) {
            assert_eq!(row.first, first);
            for (found, expected) in row.factors.iter().zip(factors) {
                assert!((found - expected).abs() < 2e-16, "{row:?}");
            }
        }
    }

    #[test]
    fn factors_are_convex_for_knots_of_any_size() {
        let far = f64::MAX;
        let tiny = f64::from_bits(1);
        for knots in [
            vec![-far, -far, -far, -1.0, 0.0, 1.0, far, far, far],
            vec![-far, -0.5 * far, 0.0, 0.5 * far, far, far],
            vec![0.0, 0.0, 0.0, tiny, 2.0 * tiny, 1.0, 1.0, 1.0],
            vec![
                1e300,
                1e300,
                1e300,
                1e300_f64.next_up(),
                1.1e300,
                1.1e300,
                1.1e300,
            ],
        ] {
            let knots = KnotVector::new(2, &knots).unwrap();
            let [start, end] = knots.domain();
            let within = [start, end, 0.3 * start + 0.7 * end, 0.5 * start + 0.5 * end];
            let values = within.map(|u| knots.basis(u)[0].clone());
            for row in knots.bezier_rows().iter().chain(&values) {
                let sum: f64 = row.factors.iter().sum();
                assert!((sum - 1.0).abs() < 1e-15, "{row:?} of {knots:?}");
                assert!(
                    row.factors
                        .iter()
                        .all(|factor| (0.0..=1.0).contains(factor))
                );
                assert!(row.first + row.factors.len() <= knots.count());
            }
        }
    }

    #[test]
    fn a_single_control_point_is_a_direction_too() {
        let constant = KnotVector::constant();
        assert_eq!((constant.count(), constant.bezier_rows().len()), (1, 1));
        let [values, slopes] = constant.basis(0.3);
        assert_eq!((values.factors[0], slopes.factors[0]), (1.0, 0.0));
    }
}
