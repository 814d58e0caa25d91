//! Work shared among threads, with the feature `rayon`; in order without it.
//!
//! A tool of all rooms, which knows nothing of meshes.

use std::cmp::Ordering;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// `f` of every number below `count`, in their order.
pub(super) fn map<R: Send>(count: usize, f: impl Fn(usize) -> R + Sync + Send) -> Vec<R> {
    #[cfg(feature = "rayon")]
    {
        use rayon::prelude::*;
        (0..count).into_par_iter().map(f).collect()
    }
    #[cfg(not(feature = "rayon"))]
    (0..count).map(f).collect()
}

/// `f` once for every worker, at the same time where there are threads.
pub(super) fn each<W: Send, R: Send>(
    workers: &mut [W],
    f: impl Fn(&mut W) -> R + Sync + Send,
) -> Vec<R> {
    #[cfg(feature = "rayon")]
    {
        use rayon::prelude::*;
        workers.par_iter_mut().map(f).collect()
    }
    #[cfg(not(feature = "rayon"))]
    workers.iter_mut().map(f).collect()
}

/// Sorts items of which no two are equal.
pub(super) fn sort_by<T: Send>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering + Sync) {
    #[cfg(feature = "rayon")]
    {
        use rayon::prelude::*;
        items.par_sort_unstable_by(compare);
    }
    #[cfg(not(feature = "rayon"))]
    items.sort_unstable_by(compare);
}

/// How many threads there are to work.
pub(super) fn threads() -> usize {
    #[cfg(feature = "rayon")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "rayon"))]
    1
}

/// A list of which threads take one item after the other.
#[derive(Debug)]
pub(super) struct SharedList<T> {
    items: Vec<T>,
    next: AtomicUsize,
}

impl<T> SharedList<T> {
    pub(super) fn new(items: Vec<T>) -> Self {
        Self {
            items,
            next: AtomicUsize::new(0),
        }
    }

    /// The next item, unless all are taken.
    pub(super) fn take(&self) -> Option<&T> {
        self.items.get(self.next.fetch_add(1, Relaxed))
    }
}
