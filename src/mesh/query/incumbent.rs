//! The best pair that the threads of a search have found so far.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ordered_float::OrderedFloat;

use crate::mesh::model::Element;

/// What pairs of elements are ordered by: the objective, then the elements. No two pairs are equal.
///
/// The objective is the lower bound on the time of impact as a fraction of the horizon, or the
/// distance of the closest points.
pub(super) type PairKey = (OrderedFloat<f64>, [Element; 2]);

/// The pair with the least key that was found so far, of which threads read the objective without a
/// lock.
#[derive(Debug)]
pub(super) struct SharedIncumbent<T> {
    least: Mutex<Option<(PairKey, T)>>,
    /// The bits of a double. Doubles that are not negative are in the order of their bits.
    bound: AtomicU64,
}

impl<T> SharedIncumbent<T> {
    /// No incumbent yet; pairs with an objective above `limit` are of no interest.
    pub(super) fn new(limit: f64) -> Self {
        Self {
            least: Mutex::new(None),
            bound: AtomicU64::new(limit.to_bits()),
        }
    }

    /// The objective of the incumbent, or the limit if that is less: pairs above it are of no
    /// interest.
    pub(super) fn bound(&self) -> f64 {
        f64::from_bits(self.bound.load(Relaxed))
    }

    /// Whether no pair from this objective and these elements on can become the incumbent. The
    /// elements are asked for only if the objective is the same as the incumbent's.
    #[inline]
    pub(super) fn comes_before(
        &self,
        objective: f64,
        elements: impl FnOnce() -> [Element; 2],
    ) -> bool {
        let bound = self.bound();
        if objective != bound {
            return objective > bound;
        }
        let least = self.lock().as_ref().map(|(key, _)| *key);
        least.is_some_and(|(least, first)| least.0 == objective && first < elements())
    }

    /// Makes a pair the incumbent if its key is less.
    pub(super) fn improve(&self, key: PairKey, pair: T) {
        let mut least = self.lock();
        if least.as_ref().is_none_or(|(least, _)| key < *least) {
            *least = Some((key, pair));
            // Under the lock nobody else stores a bound.
            let bound = key.0.0.min(self.bound());
            self.bound.store(bound.to_bits(), Relaxed);
        }
    }

    /// The incumbent in the end, with its objective; `None` if there is none.
    pub(super) fn into_inner(self) -> Option<(f64, T)> {
        let least = self.least.into_inner();
        let least = least.unwrap_or_else(PoisonError::into_inner);
        least.map(|((objective, _), pair)| (objective.0, pair))
    }

    fn lock(&self) -> MutexGuard<'_, Option<(PairKey, T)>> {
        self.least.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(objective: f64, vertex: u32) -> PairKey {
        let elements = [Element::Vertex(vertex), Element::Face(0)];
        (OrderedFloat(objective), elements)
    }

    #[test]
    fn the_first_of_equal_pairs_wins_whoever_comes_first() {
        for vertices in [[3, 1, 2], [1, 2, 3], [2, 3, 1]] {
            let incumbent = SharedIncumbent::new(1.0);
            for vertex in vertices {
                incumbent.improve(key(0.5, vertex), vertex);
            }
            assert_eq!(incumbent.bound(), 0.5);
            let comes_before =
                |(objective, elements): PairKey| incumbent.comes_before(objective.0, || elements);
            assert!(comes_before(key(0.5, 2)) && comes_before(key(0.6, 0)));
            assert!(!comes_before(key(0.5, 0)) && !comes_before(key(0.4, 9)));
            assert_eq!(incumbent.into_inner(), Some((0.5, 1)));
        }
    }

    #[test]
    fn an_incumbent_above_the_limit_does_not_raise_it() {
        let incumbent = SharedIncumbent::new(0.25);
        assert!(!incumbent.comes_before(0.25, || key(0.0, 0).1));
        incumbent.improve(key(0.3, 0), ());
        assert_eq!(incumbent.bound(), 0.25);
        assert_eq!(incumbent.into_inner(), Some((0.3, ())));
    }
}
