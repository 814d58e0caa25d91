//! Statistics of a query: how much work a search did, and how the answer was decided.

/// How much work the search behind an answer did, for comparing methods and options.
///
/// A *box* is a pair of sub-patches, one of each patch, with an interval of time. In a query of the
/// distance at rest it has no interval. Axis tests, local solves and boxes differ in cost, so none
/// of these numbers is a running time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// The number of boxes that were tested. In a query of one pair it is bounded by
    /// [`Options::max_boxes`](crate::Options::max_boxes), or by three times that with
    /// [`Options::shrink_separation`](crate::Options::shrink_separation).
    pub boxes: u64,
    /// The number of boxes that were taken from the queue to be looked at and, mostly, split.
    pub popped: u64,
    /// The number of axis tests: on how many axes each box was projected, summed over all boxes.
    pub axes: u64,
    /// The number of local solves for a contact or for closest points.
    pub solves: u64,
    /// The largest number of subdivisions, one after the other, that led to a box that was tested.
    /// Each subdivision halves up to four of the surface parameters.
    pub deepest_level: u32,
    /// The largest number of boxes in the queue at one time.
    pub peak_queue: usize,
    /// How the answer was decided. Without a search all numbers above are 0.
    pub decision: Decision,
}

impl Counters {
    /// Takes in what another search for the same answer did. How the answer was decided stays.
    pub(crate) fn add(&mut self, other: &Self) {
        self.boxes += other.boxes;
        self.popped += other.popped;
        self.axes += other.axes;
        self.solves += other.solves;
        self.deepest_level = self.deepest_level.max(other.deepest_level);
        self.peak_queue = self.peak_queue.max(other.peak_queue);
    }
}

/// How an answer was decided. All but the first occur in exact mode only; see
/// [`Options::exact`](crate::Options::exact).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Decision {
    /// By the search: branch and bound over pairs of sub-patches.
    #[default]
    Search,
    /// In floating point, since its error bounds were small enough.
    Filter,
    /// In floating point and integers: the times at which the two may touch came from floating
    /// point, but whether they do at one of these times took integers.
    RootInIntegers,
    /// In integers only: the times, and whether the two touch then. Motions in a plane, segments
    /// and points, and double roots take this.
    StepInIntegers,
}
